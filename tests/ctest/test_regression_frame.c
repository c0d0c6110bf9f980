/* test_regression_frame.c - the private regression's bounds in all its frames: above scores in a
 * box, equal at points. */
#include "ctest.h"
#include "ctest_memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mech/regression_state.h"

enum { ROWS = 12, AXES = 4, DIRECTIONS = 4, CASES = 60, BOXES = 60, POINTS = 20 };

typedef struct {
  double fit[ROWS * AXES], y[ROWS], projection[ROWS * DIRECTIONS];
  double lower[AXES], upper[AXES], resolution[AXES];
} rows;

static int below(int n)
{
  return (int)((double)rand() / ((double)RAND_MAX + 1) * n);
}

/* Small whole numbers, with ties; at times numbers that the lattice does not hold, or dependent
 * columns. */
static dpd_regression_spec make_of(rows *r, int c, int k)
{
  int count = k == 2 ? 1 : DIRECTIONS;
  double size = c % 3 == 0 ? 0.3 : 1, half = c % 5 == 0 ? 1e6 : 8;
  for (int i = 0; i < ROWS; i++) {
    r->y[i] = size * (below(9) - 4);
    for (int j = 0; j < k; j++)
      r->fit[i + j * ROWS] = j == 0 ? 1 : size * (below(5) - 2);
    if (k == 3 && c % 4 == 1) r->fit[i + 2 * ROWS] = 1 - r->fit[i + ROWS];
    for (int u = 0; u < count; u++)
      r->projection[i + u * ROWS] =
          k == 2 ? r->fit[i + ROWS] : r->fit[i + ROWS] * (u - 1) + r->fit[i + 2 * ROWS];
  }
  for (int j = 0; j < k; j++) {
    r->lower[j] = -half;
    r->upper[j] = half;
  }
  dpd_regression_spec spec = {.n = ROWS,
                              .k = k,
                              .count = count,
                              .fit = r->fit,
                              .y = r->y,
                              .projection = r->projection,
                              .prior = {.d = k, .a = r->lower, .b = r->upper},
                              .eps = {(uint64_t)1 << DPD_RATE_BITS},
                              .tie = c % 7 == 0 ? 0 : 0.5,
                              .above = 1 + c % 3,
                              .below = 1 + c % 2};
  return spec;
}

static dpd_regression_spec make(rows *r, int c)
{
  return make_of(r, c, 2 + c % 2);
}

#define FINE 1.1e15

/* Rows through one fit, as exactly as doubles say, that of index 0 of a lattice of thirds which is
 * so far from the origin that sums of forms round by as much as a step. Of two and four
 * coefficients: of three whole numbers decide, whose room is wider. */
static dpd_regression_spec make_fine(rows *r, int c)
{
  dpd_regression_spec spec = make_of(r, c, 2 + 2 * (c / 4 % 2));
  for (int i = 0; i < ROWS; i++) {
    r->y[i] = 0;
    for (int j = 0; j < spec.k; j++) {
      r->fit[i + j * ROWS] = (below(2001) - 1000) / 700.0;
      r->y[i] += r->fit[i + j * ROWS] * FINE;
    }
  }
  for (int j = 0; j < spec.k; j++) {
    r->lower[j] = FINE - 0x1p30;
    r->upper[j] = FINE + 0x1p30;
    r->resolution[j] = 1 / 3.0;
  }
  spec.prior.resolution = r->resolution;
  spec.tie = 0;
  return spec;
}

/* Seven rows that are the same, and four others, in half of the cases with the same regressors. */
static dpd_regression_spec make_heavy(rows *r, int c)
{
  dpd_regression_spec spec = make(r, c);
  int other = 7 * below(2);
  for (int i = 0; i < 11; i++) {
    for (int j = 0; j < spec.k; j++)
      r->fit[i + j * ROWS] = r->fit[(i < 7 ? 0 : other) + j * ROWS];
    r->y[i] = r->y[0] + (i >= 7);
  }
  /* a pivot that is negative, and the first */
  for (int i = 0; i < 11 && c & 16; i++)
    r->fit[i] = -1;
  for (int j = 0; j < spec.k; j++)
    r->resolution[j] = ldexp(1, -2 * j);
  spec.prior.resolution = r->resolution;
  return spec;
}

static double fit_at(dpd_regression *m, int row, const double *w)
{
  double z[AXES], fit = 0;
  dpd_regression_point(m, w, z);
  for (int j = 0; j < m->spec.k; j++)
    fit += m->spec.fit[row + j * ROWS] * m->lattice.step[j] * z[j];
  return fit;
}

/* The fit at the first heavy row is that of the last w alone, that at the next one of the last two,
 * but for what rounds. How many there are. */
static int check_heavy(dpd_regression *m)
{
  int k = m->spec.k;
  if (m->heavy_count > 0) CHECK(m->heavy[0] < 7);
  for (int l = 0; l < m->heavy_count; l++) {
    double w[AXES], v[AXES], rounding = 0;
    for (int j = 0; j < k; j++) {
      w[j] = below(2001) - 1000;
      v[j] = j < k - 1 - l ? below(2001) - 1000 : w[j];
      rounding += fabs(m->spec.fit[m->heavy[l] + j * ROWS]) * m->lattice.step[j];
    }
    CHECK(fabs(fit_at(m, m->heavy[l], v) - fit_at(m, m->heavy[l], w)) <= 3 * rounding);
  }
  return m->heavy_count;
}

/* A box about a fit through rows: a lattice point and sides from 0 up to the lattice's. */
static void draw_box(dpd_regression *m, double *lo, double *hi)
{
  int k = m->spec.k;
  double from[AXES], to[AXES];
  dpd_regression_cover(m, from, to);
  for (int j = 0; j < k; j++) {
    double at = below(3) == 0 ? 0 : rint((below(17) - 8) / m->lattice.step[0]);
    if (below(2)) at += below(7) - 3; /* near enough to count as on the fit, or just not */
    double side = ldexp(1, below(42));
    lo[j] = fmax(from[j], at - (below(2) ? floor(side) : 0));
    hi[j] = fmin(to[j], at + (below(2) ? floor(side) : 0));
    if (lo[j] > hi[j]) lo[j] = hi[j] = at;
  }
}

/* A box with the index 0 at a corner. */
static void draw_corner(const dpd_regression *m, double *lo, double *hi)
{
  for (int j = 0; j < m->spec.k; j++) {
    double side = ldexp(1, below(20));
    lo[j] = below(2) ? -side : 0;
    hi[j] = lo[j] < 0 ? 0 : side;
  }
}

static void check_box(dpd_regression *m, const double *lo, const double *hi)
{
  int bound, score, single, k = m->spec.k;
  double w[AXES], z[AXES];
  if (!dpd_regression_bound(m, lo, hi, &bound)) return;
  for (int p = 0; p < POINTS; p++) {
    for (int j = 0; j < k; j++) {
      int kind = below(4);
      double inside = floor((double)rand() / RAND_MAX * (hi[j] - lo[j]));
      w[j] = kind == 0 ? lo[j] : kind == 1 ? hi[j] : lo[j] + inside;
    }
    dpd_regression_point(m, w, z);
    score = dpd_regression_score(m, z);
    if (!dpd_regression_bound(m, w, w, &single)) continue;
    CHECK(score <= bound);
    CHECK(single == score);
  }
}

/* Columns whose middle size is as far below their largest number as doubles go: its products
 * overflow, and no index may be what is no number. */
static void check_overflow(rows *r)
{
  dpd_regression_spec spec = make(r, 1);
  dpd_regression *m;
  for (int i = 0; i < ROWS; i++) {
    r->fit[i + ROWS] = i % 2 == 0 ? 1e-308 : i == 1 ? 0 : 1e308;
    r->fit[i + 2 * ROWS] = i % 3 - 1;
  }
  CHECK(dpd_regression_open(&m, &spec, ctest_alloc) == DPD_OK);
  for (int kind = 0; kind < DPD_FRAMES; kind++) {
    double w[AXES] = {1, 2, 3}, z[AXES], lo[AXES], hi[AXES];
    dpd_regression_set_frame(m, (dpd_regression_frame)kind, ctest_alloc);
    CHECK(dpd_regression_begin_tree(m) == DPD_OK);
    dpd_regression_point(m, w, z);
    dpd_regression_cover(m, lo, hi);
    for (int j = 0; j < spec.k; j++)
      CHECK(isfinite(z[j]) && lo[j] <= hi[j]);
  }
}

int main(void)
{
  rows r;
  int heavy[3] = {0};
  ctest_memory memory = {NULL, 0};
  ctest_pool = &memory;
  srand(3);
  for (int c = 0; c < CASES; c++) {
    bool fine = c % 4 == 3;
    dpd_regression_spec spec = fine         ? make_fine(&r, c)
                               : c % 4 == 2 ? make_heavy(&r, c + c / 4 % 2)
                                            : make(&r, c);
    dpd_regression *m;
    CHECK(dpd_regression_open(&m, &spec, ctest_alloc) == DPD_OK);
    for (int kind = 0; kind < DPD_FRAMES; kind++) {
      double lo[AXES], hi[AXES];
      dpd_regression_set_frame(m, (dpd_regression_frame)kind, ctest_alloc);
      dpd_regression_begin_tree(m);
      if (kind == DPD_FRAME_IN_ORDER) heavy[spec.k - 2] += check_heavy(m);
      for (int b = 0; b < BOXES; b++) {
        if (fine)
          draw_corner(m, lo, hi);
        else
          draw_box(m, lo, hi);
        check_box(m, lo, hi);
      }
    }
    ctest_free(&memory);
  }
  CHECK(heavy[0] > 0 && heavy[1] > 0);
  check_overflow(&r);
  ctest_free(&memory);
  return ctest_report("regression_frame");
}
