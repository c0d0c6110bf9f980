/* test_frames.c - depth along the axes and further directions: draws against the law enumerated.
 *
 * Each chi-square test has an error rate of 1e-6. */
#include "ctest.h"
#include "ctest_law.h"
#include "ctest_memory.h"

#include <math.h>

#include "mech/frames.h"
#include "samp/bernoulli.h"

enum { ROWS = 8, SIDE = 7, CELLS = SIDE * SIDE, DIRS = 3, DRAWS = 20000 };

static const double rows[2 * ROWS] = {-3, -1, -1, 0, 0, 0, 2, 3, 3, 0, 2, -2, 0, 1, 1, 0};
static const double dirs[2 * DIRS] = {0.6, 0.8, 0.8, 0.8, -0.6, 0.6};

static int depth_at(const double *z)
{
  int least = ROWS;
  for (int u = 0; u < DIRS + 2; u++) {
    double a = u < DIRS ? dirs[u] : u == DIRS, b = u < DIRS ? dirs[u + DIRS] : u > DIRS;
    int below = 0, above = 0;
    for (int i = 0; i < ROWS; i++) {
      double t = rint(65536 * a / hypot(a, b)) * (rows[i] - z[0]) +
                 rint(65536 * b / hypot(a, b)) * (rows[i + ROWS] - z[1]);
      below += t <= 0;
      above += t >= 0;
    }
    least = below < least ? below : least;
    least = above < least ? above : least;
  }
  return least;
}

/* The same along the axes alone. */
static int axes_depth_at(const double *z)
{
  int below[2] = {0, 0}, above[2] = {0, 0};
  for (int i = 0; i < 2 * ROWS; i++) {
    below[i / ROWS] += rows[i] <= z[i / ROWS];
    above[i / ROWS] += rows[i] >= z[i / ROWS];
  }
  return (int)fmin(fmin(below[0], above[0]), fmin(below[1], above[1]));
}

static void check_law(bool normal, double eps)
{
  static const double step[2] = {1, 1}, axis[2] = {1, 0};
  double a[2], b[2], weight[CELLS], x[2];
  long count[CELLS] = {0}, inside = 0;
  ctest_memory memory = {NULL, 0};
  ctest_pool = &memory;
  for (int j = 0; j < 2; j++) {
    a[j] = normal ? 0.4 : -(SIDE / 2);
    b[j] = normal ? 1 + 0.2 * j : SIDE / 2;
  }
  dpd_frames_spec spec = {.n = ROWS,
                          .d = 2,
                          .data = rows,
                          .prior = {normal, 2, a, b, step, false},
                          .count = normal ? 1 : DIRS, /* units differ: along an axis once more */
                          .dirs = normal ? axis : dirs};
  dpd_frames *m;
  CHECK(dpd_rate_from_double(eps, &spec.eps) == DPD_OK);
  CHECK(dpd_frames_open(&m, &spec, ctest_alloc) == DPD_OK);
  for (int c = 0; c < CELLS; c++) {
    double z[2] = {c % SIDE - SIDE / 2, c / SIDE - SIDE / 2}, log_prior = 0;
    int depth = normal ? axes_depth_at(z) : depth_at(z);
    for (int j = 0; j < 2 && normal; j++)
      log_prior -= pow((z[j] - a[j]) / b[j], 2) / 2;
    weight[c] = exp(log_prior + eps * depth / 2);
  }
  for (int k = 0; k < DRAWS; k++) {
    dpd_status status = DPD_AGAIN;
    while (status == DPD_AGAIN)
      status = dpd_frames_draw(m, &source, x);
    CHECK(status == DPD_OK);
    double i = x[0] + SIDE / 2, j = x[1] + SIDE / 2;
    if (!(i >= 0 && i < SIDE && j >= 0 && j < SIDE)) continue;
    count[(int)i + SIDE * (int)j]++;
    inside++;
  }
  CHECK(inside > DRAWS - DRAWS / 20);
  CHECK(dpd_frames_proposals(m) > (normal ? DRAWS - 1 : DRAWS + DRAWS / 20));
  CHECK(law_holds(count, weight, CELLS, inside));
  ctest_free(&memory);
}

int main(void)
{
  start(3);
  check_law(false, 1);
  check_law(false, 4);
  check_law(true, 2);
  return ctest_report("frames");
}
