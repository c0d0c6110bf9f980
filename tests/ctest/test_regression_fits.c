/* test_regression_fits.c - private fits: boxes that are given up for row cuts after a few have the
 * distribution of either, and the same scores.
 *
 * Each chi-square test has an error rate of 1e-6. */
#include "ctest_planes.h"

#include "mech/regression_fits.h"
#include "mech/regression_space.h"

enum { LAWS = 8, DRAWS = 1000, N = 40, POINTS = 2000 };

/* Draws of small sets, each of samplers that are begun anew; *handed: how many were of row cuts. */
static bool law_is_right(int set, double most_boxes, int *handed)
{
  static problem p;
  static double weight[CELLS];
  static long count[CELLS];
  double theta[3];
  dpd_leaf_prior prior;
  dpd_regression_fits *f;
  const int draws = ctest_some(DRAWS);
  ctest_memory pool = {0};
  ctest_pool = &pool;
  fill_set(&p, set);
  if (p.kind == DYADIC || p.sharp) return true; /* a support without an end; no definition */
  memset(count, 0, sizeof count);
  for (int d = 0; d < draws; d++) {
    dpd_status status;
    CHECK(dpd_regression_fits_open(&f, &p.spec, most_boxes, ctest_alloc) == DPD_OK);
    while ((status = dpd_regression_fits_draw(f, &source, theta)) == DPD_AGAIN)
      ;
    CHECK(status == DPD_OK);
    CHECK(dpd_leaf_prior_open(&prior, p.spec.prior, ctest_alloc) == DPD_OK);
    count[cell_of(&prior.lattice, theta)]++;
    *handed += dpd_regression_fits_by_rows(f);
    if (d == draws - 1) weigh_cells(&p, &prior, weight);
    dpd_regression_fits_close(f);
    ctest_free(&pool);
  }
  return law_holds(count, weight, CELLS, draws);
}

/* Scores of both samplers at fits that pass by rows, in numbers that round. */
static void check_scores(bool origin)
{
  static double fit[3 * N], y[N], projection[2 * N];
  const double a[3] = {-2, -3, -5}, b[3] = {3, 2, 6};
  dpd_regression_spec spec = {.n = N,
                              .k = 3,
                              .count = 2,
                              .fit = fit,
                              .y = y,
                              .projection = projection,
                              .prior = {.d = 3, .a = a, .b = b},
                              .eps = {1},
                              .tie = 0.5,
                              .above = 1,
                              .below = 2,
                              .origin = origin};
  int apart = 0, different = 0, last = -1;
  for (int rep = 0; rep < 20; rep++) {
    double theta[3];
    ctest_memory pool = {0};
    ctest_pool = &pool;
    dpd_regression *boxes;
    dpd_regression_space *space;
    dpd_lattice l;
    CHECK(dpd_regression_set_lattice(&l, spec.prior, ctest_alloc) == DPD_OK);
    for (int j = 0; j < 3; j++)
      theta[j] = a[j] + (b[j] - a[j]) * (pick(9000) + 500) / 1e4;
    for (int i = 0; i < N; i++) {
      fit[i] = 1;
      fit[i + N] = projection[i] = (pick(2001) - 1000) / 777.0;
      fit[i + 2 * N] = projection[i + N] = (pick(2001) - 1000) / 333.0;
      y[i] = (pick(21) - 10) * ldexp(1, -38);
      for (int j = 0; j < 3; j++)
        y[i] += fit[i + j * N] * theta[j];
    }
    CHECK(dpd_regression_open(&boxes, &spec, ctest_alloc) == DPD_OK);
    CHECK(dpd_regression_space_open(&space, &spec, ctest_alloc) == DPD_OK);
    for (int t = 0; t < POINTS / 20; t++) {
      double z[3];
      for (int j = 0; j < 3; j++)
        z[j] = rint(theta[j] / l.step[j]) - l.origin[j] + pick(9) - 4;
      int one = dpd_regression_score(boxes, z), other = dpd_regression_space_score(space, z);
      apart += one != other;
      different += one != last;
      last = one;
    }
    ctest_free(&pool);
  }
  CHECK(apart == 0);
  CHECK(different > 100);
}

int main(void)
{
  static const double most[] = {0, 1, 10, 60};
  int right = 0, handed[4] = {0}, laws = LAWS;
  start(29);
  for (int set = 0; set < laws; set++)
    right += law_is_right(100 + set, most[set % 4], handed + set % 4);
  CHECK(right == laws);
  CHECK(handed[1] > 0 && handed[2] > 0 && handed[3] > 0);
  check_scores(false);
  check_scores(true);
  CHECK(dpd_regression_most_boxes(3000) == 20000 && dpd_regression_most_boxes(100000) == 500000);
  return ctest_report("regression_fits");
}
