/* halfspace.c - exact halfspace counts on the line, and of many points.
 *
 * METHOD: on the line the closed count is the smaller of #{x_i >= p} and #{x_i <= p}, by binary
 *   search in the sorted data. Many points: one kernel call each, shared out over threads,
 *   each thread with its own workspace.
 * COST: d = 1: O(n log n + m log n); d = 2: O(m n); d = 3: O(m n^2);
 *   d = 4: O(m n^3). Memory O(n) per thread.
 * DEGENERATE: rows that tie with the point count on both sides, and so do rows within the rounding
 *   error of it; on the line no rows give 0. d above 4: DPD_ERR_DOMAIN.
 * REFERENCE: Tukey (1975), Mathematics and the picturing of data.
 */
#include "depth/halfspace.h"

#include <math.h>
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

static void count_line(const dpd_points *p, int *count, double *sorted)
{
  if (p->n > 0) memcpy(sorted, p->data, (size_t)p->n * sizeof *sorted);
  dpd_sort_doubles(sorted, (size_t)p->n, sorted + p->n);
  for (int i = 0; i < p->m; i++)
    count[i] = dpd_halfspace1_count(sorted, p->n, p->points[i], p->err[0]);
}

typedef struct {
  const dpd_points *points;
  int *count;
} task;

static void count_plane(const dpd_points *q, const double p[2], void *work, int *count)
{
  dpd_plane_rows rows = {q->data, q->data + q->n, q->n, p[0], p[1], q->err[0] + q->err[1],
                         NULL,    NULL,           0};
  dpd_halfspace2_count(&rows, work, count);
}

static void count_one(void *context, void *work, int i)
{
  const task *t = context;
  const dpd_points *q = t->points;
  const double *x[4] = {NULL}, *err = q->err;
  int n = q->n, *count = t->count + i;
  double p[4];
  for (int k = 0; k < q->d; k++) {
    x[k] = q->data + (size_t)k * (size_t)n;
    p[k] = q->points[(size_t)i + (size_t)k * (size_t)q->m];
  }
  if (q->d == 2)
    count_plane(q, p, work, count);
  else if (q->d == 3)
    dpd_halfspace3_count(x, n, p, err, work, count);
  else
    dpd_halfspace4_count(x, n, p, err, work, count);
}

static size_t thread_size(int n, int d)
{
  if (d == 1) return 2 * (size_t)n * sizeof(double);
  if (d == 2) return dpd_halfspace2_scratch(n);
  return d == 3 ? dpd_halfspace3_scratch(n) : dpd_halfspace4_scratch(n);
}

size_t dpd_halfspace_many_scratch(int n, int d, int threads)
{
  return dpd_scratch_size(dpd_parallel_points_share(thread_size(n, d)), threads);
}

dpd_status dpd_halfspace_many(const dpd_points *p, int threads, int *count, void *scratch)
{
  if (p->d < 1 || p->d > 4) return DPD_ERR_DOMAIN;
  size_t size = dpd_parallel_points_share(thread_size(p->n, p->d));
  if (p->d == 1) {
    count_line(p, count, (double *)(void *)dpd_scratch_part(scratch, size, 0).base);
    return DPD_OK;
  }
  task t = {p, count};
  dpd_parallel_points all = {p->m, threads, p->d == 2 ? 8 : 1, size, scratch};
  dpd_parallel_points_run(&all, count_one, &t);
  return DPD_OK;
}
