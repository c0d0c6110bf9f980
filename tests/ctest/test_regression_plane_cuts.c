/* test_regression_plane_cuts.c - private lines by row cuts: how many nodes nasty families take. */
#include "ctest.h"
#include "ctest_law.h"
#include "ctest_lines.h"
#include "ctest_memory.h"

#include <math.h>

#include "mech/regression_plane_state.h"

typedef enum {
  FLAGS,
  CLUSTERS,
  CLOUD,
  LIKERT,
  LINE,
  CURVE,
  CUBIC,
  THREE,
  SCALES,
  CIRCLE,
  SHAPES
} shape;

static void fill_family(problem *p, shape kind, double width)
{
  for (int i = 0; i < WIDE; i++) {
    double s = normal(), t = normal(), at = i % 2 ? 2 : -2, c = pick(3), u = 2 * M_PI * i / WIDE;
    double x[] = {i % 2,         at + width * s,          s,     pick(5), pick(10), s, s,
                  c + width * s, (i % 2 ? 1 : width) * s, cos(u)};
    double y[] = {i / 2 % 2,
                  at + width * t,
                  1 + 2 * s + t,
                  pick(5),
                  1 + 2 * x[LINE],
                  s * s + width * t,
                  s * s * s + width * t,
                  (c == 1 ? 5 : c) + width * t,
                  (i % 2 ? 1 : width) * t,
                  sin(u)};
    p->x[i] = x[kind];
    p->y[i] = y[kind];
  }
}

/* Nodes that a draw of each family takes, whatever limits and widths: about a tenth of the most. */
static void check_nodes(void)
{
  static problem p;
  static const double limits[] = {5, 1e6, 1e12}, widths[] = {1e-1, 1e-4, 1e-9},
                      rates[] = {0.1, 1, 20};
  static const int most[SHAPES] = {400, 3000, 4000, 1500, 300, 10000, 8000, 15000, 5000, 20000};
  for (int kind = 0; kind < SHAPES; kind++)
    for (int c = 0; c < ctest_some(9); c++) {
      ctest_memory pool = {0};
      ctest_pool = &pool;
      dpd_regression_plane *m;
      double theta[2], counts[3];
      seed = (uint64_t)(kind * 100 + c);
      fill_family(&p, (shape)kind, widths[c % 3]);
      for (int j = 0; j < 2; j++) {
        p.a[j] = -limits[c / 3];
        p.b[j] = limits[c / 3];
      }
      set_spec(&p, WIDE, rates[(c + c / 3) % 3]);
      CHECK(dpd_regression_plane_open(&m, &p.spec, ctest_alloc) == DPD_OK);
      do {
        dpd_regression_plane_counts(m, counts);
      } while (counts[2] < most[kind] && dpd_regression_plane_draw(m, &source, theta) == DPD_AGAIN);
      CHECK(counts[2] < most[kind]);
      dpd_regression_plane_close(m);
      ctest_free(&pool);
    }
}

/* Rows around a convex region that no row's line enters: where cuts by rows decide one row each,
 * halves are taken, though parts by rows may be lighter, and whatever the prior. At most 764 nodes;
 * else 2,700. */
static void check_curves(void)
{
  static problem p;
  for (int c = 0; c < 6; c++) {
    ctest_memory pool = {0};
    ctest_pool = &pool;
    dpd_regression_plane *m;
    double theta[2], counts[3];
    for (int i = 0; i < WIDE; i++) {
      double t = i / (WIDE - 1.0);
      p.x[i] = 3 * t;
      p.y[i] = c % 2 == 0 ? exp(3 * t) : t * t;
    }
    for (int j = 0; j < 2; j++) {
      p.a[j] = c / 2 == 0 ? -50 : 0;
      p.b[j] = c / 2 == 2 ? 1e-3 : 50;
    }
    set_spec(&p, WIDE, 4);
    p.spec.prior.normal = c / 2 == 1;
    p.spec.prior.dyadic = c / 2 == 2;
    CHECK(dpd_regression_plane_open(&m, &p.spec, ctest_alloc) == DPD_OK);
    while (dpd_regression_plane_draw(m, &source, theta) == DPD_AGAIN)
      continue;
    dpd_regression_plane_counts(m, counts);
    CHECK(counts[2] < 1500);
    dpd_regression_plane_close(m);
    ctest_free(&pool);
  }
}

int main(void)
{
  start(41);
  check_nodes();
  check_curves();
  return ctest_report("regression_plane_cuts");
}
