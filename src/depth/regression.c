/* regression.c - weighted regression depth of given lines.
 *
 * METHOD: with rows in the order of x, P_i = [r_i >= 0], N_i = [r_i <= 0] and D_k the sum of
 *   above P_i - below N_i over the rows before the k-th split, the two signs of w weigh
 *       above sum P - D_k   and   below sum N + D_k,
 *   so one pass finds the least: min(above sum P - max D, below sum N + min D).
 * COST: O(n) per fit, after O(n log n) for the order of x.
 * DEGENERATE: equal x are never split; all x equal: D = 0 and the sum over all rows remain. A
 *   residual is zero if it is smaller than the rounding errors of its terms.
 * REFERENCE: Rousseeuw and Hubert (1999), Regression depth.
 */
#include "depth/regression.h"

#include <math.h>
#include <string.h>

#include "num/scratch.h"
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

int dpd_rank_groups(const double *x, int n, double pad, int *group, double *work)
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
  return n > 0 ? g + 1 : 0;
}

void dpd_lines_open(dpd_lines *l, double *work)
{
  l->weights = (dpd_regression_weights){1, 1};
  l->groups = dpd_rank_groups(l->x, l->n, l->pad, l->group, work);
}

void dpd_residual_signs(const dpd_residuals *r, const double *b, size_t step, signed char *sign)
{
  for (int i = 0; i < r->n; i++) {
    double fit = b[0], size = fabs(r->y[i]) + fabs(b[0]);
    for (int j = 0; j < r->p; j++) {
      double term = b[(size_t)(j + 1) * step] * r->x[(size_t)i + (size_t)j * (size_t)r->n];
      fit += term;
      size += fabs(term);
    }
    bool zero = !(fabs(r->y[i] - fit) > r->tolerance * size);
    sign[i] = (signed char)(zero ? 0 : r->y[i] > fit ? 1 : -1);
  }
}

void dpd_regression_net(const signed char *sign, int n, dpd_regression_weights weights,
                        dpd_regression_nets *out)
{
  const int a = weights.above, b = weights.below, net[] = {-b, a - b, a};
  int above = 0, below = 0;
  for (int i = 0; i < n; i++) {
    out->net[i] = net[sign[i] + 1];
    above += sign[i] >= 0;
    below += sign[i] <= 0;
  }
  out->up = a * above;
  out->down = b * below;
}

int dpd_regression_weight_along(const dpd_regression_nets *f, const int *group, int n, int groups,
                                int *sums)
{
  int sum = 0, lowest = 0, highest = 0;
  memset(sums, 0, (size_t)groups * sizeof *sums);
  for (int i = 0; i < n; i++)
    sums[group[i]] += f->net[i];
  for (int g = 0; g < groups; g++) {
    sum += sums[g];
    lowest = sum < lowest ? sum : lowest;
    highest = sum > highest ? sum : highest;
  }
  int up = f->up - highest, down = f->down + lowest;
  return up < down ? up : down;
}

static size_t thread_size(int n)
{
  dpd_scratch s = {NULL, 0};
  dpd_scratch_take(&s, (size_t)n, sizeof(int));
  dpd_scratch_take(&s, (size_t)n, sizeof(int));
  dpd_scratch_take(&s, (size_t)n, 1);
  return s.used;
}

size_t dpd_regression_depths_scratch(int n, int threads)
{
  return dpd_scratch_size(thread_size(n), threads);
}

void dpd_regression_depths(const dpd_lines *l, const dpd_residuals *r, const dpd_fits *fits,
                           int threads, int *depth, void *scratch)
{
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) schedule(static, 1)
#endif
  for (int t = 0; t < threads; t++) {
    dpd_scratch s = dpd_scratch_part(scratch, thread_size(l->n), t);
    int *sums = dpd_scratch_take(&s, (size_t)l->n, sizeof *sums);
    dpd_regression_nets f = {.net = dpd_scratch_take(&s, (size_t)l->n, sizeof(int))};
    signed char *sign = dpd_scratch_take(&s, (size_t)l->n, 1);
    for (int k = t; k < fits->m; k += threads) {
      dpd_residual_signs(r, fits->b + k, (size_t)fits->m, sign);
      dpd_regression_net(sign, l->n, l->weights, &f);
      depth[k] = dpd_regression_weight_along(&f, l->group, l->n, l->groups, sums);
    }
  }
}
