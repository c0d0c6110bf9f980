/* num_lattice.c - the public lattice on which private mechanisms see data and candidates.
 *
 * METHOD: step and origin come from the prior only, so rounding a row to the lattice depends
 *   on nothing but that row and neighbours stay neighbours; a drawn value is a lattice
 *   point whose last bits tell nothing (Mironov, 2012). Indexes are integers in doubles.
 * DEGENERATE: a support so narrow that steps would fall below the spacing of doubles at its
 *   ends takes that spacing as its step.
 */
#include "num_lattice.h"

#include <float.h>
#include <math.h>

/* Least e with x <= 2^e, x > 0. */
static int log2_ceiling(double x)
{
  int e;
  return frexp(x, &e) == 0.5 ? e - 1 : e;
}

dpd_status dpd_lattice_open(dpd_lattice *l, dpd_prior prior, int bits, dpd_alloc alloc)
{
  double *block = alloc(6 * (size_t)prior.d, sizeof *block);
  double **part[] = {&l->step, &l->origin, &l->lo, &l->hi, &l->scale, &l->mean};
  for (int k = 0; k < 6; k++)
    *part[k] = block + (size_t)k * (size_t)prior.d;
  l->prior = prior;
  l->clamp = ldexp(1, bits);
  for (int j = 0; j < prior.d; j++) {
    double a = prior.a[j], b = prior.b[j];
    double lower = prior.normal ? a - DPD_NORMAL_REACH * b : a;
    double upper = prior.normal ? a + DPD_NORMAL_REACH * b : b;
    double half = upper / 2 - lower / 2, size = fmax(fabs(lower), fabs(upper));
    if (!(half > 0) || !isfinite(half)) return DPD_ERR_DOMAIN;
    int e = log2_ceiling(half) - (bits - 2), finest = log2_ceiling(size) - 53;
    double step = ldexp(1, e > finest ? e : finest);
    if (!(step >= DBL_MIN)) return DPD_ERR_DOMAIN;
    l->step[j] = step;
    l->origin[j] = rint((lower / 2 + upper / 2) / step);
    l->lo[j] = ceil(lower / step) - l->origin[j];
    l->hi[j] = floor(upper / step) - l->origin[j];
    if (!(l->lo[j] <= l->hi[j])) return DPD_ERR_DOMAIN;
    l->scale[j] = (prior.normal ? b : b - a) / step;
    l->mean[j] = a / step - l->origin[j];
  }
  return DPD_OK;
}

double dpd_lattice_index(const dpd_lattice *l, int axis, double x)
{
  double z = rint(x / l->step[axis]) - l->origin[axis];
  return fmin(fmax(z, -l->clamp), l->clamp);
}

double dpd_lattice_value(const dpd_lattice *l, int axis, double z)
{
  return (l->origin[axis] + z) * l->step[axis];
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
