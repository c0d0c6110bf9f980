/* center.c - rows seen from a point.
 *
 * METHOD: v_i = x_i - p. With e_1.. the errors of the coordinates, row i gets the pooled bound
 *   e = sum e_k + DPD_COORDINATE_EPS sum (|x_ik| + |p_k|), in which the second term pays the
 *   rounding of the difference. Rows whose largest coordinate is at most e are at p: left out.
 * COST: O(n d); room for n rows, the caller's.
 * DEGENERATE: exact numbers (all errors 0) have e = 0, so that only rows equal to p are left out.
 *   All rows at p, or none given: returns 0.
 */
#include "plane/center.h"

#include <math.h>

#include "plane/angle.h"

static double sum_of(const double *err, int d)
{
  double sum = 0;
  for (int k = 0; k < d; k++)
    sum += err[k];
  return sum;
}

bool dpd_center_exact(const double *err, int d)
{
  return !(sum_of(err, d) > 0);
}

int dpd_center_rows(const double *const *x, int n, int d, const double *p, const double *err,
                    const dpd_centered *out)
{
  double pad = sum_of(err, d);
  int away = 0;
  for (int i = 0; i < n; i++) {
    double largest = 0, sizes = 0;
    for (int k = 0; k < d; k++) {
      double off = x[k][i] - p[k];
      out->v[k][away] = off;
      if (fabs(off) > largest) largest = fabs(off);
      sizes += fabs(x[k][i]) + fabs(p[k]);
    }
    out->e[away] = pad > 0 ? pad + DPD_COORDINATE_EPS * sizes : 0;
    if (out->size != NULL) out->size[away] = largest;
    if (out->row != NULL) out->row[away] = i;
    away += largest > out->e[away];
  }
  return away;
}
