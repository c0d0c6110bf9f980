/* regression_plane.c - private lines by the exponential mechanism over regression depth.
 *
 * METHOD: see mech/regression.c for the score. Rows are pairs of halfplanes of whole numbers
 *   (mech/regression_plane_rows.c), the fits lattice points of the plane. The sampler's leaves are
 *   convex polygons: a leaf is cut by a row, into the fits that the row lies above, on and below,
 *   or, under a prior that is not uniform, along an axis. So a leaf is the set of lattice points
 *   with the signs that its path to the root names; these are counted and drawn exactly
 *   (plane/lattice_polygon.c), and leaves partition the support. The bound of a leaf's scores is
 *   that of mech/regression_plane_sets.c, of its prior density that over the box around it.
 *   The leaf that refused is cut by the best of a few rows that are undecided over it: those nearest
 *   to its middle, and some at random; the best leaves the least sum of weights. Which row it is
 *   depends on the data and steers speed only.
 *   Boxes that are halved along axes cannot follow a cell that is thin and oblique; rows bound it.
 * COST: leaves are cells of the arrangement of 2 m lines, m different rows, or sums of such: O(m^2)
 *   at worst. A cut is O(m) times the corners of its polygons, m the rows that are undecided there.
 * DEGENERATE: a leaf over which no row is undecided has one score, and is cut no more but along an
 *   axis; one of no point has no weight. Lines that cross at one point, parallel and equal lines and
 *   lattices of few points need nothing: all signs and counts are exact.
 * REFERENCE: Rousseeuw and Hubert (1999), Regression depth; McSherry and Talwar (2007).
 */
#include "mech/regression_plane.h"

#include <math.h>
#include <string.h>

#include "mech/regression_plane_state.h"
#include "mech/regression_state.h"
#include "num/splitmix.h"
#include "samp/rng.h"

enum {
  MAX_NODES = 3 << 19, /* of the tree */
  CENTRAL = 2,         /* rows near the middle that are tried, */
  RANDOM = 2,          /* and others */
  BLOCK_ROUNDS = 256   /* proposals between two looks for an interrupt, at most */
};
#define BLOCK_WORK 2e7
#define DUST 16.0 /* parts that are lighter by this, in logarithms, keep the bound of the whole */

/* -- polygons
 * ----------------------------------------------------------------------------------- */

static void reserve_bounds(dpd_regression_plane *m, int most)
{
  if (most <= m->bounds_room) return;
  const dpd_bounds old = m->bounds;
  m->bounds_room = 2 * most;
  size_t room = (size_t)m->bounds_room;
  m->bounds.above = m->alloc(2 * room, sizeof *m->bounds.above);
  m->bounds.below = m->bounds.above + room;
  if (old.n_above > 0) memcpy(m->bounds.above, old.above, (size_t)old.n_above * sizeof *old.above);
  if (old.n_below > 0) memcpy(m->bounds.below, old.below, (size_t)old.n_below * sizeof *old.below);
  m->work = m->alloc(2 * room, sizeof *m->work);
}

/* The bounds of one step of a node's path. Requires: room for two more of either kind. */
static void bound_step(const dpd_regression_plane *m, const dpd_plane_node *step, dpd_bounds *b)
{
  if (step->sign == DPD_PLANE_ANY) return;
  if (step->row < 0) {
    int64_t x = step->row == -1, y = 1 - x, cut = (int64_t)step->cut;
    if (step->sign == DPD_PLANE_ABOVE)
      dpd_bounds_add(b, x, y, cut);
    else
      dpd_bounds_add(b, -x, -y, -cut - 1);
    return;
  }
  const dpd_plane_row *r = m->row + step->row;
  const dpd_i128 bottom = r->top - r->gap;
  if (step->sign == DPD_PLANE_ABOVE) dpd_bounds_add(b, r->p, r->q, bottom - 1);
  if (step->sign == DPD_PLANE_BELOW) dpd_bounds_add(b, -r->p, -r->q, -r->top - 1);
  if (step->sign != DPD_PLANE_ON) return;
  dpd_bounds_add(b, r->p, r->q, r->top);
  dpd_bounds_add(b, -r->p, -r->q, -bottom);
}

/* The bounds of a node, those of the support first. */
static void bound_node(dpd_regression_plane *m, int node)
{
  dpd_bounds *b = &m->bounds;
  int steps = 0;
  for (int j = node; j > 0; j = m->node[j].parent)
    steps++;
  b->n_above = b->n_below = 0;
  reserve_bounds(m, 2 * steps + 8);
  b->from = (int64_t)m->lattice.lo[0];
  b->to = (int64_t)m->lattice.hi[0];
  dpd_bounds_add(b, 0, 1, (int64_t)m->lattice.hi[1]);
  dpd_bounds_add(b, 0, -1, -(int64_t)m->lattice.lo[1]);
  for (int j = node; j > 0; j = m->node[j].parent)
    bound_step(m, m->node + j, b);
}

static double bound_value(const dpd_bound *b, int64_t x)
{
  return (double)(b->c + (dpd_i128)b->dy * x) / (double)b->dx;
}

static void add_corner(dpd_regression_plane *m, int64_t x, double y)
{
  dpd_plane_corners *c = &m->corners;
  if (c->size == c->room) {
    int room = 2 * c->room + 32;
    double *at = m->alloc(6 * (size_t)room, sizeof *at);
    if (c->size > 0) {
      memcpy(at, c->x, (size_t)c->size * sizeof *at);
      memcpy(at + room, c->y, (size_t)c->size * sizeof *at);
    }
    *c = (dpd_plane_corners){c->size,       room,          at,           at + room,
                             at + 2 * room, at + 3 * room, at + 4 * room, at + 5 * room};
  }
  c->x[c->size] = (double)x;
  c->y[c->size++] = y;
}

static bool same_bound(const dpd_bound *a, const dpd_bound *b)
{
  return a->c == b->c && a->dx == b->dx && a->dy == b->dy;
}

/* Where the polygon's strips begin and end, but for ends that lie on one bound. */
static void set_corners(dpd_regression_plane *m, const dpd_lattice_polygon *g)
{
  const dpd_strip *s = g->strip.item;
  const size_t count = g->strip.count;
  m->corners.size = 0;
  for (size_t k = 0; k < count; k++) {
    bool first = k == 0, last = k + 1 == count;
    if (first || !same_bound(&s[k].above, &s[k - 1].above))
      add_corner(m, s[k].from, bound_value(&s[k].above, s[k].from));
    if (last || !same_bound(&s[k].above, &s[k + 1].above))
      add_corner(m, s[k].to, bound_value(&s[k].above, s[k].to));
    if (first || !same_bound(&s[k].below, &s[k - 1].below))
      add_corner(m, s[k].from, -bound_value(&s[k].below, s[k].from));
    if (last || !same_bound(&s[k].below, &s[k + 1].below))
      add_corner(m, s[k].to, -bound_value(&s[k].below, s[k].to));
  }
}

/* The box around the polygon. */
static void set_box(const dpd_lattice_polygon *g, double lo[2], double hi[2])
{
  const dpd_strip *s = g->strip.item;
  const size_t count = g->strip.count;
  lo[0] = (double)s[0].from;
  hi[0] = (double)s[count - 1].to;
  lo[1] = INFINITY;
  hi[1] = -INFINITY;
  for (size_t k = 0; k < count; k++) {
    double y[2];
    dpd_strip_range(s + k, s[k].from, s[k].to, y);
    lo[1] = fmin(lo[1], y[0]);
    hi[1] = fmax(hi[1], y[1]);
  }
}

/* -- the prior
 * ---------------------------------------------------------------------------------- */

static double log_mass(const dpd_regression_plane *m, double z)
{
  dpd_u128 mass = dpd_mass_between(m->mass, (int64_t)z, (int64_t)z);
  return mass == 0 ? -INFINITY : log((double)mass);
}

static double log_prior_at(const dpd_regression_plane *m, const double *z)
{
  double out;
  if (m->mass != NULL) return log_mass(m, z[0]) + log_mass(m, z[1]);
  return dpd_lattice_log_prior(&m->lattice, z, &out) ? out : -INFINITY;
}

/* The most likely index of axis j among lo..hi. */
static double mode_within(const dpd_regression_plane *m, int j, double lo, double hi)
{
  double mode = m->mass != NULL ? 0 : rint(m->lattice.mean[j]);
  return fmin(fmax(mode, lo), hi);
}

/* A bound over the box. */
static double bound_prior(const dpd_regression_plane *m, const double lo[2], const double hi[2])
{
  double out;
  if (m->mass == NULL) return dpd_lattice_bound_prior(&m->lattice, lo, hi, &out) ? out : -INFINITY;
  return log_mass(m, mode_within(m, 0, lo[0], hi[0])) +
         log_mass(m, mode_within(m, 1, lo[1], hi[1]));
}

static bool is_uniform(const dpd_regression_plane *m)
{
  return m->mass == NULL && !m->lattice.prior.normal;
}

/* The density along axis j alone, but for a factor. */
static double density_along(const dpd_regression_plane *m, int j, double z)
{
  double v = (z - m->lattice.mean[j]) / m->lattice.scale[j];
  return m->mass != NULL ? log_mass(m, z) : -0.5 * v * v;
}

/* The cut of lo..hi, from its most likely point to the side of `end`, that leaves the least sum of
 * points times densities; *kept: what it leaves. */
static double cut_towards(const dpd_regression_plane *m, int j, const double range[2], double end,
                          double *kept)
{
  double mode = mode_within(m, j, range[0], range[1]), best = mode, all = range[1] - range[0] + 1;
  double at_mode = density_along(m, j, mode);
  for (double far = end - mode; fabs(far) >= 1; far = trunc(far / 2)) {
    double cut = mode + far; /* the first point beyond */
    double beyond = fabs(end - cut) + 1;
    double sum = (all - beyond + beyond * exp(density_along(m, j, cut) - at_mode)) / all;
    if (sum >= *kept) continue;
    *kept = sum;
    best = end > mode ? cut - 1 : cut;
  }
  return best;
}

/* -- cuts
 * --------------------------------------------------------------------------------------- */

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
  dpd_lattice_polygon g = {.total = 0};
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
  bound_step(m, step, b);
  dpd_status status = dpd_lattice_polygon_fill(&g, b, m->work);
  *out = (dpd_rejection_part){-INFINITY, -INFINITY, c->bound};
  if (status == DPD_OK && g.total > 0) {
    out->log_count = log((double)g.total);
    set_box(&g, lo, hi);
    out->log_prior = bound_prior(m, lo, hi);
    if (log_part(m, out) > c->log_weight - DUST) {
      set_corners(m, &g);
      dpd_plane_terms_over(m, set, sum);
      if (step->row >= 0) dpd_plane_decide(m, set, step->row, step->sign, sum);
      int64_t bound = dpd_plane_weight(m, set, sum);
      if (bound < out->bound) out->bound = (int)bound;
    }
  }
  b->above = above;
  b->below = below;
  dpd_lattice_polygon_close(&g);
  return status;
}

/* Parts by a row, or (row = -1 - j) by an axis; kept in `best` if they are lighter. */
static dpd_status try_cut(dpd_regression_plane *m, const cut_leaf *c, const dpd_plane_set *set,
                          int row, double cut, cut_parts *best)
{
  cut_parts p = {.count = row < 0 ? 2 : 3, .log_sum = -INFINITY};
  for (int k = 0; k < p.count; k++) {
    static const dpd_plane_sign sign[] = {DPD_PLANE_ABOVE, DPD_PLANE_BELOW, DPD_PLANE_ON};
    p.step[k] = (dpd_plane_node){c->leaf, row, sign[k], -1, cut};
    DPD_TRY(weigh_part(m, c, set, p.step + k, p.part + k));
    double weight = log_part(m, p.part + k), more = fmax(weight, p.log_sum);
    if (more > -INFINITY)
      p.log_sum = more + log(exp(weight - more) + exp(p.log_sum - more));
  }
  if (best->count == 0 || p.log_sum < best->log_sum) *best = p;
  return DPD_OK;
}

/* Rows of the set, whose terms are those over the leaf, that are nearest to the middle of their
 * ranges, and others. */
static int find_candidates(const dpd_regression_plane *m, int leaf, const dpd_plane_set *s, int *row)
{
  double off[CENTRAL];
  int found = 0;
  for (int i = 0; i < s->size; i++) {
    double away = m->off[i] < 1e300 ? m->off[i] : 1e300;
    int at = found < CENTRAL ? found++ : CENTRAL;
    for (; at > 0 && away < off[at - 1]; at--)
      if (at < CENTRAL) {
        off[at] = off[at - 1];
        row[at] = row[at - 1];
      }
    if (at == CENTRAL) continue;
    off[at] = away;
    row[at] = s->row[i];
  }
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
  dpd_lattice_polygon g = {.total = 0};
  const dpd_rejection_node *b = dpd_rejection_at(m->tree, leaf);
  dpd_plane_set *from = dpd_plane_serving(m, leaf);
  int64_t bound;
  bound_node(m, leaf);
  dpd_status status = dpd_lattice_polygon_fill(&g, &m->bounds, m->work);
  if (status == DPD_OK && g.total > 0) {
    set_corners(m, &g);
    set_box(&g, lo, hi);
  }
  dpd_lattice_polygon_close(&g);
  DPD_TRY(status);
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
  c->log_weight = b->log_count + b->log_prior + m->half_rate * c->bound;
  reserve_bounds(m, 2 * (c->n_above > c->n_below ? c->n_above : c->n_below) + 8);
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

static int target_part(void *ctx, int leaf, int first, dpd_rejection_part *parts)
{
  dpd_regression_plane *m = ctx;
  cut_parts best = {.count = 0};
  cut_leaf c;
  double lo[2], hi[2];
  int row[CENTRAL + RANDOM];
  if (open_leaf(m, leaf, &c, lo, hi) != DPD_OK) return 0;
  const dpd_rejection_node *whole = dpd_rejection_at(m->tree, leaf);
  if (c.bound < whole->bound) { /* it had the bound of a larger one */
    best = (cut_parts){1,
                       {{leaf, 0, DPD_PLANE_ANY, -1, 0}},
                       {{whole->log_count, whole->log_prior, c.bound}},
                       0};
    keep_nodes(m, first, &best);
    parts[0] = best.part[0];
    return 1;
  }
  const dpd_plane_set *few = dpd_plane_thin_set(m, c.set);
  int64_t sum[2];
  dpd_plane_terms_over(m, few, sum);
  int rows = find_candidates(m, leaf, few, row);
  for (int k = 0; k < rows; k++)
    if (try_cut(m, &c, few, row[k], 0, &best) != DPD_OK) return 0;
  for (int j = 0; j < 2 && !is_uniform(m); j++) {
    double range[2] = {lo[j], hi[j]}, kept = 0.9;
    double low = cut_towards(m, j, range, lo[j], &kept), before = kept;
    double high = cut_towards(m, j, range, hi[j], &kept), cut = kept < before ? high : low - 1;
    if (kept < 0.9 && try_cut(m, &c, few, -1 - j, cut, &best) != DPD_OK) return 0;
  }
  for (int k = 0; few != c.set && k < best.count; k++)
    if (weigh_part(m, &c, c.set, best.step + k, best.part + k) != DPD_OK) return 0;
  keep_nodes(m, first, &best);
  memcpy(parts, best.part, sizeof best.part);
  return best.count;
}

static dpd_status target_pick(void *ctx, dpd_rng *rng, int leaf, double *z, double *log_prior)
{
  dpd_regression_plane *m = ctx;
  dpd_lattice_polygon g = {.total = 0};
  dpd_u128 index;
  int64_t at[2];
  bound_node(m, leaf);
  dpd_status status = dpd_lattice_polygon_fill(&g, &m->bounds, m->work);
  if (status == DPD_OK) status = dpd_rng_below_u128(rng, g.total, &index);
  if (status == DPD_OK) dpd_lattice_polygon_pick(&g, index, at);
  dpd_lattice_polygon_close(&g);
  DPD_TRY(status);
  z[0] = (double)at[0];
  z[1] = (double)at[1];
  *log_prior = log_prior_at(m, z);
  m->picked = leaf;
  return DPD_OK;
}

static bool target_at_least(void *ctx, const double *z, int t)
{
  dpd_regression_plane *m = ctx;
  return t <= 0 || dpd_plane_score(m, dpd_plane_serving(m, m->picked), z) >= t;
}

/* As mech/regression.c has them. */
static void set_weights(dpd_regression_plane *m)
{
  int above = m->spec.above, below = m->spec.below, heavier = above > below ? above : below;
  m->up = m->spec.shifted ? above + below : above;
  m->down = m->spec.shifted ? above + below : below;
  m->shift = m->spec.shifted ? above - below : 0;
  m->base[0] = m->spec.shifted ? (int64_t)m->spec.n * (heavier - below) : 0;
  m->base[1] = m->spec.shifted ? (int64_t)m->spec.n * (heavier - above) : 0;
}

static dpd_status open_tree(dpd_regression_plane *m)
{
  const dpd_lattice *l = &m->lattice;
  const int heavy = dpd_regression_sensitivity(&m->spec);
  double points = (l->hi[0] - l->lo[0] + 1) * (l->hi[1] - l->lo[1] + 1);
  dpd_rejection_spec spec = {
      .target = {.ctx = m, .at_least = target_at_least, .part = target_part, .pick = target_pick},
      .eps = {m->spec.eps.num / (uint64_t)heavy}, /* for a unit of the score, rounded down */
      .max_nodes = MAX_NODES,
      .root = {log(points), bound_prior(m, l->lo, l->hi), heavy * m->spec.n}};
  m->half_rate = ldexp((double)spec.eps.num, -DPD_RATE_BITS - 1);
  m->nodes_room = 64;
  m->node = m->alloc((size_t)m->nodes_room, sizeof *m->node);
  m->node[0] = (dpd_plane_node){-1, 0, DPD_PLANE_ON, -1, 0};
  return dpd_rejection_open(&m->tree, &spec, m->alloc);
}

dpd_status dpd_regression_plane_open(dpd_regression_plane **out, const dpd_regression_spec *spec,
                                     dpd_alloc alloc)
{
  dpd_regression_plane *m = alloc(1, sizeof *m);
  *out = m;
  memset(m, 0, sizeof *m);
  m->spec = *spec;
  m->alloc = alloc;
  set_weights(m);
  DPD_TRY(dpd_regression_set_lattice(&m->lattice, spec->prior, alloc));
  if (spec->prior.dyadic) {
    m->mass = alloc(1, sizeof *m->mass);
    dpd_mass_open(m->mass, alloc);
    dpd_mass_set(m->mass, &m->lattice, 0);
  }
  dpd_plane_set_rows(m);
  dpd_plane_set_all(m);
  return open_tree(m);
}

dpd_status dpd_regression_plane_draw(dpd_regression_plane *m, dpd_rng *rng, double *theta)
{
  double z[2], rounds = 1 + BLOCK_WORK / (16.0 * (double)m->rows);
  DPD_TRY(dpd_rejection_draw(m->tree, rng, rounds < BLOCK_ROUNDS ? (int)rounds : BLOCK_ROUNDS, z));
  for (int j = 0; j < 2; j++)
    theta[j] = dpd_lattice_value(&m->lattice, j, z[j]);
  return DPD_OK;
}

int dpd_regression_plane_score(dpd_regression_plane *m, const double *z)
{
  return (int)dpd_plane_score(m, &m->all, z);
}

void dpd_regression_plane_counts(const dpd_regression_plane *m, double out[3])
{
  int nodes;
  dpd_rejection_counts(m->tree, out, out + 1, &nodes);
  out[2] = nodes;
}
