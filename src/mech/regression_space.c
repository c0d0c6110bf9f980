/* regression_space.c - private fits of three coefficients, drawn by cuts along the rows.
 *
 * METHOD: see mech/regression.c for the score. Rows are pairs of halfspaces of whole numbers
 *   (mech/regression_space_rows.c), the fits lattice points of space. The sampler's leaves are sets
 *   of lattice points with the signs that the path to the root names: a leaf is cut by a row, into
 *   the fits that the row lies above, on and below, or halved along a side of its box. So leaves
 *   partition the support. A leaf weighs the points of an oblique box that is proved to hold its
 *   own (geom/lattice_frame.h) times the bounds of score and prior; a point of the box is proposed,
 *   and refused where a sign on the path differs.
 * COST: leaves are cells of the arrangement of 2 m planes, m different rows, or sums of such. A cut
 *   is O(m) times the corners of its hulls, m the rows that are undecided there.
 * DEGENERATE: a leaf over which no row is undecided has one score; it is halved where its box is
 *   sparse. A box of one point has its own score, or no weight.
 * REFERENCE: Rousseeuw and Hubert (1999), Regression depth; McSherry and Talwar (2007).
 */
#include "mech/regression_space.h"

#include <math.h>
#include <string.h>

#include "mech/regression_space_state.h"
#include "mech/regression_state.h"
#include "samp/rng.h"

enum {
  BLOCK_ROUNDS = 16, /* proposals between two looks for an interrupt, at most */
  NEAR = 8,          /* directions that are asked of the leaf's own rows */
  MORE = 32          /* directions that are asked after one that refused */
};
#define BLOCK_WORK 1e7

static dpd_status target_pick(void *ctx, dpd_rng *rng, int leaf, double *z, double *log_prior)
{
  dpd_regression_space *m = ctx;
  const dpd_lattice_frame *f = &dpd_space_node_at(m, leaf)->frame;
  double w[3];
  for (int j = 0; j < 3; j++) {
    uint64_t at;
    DPD_TRY(dpd_rng_below(rng, (uint64_t)(f->hi[j] - f->lo[j]) + 1, &at));
    w[j] = f->lo[j] + (double)at;
  }
  dpd_lattice_frame_point(f, w, z);
  m->picked = leaf;
  m->refuter = -1;
  *log_prior = dpd_space_holds(m, leaf, z) ? dpd_leaf_prior_log(&m->prior, z) : -INFINITY;
  return DPD_OK;
}

/* The direction that is noted has the least weight of some that are asked when one has refused. */
static bool target_at_least(void *ctx, const double *z, int t)
{
  dpd_regression_space *m = ctx;
  int64_t sum[2], least = INT64_MAX;
  int best = 0, most = m->spec.count;
  if (t <= 0) return true;
  dpd_space_set *s = dpd_space_serving(m, m->picked);
  dpd_space_terms_at(m, s, z, sum);
  for (int u = 0; u < most; u++) {
    if (u == NEAR && s != &m->all) {
      s = &m->all;
      dpd_space_terms_at(m, s, z, sum);
    }
    int64_t weight = dpd_space_weight(m, s, m->first[u], sum);
    if (weight >= least) continue;
    least = weight;
    best = u;
    if (weight < t && most > u + MORE) most = u + MORE;
  }
  if (least >= t) return true;
  /* it is asked first next time */
  m->refuter = m->first[best];
  memmove(m->first + 1, m->first, (size_t)best * sizeof *m->first);
  m->first[0] = m->refuter;
  return false;
}

static dpd_status open_tree(dpd_regression_space *m)
{
  const dpd_lattice *l = &m->prior.lattice;
  const int heavy = dpd_regression_sensitivity(&m->spec);
  m->half_rate = ldexp((double)(m->spec.eps.num / (uint64_t)heavy), -DPD_RATE_BITS - 1);
  m->block[0] = m->alloc(DPD_SPACE_NODES, sizeof **m->block);
  *dpd_space_node_at(m, 0) = (dpd_space_node){
      .parent = -1, .sign = DPD_SPACE_ANY, .set = -1, .undecided = -1, .note = {-1, -1, -1, -1}};
  dpd_lattice_frame_set_box(&dpd_space_node_at(m, 0)->frame, l->lo, l->hi);
  dpd_rejection_spec spec = {.target = {.ctx = m,
                                        .at_least = target_at_least,
                                        .part = dpd_space_part,
                                        .pick = target_pick},
                             .eps = {m->spec.eps.num / (uint64_t)heavy}, /* of a unit */
                             .max_nodes = DPD_SPACE_NODES_MOST,
                             .root = {dpd_lattice_frame_log_count(&dpd_space_node_at(m, 0)->frame),
                                      dpd_leaf_prior_bound(&m->prior, l->lo, l->hi),
                                      heavy * m->spec.n}};
  return dpd_rejection_open(&m->tree, &spec, m->alloc);
}

dpd_status dpd_regression_space_open(dpd_regression_space **out, const dpd_regression_spec *spec,
                                     dpd_alloc alloc)
{
  dpd_regression_space *m = alloc(1, sizeof *m);
  *out = m;
  memset(m, 0, sizeof *m);
  m->spec = *spec;
  m->alloc = alloc;
  m->weights = dpd_regression_weigh(spec);
  m->refuter = -1;
  DPD_TRY(dpd_leaf_prior_open(&m->prior, spec->prior, alloc));
  m->first = alloc((size_t)spec->count, sizeof *m->first);
  for (int u = 0; u < spec->count; u++)
    m->first[u] = u;
  m->value = alloc((size_t)DPD_HULL_CORNERS * 2 * DPD_SPACE_THIN, sizeof *m->value);
  m->half = alloc((size_t)2 * DPD_SPACE_THIN, sizeof *m->half);
  dpd_space_set_rows(m);
  dpd_space_set_all(m);
  return open_tree(m);
}

dpd_status dpd_regression_space_draw(dpd_regression_space *m, dpd_rng *rng, double *theta)
{
  double z[3], work = 1 + BLOCK_WORK / (100.0 * (double)m->rows);
  const int rounds = work < BLOCK_ROUNDS ? (int)work : BLOCK_ROUNDS;
  DPD_TRY(dpd_rejection_draw(m->tree, rng, rounds, z));
  for (int j = 0; j < 3; j++)
    theta[j] = dpd_lattice_value(&m->prior.lattice, j, z[j]);
  return DPD_OK;
}

int dpd_regression_space_score(dpd_regression_space *m, const double *z)
{
  return (int)dpd_space_score(m, z);
}

void dpd_regression_space_counts(const dpd_regression_space *m, double out[3])
{
  int nodes;
  dpd_rejection_counts(m->tree, out, out + 1, &nodes);
  out[2] = nodes;
}
