/* test_error_free.c - exact sums, the exact order of slopes, the exact ends of levels of regression
 * depth. */
#include <math.h>
#include <stdlib.h>

#include "ctest.h"
#include "plane/slope_sort.h"
#include "num/error_free.h"
#include "sens/deepest.h"

static uint64_t state = 7;

/* A whole number in -most..most. */
static int64_t draw(int64_t most)
{
  state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (int64_t)((state >> 10) % (uint64_t)(2 * most + 1)) - most;
}

static int sign_of(dpd_i128 v)
{
  return (v > 0) - (v < 0);
}

static void test_sums(void)
{
  for (int round = 0; round < 2000; round++) {
    dpd_error_free s = {0};
    dpd_i128 sum = 0;
    for (int k = 0; k < 8; k++) {
      int64_t a = draw(INT64_C(1) << (round % 53)), b = draw(INT64_C(1) << 52);
      dpd_error_free_add_product(&s, (double)a, (double)b);
      sum += (dpd_i128)a * b;
      if (k % 3 == 0) { /* nearly cancels */
        dpd_error_free_add_product(&s, -(double)a, (double)(b + k % 2));
        sum -= (dpd_i128)a * (b + k % 2);
      }
      CHECK(dpd_error_free_sign(&s) == sign_of(sum));
      CHECK(fabs(dpd_error_free_value(&s) - (double)sum) <= 0x1p-51 * fabs((double)sum));
    }
    double rest, gap = dpd_error_free_minus(0x1p60, (double)draw(99), &rest);
    CHECK(gap + rest == gap && fabs(rest) <= 0x1p8);
  }
}

enum { ROWS = 500 };

static double x[ROWS], y[ROWS];
static int64_t ix[ROWS], iy[ROWS];

/* Rows on a few lines, off them by units of the last place, of many sizes; or small numbers. */
static void make_rows(int n, int kind)
{
  int64_t slope = draw(9), most = kind == 0 ? 3 : INT64_C(1) << (kind == 1 ? 24 : 45);
  for (int i = 0; i < n; i++) {
    ix[i] = draw(most);
    iy[i] =
        kind == 0 ? draw(3) : slope * ix[i] + draw(kind == 1 ? 1 : 3) + (i % 3 == 0) * draw(most);
    x[i] = (double)ix[i];
    y[i] = (double)iy[i];
  }
}

/* Sign of the difference of the slopes from row i to rows j and k. */
static int slopes_sign(int i, int j, int k)
{
  dpd_i128 xj = ix[j] - ix[i], yj = iy[j] - iy[i], xk = ix[k] - ix[i], yk = iy[k] - iy[i];
  int sign = sign_of(yj * xk - yk * xj);
  return (xj > 0) == (xk > 0) ? sign : -sign;
}

static void test_order(int n, int kind, double unit)
{
  make_rows(n, kind);
  for (int i = 0; i < n; i++) {
    x[i] *= unit;
    y[i] *= unit;
  }
  void *work = malloc(dpd_slope_sort_scratch(n));
  for (int i = 0; i < n; i += 7) {
    dpd_angle_order r;
    int seen[ROWS] = {0};
    dpd_slope_sort(x, y, n, i, work, &r);
    for (int k = 0; k < n; k++)
      seen[r.code[k] / 2]++;
    for (int k = 0; k < n; k++)
      CHECK(seen[k] == 1);
    for (int k = r.away; k < n; k++)
      CHECK(ix[r.code[k] / 2] == ix[i] && iy[r.code[k] / 2] == iy[i]);
    CHECK(r.start[r.groups] == r.away);
    for (int k = 1, g = 0; k < r.away; k++) {
      int a = r.code[k - 1] / 2, b = r.code[k] / 2;
      while (r.start[g + 1] < k)
        g++;
      bool apart = r.start[g + 1] == k, up_a = ix[a] == ix[i], up_b = ix[b] == ix[i];
      if (up_a || up_b)
        CHECK(up_b && apart == !up_a);
      else
        CHECK(slopes_sign(i, a, b) == (apart ? -1 : 0));
    }
  }
  free(work);
}

static dpd_i128 floor_div(dpd_i128 a, dpd_i128 b)
{
  dpd_i128 q = a / b;
  return q - (a % b != 0 && (a < 0) != (b < 0));
}

static double clamp(dpd_i128 v)
{
  double d = (double)v;
  return d > DPD_SIDE_MOST ? DPD_SIDE_MOST : d < -DPD_SIDE_MOST ? -DPD_SIDE_MOST : d;
}

/* Ends of all vertices together, against whole numbers; threads and blocks do not matter. */
static void check_ends(int n)
{
  static const int pa[DPD_SIDES] = {1, 0, 1, 1}, pb[DPD_SIDES] = {0, 1, 1, -1};
  double *work = malloc(2 * (size_t)n * sizeof *work);
  double *memory = malloc(2 * dpd_spreads_scratch(n));
  int *group = malloc((size_t)n * sizeof *group);
  void *scratch = malloc(dpd_spreads_add_scratch(n, 3));
  dpd_lines l = {.x = x, .y = y, .n = n, .group = group};
  dpd_spreads s, t;
  dpd_lines_open(&l, work);
  dpd_spreads_open(&s, n, memory);
  dpd_spreads_open(&t, n, memory + dpd_spreads_scratch(n) / sizeof *memory);
  dpd_spreads_add(&s, &l, &(dpd_spreads_range){0, n, 1, 1}, scratch);
  dpd_spreads_add(&t, &l, &(dpd_spreads_range){0, n / 2, 1, 3}, scratch);
  dpd_spreads_add(&t, &l, &(dpd_spreads_range){n / 2, n, 1, 2}, scratch);
  free(scratch);
  dpd_spreads_nest(&s);
  dpd_spreads_nest(&t);
  CHECK(s.deepest == t.deepest && s.count == t.count && s.sum[0] == t.sum[0] &&
        s.sum[1] == t.sum[1]);
  for (int k = 0; k < DPD_SIDES; k++) {
    double lo = INFINITY, hi = -INFINITY;
    for (int i = 0; i < n; i++)
      for (int j = 0; j < i; j++) {
        dpd_i128 dx = ix[j] - ix[i], dy = iy[j] - iy[i];
        if (dx == 0) continue;
        dpd_i128 top = pa[k] * ((dpd_i128)iy[i] * ix[j] - (dpd_i128)iy[j] * ix[i]) + pb[k] * dy;
        lo = fmin(lo, clamp(floor_div(top, dx)));
        hi = fmax(hi, clamp(-floor_div(-top, dx)));
      }
    CHECK(s.lo[k][1] == lo && s.hi[k][1] == hi);
    for (int d = 0; d <= n; d++)
      CHECK(s.lo[k][d] == t.lo[k][d] && s.hi[k][d] == t.hi[k][d]);
  }
  free(work);
  free(memory);
  free(group);
}

/* u with u a = 1 modulo m, 0 < u < m, for coprime a and m > 1; 0 if they are not. */
static int64_t inverse_of(int64_t a, int64_t m)
{
  int64_t r = m, s = a % m, u = 0, v = 1;
  while (s != 0) {
    int64_t q = r / s, next = r - q * s;
    r = s;
    s = next;
    next = u - q * v;
    u = v;
    v = next;
  }
  return r != 1 ? 0 : u < 0 ? u + m : u;
}

/* Two rows whose intercept is k + e/(x_1 - x_0), a hair beside a whole number: coordinates are so
 * large that doubles may see it on the other side. A guard of 2^-54 of the terms' sizes fails. */
static void test_hairs(void)
{
  for (int round = 0; round < ctest_some(4000); round++) {
    int64_t a = llabs(draw(INT64_C(1) << 44)) + 2, b = llabs(draw(INT64_C(1) << 44)) + 2;
    int64_t k = draw(INT64_C(1) << 30), e = round % 2 ? 1 : -1;
    int64_t u = a == b ? 0 : inverse_of(b % a, a);
    if (u == 0) continue;
    /* (y_0 - k) x_1 - (y_1 - k) x_0 = e */
    ix[0] = a;
    ix[1] = b;
    iy[0] = e * u + k;
    iy[1] = e * (int64_t)(((dpd_i128)u * b - 1) / a) + k;
    for (int i = 0; i < 2; i++) {
      x[i] = (double)ix[i];
      y[i] = (double)iy[i];
    }
    check_ends(2);
  }
}

static void test_unbounded(void)
{
  double ux[9] = {1, 1, 1, 1, 2, 2, 3, 1, 2}, uy[9] = {5, 5, 5, 0, 1, 2, 3, 9, 2}, work[18];
  int group[9];
  dpd_lines l = {.x = ux, .y = uy, .n = 9, .group = group};
  dpd_lines_open(&l, work);
  CHECK(dpd_unbounded_depth(&l, work) == 4); /* 0 5 5 5 9: four from either side at 5 */
  l = (dpd_lines){.x = ux + 4, .y = uy + 4, .n = 3, .group = group};
  dpd_lines_open(&l, work);
  CHECK(dpd_unbounded_depth(&l, work) == 1);
}

int main(void)
{
  test_sums();
  for (int kind = 0; kind < 3; kind++)
    for (int round = 0; round < ctest_some(3); round++) {
      test_order(60, kind, 1);
      test_order(ROWS, kind, 1);
      test_order(300, kind, 0x1p-250);
      test_order(300, kind, 0x1p200);
      for (int n = 2; n < 40; n += 6) {
        make_rows(n, kind);
        check_ends(n);
      }
    }
  test_hairs();
  test_unbounded();
  return ctest_report("error_free");
}
