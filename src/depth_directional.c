/* depth_directional.c - halfspace depth over a finite set of directions, as counts.
 *
 * METHOD: along each direction the data's projections are sorted once. A point whose count is c so
 *   far is left alone unless it lies beyond the c-th smallest or the c-th largest projection,
 *   which two comparisons tell; only then its rank is searched. Data and points are projected by
 *   the same operations, so a point that is a row is tied with it. Each thread keeps counts of
 *   its own and the least are taken at the end: integers, in any order.
 * COST: O(N (n d + m d)) with a radix sort, and a binary search for the few improvements.
 * ROUNDING: projections s and t are tied within sum_j |u_j| err_j + 2^-50 (|s| + |t|).
 * DEGENERATE: n = 0 gives 0; m = 0 does nothing.
 * REFERENCE: Dyckerhoff (2004), Data depths satisfying the projection property.
 */
#include "depth_directional.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "depth_halfspace.h"
#include "num_project.h"
#include "num_sort.h"

typedef struct {
  const double *data, *points, *dirs, *err;
  int n, d, m, dirs_count;
} task;

/* Doubles of a thread's workspace: projections, space to sort, the points' projections. */
static size_t work_size(const task *t)
{
  return 2 * (size_t)t->n + (size_t)t->m + 1;
}

static double tolerance(const task *t, const double *u)
{
  double e = 0;
  for (int j = 0; j < t->d; j++)
    e += fabs(u[(size_t)j * (size_t)t->dirs_count]) * t->err[j];
  return e;
}

static void one_direction(const task *t, int k, double *work, int *count)
{
  const double *u = t->dirs + k;
  const int n = t->n, m = t->m;
  double *row = work, *point = work + 2 * (size_t)n, e = tolerance(t, u);
  dpd_project(t->data, n, t->d, u, (size_t)t->dirs_count, row);
  dpd_project(t->points, m, t->d, u, (size_t)t->dirs_count, point);
  dpd_sort_doubles(row, (size_t)n, row + n);
  for (int i = 0; i < m; i++) {
    /* on the line, both closed counts are c or more between these two rows */
    int c = count[i];
    if (c == 0 || (point[i] >= row[c - 1] && point[i] <= row[n - c])) continue;
    int here = dpd_halfspace1_count(row, n, point[i], e);
    if (here < c) count[i] = here;
  }
}

static void take_least(int *count, const int *other, int m)
{
  for (int i = 0; i < m; i++)
    if (other[i] < count[i]) count[i] = other[i];
}

dpd_status dpd_halfspace_directional(const double *data, int n, int d, const double *points, int m,
                                     const double *dirs, int dirs_count, int from, int to,
                                     const double *err, int threads, int *count)
{
  task t = {data, points, dirs, err, n, d, m, dirs_count};
  int failed = 0;
  if (m == 0 || from >= to) return DPD_OK;
  if (threads > to - from) threads = to - from;
#ifdef _OPENMP
#pragma omp parallel num_threads(threads) reduction(| : failed)
#endif
  {
    double *work = malloc(work_size(&t) * sizeof *work);
    int *own = malloc((size_t)m * sizeof *own);
    failed = work == NULL || own == NULL;
    if (!failed) {
#ifdef _OPENMP
#pragma omp critical(dpd_halfspace_directional_counts)
#endif
      memcpy(own, count, (size_t)m * sizeof *own);
    }
#ifdef _OPENMP
#pragma omp for schedule(dynamic, 1)
#endif
    for (int k = from; k < to; k++)
      if (!failed) one_direction(&t, k, work, own);
    if (!failed) {
#ifdef _OPENMP
#pragma omp critical(dpd_halfspace_directional_counts)
#endif
      take_least(count, own, m);
    }
    free(work);
    free(own);
  }
  (void)threads;
  return failed ? DPD_ERR_MEMORY : DPD_OK;
}
