/* test_frames.c - depth along the axes and further directions: draws against the law enumerated.
 *
 * Each chi-square test has an error rate of 1e-6. */
#include "ctest.h"
#include "ctest_law.h"
#include "ctest_memory.h"

#include <math.h>

#include "mech/frames.h"
#include "samp/bernoulli.h"

/* the support reaches beyond all rows, so that level 1 has a smaller box than level 0 */
enum { ROWS = 8, SIDE = 9, CELLS = SIDE * SIDE, DIRS = 3, DRAWS = 20000 };

static const double rows[2 * ROWS] = {-3, -1, -1, 0, 0, 0, 2, 3, 3, 0, 2, -2, 0, 1, 1, 0};
static const double dirs[2 * DIRS] = {0.6, 0.8, 0.8, 0.8, -0.6, 0.6};

/* In units of the prior. */
static int depth_at(const double *z, const double *unit)
{
  int least = ROWS;
  for (int u = 0; u < DIRS + 2; u++) {
    double a = u < DIRS ? dirs[u] / unit[0] : u == DIRS;
    double b = u < DIRS ? dirs[u + DIRS] / unit[1] : u > DIRS;
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

static void check_law(bool normal, double eps)
{
  static const double step[2] = {1, 1};
  double a[2], b[2], weight[CELLS], x[2];
  long count[CELLS] = {0}, inside = 0;
  ctest_memory memory = {NULL, 0};
  ctest_pool = &memory;
  for (int j = 0; j < 2; j++) {
    a[j] = normal ? 0.4 : -(SIDE / 2);
    b[j] = normal ? 0.7 + j : SIDE / 2;
  }
  dpd_frames_spec spec = {.n = ROWS,
                          .d = 2,
                          .data = rows,
                          .prior = {normal, 2, a, b, step, false},
                          .count = DIRS,
                          .dirs = dirs};
  dpd_frames *m;
  CHECK(dpd_rate_from_double(eps, &spec.eps) == DPD_OK);
  CHECK(dpd_frames_open(&m, &spec, ctest_alloc) == DPD_OK);
  for (int c = 0; c < CELLS; c++) {
    double z[2] = {c % SIDE - SIDE / 2, c / SIDE - SIDE / 2}, log_prior = 0;
    int depth = depth_at(z, b);
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
  CHECK(dpd_frames_proposals(m) > DRAWS + DRAWS / 20);
  CHECK(law_holds(count, weight, CELLS, inside));
  ctest_free(&memory);
}

/* Rows on a line through a box of 8001 x 8001 points, of which a draw is one of those on the line,
 * however many proposals that takes. Without a resolution the lattice is one on which projections
 * are below 2^52. */
static void check_refusals(void)
{
  static const double x[16] = {-4003, -4002, -4001, -4000, 4000,  4001,  4002,  4003,
                               4003,  4002,  4001,  4000,  -4000, -4001, -4002, -4003};
  static const double a[2] = {-5000, -5000}, b[2] = {5000, 5000}, step[2] = {1, 1};
  static const double diagonal[2] = {1, 1};
  double z[2];
  ctest_memory memory = {NULL, 0};
  ctest_pool = &memory;
  dpd_frames_spec spec = {.n = 8,
                          .d = 2,
                          .data = x,
                          .prior = {false, 2, a, b, step, false},
                          .count = 1,
                          .dirs = diagonal};
  dpd_frames *m;
  bool on_line = true;
  CHECK(dpd_rate_from_double(60, &spec.eps) == DPD_OK);
  CHECK(dpd_frames_open(&m, &spec, ctest_alloc) == DPD_OK);
  for (int k = 0; k < 12; k++) {
    while (dpd_frames_draw(m, &source, z) == DPD_AGAIN) {
    }
    on_line = on_line && z[0] == -z[1];
  }
  CHECK(on_line);
  spec.prior.resolution = NULL;
  spec.count = 0;
  CHECK(dpd_frames_open(&m, &spec, ctest_alloc) == DPD_OK);
  for (int k = 0; k < 5; k++) {
    CHECK(dpd_frames_draw(m, &source, z) == DPD_OK);
    CHECK(ldexp(z[0], 23) == rint(ldexp(z[0], 23)));
  }
  ctest_free(&memory);
}

int main(void)
{
  start(3);
  check_law(false, 1);
  check_law(false, 4);
  check_law(true, 2);
  check_refusals();
  return ctest_report("frames");
}
