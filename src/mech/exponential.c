/* exponential.c - the exponential mechanism over halfspace depth: a private median.
 *
 * METHOD: rows and candidates live on the public lattice of num/lattice; the score is the
 *   integer depth count h of the lattice rows, exact or directional, which one replaced row
 *   moves by at most one. Density proportional to prior(x) exp(eps h(x) / 2): pure eps-DP.
 *   samp/adaptive_rejection draws from it exactly; in the plane, where that takes long, polygons
 *   whose lattice points are counted do (mech/exponential_regions.c). The tree's boxes live in
 *   sheared coordinates (geom/shear), and a box's depth bound comes from order statistics of
 *   projections (mech/exponential_bound.c).
 *   Only ranks that can carry weight are kept (mech/exponential_window.c); outside them bounds are
 *   weaker and a score is read off the rows, so the exact distribution does not depend on the
 *   choice.
 *   The chain counts depths below the window as its lowest rank less one: with the window's
 *   margin, a change of less than exp(-WINDOW_MARGIN) of the mass.
 *   Of projections alone (`along`) the window is filled with their order statistics, and counts are
 *   theirs: the distribution is that of rows that have them. There is no sample of rows to fit a
 *   frame to. Of a tally the lattice rows are its entries. All that is read of them is counts,
 *   order statistics and rows of given ranks, those of the rows written out entry by entry: the
 *   same bits.
 * COST: O(count n d) to prepare, and two doubles per direction and rank; a proposal O(count d). Of
 *   a tally n is the number of entries, sorted along each direction.
 * DEGENERATE: ties are exact, as lattice rows are integers. Where a twentieth of the rows agree in
 *   a coordinate, boxes are cut across all sides at once; which frame constant columns or rows in a
 *   plane get is a matter of speed. Rows beyond the lattice stand at its border.
 * REFERENCE: McSherry and Talwar (2007); Ramsay, Jagannath and Chenouri (2022), section 2.
 */
#include "mech/exponential.h"

#include <math.h>
#include <string.h>

#include "depth/halfspace.h"
#include "mech/exponential_state.h"
#include "median/deep_point.h" /* for the size of its workspace */
#include "num/directions.h"
#include "num/rank_fill.h"
#include "num/sort.h"
#include "samp/rng.h"

enum {
  MAX_NODES = 1 << 20, /* tree size, about 150 bytes each */
  BLOCK_ROUNDS = 256,  /* proposals between two looks for an interrupt, at most */
  REFIT_AFTER = 3000,  /* refused proposals after which the boxes' frame is fitted to the target, */
  COUNT_AFTER = 500,   /* or in the plane the points of regions are counted */
  ROWS_A_ROUND = 20, /* a proposal costs as much as looking at so many rows, but for exact scores */
  MAX_CUTS = 2000,   /* directions added on the way */
  CLAMP_BITS_LINE = 50,
  CLAMP_BITS_SPACE = 24 /* exact spatial depth: see depth/halfspace.h */
};

/* Numbers looked at between two looks for an interrupt: about a tenth of a second. */
static const double BLOCK_WORK = 5e7;

static int clamp_bits(int d, bool exact_depth)
{
  if (d == 1) return CLAMP_BITS_LINE;
  if (exact_depth && d == 3) return CLAMP_BITS_SPACE;
  return dpd_direction_index_bits(d);
}

static void set_rows(dpd_exponential *m, double *rows)
{
  int n = dpd_tally_size(m->spec.tally, m->spec.n), d = m->spec.d;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < d; j++)
      rows[(size_t)i * (size_t)d + (size_t)j] =
          dpd_lattice_index(&m->lattice, j, m->spec.data[(size_t)i + (size_t)j * (size_t)n]);
}

/* Directions in units of the prior's scale, as forms of lattice indexes. */
static void set_directions(dpd_exponential *m)
{
  int count = m->spec.count, d = m->spec.d;
  bool whole = m->spec.along != NULL;
  for (int u = 0; u < count; u++) {
    double *a = m->dirs + (size_t)u * (size_t)d;
    for (int j = 0; j < d; j++)
      a[j] =
          m->spec.dirs[(size_t)u + (size_t)j * (size_t)count] / (whole ? 1 : m->lattice.scale[j]);
    if (!whole) dpd_direction_round(a, d);
  }
}

static dpd_status open_tree(dpd_exponential *m, dpd_alloc alloc)
{
  size_t d = (size_t)m->spec.d;
  double *lo = alloc(2 * d, sizeof *lo), *hi = lo + d;
  dpd_shear_cover(&m->shear, m->lattice.lo, m->lattice.hi, lo, hi);
  dpd_rejection_spec spec = {.target = dpd_exponential_target(m),
                             .d = m->spec.d,
                             .lo = lo,
                             .hi = hi,
                             .unit = m->shear.unit,
                             .cap = m->spec.n,
                             .eps = m->spec.eps,
                             .max_nodes = MAX_NODES};
  DPD_TRY(dpd_rejection_open(&m->tree, &spec, alloc));
  if (m->effort.atoms) dpd_rejection_impatient(m->tree);
  dpd_exponential_levels_carve(m, m->tree);
  return DPD_OK;
}

/* Memory whose size depends on the directions and rows alone. */
static void allocate(dpd_exponential *m, dpd_alloc alloc)
{
  size_t d = (size_t)m->spec.d, room = (size_t)m->projected.room;
  m->dirs = alloc(room * d, sizeof *m->dirs);
  size_t work = dpd_rank_window_work(&m->projected) * (size_t)m->spec.threads * sizeof *m->work,
         start = dpd_deep_point_scratch(&m->projected);
  m->work = alloc(work > start ? work : start, 1);
  m->z = alloc(3 * d, sizeof *m->z);
  m->w = m->z + d;
  m->deep.start = m->w + d;
  dpd_exponential_bound_open(m);
}

dpd_status dpd_exponential_open(dpd_exponential **out, const dpd_exponential_spec *spec,
                                dpd_alloc alloc)
{
  size_t d = (size_t)spec->d;
  dpd_exponential *m = alloc(1, sizeof *m);
  *out = m;
  memset(m, 0, sizeof *m);
  m->spec = *spec;
  m->alloc = alloc;
  if (m->spec.threads > spec->count) m->spec.threads = spec->count;
  DPD_TRY(
      dpd_lattice_open(&m->lattice, spec->prior, clamp_bits(spec->d, spec->exact_depth), alloc));
  double *rows = NULL;
  if (spec->along == NULL)
    rows = alloc((size_t)dpd_tally_size(spec->tally, spec->n) * d, sizeof *rows);
  m->beyond = spec->exact_depth && spec->d > 1;
  int cuts = m->beyond ? MAX_CUTS : 0;
  m->projected = (dpd_projected){spec->n, spec->d, spec->count, spec->count + cuts,
                                 rows,    NULL,    spec->tally, spec->along};
  allocate(m, alloc);
  m->projected.dirs = m->dirs;
  if (rows != NULL) set_rows(m, rows);
  set_directions(m);
  if (m->beyond) dpd_exponential_exact_open(m);
  m->effort.counts = m->beyond && spec->d == 2 && spec->along == NULL;
  m->window.from = &m->projected;
  dpd_exponential_polytope_open(m);
  dpd_exponential_levels_open(m);
  dpd_exponential_window(m, alloc);
  dpd_exponential_frame_fit(m);
  if (!spec->chain) return open_tree(m, alloc);
  dpd_exponential_chain_open(m);
  return DPD_OK;
}

/* After many refusals, but in the plane: once, a tree in a frame that is fitted to the target. */
static dpd_status refit_frame(dpd_exponential *m)
{
  bool plane = m->beyond && m->spec.d == 2;
  if (plane || m->effort.refitted || m->effort.refused <= REFIT_AFTER) return DPD_OK;
  m->effort.refitted = true;
  if (m->spec.d == 1 || m->window.stride > 1) return DPD_OK;
  DPD_TRY(dpd_exponential_frame_refit(m));
  return open_tree(m, m->alloc);
}

/* In the plane polygons around the regions take the tree's place when as much was spent on it. */
static dpd_status count_regions(dpd_exponential *m)
{
  if (!m->effort.counts || m->effort.counted || m->effort.refused <= COUNT_AFTER) return DPD_OK;
  double most = sqrt(m->effort.looked + ROWS_A_ROUND * m->effort.refused);
  return dpd_exponential_regions_open(m, most, &m->effort.counted);
}

dpd_status dpd_exponential_draw(dpd_exponential *m, dpd_rng *rng, double *x)
{
  double n = m->spec.n, work = 2.0 * m->projected.count * m->spec.d;
  if (m->beyond) work += m->spec.d == 2 ? 100 * n : 20 * n * n;
  int rounds = (int)fmin(BLOCK_ROUNDS, 1 + BLOCK_WORK / work);
  DPD_TRY(count_regions(m));
  if (!m->effort.counted) DPD_TRY(refit_frame(m));
  if (m->effort.counted) {
    DPD_TRY(dpd_exponential_regions_draw(m, rng, rounds, m->z));
  } else {
    dpd_status status = dpd_rejection_draw(m->tree, rng, rounds, m->w);
    if (status == DPD_AGAIN) m->effort.refused += rounds;
    DPD_TRY(status);
    dpd_shear_point(&m->shear, m->w, m->z);
  }
  for (int j = 0; j < m->spec.d; j++)
    x[j] = dpd_lattice_value(&m->lattice, j, m->z[j]);
  return DPD_OK;
}

void dpd_exponential_counts(const dpd_exponential *m, double out[3])
{
  int nodes;
  dpd_rejection_counts(m->tree, out, out + 1, &nodes);
  out[2] = nodes;
}

dpd_status dpd_exponential_steps(dpd_prior prior, bool exact_depth, double *step, dpd_alloc alloc)
{
  dpd_lattice lattice;
  DPD_TRY(dpd_lattice_open(&lattice, prior, clamp_bits(prior.d, exact_depth), alloc));
  memcpy(step, lattice.step, (size_t)prior.d * sizeof *step);
  return DPD_OK;
}

dpd_status dpd_exponential_indexes(dpd_prior prior, double *origin, double *clamp, dpd_alloc alloc)
{
  dpd_lattice lattice;
  DPD_TRY(dpd_lattice_open(&lattice, prior, clamp_bits(prior.d, false), alloc));
  memcpy(origin, lattice.origin, (size_t)prior.d * sizeof *origin);
  *clamp = lattice.clamp;
  return DPD_OK;
}
