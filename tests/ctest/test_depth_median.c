/* test_depth_median.c - the exponential mechanism over depths, and scores of private depths:
 * scores against their definitions, bounds of boxes against the scores inside, one replaced row
 * against the sensitivity, and draws against the law enumerated. */
#include "ctest.h"
#include "ctest_memory.h"

#include <math.h>
#include <string.h>

#include "ctest_law.h"
#include "mech/depth_median.h"
#include "samp/bernoulli.h"

enum { SIDE = 5, MAX_D = 3, MAX_CELLS = 125, MAX_N = 12, DIRS = 5, KINDS = 8, DRAWS = 3000 };
enum { SETS = 60, BOXES = 25 };

static const double directions[MAX_D][DIRS][MAX_D] = {
    {{1}},
    {{1, 0}, {0, 1}, {0.6, 0.8}, {0.8, -0.6}, {-0.28, 0.96}},
    {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.48, 0.6, 0.64}, {0.36, -0.48, 0.8}}};

typedef struct {
  dpd_score_kind kind;
  int n, d;
  double smooth;
  double data[MAX_N * MAX_D]; /* column-major, whole numbers in -2..2 */
} problem;

static uint64_t seed = 5;

static int pick(int below)
{
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (int)((seed >> 33) % (uint64_t)below);
}

static bool has_directions(dpd_score_kind kind)
{
  return kind != DPD_SCORE_SPATIAL && kind != DPD_SCORE_SPATIAL_MODIFIED &&
         kind != DPD_SCORE_SIMPLICIAL;
}

static int count_of(const problem *p)
{
  return has_directions(p->kind) ? (p->d == 1 ? 1 : DIRS) : 0;
}

static dpd_depth_median *open_problem(const problem *p, double eps)
{
  static double dirs[DIRS * MAX_D];
  static const double a[MAX_D] = {-2, -2, -2}, b[MAX_D] = {2, 2, 2}, step[MAX_D] = {1, 1, 1};
  int count = count_of(p);
  for (int u = 0; u < count; u++)
    for (int j = 0; j < p->d; j++)
      dirs[u + j * count] = directions[p->d - 1][u][j];
  dpd_depth_median_spec spec = {.kind = p->kind,
                                .n = p->n,
                                .d = p->d,
                                .data = p->data,
                                .prior = {false, p->d, a, b, step, false},
                                .count = count,
                                .dirs = dirs,
                                .smooth = p->smooth};
  dpd_depth_median *m;
  CHECK(dpd_rate_from_double(eps, &spec.eps) == DPD_OK);
  bool few = p->kind == DPD_SCORE_SIMPLICIAL && p->n <= p->d; /* no simplex has a row of them */
  CHECK(dpd_depth_median_open(&m, &spec, ctest_alloc) == (few ? DPD_ERR_DOMAIN : DPD_OK));
  return m;
}

static int cells_of(int d)
{
  return d == 1 ? SIDE : d == 2 ? SIDE * SIDE : SIDE * SIDE * SIDE;
}

static void cell_point(int cell, int d, double *z)
{
  for (int j = 0; j < d; j++, cell /= SIDE)
    z[j] = cell % SIDE - 2;
}

/* -- the definitions, in units of what one replaced row may move ------------------------------- */

static double row(const problem *p, int i, int j)
{
  return p->data[i + j * p->n];
}

static double cross(const double *a, const double *b, const double *c)
{
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

static bool on_segment(const double *a, const double *b, const double *z)
{
  return cross(a, b, z) == 0 && (z[0] - a[0]) * (z[0] - b[0]) + (z[1] - a[1]) * (z[1] - b[1]) <= 0;
}

static bool in_triangle(const double *a, const double *b, const double *c, const double *z)
{
  double s = cross(a, b, z), t = cross(b, c, z), v = cross(c, a, z);
  if (cross(a, b, c) == 0) return on_segment(a, b, z) || on_segment(b, c, z) || on_segment(c, a, z);
  return (s >= 0 && t >= 0 && v >= 0) || (s <= 0 && t <= 0 && v <= 0);
}

/* Six times the volume of a, b, c, z, with its sign. */
static double volume(const double *a, const double *b, const double *c, const double *z)
{
  double u[3], v[3], w[3];
  for (int k = 0; k < 3; k++) {
    u[k] = b[k] - a[k];
    v[k] = c[k] - a[k];
    w[k] = z[k] - a[k];
  }
  return w[0] * (u[1] * v[2] - u[2] * v[1]) + w[1] * (u[2] * v[0] - u[0] * v[2]) +
         w[2] * (u[0] * v[1] - u[1] * v[0]);
}

/* In the closed triangle, in space: in its shadows along the axes if it is flat there or not. */
static bool in_leaf(const double *a, const double *b, const double *c, const double *z)
{
  if (volume(a, b, c, z) != 0) return false;
  for (int k = 0; k < 3; k++) {
    int i = (k + 1) % 3, j = (k + 2) % 3;
    double p[2] = {a[i], a[j]}, q[2] = {b[i], b[j]}, r[2] = {c[i], c[j]}, t[2] = {z[i], z[j]};
    if (!in_triangle(p, q, r, t)) return false;
  }
  return true;
}

/* With z and all three on one line, all shadows hold z only if the segment does. */
static bool in_tetrahedron(double v[4][3], const double *z)
{
  if (volume(v[0], v[1], v[2], v[3]) == 0)
    return in_leaf(v[0], v[1], v[2], z) || in_leaf(v[0], v[1], v[3], z) ||
           in_leaf(v[0], v[2], v[3], z) || in_leaf(v[1], v[2], v[3], z);
  for (int k = 0; k < 4; k++) {
    const double *a = v[(k + 1) % 4], *b = v[(k + 2) % 4], *c = v[(k + 3) % 4];
    if (volume(a, b, c, v[k]) * volume(a, b, c, z) < 0) return false;
  }
  return true;
}

static double slow_space(const problem *p, const double *z)
{
  double held = 0, n = p->n, v[4][3];
  for (int i = 0; i < p->n; i++)
    for (int j = 0; j < i; j++)
      for (int k = 0; k < j; k++)
        for (int l = 0; l < k; l++) {
          const int of[4] = {i, j, k, l};
          for (int r = 0; r < 4; r++)
            for (int c = 0; c < 3; c++)
              v[r][c] = row(p, of[r], c);
          held += in_tetrahedron(v, z);
        }
  return held / ((n - 1) * (n - 2) * (n - 3) / 6);
}

static double slow_simplicial(const problem *p, const double *z)
{
  double held = 0, n = p->n;
  if (p->d == 3) return slow_space(p, z);
  for (int i = 0; i < p->n; i++)
    for (int k = i + 1; k < p->n; k++) {
      double a[2] = {row(p, i, 0), p->d == 2 ? row(p, i, 1) : 0};
      double b[2] = {row(p, k, 0), p->d == 2 ? row(p, k, 1) : 0};
      if (p->d == 1) held += (a[0] - z[0]) * (b[0] - z[0]) <= 0;
      for (int l = k + 1; l < p->n && p->d == 2; l++) {
        double c[2] = {row(p, l, 0), row(p, l, 1)};
        held += in_triangle(a, b, c, z);
      }
    }
  return held / (p->d == 1 ? n - 1 : (n - 1) * (n - 2) / 2);
}

static double slow_spatial(const problem *p, const double *z)
{
  double sum[MAX_D] = {0}, norm = 0, n = p->n;
  for (int i = 0; i < p->n; i++) {
    double length = 0;
    for (int j = 0; j < p->d; j++)
      length += (z[j] - row(p, i, j)) * (z[j] - row(p, i, j));
    for (int j = 0; j < p->d && length > 0; j++)
      sum[j] += (z[j] - row(p, i, j)) / sqrt(length);
  }
  for (int j = 0; j < p->d; j++)
    norm += sum[j] * sum[j];
  if (p->kind == DPD_SCORE_SPATIAL) return (n - sqrt(norm)) / 2;
  return (n * n - norm) / (n > 1 ? 4 * (n - 1) : 1);
}

static double slow_integrated(const problem *p, const double *z)
{
  double sum = 0, n = p->n;
  for (int u = 0; u < count_of(p); u++) {
    double below = 0, up_to = 0, smooth = 0;
    for (int i = 0; i < p->n; i++) {
      double t = 0, y = 0;
      for (int j = 0; j < p->d; j++) { /* directions are rounded to integers */
        double a = rint(65536 * directions[p->d - 1][u][j]);
        t += a * z[j];
        y += a * row(p, i, j);
      }
      below += y < t;
      up_to += y <= t;
      smooth += 1 / (1 + exp(-p->smooth * (t - y) / 65536));
    }
    if (p->kind == DPD_SCORE_IRW) sum += fmin(up_to, n - below);
    if (p->kind == DPD_SCORE_IDD)
      sum += (below + up_to) * (2 * n - below - up_to) / (n > 1 ? 4 * (n - 1) : 1);
    if (p->kind == DPD_SCORE_IDD_SMOOTH) sum += smooth * (n - smooth) / (n > 1 ? n - 1 : 0.25);
  }
  return sum / count_of(p);
}

/* Rows in the closed halfspace u'(x - z) >= 0, and in its opposite: the fewer. */
static double poorest(const problem *p, const double *z, const double *u)
{
  int ahead = 0, behind = 0;
  for (int i = 0; i < p->n; i++) {
    double t = 0;
    for (int j = 0; j < p->d; j++)
      t += u[j] * (row(p, i, j) - z[j]);
    ahead += t >= 0;
    behind += t <= 0;
  }
  return ahead < behind ? ahead : behind;
}

/* Exact: along all whole directions between which the rows' order about z can change. */
static double slow_halfspace(const problem *p, const double *z)
{
  double least = p->n;
  if (p->kind == DPD_SCORE_HALFSPACE) {
    for (int u = 0; u < count_of(p); u++) {
      double a[MAX_D];
      for (int j = 0; j < p->d; j++)
        a[j] = rint(65536 * directions[p->d - 1][u][j]);
      least = fmin(least, poorest(p, z, a));
    }
    return least;
  }
  const double turn = 6.283185307179586, near = 1e-3;
  for (int i = 0; i < p->n; i++)
    for (int s = -1; s <= 1; s += 2) { /* beside the normal of the row's ray */
      double angle = atan2(row(p, i, 1) - z[1], row(p, i, 0) - z[0]) + turn / 4 + s * near;
      double a[MAX_D] = {cos(angle), sin(angle)};
      least = fmin(least, poorest(p, z, a));
    }
  return least;
}

static double slow_score(const problem *p, const double *z)
{
  if (p->kind == DPD_SCORE_HALFSPACE || p->kind == DPD_SCORE_HALFSPACE_EXACT)
    return slow_halfspace(p, z);
  if (has_directions(p->kind)) return slow_integrated(p, z);
  return p->kind == DPD_SCORE_SIMPLICIAL ? slow_simplicial(p, z) : slow_spatial(p, z);
}

/* -- checks ------------------------------------------------------------------------------------ */

static void fill_problem(problem *p, dpd_score_kind kind, int d, int most)
{
  int least = kind == DPD_SCORE_SIMPLICIAL ? d + 1 : 1;
  *p = (problem){.kind = kind, .d = d, .n = least + pick(most - least + 1)};
  p->smooth = pick(2) == 0 ? 2 : 20;
  for (int i = 0; i < p->n * d; i++)
    p->data[i] = pick(SIDE) - 2;
}

/* Rounded down to parts; the smoothed depth's steps lie on nodes, and are straight between. */
static void check_scores(const problem *p, const int *score, int parts)
{
  double off = p->kind == DPD_SCORE_IDD_SMOOTH ? 0.04 * p->n : 1e-6;
  for (int c = 0; c < cells_of(p->d); c++) {
    double z[MAX_D];
    cell_point(c, p->d, z);
    double slow = slow_score(p, z), fast = (double)score[c] / parts;
    CHECK(fast <= slow + off);
    CHECK(fast > slow - 1.0 / parts - off);
  }
}

static void check_boxes(dpd_depth_median *m, const problem *p, const int *score)
{
  int failed = 0;
  for (int b = 0; b < BOXES; b++) {
    double lo[MAX_D], hi[MAX_D], z[MAX_D];
    int most = 0;
    for (int j = 0; j < p->d; j++) {
      lo[j] = pick(SIDE) - 2;
      hi[j] = fmin(2, lo[j] + pick(4));
    }
    for (int c = 0; c < cells_of(p->d); c++) {
      bool inside = true;
      cell_point(c, p->d, z);
      for (int j = 0; j < p->d; j++)
        inside = inside && z[j] >= lo[j] && z[j] <= hi[j];
      if (inside && score[c] > most) most = score[c];
    }
    failed += dpd_depth_median_bound(m, lo, hi) < most;
  }
  CHECK(failed == 0);
}

static void set_scores(dpd_depth_median *m, int d, int *score, int *parts)
{
  for (int c = 0; c < cells_of(d); c++) {
    double z[MAX_D];
    cell_point(c, d, z);
    score[c] = (int)dpd_depth_median_score(m, z, parts);
  }
}

/* Scores, bounds, and neighbours: the largest change, in sensitivities. */
static double check_kind(dpd_score_kind kind, int d)
{
  double largest = 0;
  for (int s = 0; s < SETS; s++) {
    problem p, q;
    int score[MAX_CELLS], other[MAX_CELLS], parts = 1, failed = 0;
    ctest_memory pool = {0};
    ctest_pool = &pool;
    fill_problem(&p, kind, d, s % 3 == 0 ? MAX_N : 4);
    q = p;
    int replaced = pick(p.n);
    for (int j = 0; j < d; j++)
      q.data[replaced + j * p.n] = pick(SIDE) - 2;
    dpd_depth_median *m = open_problem(&p, 1);
    set_scores(m, d, score, &parts);
    set_scores(open_problem(&q, 1), d, other, &parts);
    if (s % 6 < ctest_some(6)) check_scores(&p, score, parts);
    check_boxes(m, &p, score);
    for (int c = 0; c < cells_of(d); c++) {
      double change = abs(score[c] - other[c]);
      failed += change > parts;
      largest = fmax(largest, change / parts);
    }
    CHECK(failed == 0);
    ctest_free(&pool);
  }
  return largest;
}

/* Draws against the definition's law. */
static void check_law(dpd_score_kind kind, int d, double eps)
{
  problem p;
  long count[MAX_CELLS] = {0};
  double weight[MAX_CELLS];
  int score[MAX_CELLS], parts = 1;
  ctest_memory pool = {0};
  ctest_pool = &pool;
  fill_problem(&p, kind, d, MAX_N);
  dpd_depth_median *m = open_problem(&p, eps);
  set_scores(m, d, score, &parts);
  for (int c = 0; c < cells_of(d); c++) {
    double z[MAX_D];
    cell_point(c, d, z);
    double h = kind == DPD_SCORE_IDD_SMOOTH ? (double)score[c] / parts : slow_score(&p, z);
    weight[c] = exp(eps * h / 2);
  }
  const int draws = ctest_some(DRAWS);
  for (int k = 0; k < draws; k++) {
    double x[MAX_D];
    dpd_status status = DPD_AGAIN;
    while (status == DPD_AGAIN)
      status = dpd_depth_median_draw(m, &source, x);
    CHECK(status == DPD_OK);
    int cell = 0;
    for (int j = d - 1; j >= 0; j--)
      cell = SIDE * cell + (int)x[j] + 2;
    count[cell]++;
  }
  CHECK(law_holds(count, weight, cells_of(d), draws));
  ctest_free(&pool);
}

int main(void)
{
  problem few = {.kind = DPD_SCORE_SIMPLICIAL, .n = 2, .d = 2, .data = {0, 1, 2, 0}};
  ctest_memory pool = {0};
  ctest_pool = &pool;
  open_problem(&few, 1);
  ctest_free(&pool);
  start(7);
  for (int kind = 0; kind < KINDS; kind++)
    for (int d = 1; d <= MAX_D; d++) {
      if (kind == DPD_SCORE_HALFSPACE_EXACT && d != 2) continue;
      double largest = check_kind((dpd_score_kind)kind, d);
      CHECK(largest > (kind == DPD_SCORE_IDD_SMOOTH ? 0.6 : 0.8));
      for (int s = 0; s < 4; s++)
        check_law((dpd_score_kind)kind, d, s % 2 == 0 ? 1 : 6);
    }
  return ctest_report("depth_median");
}
