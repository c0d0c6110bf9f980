/* test_regression_prior.c - the private regression under a dyadic prior: its law by enumeration
 * of a support cut to a few shells, in all frames; bounds of masses; shells of the whole lattice.
 *
 * Each chi-square test has an error rate of 1e-6. */
#include "ctest.h"
#include "ctest_law.h"
#include "ctest_memory.h"

#include <math.h>

#include "mech/regression_state.h"

enum {
  ROWS = 9,
  AXES = 3,
  DIRECTIONS = 4,
  REACH = 7, /* shells 0 to 3 */
  SIDE = 2 * REACH + 1,
  CELLS = SIDE * SIDE * SIDE,
  TREES = 150, /* a tree's first draws come from wide boxes */
  DRAWS = 40,
  BOXES = 400
};

typedef struct {
  double fit[ROWS * AXES], y[ROWS], projection[ROWS * DIRECTIONS];
  double origin[AXES], unit[AXES];
} rows;

static int below(int n)
{
  uint64_t at;
  CHECK(dpd_rng_below(&source, (uint64_t)n, &at) == DPD_OK);
  return (int)at;
}

/* Whole numbers with ties; regressors far from 0, so that the axes are sheared. */
static dpd_regression_spec make(rows *r, int k, double unit)
{
  int count = k == 2 ? 1 : DIRECTIONS;
  for (int i = 0; i < ROWS; i++) {
    r->fit[i] = 1;
    for (int j = 1; j < k; j++)
      r->fit[i + j * ROWS] = 1 + below(3);
    r->y[i] = unit * (2 * r->fit[i + ROWS] + below(3));
    for (int u = 0; u < count; u++)
      r->projection[i + u * ROWS] =
          r->fit[i + ROWS] + (k == 2 ? 0 : (u - 1) * r->fit[i + 2 * ROWS]);
  }
  for (int j = 0; j < k; j++) {
    r->origin[j] = j == 1 ? unit : 0;
    r->unit[j] = unit;
  }
  dpd_regression_spec spec = {.n = ROWS,
                              .k = k,
                              .count = count,
                              .fit = r->fit,
                              .y = r->y,
                              .projection = r->projection,
                              .prior = {.d = k, .a = r->origin, .b = r->unit, .dyadic = true},
                              .eps = {(uint64_t)1 << DPD_RATE_BITS},
                              .tie = 0.5,
                              .above = 1,
                              .below = 1};
  return spec;
}

static double shell_share(double z)
{
  int e;
  if (z == 0) return 1;
  (void)frexp(z, &e);
  return ldexp(1, -e);
}

/* The support's cells and their weights; `flat`: a broken prior. */
static void weigh(dpd_regression *m, double *weight, double *flat)
{
  int k = m->spec.k, cells = k == 2 ? SIDE * SIDE : CELLS;
  double z[AXES];
  for (int c = 0; c < cells; c++) {
    double prior = 1;
    for (int j = 0, rest = c; j < k; j++, rest /= SIDE) {
      z[j] = rest % SIDE - REACH;
      prior *= shell_share(z[j]);
    }
    flat[c] = exp(0.5 * dpd_regression_score(m, z));
    weight[c] = prior * flat[c];
  }
}

static int cell_of(const dpd_regression *m, const double *theta)
{
  int cell = 0;
  for (int j = m->spec.k; j-- > 0;)
    cell = cell * SIDE + REACH + (int)(rint(theta[j] / m->lattice.step[j]) - m->lattice.origin[j]);
  return cell;
}

/* The support ends after a few shells, where it can be enumerated. */
static dpd_regression *open_small(const dpd_regression_spec *spec)
{
  dpd_regression *m;
  CHECK(dpd_regression_open(&m, spec, ctest_alloc) == DPD_OK);
  for (int j = 0; j < spec->k; j++) {
    m->lattice.hi[j] = REACH;
    m->lattice.lo[j] = -REACH;
  }
  dpd_regression_set_mass(m, ctest_alloc);
  return m;
}

static void check_law(int k, dpd_regression_frame kind)
{
  static double weight[CELLS], flat[CELLS];
  static long count[CELLS];
  int cells = k == 2 ? SIDE * SIDE : CELLS;
  rows r;
  ctest_memory memory = {NULL, 0};
  ctest_pool = &memory;
  dpd_regression_spec spec = make(&r, k, 0.25);
  dpd_regression *m = open_small(&spec);
  weigh(m, weight, flat);
  for (int c = 0; c < cells; c++)
    count[c] = 0;
  const int trees = ctest_some(TREES);
  for (int t = 0; t < trees; t++) {
    double theta[AXES];
    dpd_regression_set_frame(m, kind, ctest_alloc);
    CHECK(kind == DPD_FRAME_STRAIGHT || !m->shear.identity);
    CHECK(dpd_regression_begin_tree(m) == DPD_OK);
    for (int i = 0; i < DRAWS; i++) {
      dpd_status status;
      while ((status = dpd_regression_draw(m, &source, theta)) == DPD_AGAIN)
        ;
      CHECK(status == DPD_OK);
      count[cell_of(m, theta)]++;
    }
  }
  CHECK(law_holds(count, weight, cells, (long)trees * DRAWS));
  CHECK(trees < TREES || !law_holds(count, flat, cells, (long)TREES * DRAWS));
  ctest_free(&memory);
}

/* No proposal in a box says more than the box's bound, and all of the box's prior is proposed. */
static void check_bounds(int k, dpd_regression_frame kind)
{
  rows r;
  ctest_memory memory = {NULL, 0};
  ctest_pool = &memory;
  dpd_regression_spec spec = make(&r, k, 0.25);
  dpd_regression *m = open_small(&spec);
  dpd_regression_set_frame(m, kind, ctest_alloc);
  CHECK(dpd_regression_begin_tree(m) == DPD_OK);
  for (int b = 0; b < BOXES; b++) {
    double from[AXES], to[AXES], lo[AXES], hi[AXES], w[AXES], z[AXES], bound, part;
    int score;
    dpd_regression_cover(m, from, to);
    for (int j = 0; j < k; j++) {
      lo[j] = from[j] + below((int)(to[j] - from[j]) + 1);
      hi[j] = lo[j] + below((int)(to[j] - lo[j]) + 1);
    }
    bool mass = m->tree->target.bound(m, lo, hi, 1 << 29, &score, &bound);
    CHECK(dpd_regression_propose(m, &source, lo, hi, w, &part) == DPD_OK);
    if (!(part > -INFINITY)) continue;
    CHECK(mass && part <= bound);
    for (int j = 0; j < k; j++) {
      CHECK(w[j] >= lo[j] && w[j] <= hi[j]);
      if (lo[j] == hi[j]) continue;
      double cut = dpd_regression_cut(m, lo, hi, j);
      CHECK(cut >= lo[j] && cut < hi[j]);
    }
    dpd_regression_point(m, w, z);
    CHECK(dpd_regression_prior_at(m, z, &part));
    CHECK(m->tree->target.bound(m, w, w, 1 << 29, &score, &bound) && bound == part);
  }
  ctest_free(&memory);
}

/* Nearly no weight for the rows: all shells of the whole lattice come equally often. */
static void check_shells(void)
{
  enum { ALL = DPD_REGRESSION_SHELLS + 1 };
  double weight[ALL], theta[AXES];
  long count[ALL] = {0};
  rows r;
  ctest_memory memory = {NULL, 0};
  ctest_pool = &memory;
  dpd_regression_spec spec = make(&r, 2, 0x1p-20);
  dpd_regression *m;
  spec.eps.num = 1;
  CHECK(dpd_regression_open(&m, &spec, ctest_alloc) == DPD_OK);
  CHECK(!m->shear.identity);
  for (int i = 0; i < ALL * 60; i++) {
    int e = 0;
    while (dpd_regression_draw(m, &source, theta) == DPD_AGAIN)
      ;
    double z = theta[1] * 0x1p20 - 1;
    if (z != 0) (void)frexp(z, &e);
    count[e]++;
  }
  for (int i = 0; i < ALL; i++)
    weight[i] = 1;
  CHECK(law_holds(count, weight, ALL, ALL * 60));
  ctest_free(&memory);
}

int main(void)
{
  start(5);
  for (int k = 2; k <= AXES; k++)
    for (int kind = 0; kind < DPD_FRAMES; kind++) {
      check_law(k, (dpd_regression_frame)kind);
      check_bounds(k, (dpd_regression_frame)kind);
    }
  check_shells();
  return ctest_report("regression_prior");
}
