/* test_median.c - smooth sensitivity of the median against all windows. */
#include <math.h>
#include <stdlib.h>

#include "ctest.h"
#include "sens/median.h"

enum { MOST = 6000 };

static uint64_t state = 7;

static double next_uniform(void)
{
  state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (double)(state >> 24) / 0x1p40;
}

static int compare(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double slow_value(const double *c, int n, int p, double beta)
{
  double most = 0;
  for (int i = 0; i <= p; i++)
    for (int j = p > i ? p : i + 1; j <= n + 1; j++)
      most = fmax(most, exp(-beta * (j - i - 1)) * (c[j] - c[i]));
  return most;
}

/* Sorted numbers in [0, 1] between the bounds 0 and 1: even, heavy at the middle, all equal. */
static void fill(double *c, int n, int kind)
{
  for (int i = 1; i <= n; i++) {
    double u = next_uniform();
    c[i] = kind == 0 ? u : kind == 1 ? (u < 0.8 ? 0.5 : next_uniform()) : 0.25;
  }
  qsort(c + 1, (size_t)n, sizeof *c, compare);
  c[0] = 0;
  c[n + 1] = 1;
}

/* Beyond the levels that are gone through one by one: a wall on the left, and one on the right, a
 * little further away, which far right ends prefer. */
static void check_walls(void)
{
  enum { N = 9000, P = 4500, LEFT = 2490, RIGHT = 6600 };
  static double c[N + 2];
  const double beta = 0.01;
  for (int mirrored = 0; mirrored < 2; mirrored++) {
    double value;
    int at;
    for (int i = 0; i <= N + 1; i++) {
      double v = i <= LEFT ? 0 : i <= RIGHT ? 0.5 : 1;
      c[mirrored ? N + 1 - i : i] = mirrored ? -v : v;
    }
    dpd_sens_median(&(dpd_median_windows){c, N, mirrored ? N + 1 - P : P, beta, 0}, &value, &at);
    CHECK(fabs(value - 0.5 * exp(-beta * (P - LEFT - 1))) <= 1e-9 * value);
    CHECK(at == P - LEFT - 1);
  }
}

int main(void)
{
  check_walls();
  static double c[MOST + 2], profile[MOST];
  static const int sizes[] = {1, 2, 3, 50, 1999, 4500};
  static const double betas[] = {1e-5, 1e-3, 0.05, 3};
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
    for (int kind = 0; kind < 3; kind++)
      for (size_t b = 0; b < sizeof betas / sizeof *betas; b++) {
        int n = sizes[s], p = (n + 1) / 2, at = -2;
        double value = -1;
        fill(c, n, kind);
        if (n > 1000 && ((int)b + kind) % 6 >= ctest_some(6)) continue;
        double want = slow_value(c, n, p, betas[b]);
        dpd_sens_median(&(dpd_median_windows){c, n, p, betas[b], 0}, &value, &at);
        CHECK(fabs(value - want) <= 1e-9 * want + exp(-299));
        dpd_sens_median(&(dpd_median_windows){c, n, p, betas[b], 2}, &value, &at);
        CHECK(value == 2 && at == -1);
      }
  /* nothing within a thousand ranks of the median differs: a bound all the same */
  double value = -1;
  int at = 0;
  for (int i = 1; i <= 4500; i++)
    c[i] = 0.5;
  c[0] = 0;
  c[4501] = 1;
  dpd_sens_median(&(dpd_median_windows){c, 4500, 2250, 0.2, 0}, &value, &at);
  CHECK(value >= 0.5 * exp(-0.2 * 2249));
  /* by hand: 0 | 1 2 4 8 | 9, p = 2 */
  static const double hand[] = {0, 1, 2, 4, 8, 9}, want[] = {2, 6, 7, 8, 9};
  dpd_sens_median_profile(hand, 4, 2, 5, profile);
  for (int k = 0; k < 5; k++)
    CHECK(profile[k] == want[k]);
  return ctest_report("median");
}
