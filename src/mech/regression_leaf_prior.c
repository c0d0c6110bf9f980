/* regression_leaf_prior.c - densities of the prior over leaves that rows cut, and cuts for it.
 *
 * METHOD: the density over a leaf is at most that over the box around it: densities fall with
 *   the distance from the mode, along each axis by itself. Under a prior that is not uniform a
 *   cut along an axis is offered too: of those at a half, a quarter, ... of the way from the
 *   most likely point to an end the one that leaves the least sum of points times densities.
 * COST: O(log points) a cut.
 * DEGENERATE: boxes beyond the support have no mass.
 */
#include "mech/regression_leaf_prior.h"

#include <math.h>

#include "mech/regression_state.h"

dpd_status dpd_leaf_prior_open(dpd_leaf_prior *p, dpd_prior prior, dpd_alloc alloc)
{
  p->mass = NULL;
  DPD_TRY(dpd_regression_set_lattice(&p->lattice, prior, alloc));
  if (!prior.dyadic) return DPD_OK;
  p->mass = alloc(1, sizeof *p->mass);
  dpd_mass_open(p->mass, alloc);
  dpd_mass_set(p->mass, &p->lattice, 0);
  return DPD_OK;
}

bool dpd_leaf_prior_is_uniform(const dpd_leaf_prior *p)
{
  return p->mass == NULL && !p->lattice.prior.normal;
}

static double log_mass(const dpd_leaf_prior *p, double z)
{
  dpd_u128 mass = dpd_mass_between(p->mass, (int64_t)z, (int64_t)z);
  return mass == 0 ? -INFINITY : log((double)mass);
}

double dpd_leaf_prior_log(const dpd_leaf_prior *p, const double *z)
{
  double sum = 0;
  if (p->mass == NULL) return dpd_lattice_log_prior(&p->lattice, z, &sum) ? sum : -INFINITY;
  for (int j = 0; j < p->lattice.prior.d; j++)
    sum += log_mass(p, z[j]);
  return sum;
}

/* The most likely index of axis j among lo..hi. */
static double mode_within(const dpd_leaf_prior *p, int j, double lo, double hi)
{
  double mode = p->mass != NULL ? 0 : rint(p->lattice.mean[j]);
  return fmin(fmax(mode, lo), hi);
}

double dpd_leaf_prior_bound(const dpd_leaf_prior *p, const double *lo, const double *hi)
{
  double sum = 0;
  if (p->mass == NULL) return dpd_lattice_bound_prior(&p->lattice, lo, hi, &sum) ? sum : -INFINITY;
  for (int j = 0; j < p->lattice.prior.d; j++)
    sum += log_mass(p, mode_within(p, j, lo[j], hi[j]));
  return sum;
}

/* The density along axis j alone, but for a factor. */
static double density_along(const dpd_leaf_prior *p, int j, double z)
{
  double v = (z - p->lattice.mean[j]) / p->lattice.scale[j];
  return p->mass != NULL ? log_mass(p, z) : -0.5 * v * v;
}

double dpd_leaf_prior_cut(const dpd_leaf_prior *p, int j, const double range[2], double end,
                          double *kept)
{
  double mode = mode_within(p, j, range[0], range[1]), best = mode, all = range[1] - range[0] + 1;
  double at_mode = density_along(p, j, mode);
  for (double far = end - mode; fabs(far) >= 1; far = trunc(far / 2)) {
    double cut = mode + far; /* the first point beyond */
    double beyond = fabs(end - cut) + 1;
    double sum = (all - beyond + beyond * exp(density_along(p, j, cut) - at_mode)) / all;
    if (sum >= *kept) continue;
    *kept = sum;
    best = end > mode ? cut - 1 : cut;
  }
  return best;
}
