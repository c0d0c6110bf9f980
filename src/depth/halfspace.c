/* halfspace.c - exact halfspace counts on the line, and of many points.
 *
 * METHOD: on the line the closed count is the smaller of #{x_i >= p} and #{x_i <= p}, by binary
 *   search in the sorted data. Many points: one kernel call each, shared out over threads,
 *   each thread with its own workspace.
 * COST: d = 1: O(n log n + m log n); d = 2: O(m n); d = 3: O(m n^2);
 *   d = 4: O(m n^3).
 */
#include "depth/halfspace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "num/parallel_points.h"
#include "num/sort.h"
#include "plane/angle.h"

/* Whether a is above b by more than rounding; in a as in b it is monotone, so that binary search
 * works. */
static bool exceeds(double a, double b, double e)
{
  return a - b > (e > 0 ? e + DPD_COORDINATE_EPS * (fabs(a) + fabs(b)) : 0);
}

void dpd_halfspace1_sides(const double *sorted, int n, double p, double e, int *below, int *above)
{
  int lo = 0, hi = n; /* towards the first number above p */
  while (lo < hi) {
    int mid = lo + (hi - lo) / 2;
    if (exceeds(sorted[mid], p, e))
      hi = mid;
    else
      lo = mid + 1;
  }
  *above = n - lo;
  lo = 0;
  hi = n; /* towards the first number not below p */
  while (lo < hi) {
    int mid = lo + (hi - lo) / 2;
    if (exceeds(p, sorted[mid], e))
      lo = mid + 1;
    else
      hi = mid;
  }
  *below = lo;
}

void dpd_halfspace1_scan(const double *y, int n, double p, double e, int *below, int *above)
{
  int lt = 0, gt = 0;
  for (int i = 0; i < n; i++) {
    lt += exceeds(p, y[i], e);
    gt += exceeds(y[i], p, e);
  }
  *below = lt;
  *above = gt;
}

int dpd_halfspace1_count(const double *sorted, int n, double p, double e)
{
  int below, above;
  dpd_halfspace1_sides(sorted, n, p, e, &below, &above);
  return n - (below > above ? below : above);
}

static dpd_status count_line(const double *data, int n, const double *points, int m, double e,
                             int *count)
{
  double *sorted = malloc(2 * (size_t)n * sizeof *sorted + 1);
  if (sorted == NULL) return DPD_ERR_MEMORY;
  if (n > 0) memcpy(sorted, data, (size_t)n * sizeof *sorted);
  dpd_sort_doubles(sorted, (size_t)n, sorted + n);
  for (int i = 0; i < m; i++)
    count[i] = dpd_halfspace1_count(sorted, n, points[i], e);
  free(sorted);
  return DPD_OK;
}

typedef struct {
  const double *data, *points, *err;
  int n, d, m;
  int *count;
} task;

static void count_one(void *context, void *work, int i)
{
  const task *t = context;
  const double *x[4] = {NULL}, *err = t->err;
  int n = t->n, *count = t->count + i;
  double p[4];
  for (int k = 0; k < t->d; k++) {
    x[k] = t->data + (size_t)k * (size_t)n;
    p[k] = t->points[(size_t)i + (size_t)k * (size_t)t->m];
  }
  if (t->d == 2)
    dpd_halfspace2_count(x[0], x[1], n, p[0], p[1], err[0], err[1], work, count);
  else if (t->d == 3)
    dpd_halfspace3_count(x[0], x[1], x[2], n, p, err, work, count);
  else
    dpd_halfspace4_count(x, n, p, err, work, count);
}

static size_t work_size(int n, int d)
{
  if (d == 2) return dpd_halfspace2_work_size(n);
  return d == 3 ? dpd_halfspace3_work_size(n) : dpd_halfspace4_work_size(n);
}

dpd_status dpd_halfspace_many(const double *data, int n, int d, const double *points, int m,
                              const double *err, int threads, int *count)
{
  task t = {data, points, err, n, d, m, count};
  if (d == 1) return count_line(data, n, points, m, err[0], count);
  if (d < 1 || d > 4) return DPD_ERR_DOMAIN;
  return dpd_parallel_points_run(m, threads, d == 2 ? 8 : 1, work_size(n, d), count_one, &t);
}
