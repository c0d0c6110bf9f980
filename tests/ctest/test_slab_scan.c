/* test_slab_scan.c - scans of slabs: scores against their definition and against fits, sensitivity
 * over all neighbours on a grid, halts against all parts. */
#include "ctest.h"
#include "ctest_memory.h"

#include <math.h>

#include "mech/slab_scan.h"

enum { N = 7, X = 4, Y = 6, SETS = 60, CELLS = 6, PARTS = 10 };

static uint64_t seed = 7;
static ctest_memory pool;

static int pick(int below)
{
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (int)((seed >> 33) % (uint64_t)below);
}

/* Rows of small numbers, many of them equal; form 0 is a slope, form 1 an intercept. */
typedef struct {
  double x[N], y[N], one[N];
} data;

static void fill(data *d)
{
  int skew = pick(3);
  for (int i = 0; i < N; i++) {
    d->one[i] = 1;
    d->x[i] = pick(skew == 1 ? 2 : X) - 1;
    d->y[i] = skew == 2 && i < 4 ? 0 : pick(Y);
  }
}

static dpd_slab_rows rows_of(const data *d, int form)
{
  return form == 0 ? (dpd_slab_rows){N, d->y, d->one, 1, d->x, 1, d->x, NULL, 0, 0}
                   : (dpd_slab_rows){N, d->y, d->x, 1, d->one, 1, d->x, NULL, 0, 0};
}

/* Scores of boxes of which none is beyond 8. */
static dpd_slab_bound *score_of(const dpd_slab_rows *rows)
{
  static const double reach[] = {8};
  dpd_slab_bound *m;
  dpd_slab_bound_open(&m, rows, reach, ctest_alloc);
  return m;
}

static int bound(dpd_slab_bound *m, double lo, double hi)
{
  return dpd_slab_bound_of(m, &(dpd_slab_box){{lo}, {hi}}, N + 1);
}

static dpd_slab_scan *scan_of(const dpd_slab_rows *rows, const dpd_slab_cells *cells)
{
  dpd_slab_scan *m;
  dpd_slab_open(&m, rows, cells, ctest_alloc);
  return m;
}

/* All that may have r >= 0 (above) or r <= 0 at (lo..hi, t), by the definition of the depth. */
static int count_at(const dpd_slab_rows *r, double lo, double hi, double t)
{
  const double tiny = 1e-9;
  int least = N;
  for (int split = -1; split <= X; split++)
    for (int sign = 0; sign < 2; sign++) {
      int count = 0;
      for (int i = 0; i < N; i++) {
        double a = r->y[i] - lo * r->u[i] - t * r->v[i], b = r->y[i] - hi * r->u[i] - t * r->v[i];
        bool above = (r->along[i] < split - 0.5) == (sign == 0);
        count += above ? fmax(a, b) >= -tiny : fmin(a, b) <= tiny;
      }
      if (count < least) least = count;
    }
  return least;
}

static int brute_bound(const dpd_slab_rows *r, double lo, double hi)
{
  int most = count_at(r, lo, hi, 0);
  for (int i = 0; i < N; i++)
    for (int end = 0; end < 2; end++) {
      if (r->v[i] == 0) continue;
      int count = count_at(r, lo, hi, (r->y[i] - (end ? hi : lo) * r->u[i]) / r->v[i]);
      if (count > most) most = count;
    }
  return most;
}

/* Depth of the deepest fit with lo <= s <= hi: at meetings of two rows' lines, and at the ends. */
static int deepest(const dpd_slab_rows *r, double lo, double hi)
{
  int most = brute_bound(r, lo, lo), other = brute_bound(r, hi, hi);
  if (other > most) most = other;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < i; j++) {
      double det = r->u[i] * r->v[j] - r->u[j] * r->v[i];
      if (det == 0) continue;
      double s = (r->y[i] * r->v[j] - r->y[j] * r->v[i]) / det;
      if (s < lo || s > hi) continue;
      int depth = brute_bound(r, s, s);
      if (depth > most) most = depth;
    }
  return most;
}

static const double left[] = {-8, -4.0625, -2.0625, -1.0625, -0.4375, -0.4375, 0.0625};
static const double right[] = {8, 4.5625, 2.1875, 1.0625, 0.9375, 0.3125, 0.1875};

static void test_scores(void)
{
  bool same = true, alike = true;
  for (int k = 0; k < ctest_some(SETS); k++) {
    data d;
    fill(&d);
    for (int form = 0; form < 2; form++) {
      dpd_slab_rows rows = rows_of(&d, form);
      dpd_slab_bound *m = score_of(&rows);
      for (int j = 0; j < CELLS; j++) {
        same = same && bound(m, left[j], left[j + 1]) == brute_bound(&rows, left[j], left[j + 1]);
        same =
            same && bound(m, right[j + 1], right[j]) == brute_bound(&rows, right[j + 1], right[j]);
      }
      for (double s = -3; s <= 3; s += 0.25)
        alike = alike && bound(m, s, s) == brute_bound(&rows, s, s);
    }
    ctest_free(&pool);
  }
  CHECK(same);
  CHECK(alike);
}

/* Everything of the data sets that differ in one row, on the grid. */
static void test_sensitivity(void)
{
  int most = 0;
  for (int k = 0; k < ctest_some(SETS); k++) {
    data d;
    fill(&d);
    int row = pick(N), form = k % 2;
    dpd_slab_rows rows = rows_of(&d, form);
    int base[CELLS];
    dpd_slab_bound *m = score_of(&rows);
    for (int j = 0; j < CELLS; j++)
      base[j] = bound(m, right[j + 1], right[j]);
    for (int x = -1; x < X; x++)
      for (int y = -1; y <= Y; y++) {
        d.x[row] = x;
        d.y[row] = y;
        m = score_of(&rows);
        for (int j = 0; j < CELLS; j++) {
          int change = abs(bound(m, right[j + 1], right[j]) - base[j]);
          if (change > most) most = change;
        }
      }
    ctest_free(&pool);
  }
  CHECK(most == 1);
}

static int halt_of(const dpd_slab_rows *rows, const int *least, int parts)
{
  dpd_slab_cells cells = {{left, right}, CELLS, parts, NULL, NULL, least};
  dpd_slab_scan *m = scan_of(rows, &cells);
  int halt;
  while (dpd_slab_advance(m, &halt) == DPD_AGAIN) {
  }
  return halt;
}

/* M_j is the depth of the deepest fit outside the slab, wherever it lies there. */
static void test_halts(void)
{
  bool right_place = true;
  for (int k = 0; k < ctest_some(SETS); k++) {
    data d;
    fill(&d);
    dpd_slab_rows rows = rows_of(&d, k % 2);
    int least[CELLS], halt = CELLS, most = 0;
    for (int j = 0; j < CELLS; j++)
      least[j] = pick(N + 1);
    for (int j = CELLS - 1; j >= 0; j--) {
      int low = deepest(&rows, left[0], left[j + 1]), high = deepest(&rows, right[j + 1], right[0]);
      most = low > high ? low : high;
      if (most >= least[j]) halt = j;
    }
    right_place = right_place && halt_of(&rows, least, PARTS) == halt;
    ctest_free(&pool);
  }
  CHECK(right_place);
  /* y = 0 but for one row: all fits near 0 are deep, those at the slab's ends are not */
  data far = {{-1, -1, 0, 0, 1, 1, 2}, {-3, -3, 0, 0, 3, 3, 6}, {1, 1, 1, 1, 1, 1, 1}};
  dpd_slab_rows rows = rows_of(&far, 0);
  int least[CELLS] = {N + 1, N, N + 1, N + 1, N + 1, N + 1};
  CHECK(halt_of(&rows, least, PARTS) == 1);
  ctest_free(&pool);
}

/* Cells that are not halved: M_j is the largest score of a cell outside slab j. */
static void test_whole_cells(void)
{
  bool right_place = true;
  for (int k = 0; k < ctest_some(4 * SETS); k++) {
    data d;
    fill(&d);
    dpd_slab_rows rows = rows_of(&d, k % 2);
    int least[CELLS], halt = CELLS;
    for (int j = 0; j < CELLS; j++)
      least[j] = pick(2) ? N + 1 : pick(N + 1);
    for (int j = 0, most = 0; j < CELLS && halt == CELLS; j++) {
      int low = brute_bound(&rows, left[j], left[j + 1]);
      int high = brute_bound(&rows, right[j + 1], right[j]);
      if (left[j] != left[j + 1] && low > most) most = low;
      if (high > most) most = high;
      if (most >= least[j]) halt = j;
    }
    right_place = right_place && halt_of(&rows, least, 0) == halt;
    ctest_free(&pool);
  }
  CHECK(right_place);
}

/* Parts that are halves of halves of cells, regressors far from 0: M_j is the largest score of a
 * part, which there is more than that of fits, and the search finds it by narrower bounds. */
static void test_far_parts(void)
{
  bool right_place = true;
  for (int k = 0; k < ctest_some(2 * SETS); k++) {
    data d;
    fill(&d);
    for (int i = 0; i < N; i++)
      d.x[i] = 4 * d.x[i] + 40 * pick(2) - 20;
    dpd_slab_rows rows = rows_of(&d, k % 2);
    dpd_slab_bound *m = score_of(&rows);
    int least[CELLS], halt = CELLS;
    for (int j = 0; j < CELLS; j++)
      least[j] = pick(2) ? N + 1 : pick(N + 1);
    for (int j = 0, most = 0; j < CELLS && halt == CELLS; j++) {
      for (int part = 0; part < 8; part++) {
        const double *edge = part % 2 ? left : right;
        double side = (edge[j + 1] - edge[j]) / 4, lo = edge[j] + side * (part / 2);
        int score = side > 0 ? bound(m, lo, lo + side) : bound(m, lo + side, lo);
        if (side != 0 && score > most) most = score;
      }
      if (most >= least[j]) halt = j;
    }
    right_place = right_place && halt_of(&rows, least, 2) == halt;
    ctest_free(&pool);
  }
  CHECK(right_place);
}

/* A box is not left while a part of it has the score: bounds against the scores of all parts, also
 * where three centres share few values of the regressor and where parts are points. */
static void test_bounds_of_parts(void)
{
  int left_off = 0, below = 0;
  for (int k = 0; k < ctest_some(4 * SETS); k++) {
    data d;
    fill(&d);
    for (int i = 0; i < N; i++)
      d.x[i] += pick(3) * 8;
    dpd_slab_rows rows = rows_of(&d, k % 2);
    /* of half of the data, room for the rounding of numbers that blurs their scores */
    const double reach[] = {k % 8 < 4 ? 8 : 0x1p48};
    dpd_slab_bound *m;
    dpd_slab_bound_open(&m, &rows, reach, ctest_alloc);
    double side = k % 4 < 2 ? 0 : 0x1p-3, lo = pick(64) * 0x1p-3 - 4, most = 0;
    for (double at = lo; at <= lo + 1 - side; at += 0x1p-3)
      most = fmax(most, bound(m, at, at + side));
    dpd_slab_box box = {{lo}, {lo + 1}};
    left_off += !dpd_slab_bound_may_reach(m, &box, &side, (int)most);
    below += dpd_slab_bound_within(m, &box, &side, N + 1) < most;
    ctest_free(&pool);
  }
  CHECK(left_off == 0);
  CHECK(below == 0);
}

/* Where the regressor lies costs nothing: the slope of rows near y = x. */
static void test_cost(void)
{
  static const double down[] = {-8, -6, -4, -2, 0, 0.5}, up[] = {8, 6, 4, 2, 1.5, 1};
  static const int least[] = {24, 24, 24, 24, 24};
  double x[60], y[60], one[60];
  for (int i = 0; i < 60; i++) {
    one[i] = 1;
    x[i] = 0x1p30 + i;
    y[i] = i + pick(1 << 10) * 0x1p-9;
  }
  dpd_slab_rows rows = {60, y, one, 1, x, 1, x, NULL, 0, 0};
  dpd_slab_cells cells = {{down, up}, 5, 50, NULL, NULL, least};
  int halt;
  dpd_slab_scan *m = scan_of(&rows, &cells);
  CHECK(dpd_slab_advance(m, &halt) == DPD_OK);
  CHECK(halt == 4);
  CHECK(dpd_slab_bounds(m) < 300);
  ctest_free(&pool);
}

/* All rows on a line whose fits through 0 are within the range: where fits are as good as rounding
 * of large numbers lets be known, boxes are held against their own scores. */
static void test_cost_exact(void)
{
  static const double down[] = {-8, -6, -4, -2, -1}, up[] = {8, 6, 4, 2, -1};
  static const int least[] = {40, 40, 40, 40};
  double x[60], y[60], one[60];
  for (int i = 0; i < 60; i++) {
    one[i] = 1;
    x[i] = i + 1;
    y[i] = 0x1p20 * x[i];
  }
  dpd_slab_rows rows = {60, y, x, 1, one, 1, x, NULL, 0, 0};
  dpd_slab_cells cells = {{down, up}, 4, 40, NULL, NULL, least};
  int halt = -1, blocks = 0;
  dpd_slab_scan *m = scan_of(&rows, &cells);
  while (blocks < 4 && dpd_slab_advance(m, &halt) == DPD_AGAIN)
    blocks++;
  CHECK(dpd_slab_bounds(m) < 600);
  CHECK(halt == 3);
  ctest_free(&pool);
}

/* A scan that stops for an interrupt has no answer yet: the fits of a cell on the left are deep,
 * and are looked at after those on the right. */
static void test_pauses(void)
{
  enum { MANY = 300000 };
  static double x[MANY], y[MANY], one[MANY];
  static const double down[] = {-4, -2, 0}, up[] = {4, 2, 0};
  static const int least[] = {MANY, MANY + 1};
  for (int i = 0; i < MANY; i++) {
    one[i] = 1;
    x[i] = i % 5;
    y[i] = -3 * x[i];
  }
  dpd_slab_rows rows = {MANY, y, one, 1, x, 1, x, NULL, 0, 0};
  dpd_slab_cells cells = {{down, up}, 2, 0, NULL, NULL, least};
  dpd_slab_scan *m = scan_of(&rows, &cells);
  int halt, pauses = 0;
  while (dpd_slab_advance(m, &halt) == DPD_AGAIN)
    pauses++;
  CHECK(pauses > 0);
  CHECK(halt == 0);
  ctest_free(&pool);
}

/* All rows on a line whose slope and intercept are no doubles: the cell between the slope's
 * neighbours holds a fit of full depth, whatever rounding does. */
static void test_exact_lines(void)
{
  int whole = 0;
  for (int k = 0; k < ctest_some(SETS); k++) {
    data d;
    /* of 47 bits, so that seven steps are exact */
    double rise = (pick(1 << 24) + pick(1 << 23) * 0x1p24) * 0x1p-58, low = pick(1 << 30) * 0x1p-58;
    int far = 1000 + pick(1000);
    for (int i = 0; i < N; i++) {
      d.one[i] = 1;
      d.x[i] = far + 3 * i;
      d.y[i] = low + i * rise;
    }
    dpd_slab_rows rows = rows_of(&d, 0);
    double s = rise / 3;
    if (fma(3, s, -rise) > 0) s = nextafter(s, 0);
    double down[] = {-1, -1, -1e-9}, up[] = {nextafter(s, 1), s, 1e-9};
    int least[] = {N, N + 1}, halt;
    dpd_slab_cells cells = {{down, up}, 2, 0, NULL, NULL, least};
    dpd_slab_scan *m = scan_of(&rows, &cells);
    while (dpd_slab_advance(m, &halt) == DPD_AGAIN) {
    }
    whole += halt == 0;
    ctest_free(&pool);
  }
  CHECK(whole == ctest_some(SETS));
}

int main(void)
{
  ctest_pool = &pool;
  test_scores();
  test_sensitivity();
  test_halts();
  test_whole_cells();
  test_far_parts();
  test_bounds_of_parts();
  test_cost();
  test_cost_exact();
  test_exact_lines();
  test_pauses();
  return ctest_report("slab_scan");
}
