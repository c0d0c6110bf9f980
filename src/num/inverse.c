/* inverse.c - inverses of small square matrices.
 *
 * METHOD: Gauss-Jordan elimination with partial pivoting.
 * COST: O(d^3).
 * DEGENERATE: rows of very different size should be scaled first: pivots are compared as they are.
 */
#include "num/inverse.h"

#include <math.h>

static void swap_rows(double *m, int d, int i, int j)
{
  for (int k = 0; k < d; k++) {
    double t = m[i * d + k];
    m[i * d + k] = m[j * d + k];
    m[j * d + k] = t;
  }
}

bool dpd_invert(double *m, double *inverse, int d, double smallest)
{
  for (int k = 0; k < d; k++) {
    int p = k;
    for (int i = k + 1; i < d; i++)
      if (fabs(m[i * d + k]) > fabs(m[p * d + k])) p = i;
    if (!(fabs(m[p * d + k]) > smallest)) return false;
    swap_rows(m, d, k, p);
    swap_rows(inverse, d, k, p);
    double f = 1 / m[k * d + k];
    for (int j = 0; j < d; j++) {
      m[k * d + j] *= f;
      inverse[k * d + j] *= f;
    }
    for (int i = 0; i < d; i++) {
      double g = m[i * d + k];
      if (i == k || g == 0) continue;
      for (int j = 0; j < d; j++) {
        m[i * d + j] -= g * m[k * d + j];
        inverse[i * d + j] -= g * inverse[k * d + j];
      }
    }
  }
  return true;
}
