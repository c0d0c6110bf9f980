/* regression.c - regression depth of given fits.
 *
 * METHOD: with rows in the order of x and s_j the sign of residual j, the count for a split after
 *   the k-th different x is N- + S_k, S_k the sum of the signs before it, and for the opposite
 *   signs N+ - S_k: the depth is #{s = 0} + min(N- + min S, N+ - max S).
 * COST: O(n) a fit, after O(n log n) for the order of x.
 * DEGENERATE: equal x are never split; all x equal: S_0 and S_1 remain. A residual is zero if it is
 *   smaller than the rounding errors of its terms.
 * REFERENCE: Rousseeuw and Hubert (1999), Regression depth.
 */
#include "depth/regression.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "num/sort.h"
#include "plane/angle.h"

/* The last of the sorted numbers that is not above v. */
static int rank_of(const double *sorted, int n, double v)
{
  int lo = 0, hi = n - 1;
  while (lo < hi) {
    int mid = lo + (hi - lo + 1) / 2;
    if (sorted[mid] <= v)
      lo = mid;
    else
      hi = mid - 1;
  }
  return lo;
}

void dpd_lines_open(dpd_lines *l, const double *x, const double *y, int n, double pad, int *group,
                    double *work)
{
  double *sorted = work, *rank = work + n;
  memcpy(sorted, x, (size_t)n * sizeof *sorted);
  dpd_sort_doubles(sorted, (size_t)n, rank);
  int g = 0;
  for (int i = 0; i < n; i++) {
    if (i > 0) {
      double error = DPD_COORDINATE_EPS * (fabs(sorted[i]) + fabs(sorted[i - 1]));
      g += sorted[i] - sorted[i - 1] > (pad > 0 ? pad + error : 0);
    }
    rank[i] = g;
  }
  for (int i = 0; i < n; i++)
    group[i] = (int)rank[rank_of(sorted, n, x[i])];
  *l = (dpd_lines){x, y, n, pad, group, n > 0 ? g + 1 : 0};
}

void dpd_residual_signs(const double *x, const double *y, int n, int p, const double *b, int step,
                        double tolerance, signed char *sign)
{
  for (int i = 0; i < n; i++) {
    double r = y[i] - b[0], size = fabs(y[i]) + fabs(b[0]);
    for (int j = 0; j < p; j++) {
      double term = b[(size_t)(j + 1) * (size_t)step] * x[(size_t)i + (size_t)j * (size_t)n];
      r -= term;
      size += fabs(term);
    }
    bool zero = !(fabs(r) > tolerance * size);
    sign[i] = (signed char)(zero ? 0 : r > 0 ? 1 : -1);
  }
}

/* sums: groups + 1 integers */
static int count_depth(const dpd_lines *l, const signed char *sign, int *sums)
{
  int above = 0, below = 0, sum = 0, least = 0, most = 0;
  memset(sums, 0, (size_t)l->groups * sizeof *sums);
  for (int i = 0; i < l->n; i++) {
    sums[l->group[i]] += sign[i];
    above += sign[i] > 0;
    below += sign[i] < 0;
  }
  for (int g = 0; g < l->groups; g++) {
    sum += sums[g];
    if (sum < least) least = sum;
    if (sum > most) most = sum;
  }
  int up = below + least, down = above - most;
  return l->n - above - below + (up < down ? up : down);
}

dpd_status dpd_regression_depths(const dpd_lines *l, const double *intercept, const double *slope,
                                 int m, double tolerance, int threads, int *depth)
{
  int failed = 0;
  if (threads > m) threads = m > 0 ? m : 1;
#ifdef _OPENMP
#pragma omp parallel num_threads(threads) reduction(| : failed)
#endif
  {
    int *sums = malloc(((size_t)l->groups + 1) * sizeof *sums);
    signed char *sign = malloc((size_t)l->n + 1);
    failed = sums == NULL || sign == NULL;
#ifdef _OPENMP
#pragma omp for schedule(static)
#endif
    for (int k = 0; k < m; k++) {
      if (failed) continue;
      double b[2] = {intercept[k], slope[k]};
      dpd_residual_signs(l->x, l->y, l->n, 1, b, 1, tolerance, sign);
      depth[k] = count_depth(l, sign, sums);
    }
    free(sums);
    free(sign);
  }
  (void)threads;
  return failed ? DPD_ERR_MEMORY : DPD_OK;
}
