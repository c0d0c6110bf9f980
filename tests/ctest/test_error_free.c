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

/* Rows on a few lines, off them by units of the last place, of many sizes; or small numbers. Of the
 * last kind differences take more bits than a double has. */
enum { KINDS = 4 };

static void make_rows(int n, int kind)
{
  static const int64_t sizes[KINDS] = {3, INT64_C(1) << 24, INT64_C(1) << 45,
                                       (INT64_C(1) << 53) - 3};
  int64_t slope = draw(kind == 3 ? 1 : 9), most = sizes[kind];
  for (int i = 0; i < n; i++) {
    ix[i] = draw(most);
    iy[i] = kind == 0 ? draw(3) : slope * ix[i] + draw(kind == 1 ? 1 : 3);
    if (i % 3 == 0 && kind != 0) iy[i] = kind == 3 ? draw(most) : iy[i] + draw(most);
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

/* The mean of the one vertex of two rows, against whole numbers of its unit. */
static void check_mean(const dpd_spreads *s)
{
  dpd_i128 dx = ix[1] - ix[0], dy = iy[1] - iy[0];
  if (dx == 0) return;
  for (int k = 0; k < 2; k++) {
    dpd_i128 top = k == 1 ? dy : (dpd_i128)iy[0] * ix[1] - (dpd_i128)iy[1] * ix[0];
    double at = (double)floor_div(top * (int64_t)(1 / DPD_MEAN_UNIT), dx);
    double most = DPD_MEAN_MOST / DPD_MEAN_UNIT;
    at = at > most ? most : at < -most ? -most : at;
    CHECK(fabs((double)s->sum[k] - at) <= 1 + 0x1p-49 * fabs(at));
  }
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
  if (n == 2) check_mean(&s);
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

static void check_two(int64_t x0, int64_t y0, int64_t x1, int64_t y1)
{
  ix[0] = x0;
  iy[0] = y0;
  ix[1] = x1;
  iy[1] = y1;
  for (int i = 0; i < 2; i++) {
    x[i] = (double)ix[i];
    y[i] = (double)iy[i];
  }
  check_ends(2);
}

/* Two rows whose intercept is k + e/(x_1 - x_0), a hair beside a whole number: coordinates are so
 * large that doubles may see it on the other side. A guard of 2^-54 of the terms' sizes fails.
 * `wide`: x_1 - x_0 is no double, and what is lost of it is larger than the hair. */
static void test_hairs(bool wide)
{
  const int64_t most = INT64_C(1) << (wide ? 52 : 44), least = wide ? most : 2;
  for (int round = 0; round < ctest_some(4000); round++) {
    int64_t a = llabs(draw(most)) + least, b = llabs(draw(most)) + least;
    int64_t k = draw(INT64_C(1) << 30), e = round % 2 ? 1 : -1;
    if (wide && (a + b) % 2 == 0) a--;
    int64_t u = a == b ? 0 : inverse_of(b % a, a);
    if (u == 0) continue;
    /* (y_0 - k) x_1 - (y_1 - k) x_0 = e */
    int64_t more = (int64_t)(((dpd_i128)u * b - 1) / a);
    int64_t y0 = (wide ? -e : e) * u + k, y1 = e * more + k;
    if (llabs(y0) <= 2 * most && llabs(y1) <= 2 * most) check_two(a, y0, wide ? -b : b, y1);
  }
}

/* Two rows whose slope is a hair beside 1 where y_1 - y_0 is no double; and whose intercept is a
 * hair beside a whole number, far larger than the first row's y and the slope. */
static void test_thin_hairs(void)
{
  const int64_t least = INT64_C(1) << 52;
  for (int round = 0; round < ctest_some(600); round++) {
    int64_t a = least + llabs(draw(least - 9)), b = least + llabs(draw(least - 9));
    int64_t e = round % 2 ? 1 : -1, dx = 30000 + llabs(draw(30000));
    if ((a + b) % 2 == 0) b--;
    check_two(-a, -a, b - e, b);
    int64_t at = (INT64_C(1) << 30) + draw(1 << 29), u = inverse_of(at % dx, dx);
    int64_t low = draw(1 << 20);
    if (u != 0) check_two(at, low, at + dx, low + e * u + dx * draw(1 << 9));
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
  for (int kind = 0; kind < KINDS; kind++)
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
  test_hairs(false);
  test_hairs(true);
  test_thin_hairs();
  test_unbounded();
  return ctest_report("error_free");
}
