/* test_tally.c - entries with counts give the bits of the rows written out, in every kernel that
 * takes them; sums, ranks and runs by hand; counts near 2^31. */
#include "ctest.h"
#include "ctest_memory.h"
#include "ctest_tally.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "depth/halfspace.h"
#include "mech/axes.h"
#include "mech/depth_median.h"
#include "mech/exponential.h"
#include "mech/interval.h"
#include "mech/quantiles.h"
#include "mech/regression.h"
#include "mech/regression_state.h"
#include "num/rank_fill.h"
#include "samp/rng.h"

static dpd_status draw_boxes(void *m, dpd_rng *rng, double *x)
{
  return dpd_boxes_draw(m, rng, x);
}

/* The levels and draws of a spec that has the tally, and of the same with its rows. */
static void ranks_agree(dpd_axes_spec spec, const double *row)
{
  dpd_boxes *m[2];
  for (int k = 0; k < 2; k++) {
    CHECK(dpd_axes_open(&m[k], &spec, ctest_alloc) == DPD_OK);
    while (dpd_boxes_prepare(m[k]) == DPD_AGAIN)
      ;
    spec.data = row;
    spec.tally = NULL;
  }
  const dpd_levels *a = dpd_boxes_levels(m[0]), *b = dpd_boxes_levels(m[1]);
  CHECK(a->count == b->count && a->total == b->total);
  CHECK(memcmp(a->in_bucket, b->in_bucket, sizeof a->in_bucket) == 0);
  for (int k = 0; k < a->count && k < b->count; k += 1 + k / 8)
    CHECK(dpd_levels_bits(a, k) == dpd_levels_bits(b, k));
  CHECK(same_draws(draw_boxes, m[0], m[1], spec.d, DRAWS));
}

static void axes_agree(const problem *p, double eps)
{
  dpd_axes_spec spec = {.n = p->tally.n, .d = p->d, .data = p->entry, .tally = &p->tally};
  spec.prior = p->prior;
  spec.eps = rate_of(eps);
  ranks_agree(spec, p->row);
}

static dpd_status draw_interval(void *m, dpd_rng *rng, double *x)
{
  return dpd_interval_draw(m, rng, x);
}

static dpd_status draw_quantiles(void *m, dpd_rng *rng, double *x)
{
  return dpd_quantiles_draw(m, rng, x);
}

static void one_variable_agrees(const problem *p, double eps)
{
  int n = p->tally.n, below = pick(n + 1);
  dpd_axes_spec one = {.n = n, .d = 1, .data = p->entry, .tally = &p->tally, .prior = p->prior};
  one.below = below, one.above = n - below;
  one.cut = true, one.to_ends = pick(2) == 1;
  for (double rate = eps; rate < 2000; rate *= 9) { /* cut to fewer and fewer levels */
    one.eps = rate_of(rate);
    ranks_agree(one, p->row);
  }
  dpd_interval *v[2];
  dpd_interval_spec scan = {.n = n, .data = p->entry, .tally = &p->tally, .prior = p->prior};
  scan.eps = rate_of(eps);
  scan.mirrored = pick(2) == 1;
  scan.first = pick(n + 1) - n / 4;
  scan.second = pick(n + 1);
  scan.cells = 1 << pick(8);
  scan.growth = 1 + pick(20), scan.below = below, scan.above = n - below;
  memcpy(scan.shares, (const int[]){200, 250, 300, 250}, sizeof scan.shares);
  const double rank[3] = {floor(n / 4), floor(n / 2), floor(0.9 * n)}, each = eps;
  const int size = 3, left = -1, right = 3, order[3] = {0, 1, 2};
  dpd_quantiles *t[2];
  dpd_quantiles_spec tree = {n,    3,     1,     n,      p->entry, &p->tally, p->prior,
                             rank, &size, &left, &right, order,    &each};
  for (int k = 0; k < 2; k++) {
    CHECK(dpd_interval_open(&v[k], &scan, ctest_alloc) == DPD_OK);
    CHECK(dpd_quantiles_open(&t[k], &tree, ctest_alloc) == DPD_OK);
    scan.data = tree.data = p->row;
    scan.tally = tree.tally = NULL;
  }
  CHECK(same_draws(draw_interval, v[0], v[1], 3, DRAWS));
  CHECK(same_draws(draw_quantiles, t[0], t[1], 3, DRAWS));
}

static dpd_status draw_exponential(void *m, dpd_rng *rng, double *x)
{
  return dpd_exponential_draw(m, rng, x);
}

/* 40 directions, the axes first. */
static int set_directions(double *dirs, int d)
{
  int count = 40;
  for (int u = 0; u < count; u++)
    for (int j = 0; j < d; j++)
      dirs[u + j * count] = u < d ? u == j : pick(2001) - 1000.5;
  return count;
}

/* Depths along directions, and the order statistics of all ranks. */
static void windows_agree(const problem *p)
{
  int n = p->tally.n, size[2] = {p->tally.size, n}, d = p->d, count = 5, depth[2];
  double dirs[5 * DIM], z[DIM], *value[2];
  for (int i = 0; i < count * d; i++)
    dirs[i] = pick(7) - 3;
  for (int j = 0; j < d; j++)
    z[j] = pick(8);
  for (int k = 0; k < 2; k++) {
    const double *data = k == 0 ? p->entry : p->row;
    double *rows = ctest_alloc((size_t)(size[k] * d), sizeof *rows);
    for (int i = 0; i < size[k]; i++)
      for (int j = 0; j < d; j++)
        rows[i * d + j] = data[i + j * size[k]];
    dpd_projected from = {n, d, count, count, rows, dirs, k == 0 ? &p->tally : NULL, NULL};
    dpd_rank_window w = {&from, 1, n, 1, n, NULL};
    value[k] = w.value = ctest_alloc(dpd_rank_window_values(&w), sizeof(double));
    dpd_rank_window_fill(&w, 0, count, 1, ctest_alloc(dpd_rank_window_work(&from), sizeof(double)));
    depth[k] = dpd_projected_depth(&from, z, 0, count, 1);
  }
  CHECK(depth[0] == depth[1]);
  CHECK(memcmp(value[0], value[1], 2 * (size_t)(n * count) * sizeof(double)) == 0);
}

static void medians_agree(const problem *p, double eps, bool exact)
{
  double dirs[40 * DIM], counts[2][3];
  dpd_exponential *m[2];
  dpd_exponential_spec spec = {.n = p->tally.n, .d = p->d, .data = p->entry, .tally = &p->tally};
  spec.prior = p->prior;
  spec.eps = rate_of(eps);
  spec.exact_depth = exact;
  spec.count = p->d == 1 ? 1 : set_directions(dirs, p->d);
  if (p->d == 1) dirs[0] = 1;
  spec.dirs = dirs;
  spec.threads = 1;
  for (int k = 0; k < 2; k++) {
    CHECK(dpd_exponential_open(&m[k], &spec, ctest_alloc) == DPD_OK);
    spec.data = p->row;
    spec.tally = NULL;
  }
  CHECK(same_draws(draw_exponential, m[0], m[1], p->d, DRAWS));
  for (int k = 0; k < 2; k++)
    dpd_exponential_counts(m[k], counts[k]);
  CHECK(memcmp(counts[0], counts[1], sizeof counts[0]) == 0);
}

static void scores_agree(const problem *p, dpd_score_kind kind)
{
  double dirs[40 * DIM];
  dpd_depth_median *m[2];
  dpd_depth_median_spec spec = {.n = p->tally.n, .d = p->d, .data = p->entry, .tally = &p->tally};
  spec.kind = kind;
  spec.prior = p->prior;
  spec.count = set_directions(dirs, p->d);
  spec.dirs = dirs;
  for (int k = 0; k < 2; k++) {
    CHECK(dpd_depth_median_open(&m[k], &spec, ctest_alloc) == DPD_OK);
    spec.data = p->row;
    spec.tally = NULL;
  }
  for (int i = 0; i < 12; i++) {
    double x[DIM], z[DIM], hi[DIM];
    int parts;
    for (int j = 0; j < p->d; j++)
      x[j] = i % 2 ? p->entry[pick(p->tally.size) + j * p->tally.size] : pick(9) - 1;
    dpd_depth_median_index(m[0], x, z);
    CHECK(dpd_depth_median_score(m[0], z, &parts) == dpd_depth_median_score(m[1], z, &parts));
    for (int j = 0; j < p->d; j++)
      hi[j] = z[j] + pick(1 << 20);
    CHECK(dpd_depth_median_bound(m[0], z, hi) == dpd_depth_median_bound(m[1], z, hi));
  }
}

/* Depths of a point far from a crowd: directions are shared out over parts again and again. */
static void crowds_agree(int most)
{
  enum { CROWD = 150, MOST = CROWD * 40 };
  static double x[2][MOST], y[2][MOST];
  int count[CROWD], n = 0, depth[2];
  void *work = ctest_alloc(dpd_halfspace2_scratch(MOST), 1);
  for (int i = 0; i < CROWD; i++) {
    x[0][i] = pick(2) ? 1000000 : -1000000;
    y[0][i] = pick(4000), count[i] = pick(3) == 0 ? 1 + pick(most) : 1;
    for (int k = 0; k < count[i]; k++)
      x[1][n] = x[0][i], y[1][n++] = y[0][i];
  }
  dpd_plane_rows all = {.x = x[1], .y = y[1], .n = n, .py = 1000 + pick(2000)};
  dpd_plane_rows q = {.x = x[0], .y = y[0], .n = CROWD, .py = all.py, .count = count, .rows = n};
  (void)dpd_halfspace2_count(&q, work, &depth[0]);
  (void)dpd_halfspace2_count(&all, work, &depth[1]);
  CHECK(depth[0] == depth[1]);
}

static dpd_status draw_fit(void *m, dpd_rng *rng, double *x)
{
  return dpd_regression_draw(m, rng, x);
}

/* Responses are the last variable; of two regressors the sum is a direction, too. */
static void fits_agree(const problem *p, double eps, int s)
{
  static double fit[2][ROWS * DIM], projection[2][ROWS * 3];
  bool origin = s % 5 == 0;
  int k = origin ? p->d - 1 : p->d, first = origin ? 0 : 1, p1 = p->d - 1;
  int sizes[2] = {p->tally.size, p->tally.n};
  const double *data[2] = {p->entry, p->row};
  dpd_regression *m[2];
  for (int t = 0; t < 2; t++) {
    int n = sizes[t];
    for (int i = 0; i < n; i++) {
      fit[t][i] = 1;
      for (int j = 0; j < p1; j++)
        fit[t][i + (j + first) * n] = projection[t][i + j * n] = data[t][i + j * n];
      if (p1 == 2) projection[t][i + 2 * n] = data[t][i] + data[t][i + n];
    }
    dpd_regression_spec spec = {.n = p->tally.n, .k = k, .count = p1 == 2 ? 3 : 1, .fit = fit[t]};
    spec.y = data[t] + (size_t)p1 * (size_t)n;
    spec.projection = projection[t];
    spec.prior = p->prior;
    spec.prior.d = k;
    spec.eps = rate_of(eps);
    spec.tie = 0.5;
    spec.above = 1 + s % 3;
    spec.below = 1 + s % 2;
    spec.shifted = !origin && s % 4 == 1;
    spec.origin = origin;
    spec.tally = t == 0 ? &p->tally : NULL;
    CHECK(dpd_regression_open(&m[t], &spec, ctest_alloc) == DPD_OK);
  }
  for (int i = 0; i < 10; i++) {
    double z[DIM];
    for (int j = 0; j < k; j++)
      z[j] = m[0]->lattice.lo[j] +
             floor(ldexp(pick(1 << 20), -20) * (m[0]->lattice.hi[j] - m[0]->lattice.lo[j]));
    CHECK(dpd_regression_score(m[0], z) == dpd_regression_score(m[1], z));
  }
  for (int i = 0; i < 20; i++) { /* boxes within boxes, whose rows are few */
    double lo[DIM], hi[DIM];
    int score[2] = {0, 0};
    dpd_regression_cover(m[0], lo, hi);
    for (int cut = 0; cut < 3; cut++) {
      for (int j = 0; j < k; j++) {
        double width = floor((hi[j] - lo[j]) / 6);
        lo[j] += width * pick(6);
        hi[j] = lo[j] + width;
      }
      for (int t = 0; t < 2; t++) {
        if (!dpd_regression_bound(m[t], lo, hi, &score[t])) score[t] = -1;
      }
      CHECK(score[0] == score[1]);
    }
  }
  /* enough of them for sets of active rows */
  CHECK(same_draws(draw_fit, m[0], m[1], k, 40));
}

/* Rows, ranks and runs by hand. */
static void tallies_are_sorted(void)
{
  const int count[4] = {2, 1, 3, 1}, end[4] = {2, 3, 6, 7};
  dpd_tally t = {7, 4, count, end};
  const int entry[7] = {0, 0, 1, 2, 2, 2, 3};
  for (int i = 0; i < 7; i++)
    CHECK(dpd_tally_entry(&t, i) == entry[i] && dpd_tally_entry(NULL, i) == i);
  dpd_counted x[6] = {{3, 2}, {1, 1}, {3, 3}, {2, 1}}, room[4];
  double value[4], out[4];
  int to[4];
  dpd_runs r = {0, value, to};
  dpd_runs_set(&r, x, room, 4);
  CHECK(r.size == 3 && value[2] == 3 && to[0] == 1 && to[1] == 2 && to[2] == 7);
  CHECK(dpd_runs_row(&r, 1) == 1 && dpd_runs_row(&r, 2) == 2 && dpd_runs_row(&r, 3) == 3);
  CHECK(dpd_runs_row(&r, 7) == 3);
  dpd_counted_ranks(x, (dpd_ranks){1, 2, 4}, out + 3, -1);
  CHECK(out[3] == 1 && out[2] == 3 && out[1] == 3 && out[0] == 3);
}

/* Three points, as many rows as there may be: nothing overflows, and the heavy one is drawn. */
static void counts_may_be_large(void)
{
  problem p;
  const int most = INT_MAX - 1;
  double x[DIM];
  uint64_t state = 5;
  dpd_rng rng;
  make_problem(&p, 0, 2, 1);
  p.tally = (dpd_tally){most, 3, p.count, p.end};
  p.prior.resolution = p.resolution;
  for (int i = 0; i < 3; i++) {
    p.count[i] = i == 1 ? most - 20 : 10;
    p.end[i] = i == 0 ? p.count[0] : p.end[i - 1] + p.count[i];
    p.entry[i] = 7 * i;
    p.entry[3 + i] = i * i;
  }
  for (int exact = 0; exact < 3; exact++) {
    dpd_rng_open(&rng, fill, &state, DPD_RNG_BUFFER);
    if (exact < 2) {
      double dirs[80];
      dpd_exponential *m;
      dpd_exponential_spec spec = {.n = most, .d = 2, .data = p.entry, .tally = &p.tally};
      spec.prior = p.prior;
      spec.eps = rate_of(1);
      spec.exact_depth = exact == 1;
      spec.count = set_directions(dirs, 2);
      spec.dirs = dirs;
      spec.threads = 1;
      CHECK(dpd_exponential_open(&m, &spec, ctest_alloc) == DPD_OK);
      for (dpd_status s = DPD_AGAIN; s == DPD_AGAIN;)
        s = dpd_exponential_draw(m, &rng, x);
    } else {
      dpd_boxes *m;
      dpd_axes_spec spec = {.n = most, .d = 2, .data = p.entry, .tally = &p.tally};
      spec.prior = p.prior;
      spec.eps = rate_of(1);
      CHECK(dpd_axes_open(&m, &spec, ctest_alloc) == DPD_OK);
      while (dpd_boxes_prepare(m) == DPD_AGAIN)
        ;
      CHECK(dpd_boxes_levels(m)->runs < 20);
      for (dpd_status s = DPD_AGAIN; s == DPD_AGAIN;)
        s = dpd_boxes_draw(m, &rng, x);
    }
    CHECK(x[0] == 7 && x[1] == 1);
  }
}

int main(void)
{
  static problem p;
  ctest_memory pool = {0};
  ctest_pool = &pool;
  tallies_are_sorted();
  for (int s = 0; s < 16; s++) {
    double eps = s % 3 == 0 ? 0.5 : 3;
    seed = (uint64_t)s + 1;
    make_problem(&p, s, 1 + s % DIM, 30);
    axes_agree(&p, eps);
    make_problem(&p, s, 1, 60);
    one_variable_agrees(&p, eps);
    windows_agree(&p);
    medians_agree(&p, eps, true);
    make_problem(&p, s, 2, 30);
    windows_agree(&p);
    scores_agree(&p, DPD_SCORE_IDD);
    scores_agree(&p, DPD_SCORE_HALFSPACE_EXACT);
    medians_agree(&p, eps, true);
    fits_agree(&p, eps, s);
    make_problem(&p, s, 3, 5);
    medians_agree(&p, eps, s % 2 == 0);
    scores_agree(&p, DPD_SCORE_HALFSPACE_EXACT);
    scores_agree(&p, DPD_SCORE_HALFSPACE);
    scores_agree(&p, DPD_SCORE_IRW);
    if (s % 6 == 0) fits_agree(&p, eps, s);
    ctest_free(&pool);
  }
  for (int i = 0; i < 60; i++)
    crowds_agree(40);
  /* one value: boxes of all levels hold it */
  make_problem(&p, 3, 1, 30);
  for (int i = 0; i < p.tally.n; i++)
    p.row[i] = p.entry[i % p.tally.size] = 7;
  axes_agree(&p, 3);
  counts_may_be_large();
  ctest_free(&pool);
  return ctest_report("tally");
}
