/* test_projection_center.c - the point near all centres: two ways to the same value; windows of
 * order statistics. */
#include "margin/projection_center.h"

#include <math.h>
#include <stdlib.h>

#include "ctest.h"
#include "ctest_memory.h"
#include "ellipsoid.h"
#include "num/order_stat.h"

static uint64_t state = 11;

static double next(void)
{
  state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (double)(state >> 11) * 0x1p-53 - 0.5;
}

/* Random directions behind the axes; bounds of locations near u'(1, ..., 1). */
static void fill(dpd_projection_center *c, double *dirs, double *lower, double *upper,
                 double *least, double width)
{
  for (int u = 0; u < c->count; u++) {
    double norm = 0, at = 0;
    for (int j = 0; j < c->d; j++) {
      double v = u < c->d ? u == j : next();
      dirs[u * c->d + j] = v;
      norm += v * v;
    }
    for (int j = 0; j < c->d; j++)
      at += dirs[u * c->d + j] /= sqrt(norm);
    lower[u] = at + 0.1 * next();
    upper[u] = lower[u] + width * (next() + 0.5);
    least[u] = 1 + next();
  }
}

/* One variable with two centres that are k apart, in units: at least k / 2, whatever is rounded. */
static void check_outward(void)
{
  double dirs[2] = {1, 1}, lower[2] = {0}, upper[2] = {0}, least[2] = {1, 1}, value;
  void *work = malloc(dpd_projection_center_scratch(2, 1));
  uint64_t *big = NULL;
  dpd_projection_center c = {2, 1, dirs, lower, upper, least, 1, &big, ctest_alloc};
  for (int i = 0; i < 50; i++) {
    lower[1] = upper[1] = next() + 0.5;
    dpd_projection_center_value(&c, &value, work);
    CHECK(value >= lower[1] / 2 && value <= lower[1] / 2 + 1e-6);
  }
  free(work);
}

static void check_central(int d, int count, double width)
{
  size_t size = (size_t)count;
  double *dirs = malloc(size * (size_t)d * sizeof *dirs), *lower = malloc(size * sizeof *lower);
  double *upper = malloc(size * sizeof *upper), *least = malloc(size * sizeof *least);
  double *a = malloc(2 * size * (size_t)d * sizeof *a), *b = malloc(2 * size * sizeof *b);
  void *work = malloc(dpd_projection_center_scratch(count, d));
  uint64_t *big = NULL;
  dpd_projection_center c = {count, d, dirs, lower, upper, least, 1, &big, ctest_alloc};
  fill(&c, dirs, lower, upper, least, width);
  double value, below = 0, above = INFINITY;
  dpd_projection_center_value(&c, &value, work);
  for (int u = 0; u < 2 * count; u++) {
    for (int j = 0; j < d; j++)
      a[u * d + j] = dirs[u / 2 * d + j] / least[u / 2];
    b[u] = (u % 2 ? upper : lower)[u / 2] / least[u / 2];
  }
  dpd_equations e = {2 * count, d, a, b};
  double *x = calloc((size_t)d, sizeof *x);
  ellipsoid_cut(&e, x, 100, 1e-7, &below, &above, work);
  CHECK(above - below <= 1e-7);
  CHECK(value >= below - 1e-9);
  CHECK(value <= above + 1e-9);
  /* wider bounds, a larger value */
  for (int u = 0; u < count; u++) {
    lower[u] -= 0.01;
    least[u] *= 0.99;
  }
  double wider;
  dpd_projection_center_value(&c, &wider, work);
  CHECK(wider >= value);
  /* centres too far off for doubles */
  for (int u = 0; u < count; u++)
    lower[u] = upper[u] = 1e12;
  dpd_projection_center_value(&c, &wider, work);
  CHECK(wider == INFINITY);
  free(dirs), free(lower), free(upper), free(least), free(a), free(b), free(work), free(x);
}

static int compare(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void check_window(int n, int from, int to, int kinds)
{
  double *x = malloc((size_t)n * sizeof *x), *work = malloc((size_t)n * sizeof *work);
  double *out = malloc((size_t)(to - from + 1) * sizeof *out);
  for (int i = 0; i < n; i++)
    x[i] = kinds > 0 ? floor(kinds * next()) : next();
  dpd_order_window(x, (size_t)n, from, to, out, work);
  qsort(x, (size_t)n, sizeof *x, compare);
  for (int r = from; r <= to; r++) {
    double want = r < 1 ? -INFINITY : r > n ? INFINITY : x[r - 1];
    CHECK(out[r - from] == want);
  }
  free(x), free(work), free(out);
}

/* Powers of two change nothing, down to where scales are not safe any more; above 2^1000, nothing
 * that matters. (Squares of 1/least used to overflow below 1e-154, and the value was that of x =
 * 0.) */
static void check_powers(int d, int count)
{
  size_t size = (size_t)count;
  double *dirs = malloc(size * (size_t)d * sizeof *dirs), *lower = malloc(size * sizeof *lower);
  double *upper = malloc(size * sizeof *upper), *least = malloc(size * sizeof *least);
  void *work = malloc(dpd_projection_center_scratch(count, d));
  double value, here;
  uint64_t *big = NULL;
  dpd_projection_center c = {count, d, dirs, lower, upper, least, 1, &big, ctest_alloc};
  fill(&c, dirs, lower, upper, least, 0.2);
  dpd_projection_center_value(&c, &value, work);
  for (int power = -880; power <= 880; power += 40) {
    int step = power == -880 ? -880 : 40;
    for (int u = 0; u < count; u++) {
      lower[u] = ldexp(lower[u], step);
      upper[u] = ldexp(upper[u], step);
      least[u] = ldexp(least[u], step);
    }
    dpd_projection_center_value(&c, &here, work);
    CHECK(here == value);
  }
  free(dirs), free(lower), free(upper), free(least), free(work);
}

int main(void)
{
  ctest_memory pool = {NULL, 0};
  ctest_pool = &pool;
  check_outward();
  for (int d = 1; d <= 5; d++)
    check_powers(d, 10 * d);
  for (int d = 1; d <= 5; d++)
    for (int round = 0; round < 5; round++)
      check_central(d, 10 * d, round == 0 ? 0 : 0.2);
  for (int round = 0; round < 20; round++) {
    check_window(5000, 2400, 2600, round % 4);
    check_window(5000, -5, 30, round % 4);
    check_window(5000, 4980, 5010, round % 4);
    check_window(20, -3, 25, round % 4);
    check_window(7, 9, 12, 0);
    check_window(7, -4, 0, 0);
  }
  ctest_free(&pool);
  return ctest_report("projection_center");
}
