/* power_of_two.c - whether numbers are integers, and units of measurement that are powers of two.
 *
 * METHOD: division by a power of two rounds nothing, so a change of unit changes no comparison. The
 *   spread uses quantiles, so that a unit is not chosen by outliers.
 * COST: O(n) each. The spread takes two selections, and two more each time that it must look
 *   further out, log2 n times at most; n doubles of work.
 * DEGENERATE: more than half of the numbers equal: quantiles further out are used; all equal: 0. A
 *   spread above 2^1023 is 2^1023.
 */
#include "num/power_of_two.h"

#include <math.h>
#include <string.h>

#include "num/select.h"

bool dpd_all_integers(const double *x, size_t n, double limit)
{
  for (size_t i = 0; i < n; i++)
    if (!(fabs(x[i]) <= limit) || x[i] != floor(x[i])) return false;
  return true;
}

double dpd_spread(const double *x, size_t n, double *work)
{
  memcpy(work, x, n * sizeof *work);
  for (size_t tail = n / 4;; tail /= 2) {
    dpd_select_range(work, n, tail, tail);
    double low = work[tail];
    dpd_select_range(work, n, n - 1 - tail, n - 1 - tail);
    /* halves, since the difference of two doubles may overflow */
    double half = 0.5 * work[n - 1 - tail] - 0.5 * low;
    if (half > 0 || tail == 0) return half > 0 ? fmin(2 * half, 0x1p1023) : 0;
  }
}

int dpd_unit_exponent(double s)
{
  int exponent;
  frexp(s, &exponent);
  return exponent;
}

void dpd_change_unit(const double *x, size_t n, int exponent, double *out)
{
  const double most = 0x1p500;
  for (size_t i = 0; i < n; i++) {
    double v = ldexp(x[i], -exponent);
    out[i] = v > most ? most : v < -most ? -most : v;
  }
}
