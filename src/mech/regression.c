/* regression.c - the exponential mechanism over regression depth: a private regression.
 *
 * METHOD: h(theta) = min over directions w of the weight of the rows with r_i (w'X_i) >= 0,
 *   X_i = (1, x_i), w = +-(-v, u), u among the public directions and v between two computed values
 * of u'x_i, or beyond all of them. With the rows in the order of u'x_i, P_i = [r_i >= -e_i], N_i =
 * [r_i <= e_i], e_i the public tolerance of the row (mech/regression_rows.c), and D_s the sum of
 * above P_i - below N_i over the first s rows, the two signs of w weigh above sum P - D_s   and
 * below sum N + D_s, so a direction costs one pass. Splits lie between different values only: tied
 * rows stay together. For one regressor, equal weights and no tolerance this
 * is regression depth (Rousseeuw and Hubert, 1999). Without an intercept (`origin`) v = 0 alone:
 * the one split is at u'x = 0, and rows there weigh the larger of what both sides weigh.
 * A replaced row moves the weight along every w
 * by at most S = max(above, below), and so h: the signs are those of the computed residuals, each a
 * fixed function of one row and theta. samp/adaptive_rejection draws from exp(eps h / (2 S))
 * prior exactly, in sheared coordinates (geom/shear). Bound of a box: the range of each
 * f_i over it, widened by all rounding, gives P_i <= [y_i + e_i >= least f_i] and
 * N_i <= [y_i - e_i <= most f_i]; the score is increasing in both. A few directions do
 * (mech/regression_directions.c); pairs of rows that cannot both count make it less
 * (mech/regression_pairs.c). A single point is scored itself.
 * A box is cut across the axis along which the rows that are undecided over it vary most.
 * COST: open O(count n log n); a bound O(n k), a score O(n (k + count)); memory O(n (2 k + count)).
 * Of a tally n is the number of entries: an entry's moves count as often as it stands there, and
 * what is looked at of the rows for speed are rows of given ranks, so that bits are those of rows.
 * DEGENERATE: ties in x are one split less; fewer than two values of x leave w = +-(1, 0), the
 * univariate depth of the residuals; rows on the fit, which are those within `tie` steps of all
 * coordinates, count on both sides.
 * REFERENCE: Rousseeuw and Hubert (1999), Regression depth; McSherry and Talwar (2007).
 */
#include "mech/regression.h"

#include <math.h>
#include <string.h>

#include "mech/regression_state.h"

enum {
  MAX_NODES = 1 << 20, /* of the tree; of five coordinates and more */
  MAX_NODES_WIDE = 1 << 21,
  WIDE = 5,
  PAIRS_FROM = 4,     /* coordinates of which pairs of rows are worth their time */
  BLOCK_ROUNDS = 256, /* proposals between two looks for an interrupt, at most */
  MIN_AIMED = 3       /* coefficients with which directions are chosen by a deep fit */
};
/* Rows and directions looked at between two looks for an interrupt: about a tenth of a second. */
static const double BLOCK_WORK = 5e7;
/* The score at a point of index w (sheared) and z. */
static int score_at(dpd_regression *m, const double *w, const double *z)
{
  dpd_active_rows *a = w == NULL ? &m->all : dpd_regression_active(m, w, w);
  int64_t sum[2], min = INT64_MAX;
  dpd_regression_terms_point(m, a, z, sum);
  for (int u = 0; u < m->spec.count; u++) {
    int64_t weight = dpd_regression_weight(m, a, u, sum);
    if (weight < min) min = weight;
  }
  return (int)min;
}

int dpd_regression_score(dpd_regression *m, const double *z)
{
  return score_at(m, NULL, z);
}

int dpd_regression_sensitivity(const dpd_regression_spec *spec)
{
  int heavier = spec->above > spec->below ? spec->above : spec->below;
  return spec->shifted ? 2 * heavier : heavier;
}

/* Shifted: a row on the side of w'X > 0 weighs (above + below) [r >= 0] - below, on the other
 * (above + below) [r <= 0] - above: what it weighs less what it is expected to at the quantile. So
 * terms are larger by above - below, and both sides' weights lack a multiple of n; n times the
 * heavier weight is added, so that none is below 0. */
dpd_regression_weights dpd_regression_weigh(const dpd_regression_spec *spec)
{
  int above = spec->above, below = spec->below, heavier = above > below ? above : below;
  dpd_regression_weights w = {.up = above, .down = below};
  if (spec->shifted) {
    w.up = w.down = above + below;
    w.shift = above - below;
    w.base[0] = (int64_t)spec->n * (heavier - below);
    w.base[1] = (int64_t)spec->n * (heavier - above);
  }
  return w;
}

static bool one_point(const dpd_regression *m, const double *lo, const double *hi)
{
  for (int j = 0; j < m->spec.k; j++)
    if (lo[j] < hi[j]) return false;
  return true;
}

static bool target_bound(void *ctx, const double *lo, const double *hi, int cap, int *score,
                         double *log_prior)
{
  dpd_regression *m = ctx;
  int k = m->spec.k;
  if (one_point(m, lo, hi)) {
    dpd_regression_point(m, lo, m->z);
    if (!dpd_regression_prior_at(m, m->z, log_prior)) return false;
    *score = score_at(m, lo, m->z);
    return true;
  }
  dpd_shear_forms extent = {m->extent, m->extent + k * k, k, (size_t)k};
  dpd_shear_ranges(&m->shear, &extent, lo, hi, m->lo, m->hi);
  if (m->mass != NULL) {
    if (!dpd_regression_bound_mass(m, lo, hi, log_prior)) return false;
  } else if (!dpd_lattice_bound_prior(&m->lattice, m->lo, m->hi, log_prior)) {
    return false;
  }
  dpd_active_rows *a = dpd_regression_active(m, lo, hi);
  int64_t sum[2];
  m->asked++;
  m->deepest += m->levels > 0 && a == m->level + m->levels - 1;
  dpd_regression_terms_box(m, a, lo, hi, sum);
  int64_t bound = dpd_regression_min_weight(m, a, lo, hi, sum);
  if (k >= PAIRS_FROM) bound -= dpd_regression_conflicts(m, a, lo, hi, sum, bound);
  m->note.axis = dpd_regression_widest(m, a, lo, hi);
  *score = bound < cap ? (int)bound : cap;
  return true;
}

bool dpd_regression_bound(dpd_regression *m, const double *lo, const double *hi, int *score)
{
  double log_prior;
  return target_bound(m, lo, hi, dpd_regression_sensitivity(&m->spec) * m->spec.n, score,
                      &log_prior);
}

static bool target_log_prior(void *ctx, const double *w, double *out)
{
  dpd_regression *m = ctx;
  dpd_regression_point(m, w, m->z);
  return dpd_regression_prior_at(m, m->z, out);
}

static bool target_at_least(void *ctx, const double *w, int t)
{
  dpd_regression *m = ctx;
  dpd_regression_follow_proposals(m, w);
  if (t <= 0) return true;
  dpd_regression_point(m, w, m->z);
  return dpd_regression_at_least(m, dpd_regression_active(m, w, w), m->z, t);
}

static void allocate(dpd_regression *m, dpd_alloc alloc)
{
  size_t k = (size_t)m->spec.k, count = (size_t)m->spec.count;
  dpd_active_rows_open(&m->all, NULL, (int)dpd_regression_entries(m), m);
  m->all.size = m->all.room;
  m->all.count = m->spec.tally != NULL ? m->spec.tally->count : NULL;
  m->unit = alloc(k, sizeof *m->unit);
  m->axis = alloc(k, sizeof *m->axis);
  m->heavy = alloc(k, sizeof *m->heavy);
  m->sheared = alloc(2 * k, sizeof *m->sheared);
  m->extent = alloc(k * (k + 3), sizeof *m->extent);
  m->min = alloc(3 * DPD_REGRESSION_BLOCK, sizeof *m->min);
  m->max = m->min + DPD_REGRESSION_BLOCK;
  m->slack = m->max + DPD_REGRESSION_BLOCK;
  m->lo = alloc((5 + DPD_REGRESSION_RECENT) * k, sizeof *m->lo);
  m->hi = m->lo + k;
  m->z = m->hi + k;
  m->theta = m->z + k;
  m->w = m->theta + k;
  m->recent = m->w + k;
  m->tied = alloc(count, sizeof *m->tied);
  m->first = alloc(count, sizeof *m->first);
  for (int u = 0; u < m->spec.count; u++)
    m->first[u] = u;
}

/* The coordinates of z as forms of w, for the prior over a box. */
static void set_extent(dpd_regression *m)
{
  size_t k = (size_t)m->spec.k;
  for (size_t j = 0; j < k; j++) {
    double size[3];
    for (size_t i = 0; i < k; i++)
      m->z[i] = i == j;
    dpd_regression_form(m, m->z, m->theta, size);
    for (size_t i = 0; i < k; i++)
      m->extent[j + i * k] = m->theta[i];
    for (size_t i = 0; i < 3; i++)
      m->extent[j + (k + i) * k] = size[i];
  }
}

/* A tree of one box in the frame that the shear gives. */
dpd_status dpd_regression_begin_tree(dpd_regression *m)
{
  size_t k = (size_t)m->spec.k;
  int heavy = dpd_regression_sensitivity(&m->spec);
  bool dyadic = m->mass != NULL;
  double *lo = m->alloc(2 * k, sizeof *lo), *hi = lo + k;
  dpd_rejection_spec spec = {.target = {.ctx = m,
                                        .bound = target_bound,
                                        .log_prior = target_log_prior,
                                        .at_least = target_at_least,
                                        .note = &m->note,
                                        .propose = dyadic ? dpd_regression_propose : NULL,
                                        .cut = dyadic ? dpd_regression_cut : NULL},
                             .d = m->spec.k,
                             .lo = lo,
                             .hi = hi,
                             .unit = m->shear.unit,
                             .cap = heavy * m->spec.n,
                             .max_nodes = m->spec.k < WIDE ? MAX_NODES : MAX_NODES_WIDE};
  spec.eps.num = m->spec.eps.num / (uint64_t)heavy; /* for a unit of the score, rounded down */
  set_extent(m);
  dpd_regression_set_forms(m);
  m->levels = 0;
  m->proposals = 0;
  m->asked = m->deepest = 0;
  m->note = (dpd_rejection_note){{-1, -1, -1, -1}, -1};
  m->deep = NULL;
  m->aimed = false;
  dpd_regression_cover(m, lo, hi);
  if (m->tree == NULL)
    DPD_TRY(dpd_rejection_open(&m->tree, &spec, m->alloc));
  else
    DPD_TRY(dpd_rejection_reopen(m->tree, &spec));
  if (m->heavy_count > 0) dpd_rejection_impatient(m->tree);
  return DPD_OK;
}

dpd_status dpd_regression_open(dpd_regression **out, const dpd_regression_spec *spec,
                               dpd_alloc alloc)
{
  dpd_regression *m = alloc(1, sizeof *m);
  *out = m;
  memset(m, 0, sizeof *m);
  m->spec = *spec;
  m->alloc = alloc;
  m->weights = dpd_regression_weigh(&m->spec);
  DPD_TRY(dpd_regression_set_lattice(&m->lattice, spec->prior, alloc));
  if (spec->prior.dyadic) dpd_regression_set_mass(m, alloc);
  allocate(m, alloc);
  dpd_regression_set_units(m);
  dpd_regression_set_orders(m, alloc);
  dpd_regression_set_frame(m, DPD_FRAME_IN_ORDER, alloc);
  return dpd_regression_begin_tree(m);
}

dpd_status dpd_regression_draw(dpd_regression *m, dpd_rng *rng, double *theta)
{
  return dpd_regression_try(m, rng, BLOCK_ROUNDS, theta);
}

dpd_status dpd_regression_try(dpd_regression *m, dpd_rng *rng, int most, double *theta)
{
  double work = (double)m->spec.n * (2 * m->spec.k + m->spec.count);
  int rounds = work * BLOCK_ROUNDS > BLOCK_WORK ? 1 + (int)(BLOCK_WORK / work) : BLOCK_ROUNDS;
  if (most < rounds) rounds = most;
  if (!m->aimed && m->spec.k >= MIN_AIMED) dpd_regression_aim(m);
  m->aimed = true;
  DPD_TRY(dpd_rejection_draw(m->tree, rng, rounds, m->w));
  dpd_regression_point(m, m->w, m->z);
  for (int j = 0; j < m->spec.k; j++)
    theta[j] = dpd_lattice_value(&m->lattice, j, m->z[j]);
  return DPD_OK;
}

double dpd_regression_nodes(const dpd_regression *m)
{
  return m->tree->nodes;
}

void dpd_regression_counts(const dpd_regression *m, double out[3])
{
  int nodes;
  dpd_rejection_counts(m->tree, out, out + 1, &nodes);
  out[2] = nodes;
}

dpd_status dpd_regression_steps(dpd_prior prior, double *step, double *lo, double *hi,
                                dpd_alloc alloc)
{
  dpd_lattice lattice;
  DPD_TRY(dpd_regression_set_lattice(&lattice, prior, alloc));
  size_t bytes = (size_t)prior.d * sizeof *step;
  memcpy(step, lattice.step, bytes);
  memcpy(lo, lattice.lo, bytes);
  memcpy(hi, lattice.hi, bytes);
  return DPD_OK;
}
