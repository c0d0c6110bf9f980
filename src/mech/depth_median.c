/* depth_median.c - the exponential mechanism over simplicial, spatial and integrated depths.
 *
 * METHOD: rows and candidates live on the public lattice of num/lattice. A depth is an integer
 *   score S >= 0 that one replaced row moves by at most D at every point (mech/depth_score.h). The
 *   tree of samp/adaptive_rejection takes h = floor(2^k S / D): |S - S'| <= D makes 2^k S / D and
 *   2^k S' / D differ by at most 2^k, a whole number, and so their floors. Density proportional to
 *   prior exp(eps h / 2^(k + 1)), the rate eps / 2^k rounded down: pure eps-DP. k is the largest up
 *   to PARTS_BITS for which h fits an int, 0 where D = 1; what the floor takes off h is less than
 *   one part. Where n is private S / D is n times the depth, k is PRIVATE_BITS, and h is cut off.
 *   Depths of public points are these scores, to which the caller adds noise.
 *   For speed only, simplicial depth's boxes in the plane live in sheared coordinates (geom/shear)
 *   that are fitted to the rows: it is affine invariant. The other depths look the same along all
 *   directions in public units, however thin the rows lie, and so do their boxes.
 * COST: O(n d) to open, besides what the score's head says; a proposal costs a score, one that is
 *   refused the bounds of a cut. Memory: n d doubles, 2 count d for the directions, the tree.
 * DEGENERATE: tied rows, rows in a plane and constant columns are exact, as lattice rows are
 *   integers; rows beyond the lattice stand at its border. Rate 0: scores only, no tree.
 * REFERENCE: McSherry and Talwar (2007); Ramsay, Jagannath and Chenouri (2022), section 2.
 */
#include <math.h>
#include <string.h>

#include "mech/depth_median_state.h"
#include "num/directions.h"

enum {
  MAX_NODES = 1 << 20, /* tree size, about 150 bytes each */
  BLOCK_ROUNDS = 256,  /* proposals between two looks for an interrupt, at most */
  CLAMP_BITS_LINE = 50,
  CLAMP_BITS_SPACE = 24, /* exact depths in space: see depth/halfspace.h */
  PARTS_BITS = 12,       /* of a unit of sensitivity */
  PRIVATE_BITS = 8,      /* the same where n, which may not decide, is private */
  SCORE_BITS = 30
};
/* Numbers looked at between two looks for an interrupt: about a tenth of a second. */
static const double BLOCK_WORK = 5e6;

/* The lattice of mech/exponential.c along directions, whatever the depth. */
static int clamp_bits(int d, dpd_score_kind kind)
{
  bool in_space = kind == DPD_SCORE_HALFSPACE_EXACT || kind == DPD_SCORE_SIMPLICIAL;
  if (d == 3 && in_space) return CLAMP_BITS_SPACE;
  return d == 1 ? CLAMP_BITS_LINE : dpd_direction_index_bits(d);
}

/* floor(2^k S / D), in two steps that do not overflow: D < 2^110. */
static dpd_u128 all_parts(const dpd_depth_median *m, dpd_u128 score)
{
  dpd_u128 unit = m->spec.private_size ? m->score.added : m->score.sensitivity;
  if (m->spec.private_size) score *= (dpd_u128)m->score.times;
  dpd_u128 whole = score / unit, rest = score % unit;
  return (whole << m->parts) + (rest << m->parts) / unit;
}

/* Cut at 2^SCORE_BITS, which draws pass only where n is private. */
int dpd_depth_median_parts(const dpd_depth_median *m, dpd_u128 score)
{
  dpd_u128 parts = all_parts(m, score);
  return parts < (dpd_u128)1 << SCORE_BITS ? (int)parts : 1 << SCORE_BITS;
}

/* A unit of 0 is that of too few rows for the depth, which n says: what scores are divided by. */
static dpd_status set_parts(dpd_depth_median *m)
{
  if (m->spec.private_size ? m->score.added == 0 : m->score.sensitivity == 0) return DPD_ERR_DOMAIN;
  if (m->spec.private_size) {
    m->parts = PRIVATE_BITS;
    return DPD_OK;
  }
  dpd_u128 most = m->score.most / m->score.sensitivity + 1;
  m->parts = m->score.sensitivity == 1 ? 0 : PARTS_BITS;
  while (m->parts > 0 && most >> (SCORE_BITS - m->parts) > 0)
    m->parts--;
  return DPD_OK;
}

double dpd_depth_median_score(dpd_depth_median *m, const double *z, int *parts)
{
  *parts = 1 << m->parts;
  return (double)all_parts(m, m->score.at(m->score.ctx, z));
}

/* The ranges over the box lo..hi of w: of the coordinates of z, then of the projections. */
static bool set_ranges(dpd_depth_median *m, const double *lo, const double *hi, double *log_prior)
{
  size_t d = (size_t)m->spec.d, count = (size_t)m->spec.count;
  dpd_shear_forms extent = {m->box.extent, m->box.extent + d * d, m->spec.d, d};
  dpd_shear_forms forms = {m->box.forms, m->box.sizes, m->spec.count, count};
  dpd_shear_ranges(&m->shear, &extent, lo, hi, m->box.lo, m->box.hi);
  for (size_t j = 0; j < d; j++) { /* lattice points within */
    m->box.lo[j] = ceil(m->box.lo[j]);
    m->box.hi[j] = floor(m->box.hi[j]);
  }
  if (!dpd_lattice_bound_prior(&m->lattice, m->box.lo, m->box.hi, log_prior)) return false;
  if (count > 0) dpd_shear_ranges(&m->shear, &forms, lo, hi, m->box.min, m->box.max);
  return true;
}

static bool target_bound(void *ctx, const double *lo, const double *hi, int cap, int *score,
                         double *log_prior)
{
  dpd_depth_median *m = ctx;
  int bound;
  if (memcmp(lo, hi, (size_t)m->spec.d * sizeof *lo) == 0) {
    dpd_shear_point(&m->shear, lo, m->z);
    if (!dpd_lattice_log_prior(&m->lattice, m->z, log_prior)) return false;
    bound = dpd_depth_median_parts(m, m->score.at(m->score.ctx, m->z));
  } else {
    if (!set_ranges(m, lo, hi, log_prior)) return false;
    dpd_score_box box = {m->box.lo, m->box.hi, m->box.min, m->box.max, lo, hi};
    bound = dpd_depth_median_parts(m, m->score.bound(m->score.ctx, &box));
  }
  *score = bound < cap ? bound : cap;
  return true;
}

static bool target_log_prior(void *ctx, const double *w, double *out)
{
  dpd_depth_median *m = ctx;
  dpd_shear_point(&m->shear, w, m->z);
  return dpd_lattice_log_prior(&m->lattice, m->z, out);
}

static bool target_at_least(void *ctx, const double *w, int t)
{
  dpd_depth_median *m = ctx;
  if (t <= 0) return true;
  dpd_shear_point(&m->shear, w, m->z);
  return dpd_depth_median_parts(m, m->score.at(m->score.ctx, m->z)) >= t;
}

static void set_rows(dpd_depth_median *m, double *rows)
{
  size_t n = (size_t)dpd_tally_size(m->spec.tally, m->spec.n), d = (size_t)m->spec.d;
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < d; j++)
      rows[i * d + j] = dpd_lattice_index(&m->lattice, (int)j, m->spec.data[i + j * n]);
}

/* Directions in units of the prior's scale, as integer forms of lattice indexes, and the slopes of
 * the smoothed depth in their units. */
static void set_directions(dpd_depth_median *m, double *dirs, double *slope)
{
  int count = m->spec.count, d = m->spec.d;
  double mean = 0, step = 0; /* logarithms of geometric means */
  for (int j = 0; j < d; j++) {
    mean += log(m->lattice.scale[j]) / d;
    step += log(m->lattice.step[j]) / d;
  }
  for (int u = 0; u < count; u++) {
    double *a = dirs + (size_t)u * (size_t)d;
    for (int j = 0; j < d; j++) {
      /* the geometric mean of the scales keeps the form's size that of the direction */
      a[j] = m->spec.dirs[(size_t)u + (size_t)j * (size_t)count] *
             exp(mean - log(m->lattice.scale[j]));
    }
    double size = dpd_direction_round(a, d);
    slope[u] = m->spec.smooth * exp(step) * (d == 1 ? 1 : ldexp(size, -DPD_DIRECTION_BITS));
  }
}

/* The coordinates of z and the projections as forms of w. */
static void set_forms(dpd_depth_median *m)
{
  size_t d = (size_t)m->spec.d, count = (size_t)m->spec.count;
  for (size_t r = 0; r < d + count; r++) {
    double size[3], *to = r < d ? m->box.extent + r : m->box.forms + (r - d);
    size_t stride = r < d ? d : count;
    for (size_t k = 0; k < d; k++)
      m->z[k] = r < d ? k == r : m->projected.dirs[(r - d) * d + k];
    dpd_shear_form(&m->shear, m->z, m->box.form, size);
    for (size_t k = 0; k < d; k++)
      to[k * stride] = m->box.form[k];
    for (size_t k = 0; k < 3; k++)
      to[(d + k) * stride] = size[k];
  }
}

static void set_frame(dpd_depth_median *m, const double *rows, dpd_alloc alloc)
{
  double thin = ldexp((double)m->spec.eps.num, -DPD_RATE_BITS - 1) * m->spec.n;
  dpd_shear_sample from = {rows, m->spec.n, m->spec.d, m->lattice.scale, thin, m->spec.tally};
  if (m->spec.kind == DPD_SCORE_SIMPLICIAL && m->spec.d < 3 && m->spec.eps.num > 0)
    dpd_shear_fit(&m->shear, &from, alloc);
  else
    dpd_shear_none(&m->shear, &from, alloc);
  set_forms(m);
}

static dpd_status open_score(dpd_depth_median *m, const double *slope, dpd_alloc alloc)
{
  dpd_score_spec spec = {m->spec.kind, &m->projected, &m->shear,          m->lattice.scale,
                         slope,        m->spec.pause, m->spec.eps.num > 0};
  switch (m->spec.kind) {
  case DPD_SCORE_IRW:
  case DPD_SCORE_IDD:
  case DPD_SCORE_HALFSPACE: dpd_score_integrated_open(&m->score, &spec, alloc); break;
  case DPD_SCORE_IDD_SMOOTH: dpd_score_idd_smooth_open(&m->score, &spec, alloc); break;
  case DPD_SCORE_SIMPLICIAL: dpd_score_simplicial_open(&m->score, &spec, alloc); break;
  case DPD_SCORE_HALFSPACE_EXACT: dpd_score_halfspace_open(&m->score, &spec, alloc); break;
  default: dpd_score_spatial_open(&m->score, &spec, alloc);
  }
  return set_parts(m);
}

static dpd_status open_tree(dpd_depth_median *m, dpd_alloc alloc)
{
  size_t d = (size_t)m->spec.d;
  double *lo = alloc(2 * d, sizeof *lo), *hi = lo + d;
  dpd_rejection_target target = {
      .ctx = m, .bound = target_bound, .log_prior = target_log_prior, .at_least = target_at_least};
  dpd_rate eps = {m->spec.eps.num >> m->parts};
  dpd_shear_cover(&m->shear, m->lattice.lo, m->lattice.hi, lo, hi);
  dpd_rejection_spec spec = {.target = target,
                             .d = m->spec.d,
                             .lo = lo,
                             .hi = hi,
                             .unit = m->shear.unit,
                             .cap = dpd_depth_median_parts(m, m->score.most),
                             .eps = eps,
                             .max_nodes = MAX_NODES};
  return dpd_rejection_open(&m->tree, &spec, alloc);
}

static void allocate(dpd_depth_median *m, dpd_alloc alloc)
{
  size_t d = (size_t)m->spec.d, count = (size_t)m->spec.count;
  m->box.forms = alloc(count * (d + 3) + 1, sizeof *m->box.forms);
  m->box.sizes = m->box.forms + count * d;
  m->box.extent = alloc(d * (d + 3), sizeof *m->box.extent);
  m->box.min = alloc(2 * count + 1, sizeof *m->box.min);
  m->box.max = m->box.min + count;
  m->box.lo = alloc(5 * d, sizeof *m->box.lo);
  m->box.hi = m->box.lo + d;
  m->z = m->box.hi + d;
  m->w = m->z + d;
  m->box.form = m->w + d;
}

dpd_status dpd_depth_median_open(dpd_depth_median **out, const dpd_depth_median_spec *spec,
                                 dpd_alloc alloc)
{
  dpd_depth_median *m = alloc(1, sizeof *m);
  size_t n = (size_t)dpd_tally_size(spec->tally, spec->n);
  size_t d = (size_t)spec->d, count = (size_t)spec->count;
  *out = m;
  memset(m, 0, sizeof *m);
  m->spec = *spec;
  DPD_TRY(dpd_lattice_open(&m->lattice, spec->prior, clamp_bits(spec->d, spec->kind), alloc));
  allocate(m, alloc);
  double *rows = alloc(n * d, sizeof *rows), *dirs = alloc(count * (d + 1) + 1, sizeof *dirs);
  double *slope = dirs + count * d;
  m->projected =
      (dpd_projected){spec->n, spec->d, spec->count, spec->count, rows, dirs, spec->tally, NULL};
  set_rows(m, rows);
  set_directions(m, dirs, slope);
  set_frame(m, rows, alloc);
  DPD_TRY(open_score(m, slope, alloc));
  return spec->eps.num > 0 && !spec->chain ? open_tree(m, alloc) : DPD_OK;
}

dpd_status dpd_depth_median_draw(dpd_depth_median *m, dpd_rng *rng, double *x)
{
  double work = m->spec.count > 0 ? 20.0 * m->spec.count : 20.0 * m->spec.n;
  if (m->spec.kind == DPD_SCORE_SIMPLICIAL && m->spec.d == 3) work = pow(m->spec.n, 3);
  int rounds = (int)fmin(BLOCK_ROUNDS, 1 + BLOCK_WORK / work);
  DPD_TRY(dpd_rejection_draw(m->tree, rng, rounds, m->w));
  dpd_shear_point(&m->shear, m->w, m->z);
  for (int j = 0; j < m->spec.d; j++)
    x[j] = dpd_lattice_value(&m->lattice, j, m->z[j]);
  return DPD_OK;
}

int dpd_depth_median_bound(dpd_depth_median *m, const double *lo, const double *hi)
{
  double log_prior;
  int bound = 0;
  (void)target_bound(m, lo, hi, INT32_MAX, &bound, &log_prior);
  return bound;
}

void dpd_depth_median_index(const dpd_depth_median *m, const double *x, double *z)
{
  for (int j = 0; j < m->spec.d; j++)
    z[j] = dpd_lattice_index(&m->lattice, j, x[j]);
}

void dpd_depth_median_counts(const dpd_depth_median *m, double out[3])
{
  int nodes;
  dpd_rejection_counts(m->tree, out, out + 1, &nodes);
  out[2] = nodes;
}
