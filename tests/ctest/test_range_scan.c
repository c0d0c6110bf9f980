/* test_range_scan.c - numbers between bounds, against a plain loop. */
#include <math.h>

#include "ctest.h"
#include "num/range_scan.h"

enum { MOST = 40, SPARE = 3 };

static uint64_t state = 1;

static double next_number(void)
{
  static const double some[] = {-INFINITY, -1, -0.0, 0, 1, 2, 0x1p-1074, INFINITY};
  state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return some[state >> 61];
}

/* Kept numbers, in order and in place as well, and the counts. */
static bool keeps_right(const double *x, size_t n, double lo, double hi)
{
  double want[MOST], got[MOST + SPARE];
  size_t kept = 0, less = 0, below = 99, i;
  for (i = 0; i < n; i++) {
    less += x[i] < lo;
    if (x[i] >= lo && x[i] <= hi) want[kept++] = x[i];
  }
  got[n] = 77; /* no more room than n is asked for */
  if (dpd_range_keep(x, n, lo, hi, got, &below) != kept || below != less || got[n] != 77)
    return false;
  for (i = 0; i < kept; i++)
    if (got[i] != want[i] || signbit(got[i]) != signbit(want[i])) return false;
  for (i = 0; i < n; i++)
    got[i] = x[i];
  if (dpd_range_keep(got, n, lo, hi, got, &below) != kept || below != less) return false;
  for (i = 0; i < kept; i++)
    if (got[i] != want[i]) return false;
  return true;
}

static bool counts_right(const double *x, size_t n, double t)
{
  size_t le = 0, ge = 0, below = 99, above = 99;
  for (size_t i = 0; i < n; i++) {
    le += x[i] <= t;
    ge += x[i] >= t;
  }
  dpd_range_sides(x, n, t, &below, &above);
  return below == le && above == ge;
}

static bool distances_right(const double *x, size_t n)
{
  double got[MOST];
  dpd_range_distances(x, n, 1.5, got);
  for (size_t i = 0; i < n; i++)
    if (got[i] != fabs(x[i] - 1.5)) return false;
  return true;
}

static void test_numbers(void)
{
  bool kept = true, counted = true, distant = true;
  for (int round = 0; round < 4000; round++) {
    double x[MOST], lo = next_number(), hi = next_number();
    size_t n = (size_t)round % (MOST + 1);
    for (size_t i = 0; i < n; i++)
      x[i] = next_number();
    kept = kept && keeps_right(x, n, lo, hi);
    counted = counted && counts_right(x, n, lo);
    distant = distant && distances_right(x, n);
  }
  CHECK(kept);
  CHECK(counted);
  CHECK(distant);
}

int main(void)
{
  test_numbers();
  return ctest_report("range_scan");
}
