/* lattice.c - the public lattice on which private mechanisms see data and candidates.
 *
 * METHOD: step and origin come from the prior only, so rounding a row to the lattice depends
 *   on nothing but that row and neighbours stay neighbours; a drawn value is a lattice
 *   point, and its last bits reveal nothing (Mironov, 2012). Indexes are integers in doubles.
 *   With a resolution r the candidates are the multiples of r. Only their indexes are
 *   exact: the index of a row is one rounded quotient x / r, or product x (1 / r) where 1 / r
 *   is a whole number, rounded to an integer; the value of an index is one rounded product or
 *   quotient. So 0.3 is 3 tenths both ways. Ends of the support within 2^-50 of a multiple are it.
 * COST: O(d) to open, seven doubles an axis; O(1) an index or a value, O(d) a prior.
 * DEGENERATE: a support so narrow that steps would fall below the spacing of doubles at its ends
 *   takes that spacing as its step. A support that holds no lattice point, is not finite or has
 *   steps below the least normal double fails: DPD_ERR_DOMAIN; so do multiples of a resolution that
 *   are too many or none: DPD_ERR_LIMIT. A number beyond +-2^bits steps of the origin, infinite or
 *   not, becomes that index, and one that is no number the lowest index: nothing overflows later.
 * REFERENCE: Mironov (2012), On significance of the least significant bits for differential
 *   privacy.
 */
#include "num/lattice.h"

#include <float.h>
#include <math.h>

enum { FINEST_BITS = 50, MIN_BITS = 20, FEWER_BITS = 6 };

/* Least e with x <= 2^e, x > 0. */
static int log2_ceiling(double x)
{
  int e;
  return frexp(x, &e) == 0.5 ? e - 1 : e;
}

/* x in steps of axis j: not an integer yet. */
static double in_steps(const dpd_lattice *l, int j, double x)
{
  return l->parts[j] > 0 ? x * l->parts[j] : x / l->step[j];
}

/* The step of an axis by the prior: the support takes a quarter of the clamp. 0: none. */
static double prior_step(double lower, double upper, int bits)
{
  double half = upper / 2 - lower / 2, size = fmax(fabs(lower), fabs(upper));
  if (!(half > 0) || !isfinite(half)) return 0;
  int e = log2_ceiling(half) - (bits - 2), finest = log2_ceiling(size) - 53;
  double step = ldexp(1, e > finest ? e : finest);
  return step >= DBL_MIN ? step : 0;
}

/* x, or the integer that it is except for rounding. */
static double snap(double x)
{
  return fabs(x - rint(x)) <= 0x1p-50 * fabs(x) ? rint(x) : x;
}

static void set_step(dpd_lattice *l, int j, double r)
{
  double parts = rint(1 / r);
  l->step[j] = r;
  l->parts[j] = parts > 1 && 1 / parts == r ? parts : 0;
}

/* Step, origin and support of axis j for the multiples of r. */
static dpd_status set_multiples(dpd_lattice *l, int j, double lower, double upper, double r)
{
  set_step(l, j, r);
  double lo = ceil(snap(in_steps(l, j, lower))), hi = floor(snap(in_steps(l, j, upper)));
  l->origin[j] = rint(lo / 2 + hi / 2);
  l->lo[j] = lo - l->origin[j];
  l->hi[j] = hi - l->origin[j];
  bool fits = fabs(lo) <= 0x1p52 && fabs(hi) <= 0x1p52 && l->hi[j] - l->lo[j] <= l->clamp / 2;
  return lo <= hi && fits ? DPD_OK : DPD_ERR_LIMIT;
}

/* The units of a dyadic prior. */
static dpd_status set_dyadic(dpd_lattice *l, int j)
{
  l->clamp = ldexp(1, DPD_DYADIC_SHELLS) - 1;
  set_step(l, j, l->prior.b[j]);
  l->origin[j] = rint(in_steps(l, j, l->prior.a[j]));
  l->hi[j] = l->clamp;
  l->lo[j] = -l->clamp;
  l->scale[j] = 1;
  l->mean[j] = 0;
  return fabs(l->origin[j]) <= 0x1p52 ? DPD_OK : DPD_ERR_DOMAIN;
}

dpd_status dpd_lattice_open(dpd_lattice *l, dpd_prior prior, int bits, dpd_alloc alloc)
{
  double *block = alloc(7 * (size_t)prior.d, sizeof *block);
  double **part[] = {&l->step, &l->origin, &l->lo, &l->hi, &l->scale, &l->mean, &l->parts};
  for (int k = 0; k < 7; k++)
    *part[k] = block + (size_t)k * (size_t)prior.d;
  l->prior = prior;
  l->clamp = ldexp(1, bits);
  for (int j = 0; j < prior.d; j++) {
    double a = prior.a[j], b = prior.b[j];
    if (prior.dyadic) {
      DPD_TRY(set_dyadic(l, j));
      continue;
    }
    double lower = prior.normal ? a - DPD_NORMAL_REACH * b : a;
    double upper = prior.normal ? a + DPD_NORMAL_REACH * b : b;
    double step = prior_step(lower, upper, bits);
    if (!(step > 0)) return DPD_ERR_DOMAIN;
    if (prior.resolution != NULL && prior.resolution[j] > 0) {
      DPD_TRY(set_multiples(l, j, lower, upper, prior.resolution[j]));
    } else {
      l->step[j] = step;
      l->parts[j] = 0;
      l->origin[j] = rint((lower / 2 + upper / 2) / step);
      l->lo[j] = ceil(lower / step) - l->origin[j];
      l->hi[j] = floor(upper / step) - l->origin[j];
      if (!(l->lo[j] <= l->hi[j])) return DPD_ERR_DOMAIN;
    }
    l->scale[j] = in_steps(l, j, prior.normal ? b : b - a);
    l->mean[j] = in_steps(l, j, a) - l->origin[j];
  }
  return DPD_OK;
}

dpd_status dpd_lattice_open_finest(dpd_lattice *l, dpd_prior prior, dpd_alloc alloc)
{
  dpd_status status = DPD_ERR_DOMAIN;
  for (int bits = FINEST_BITS; status == DPD_ERR_DOMAIN && bits >= MIN_BITS; bits -= FEWER_BITS)
    status = dpd_lattice_open(l, prior, bits, alloc);
  return status;
}

double dpd_lattice_index(const dpd_lattice *l, int axis, double x)
{
  double z = rint(in_steps(l, axis, x)) - l->origin[axis];
  return fmin(fmax(z, -l->clamp), l->clamp);
}

double dpd_lattice_value(const dpd_lattice *l, int axis, double z)
{
  double index = l->origin[axis] + z;
  return l->parts[axis] > 0 ? index / l->parts[axis] : index * l->step[axis];
}

void dpd_lattice_nearest(const dpd_lattice *l, const double *w, size_t stride, double *x)
{
  for (int j = 0; j < l->prior.d; j++) {
    double z = fmin(fmax(rint(w[j]), l->lo[j]), l->hi[j]);
    x[(size_t)j * stride] = dpd_lattice_value(l, j, z);
  }
}

static double log_normal(const dpd_lattice *l, int axis, double z)
{
  double v = (z - l->mean[axis]) / l->scale[axis];
  return -0.5 * v * v;
}

bool dpd_lattice_log_prior(const dpd_lattice *l, const double *z, double *out)
{
  double sum = 0;
  for (int j = 0; j < l->prior.d; j++) {
    if (z[j] < l->lo[j] || z[j] > l->hi[j]) return false;
    if (l->prior.normal) sum += log_normal(l, j, z[j]);
  }
  *out = fmax(sum, DPD_LOG_PRIOR_FLOOR);
  return true;
}

bool dpd_lattice_bound_prior(const dpd_lattice *l, const double *lo, const double *hi, double *out)
{
  double sum = 0;
  for (int j = 0; j < l->prior.d; j++) {
    if (hi[j] < l->lo[j] || lo[j] > l->hi[j]) return false;
    if (l->prior.normal) sum += log_normal(l, j, fmin(fmax(l->mean[j], lo[j]), hi[j]));
  }
  *out = fmax(sum, DPD_LOG_PRIOR_FLOOR);
  return true;
}
