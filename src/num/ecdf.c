/* ecdf.c - exact counts of numbers below and up to a point, without sorting.
 *
 * METHOD: about n buckets of equal width between the ends of a small sample, the end buckets
 *   open. The bucket (y - lo) * scale is a weakly increasing function of y in floating point
 *   too, so numbers of a lower bucket are smaller, and only the point's own bucket has to be
 *   compared with: one of at most eight numbers as it is, a longer one by bisection, after sorting.
 * COST: O(n) to build and O(1) per point if the density is bounded between the sample's ends;
 *   never more than O(n log n) and O(log n). Two counters or doubles per number.
 * DEGENERATE: ties share a bucket. A range of zero, or one that overflows, makes one bucket.
 */
#include "num/ecdf.h"

#include <math.h>
#include <string.h>

#include "num/scratch.h"
#include "num/sort.h"

enum { SAMPLE = 128, MAX_BUCKETS = 1 << 22 };

static int bucket_count(size_t n)
{
  return n < 16 ? 16 : n > MAX_BUCKETS ? MAX_BUCKETS : (int)n;
}

static size_t lay_out(dpd_ecdf *e, size_t n, dpd_scratch a)
{
  e->n = n;
  e->buckets = bucket_count(n);
  e->value = dpd_scratch_take(&a, n + DPD_ECDF_SHORT, sizeof *e->value);
  e->code = dpd_scratch_take(&a, n, sizeof *e->code);
  e->start = dpd_scratch_take(&a, (size_t)e->buckets + 2, sizeof *e->start);
  return a.used;
}

size_t dpd_ecdf_scratch(size_t n)
{
  dpd_ecdf e;
  return lay_out(&e, n, (dpd_scratch){NULL, 0});
}

void dpd_ecdf_open(dpd_ecdf *e, size_t n, void *scratch)
{
  lay_out(e, n, (dpd_scratch){scratch, 0});
  for (int k = 0; k < DPD_ECDF_SHORT; k++)
    e->value[n + (size_t)k] = INFINITY;
}

/* The ends of a sample spread over the positions. */
static void choose_scale(dpd_ecdf *e, const double *y)
{
  size_t size = e->n < SAMPLE ? e->n : SAMPLE;
  double lo = INFINITY, hi = -INFINITY;
  for (size_t k = 0; k < size; k++) {
    double v = y[k * e->n / size];
    if (v < lo) lo = v;
    if (v > hi) hi = v;
  }
  double scale = (double)e->buckets / (hi - lo);
  e->lo = lo;
  e->scale = isfinite(scale) ? scale : 0;
}

/* Counts stand one place ahead, so that placing the numbers turns them into starts. */
static void count_buckets(dpd_ecdf *e, const double *y)
{
  int *cursor = e->start + 1;
  memset(e->start, 0, ((size_t)e->buckets + 2) * sizeof *e->start);
  for (size_t i = 0; i < e->n; i++) {
    int b = dpd_ecdf_bucket(e, y[i]);
    e->code[i] = b;
    cursor[b]++;
  }
}

void dpd_ecdf_build(dpd_ecdf *e, const double *y)
{
  int *cursor = e->start + 1, sum = 0;
  bool longer = false;
  choose_scale(e, y);
  count_buckets(e, y);
  for (int b = 0; b < e->buckets; b++) {
    int count = cursor[b];
    longer |= count > DPD_ECDF_SHORT;
    cursor[b] = sum;
    sum += count;
  }
  for (size_t i = 0; i < e->n; i++)
    e->value[cursor[e->code[i]]++] = y[i];
  if (!longer) return;
  for (int b = 0; b < e->buckets; b++) {
    int from = e->start[b], size = e->start[b + 1] - from;
    if (size > DPD_ECDF_SHORT) dpd_sort_inplace(e->value + from, (size_t)size);
  }
}

/* First position in from..to whose number is above q, or not below it if `closed`. */
static int bisect(const double *v, int from, int to, double q, bool closed)
{
  while (from < to) {
    int mid = from + (to - from) / 2;
    if (closed ? v[mid] < q : v[mid] <= q)
      from = mid + 1;
    else
      to = mid;
  }
  return from;
}

void dpd_ecdf_count_long(const dpd_ecdf *e, int b, double q, int *below, int *up_to)
{
  int from = e->start[b], to = e->start[b + 1];
  *below = bisect(e->value, from, to, q, true);
  *up_to = bisect(e->value, *below, to, q, false);
}
