/* test_exponential_frame.c - private medians in the plane of rows on a line or close to one: rounds
 * counted, the laws, and coordinates along a line.
 *
 * Most of the mass is on a segment between two points then, or in a band a few lattice steps wide.
 * Boxes of the axes take as many rounds as the segment has points for each node of the tree. */
#include "ctest.h"
#include "ctest_law.h"
#include "ctest_memory.h"

#include "mech/exponential_state.h"
#include "num/directions.h"
#include "samp/bernoulli.h"

enum { MAX_N = 9000, DIRECTIONS = 60, HALF = 12, SIDE = 2 * HALF + 1, ROWS = 40 };

static double x[2 * MAX_N], dirs[2 * DIRECTIONS];

/* About normal. */
static double noise(void)
{
  double sum = 0, u;
  for (int k = 0; k < 4; k++) {
    CHECK(dpd_rng_unit(&source, &u) == DPD_OK);
    sum += u - 0.5;
  }
  return 1.7 * sum;
}

/* Rows 0, 2, ... at one point, the others at another, and noise about them. */
static void fill_ends(int n, const double *one, const double *other, double spread)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 2; j++)
      x[i + j * n] = (i % 2 ? one : other)[j] + (spread > 0 ? spread * noise() : 0);
}

/* Some tenths of the rows anywhere. */
static void scatter_rows(int n, int tenths)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 2 && i * 7 % 10 < tenths; j++)
      x[i + j * n] = noise();
}

static dpd_exponential_spec spec_of(int n, double eps, const double *half, const double *step)
{
  static double work[1000], low[2], high[2];
  for (int j = 0; j < 2; j++) {
    high[j] = half[j];
    low[j] = -half[j];
  }
  dpd_directions(1, true, DIRECTIONS, 2, dirs, work);
  dpd_exponential_spec spec = {.n = n,
                               .d = 2,
                               .data = x,
                               .prior = {false, 2, low, high, step},
                               .exact_depth = true,
                               .count = DIRECTIONS,
                               .dirs = dirs,
                               .threads = 1};
  CHECK(dpd_rate_from_double(eps, &spec.eps) == DPD_OK);
  return spec;
}

/* Rounds until a draw, in blocks; `most` and more if it has not come by then. With polygons
 * in place of the tree after many, or not. */
static double rounds(int n, double eps, double most, bool polygons)
{
  const double half[2] = {10, 10};
  dpd_exponential_spec spec = spec_of(n, eps, half, NULL);
  ctest_memory pool = {0};
  ctest_pool = &pool;
  dpd_exponential *m;
  double z[2];
  CHECK(dpd_exponential_open(&m, &spec, ctest_alloc) == DPD_OK);
  m->effort.counts = polygons;
  dpd_status status = DPD_AGAIN;
  while (status == DPD_AGAIN && m->effort.refused < most)
    status = dpd_exponential_draw(m, &source, z);
  double all = status == DPD_AGAIN ? most : m->effort.refused;
  ctest_free(&pool);
  return all;
}

static void test_rounds(void)
{
  static const double flag[][2] = {{1, 1}, {10 / 3.0, 10 / 3.0}, {1, 0.5}, {-1, 3}};
  static const double steep[][2] = {{7.123, 0.517}, {-6.21, 9.87}, {3.3, 4.7}, {0.37, -8.1}};
  const double zero[2] = {0, 0}, up[2] = {0, 1}, right[2] = {1, 0}, half[2] = {10, 10};
  for (int k = 0; k < 4; k++) {
    fill_ends(500, flag[k], zero, 0);
    CHECK(rounds(500, 1, 3000, false) < 3000);
  }
  fill_ends(500, up, right, 0);
  CHECK(rounds(500, 1, 3000, false) < 3000);
  /* each second row of many is one of the points only */
  fill_ends(MAX_N, up, right, 0);
  CHECK(rounds(MAX_N, 1, 1, false) < 1);
  /* four tenths of the rows anywhere; points of a line that another one outweighs */
  start(2);
  fill_ends(500, up, right, 0);
  scatter_rows(500, 4);
  CHECK(rounds(500, 1, 300, false) < 300);
  for (int i = 0; i < 500; i++)
    x[i] = x[i + 500] = i % 9 / 3.0;
  for (int i = 7; i < 500; i += 10) { /* 7 * 7 % 10 = 9 */
    x[i] = -5;
    x[i + 500] = 2;
  }
  scatter_rows(500, 3);
  CHECK(rounds(500, 1, 1500, true) < 1500);
  /* few rows: most of the mass is nowhere near them, and a line's coordinates hold it badly */
  for (int k = 0; k < 4; k++) {
    fill_ends(21, steep[k], zero, 1e-5);
    CHECK(rounds(21, 0.5, 3000, false) < 3000);
    fill_ends(21, steep[k], zero, 0);
    CHECK(rounds(21, 0.5, 3000, false) < 3000);
  }
  /* as wide as half a step; and eight steps, at points beyond the candidates */
  double step[2];
  dpd_exponential_spec spec = spec_of(200, 1, half, NULL);
  ctest_memory pool = {0};
  ctest_pool = &pool;
  CHECK(dpd_exponential_steps(spec.prior, true, step, ctest_alloc) == DPD_OK);
  ctest_free(&pool);
  const double near[2][2] = {{3, 3}, {-1.11, -3}}, far[2][2] = {{11, 11}, {-4.07, -11}};
  for (uint64_t seed = 1; seed <= 3; seed++) {
    start(seed);
    fill_ends(200, near[0], near[1], 0.5 * step[0]);
    CHECK(rounds(200, 1, 3000, true) < 3000);
    fill_ends(200, far[0], far[1], 8 * step[0]);
    CHECK(rounds(200, 5, 1000, false) < 1000); /* 0; 1792 and more about a far point */
  }
}

/* Closed halfplanes with z on their border, turned a little about it. */
static int slow_depth(int n, double zx, double zy)
{
  int here = 0, best = n;
  for (int i = 0; i < n; i++) {
    double dx = x[i] - zx, dy = x[i + n] - zy;
    int side[2] = {0, 0}, line[2] = {0, 0};
    here += dx == 0 && dy == 0;
    if (dx == 0 && dy == 0) continue;
    for (int j = 0; j < n; j++) {
      double ex = x[j] - zx, ey = x[j + n] - zy, cross = dx * ey - dy * ex, dot = dx * ex + dy * ey;
      if (cross != 0)
        side[cross > 0]++;
      else if (dot != 0)
        line[dot > 0]++;
    }
    int least = (side[0] < side[1] ? side[0] : side[1]) + (line[0] < line[1] ? line[0] : line[1]);
    best = least < best ? least : best;
  }
  return here == n ? n : best + here;
}

/* Draws on a small lattice. Which coordinates there were: 0: the axes, 1: a shear, 2: a basis. */
static int check_law(double eps)
{
  const double half[2] = {HALF, HALF}, one[2] = {1, 1};
  static long count[SIDE * SIDE];
  static double weight[SIDE * SIDE];
  const int draws = ctest_some(6000);
  dpd_exponential_spec spec = spec_of(ROWS, eps, half, one);
  ctest_memory pool = {0};
  ctest_pool = &pool;
  dpd_exponential *m;
  double z[2];
  CHECK(dpd_exponential_open(&m, &spec, ctest_alloc) == DPD_OK);
  m->effort.counts = false;
  for (int k = 0; k < SIDE * SIDE; k++) {
    weight[k] = exp(eps / 2 * slow_depth(ROWS, k % SIDE - HALF, k / SIDE - HALF));
    count[k] = 0;
  }
  for (int k = 0; k < draws; k++) {
    dpd_status status;
    while ((status = dpd_exponential_draw(m, &source, z)) == DPD_AGAIN)
      continue;
    CHECK(status == DPD_OK);
    count[(int)z[0] + HALF + SIDE * ((int)z[1] + HALF)]++;
  }
  CHECK(law_holds(count, weight, SIDE * SIDE, draws));
  int frame = m->shear.reduced ? 2 : !m->shear.identity;
  ctest_free(&pool);
  return frame;
}

static void test_laws(void)
{
  static const double end[][2][2] = {{{-8, -8}, {8, 8}},
                                     {{-9, 9}, {9, -9}},
                                     {{-4, -10}, {4, 10}},
                                     {{-11, 3}, {10, -11}},
                                     {{-20, -12}, {5, 13}}};
  int frames[3] = {0};
  start(5);
  for (int k = 0; k < 5; k++)
    for (int wide = 0; wide < 2; wide++) {
      fill_ends(ROWS, end[k][0], end[k][1], wide);
      for (int i = 0; i < 2 * ROWS; i++)
        x[i] = rint(x[i]);
      frames[check_law(wide ? 0.6 : 0.4)]++;
    }
  /* a cross of four points, and rows around a line */
  for (int i = 0; i < ROWS; i++) {
    int arm = i % 10 < 7 ? 6 : 3, side = i % 2 ? 1 : -1;
    x[i] = arm * side;
    x[i + ROWS] = i % 10 < 7 ? arm * side : -arm * side;
  }
  frames[check_law(0.5)]++;
  for (int i = 0; i < ROWS; i += 5)
    x[i] = rint(4 * noise());
  frames[check_law(0.5)]++;
  CHECK(frames[2] > 4);
}

/* A basis of Z^2 about a point, whose first vector is the step. */
static void test_along(void)
{
  static const int64_t step[][2] = {{1, 1},  {-1, 1},      {0, 1},       {1, 0},
                                    {3, -7}, {-5, -65536}, {65536, 257}, {1, 65536}};
  const double unit[2] = {1e9, 1e9}, centre[2] = {1234, -567};
  const int64_t large[2] = {65537, 1}, even[2] = {4, -6}, none[2] = {0, 0};
  ctest_memory pool = {0};
  ctest_pool = &pool;
  dpd_shear s;
  start(6);
  for (int k = 0; k < 8; k++) {
    dpd_shear_set(&s, 2, NULL, unit, 1, ctest_alloc);
    CHECK(dpd_shear_along(&s, step[k], centre));
    CHECK(s.reduced && !s.identity && s.unit[0] >= 1 && s.unit[1] == 1);
    CHECK(fabs(s.basis[0] * s.basis[3] - s.basis[1] * s.basis[2]) == 1);
    for (int round = 0; round < 200; round++) {
      double w[2], z[2], lo[2], hi[2], wlo[2], whi[2], form[2], c[2], size[3], least, most;
      for (int j = 0; j < 2; j++) {
        w[j] = rint(1e6 * noise());
        form[j] = rint(3e4 * noise());
        lo[j] = w[j] - floor(fabs(9 * noise()));
        hi[j] = w[j] + floor(fabs(9 * noise()));
      }
      dpd_shear_point(&s, w, z);
      dpd_shear_cover(&s, z, z, wlo, whi);
      CHECK(wlo[0] == w[0] && whi[0] == w[0] && wlo[1] == w[1] && whi[1] == w[1]);
      double value = form[0] * z[0] + form[1] * z[1];
      dpd_shear_form(&s, form, c, size);
      dpd_shear_ranges(&s, &(dpd_shear_forms){c, size, 1, 1}, lo, hi, &least, &most);
      CHECK(least <= value && value <= most);
      w[0] += 1;
      dpd_shear_point(&s, w, lo);
      CHECK(lo[0] - z[0] == (double)step[k][0] && lo[1] - z[1] == (double)step[k][1]);
    }
  }
  dpd_shear_set(&s, 2, NULL, unit, 1, ctest_alloc);
  CHECK(!dpd_shear_along(&s, large, centre));
  CHECK(!dpd_shear_along(&s, even, centre));
  CHECK(!dpd_shear_along(&s, none, centre));
  dpd_shear_set(&s, 3, NULL, (const double[3]){1, 1, 1}, 1, ctest_alloc);
  CHECK(!dpd_shear_along(&s, step[0], centre));
  ctest_free(&pool);
}

int main(void)
{
  start(1);
  test_along();
  test_rounds();
  test_laws();
  return ctest_report("exponential_frame");
}
