/* test_regression_directions.c - directions chosen by a deep fit: outside the limits, and with a
 * level that no row has. */
#include "ctest.h"
#include "ctest_memory.h"

#include <math.h>
#include <stdlib.h>

#include "mech/regression_state.h"
#include "samp/bernoulli.h"
#include "samp/rng.h"

enum { ROWS = 200, AXES = 5, DIRECTIONS = 100, BLOCKS = 100 };

typedef struct {
  double fit[ROWS * AXES], y[ROWS], projection[ROWS * DIRECTIONS], lower[AXES], upper[AXES];
} rows;

static double uniform(void)
{
  return 2 * ((double)rand() / RAND_MAX) - 1;
}

static double bell(void)
{
  return uniform() + uniform() + uniform();
}

static dpd_status fill(void *state, unsigned char *out, size_t size)
{
  (void)state;
  for (size_t i = 0; i < size; i++)
    out[i] = (unsigned char)(rand() >> 7);
  return DPD_OK;
}

/* Directions are the regressors and random ones; all limits are -half and half. */
static dpd_regression_spec make(rows *r, int k, double half, double eps)
{
  for (int u = 0; u < DIRECTIONS; u++) {
    double v[AXES];
    for (int j = 1; j < k; j++)
      v[j] = u < k - 1 ? u == j - 1 : bell();
    for (int i = 0; i < ROWS; i++) {
      r->projection[i + u * ROWS] = 0;
      for (int j = 1; j < k; j++)
        r->projection[i + u * ROWS] += v[j] * r->fit[i + j * ROWS];
    }
  }
  for (int j = 0; j < k; j++) {
    r->lower[j] = -half;
    r->upper[j] = half;
  }
  dpd_regression_spec spec = {.n = ROWS,
                              .k = k,
                              .count = DIRECTIONS,
                              .fit = r->fit,
                              .y = r->y,
                              .projection = r->projection,
                              .prior = {.d = k, .a = r->lower, .b = r->upper},
                              .tie = 0.5,
                              .above = 1,
                              .below = 1};
  CHECK(dpd_rate_from_double(eps, &spec.eps) == DPD_OK);
  return spec;
}

/* The bound of a box, as of one that is cut from none. */
static int bound_of(dpd_regression *m, const double *lo, const double *hi)
{
  int score = 0;
  m->note = (dpd_rejection_note){{-1, -1, -1, -1}, -1};
  return dpd_regression_bound(m, lo, hi, &score) ? score : 0;
}

/* All rows lie on a fit outside the limits: scores are low within them, but along few directions,
 * which that fit tells. */
static void check_outside(rows *r)
{
  enum { K = 4, BOXES = 100 };
  dpd_regression *m;
  dpd_rng rng;
  double theta[AXES], lo[AXES], hi[AXES], from[AXES], to[AXES], told = 0, blind = 0;
  for (int i = 0; i < ROWS; i++) {
    r->fit[i] = 1;
    r->y[i] = 5;
    for (int j = 1; j < K; j++) {
      r->fit[i + j * ROWS] = bell();
      r->y[i] += (j == 1 ? 100 : -3) * r->fit[i + j * ROWS];
    }
  }
  dpd_regression_spec spec = make(r, K, 50, 1);
  CHECK(dpd_regression_open(&m, &spec, ctest_alloc) == DPD_OK);
  dpd_rng_open(&rng, fill, NULL, 512);
  (void)dpd_regression_draw(m, &rng, theta);
  CHECK(m->deep != NULL);
  dpd_regression_point(m, m->deep, m->z);
  for (int j = 0; j < K; j++) {
    const double slope = j == 0 ? 5 : j == 1 ? 100 : -3, at = slope / m->lattice.step[j];
    CHECK(fabs(m->z[j] + m->lattice.origin[j] - at) < 1e-6 * fabs(at));
  }
  dpd_regression_cover(m, lo, hi);
  for (int i = 0; i < BOXES; i++) {
    for (int j = 0; j < K; j++) {
      from[j] = floor(lo[j] / 2 + hi[j] / 2 + uniform() * (hi[j] - lo[j]) / 2.5);
      to[j] = from[j] + floor((hi[j] - lo[j]) / 64);
    }
    const double *deep = m->deep;
    told += bound_of(m, from, to);
    m->deep = NULL;
    blind += bound_of(m, from, to);
    m->deep = deep;
  }
  CHECK(2 * told < blind); /* a third */
}

/* The last column is that of a level that no row has: a draw takes a few thousand nodes, however
 * wide the limits are. */
static void check_empty_level(rows *r, double half)
{
  dpd_regression *m;
  dpd_rng rng;
  double theta[AXES], counts[3];
  int blocks = 0;
  for (int i = 0; i < ROWS; i++) {
    r->fit[i] = 1;
    r->fit[i + ROWS] = bell();
    r->fit[i + 2 * ROWS] = i % 2;
    r->fit[i + 3 * ROWS] = 0;
    r->y[i] = 1 + 2 * r->fit[i + ROWS] + bell();
  }
  dpd_regression_spec spec = make(r, 4, half, 1);
  CHECK(dpd_regression_open(&m, &spec, ctest_alloc) == DPD_OK);
  dpd_rng_open(&rng, fill, NULL, 512);
  while (blocks < BLOCKS && dpd_regression_draw(m, &rng, theta) == DPD_AGAIN)
    blocks++;
  dpd_regression_counts(m, counts);
  CHECK(blocks < BLOCKS && counts[2] < 20000);
}

int main(void)
{
  rows r;
  ctest_memory memory = {NULL, 0};
  ctest_pool = &memory;
  srand(7);
  check_empty_level(&r, 50);
  check_empty_level(&r, 1e4);
  check_outside(&r);
  ctest_free(&memory);
  return ctest_report("regression_directions");
}
