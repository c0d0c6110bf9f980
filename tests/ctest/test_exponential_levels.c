/* test_exponential_levels.c - the boxes around depth regions hold every point of their depth. */
#include "ctest.h"
#include "ctest_memory.h"

#include <math.h>
#include <string.h>

#include "mech/exponential_state.h"
#include "num/directions.h"
#include "num/rank_fill.h"
#include "samp/bernoulli.h"

enum { N = 60, MAX_D = 4, DIRECTIONS = 40 };

static uint64_t seed = 7;

static double uniform(void)
{
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(seed >> 11) * 0x1p-53;
}

typedef enum { CORRELATED, TIED, THIN, ATOM, KINDS } kind;

static void fill_rows(kind k, int d, double half, double *x)
{
  for (int i = 0; i < N; i++) {
    double common = (uniform() - 0.5) * half;
    for (int j = 0; j < d; j++) {
      double own = (uniform() - 0.5) * half, y = common + 0.4 * own;
      if (k == TIED && j == d - 1) y = own > 0.2 * half ? 1 : 0;
      if (k == THIN && j > 0) y = own * pow(0.2, j);
      if (k == ATOM && i % 3 > 0)
        y = 1 - j; /* deeper than half of the rows, and without room around */
      x[i + j * N] = rint(y);
    }
  }
}

/* The sheared coordinates of z. */
static void shear_back(const dpd_shear *s, const double *z, double *w)
{
  for (int j = 0; j < s->d; j++) {
    double sum = 0;
    for (int k = 0; k < j; k++)
      sum += s->coef[j * s->d + k] * z[k];
    w[j] = z[j] - rint(sum);
  }
}

/* Every candidate: its depth is within all bounds that hold for it. Returns how many boxes hold
 * some candidates and leave others out. */
static int check_candidates(const dpd_exponential *m, int d, double half)
{
  double z[MAX_D], w[MAX_D], lo[MAX_D], hi[MAX_D];
  int told[200] = {0}, low = 0, high = 0, boxes = 0;
  for (int j = 0; j < d; j++)
    z[j] = -half;
  for (int j = 0; j < d;) {
    int score = dpd_exponential_score(m, z);
    bool within = true;
    shear_back(&m->shear, z, w);
    for (int k = 0; k < m->levels.count; k++) {
      for (int i = 0; i < d && within; i++)
        within = w[i] >= m->levels.lo[k * d + i] && w[i] <= m->levels.hi[k * d + i];
      told[k] |= within ? 1 : 2;
      low += !within && score >= m->levels.t[k];
    }
    for (int i = 0; i < d; i++) {
      lo[i] = w[i] - floor(4 * uniform());
      hi[i] = w[i] + floor(4 * uniform());
    }
    high += score > dpd_exponential_levels_bound(m, lo, hi, N);
    high += score > dpd_exponential_levels_bound(m, w, w, N);
    for (j = 0; j < d && z[j] == half; j++)
      z[j] = -half;
    if (j < d) z[j]++;
  }
  CHECK(low == 0);
  CHECK(high == 0);
  for (int k = 0; k < m->levels.count; k++)
    boxes += told[k] == 3;
  return boxes;
}

/* Returns how many of the problems are in sheared coordinates. */
static int check_shape(kind k, int d, double half, double eps)
{
  int sheared = 0;
  double x[N * MAX_D], dirs[DIRECTIONS * MAX_D], work[1000], a[MAX_D], b[MAX_D], one[MAX_D];
  for (int j = 0; j < d; j++) {
    a[j] = -half;
    b[j] = half;
    one[j] = 1;
  }
  CHECK(dpd_directions_scratch(d) <= 1000 * sizeof(double));
  dpd_directions(1, true, DIRECTIONS, d, dirs, work);
  for (int rep = 0; rep < ctest_some(3); rep++) {
    fill_rows(k, d, half, x);
    dpd_exponential_spec spec = {.n = N,
                                 .d = d,
                                 .data = x,
                                 .prior = {false, d, a, b, one},
                                 .count = DIRECTIONS,
                                 .dirs = dirs,
                                 .threads = 1};
    CHECK(dpd_rate_from_double(eps, &spec.eps) == DPD_OK);
    dpd_exponential *m;
    ctest_memory pool = {0};
    ctest_pool = &pool;
    CHECK(dpd_exponential_open(&m, &spec, ctest_alloc) == DPD_OK);
    sheared += !m->shear.identity;
    CHECK(m->levels.count > 0 && m->levels.count < 200);
    CHECK(check_candidates(m, d, half) > 0);
    ctest_free(&pool);
  }
  return sheared;
}

/* Rows of ties, with all ranks below the deepest points' kept only: bounds of boxes above them are
 * counts of rows at or beyond the box's ends, and no point of a box is deeper. */
static void test_above(void)
{
  double x[N], dir[1] = {1}, a[1] = {-9}, b[1] = {9}, one[1] = {1}, lo[1], hi[1], z[1], log_prior;
  int over = 0, told = 0;
  for (int round = 0; round < 10; round++) {
    for (int i = 0; i < N; i++)
      x[i] = floor(3 * uniform()) * (round % 3 + 1) - 3;
    dpd_exponential_spec spec = {.n = N,
                                 .d = 1,
                                 .data = x,
                                 .prior = {false, 1, a, b, one},
                                 .count = 1,
                                 .dirs = dir,
                                 .threads = 1};
    CHECK(dpd_rate_from_double(1, &spec.eps) == DPD_OK);
    dpd_exponential *m;
    ctest_memory pool = {0};
    ctest_pool = &pool;
    CHECK(dpd_exponential_open(&m, &spec, ctest_alloc) == DPD_OK);
    m->window.low = m->window.stride = 1;
    m->window.high = m->window.ranks = 4;
    dpd_rank_window_fill(&m->window, 0, m->projected.count, 1, m->work);
    m->levels.count = 0;
    m->levels.cap = N;
    dpd_rejection_target target = dpd_exponential_target(m);
    for (lo[0] = -9; lo[0] < 9; lo[0]++)
      for (hi[0] = lo[0] + 1; hi[0] <= 9; hi[0]++) {
        int bound = N, deepest = 0;
        for (z[0] = lo[0]; z[0] <= hi[0]; z[0]++) {
          int score = dpd_exponential_score(m, z);
          deepest = score > deepest ? score : deepest;
        }
        CHECK(target.bound(target.ctx, lo, hi, N, &bound, &log_prior));
        over += deepest > bound;
        told += bound > m->window.high && bound < N;
      }
    ctest_free(&pool);
  }
  CHECK(over == 0);
  CHECK(told > 100);
}

int main(void)
{
  test_above();
  for (int k = 0; k < KINDS; k++) {
    int sheared = check_shape((kind)k, 2, 40, 0.2);
    CHECK(k != CORRELATED || sheared > 0);
    (void)check_shape((kind)k, 2, 25, 2);
    (void)check_shape((kind)k, 3, 7, 0.01);
    (void)check_shape((kind)k, 4, 3, 1);
  }
  return ctest_report("exponential_levels");
}
