/* regression_whole.c - rows of a private regression as pairs of halfspaces of whole numbers.
 *
 * METHOD: at the lattice point z the fit of row i, less its response, is sum a_j z_j - t, a_j =
 *   fit_ij step_j and t = y_i - sum a_j origin_j. The row is multiplied by the power of two that
 *   takes the largest |a_j| to 2^(B - 1)..2^B, and all are rounded to whole numbers: functions of
 *   the prior and of the one row. With g the whole part of tie sum |a_j| the row counts as r_i >= 0
 *   where a'z <= t + g, as r_i <= 0 where a'z >= t - g, decided in whole numbers. That is what a
 *   row is for the mechanisms of up to three coefficients; nothing that follows is rounded.
 *   Rounding moves a'z by at most sum |z_j| / 2, t by 1/2, g by 1 + 3 tie / 2, and numbers that are
 *   left out as negligible by less than 2^-100: see dpd_whole_off(). The doubles that all are made
 *   of are off by less than 3 2^-53 of |y_i| + sum |a_j| (|origin_j| + |z_j|).
 * EXACT: t beyond 2^(B + k - 1) Z + 2^(B + k), Z >= |z_j|, is that: the row has one sign then, for
 *   g <= k 2^B tie. y_i beyond 2^120 is that; |origin_j| <= 2^53, so that its sign is that of t.
 * COST: O(k).
 * DEGENERATE: a row whose numbers are zero, or nothing beside its response, has the sign of its
 *   response everywhere.
 */
#include "mech/regression_whole.h"

#include <limits.h>
#include <math.h>

#include "num/error_free.h"

#define NEGLIGIBLE 0x1p-200 /* of a number that the coefficients are rounded from */
#define MOST_RESPONSE 0x1p120

double dpd_whole_reach(const dpd_lattice *l)
{
  double reach = 1;
  for (int j = 0; j < l->prior.d; j++)
    reach = fmax(reach, fmax(fabs(l->lo[j]), fabs(l->hi[j])));
  return reach;
}

/* x = mantissa 2^power, the mantissa in [1/2, 1) or 0. */
static double product_parts(double fit, double step, int *power)
{
  int a, b, c;
  double x = frexp(fit, &a) * frexp(step, &b);
  x = frexp(x, &c);
  *power = x == 0 ? INT_MIN / 2 : a + b + c;
  return x;
}

static double clamped(double x, double most)
{
  return fmin(fmax(x, -most), most);
}

/* y less the fit at the origin. */
static double less_origin(const dpd_lattice *l, int k, double y, const double *a)
{
  dpd_error_free sum = {0};
  bool moved = false;
  for (int j = 0; j < k; j++)
    moved = moved || a[j] * l->origin[j] != 0;
  if (!moved) return y;
  dpd_error_free_add(&sum, y);
  for (int j = 0; j < k; j++)
    if (a[j] != 0) dpd_error_free_add_product(&sum, -a[j], l->origin[j]);
  return dpd_error_free_value(&sum);
}

dpd_whole_row dpd_whole_row_of(const dpd_whole *w, size_t i, int *scale)
{
  const int k = w->k;
  const double beyond = ldexp(w->reach, w->bits + k - 1) + ldexp(1, w->bits + k);
  double a[DPD_WHOLE_MOST] = {0}, y = w->y[i], size = 0;
  int power[DPD_WHOLE_MOST] = {0}, top = INT_MIN / 2;
  for (int j = 0; j < k; j++) {
    a[j] = product_parts(w->fit[i + (size_t)j * w->n], w->lattice->step[j], power + j);
    if (power[j] > top) top = power[j];
  }
  const bool zero = top == INT_MIN / 2;
  dpd_whole_row r = {.gap = 0};
  for (int j = 0; j < k; j++) {
    a[j] = zero ? 0 : ldexp(a[j], power[j] - top + w->bits);
    if (fabs(a[j]) < NEGLIGIBLE) a[j] = 0;
    r.a[j] = (int64_t)rint(a[j]);
    size += fabs(rint(a[j]));
  }
  /* of a row of zeros the sign is all that counts */
  y = zero ? (y > 0) - (y < 0) : clamped(ldexp(y, w->bits - top), MOST_RESPONSE);
  int64_t room = (int64_t)floor(w->tie * size);
  r.top = (dpd_i128)rint(clamped(less_origin(w->lattice, k, y, a), beyond)) + room;
  r.gap = 2 * room;
  *scale = top;
  return r;
}
