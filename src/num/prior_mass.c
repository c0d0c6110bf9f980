/* prior_mass.c - a public prior as integer masses of the lattice points of one axis.
 *
 * METHOD: the support is cut into cells of equally many points. A point's mass is 1 under a uniform
 *   prior; under a normal one it is the density at its cell's centre, relative to the mode, in
 *   units of 2^-60, rounded, and at least one unit. Sums of cells are kept, so the mass of an
 *   interval is a difference of two whole numbers: no rounding, whatever the interval.
 *   Any public measure keeps privacy; this one differs from the normal density by its steps (1/227
 *   standard deviation wide) and by its floor (beyond 9.1 standard deviations).
 * DEGENERATE: a support of fewer points than cells has a cell for each point.
 */
#include "num/prior_mass.h"

#include <math.h>

enum { MODE_BITS = 60 };

void dpd_mass_open(dpd_mass *m, dpd_alloc alloc)
{
  size_t room = DPD_MASS_CELLS + 1;
  m->weight = alloc(3 * room, sizeof *m->weight);
  m->low = m->weight + room;
  m->high = m->low + room;
  m->cells = 0;
}

static dpd_u128 sum_before(const dpd_mass *m, int cell)
{
  return (dpd_u128)m->high[cell] << 64 | m->low[cell];
}

static uint64_t normal_weight(const dpd_mass *m, int cell)
{
  double centre = (double)(m->lo + cell * m->wide) + 0.5 * (double)(m->wide - 1);
  double v = (centre - m->mean) / m->sd;
  double w = rint(ldexp(exp(-0.5 * v * v), MODE_BITS));
  return w > 1 ? (uint64_t)w : 1;
}

void dpd_mass_set(dpd_mass *m, const dpd_lattice *l, int axis)
{
  int64_t lo = (int64_t)l->lo[axis], hi = (int64_t)l->hi[axis];
  bool normal = l->prior.normal;
  double mean = normal ? l->mean[axis] : 0, sd = normal ? l->scale[axis] : 1;
  if (m->cells > 0 && m->lo == lo && m->hi == hi && m->normal == normal && m->mean == mean &&
      m->sd == sd)
    return;
  m->lo = lo;
  m->hi = hi;
  m->normal = normal;
  m->mean = mean;
  m->sd = sd;
  int64_t points = hi - lo + 1;
  m->wide = normal ? (points + DPD_MASS_CELLS - 1) / DPD_MASS_CELLS : points;
  m->cells = (int)((points + m->wide - 1) / m->wide);
  dpd_u128 sum = 0;
  for (int c = 0; c <= m->cells; c++) {
    m->low[c] = (uint64_t)sum;
    m->high[c] = (uint64_t)(sum >> 64);
    m->weight[c] = normal ? normal_weight(m, c) : 1;
    sum += (dpd_u128)m->weight[c] * (uint64_t)m->wide;
  }
}

/* Mass of the points of the support before z, lo <= z <= hi + 1. */
static dpd_u128 mass_before(const dpd_mass *m, int64_t z)
{
  int64_t at = z - m->lo;
  int cell = (int)(at / m->wide);
  return sum_before(m, cell) + (dpd_u128)m->weight[cell] * (uint64_t)(at - cell * m->wide);
}

dpd_u128 dpd_mass_between(const dpd_mass *m, int64_t a, int64_t b)
{
  if (a < m->lo) a = m->lo;
  if (b > m->hi) b = m->hi;
  return a > b ? 0 : mass_before(m, b + 1) - mass_before(m, a);
}

int64_t dpd_mass_point(const dpd_mass *m, int64_t a, dpd_u128 t)
{
  int lo = 0, hi = m->cells - 1;
  t += mass_before(m, a > m->lo ? a : m->lo);
  while (lo < hi) {
    int mid = lo + (hi - lo + 1) / 2;
    if (sum_before(m, mid) <= t)
      lo = mid;
    else
      hi = mid - 1;
  }
  return m->lo + lo * m->wide + (int64_t)((t - sum_before(m, lo)) / m->weight[lo]);
}
