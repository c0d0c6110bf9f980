/* test_regression.c - the exponential mechanism over regression depth: scores against their
 * definition, with the active rows and without; bounds of boxes against the scores inside. */
#include "ctest.h"
#include "ctest_memory.h"

#include <math.h>
#include <string.h>

#include "mech/regression_state.h"
#include "samp/bernoulli.h"
#include "samp/rejection_tree.h"
#include "samp/rng.h"

enum { N = 80, MAX_K = 3, MAX_U = 5, POINTS = 100, BOXES = 200, FITS = 30 };

static uint64_t seed = 3;

/* Uniform on 0..below - 1. */
static int pick(int below)
{
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (int)((seed >> 33) % (uint64_t)below);
}

/* Rows of whole numbers; regressors 0..6 are tied a lot, as are -3..3 without an intercept. */
typedef struct {
  int n, k, count;
  double fit[N * MAX_K], y[N], projection[N * MAX_U];
  double a[MAX_K], b[MAX_K], step[MAX_K];
  bool origin;  /* no intercept */
  bool shifted; /* weights less their expectation */
} problem;

static const double directions[MAX_U][2] = {{1, 0}, {0, 1}, {3, 4}, {4, -3}, {-1, -2}};

static void fill_problem(problem *p, int k, bool origin)
{
  int first = origin ? 0 : 1;
  *p = (problem){.n = N, .k = k, .count = k - first == 1 ? 1 : MAX_U, .origin = origin};
  for (int i = 0; i < N; i++) {
    p->y[i] = origin ? pick(301) - 150 : pick(2001) - 1000;
    p->fit[i] = 1;
    for (int j = first; j < k; j++)
      p->fit[i + j * N] = pick(7) - (origin ? 3 : 0);
    for (int u = 0; u < p->count; u++) {
      double sum = 0;
      for (int j = first; j < k; j++)
        sum += directions[u][j - first] * p->fit[i + j * N];
      p->projection[i + u * N] = sum;
    }
  }
  for (int j = 0; j < k; j++) {
    p->a[j] = -500;
    p->b[j] = 500;
    p->step[j] = 1;
  }
}

typedef enum { PLAIN, ORIGIN, SHIFTED } score_kind;

static dpd_regression *open_problem(const problem *p, bool normal, bool fine, int above, int below)
{
  dpd_regression *m;
  dpd_regression_spec spec = {.n = p->n,
                              .k = p->k,
                              .count = p->count,
                              .fit = p->fit,
                              .y = p->y,
                              .projection = p->projection,
                              .prior = {normal, p->k, p->a, p->b, fine ? NULL : p->step, false},
                              .above = above,
                              .below = below,
                              .shifted = p->shifted,
                              .origin = p->origin};
  CHECK(dpd_rate_from_double(1, &spec.eps) == DPD_OK);
  CHECK(dpd_regression_open(&m, &spec, ctest_alloc) == DPD_OK);
  return m;
}

/* The definition: the least weight over directions, splits and both sides. */
static int slow_score(const dpd_regression *m, const problem *p, const double *z)
{
  int least = 1 << 30, above[N], below[N], heavier = m->spec.above;
  if (m->spec.below > heavier) heavier = m->spec.below;
  for (int i = 0; i < p->n; i++) {
    double r = p->y[i];
    for (int j = 0; j < p->k; j++)
      r -= p->fit[i + j * N] * dpd_lattice_value(&m->lattice, j, z[j]);
    above[i] = r >= 0 ? m->spec.above : 0;
    below[i] = r <= 0 ? m->spec.below : 0;
    if (!p->shifted) continue;
    above[i] = heavier - m->spec.below + (r >= 0 ? m->spec.above + m->spec.below : 0);
    below[i] = heavier - m->spec.above + (r <= 0 ? m->spec.above + m->spec.below : 0);
  }
  for (int u = 0; u < p->count; u++)
    for (int s = -1; s < (p->origin ? 0 : p->n); s++) {
      const double *x = p->projection + u * N;
      int one = 0, other = 0;
      for (int i = 0; i < p->n; i++) {
        bool left = p->origin ? x[i] < 0 : s >= 0 && x[i] <= x[s];
        int both = above[i] > below[i] ? above[i] : below[i];
        bool none = p->origin && x[i] == 0;
        one += none ? both : left ? above[i] : below[i];
        other += none ? both : left ? below[i] : above[i];
      }
      if (one < least) least = one;
      if (other < least) least = other;
    }
  return least;
}

static int bound_of(dpd_regression *m, const double *lo, const double *hi, double *log_prior)
{
  int score = 1 << 29;
  dpd_rejection_target target = m->tree->target;
  CHECK(target.bound(target.ctx, lo, hi, 1 << 29, &score, log_prior));
  return score;
}

/* Scores at points near an intercept, which the sampler is told of: after some it keeps active
 * rows. Returns at how many they served. */
static int check_points(dpd_regression *m, const problem *p, int at)
{
  int served = 0, wrong = 0;
  dpd_rejection_target target = m->tree->target;
  for (int i = 0; i < POINTS; i++) {
    double w[MAX_K], z[MAX_K], log_prior, at_point;
    for (int j = 0; j < p->k; j++)
      w[j] = i % 4 == 0 ? pick(201) - 100 : pick(5) - 2;
    w[0] += at;
    dpd_regression_point(m, w, z);
    int score = i % 6 < ctest_some(6) ? slow_score(m, p, z) : dpd_regression_score(m, z);
    served += dpd_regression_active(m, w, w) != &m->all;
    wrong += bound_of(m, w, w, &log_prior) != score;
    wrong += dpd_regression_score(m, z) != score;
    wrong += !dpd_lattice_log_prior(&m->lattice, z, &at_point) || log_prior < at_point;
    wrong += !target.at_least(target.ctx, w, score) || target.at_least(target.ctx, w, score + 1);
    CHECK(score <= dpd_rejection_at(m->tree, 0)->bound);
  }
  CHECK(wrong == 0);
  return served;
}

/* Bounds of boxes, of which some lie where the active rows serve, with the points in them. */
static int check_boxes(dpd_regression *m, const problem *p, int at)
{
  int served = 0, low = 0, differ = 0;
  for (int i = 0; i < BOXES; i++) {
    double lo[MAX_K], hi[MAX_K], w[MAX_K], z[MAX_K], log_bound, log_prior;
    for (int j = 0; j < p->k; j++) {
      lo[j] = pick(9) - 4 + (j == 0 ? at : 0);
      hi[j] = lo[j] + pick(i % 5 == 0 ? 200 : 4);
    }
    hi[0] += lo[0] == hi[0];
    bool active = dpd_regression_active(m, lo, hi) != &m->all;
    dpd_rejection_note note = m->note;
    int turn = m->next_direction, levels = m->levels, bound = bound_of(m, lo, hi, &log_bound);
    served += active;
    m->levels = 0;
    m->note = note; /* the same directions */
    m->next_direction = turn;
    differ += bound_of(m, lo, hi, &log_bound) != bound;
    m->levels = levels;
    for (int t = 0; t < 12; t++) {
      for (int j = 0; j < p->k; j++)
        w[j] = t < 8 ? (t >> j & 1 ? hi[j] : lo[j]) : lo[j] + pick((int)(hi[j] - lo[j]) + 1);
      dpd_regression_point(m, w, z);
      low += dpd_regression_score(m, z) > bound;
      low += dpd_lattice_log_prior(&m->lattice, z, &log_prior) && log_prior > log_bound;
    }
  }
  CHECK(low == 0);
  CHECK(differ == 0);
  return served;
}

/* Sets of rows within one another, as proposals come nearer to a point: bounds as over all rows. */
static int check_nested(dpd_regression *m)
{
  int nested = 0, differ = 0, k = m->spec.k;
  for (int i = 0; i < BOXES; i++) {
    double lo[MAX_K], hi[MAX_K], log_bound;
    double half = 4 + pick(120);
    int at[MAX_K];
    for (int j = 0; j < k; j++)
      at[j] = pick(j == 0 ? 800 : 60) - (j == 0 ? 400 : 30);
    m->levels = 0;
    m->proposals = 0;
    for (int cut = 0; cut < 6; cut++, half = floor(half / 2)) {
      for (int j = 0; j < k; j++) {
        lo[j] = at[j] - half;
        hi[j] = at[j] + half + 1;
      }
      for (int t = 0; t < 2 * DPD_REGRESSION_RECENT; t++) {
        double w[MAX_K];
        for (int j = 0; j < k; j++)
          w[j] = lo[j] + pick((int)(hi[j] - lo[j]) + 1);
        dpd_regression_follow_proposals(m, w);
      }
      if (m->levels < 2) continue;
      dpd_rejection_note note = m->note;
      int turn = m->next_direction, levels = m->levels, bound = bound_of(m, lo, hi, &log_bound);
      m->levels = 0;
      m->note = note;
      m->next_direction = turn;
      differ += bound_of(m, lo, hi, &log_bound) != bound;
      m->levels = levels;
      nested++;
    }
  }
  CHECK(differ == 0);
  return nested;
}

/* A tree in the memory of another begins with the box of all points in its own frame. */
static void check_root(dpd_regression *m, const dpd_rejection *before)
{
  double lo[MAX_K], hi[MAX_K];
  size_t side = (size_t)m->spec.k * sizeof *lo;
  dpd_regression_cover(m, lo, hi);
  CHECK(m->tree == before);
  CHECK(memcmp(dpd_rejection_lo(m->tree, 0), lo, side) == 0);
  CHECK(memcmp(dpd_rejection_hi(m->tree, 0), hi, side) == 0);
}

static void check_scores(int k, score_kind kind, bool normal, int above, int below, int at)
{
  problem p;
  ctest_memory pool = {0};
  ctest_pool = &pool;
  int heavier = above > below ? above : below;
  fill_problem(&p, k, kind == ORIGIN);
  p.shifted = kind == SHIFTED;
  if (normal)
    for (int j = 0; j < k; j++) {
      p.a[j] = 3;
      p.b[j] = 40;
    }
  dpd_regression *m = open_problem(&p, normal, false, above, below);
  if (kind == SHIFTED) heavier *= 2;
  CHECK(m->tree->eps.num == m->spec.eps.num / (uint64_t)heavier);
  CHECK(check_points(m, &p, at) > POINTS / 4);
  CHECK(check_boxes(m, &p, at) > BOXES / 4);
  /* another tree: what was kept for the old one must not serve */
  CHECK(dpd_regression_begin_tree(m) == DPD_OK);
  CHECK(check_boxes(m, &p, at) == 0);
  CHECK(check_points(m, &p, at) > POINTS / 4);
  CHECK(check_nested(m) > 10);
  /* another frame */
  const dpd_rejection *before = m->tree;
  dpd_regression_set_frame(m, DPD_FRAME_STRAIGHT, ctest_alloc);
  CHECK(dpd_regression_begin_tree(m) == DPD_OK);
  check_root(m, before);
  (void)check_boxes(m, &p, at);
  CHECK(dpd_regression_begin_tree(m) == DPD_OK);
  CHECK(check_boxes(m, &p, at) == 0);
  (void)check_points(m, &p, at);
  ctest_free(&pool);
}

/* Rows whose responses are the fit at w itself, as it is computed: all count there on both sides
 * (of three coefficients, as their whole numbers have it), and so they must in every box with w at
 * a corner, though its range is computed otherwise. */
static void check_rounding(int k, bool far, int above, int below)
{
  const int all = N * (above < below ? above : below);
  problem p;
  int low = 0, moved = 0;
  for (int rep = 0; rep < FITS; rep++) {
    double w[MAX_K], z[MAX_K], lo[MAX_K], hi[MAX_K], log_prior;
    ctest_memory pool = {0};
    ctest_pool = &pool;
    fill_problem(&p, k, false);
    for (int i = 0; i < N * MAX_K; i++)
      p.fit[i] *= 0.1 + pick(1000) / 777.0;
    for (int j = 0; j < k; j++) {
      p.a[j] = far ? 1000.1 : -0.3;
      p.b[j] = far ? 1000.4 : 0.7;
    }
    dpd_regression *m =
        open_problem(&p, false, true, above, below); /* for the frame, which no response tells */
    /* of three coefficients so far out that whole numbers round by more than doubles do */
    for (int j = 0; j < k; j++)
      w[j] = (pick(1 << 30) - (1 << 29)) * (k == DPD_WHOLE_MOST ? 128.0 : 1.0);
    dpd_regression_point(m, w, z);
    for (int i = 0; i < N; i++) {
      p.y[i] = 0;
      for (int j = 0; j < k; j++)
        p.y[i] += p.fit[i + j * N] * dpd_lattice_value(&m->lattice, j, z[j]);
    }
    m = open_problem(&p, false, true, above, below);
    const int score = k == DPD_WHOLE_MOST ? dpd_regression_score(m, z) : all;
    moved += score < all;
    CHECK(bound_of(m, w, w, &log_prior) == score);
    CHECK(dpd_rejection_at(m->tree, 0)->bound >= score);
    for (int corner = 0; corner < 1 << k; corner++) {
      for (int j = 0; j < k; j++) {
        lo[j] = w[j] - (corner >> j & 1 ? 1 : 0);
        hi[j] = lo[j] + 1;
      }
      low += bound_of(m, lo, hi, &log_prior) < score;
    }
    ctest_free(&pool);
  }
  CHECK(low == 0);
  CHECK(k != DPD_WHOLE_MOST || moved == FITS);
}

/* Over a box a row has the room that its rounding may take there (mech/regression_rows.c), from
 * either end of the box. */
static void check_room(int k)
{
  problem p;
  ctest_memory pool = {0};
  ctest_pool = &pool;
  fill_problem(&p, k, false);
  dpd_regression *m = open_problem(&p, false, false, 1, 1);
  dpd_regression_set_frame(m, DPD_FRAME_STRAIGHT, ctest_alloc);
  CHECK(dpd_regression_begin_tree(m) == DPD_OK && m->shear.identity);
  for (int box = 0; box < 20; box++) {
    double lo[MAX_K], hi[MAX_K];
    int64_t sum[2];
    int narrow = 0;
    for (int j = 0; j < k; j++) {
      lo[j] = pick(900) - 450;
      hi[j] = lo[j] + pick(451 - (int)lo[j]);
    }
    dpd_regression_terms_box(m, &m->all, lo, hi, sum);
    for (int i = 0; i < p.n; i++) {
      double reach = fabs(m->all.y[i]) + m->all.tie[i];
      for (int j = 0; j < k; j++) {
        double origin = m->lattice.origin[m->axis[j]];
        double far = fmax(fabs(origin + lo[j]), fabs(origin + hi[j])) + fabs(origin);
        reach += fabs(m->all.forms[i + j * N]) * far;
      }
      double room = DPD_REGRESSION_SLACK(k) * reach + m->all.tie[i];
      narrow += m->slack[i] < room * (1 - 1e-9);
    }
    CHECK(narrow == 0);
  }
  ctest_free(&pool);
}

int main(void)
{
  for (int k = 2; k <= MAX_K; k++) {
    check_scores(k, PLAIN, false, 1, 1, 0);
    check_scores(k, PLAIN, true, 3, 1, 250);
    check_scores(k, PLAIN, false, 1, 4, -350);
    check_scores(k, SHIFTED, false, 4, 1, -350);
    check_scores(k - 1, ORIGIN, false, 1, 1, 0);
    check_scores(k - 1, ORIGIN, true, 3, 1, 0);
    check_rounding(k, false, 1, 1);
    check_rounding(k, true, 2, 3);
    check_room(k);
  }
  return ctest_report("regression");
}
