/* test_regression_refine.c - where the private regression cuts before the first proposal: from a
 * fit as deep as that of the rows beside a cluster; on oblique ridges; with a level that no row
 * has; from a fit outside the limits. */
#include "ctest.h"
#include "ctest_memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mech/regression_state.h"
#include "samp/bernoulli.h"
#include "samp/rejection_tree.h"
#include "samp/rng.h"

enum { ROWS = 200, AXES = 5, DIRECTIONS = 100, BLOCKS = 100, RIDGES = 16 };

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

/* Boxes over which few rows are undecided are bounded by all directions while they are refined,
 * unless fewer tell that they are light. */
static void check_all_directions(dpd_regression *m)
{
  int k = m->spec.k, few = 0;
  double lo[AXES], hi[AXES];
  m->refining = true;
  for (int b = 0; b < 200; b++) {
    int64_t sum[2], least = INT64_MAX;
    for (int j = 0; j < k; j++) {
      lo[j] = floor(m->deep[j] + 0x1p36 * bell());
      hi[j] = lo[j] + floor(0x1p33 * (1 + uniform()));
    }
    dpd_regression_terms_box(m, &m->all, lo, hi, sum);
    for (int u = 0; u < m->spec.count; u++) {
      int64_t weight = dpd_regression_weight(m, &m->all, u, sum);
      if (weight < least) least = weight;
    }
    m->note = (dpd_rejection_note){{-1, -1, -1, -1}, -1};
    m->light = -INFINITY;
    int64_t bound = dpd_regression_min_weight(m, &m->all, lo, hi, sum);
    bool all = dpd_regression_undecided(m, &m->all) <= 40;
    few += all;
    CHECK(all ? bound == least : bound >= least);
    m->light = (double)bound + 1;
    CHECK(dpd_regression_min_weight(m, &m->all, lo, hi, sum) >= least);
  }
  CHECK(few > 20);
}

/* A fifth of the rows, in a tight cluster, drag the fit of least absolute deviations along. The
 * boxes are cut about a fit that is deeper than the one that the other rows were made with. */
static void check_cluster(rows *r, int k, bool all)
{
  dpd_regression *m;
  dpd_rng rng;
  double theta[AXES], z[AXES];
  for (int i = 0; i < ROWS; i++) {
    bool out = i < ROWS / 5;
    r->fit[i] = 1;
    r->y[i] = out ? -15 + 0.1 * bell() : 1 + bell();
    for (int j = 1; j < k; j++) {
      r->fit[i + j * ROWS] = out ? 3 + 0.1 * bell() : bell();
      r->y[i] += out ? 0 : 2 * r->fit[i + j * ROWS];
    }
  }
  dpd_regression_spec spec = make(r, k, 50, all ? 3 : 1);
  CHECK(dpd_regression_open(&m, &spec, ctest_alloc) == DPD_OK);
  dpd_rng_open(&rng, fill, NULL, 512);
  CHECK(dpd_regression_draw(m, &rng, theta) == DPD_AGAIN);
  for (int j = 0; j < k; j++)
    z[j] = rint((j == 0 ? 1 : 2) / m->lattice.step[j] - m->lattice.origin[j]);
  CHECK(m->tree->goal.score > dpd_regression_score(m, z));
  if (all) check_all_directions(m);
}

/* A curved relation: scores have ridges that lie along no axis. Do random steps of all sizes find a
 * fit that is much deeper than the one that boxes are cut about? */
static bool stops_on_ridge(rows *r)
{
  enum { K = 3, STEPS = 2000 };
  dpd_regression *m;
  dpd_rng rng;
  double theta[AXES], w[AXES], to[AXES], log_prior;
  for (int i = 0; i < ROWS; i++) {
    double x = bell();
    r->fit[i] = 1;
    r->fit[i + ROWS] = x;
    r->fit[i + 2 * ROWS] = exp(x) + 0.05 * bell();
    r->y[i] = exp(2 * x) * (1 + 0.2 * bell());
  }
  dpd_regression_spec spec = make(r, K, 50, 1);
  CHECK(dpd_regression_open(&m, &spec, ctest_alloc) == DPD_OK);
  dpd_rng_open(&rng, fill, NULL, 512);
  CHECK(dpd_regression_draw(m, &rng, theta) == DPD_AGAIN);
  memcpy(w, m->deep, K * sizeof *w);
  int best = m->tree->goal.score;
  for (int i = 0; i < STEPS; i++) {
    for (int j = 0; j < K; j++)
      to[j] = w[j] + rint(0x1p36 * exp2(-(i % 15)) * bell());
    dpd_regression_point(m, to, m->z);
    if (!dpd_regression_prior_at(m, m->z, &log_prior)) continue;
    if (!dpd_regression_at_least(m, &m->all, m->z, best + 1)) continue;
    best = dpd_regression_score(m, m->z);
    memcpy(w, to, K * sizeof *w);
  }
  return best > m->tree->goal.score + 2;
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

/* The last column is that of a level that no row has: a draw takes a few hundred proposals, however
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
  CHECK(blocks < BLOCKS && counts[0] < 2000 && counts[2] < 20000);
}

int main(void)
{
  rows r;
  ctest_memory memory = {NULL, 0};
  ctest_pool = &memory;
  srand(7);
  for (int k = 4; k <= AXES; k++)
    check_cluster(&r, k, false);
  check_empty_level(&r, 50);
  check_empty_level(&r, 1e4);
  check_outside(&r);
  const int ridges = ctest_some(RIDGES);
  int stopped = 0;
  for (int i = 0; i < ridges; i++)
    stopped += stops_on_ridge(&r);
  /* 5; climbing along the axes alone: 11 */
  CHECK(ridges < RIDGES || stopped < RIDGES / 2);
  for (int k = 4; k <= AXES; k++)
    check_cluster(&r, k, true);
  ctest_free(&memory);
  return ctest_report("regression_refine");
}
