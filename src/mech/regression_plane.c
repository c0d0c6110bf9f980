/* regression_plane.c - private lines by the exponential mechanism over regression depth.
 *
 * METHOD: see mech/regression.c for the score. Rows are pairs of halfplanes of whole numbers
 *   (mech/regression_plane_rows.c), the fits lattice points of the plane. The sampler's leaves are
 *   convex polygons: a leaf is cut by a row, into the fits that the row lies above, on and below,
 *   or, where that decides few rows or a prior is not uniform, along an axis. So a leaf is the set
 *   of lattice points with the signs that its path to the root names; these are counted and drawn
 *   exactly (plane/lattice_polygon.c), and leaves partition the support. The bound of a leaf's
 *   scores is that of mech/regression_plane_sets.c, of its prior density that over the box around
 *   it. The leaf that refused is cut by the best of a few rows that are undecided over it: those
 *   nearest to its middle, and some at random; the best leaves the least sum of weights. Which row
 *   it is depends on the data and steers speed only. Boxes that are halved along axes cannot follow
 *   a cell that is thin and oblique; rows bound it.
 * COST: leaves are cells of the arrangement of 2 m lines, m different rows, sums of such, or
 *   halves: O(m^2) cells at worst. A cut is O(m) times the corners of its polygons, m the rows that
 *   are undecided there.
 * DEGENERATE: a leaf over which no row is undecided has one score, and is cut no more but along
 *   an axis; one of no point has no weight. Lines that cross at one point, parallel and equal
 *   lines and lattices of few points need nothing: all signs and counts are exact.
 * REFERENCE: Rousseeuw and Hubert (1999), Regression depth; McSherry and Talwar (2007).
 */
#include "mech/regression_plane.h"

#include <math.h>
#include <string.h>

#include "mech/regression_plane_state.h"
#include "mech/regression_state.h"
#include "samp/rng.h"

enum {
  MAX_NODES = 3 << 19, /* of the tree */
  BLOCK_ROUNDS = 256   /* proposals between two looks for an interrupt, at most */
};
#define BLOCK_WORK 2e7

static dpd_status target_pick(void *ctx, dpd_rng *rng, int leaf, double *z, double *log_prior)
{
  dpd_regression_plane *m = ctx;
  dpd_u128 index;
  int64_t at[2] = {0, 0};
  dpd_plane_bound_node(m, leaf);
  DPD_TRY(dpd_lattice_polygon_fill(&m->polygon, &m->bounds, m->work));
  DPD_TRY(dpd_rng_below_u128(rng, m->polygon.total, &index));
  dpd_lattice_polygon_pick(&m->polygon, index, at);
  z[0] = (double)at[0];
  z[1] = (double)at[1];
  *log_prior = dpd_leaf_prior_log(&m->prior, z);
  m->picked = leaf;
  return DPD_OK;
}

static bool target_at_least(void *ctx, const double *z, int t)
{
  dpd_regression_plane *m = ctx;
  return t <= 0 || dpd_plane_score(m, dpd_plane_serving(m, m->picked), z) >= t;
}

static dpd_status open_tree(dpd_regression_plane *m)
{
  const dpd_lattice *l = &m->prior.lattice;
  const int heavy = dpd_regression_sensitivity(&m->spec);
  double points = (l->hi[0] - l->lo[0] + 1) * (l->hi[1] - l->lo[1] + 1);
  dpd_rejection_spec spec = {
      .target = {.ctx = m,
                 .at_least = target_at_least,
                 .part = dpd_plane_part,
                 .pick = target_pick},
      .eps = {m->spec.eps.num / (uint64_t)heavy}, /* for a unit of the score, rounded down */
      .max_nodes = MAX_NODES,
      .root = {log(points), dpd_leaf_prior_bound(&m->prior, l->lo, l->hi), heavy * m->spec.n}};
  m->half_rate = ldexp((double)spec.eps.num, -DPD_RATE_BITS - 1);
  m->nodes_room = 64;
  m->node = m->alloc((size_t)m->nodes_room, sizeof *m->node);
  m->node[0] = (dpd_plane_node){-1, 0, DPD_PLANE_ON, -1, 0, 0};
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
  m->weights = dpd_regression_weigh(spec);
  DPD_TRY(dpd_leaf_prior_open(&m->prior, spec->prior, alloc));
  dpd_plane_set_rows(m);
  dpd_plane_set_all(m);
  return open_tree(m);
}

void dpd_regression_plane_close(dpd_regression_plane *m)
{
  if (m != NULL) dpd_lattice_polygon_close(&m->polygon);
}

dpd_status dpd_regression_plane_draw(dpd_regression_plane *m, dpd_rng *rng, double *theta)
{
  double z[2], rounds = 1 + BLOCK_WORK / (16.0 * (double)m->rows);
  DPD_TRY(dpd_rejection_draw(m->tree, rng, rounds < BLOCK_ROUNDS ? (int)rounds : BLOCK_ROUNDS, z));
  for (int j = 0; j < 2; j++)
    theta[j] = dpd_lattice_value(&m->prior.lattice, j, z[j]);
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
