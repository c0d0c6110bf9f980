/* select.c - selection of order statistics.
 *
 * METHOD: quickselect with Hoare's partition (balanced under ties). The pivot of a long part is
 *   chosen by Floyd and Rivest: the wanted rank is first selected, recursively, within a
 *   small window around it, which makes the pivot fall next to the rank. The window of ranks
 *   lo..hi is cut out from both ends and sorted. A part that is still long after 2 log2(n)
 *   partitions is sorted instead.
 * COST: about 1.5 n comparisons per rank, expected; O(n log n) at worst.
 * DEGENERATE: constant vectors split in halves; lo = 0 or hi = n - 1 cut one side only.
 * REFERENCE: Floyd and Rivest (1975), Algorithm 489: SELECT.
 */
#include "num/select.h"

#include <math.h>

#include "num/sort.h"

enum { SAMPLE_FROM = 600, SHORT = 32 };

/* Moves rank k of x[left..right] to its place, smaller ones before it, larger ones after. */
static void select_rank(double *x, size_t left, size_t right, size_t k, int depth)
{
  while (right - left > SHORT) {
    if (depth-- <= 0) break;
    if (right - left > SAMPLE_FROM) {
      double n = (double)(right - left + 1), i = (double)(k - left), z = log(n);
      double s = 0.5 * exp(2.0 * z / 3.0);
      double sd = 0.5 * sqrt(z * s * (n - s) / n) * (i < n / 2.0 ? -1.0 : 1.0);
      double a = (double)k - i * s / n + sd, b = (double)k + (n - i) * s / n + sd;
      size_t from = a > (double)left ? (size_t)a : left;
      size_t to = b < (double)right ? (size_t)b : right;
      if (from > k) from = k;
      if (to < k) to = k;
      select_rank(x, from, to, k, depth);
    }
    double pivot = x[k];
    size_t i = left, j = right;
    /* the sentinels that keep both scans inside the part are the pivot's own copies */
    while (i <= j) {
      while (x[i] < pivot)
        i++;
      while (x[j] > pivot)
        j--;
      if (i <= j) {
        double t = x[i];
        x[i] = x[j];
        x[j] = t;
        i++;
        if (j == 0) break;
        j--;
      }
    }
    if (k <= j)
      right = j;
    else if (k >= i)
      left = i;
    else
      return; /* between the parts: equal to the pivot */
  }
  dpd_sort_inplace(x + left, right - left + 1);
}

void dpd_select_range(double *x, size_t n, size_t lo, size_t hi)
{
  int depth = 4;
  for (size_t m = n; m > 0; m >>= 1)
    depth += 2;
  select_rank(x, 0, n - 1, lo, depth);
  if (hi > lo) {
    select_rank(x, lo + 1, n - 1, hi, depth);
    dpd_sort_inplace(x + lo, hi - lo + 1);
  }
}
