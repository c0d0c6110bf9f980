/* regression_plane_cuts.c - how a leaf of lines is cut: candidates, parts and their weights.
 *
 * METHOD: the leaf's own undecided rows are found, and of these a few are tried: those nearest
 *   to the middle of their range over the leaf, and some at random; or, where the last cuts by
 *   rows decided few, the halves along each axis. The cut is the one whose
 *   parts have the least sum of weights, as bounded by some of the rows if there are many
 *   (dpd_plane_thin_set()). Parts that are light keep the bound of the whole leaf; one that
 *   refuses nevertheless is bounded first: it becomes a leaf of the same points.
 * COST: O(rows that are undecided) for the parts taken, O(DPD_PLANE_THIN) per candidate.
 * DEGENERATE: see mech/regression_plane.c.
 */
#include <math.h>
#include <string.h>

#include "mech/regression_order.h"
#include "mech/regression_plane_state.h"
#include "num/splitmix.h"

enum {
  CENTRAL = 2,  /* rows near the middle that are tried, */
  RANDOM = 2,   /* and others */
  PATIENCE = 16 /* cuts in a row */
};
#define DUST 16.0 /* parts that are lighter by this, in logarithms, keep the bound of the whole */

/* A leaf that is cut: its polygon's bounds, those that count, and its own rows. */
typedef struct {
  int leaf;
  dpd_plane_set *set;
  int n_above, n_below; /* of m->bounds */
  int64_t from, to;
  double log_weight; /* of the leaf */
  int bound;
} cut_leaf;

/* Parts of a leaf, and the log of the sum of their weights. */
typedef struct {
  int count;
  dpd_plane_node step[DPD_REJECTION_PARTS];
  dpd_rejection_part part[DPD_REJECTION_PARTS];
  double log_sum;
} cut_parts;

static double log_part(const dpd_regression_plane *m, const dpd_rejection_part *p)
{
  return p->log_count + p->log_prior + m->half_rate * p->bound;
}

/* The part of the leaf that the step names. */
static dpd_status weigh_part(dpd_regression_plane *m, const cut_leaf *c, const dpd_plane_set *set,
                             const dpd_plane_node *step, dpd_rejection_part *out)
{
  dpd_bounds *b = &m->bounds;
  dpd_lattice_polygon *g = &m->polygon;
  double lo[2], hi[2];
  int64_t sum[2];
  dpd_bound *above = b->above, *below = b->below;
  size_t n_above = (size_t)c->n_above, n_below = (size_t)c->n_below;
  /* the leaf's bounds stay in front; the part's stand behind them */
  b->above += n_above;
  b->below += n_below;
  memcpy(b->above, above, n_above * sizeof *above);
  memcpy(b->below, below, n_below * sizeof *below);
  b->n_above = c->n_above;
  b->n_below = c->n_below;
  b->from = c->from;
  b->to = c->to;
  dpd_plane_bound_step(m, step, b);
  dpd_status status = dpd_lattice_polygon_fill(g, b, m->work);
  *out = (dpd_rejection_part){-INFINITY, -INFINITY, c->bound};
  if (status == DPD_OK && g->total > 0) {
    out->log_count = log((double)g->total);
    dpd_plane_set_box(g, lo, hi);
    out->log_prior = dpd_leaf_prior_bound(&m->prior, lo, hi);
    if (log_part(m, out) > c->log_weight - DUST) {
      dpd_plane_set_corners(m, g);
      dpd_plane_terms_over(m, set, sum);
      if (step->row >= 0) dpd_plane_decide(m, set, step->row, step->sign, sum);
      int64_t bound = dpd_plane_weight(m, set, sum);
      if (bound < out->bound) out->bound = (int)bound;
    }
  }
  b->above = above;
  b->below = below;
  return status;
}

/* Parts by a row, or (row = -1 - j) by an axis; kept in `best` if they are lighter. */
static dpd_status try_cut(dpd_regression_plane *m, const cut_leaf *c, const dpd_plane_set *set,
                          int row, double cut, cut_parts *best)
{
  cut_parts p = {.count = row < 0 ? 2 : 3, .log_sum = -INFINITY};
  for (int k = 0; k < p.count; k++) {
    static const dpd_plane_sign sign[] = {DPD_PLANE_ABOVE, DPD_PLANE_BELOW, DPD_PLANE_ON};
    p.step[k] = (dpd_plane_node){c->leaf, row, sign[k], -1, cut, 0};
    DPD_TRY(weigh_part(m, c, set, p.step + k, p.part + k));
    double weight = log_part(m, p.part + k), more = fmax(weight, p.log_sum);
    if (more > -INFINITY) p.log_sum = more + log(exp(weight - more) + exp(p.log_sum - more));
  }
  if (best->count == 0 || p.log_sum < best->log_sum) *best = p;
  return DPD_OK;
}

/* Rows of the set, whose terms are those over the leaf, that are nearest to the middle of their
 * ranges, and others. */
static int find_candidates(const dpd_regression_plane *m, int leaf, const dpd_plane_set *s,
                           int *row)
{
  int found = dpd_rows_central(m->off, NULL, s->size, CENTRAL, row);
  for (int k = 0; k < found; k++)
    row[k] = s->row[row[k]];
  uint64_t state = (uint64_t)leaf;
  for (int k = 0; k < RANDOM && s->size > CENTRAL; k++)
    row[found++] = s->row[dpd_splitmix_next(&state) % (uint64_t)s->size];
  return found;
}

/* The terms of a set of rows that serves the leaf, over the leaf, and a bound. Returns how many are
 * undecided. */
static int leaf_terms(dpd_regression_plane *m, int leaf, const dpd_plane_set *s, int64_t *bound)
{
  int64_t sum[2];
  int undecided = 0;
  dpd_plane_terms_over(m, s, sum);
  for (int j = leaf; j > 0 && j != s->owner; j = m->node[j].parent)
    if (m->node[j].row >= 0 && m->node[j].sign != DPD_PLANE_ANY)
      dpd_plane_decide(m, s, m->node[j].row, m->node[j].sign, sum);
  *bound = dpd_plane_weight(m, s, sum);
  for (int i = 0; i < s->size; i++)
    undecided += m->open[i];
  return undecided;
}

/* The leaf's bounds, and its own set of rows. */
static dpd_status open_leaf(dpd_regression_plane *m, int leaf, cut_leaf *c, double lo[2],
                            double hi[2])
{
  const dpd_rejection_node *b = dpd_rejection_at(m->tree, leaf);
  dpd_plane_set *from = dpd_plane_serving(m, leaf);
  int64_t bound;
  dpd_plane_bound_node(m, leaf);
  DPD_TRY(dpd_lattice_polygon_fill(&m->polygon, &m->bounds, m->work));
  if (m->polygon.total > 0) {
    dpd_plane_set_corners(m, &m->polygon);
    dpd_plane_set_box(&m->polygon, lo, hi);
  }
  int undecided = leaf_terms(m, leaf, from, &bound);
  dpd_plane_set *own = dpd_plane_own_set(m, leaf, from, undecided);
  if (own == NULL) own = dpd_plane_own_set(m, leaf, &m->all, leaf_terms(m, leaf, &m->all, &bound));
  *c = (cut_leaf){.leaf = leaf,
                  .set = own,
                  .n_above = m->bounds.n_above,
                  .n_below = m->bounds.n_below,
                  .from = m->bounds.from,
                  .to = m->bounds.to,
                  .bound = bound < b->bound ? (int)bound : b->bound};
  m->node[leaf].undecided = own->size;
  c->log_weight = b->log_count + b->log_prior + m->half_rate * c->bound;
  dpd_plane_reserve_bounds(m, 2 * (c->n_above > c->n_below ? c->n_above : c->n_below) + 8);
  return DPD_OK;
}

static void keep_nodes(dpd_regression_plane *m, int first, const cut_parts *p)
{
  if (first + p->count > m->nodes_room) {
    dpd_plane_node *old = m->node;
    size_t had = (size_t)m->nodes_room;
    m->nodes_room = 2 * (first + p->count);
    m->node = m->alloc((size_t)m->nodes_room, sizeof *m->node);
    memcpy(m->node, old, had * sizeof *old);
  }
  for (int k = 0; k < p->count; k++)
    m->node[first + k] = p->step[k];
}

/* Do at least half of the rows remain that were undecided PATIENCE cuts by rows ago? Around a
 * convex region that no row's line enters (rows on a parabola) these decide one each, though their
 * parts are often lighter than halves, which decide half: a draw of 3,000 rows took up to 13 s, and
 * takes .05. Halves tried at each cut make that of 100,000 normal rows 12 s, which takes .5. */
static bool is_stuck(const dpd_regression_plane *m, int leaf)
{
  int j = leaf;
  if (m->node[leaf].undecided < PATIENCE) return false;
  for (int by_rows = 0; by_rows < PATIENCE; j = m->node[j].parent) {
    if (j == 0) return false;
    by_rows += m->node[j].row >= 0;
  }
  return 2 * m->node[leaf].undecided > m->node[j].undecided;
}

int dpd_plane_part(void *ctx, int leaf, int first, dpd_rejection_part *parts)
{
  dpd_regression_plane *m = ctx;
  cut_parts best = {.count = 0};
  cut_leaf c;
  double lo[2], hi[2];
  int row[CENTRAL + RANDOM];
  if (open_leaf(m, leaf, &c, lo, hi) != DPD_OK) return 0;
  const dpd_rejection_node *whole = dpd_rejection_at(m->tree, leaf);
  if (c.bound < whole->bound) { /* its bound was that of a larger one */
    best = (cut_parts){1,
                       {{leaf, 0, DPD_PLANE_ANY, -1, 0, 0}},
                       {{whole->log_count, whole->log_prior, c.bound}},
                       0};
    keep_nodes(m, first, &best);
    parts[0] = best.part[0];
    return 1;
  }
  const dpd_plane_set *few = dpd_plane_thin_set(m, c.set);
  int64_t sum[2];
  dpd_plane_terms_over(m, few, sum);
  const bool stuck = (lo[0] < hi[0] || lo[1] < hi[1]) && is_stuck(m, leaf);
  int rows = stuck ? 0 : find_candidates(m, leaf, few, row);
  for (int k = 0; k < rows; k++)
    if (try_cut(m, &c, few, row[k], 0, &best) != DPD_OK) return 0;
  for (int j = 0; j < 2 && !dpd_leaf_prior_is_uniform(&m->prior); j++) {
    double range[2] = {lo[j], hi[j]}, kept = 0.9;
    double low = dpd_leaf_prior_cut(&m->prior, j, range, lo[j], &kept), before = kept;
    double high = dpd_leaf_prior_cut(&m->prior, j, range, hi[j], &kept),
           cut = kept < before ? high : low;
    if (kept < 0.9 && try_cut(m, &c, few, -1 - j, cut, &best) != DPD_OK) return 0;
  }
  for (int j = 0; j < 2 && stuck; j++) {
    double half = floor(lo[j] / 2 + hi[j] / 2);
    if (hi[j] > lo[j] && try_cut(m, &c, few, -1 - j, half, &best) != DPD_OK) return 0;
  }
  for (int k = 0; few != c.set && k < best.count; k++)
    if (weigh_part(m, &c, c.set, best.step + k, best.part + k) != DPD_OK) return 0;
  keep_nodes(m, first, &best);
  memcpy(parts, best.part, sizeof best.part);
  return best.count;
}
