/* sort.c - sorting doubles and whole numbers, with and without a workspace.
 *
 * METHOD: long vectors, least-significant-digit radix sort of the bits, 11 at a time: a double
 *   with the sign bit flipped (or all bits, when it is set) orders as its unsigned integer. All
 *   six histograms are taken in one pass, and a digit that all values share is skipped. Short
 *   vectors and the in-place version: quicksort with Hoare's partition (balanced under ties)
 *   around a median of three, insertion sort for the smallest parts, and heapsort once the
 *   recursion is deeper than 2 log2(n), so that no input is quadratic.
 * COST: O(n) with n doubles of workspace; O(n log n) in place.
 * DEGENERATE: n = 0 or 1 needs no work; constant vectors take one pass.
 * REFERENCE: Knuth (1998), The Art of Computer Programming 3, 5.2.5; Musser (1997), Introspective
 *   sorting and selection algorithms.
 */
#include "num/sort.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "num/insertion_sort.h"

enum {
  INSERTION = 16,
  RADIX_FROM = 400,
  DIGIT_BITS = 11,
  DIGITS = 6,
  DIGIT_SIZE = 1 << DIGIT_BITS
};

DPD_DEFINE_INSERTION_SORT(insertion_sort, double, size_t)

static void sift_down(double *x, size_t root, size_t n)
{
  double v = x[root];
  for (size_t child; (child = 2 * root + 1) < n; root = child) {
    if (child + 1 < n && x[child + 1] > x[child]) child++;
    if (!(x[child] > v)) break;
    x[root] = x[child];
  }
  x[root] = v;
}

static void heap_sort(double *x, size_t n)
{
  for (size_t i = n / 2; i-- > 0;)
    sift_down(x, i, n);
  for (size_t i = n; i-- > 1;) {
    double top = x[0];
    x[0] = x[i];
    x[i] = top;
    sift_down(x, 0, i);
  }
}

static double median_of_three(double a, double b, double c)
{
  if (a > b) {
    double t = a;
    a = b;
    b = t;
  }
  return c < a ? a : c > b ? b : c;
}

/* Hoare: on return x[0..j] <= pivot <= x[j+1..n-1], both parts nonempty. */
static size_t partition(double *x, size_t n)
{
  double pivot = median_of_three(x[0], x[n / 2], x[n - 1]);
  size_t i = 0, j = n - 1;
  for (;; i++, j--) {
    while (x[i] < pivot)
      i++;
    while (x[j] > pivot)
      j--;
    if (i >= j) break;
    double t = x[i];
    x[i] = x[j];
    x[j] = t;
  }
  /* j < n - 1: were the pivot larger than all before it, it would not be the median */
  return j;
}

static void quick_sort(double *x, size_t n, int depth)
{
  while (n > INSERTION) {
    if (depth-- == 0) {
      heap_sort(x, n);
      return;
    }
    size_t left = partition(x, n) + 1;
    if (left < n - left) {
      quick_sort(x, left, depth);
      x += left;
      n -= left;
    } else {
      quick_sort(x + left, n - left, depth);
      n = left;
    }
  }
  insertion_sort(x, n);
}

void dpd_sort_inplace(double *x, size_t n)
{
  int depth = 0;
  for (size_t m = n; m > 0; m >>= 1)
    depth += 2;
  quick_sort(x, n, depth);
}

static uint64_t load_key(const double *x)
{
  uint64_t bits;
  memcpy(&bits, x, sizeof bits);
  return bits ^ ((uint64_t)(-(int64_t)(bits >> 63)) | (UINT64_C(1) << 63));
}

static size_t digit_of(uint64_t key, int digit)
{
  return (size_t)(key >> (digit * DIGIT_BITS)) & (DIGIT_SIZE - 1);
}

/* Counts to offsets. Returns whether all values share the digit. */
static int make_offsets(size_t *count, size_t n)
{
  size_t sum = 0;
  for (size_t b = 0; b < DIGIT_SIZE; b++) {
    size_t c = count[b];
    if (c == n) return 1;
    count[b] = sum;
    sum += c;
  }
  return 0;
}

static void radix_sort(double *x, size_t n, double *work)
{
  size_t count[DIGITS][DIGIT_SIZE];
  memset(count, 0, sizeof count);
  for (size_t i = 0; i < n; i++) {
    uint64_t key = load_key(x + i);
    for (int digit = 0; digit < DIGITS; digit++)
      count[digit][digit_of(key, digit)]++;
  }
  double *from = x, *to = work;
  for (int digit = 0; digit < DIGITS; digit++) {
    if (make_offsets(count[digit], n)) continue;
    for (size_t i = 0; i < n; i++)
      to[count[digit][digit_of(load_key(from + i), digit)]++] = from[i];
    double *t = from;
    from = to;
    to = t;
  }
  if (from != x) memcpy(x, from, n * sizeof *x);
}

void dpd_sort_doubles(double *x, size_t n, double *work)
{
  if (n < RADIX_FROM)
    dpd_sort_inplace(x, n);
  else
    radix_sort(x, n, work);
}

static int by_size(const void *a, const void *b)
{
  int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x > y) - (x < y);
}

void dpd_sort_positions(int64_t *x, size_t n, uint64_t *work)
{
  size_t count[DIGITS][DIGIT_SIZE];
  uint64_t *from = (uint64_t *)x, *to = work;
  if (n < RADIX_FROM) {
    qsort(x, n, sizeof *x, by_size);
    return;
  }
  memset(count, 0, sizeof count);
  for (size_t i = 0; i < n; i++)
    for (int digit = 0; digit < DIGITS; digit++)
      count[digit][digit_of(from[i], digit)]++;
  for (int digit = 0; digit < DIGITS; digit++) {
    if (make_offsets(count[digit], n)) continue;
    for (size_t i = 0; i < n; i++)
      to[count[digit][digit_of(from[i], digit)]++] = from[i];
    uint64_t *t = from;
    from = to;
    to = t;
  }
  if (from != (uint64_t *)x) memcpy(x, from, n * sizeof *x);
}

int64_t dpd_positions_to(const int64_t *x, int64_t n, int64_t z)
{
  int64_t lo = 0, hi = n;
  while (lo < hi) {
    int64_t mid = lo + (hi - lo) / 2;
    if (x[mid] <= z)
      lo = mid + 1;
    else
      hi = mid;
  }
  return lo;
}
