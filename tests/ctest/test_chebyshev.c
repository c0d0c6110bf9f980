/* test_chebyshev.c - least largest residuals: known answers, certificates, dependent equations. */
#include "geom/chebyshev.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ctest.h"

static uint64_t state = 3;

static double next(void)
{
  state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (double)(state >> 11) * 0x1p-53 - 0.5;
}

static double largest(const dpd_equations *e, const double *w)
{
  double most = 0;
  for (int u = 0; u < e->count; u++) {
    double r = -e->b[u];
    for (int j = 0; j < e->d; j++)
      r += e->a[u * e->d + j] * w[j];
    most = fmax(most, fabs(r));
  }
  return most;
}

static void solve(const dpd_equations *e, double *w, double *lower, double *upper)
{
  void *scratch = malloc(dpd_chebyshev_scratch(e->count, e->d));
  dpd_chebyshev(e, w, lower, upper, scratch);
  CHECK(*lower <= *upper);
  CHECK(fabs(largest(e, w) - *upper) < 1e-9 * (1 + *upper));
  free(scratch);
}

static void midrange_and_chebyshev(void)
{
  double a[] = {1, 1, 1, 1}, b[] = {0, 10, 3, -4}, w[2], lower, upper;
  dpd_equations e = {4, 1, a, b};
  solve(&e, w, &lower, &upper);
  CHECK(fabs(w[0] - 3) < 1e-12 && fabs(upper - 7) < 1e-12 && fabs(lower - 7) < 1e-12);
  /* the best line for x^2 at 0, 1/2, 1: x - 1/8, error 1/8 */
  double c[] = {1, 0, 1, 0.5, 1, 1}, y[] = {0, 0.25, 1};
  dpd_equations f = {3, 2, c, y};
  solve(&f, w, &lower, &upper);
  CHECK(fabs(w[0] + 0.125) < 1e-12 && fabs(w[1] - 1) < 1e-12 && fabs(upper - 0.125) < 1e-12);
}

static void gap_closes(void)
{
  for (int round = 0; round < 60; round++) {
    int d = 1 + round % 9, count = 1 + round * 7 % 160;
    double *a = malloc((size_t)(count * d) * sizeof *a), *b = malloc((size_t)count * sizeof *b);
    double w[9], v[9], lower, upper;
    for (int i = 0; i < count * d; i++)
      a[i] = next();
    for (int i = 0; i < count; i++)
      b[i] = next();
    /* some equal rows, some proportional, one that is zero */
    for (int j = 0; j < d && count > 5; j++) {
      a[3 * d + j] = a[j];
      a[4 * d + j] = -2 * a[j];
      a[5 * d + j] = 0;
    }
    dpd_equations e = {count, d, a, b};
    solve(&e, w, &lower, &upper);
    CHECK(upper - lower < 1e-10);
    for (int k = 0; k < 50; k++) {
      for (int j = 0; j < d; j++)
        v[j] = w[j] + ldexp(next(), -(k % 12));
      CHECK(largest(&e, v) >= lower - 1e-12);
    }
    free(a);
    free(b);
  }
}

static void unseen_directions_stay_zero(void)
{
  double a[] = {1, 0, 0, 0, 1, 0, 1, 1, 0}, b[] = {2, 3, 7}, w[3], lower, upper;
  dpd_equations e = {3, 3, a, b};
  solve(&e, w, &lower, &upper);
  CHECK(w[2] == 0);
  CHECK(fabs(upper - 2.0 / 3) < 1e-12);
}

int main(void)
{
  midrange_and_chebyshev();
  gap_closes();
  unseen_directions_stay_zero();
  return ctest_report("chebyshev");
}
