/* test_exponential.c - exact draws of the private median end: proposals counted, whatever the data.
 *
 * The draws are random and their number of proposals with them; the cap is far above what the
 * cases take (below 2,000 on average), so a failure means a sampler that does not get there. */
#include "ctest.h"
#include "ctest_memory.h"

#include <math.h>
#include <string.h>

#include "mech/exponential.h"
#include "num/directions.h"
#include "samp/bernoulli.h"
#include "samp/rng.h"

enum { CAP = 60000, DIRECTIONS = 60, MAX_N = 5000, MAX_D = 8 };

typedef enum { NORMAL, TIES, CLUSTERS, LINE, ATOM, FAR, KINDS, SCALES, DUMMY, FLAT } kind;

static uint64_t seed = 1;

/* A small public generator: sums of four uniforms, about normal. */
static double next(void)
{
  double sum = 0;
  for (int k = 0; k < 4; k++) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    sum += ldexp((double)(seed >> 11), -53) - 0.5;
  }
  return 1.7 * sum;
}

static void fill_data(kind k, int n, int d, double *x)
{
  for (int i = 0; i < n; i++) {
    double first = next();
    for (int j = 0; j < d; j++) {
      double v = next();
      if (k == TIES) v = rint(2 * v);
      if (k == CLUSTERS) v = (i % 2 ? -3 : 3) + 1e-7 * v;
      if (k == LINE) v = j == 0 ? first : first * (0.7313 + 0.1 * j) + 1e-6 * v;
      if (k == ATOM && i % 5 < 3) v = 1.2345;
      if (k == FAR && i == 0) v = 1e300;
      if (k == SCALES) v *= pow(10, -9.0 * j / (d - 1));
      if (k == DUMMY && j == d - 1) v = v > 0.5 ? 1 : 0;
      if (k == FLAT && j == d - 1) v *= 1e-9;
      x[i + j * n] = v;
    }
  }
}

/* Proposals of one draw; CAP and more if it has not come by then. */
static double proposals(kind k, int n, int d, double eps, double width, bool normal, bool exact)
{
  static double x[MAX_N * MAX_D], dirs[DIRECTIONS * MAX_D], work[1000];
  double a[MAX_D], b[MAX_D], w[MAX_D], counts[3] = {0, 0, 0};
  for (int j = 0; j < d; j++) {
    a[j] = normal ? 0 : -width;
    b[j] = width;
  }
  fill_data(k, n, d, x);
  dpd_directions(1, true, DIRECTIONS, d, dirs, work);
  if (d == 1) dirs[0] = 1;
  dpd_exponential_spec spec = {.n = n,
                               .d = d,
                               .data = x,
                               .prior = {normal, d, a, b, NULL},
                               .exact_depth = exact,
                               .count = d == 1 ? 1 : DIRECTIONS,
                               .dirs = dirs,
                               .threads = 1};
  CHECK(dpd_directions_scratch(d) <= 1000 * sizeof(double));
  CHECK(dpd_rate_from_double(eps, &spec.eps) == DPD_OK);
  ctest_memory pool = {0};
  ctest_pool = &pool;
  dpd_exponential *m;
  dpd_rng rng;
  dpd_rng_open_system(&rng);
  CHECK(dpd_exponential_open(&m, &spec, ctest_alloc) == DPD_OK);
  dpd_status status = DPD_AGAIN;
  while (status == DPD_AGAIN && counts[0] < CAP) {
    status = dpd_exponential_draw(m, &rng, w);
    dpd_exponential_counts(m, counts);
  }
  CHECK(status == DPD_OK || status == DPD_AGAIN);
  for (int j = 0; j < d && status == DPD_OK; j++)
    CHECK(w[j] >= (normal ? -36 * width : -width) && w[j] <= (normal ? 36 * width : width));
  ctest_free(&pool);
  return counts[0];
}

/* These did not return: a leaf of one point kept a bound above its score. */
static void test_hanging(void)
{
  CHECK(proposals(NORMAL, 5000, 2, 1, 1e9, false, true) < CAP);
  CHECK(proposals(NORMAL, 5000, 2, 50, 1e6, true, true) < CAP);
  CHECK(proposals(NORMAL, 1000, 3, 5, 1e9, false, false) < CAP);
  /* deep regions thinner than the lattice's step over a long way */
  CHECK(proposals(CLUSTERS, 500, 2, 1, 100, false, true) < CAP);
  CHECK(proposals(CLUSTERS, 1000, 2, 1, 100, false, true) < CAP);
  CHECK(proposals(LINE, 500, 2, 50, 100, false, true) < CAP);
  /* a line thinner than the directions tell apart */
  CHECK(proposals(LINE, 1000, 2, 1, 100, false, true) < CAP / 10);
  CHECK(proposals(LINE, 1000, 3, 1, 100, false, false) < CAP);
  /* exact spatial depth, where directions alone bound too high */
  CHECK(proposals(NORMAL, 300, 3, 20, 10, false, true) < CAP);
}

/* Rows thin along an axis, or in hyperplanes across one: halving boxes did not find them. */
static void test_thin(void)
{
  static const double budgets[] = {0.5, 5};
  static const kind thin[] = {SCALES, DUMMY, FLAT};
  for (int e = 0; e < 2; e++) {
    for (int d = 4; d <= 8; d += 2)
      for (int k = 0; k < 3; k++)
        if ((k + d / 2 + e) % 3 < ctest_some(3))
          CHECK(proposals(thin[k], 400, d, budgets[e], 100, false, false) < CAP);
    CHECK(proposals(CLUSTERS, 400, 6, budgets[e], 100, false, false) < CAP);
  }
}

static void test_grid(void)
{
  static const double widths[] = {1e2, 1e5, 1e9, 1e15}, budgets[] = {0.1, 1, 50};
  static const int dims[] = {1, 2, 3, 5};
  for (int k = 0; k < KINDS; k++)
    for (int i = 0; i < 4; i++)
      for (int e = 0; e < 3; e++)
        for (int w = 0; w < 4; w++) {
          int d = dims[i];
          /* Left out: deep regions thinner than the lattice's step over a long way, where a large
           * epsilon leaves a tree of boxes nothing but to go through the points. */
          if (k == LINE && d > 2) continue;
          if (k == TIES && d == 5 && e == 2) continue;
          if ((2 * k + i + e + w) % 4 >= ctest_some(4)) continue;
          bool normal = (k + i + e + w) % 2;
          CHECK(proposals((kind)k, 200, d, budgets[e], widths[w], normal, d <= 2) < CAP);
        }
}

/* Multiples of a declared step are all that comes out. */
static void test_resolution(void)
{
  static double x[100];
  const double a[1] = {0}, b[1] = {20}, steps[3] = {1, 0.1, 3};
  const double dirs[1] = {1};
  for (int i = 0; i < 100; i++)
    x[i] = i % 6;
  for (int s = 0; s < 3; s++) {
    dpd_exponential_spec spec = {.n = 100,
                                 .d = 1,
                                 .data = x,
                                 .prior = {false, 1, a, b, steps + s},
                                 .exact_depth = true,
                                 .count = 1,
                                 .dirs = dirs,
                                 .threads = 1};
    CHECK(dpd_rate_from_double(1, &spec.eps) == DPD_OK);
    ctest_memory pool = {0};
    ctest_pool = &pool;
    dpd_exponential *m;
    dpd_rng rng;
    double w;
    dpd_rng_open_system(&rng);
    CHECK(dpd_exponential_open(&m, &spec, ctest_alloc) == DPD_OK);
    for (int k = 0; k < 50; k++) {
      dpd_status status;
      while ((status = dpd_exponential_draw(m, &rng, &w)) == DPD_AGAIN)
        continue;
      CHECK(status == DPD_OK);
      CHECK(s == 1 ? w == rint(10 * w) / 10 : w == steps[s] * rint(w / steps[s]));
    }
    ctest_free(&pool);
  }
}

static int paused;

static void count_pause(void)
{
  paused++;
}

/* The preparation looks for interrupts between blocks of its work. */
static void test_pause(void)
{
  enum { N = 150000, D = 3 };
  static double x[N * D], dirs[DIRECTIONS * D], work[1000];
  const double a[D] = {-9, -9, -9}, b[D] = {9, 9, 9};
  fill_data(NORMAL, N, D, x);
  dpd_directions(1, true, DIRECTIONS, D, dirs, work);
  dpd_exponential_spec spec = {.n = N,
                               .d = D,
                               .data = x,
                               .prior = {false, D, a, b, NULL},
                               .count = DIRECTIONS,
                               .dirs = dirs,
                               .threads = 1,
                               .pause = count_pause};
  CHECK(dpd_rate_from_double(1, &spec.eps) == DPD_OK);
  ctest_memory pool = {0};
  ctest_pool = &pool;
  dpd_exponential *m;
  CHECK(dpd_exponential_open(&m, &spec, ctest_alloc) == DPD_OK);
  /* two scores of the deep points and one filling at the least, in blocks of 12 to 56 directions */
  CHECK(paused >= 2 + DIRECTIONS / 13);
  ctest_free(&pool);
}

int main(void)
{
  test_pause();
  test_hanging();
  test_thin();
  test_grid();
  test_resolution();
  return ctest_report("exponential");
}
