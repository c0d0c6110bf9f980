/* regression_space_prior.c - the prior of planes: bounds over boxes, and cuts of boxes for it.
 *
 * METHOD: the density over a hull is at most that over the box around it: densities fall with
 *   the distance from the mode, along each axis by itself. Under a prior that is not uniform a
 *   cut along an axis is offered too: of those at a half, a quarter, ... of the way from the
 *   most likely point to an end the one that leaves the least sum of points times densities.
 * COST: O(log points) a cut.
 * DEGENERATE: boxes beyond the support have no mass.
 */
#include <math.h>

#include "mech/regression_space_state.h"

static double log_mass(const dpd_regression_space *m, double z)
{
  dpd_u128 mass = dpd_mass_between(m->mass, (int64_t)z, (int64_t)z);
  return mass == 0 ? -INFINITY : log((double)mass);
}

double dpd_space_log_prior(const dpd_regression_space *m, const double *z)
{
  double out;
  if (m->mass != NULL) return log_mass(m, z[0]) + log_mass(m, z[1]) + log_mass(m, z[2]);
  return dpd_lattice_log_prior(&m->lattice, z, &out) ? out : -INFINITY;
}

/* The most likely index of axis j among lo..hi. */
static double mode_within(const dpd_regression_space *m, int j, double lo, double hi)
{
  double mode = m->mass != NULL ? 0 : rint(m->lattice.mean[j]);
  return fmin(fmax(mode, lo), hi);
}

/* A bound over the box. */
double dpd_space_bound_prior(const dpd_regression_space *m, const double lo[3], const double hi[3])
{
  double out;
  if (m->mass == NULL) return dpd_lattice_bound_prior(&m->lattice, lo, hi, &out) ? out : -INFINITY;
  return log_mass(m, mode_within(m, 0, lo[0], hi[0])) +
         log_mass(m, mode_within(m, 1, lo[1], hi[1])) +
         log_mass(m, mode_within(m, 2, lo[2], hi[2]));
}

bool dpd_space_is_uniform(const dpd_regression_space *m)
{
  return m->mass == NULL && !m->lattice.prior.normal;
}

/* The density along axis j alone, but for a factor. */
static double density_along(const dpd_regression_space *m, int j, double z)
{
  double v = (z - m->lattice.mean[j]) / m->lattice.scale[j];
  return m->mass != NULL ? log_mass(m, z) : -0.5 * v * v;
}

/* The cut of lo..hi, from its most likely point to the side of `end`, that leaves the least sum of
 * points times densities; *kept: what it leaves. */
double dpd_space_cut_towards(const dpd_regression_space *m, int j, const double range[2],
                             double end, double *kept)
{
  double mode = mode_within(m, j, range[0], range[1]), best = mode, all = range[1] - range[0] + 1;
  double at_mode = density_along(m, j, mode);
  for (double far = end - mode; fabs(far) >= 1; far = trunc(far / 2)) {
    double cut = mode + far; /* the first point beyond */
    double beyond = fabs(end - cut) + 1;
    double sum = (all - beyond + beyond * exp(density_along(m, j, cut) - at_mode)) / all;
    if (sum >= *kept) continue;
    *kept = sum;
    best = end > mode ? cut - 1 : cut;
  }
  return best;
}
