/* order_stat.c - order statistics of numbers that stay where they are.
 *
 * METHOD: two order statistics of a sample spread over the positions bracket the wanted one
 *   but for a small chance; one pass without branches counts what is below the bracket and
 *   copies what is inside, and quickselect finishes on the copy. If the bracket
 *   misses, quickselect takes all.
 * COST: one pass over n and O(n^(2/3)) more, expected; O(n log n) at worst.
 * DEGENERATE: with many ties the bracket may hold everything, which costs a pass more.
 * REFERENCE: Floyd and Rivest (1975), Expected time bounds for selection.
 */
#include "num/order_stat.h"

#include <math.h>
#include <string.h>

#include "num/select.h"

enum { SHORT = 600, SAMPLE = 1024 };

static double select_copy(const double *x, size_t n, size_t k, double *work)
{
  memcpy(work, x, n * sizeof *work);
  dpd_select_range(work, n, k, k);
  return work[k];
}

/* Sample ranks that lie around rank k of n with some standard deviations to spare. */
static void bracket(const double *x, size_t n, size_t k, double *lo, double *hi)
{
  double sample[SAMPLE];
  size_t size = (size_t)pow((double)n, 2.0 / 3.0);
  if (size > SAMPLE) size = SAMPLE;
  for (size_t i = 0; i < size; i++)
    sample[i] = x[i * n / size];
  double p = ((double)k + 0.5) / (double)n, s = (double)size;
  double at = p * s, spread = 3 * sqrt(p * (1 - p) * s) + 1;
  size_t first = 0;
  *lo = -INFINITY;
  *hi = INFINITY;
  if (at - spread >= 0) {
    first = (size_t)(at - spread);
    dpd_select_range(sample, size, first, first);
    *lo = sample[first];
  }
  if (at + spread < s) {
    size_t last = (size_t)(at + spread);
    dpd_select_range(sample + first, size - first, last - first, last - first);
    *hi = sample[last];
  }
}

double dpd_order_statistic(const double *x, size_t n, size_t k, double *work)
{
  if (n < SHORT) return select_copy(x, n, k, work);
  double lo, hi;
  bracket(x, n, k, &lo, &hi);
  size_t below = 0, inside = 0;
  for (size_t i = 0; i < n; i++) {
    double v = x[i];
    work[inside] = v; /* overwritten unless it is kept; never past i */
    below += v < lo;
    inside += (v >= lo) & (v <= hi);
  }
  if (k < below || k >= below + inside) return select_copy(x, n, k, work);
  dpd_select_range(work, inside, k - below, k - below);
  return work[k - below];
}

/* Ranks first..last (zero-based) of a copy, sorted. */
static void window_of_copy(const double *x, size_t n, size_t first, size_t last, double *out,
                           double *work)
{
  memcpy(work, x, n * sizeof *work);
  dpd_select_range(work, n, first, last);
  memcpy(out, work + first, (last - first + 1) * sizeof *out);
}

void dpd_order_window(const double *x, size_t n, ptrdiff_t from, ptrdiff_t to, double *out,
                      double *work)
{
  for (; from <= to && from < 1; from++)
    *out++ = -INFINITY;
  for (; to >= from && to > (ptrdiff_t)n; to--)
    out[to - from] = INFINITY;
  if (to < from) return;
  size_t first = (size_t)from - 1, last = (size_t)to - 1;
  if (n < SHORT || last - first > n / 8) {
    window_of_copy(x, n, first, last, out, work);
    return;
  }
  double lo, hi, other;
  bracket(x, n, first, &lo, &other);
  bracket(x, n, last, &other, &hi);
  size_t below = 0, inside = 0;
  for (size_t i = 0; i < n; i++) {
    double v = x[i];
    work[inside] = v;
    below += v < lo;
    inside += (v >= lo) & (v <= hi);
  }
  if (first < below || last >= below + inside) {
    window_of_copy(x, n, first, last, out, work);
    return;
  }
  dpd_select_range(work, inside, first - below, last - below);
  memcpy(out, work + (first - below), (last - first + 1) * sizeof *out);
}
