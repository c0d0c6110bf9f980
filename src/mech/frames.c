/* frames.c - the exponential mechanism over depth along the axes and further directions.
 *
 * METHOD: the score of z is h(z), the least of #{u'x <= u'z} and #{u'x >= u'z} over the axes and
 *   the other directions u, which one replaced row moves by at most one. Level k is drawn with the
 *   weight that mech/axes.c gives it, V_k the mass of the box that the axes leave, and a point z of
 *   that box by the prior; it is the draw if h(z) >= k, else another level is drawn. So z has
 *   weight prior(z) times the sum over k <= h(z) of (1 - q) q^-k, which is prior(z) q^-h(z), as
 *   along the axes: the points of level k lie in the box of level k.
 * EXACT: rows, candidates and directions are integers, projections below 2^52. The levels' law is
 *   off as in mech/axes.c; what is refused is refused by comparisons of integers.
 * COST: O(count n log n) to prepare, count n doubles; O(d + count d) a proposal. How many proposals
 *   a draw takes depends on the data; they must not be bounded, or the law would be another.
 * DEGENERATE: as mech/axes.c.
 * REFERENCE: McSherry and Talwar (2007), Theorem 6.
 */
#include "mech/frames.h"

#include <math.h>
#include <string.h>

#include "num/prior_mass.h"
#include "num/rank_window.h"
#include "num/sort.h"
#include "samp/level.h"
#include "samp/rng.h"

enum {
  DIRECTION_BITS = 16, /* integer directions: round(2^16 u) */
  BLOCK_PROPOSALS = 1 << 12
};

struct dpd_frames {
  dpd_frames_spec spec;
  dpd_lattice lattice;
  dpd_mass *mass; /* d */
  dpd_levels levels;
  double *dirs;   /* count x d, a direction after the other */
  double *axis;   /* d x n: the rows' coordinates, rising */
  double *sorted; /* count x n: their projections, rising */
  double *z;      /* d */
  double proposals;
};

/* Directions in units of the prior's scale, as integer forms of lattice indexes: those of
 * mech/depth_median.c. */
static void set_directions(dpd_frames *m)
{
  int count = m->spec.count, d = m->spec.d;
  double mean = 0;
  for (int j = 0; j < d; j++)
    mean += log(m->lattice.scale[j]) / d;
  for (int u = 0; u < count; u++) {
    double *a = m->dirs + (size_t)u * (size_t)d, top = 0;
    for (int j = 0; j < d; j++) {
      a[j] = m->spec.dirs[(size_t)u + (size_t)j * (size_t)count] *
             exp(mean - log(m->lattice.scale[j]));
      top += a[j] * a[j];
    }
    for (int j = 0; j < d; j++)
      a[j] = rint(ldexp(a[j] / sqrt(top), DIRECTION_BITS));
  }
}

/* The levels' weights, by the axes. */
static void set_levels(dpd_frames *m, dpd_alloc alloc)
{
  size_t n = (size_t)m->spec.n;
  dpd_product *product = alloc(n + 1, sizeof *product);
  int count = m->spec.n + 1;
  for (int j = 0; j < m->spec.d; j++) {
    const double *x = m->axis + (size_t)j * n;
    for (int k = 0; k < count; k++) {
      int64_t from = k > 0 ? (int64_t)x[k - 1] : m->mass[j].lo;
      int64_t to = k > 0 ? (int64_t)x[n - (size_t)k] : m->mass[j].hi;
      dpd_u128 mass = dpd_mass_between(m->mass + j, from, to);
      if (mass == 0) {
        count = k; /* boxes are nested: none above holds a point */
        break;
      }
      if (j == 0) dpd_product_one(product + k);
      dpd_product_times(product + k, mass);
    }
  }
  dpd_u128 step = dpd_level_step(m->spec.eps);
  dpd_levels_settle(&m->levels, product, count, step, dpd_level_offset(step));
}

/* The rows' coordinates and projections, in order. */
static void sort_rows(dpd_frames *m, dpd_alloc alloc)
{
  size_t n = (size_t)m->spec.n, d = (size_t)m->spec.d;
  double *work = alloc(n * (d + 1), sizeof *work), *rows = work + n;
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < d; j++)
      m->axis[i + j * n] = rows[i * d + j] =
          dpd_lattice_index(&m->lattice, (int)j, m->spec.data[i + j * n]);
  for (size_t j = 0; j < d; j++)
    dpd_sort_doubles(m->axis + j * n, n, work);
  for (size_t u = 0; u < (size_t)m->spec.count; u++) {
    double *y = m->sorted + u * n;
    for (size_t i = 0; i < n; i++)
      y[i] = dpd_project(m->dirs + u * d, rows + i * d, m->spec.d);
    dpd_sort_doubles(y, n, work);
    if (m->spec.pause != NULL) m->spec.pause();
  }
}

dpd_status dpd_frames_open(dpd_frames **out, const dpd_frames_spec *spec, dpd_alloc alloc)
{
  size_t n = (size_t)spec->n, d = (size_t)spec->d, count = (size_t)spec->count;
  dpd_frames *m = alloc(1, sizeof *m);
  *out = m;
  memset(m, 0, sizeof *m);
  m->spec = *spec;
  if (spec->prior.dyadic) return DPD_ERR_DOMAIN;
  int bits = 51 - DIRECTION_BITS - (int)ceil(0.5 * log2((double)d));
  DPD_TRY(dpd_lattice_open(&m->lattice, spec->prior, bits, alloc));
  m->mass = alloc(d, sizeof *m->mass);
  m->dirs = alloc(count * d + 1, sizeof *m->dirs);
  m->axis = alloc(n * (d + count), sizeof *m->axis);
  m->sorted = m->axis + n * d;
  m->z = alloc(d, sizeof *m->z);
  for (size_t j = 0; j < d; j++) {
    dpd_mass_open(m->mass + j, alloc);
    dpd_mass_set(m->mass + j, &m->lattice, (int)j);
  }
  set_directions(m);
  sort_rows(m, alloc);
  set_levels(m, alloc);
  return DPD_OK;
}

/* A point of the level's box. */
static dpd_status draw_point(dpd_frames *m, dpd_rng *rng, size_t k)
{
  size_t n = (size_t)m->spec.n;
  for (size_t j = 0; j < (size_t)m->spec.d; j++) {
    const double *x = m->axis + j * n;
    int64_t from = k > 0 ? (int64_t)x[k - 1] : m->mass[j].lo;
    int64_t to = k > 0 ? (int64_t)x[n - k] : m->mass[j].hi;
    dpd_u128 unit;
    DPD_TRY(dpd_rng_below_u128(rng, dpd_mass_between(m->mass + j, from, to), &unit));
    m->z[j] = (double)dpd_mass_point(m->mass + j, from, unit);
  }
  return DPD_OK;
}

/* Is z at least k deep along the further directions? */
static bool has_depth(const dpd_frames *m, size_t k)
{
  size_t n = (size_t)m->spec.n, d = (size_t)m->spec.d;
  if (k == 0) return true;
  for (size_t u = 0; u < (size_t)m->spec.count; u++) {
    const double *y = m->sorted + u * n;
    double t = dpd_project(m->dirs + u * d, m->z, m->spec.d);
    if (t < y[k - 1] || t > y[n - k]) return false;
  }
  return true;
}

dpd_status dpd_frames_draw(dpd_frames *m, dpd_rng *rng, double *x)
{
  for (int i = 0; i < BLOCK_PROPOSALS; i++) {
    int level;
    DPD_TRY(dpd_levels_draw(&m->levels, rng, &level));
    DPD_TRY(draw_point(m, rng, (size_t)level));
    m->proposals++;
    if (!has_depth(m, (size_t)level)) continue;
    for (int j = 0; j < m->spec.d; j++)
      x[j] = dpd_lattice_value(&m->lattice, j, m->z[j]);
    return DPD_OK;
  }
  return DPD_AGAIN;
}

double dpd_frames_proposals(const dpd_frames *m)
{
  return m->proposals;
}
