/* regression_prior.c - the private regression's prior: its lattice, and boxes of a dyadic prior.
 *
 * METHOD: a dyadic prior has masses that are whole numbers (num/prior_mass): coordinate j has the
 *   mass p(z_j), the point p(z_1) ... p(z_k). In sheared coordinates z_j = w_j + r_j, r_j a whole
 *   number that z_1 .. z_j-1 determine. A point of the box lo..hi of w is proposed coordinate by
 *   coordinate: z_j from p on the interval lo_j + r_j .. hi_j + r_j, whose mass M_j is a difference
 *   of whole numbers. So it is proposed with probability prod p(z_j) / M_j. The box's weight has
 *   prod B_j in place of its mass, B_j the largest M_j that any r_j of the box gives: p falls with
 *   |z| and is even, so this is the interval whose middle is nearest to 0. The ratio prod M_j / B_j
 *   is paid by a coin. Without a shear all M_j are B_j, and the coin is 1.
 *   Boxes are cut where both parts have about the same mass: a shell is as far as the next one.
 * COST: O(k^2) and k searches of 45 steps per proposal; a bound O(k^2).
 * DEGENERATE: intervals beyond the support have no mass, and refuse.
 */
#include <math.h>

#include "mech/regression_state.h"
#include "samp/rng.h"

dpd_status dpd_regression_set_lattice(dpd_lattice *l, dpd_prior prior, dpd_alloc alloc)
{
  DPD_TRY(dpd_lattice_open(l, prior, DPD_REGRESSION_BITS, alloc));
  /* the outer shells are left out, so that sheared indexes stay exact */
  for (int j = 0; prior.dyadic && j < prior.d; j++) {
    l->hi[j] = ldexp(1, DPD_REGRESSION_SHELLS) - 1;
    l->lo[j] = -l->hi[j];
  }
  return DPD_OK;
}

void dpd_regression_set_mass(dpd_regression *m, dpd_alloc alloc)
{
  m->mass = alloc(1, sizeof *m->mass);
  dpd_mass_open(m->mass, alloc);
  dpd_mass_set(m->mass, &m->lattice, 0);
}

/* A mass a point, in logarithms: one rounding for all that is compared. */
static double log_share(dpd_u128 mass, double points)
{
  return log((double)mass) - log(points);
}

bool dpd_regression_prior_at(const dpd_regression *m, const double *z, double *log_prior)
{
  if (m->mass == NULL) return dpd_lattice_log_prior(&m->lattice, z, log_prior);
  double sum = 0;
  for (int j = 0; j < m->spec.k; j++) {
    int64_t at = (int64_t)z[m->axis[j]];
    dpd_u128 mass = dpd_mass_between(m->mass, at, at);
    if (mass == 0) return false;
    sum += log_share(mass, 1);
  }
  *log_prior = sum;
  return true;
}

/* What the shear may add to w_j in the box: z_j = w_j + r_j, both ends rounded outward. A rounded
 * difference never passes the whole number that r_j is. */
static void shift_range(const dpd_regression *m, int j, const double *lo, const double *hi,
                        int64_t *min, int64_t *max)
{
  double a = floor(m->lo[m->axis[j]] - lo[j]), b = ceil(m->hi[m->axis[j]] - hi[j]);
  *min = (int64_t)a;
  *max = (int64_t)b;
}

/* The shift that takes the interval's middle nearest to 0. */
static int64_t heaviest_shift(int64_t lo, int64_t hi, int64_t min, int64_t max)
{
  int64_t sum = lo + hi, shift = -(sum >= 0 ? sum / 2 : -((1 - sum) / 2));
  return shift < min ? min : shift > max ? max : shift;
}

bool dpd_regression_bound_mass(dpd_regression *m, const double *lo, const double *hi,
                               double *log_prior)
{
  double sum = 0;
  for (int j = 0; j < m->spec.k; j++) {
    int64_t min, max, a = (int64_t)lo[j], b = (int64_t)hi[j];
    shift_range(m, j, lo, hi, &min, &max);
    int64_t shift = heaviest_shift(a, b, min, max);
    dpd_u128 mass = dpd_mass_between(m->mass, a + shift, b + shift);
    if (mass == 0) return false;
    sum += log_share(mass, hi[j] - lo[j] + 1);
  }
  *log_prior = sum;
  return true;
}

dpd_status dpd_regression_propose(void *ctx, dpd_rng *rng, const double *lo, const double *hi,
                                  double *w, double *log_prior)
{
  dpd_regression *m = ctx;
  double sum = 0;
  *log_prior = -INFINITY;
  for (int j = 0; j < m->spec.k; j++)
    w[j] = 0;
  for (int j = 0; j < m->spec.k; j++) {
    dpd_u128 unit;
    dpd_shear_point(&m->shear, w, m->sheared);
    int64_t shift = (int64_t)m->sheared[j], a = (int64_t)lo[j] + shift, b = (int64_t)hi[j] + shift;
    dpd_u128 mass = dpd_mass_between(m->mass, a, b);
    if (mass == 0) return DPD_OK;
    DPD_TRY(dpd_rng_below_u128(rng, mass, &unit));
    w[j] = (double)(dpd_mass_point(m->mass, a, unit) - shift);
    sum += log_share(mass, hi[j] - lo[j] + 1);
  }
  *log_prior = sum;
  return DPD_OK;
}

double dpd_regression_cut(void *ctx, const double *lo, const double *hi, int axis)
{
  dpd_regression *m = ctx;
  double half = floor(lo[axis] + (hi[axis] - lo[axis]) / 2);
  size_t k = (size_t)m->spec.k;
  int64_t min, max;
  dpd_shear_forms extent = {m->extent, m->extent + k * k, (int)k, k};
  dpd_shear_ranges(&m->shear, &extent, lo, hi, m->lo, m->hi);
  shift_range(m, axis, lo, hi, &min, &max);
  /* where the shear moves the interval by more than its length no shell is at one place */
  if ((double)max - (double)min >= hi[axis] - lo[axis]) return half;
  int64_t shift = min + (max - min) / 2;
  int64_t a = (int64_t)lo[axis] + shift, b = (int64_t)hi[axis] + shift;
  dpd_u128 mass = dpd_mass_between(m->mass, a, b);
  if (mass == 0) return half;
  double cut = (double)(dpd_mass_point(m->mass, a, mass / 2) - shift);
  return fmin(fmax(cut, lo[axis]), hi[axis] - 1);
}
