/* test_directions.c - public directions: unit, with axes, the same for ever, no sequence twice. */
#include "num/directions.h"

#include <math.h>
#include <stdlib.h>

#include "ctest.h"

static void rows_are_unit_and_axes_lead(void)
{
  enum { N = 40 };
  for (int d = 1; d <= 9; d++) {
    double *u = malloc((size_t)d * N * sizeof *u);
    double *work = malloc(dpd_directions_scratch(d));
    dpd_directions(3, true, N, d, u, work);
    for (int i = 0; i < N; i++) {
      double square = 0;
      for (int j = 0; j < d; j++) {
        double v = u[i + j * N];
        square += v * v;
        CHECK(v * 0x1p40 == nearbyint(v * 0x1p40));
        if (i < d && d > 1) CHECK(v == (i == j ? 1 : 0));
      }
      CHECK(fabs(square - 1) < 1e-11);
    }
    free(work);
    free(u);
  }
}

/* The golden numbers of tests/testthat/test-directions.R (data-raw/directions.py). */
static void values_stay(void)
{
  double u[6], work[2];
  dpd_directions(7, false, 2, 3, u, work);
  CHECK(u[0] * 0x1p40 == 215548570207.0);
  CHECK(u[2] * 0x1p40 == 666166843568.0);
  CHECK(u[4] * 0x1p40 == -847753720149.0);
  CHECK(u[1] * 0x1p40 == -816778411560.0);
}

static void seeds_differ(void)
{
  double a[2], b[2], work[1];
  dpd_directions(0, false, 1, 2, a, work);
  dpd_directions(1, false, 1, 2, b, work);
  CHECK(a[0] != b[0] && a[1] != b[1]);
}

int main(void)
{
  rows_are_unit_and_axes_lead();
  values_stay();
  seeds_differ();
  return ctest_report("directions");
}
