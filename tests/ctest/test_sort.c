/* test_sort.c - sorting, selection, units and projections. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ctest.h"
#include "num/project.h"
#include "num/select.h"
#include "num/sort.h"
#include "num/power_of_two.h"

enum { MOST = 5000 };

static uint64_t state = 1;

static uint64_t next_word(void)
{
  state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return state >> 16;
}

/* Random, few values, rising, falling, constant, with infinities and both zeros. */
static void fill(double *x, size_t n, int kind)
{
  for (size_t i = 0; i < n; i++) {
    double u = (double)(next_word() & 0xffffffffff) / 0x1p40 - 0.5;
    switch (kind) {
    case 0: x[i] = ldexp(u, (int)(next_word() % 200) - 100); break;
    case 1: x[i] = floor(6 * u); break;
    case 2: x[i] = (double)i; break;
    case 3: x[i] = -(double)i; break;
    case 4: x[i] = 7; break;
    default: x[i] = u > 0.4 ? INFINITY : u < -0.4 ? -INFINITY : u > 0.2 ? 0.0 : u < -0.2 ? -0.0 : u;
    }
  }
}

static int compare(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static int equal(const double *x, const double *y, size_t n)
{
  for (size_t i = 0; i < n; i++)
    if (x[i] != y[i]) return 0;
  return 1;
}

static void test_sort(void)
{
  static double x[MOST], want[MOST], got[MOST], work[MOST];
  static const size_t sizes[] = {0, 1, 2, 3, 15, 17, 100, 399, 400, 1000, MOST};
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
    for (int kind = 0; kind < 6; kind++) {
      size_t n = sizes[k];
      fill(x, n, kind);
      memcpy(want, x, n * sizeof *x);
      qsort(want, n, sizeof *want, compare);
      memcpy(got, x, n * sizeof *x);
      dpd_sort_doubles(got, n, work);
      CHECK(equal(got, want, n));
      memcpy(got, x, n * sizeof *x);
      dpd_sort_inplace(got, n);
      CHECK(equal(got, want, n));
    }
}

static void check_selection(const double *x, const double *want, size_t n, size_t lo, size_t hi)
{
  static double got[MOST];
  memcpy(got, x, n * sizeof *x);
  dpd_select_range(got, n, lo, hi);
  CHECK(equal(got + lo, want + lo, hi - lo + 1));
  int parted = 1;
  for (size_t i = 0; i < lo; i++)
    parted &= got[i] <= got[lo];
  for (size_t i = hi + 1; i < n; i++)
    parted &= got[i] >= got[hi];
  CHECK(parted);
  dpd_sort_inplace(got, n);
  CHECK(equal(got, want, n));
}

static void test_select(void)
{
  static double x[MOST], want[MOST];
  for (int round = 0; round < 300; round++) {
    size_t n = 1 + next_word() % (round % 10 == 0 ? MOST : 100);
    fill(x, n, round % 6);
    memcpy(want, x, n * sizeof *x);
    dpd_sort_inplace(want, n);
    size_t lo = next_word() % n, hi = lo + next_word() % (n - lo);
    check_selection(x, want, n, lo, hi);
    check_selection(x, want, n, lo, lo);
    check_selection(x, want, n, 0, n - 1);
  }
}

static void test_positions(void)
{
  int64_t x[] = {2, 5, 5, 9};
  CHECK(dpd_positions_to(x, 4, 1) == 0 && dpd_positions_to(x, 4, 2) == 1);
  CHECK(dpd_positions_to(x, 4, 5) == 3 && dpd_positions_to(x, 4, 8) == 3);
  CHECK(dpd_positions_to(x, 4, 9) == 4 && dpd_positions_to(x, 0, 9) == 0);
}

static void test_units(void)
{
  double whole[] = {0, -3, 8}, half[] = {0, 0.5}, nan[] = {NAN}, work[8], out[3];
  CHECK(dpd_all_integers(whole, 3, 8));
  CHECK(!dpd_all_integers(whole, 3, 7));
  CHECK(!dpd_all_integers(half, 2, 7));
  CHECK(!dpd_all_integers(nan, 1, 7));
  CHECK(dpd_all_integers(NULL, 0, 7));
  double y[] = {1, 2, 3, 4, 5, 6, 7, 1e300}, most[] = {5, 5, 5, 5, 5, 5, 5, 9},
         wide[] = {-1e308, 1e308};
  CHECK(dpd_spread(y, 8, work) == 3); /* zero-based ranks 2 and 5 */
  CHECK(dpd_spread(most, 8, work) == 4);
  CHECK(dpd_spread(most, 7, work) == 0);
  CHECK(dpd_spread(most, 1, work) == 0);
  CHECK(dpd_spread(wide, 2, work) == 0x1p1023);
  CHECK(dpd_unit_exponent(1) == 1 && dpd_unit_exponent(0.75) == 0 &&
        dpd_unit_exponent(1e-300) < -990);
  double x[] = {3, -1e300, 0};
  dpd_change_unit(x, 3, 1, out);
  CHECK(out[0] == 1.5 && out[1] == -0x1p500 && out[2] == 0);
}

static void test_project(void)
{
  /* rows (1, 4), (2, 5), (3, 6); directions (2, -1) and (1, 1), by rows of a 2 x 2 matrix */
  double x[] = {1, 2, 3, 4, 5, 6}, u[] = {2, 1, -1, 1}, out[3];
  dpd_project_rows(x, 3, 2, u, 2, out);
  CHECK(out[0] == -2 && out[1] == -1 && out[2] == 0);
  dpd_project_rows(x, 3, 2, u + 1, 2, out);
  CHECK(out[0] == 5 && out[1] == 7 && out[2] == 9);
}

int main(void)
{
  test_sort();
  test_positions();
  test_select();
  test_units();
  test_project();
  return ctest_report("sort");
}
