/* regression_space_cuts.c - how a leaf of planes is cut: its parts and their weights.
 *
 * METHOD: the leaf's own undecided rows are found, and it is cut by one of them
 *   (mech/regression_space_try.c). A part's points lie in a box about its hull along a reduced
 *   basis, or in that of the leaf; it weighs as many points as that has. Where the box is a few
 *   points wide the hull is cut next to its outer points, and the box sought anew. Parts that are
 *   light keep the bound of the whole leaf; one that refuses nevertheless is bounded first: it
 *   becomes a leaf of the same points. A leaf is halved along a side of its box if it has few
 *   points, fills little of its box, or has a hull of many corners, as cells have that a curve
 *   bounds; a box of one point is looked at itself.
 * COST: O(rows that are undecided times corners) for the parts, less per candidate.
 * DEGENERATE: see mech/regression_space.c.
 */
#include <math.h>
#include <string.h>

#include "mech/regression_space_state.h"

enum {
  WIDE = 8,
  MANY_CORNERS = 64, /* of a hull: halves have fewer */
  TRIMS = 3,
  FEW_ROWS = 128, /* directions times rows that are undecided in a leaf: asked besides */
  FEW_PLANES = 4, /* of lattice points: they are told apart first */
  TURNS = 1       /* directions that are asked beside those that were noted */
};
#define DUST 16.0       /* parts that are lighter by this, in logarithms, keep the whole's bound */
#define FEW_POINTS 4.2  /* of the log of points: halves, not rows */
#define MUCH_LESS 1.0   /* a leaf that is lighter by this is drawn from again before it is cut */
#define SPARSE 2.0      /* of the log of a decided leaf's box over its hull: it is halved, */
#define VERY_SPARSE 4.5 /* and of one that is not decided */

/* A leaf that is cut: its hull is m->leaf. */
typedef struct {
  int leaf, bound, undecided;
  dpd_space_set *set;
  dpd_lattice_frame frame;
  double log_count, log_prior;
  int note[DPD_SPACE_NOTES];
} cut_leaf;

typedef struct {
  int64_t weight[DPD_SPACE_NOTES];
  int at[DPD_SPACE_NOTES];
} least_weights;

static void ask(dpd_regression_space *m, dpd_space_set *s, int u, const int64_t sum[2],
                least_weights *l)
{
  if (u < 0) return;
  for (int i = 0; i < DPD_SPACE_NOTES; i++)
    if (l->at[i] == u) return;
  int64_t weight = dpd_space_weight(m, s, u, sum);
  int to = DPD_SPACE_NOTES;
  while (to > 0 && weight < l->weight[to - 1])
    to--;
  if (to == DPD_SPACE_NOTES) return;
  for (int i = DPD_SPACE_NOTES - 1; i > to; i--) {
    l->at[i] = l->at[i - 1];
    l->weight[i] = l->weight[i - 1];
  }
  l->at[to] = u;
  l->weight[to] = weight;
}

/* The least weight along the directions noted, one more, and some in turn; these are noted. */
static int64_t least_of(dpd_regression_space *m, dpd_space_set *s, const int64_t sum[2], int more,
                        int turns, int note[DPD_SPACE_NOTES])
{
  least_weights l;
  for (int i = 0; i < DPD_SPACE_NOTES; i++) {
    l.at[i] = -1;
    l.weight[i] = INT64_MAX;
  }
  for (int i = 0; i < DPD_SPACE_NOTES; i++)
    ask(m, s, note[i], sum, &l);
  ask(m, s, more, sum, &l);
  for (int i = 0; i < turns && i < m->spec.count; i++) {
    ask(m, s, m->next_direction, sum, &l);
    m->next_direction = m->next_direction + 1 < m->spec.count ? m->next_direction + 1 : 0;
  }
  memcpy(note, l.at, sizeof l.at);
  return l.weight[0];
}

/* The terms of a set that serves the leaf, over its hull; how many are undecided. */
static int terms_of_leaf(dpd_regression_space *m, int leaf, const dpd_space_set *s, int64_t sum[2])
{
  int undecided = 0;
  dpd_space_terms_over(m, s, &m->proofs, &dpd_space_node_at(m, leaf)->frame, sum);
  for (int j = leaf; j > 0 && j != s->owner; j = dpd_space_node_at(m, j)->parent)
    if (dpd_space_node_at(m, j)->row >= 0 && dpd_space_node_at(m, j)->sign != DPD_SPACE_ANY)
      dpd_space_decide(m, s, dpd_space_node_at(m, j)->row, dpd_space_node_at(m, j)->sign, sum);
  for (int i = 0; i < s->size; i++)
    undecided += m->open[i];
  return undecided;
}

static void open_terms(dpd_regression_space *m, const dpd_space_set *s, int64_t sum[2])
{
  sum[0] = s->above;
  sum[1] = s->below;
  for (int i = 0; i < s->size; i++) {
    m->term[i] = dpd_space_term(m, s->count[i], true, true);
    m->open[i] = true;
    sum[0] += s->count[i];
    sum[1] += s->count[i];
  }
}

/* The leaf's hull, its rows and its bound. */
static void open_leaf(dpd_regression_space *m, int leaf, cut_leaf *c)
{
  const dpd_rejection_node *b = dpd_rejection_at(m->tree, leaf);
  dpd_space_node *node = dpd_space_node_at(m, leaf);
  int64_t sum[2];
  dpd_space_set *from = dpd_space_serving(m, leaf);
  *c = (cut_leaf){.leaf = leaf,
                  .bound = b->bound,
                  .set = from,
                  .frame = node->frame,
                  .log_count = b->log_count,
                  .log_prior = b->log_prior};
  dpd_space_hull_of(m, leaf, &m->leaf);
  dpd_hull_prove(&m->proofs, &m->leaf);
  c->undecided = terms_of_leaf(m, leaf, from, sum);
  if (c->undecided > 0 && 5 * (int64_t)c->undecided < 4 * (int64_t)from->size) {
    c->set = dpd_space_own_set(m, leaf, from, c->undecided);
    open_terms(m, c->set, sum);
  }
  memcpy(c->note, node->note, sizeof c->note);
  int turns = c->undecided > 0 ? TURNS + FEW_ROWS / c->undecided : m->spec.count;
  if (!node->scored) {
    int64_t least = least_of(m, c->set, sum, m->refuter, turns, c->note);
    if (least < c->bound) c->bound = (int)least;
  }
  node->undecided = c->undecided;
  memcpy(node->note, c->note, sizeof c->note);
}

static double log_weight(const dpd_regression_space *m, const dpd_rejection_part *p)
{
  return p->log_count + p->log_prior + m->half_rate * p->bound;
}

/* A range along each axis that holds all points of the hull. */
static void ranges_of(dpd_regression_space *m, const dpd_hull *h, double lo[3], double hi[3])
{
  memcpy(lo, m->prior.lattice.lo, 3 * sizeof *lo);
  memcpy(hi, m->prior.lattice.hi, 3 * sizeof *hi);
  for (int j = 0; j < 3; j++)
    for (int s = -1; s < 2; s += 2) {
      int64_t a[3] = {0, 0, 0};
      dpd_i128 most;
      a[j] = s;
      if (!dpd_hull_most(&m->proofs, a, dpd_hull_highest(h, a), &most)) continue;
      if (s < 0)
        lo[j] = fmax(-(double)most, lo[j]);
      else
        hi[j] = fmin((double)most, hi[j]);
    }
}

/* Cuts the hull that proofs are of where it is a few steps wide, a quarter of a step beyond its
 * outer points. Is it smaller then? */
static bool trim(dpd_regression_space *m, dpd_hull *h, const dpd_lattice_frame *f)
{
  bool cut = false;
  for (int j = 0; j < 3; j++) {
    if (f->hi[j] - f->lo[j] > WIDE) continue;
    for (int s = -1; s < 2; s += 2) {
      dpd_halfspace by = {.c = s < 0 ? 1 - 4 * (int64_t)f->lo[j] : 4 * (int64_t)f->hi[j] + 1};
      dpd_lattice_frame_form(f, j, by.a);
      for (int i = 0; i < 3; i++) {
        by.a[i] *= 4 * s;
        by.c += (dpd_i128)by.a[i] * (int64_t)f->o[i];
      }
      if (dpd_hull_cut(h, &by, &m->spare) != DPD_HULL_CUT) continue;
      dpd_hull_copy(h, &m->spare);
      cut = true;
    }
  }
  if (cut) dpd_hull_prove(&m->proofs, h); /* its corners have other faces now */
  return cut;
}

/* The hull and the box of the step's part; false: it has no points. */
static bool shape_part(dpd_regression_space *m, const cut_leaf *c, dpd_space_node *step,
                       dpd_rejection_part *out)
{
  bool cut = true;
  dpd_hull_copy(&m->part, &m->leaf);
  if (!dpd_space_cut_hull(m, step, &m->part)) return false;
  dpd_hull_prove(&m->proofs, &m->part);
  for (int times = 0; times < TRIMS && cut; times++) {
    dpd_lattice_frame frame = step->frame;
    if (!dpd_lattice_frame_about(&frame, &m->proofs)) break;
    double log_count = dpd_lattice_frame_log_count(&frame);
    if (log_count == -INFINITY) return false;
    if (log_count < out->log_count) {
      step->frame = frame;
      out->log_count = log_count;
    }
    cut = trim(m, &m->part, &frame);
  }
  out->log_prior = c->log_prior;
  if (dpd_leaf_prior_is_uniform(&m->prior)) return true;
  double lo[3], hi[3];
  ranges_of(m, &m->part, lo, hi);
  for (int j = 0; j < 3; j++)
    if (lo[j] > hi[j]) return false;
  out->log_prior = fmin(c->log_prior, dpd_leaf_prior_bound(&m->prior, lo, hi));
  return out->log_prior > -INFINITY;
}

/* The part that the step names; sets the rest of the step. */
static void weigh_part(dpd_regression_space *m, const cut_leaf *c, dpd_space_node *step, int at,
                       dpd_rejection_part *out)
{
  int64_t sum[2];
  step->frame = c->frame;
  step->set = step->undecided = -1;
  memcpy(step->note, c->note, sizeof c->note);
  *out = (dpd_rejection_part){c->log_count, -INFINITY, c->bound};
  if (step->row <= DPD_SPACE_FORM) {
    const int j = DPD_SPACE_FORM - step->row;
    if (step->sign == DPD_SPACE_ABOVE)
      step->frame.hi[j] = step->cut;
    else
      step->frame.lo[j] = step->cut + 1;
    out->log_count = dpd_lattice_frame_log_count(&step->frame);
  }
  if (!shape_part(m, c, step, out)) {
    out->log_prior = -INFINITY;
    return;
  }
  dpd_space_keep_hull(m, at, &m->part);
  const double whole = c->log_count + c->log_prior + m->half_rate * c->bound;
  if (log_weight(m, out) < whole - DUST) return;
  dpd_space_terms_over(m, c->set, &m->proofs, &step->frame, sum);
  if (step->row >= 0) dpd_space_decide(m, c->set, step->row, step->sign, sum);
  int64_t least = least_of(m, c->set, sum, -1, TURNS, step->note);
  if (least < out->bound) out->bound = (int)least;
}

/* Room for nodes up to `last`. */
static void reserve_nodes(dpd_regression_space *m, int last)
{
  const int k = last / DPD_SPACE_NODES;
  if (m->block[k] == NULL) m->block[k] = m->alloc(DPD_SPACE_NODES, sizeof **m->block);
}

static int cut_by(dpd_regression_space *m, const cut_leaf *c, int row, double cut, int first,
                  dpd_rejection_part *parts)
{
  static const dpd_space_sign sign[] = {DPD_SPACE_ABOVE, DPD_SPACE_BELOW, DPD_SPACE_ON};
  const int count = row < 0 ? 2 : 3;
  for (int k = 0; k < count; k++) {
    *dpd_space_node_at(m, first + k) =
        (dpd_space_node){.parent = c->leaf, .row = row, .sign = sign[k], .cut = cut};
    weigh_part(m, c, dpd_space_node_at(m, first + k), first + k, parts + k);
  }
  return count;
}

/* The same leaf, better known. */
static int keep_leaf(dpd_regression_space *m, const cut_leaf *c, int first, bool scored,
                     dpd_rejection_part *parts)
{
  *dpd_space_node_at(m, first) = (dpd_space_node){.parent = c->leaf,
                                                  .sign = DPD_SPACE_ANY,
                                                  .set = -1,
                                                  .undecided = c->undecided,
                                                  .scored = scored,
                                                  .frame = c->frame};
  memcpy(dpd_space_node_at(m, first)->note, c->note, sizeof c->note);
  dpd_space_keep_hull(m, first, &m->leaf);
  parts[0] = (dpd_rejection_part){c->log_count, c->log_prior, c->bound};
  return 1;
}

/* A leaf whose box is one point: it, or nothing. */
static int look_at_point(dpd_regression_space *m, cut_leaf *c, int first, dpd_rejection_part *parts)
{
  double z[3];
  if (dpd_space_node_at(m, c->leaf)->scored) return 0;
  dpd_lattice_frame_point(&c->frame, c->frame.lo, z);
  if (dpd_space_holds(m, c->leaf, z)) {
    int64_t score = dpd_space_score(m, z);
    if (score < c->bound) c->bound = (int)score;
    c->log_prior = dpd_leaf_prior_log(&m->prior, z);
  } else {
    c->log_prior = -INFINITY;
  }
  return keep_leaf(m, c, first, true, parts);
}

/* Halves of the longest side, or of a side of a few points. */
static int halve(dpd_regression_space *m, const cut_leaf *c, int first, dpd_rejection_part *parts)
{
  const double *lo = c->frame.lo, *hi = c->frame.hi;
  int axis = 0;
  for (int j = 1; j < 3; j++)
    if (hi[j] - lo[j] > hi[axis] - lo[axis]) axis = j;
  for (int j = 0; j < 3; j++)
    if (hi[j] > lo[j] && hi[j] - lo[j] < FEW_PLANES) axis = j;
  return cut_by(m, c, DPD_SPACE_FORM - axis, floor(lo[axis] / 2 + hi[axis] / 2), first, parts);
}

/* The cut along an axis that leaves less of points times densities than a row's does; false: none.
 */
static bool cut_for_prior(dpd_regression_space *m, double log_sum, int *row, double *cut)
{
  double lo[3], hi[3], kept = fmin(0.9, exp(log_sum));
  bool found = false;
  if (dpd_leaf_prior_is_uniform(&m->prior)) return false;
  dpd_hull_prove(&m->proofs, &m->leaf);
  ranges_of(m, &m->leaf, lo, hi);
  for (int j = 0; j < 3; j++)
    for (int s = 0; s < 2; s++) {
      double before = kept, range[2] = {lo[j], hi[j]};
      double at = dpd_leaf_prior_cut(&m->prior, j, range, range[s], &kept);
      if (!(kept < before)) continue;
      found = true;
      *row = -1 - j;
      *cut = at;
    }
  return found;
}

/* Has the leaf's box many more points than its hull? */
static bool is_sparse(const dpd_regression_space *m, const cut_leaf *c)
{
  double w[3][DPD_HULL_CORNERS];
  if (c->undecided == 0 && c->log_count < 2 * FEW_POINTS) return true;
  dpd_lattice_frame_corners(&c->frame, &m->leaf, w);
  const double log_volume = log(dpd_hull_volume(&m->leaf, w));
  return !(log_volume > c->log_count - (c->undecided == 0 ? SPARSE : VERY_SPARSE));
}

int dpd_space_part(void *ctx, int leaf, int first, dpd_rejection_part *parts)
{
  dpd_regression_space *m = ctx;
  const dpd_rejection_node *whole = dpd_rejection_at(m->tree, leaf);
  cut_leaf c;
  double log_sum = 0, cut = 0;
  int64_t sum[2];
  reserve_nodes(m, first + DPD_REJECTION_PARTS - 1);
  open_leaf(m, leaf, &c);
  if (c.log_count == 0) return look_at_point(m, &c, first, parts);
  if (m->half_rate * (whole->bound - c.bound) > MUCH_LESS)
    return keep_leaf(m, &c, first, c.undecided == 0, parts);
  if (c.log_count < FEW_POINTS || m->leaf.corners > MANY_CORNERS || is_sparse(m, &c))
    return halve(m, &c, first, parts);
  if (c.undecided == 0) {
    int row;
    if (cut_for_prior(m, 0, &row, &cut)) return cut_by(m, &c, row, cut, first, parts);
    return dpd_space_node_at(m, leaf)->scored ? 0 : keep_leaf(m, &c, first, true, parts);
  }
  dpd_space_set *few = dpd_space_thin_set(m, c.set);
  (void)terms_of_leaf(m, leaf, few, sum);
  int row = dpd_space_choose_row(m, &(dpd_space_leaf){leaf, c.bound, &m->leaf, &c.frame, c.note},
                                 few, &log_sum);
  if (row < 0 && few != c.set) {
    (void)terms_of_leaf(m, leaf, c.set, sum);
    for (int i = 0; i < c.set->size && row < 0; i++)
      if (m->open[i]) row = c.set->row[i];
  }
  (void)cut_for_prior(m, log_sum, &row, &cut);
  return cut_by(m, &c, row, cut, first, parts);
}
