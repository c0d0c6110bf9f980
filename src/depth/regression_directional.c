/* regression_directional.c - weighted regression depth of fits along public directions.
 *
 * METHOD: along each direction the rows are put in groups of equal u'x, once for all fits; then a
 *   fit takes one pass per direction (depth/regression.c). A fit below the floor is left at once,
 *   and the direction that showed it is taken first from then on: near a good fit, most poor fits
 *   fail along the same few directions.
 * COST: O(count n log n) for the groups, O(n (p + count)) per fit.
 * DEGENERATE: ties in u'x are one split less; where all are equal the two counts of the residuals
 *   remain, the univariate depth of 0 among them.
 * REFERENCE: Rousseeuw and Hubert (1999), Regression depth; Rousseeuw and Struyf (1998), section 4.
 */
#include "depth/regression_directional.h"

#include <string.h>

#include "num/project.h"
#include "num/scratch.h"

static size_t split_size(int n)
{
  dpd_scratch s = {NULL, 0};
  dpd_scratch_take(&s, 3 * (size_t)n, sizeof(double));
  return s.used;
}

size_t dpd_regression_splits_scratch(int n, int threads)
{
  return dpd_scratch_size(split_size(n), threads);
}

void dpd_regression_splits_open(dpd_regression_splits *s, const double *x, int p, const double *u,
                                int threads, void *scratch)
{
  size_t n = (size_t)s->n;
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) schedule(static, 1)
#endif
  for (int t = 0; t < threads; t++) {
    dpd_scratch part = dpd_scratch_part(scratch, split_size(s->n), t);
    double *along = dpd_scratch_take(&part, 3 * n, sizeof *along);
    for (int k = t; k < s->count; k += threads) {
      dpd_project_rows(x, s->n, p, u + k, (size_t)s->count, along);
      s->groups[k] = dpd_rank_groups(along, s->n, 0, s->group + (size_t)k * n, along + n);
    }
  }
}

static size_t fit_size(int n, int count)
{
  dpd_scratch s = {NULL, 0};
  dpd_scratch_take(&s, (size_t)count, sizeof(int));
  dpd_scratch_take(&s, (size_t)n, sizeof(int));
  dpd_scratch_take(&s, (size_t)n, sizeof(int));
  dpd_scratch_take(&s, (size_t)n, 1);
  return s.used;
}

size_t dpd_regression_directional_scratch(int n, int count, int threads)
{
  return dpd_scratch_size(fit_size(n, count), threads);
}

/* The depth along all directions, or -1; they are asked in the given order. */
static int depth_along(const dpd_regression_along *a, const dpd_regression_nets *f, int *sums,
                       int *order)
{
  const dpd_regression_splits *s = a->splits;
  int lowest = f->up < f->down ? f->up : f->down;
  for (int k = 0; k < s->count; k++) {
    int u = order[k];
    int depth = dpd_regression_weight_along(f, s->group + (size_t)u * (size_t)s->n, s->n,
                                            s->groups[u], sums);
    lowest = depth < lowest ? depth : lowest;
    if (lowest >= a->floor) continue;
    memmove(order + 1, order, (size_t)k * sizeof *order);
    order[0] = u;
    return -1;
  }
  return lowest;
}

void dpd_regression_directional(const dpd_regression_along *a, const dpd_fits *fits, int *depth,
                                void *scratch)
{
  int n = a->splits->n, count = a->splits->count, threads = a->threads;
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) schedule(static, 1)
#endif
  for (int t = 0; t < threads; t++) {
    dpd_scratch s = dpd_scratch_part(scratch, fit_size(n, count), t);
    int *order = dpd_scratch_take(&s, (size_t)count, sizeof *order);
    int *sums = dpd_scratch_take(&s, (size_t)n, sizeof *sums);
    dpd_regression_nets f = {.net = dpd_scratch_take(&s, (size_t)n, sizeof(int))};
    signed char *sign = dpd_scratch_take(&s, (size_t)n, 1);
    for (int u = 0; u < count; u++)
      order[u] = u;
    for (int k = t; k < fits->m; k += threads) {
      dpd_residual_signs(a->residuals, fits->b + k, (size_t)fits->m, sign);
      dpd_regression_net(sign, n, a->weights, &f);
      depth[k] = depth_along(a, &f, sums, order);
    }
  }
}
