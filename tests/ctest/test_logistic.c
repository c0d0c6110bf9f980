/* test_logistic.c - tables of smoothed distribution functions: the error is below 1e-8. */
#include "num/logistic.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ctest.h"
#include "num/sort.h"

static uint64_t state = 7;

static double next(void)
{
  state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (double)(state >> 11) * 0x1p-53;
}

/* The largest error of value and scaled slope between the window's ends. */
static void errors(const double *y, size_t n, double s, double lo, double hi, double *value,
                   double *slope)
{
  int nodes = (int)dpd_logistic_nodes(hi - lo, s);
  double *work = malloc(dpd_logistic_scratch(nodes));
  dpd_logistic_table t = {.node = malloc(2 * (size_t)nodes * sizeof(double))};
  dpd_logistic_build(&t, y, n, (dpd_logistic_window){s, lo, hi}, work);
  *value = *slope = 0;
  for (int k = 0; k <= 2000; k++) {
    double q = lo + (hi - lo) * k / 2000, g, d, d0, g0 = dpd_logistic_mean(y, n, s, q, &d0);
    CHECK(dpd_logistic_look_up(&t, q, &g, &d));
    *value = fmax(*value, fabs(g - g0));
    *slope = fmax(*slope, fabs(d - d0) / s);
  }
  free(work);
  free(t.node);
}

static void tables_are_right(void)
{
  double y[200], value, slope;
  for (int i = 0; i < 200; i++)
    y[i] = 4 * next() - 2;
  static const double s[] = {1e-3, 0.5, 3, 10, 400};
  for (int k = 0; k < 5; k++) {
    for (int n = 1; n <= 200; n = n == 1 ? 3 : n == 3 ? 200 : 201) {
      double margin = k == 4 ? 0.1 : 24 / s[k];
      errors(y, (size_t)n, s[k], -2 - margin, 2 + margin, &value, &slope);
      CHECK(value < 1e-8);
      CHECK(slope < 1e-6);
      /* a window within the data: what lies far off counts as steps */
      errors(y, (size_t)n, s[k], -0.3, 0.4, &value, &slope);
      CHECK(value < 1e-8);
      CHECK(slope < 1e-6);
    }
  }
  /* one number: the worst case of the cubic, which 5e-9 bounds */
  errors(y, 1, 1, y[0] - 4, y[0] + 4, &value, &slope);
  CHECK(value > 1e-9 && value < 6e-9);
}

static void sums_near_a_point_are_all(void)
{
  double y[500], one;
  for (int i = 0; i < 500; i++)
    y[i] = tan(3.14159 * (next() - 0.5));
  dpd_sort_inplace(y, 500);
  for (int k = 0; k < 500; k++) {
    double s = ldexp(1, k % 20 - 4), q = 20 * next() - 10;
    one = dpd_logistic_mean(y, 500, s, q, NULL);
    CHECK(fabs(dpd_logistic_sorted(y, 500, s, q) - one) < 1e-14);
  }
  CHECK(dpd_logistic_sorted(y, 500, 1, -1e9) >= 0);
  CHECK(dpd_logistic_sorted(y, 500, 1, 1e9) == 1);
}

static void outside_is_said(void)
{
  double y = 0, node[2 * 64], *work = malloc(dpd_logistic_scratch(64)), g;
  dpd_logistic_table t = {.node = node};
  dpd_logistic_build(&t, &y, 1, (dpd_logistic_window){1, 0, 0}, work);
  CHECK(t.nodes == 2);
  CHECK(dpd_logistic_look_up(&t, 0, &g, NULL) && fabs(g - 0.5) < 1e-8);
  CHECK(!dpd_logistic_look_up(&t, -1e-9, &g, NULL));
  CHECK(!dpd_logistic_look_up(&t, 1, &g, NULL));
  free(work);
}

int main(void)
{
  tables_are_right();
  sums_near_a_point_are_all();
  outside_is_said();
  return ctest_report("logistic");
}
