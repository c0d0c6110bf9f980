/* test_medsweep.c - steep rows about centres in a box against a fine grid of centres; the search.
 */
#include <math.h>
#include <stdlib.h>

#include "ctest.h"
#include "ctest_memory.h"
#include "sens/medsweep.h"
#include "sens/medsweep_count.h"

enum { MOST = 40, FINE = 20 };

static uint64_t state = 7;

static int next_below(int size)
{
  state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (int)(state >> 33) % size;
}

static int compare(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double sorted_u[MOST], sorted_v[MOST];

static void sort_both(const double *u, const double *v, int n)
{
  for (int i = 0; i < n; i++) {
    sorted_u[i] = u[i];
    sorted_v[i] = v[i];
  }
  qsort(sorted_u, (size_t)n, sizeof *sorted_u, compare);
  qsort(sorted_v, (size_t)n, sizeof *sorted_v, compare);
}

/* By the ratios themselves. */
static int steep(const double *u, const double *v, int n, double t, double a, double b)
{
  int count = 0;
  for (int i = 0; i < n; i++) {
    double x = u[i] - a, y = v[i] - b;
    if (y == 0)
      count += x > 0 || (x == 0 && t < 0);
    else
      count += x / y > t;
  }
  return count;
}

/* All centres on a grid fine enough to meet every cell of the plane that small whole numbers and
 * the slopes below make. */
static int slow_extreme(const double *u, const double *v, int n, double t, int k, bool most)
{
  int p = (n + 1) / 2, best = most ? -1 : n + 1;
  double u0 = sorted_u[p - 1 - k], u1 = sorted_u[p - 1 + k];
  double v0 = sorted_v[p - 1 - k], v1 = sorted_v[p - 1 + k];
  for (int i = 0; i <= (int)((u1 - u0) * FINE); i++)
    for (int j = 0; j <= (int)((v1 - v0) * FINE); j++) {
      int c = steep(u, v, n, t, u0 + (double)i / FINE, v0 + (double)j / FINE);
      if (most ? c > best : c < best) best = c;
    }
  return best;
}

static void check_reach(const double *u, const double *v, int n)
{
  static const double ts[] = {-1.25, -0.8, -0.625, 0.625, 0.8, 1.25};
  dpd_medsweep_count q = dpd_medsweep_count_make(u, v, n, ctest_alloc);
  for (size_t j = 0; j < sizeof ts / sizeof *ts; j++)
    for (int k = 0; k < q.p; k++)
      for (int most = 0; most < 2; most++) {
        int want = slow_extreme(u, v, n, ts[j], k, most);
        CHECK(dpd_medsweep_count_reach(&q, ts[j], k, want, most));
        /* at the least count rows at the centre need not count, for t below 0 */
        if (most || ts[j] > 0 || k == 0)
          CHECK(!dpd_medsweep_count_reach(&q, ts[j], k, most ? want + 1 : want - 1, most));
      }
}

/* Thresholds -3.5, -2.5, ..., 3.5 in units of `step`, one by one. */
static void check_search(const double *u, const double *v, int n, double step)
{
  dpd_slope slopes = {-4, step, 8};
  dpd_medsweep_count q = dpd_medsweep_count_make(u, v, n, ctest_alloc);
  int p = q.p, count = n + 2;
  double high[MOST], low[MOST], profile[MOST], best = 0;
  for (int k = 0; k < count; k++) {
    high[k] = k < p ? 0 : 8;
    low[k] = 0;
    for (int m = 0; m < 8 && k < p; m++) {
      double t = (m - 3.5) * step;
      high[k] += dpd_medsweep_count_reach(&q, t, k, n - p + 1 - k, true);
      low[k] += !dpd_medsweep_count_reach(&q, t, k, n - p + k, false);
    }
  }
  static const double betas[] = {0.01, 0.2, 1, 4};
  for (size_t b = 0; b < sizeof betas / sizeof *betas; b++) {
    dpd_medsweep_query query = {u, v, n, slopes, betas[b], 0};
    dpd_medsweep_bound got = {-1, -1, -2, n + 1, profile};
    dpd_sens_medsweep(&query, &got, ctest_alloc);
    CHECK((double)got.centre == high[0] && high[0] == low[0]);
    best = 0;
    for (int k = 0; k <= n; k++) {
      double a = fmax(high[k + 1] - low[k], high[k] - low[k + 1]);
      CHECK(profile[k] == a);
      best = fmax(best, exp(-betas[b] * k) * a);
    }
    CHECK(fabs(got.value - best) <= 1e-12 * best);
    CHECK(got.at < 0 || got.value == exp(-betas[b] * got.at) * profile[got.at]);
    query.min = 9;
    got.count = 0;
    dpd_sens_medsweep(&query, &got, ctest_alloc);
    CHECK(got.value == 9 && got.at == -1);
  }
}

/* Few or many whole numbers; such beside 2^53, where residuals of different rows round to one
 * double; far apart in size. */
static double draw_value(int kind)
{
  double x = next_below(kind == 0 || kind == 4 ? 4 : 1000);
  return kind < 2 ? x : kind == 3 ? ldexp(x - 500, next_below(120)) : 0x1p53 + 2 * x;
}

/* Neighbours: each level bounds the other's next, and level 0 the move; the ratio of the bounds. */
static void check_neighbours(int kind)
{
  static double u[MOST], v[MOST], a[MOST], b[MOST];
  int n = 1 + next_below(12), size = next_below(2) ? 1 << 30 : 1 << 10, side = next_below(3);
  dpd_slope slopes = {-size / 3, 8.0 / size, size};
  double beta = 0.02 * (1 + next_below(20));
  for (int i = 0; i < n; i++) {
    u[i] = draw_value(kind);
    v[i] = draw_value(kind == 4 ? 0 : kind);
  }
  dpd_medsweep_query query = {u, v, n, slopes, beta, 0};
  dpd_medsweep_bound here = {0, 0, 0, n + 2, a}, there = {0, 0, 0, n + 2, b};
  dpd_sens_medsweep(&query, &here, ctest_alloc);
  int i = next_below(n);
  u[i] = side == 1 ? u[next_below(n)] : draw_value(kind);
  v[i] = side == 2 ? v[next_below(n)] : draw_value(kind == 4 ? 0 : kind);
  dpd_sens_medsweep(&query, &there, ctest_alloc);
  CHECK(fabs((double)(here.centre - there.centre)) <= fmin(a[0], b[0]));
  CHECK(fabs(log(here.value / there.value)) <= beta + 1e-12);
  bool nested = true;
  for (int k = 0; k <= n; k++)
    nested = nested && a[k] <= b[k + 1] && b[k] <= a[k + 1];
  CHECK(nested);
}

/* Weights that no double holds: rows that agree, so that only the last levels are not 0. */
static void check_underflow(void)
{
  enum { N = 601 };
  static double u[N], v[N];
  for (int i = 0; i < N; i++)
    u[i] = v[i] = 1;
  dpd_medsweep_query query = {u, v, N, {0, 1, 1000}, 3, 0};
  dpd_medsweep_bound got = {-1, -1, -2, 0, NULL};
  dpd_sens_medsweep(&query, &got, ctest_alloc);
  CHECK(got.value == exp(-300) * 1000);
}

int main(void)
{
  static double u[MOST], v[MOST];
  ctest_memory pool = {NULL, 0};
  ctest_pool = &pool;
  /* one pair in many thousands: rows beside 2^53, one of them at a point where counts change */
  state = UINT64_C(9726050737251815573);
  check_neighbours(4);
  check_underflow();
  ctest_free(&pool);
  state = 7;
  for (int round = 0; round < ctest_some(120); round++) {
    int n = 1 + next_below(10), top = 2 + round % 3;
    for (int i = 0; i < n; i++) {
      u[i] = next_below(top);
      v[i] = round % 5 == 0 && i % 2 ? 1 : next_below(top);
    }
    sort_both(u, v, n);
    check_reach(u, v, n);
    check_search(u, v, n, 0.25);
    check_search(u, v, n, 1);
    ctest_free(&pool);
  }
  for (int round = 0; round < ctest_some(60); round++) {
    int n = 11 + next_below(20);
    for (int i = 0; i < n; i++) {
      u[i] = next_below(1000);
      v[i] = next_below(1000);
    }
    check_search(u, v, n, 0.3);
    ctest_free(&pool);
  }
  for (int round = 0; round < ctest_some(30000); round++) {
    check_neighbours(round % 8 < 4 ? round % 8 : 4);
    ctest_free(&pool);
  }
  return ctest_report("medsweep");
}
