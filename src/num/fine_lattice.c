/* fine_lattice.c - one axis of the public lattice, each point cut into cells, with prior masses.
 *
 * METHOD: rows that share a lattice point are spread over its cells at random by the mechanism that
 *   uses this, so that a quantile can lie within an atom. The masses of num/prior_mass are those of
 *   points; a cell has its point's, so that sums over cells are sums over points, shifted, and a
 *   part of a point.
 * COST: a call takes at most four masses of num/prior_mass.c.
 * DEGENERATE: bits = 0: the lattice itself.
 */
#include "num/fine_lattice.h"

#include <math.h>

enum { POSITION_BITS = 61 };

dpd_status dpd_fine_open(dpd_fine *f, dpd_prior prior, int most_bits, dpd_alloc alloc)
{
  if (prior.d != 1) return DPD_ERR_DOMAIN;
  DPD_TRY(dpd_lattice_open_finest(&f->lattice, prior, alloc));
  dpd_mass_open(&f->mass, alloc);
  dpd_mass_set(&f->mass, &f->lattice, 0);
  int64_t points = f->mass.hi - f->mass.lo + 3;
  for (f->bits = most_bits; f->bits > 0 && points >> (POSITION_BITS - f->bits) > 0;)
    f->bits--;
  f->first = (int64_t)1 << f->bits;
  f->last = ((points - 1) << f->bits) - 1;
  return DPD_OK;
}

int64_t dpd_fine_index(const dpd_fine *f, double x)
{
  double z = dpd_lattice_index(&f->lattice, 0, x);
  z = fmin(fmax(z, f->lattice.lo[0] - 1), f->lattice.hi[0] + 1);
  return ((int64_t)z - f->mass.lo + 1) * ((int64_t)1 << f->bits);
}

int64_t dpd_fine_nearest(const dpd_fine *f, double x)
{
  int64_t at = dpd_fine_index(f, x), last = f->last + 1 - ((int64_t)1 << f->bits);
  return at < f->first ? f->first : at > last ? last : at;
}

/* Mass of the positions first..z - 1, first <= z <= last + 1. */
static dpd_u128 mass_below(const dpd_fine *f, int64_t z)
{
  int64_t at = f->mass.lo - 1 + (z >> f->bits);
  uint64_t cell = (uint64_t)z & (((uint64_t)1 << f->bits) - 1);
  dpd_u128 whole = dpd_mass_between(&f->mass, f->mass.lo, at - 1) << f->bits;
  return cell == 0 ? whole : whole + dpd_mass_between(&f->mass, at, at) * cell;
}

dpd_u128 dpd_fine_between(const dpd_fine *f, int64_t a, int64_t b)
{
  if (a < f->first) a = f->first;
  if (b > f->last) b = f->last;
  return a > b ? 0 : mass_below(f, b + 1) - mass_below(f, a);
}

int64_t dpd_fine_point(const dpd_fine *f, int64_t a, dpd_u128 t)
{
  t += mass_below(f, a);
  int64_t at = dpd_mass_point(&f->mass, f->mass.lo, t >> f->bits);
  t -= dpd_mass_between(&f->mass, f->mass.lo, at - 1) << f->bits;
  dpd_u128 each = dpd_mass_between(&f->mass, at, at);
  return ((at - f->mass.lo + 1) << f->bits) + (int64_t)(t / each);
}

double dpd_fine_value(const dpd_fine *f, int64_t z)
{
  return dpd_lattice_value(&f->lattice, 0, (double)(f->mass.lo - 1 + (z >> f->bits)));
}
