/* test_regression_pairs.c - bounds by pairs of rows that cannot both count, against all points of a
 * box. */
#include "ctest.h"
#include "ctest_memory.h"

#include <math.h>
#include <stdlib.h>

#include "mech/regression_state.h"

enum { ROWS = 30, AXES = 5, DIRECTIONS = 4, CASES = 64, BOXES = 40, PLAIN = 56 };

typedef struct {
  double fit[ROWS * AXES], y[ROWS], projection[ROWS * DIRECTIONS];
  double lower[AXES], upper[AXES], resolution[AXES];
} rows;

static int below(int n)
{
  return (int)((double)rand() / ((double)RAND_MAX + 1) * n);
}

/* Regressors of size about 1, at times whole numbers with ties, on a lattice of whole numbers. */
static dpd_regression_spec make(rows *r, int c)
{
  int k = 2 + c % 4;
  for (int i = 0; i < ROWS; i++) {
    r->y[i] = below(81) / 4.0 - 10;
    for (int j = 0; j < k; j++)
      r->fit[i + j * ROWS] = j == 0 ? 1 : c % 8 < 4 ? below(5) - 2 : below(4001) / 1e3 - 2;
    for (int u = 0; u < DIRECTIONS; u++)
      r->projection[i + u * ROWS] =
          r->fit[i + ROWS] * (u - 1) + r->fit[i + (k - 1) * ROWS] * (u > 0);
  }
  for (int j = 0; j < k; j++) {
    r->lower[j] = -32;
    r->upper[j] = 32;
    r->resolution[j] = 1;
  }
  dpd_regression_spec spec = {.n = ROWS,
                              .k = k,
                              .count = DIRECTIONS,
                              .fit = r->fit,
                              .y = r->y,
                              .projection = r->projection,
                              .prior = {.d = k, .a = r->lower, .b = r->upper},
                              .eps = {(uint64_t)1 << DPD_RATE_BITS},
                              .tie = c % 3 == 0 ? 0.5 : 0,
                              .above = c < PLAIN ? 1 + c % 3 / 2 : 2,
                              .below = 1 + c % 5 / 4,
                              .shifted = c < PLAIN ? c % 7 == 6 : c < PLAIN + 4,
                              .origin = c >= PLAIN + 4};
  spec.prior.resolution = r->resolution;
  return spec;
}

/* The largest score of all points of the box. */
static int most_in(dpd_regression *m, const double *lo, const double *hi)
{
  int k = m->spec.k, most = 0, j = 0;
  double w[AXES], z[AXES];
  for (int i = 0; i < k; i++)
    w[i] = lo[i];
  while (j < k) {
    dpd_regression_point(m, w, z);
    int score = dpd_regression_score(m, z);
    if (score > most) most = score;
    for (j = 0; j < k && w[j] >= hi[j]; j++)
      w[j] = lo[j];
    if (j < k) w[j]++;
  }
  return most;
}

/* The weight that bounds the box is no less than the largest score, pairs taken off, nor is the
 * bound; how many were. */
static int check_box(dpd_regression *m, const double *lo, const double *hi)
{
  int64_t sum[2];
  m->note = (dpd_rejection_note){{-1, -1, -1, -1}, -1};
  dpd_regression_terms_box(m, &m->all, lo, hi, sum);
  int64_t weight = dpd_regression_min_weight(m, &m->all, lo, hi, sum);
  int64_t off = dpd_regression_conflicts(m, &m->all, lo, hi, sum, weight);
  int most = most_in(m, lo, hi), bound;
  CHECK(off >= 0 && most <= weight - off);
  if (m->spec.origin) CHECK(off == 0);
  CHECK(dpd_regression_bound(m, lo, hi, &bound) && most <= bound);
  return (int)off;
}

/* Boxes that hold fits near most rows, of a few steps a side. */
static int check_boxes(dpd_regression *m)
{
  int off = 0, k = m->spec.k;
  const int side = k == 2 ? 24 : k == 3 ? 9 : k == 4 ? 5 : 3;
  double lo[AXES], hi[AXES];
  for (int b = 0; b < BOXES; b++) {
    for (int j = 0; j < k; j++) {
      lo[j] = below(13) - 6 - (j == 0 ? below(8) : 0);
      hi[j] = lo[j] + below(side);
    }
    off += check_box(m, lo, hi);
  }
  return off;
}

int main(void)
{
  rows r;
  int off[AXES + 1] = {0};
  ctest_memory memory = {NULL, 0};
  ctest_pool = &memory;
  srand(5);
  for (int c = 0; c < CASES; c++) {
    dpd_regression_spec spec = make(&r, c);
    dpd_regression *m;
    CHECK(dpd_regression_open(&m, &spec, ctest_alloc) == DPD_OK);
    for (int kind = 0; kind < DPD_FRAMES; kind++) {
      dpd_regression_set_frame(m, (dpd_regression_frame)kind, ctest_alloc);
      CHECK(dpd_regression_begin_tree(m) == DPD_OK);
      off[spec.k] += check_boxes(m);
    }
    ctest_free(&memory);
  }
  for (int k = 2; k <= AXES; k++)
    CHECK(off[k] > 0);
  ctest_free(&memory);
  return ctest_report("regression_pairs");
}
