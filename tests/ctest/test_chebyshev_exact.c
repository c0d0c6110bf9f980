/* test_chebyshev_exact.c - whole numbers of many limbs; the least largest residual with a proof. */
#include "geom/chebyshev_exact.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ctest.h"
#include "ctest_memory.h"
#include "ellipsoid.h"
#include "num/big_integer.h"

static uint64_t state = 5;

static double next(void)
{
  state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (double)(state >> 11) * 0x1p-53 - 0.5;
}

static dpd_i128 random_whole(int bits)
{
  dpd_i128 v = 0;
  for (int k = 0; k < 4; k++)
    v = v * 1048576 + (dpd_i128)(next() * 1048576);
  return v / ((dpd_i128)1 << (80 - bits));
}

/* Products, sums and quotients of small numbers against those of the compiler. */
static void big_numbers(void)
{
  enum { N = 3 };
  for (int round = 0; round < 400; round++) {
    uint64_t x[N], y[N], z[N], wide[2 * N], inverse[N], work[3 * N], want[N];
    dpd_i128 a = random_whole(2 + round % 58), b = random_whole(2 + round * 7 % 58);
    dpd_i128 c = random_whole(3 + round % 60);
    if (b < 0) b = -b;
    b = (b + 1) << round % 5;
    dpd_big_set(x, N, a);
    dpd_big_set(y, N, b);
    dpd_big_times(wide, x, y, N);
    dpd_big_set(want, N, a * b);
    CHECK(memcmp(wide, want, sizeof want) == 0);
    CHECK(dpd_big_sign(wide, 2 * N) == (a > 0) - (a < 0));
    int zeros = dpd_big_divisor(inverse, y, N, work), power;
    dpd_big_divide(z, wide, inverse, zeros, N);
    CHECK(memcmp(z, x, sizeof x) == 0);
    dpd_big_set(z, N, a);
    dpd_big_add_times(z, y, c, N);
    dpd_big_set(want, N, a + b * c);
    CHECK(memcmp(z, want, sizeof want) == 0);
    double value = dpd_big_value(z, N, &power);
    CHECK(fabs(ldexp(value, power) - (double)(a + b * c)) <= fabs((double)(a + b * c)) * 0x1p-51);
    /* numbers of all limbs: (x + y) - y, and (x y) / y with a large x */
    dpd_big_add_times(x, y, (dpd_i128)1 << 100, N);
    memcpy(z, x, sizeof x);
    dpd_big_add_times(z, y, 1, N);
    dpd_big_subtract(z, y, N);
    CHECK(memcmp(z, x, sizeof x) == 0);
    dpd_big_times(wide, x, y, N);
    dpd_big_divide(z, wide, inverse, zeros, N);
    CHECK(memcmp(z, x, sizeof x) == 0);
  }
}

typedef struct {
  int count, d;
  double *a, *b, *w, *x, *cut;
  int *unit;
  dpd_equations e;
  dpd_certified certified;
  uint64_t *big;
} problem;

static void open_problem(problem *p, int count, int d)
{
  p->count = count;
  p->d = d;
  p->a = ctest_alloc((size_t)(count * d), sizeof *p->a);
  p->b = ctest_alloc((size_t)count, sizeof *p->b);
  p->w = ctest_alloc((size_t)d, sizeof *p->w);
  p->x = ctest_alloc((size_t)d, sizeof *p->x);
  p->cut = ctest_alloc((size_t)(d * (d + 1)), sizeof *p->cut);
  p->unit = ctest_alloc((size_t)d, sizeof *p->unit);
  p->e = (dpd_equations){count, d, p->a, p->b};
  p->big = NULL;
  p->certified = (dpd_certified){&p->e, p->unit, ctest_alloc(dpd_certified_scratch(count, d), 1),
                                 &p->big, ctest_alloc};
}

/* Unit equations in front; then random ones, with ties, copies and near copies. */
static void fill(problem *p, int kind)
{
  int d = p->d;
  for (int u = 0; u < p->count; u++) {
    for (int j = 0; j < d; j++) {
      double v = kind % 3 == 1 ? rint(3 * next()) : next();
      p->a[u * d + j] = u < d ? (u == j ? (kind % 2 ? 1 : -1) : 0) : v;
    }
    p->b[u] = kind % 3 == 1 ? rint(4 * next()) : next();
    if (kind == 3) p->b[u] = 0;
    if (u >= 2 * d && kind % 3 == 2) { /* nearly a copy of an earlier one */
      for (int j = 0; j < d; j++)
        p->a[u * d + j] = p->a[(u - d) * d + j] + 0x1p-45 * next();
      p->b[u] = p->b[u - d] + 0x1p-45 * next();
    }
  }
  for (int j = 0; j < d; j++)
    p->unit[j] = j;
}

static void check_bounds(const problem *p, double lower, double upper, double gap)
{
  int row;
  double sign, below = 0, above = INFINITY;
  CHECK(lower <= upper && upper - lower <= gap);
  CHECK(ellipsoid_worst(&p->e, p->w, &row, &sign) <= upper + 1e-12);
  for (int k = 0; k < 30; k++) {
    for (int j = 0; j < p->d; j++)
      p->x[j] = p->w[j] + ldexp(next(), -(k % 12));
    CHECK(ellipsoid_worst(&p->e, p->x, &row, &sign) >= lower);
  }
  memset(p->x, 0, (size_t)p->d * sizeof *p->x);
  ellipsoid_cut(&p->e, p->x, 30, 1e-6, &below, &above, p->cut);
  /* the twin's own rounding: on some of the ties its bounds cross by 1e-5 */
  CHECK(upper >= below - 1e-4 && lower <= above + 1e-4);
}

static void ways_agree(void)
{
  for (int round = 0; round < 84; round++) {
    int d = 1 + round % 7, count = d + round * 5 % 40;
    problem p;
    double lower, upper, below, above;
    open_problem(&p, count, d);
    fill(&p, round / 7 % 6);
    CHECK(dpd_chebyshev_certified(&p.certified, 0x1p-21, p.w, &lower, &upper));
    check_bounds(&p, lower, upper, 0x1p-21);
    /* in whole numbers, from where the doubles ended and from the start */
    for (int fresh = 0; fresh < 2; fresh++) {
      dpd_chebyshev_exact(&p.certified, fresh == 1, p.w, &below, &above);
      check_bounds(&p, below, above, 0x1p-21);
      CHECK(below <= upper && lower <= above);
    }
  }
}

/* Least largest residuals that are known: midrange, and x^2 by a line. */
static void known(void)
{
  problem p;
  double lower, upper;
  open_problem(&p, 5, 2);
  double a[] = {1, 0, 0, 1, 1, 0, 1, 0.5, 1, 1}, b[] = {0, 0.9, 0, 0.25, 1};
  memcpy(p.a, a, sizeof a);
  memcpy(p.b, b, sizeof b);
  p.unit[0] = 0;
  p.unit[1] = 1;
  for (int fresh = 0; fresh < 2; fresh++) {
    (void)dpd_chebyshev_certified(&p.certified, 1, p.w, &lower, &upper);
    dpd_chebyshev_exact(&p.certified, fresh == 1, p.w, &lower, &upper);
    CHECK(fabs(p.w[0] + 0.125) < 1e-15 && fabs(p.w[1] - 1) < 1e-15);
    CHECK(fabs(upper - 0.125) < 1e-15 && fabs(lower - 0.125) < 1e-15);
  }
}

/* Vectors all but along a line: doubles cannot prove the gap, whole numbers do. */
static void narrow(void)
{
  int open = 0;
  for (int round = 0; round < 30; round++) {
    int d = 2 + round % 3, count = 12 * d;
    problem p;
    double lower, upper, reach = 0;
    open_problem(&p, count, d);
    fill(&p, 0);
    for (int u = d; u < count; u++) {
      double along = 0x1p16 * next();
      for (int j = 0; j < d; j++)
        p.a[u * d + j] = along + ldexp(next(), -20 - round % 20);
    }
    for (int u = 0; u < d; u++)
      p.b[u] *= 0x1p24;
    CHECK(dpd_chebyshev_certified(&p.certified, 0x1p-21, p.w, &lower, &upper));
    CHECK(lower <= upper && upper - lower <= 0x1p-21);
    dpd_chebyshev(&p.e, p.w, &lower, &upper, p.certified.scratch);
    for (int j = 0; j < d; j++)
      reach = fmax(reach, fabs(p.w[j]));
    open += p.big != NULL;
  }
  CHECK(open > 0);
}

/* Too large, not finite: refused by size alone. */
static void refused(void)
{
  problem p;
  double lower, upper;
  open_problem(&p, 6, 2);
  double bad[] = {INFINITY, NAN, 1e10, -1e300};
  for (int k = 0; k < 4; k++) {
    fill(&p, 0);
    p.b[4] = bad[k];
    CHECK(!dpd_chebyshev_certified(&p.certified, 0x1p-21, p.w, &lower, &upper));
    fill(&p, 0);
    p.a[9] = bad[k];
    CHECK(!dpd_chebyshev_certified(&p.certified, 0x1p-21, p.w, &lower, &upper));
  }
}

int main(void)
{
  ctest_memory pool = {NULL, 0};
  ctest_pool = &pool;
  big_numbers();
  ways_agree();
  known();
  narrow();
  refused();
  ctest_free(&pool);
  return ctest_report("chebyshev_exact");
}
