/* prior_mass.c - a public prior as integer masses of the lattice points of one axis.
 *
 * METHOD: the support is cut into cells of equally many points. A point's mass is 1 under a uniform
 *   prior; under a normal one it is the density at its cell's centre, relative to the mode, in
 *   units of 2^-60, rounded, and at least one unit. Sums of cells are kept, so the mass of an
 *   interval is a difference of two whole numbers: no rounding, whatever the interval.
 *   Any public measure keeps privacy; this one differs from the normal density by its steps (1/227
 *   standard deviation wide) and by its floor (beyond 9.1 standard deviations).
 *   Under a dyadic prior point 0 has 2^S, and a point of shell i, 2^(i-1) <= |z| < 2^i, has
 *   2^(S-i), S = DPD_DYADIC_SHELLS: a shell has 2^i points, so each has 2^S. The sum of 1..r is
 *   (i-1) 2^(S-1) + (r - 2^(i-1) + 1) 2^(S-i), i the shell of r.
 * COST: one exponential per cell to set; O(1) per interval; O(log cells) per point, of a dyadic
 *   prior O(S). Memory: three words of 64 bits per cell.
 * DEGENERATE: a support of fewer points than cells has a cell for each point. An interval beside
 *   the support has mass zero.
 */
#include "num/prior_mass.h"

#include <math.h>

enum { SHELLS = DPD_DYADIC_SHELLS };
#define MODE 0x1p60
static const double ONE_UNIT = 9.3; /* standard deviations: exp(-9.3^2 / 2) 2^60 < 1/2 */

void dpd_mass_open(dpd_mass *m, dpd_alloc alloc)
{
  size_t room = DPD_MASS_CELLS + 1;
  m->weight = alloc(3 * room, sizeof *m->weight);
  m->low = m->weight + room;
  m->high = m->low + room;
  m->cells = 0;
  m->dyadic = false;
}

static dpd_u128 sum_before(const dpd_mass *m, int cell)
{
  return (dpd_u128)m->high[cell] << 64 | m->low[cell];
}

static uint64_t normal_weight(const dpd_mass *m, int cell)
{
  double centre = (double)(m->lo + cell * m->wide) + 0.5 * (double)(m->wide - 1);
  double v = (centre - m->mean) / m->sd;
  if (fabs(v) > ONE_UNIT) return 1;
  double w = rint(exp(-0.5 * v * v) * MODE);
  return w > 1 ? (uint64_t)w : 1;
}

void dpd_mass_set(dpd_mass *m, const dpd_lattice *l, int axis)
{
  int64_t lo = (int64_t)l->lo[axis], hi = (int64_t)l->hi[axis];
  bool normal = l->prior.normal, dyadic = l->prior.dyadic;
  double mean = normal ? l->mean[axis] : 0, sd = normal ? l->scale[axis] : 1;
  if (m->cells > 0 && m->lo == lo && m->hi == hi && m->normal == normal && m->mean == mean &&
      m->sd == sd && m->dyadic == dyadic)
    return;
  m->lo = lo;
  m->hi = hi;
  m->dyadic = dyadic;
  m->normal = normal;
  m->mean = mean;
  m->sd = sd;
  m->cells = 1;
  if (dyadic) return;
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

/* Mass of the points 1..r of a dyadic prior, 0 <= r < 2^SHELLS. */
static uint64_t dyadic_side(int64_t r)
{
  int shell;
  if (r == 0) return 0;
  frexp((double)r, &shell);
  uint64_t rest = (uint64_t)r - ((uint64_t)1 << (shell - 1)) + 1;
  return ((uint64_t)(shell - 1) << (SHELLS - 1)) + (rest << (SHELLS - shell));
}

/* Mass of the points of the support before z, lo <= z <= hi + 1, if the prior has cells; */
static inline dpd_u128 mass_of_cells(const dpd_mass *m, int64_t z)
{
  int64_t at = z - m->lo;
  int cell = (int)(at / m->wide);
  return sum_before(m, cell) + (dpd_u128)m->weight[cell] * (uint64_t)(at - cell * m->wide);
}

/* whatever it is. */
static dpd_u128 mass_before(const dpd_mass *m, int64_t z)
{
  if (!m->dyadic) return mass_of_cells(m, z);
  uint64_t side = dyadic_side(m->hi);
  return z <= 0 ? side - dyadic_side(-z) : side + ((uint64_t)1 << SHELLS) + dyadic_side(z - 1);
}

dpd_u128 dpd_mass_between(const dpd_mass *m, int64_t a, int64_t b)
{
  if (a < m->lo) a = m->lo;
  if (b > m->hi) b = m->hi;
  if (a > b) return 0;
  if (m->dyadic) return mass_before(m, b + 1) - mass_before(m, a);
  return mass_of_cells(m, b + 1) - mass_of_cells(m, a); /* most calls: without the other prior */
}

/* The largest z of the support with a mass of at most t before it. */
static int64_t dyadic_point(const dpd_mass *m, dpd_u128 t)
{
  int64_t lo = m->lo, hi = m->hi;
  while (lo < hi) {
    int64_t mid = lo + (hi - lo + 1) / 2;
    if (mass_before(m, mid) <= t)
      lo = mid;
    else
      hi = mid - 1;
  }
  return lo;
}

int64_t dpd_mass_point(const dpd_mass *m, int64_t a, dpd_u128 t)
{
  int lo = 0, hi = m->cells - 1;
  t += mass_before(m, a > m->lo ? a : m->lo);
  if (m->dyadic) return dyadic_point(m, t);
  while (lo < hi) {
    int mid = lo + (hi - lo + 1) / 2;
    if (sum_before(m, mid) <= t)
      lo = mid;
    else
      hi = mid - 1;
  }
  return m->lo + lo * m->wide + (int64_t)((t - sum_before(m, lo)) / m->weight[lo]);
}
