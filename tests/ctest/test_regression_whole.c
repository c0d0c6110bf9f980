/* test_regression_whole.c - rows as whole numbers: against exact arithmetic, far numbers, rows of
 * zeros; and boxes of fits, which must allow for what their rounding does. */
#include "ctest.h"
#include "ctest_law.h"
#include "ctest_memory.h"

#include <float.h>
#include <math.h>

#include "mech/regression_state.h"

enum { N = 60, ROWS = 3000, BOXES = 400, FINE = 50, POINTS = 20 };

typedef struct {
  double fit[3 * N], y[N], projection[N], a[3], b[3], step[3];
  dpd_regression_spec spec;
} problem;

/* Uniform on 0..below - 1. */
static int64_t pick(int64_t below)
{
  uint64_t at;
  CHECK(dpd_rng_below(&source, (uint64_t)below, &at) == DPD_OK);
  return (int64_t)at;
}

static int64_t within(int64_t most)
{
  return pick(2 * most + 1) - most;
}

static void set_spec(problem *p, double tie)
{
  p->spec = (dpd_regression_spec){.n = N,
                                  .k = 3,
                                  .count = 1,
                                  .fit = p->fit,
                                  .y = p->y,
                                  .projection = p->projection,
                                  .prior = {.d = 3, .a = p->a, .b = p->b},
                                  .tie = tie,
                                  .above = 1,
                                  .below = 1,
                                  .eps = {1}};
}

static dpd_whole whole_of(const problem *p, const dpd_lattice *l)
{
  return (dpd_whole){.n = N,
                     .k = 3,
                     .bits = DPD_WHOLE_BITS,
                     .fit = p->fit,
                     .y = p->y,
                     .tie = p->spec.tie,
                     .reach = dpd_whole_reach(l),
                     .lattice = l};
}

/* Rows of whole numbers of up to 50 bits, in steps of 1: a row is its numbers over a power of two,
 * and all of it is known exactly. */
static void check_rows(void)
{
  static problem p;
  int wide = 0, off = 0, near = 0, room = 0, apart = 0;
  for (int rep = 0; rep < ROWS; rep++) {
    double tie = pick(2) ? 0.5 : 0, z[3];
    int bits = 42 + (int)pick(FINE - 41), scale;
    dpd_i128 exact = 0, a, size = 0;
    double origin[3], step[3] = {1, 1, 1}, lo[3], hi[3], reach = ldexp(1, 13), far = 0;
    dpd_lattice l = {.prior = {.d = 3}, .step = step, .origin = origin, .lo = lo, .hi = hi};
    set_spec(&p, tie);
    for (int j = 0; j < 3; j++) {
      int64_t most = (int64_t)1 << (j == 0 ? bits : pick(bits));
      p.fit[j * N] = (double)(j == 0 ? most - 1 - pick(most / 2) : within(most));
      origin[j] = pick(2) ? (double)within(1 << 13) : 0;
      z[j] = (double)within(1 << 13);
      lo[j] = -reach;
      hi[j] = reach;
      a = (int64_t)p.fit[j * N];
      exact += a * ((int64_t)origin[j] + (int64_t)z[j]);
      far += fabs(p.fit[j * N]) * (fabs(origin[j]) + fabs(z[j]));
      size += a < 0 ? -a : a;
    }
    p.y[0] = (double)exact; /* next to the fit at z */
    const dpd_whole w = whole_of(&p, &l);
    CHECK(w.reach == reach);
    const dpd_whole_row r = dpd_whole_row_of(&w, 0, &scale);
    const int shift = scale - DPD_WHOLE_BITS; /* the row was divided by 2^shift */
    CHECK(shift > 0 && shift < 20);
    int64_t top = 0, sum = 0;
    double reaches = 0;
    for (int j = 0; j < 3; j++) {
      int64_t own = r.a[j] < 0 ? -r.a[j] : r.a[j];
      top = own > top ? own : top;
      sum += own;
      wide += fabs(ldexp(p.fit[j * N], -shift) - (double)r.a[j]) > 0.5;
      reaches += fabs(z[j]);
    }
    CHECK(top >= (int64_t)1 << 40 && top <= (int64_t)1 << 41);
    room += r.gap != 2 * (int64_t)floor(tie * (double)sum);
    /* the residual, and the ends, exactly: in units of 2^-shift */
    const double doubles = 0x3p-53 * ldexp(fabs(p.y[0]) + far, -shift);
    const dpd_i128 unit = (dpd_i128)1 << shift;
    const dpd_i128 most = (dpd_i128)((dpd_whole_off(tie, reaches) + doubles) * 1024);
    dpd_i128 real = exact - (dpd_i128)p.y[0] - (tie > 0 ? size / 2 : 0);
    dpd_i128 whole = (dpd_whole_value(&r, z) - r.top) * unit;
    dpd_i128 gap = whole > real ? whole - real : real - whole;
    off += gap * 1024 > most * unit;
    near += gap * 3072 > most * unit;
    dpd_whole_sides at = dpd_whole_sides_at(&r, z);
    apart += !at.above && !at.below;
  }
  CHECK(wide == 0);  /* coefficients are the nearest whole numbers */
  CHECK(room == 0);  /* with the room of a tie */
  CHECK(off == 0);   /* and rows as far off as they may be */
  CHECK(near > 0);   /* some nearly are */
  CHECK(apart == 0); /* each residual has a sign */
}

/* Responses beyond all fits, rows of zeros, responses that are all there is to a row. */
static void check_far(void)
{
  static problem p;
  double origin[3] = {0x1p53, -0x1p53, 0x1p53}, step[3] = {1, 1, 1}, z[3];
  double lo[3] = {-0x1p38, -0x1p38, -0x1p38}, hi[3] = {0x1p38, 0x1p38, 0x1p38};
  dpd_lattice l = {.prior = {.d = 3}, .step = step, .origin = origin, .lo = lo, .hi = hi};
  set_spec(&p, 0.5);
  const dpd_whole w = whole_of(&p, &l);
  const double y[] = {1e300, -1e300, DBL_MAX, 1e-300, -1e-300, 0};
  for (int i = 0; i < 6; i++)
    for (int zero = 0; zero < 2; zero++)
      for (int corner = 0; corner < 8; corner++) {
        int scale;
        p.y[0] = y[i];
        for (int j = 0; j < 3; j++) {
          p.fit[j * N] = zero ? 0 : 1e-250;
          z[j] = corner >> j & 1 ? hi[j] : lo[j];
        }
        if (!zero && i > 2) continue;
        const dpd_whole_row r = dpd_whole_row_of(&w, 0, &scale);
        dpd_whole_sides at = dpd_whole_sides_at(&r, z);
        CHECK(at.above == (y[i] >= 0) && at.below == (y[i] <= 0));
      }
}

/* Terms over boxes allow for the signs of all points. */
static void check_boxes(bool dyadic, bool straight, double tie)
{
  static problem p;
  ctest_memory pool = {0};
  ctest_pool = &pool;
  dpd_regression *m;
  int missed = 0, sharp = 0;
  const int far = dyadic ? 44 : 38;
  for (int j = 0; j < 3; j++) {
    p.a[j] = dyadic ? 0 : -2;
    p.b[j] = dyadic ? ldexp(1, -38) : 2;
  }
  set_spec(&p, tie);
  p.spec.prior.dyadic = dyadic;
  for (int i = 0; i < N; i++) {
    p.fit[i] = 1;
    p.fit[i + N] = p.projection[i] = (double)within(1000) / 999;
    p.fit[i + 2 * N] = (double)within(1000) / 777;
    p.y[i] = (double)within(1000);
  }
  for (int rep = 0; rep < BOXES; rep++) {
    double w[3], z[3], lo[3], hi[3];
    int64_t sum[2];
    CHECK(dpd_regression_open(&m, &p.spec, ctest_alloc) == DPD_OK);
    if (straight) dpd_regression_set_frame(m, DPD_FRAME_STRAIGHT, ctest_alloc);
    CHECK(dpd_regression_begin_tree(m) == DPD_OK);
    do {
      for (int j = 0; j < 3; j++)
        w[j] = (double)within((int64_t)1 << (far - 1 - (int)pick(4)));
      dpd_regression_point(m, w, z);
    } while (
        !(fabs(z[0]) < ldexp(1, far) && fabs(z[1]) < ldexp(1, far) && fabs(z[2]) < ldexp(1, far)));
    /* rows that pass by the point next to it, and the same fits in other frames */
    for (int i = 0; i < N; i++) {
      p.y[i] = (double)within(64) * ldexp(1, -39);
      for (int j = 0; j < 3; j++)
        p.y[i] += p.fit[i + j * N] * dpd_lattice_value(&m->lattice, j, z[j]);
    }
    CHECK(dpd_regression_open(&m, &p.spec, ctest_alloc) == DPD_OK);
    if (straight) dpd_regression_set_frame(m, DPD_FRAME_STRAIGHT, ctest_alloc);
    CHECK(dpd_regression_begin_tree(m) == DPD_OK);
    CHECK(!straight || m->shear.identity);
    for (int j = 0; j < 3; j++) {
      lo[j] = w[j] - (double)pick(3);
      hi[j] = w[j] + (double)pick(3);
    }
    dpd_regression_terms_box(m, &m->all, lo, hi, sum);
    for (int t = 0; t < POINTS; t++) {
      for (int j = 0; j < 3; j++)
        w[j] = lo[j] + (double)pick((int64_t)(hi[j] - lo[j]) + 1);
      dpd_regression_point(m, w, z);
      for (int i = 0; i < N; i++) {
        const dpd_whole_sides at = dpd_whole_sides_at(m->all.whole + i, z);
        const int term = m->all.term[i];
        missed += (at.above && term < 0) || (at.below && term > 0);
        sharp += term != 0;
      }
    }
    ctest_free(&pool);
  }
  CHECK(missed == 0);
  CHECK(dyadic || sharp > 0);
}

/* A coordinate of one candidate, 0, in steps beyond all else: rows are on each fit, which terms
 * over the box of all fits must allow for. */
static void check_lone(void)
{
  static problem p;
  ctest_memory pool = {0};
  ctest_pool = &pool;
  dpd_regression *m;
  int missed = 0;
  double lo[3], hi[3], w[3], z[3];
  int64_t sum[2];
  for (int j = 0; j < 3; j++) {
    p.a[j] = -2;
    p.b[j] = 2;
    p.step[j] = j == 2 ? 1e60 : 1;
  }
  set_spec(&p, 0.5);
  p.spec.prior.resolution = p.step;
  for (int i = 0; i < N; i++) {
    p.fit[i] = 1;
    p.fit[i + N] = p.projection[i] = (double)within(9);
    p.fit[i + 2 * N] = (double)(within(9) + 10);
    p.y[i] = (double)within(20);
  }
  CHECK(dpd_regression_open(&m, &p.spec, ctest_alloc) == DPD_OK);
  dpd_regression_cover(m, lo, hi);
  dpd_regression_terms_box(m, &m->all, lo, hi, sum);
  do {
    for (int j = 0; j < 3; j++)
      w[j] = lo[j] + (double)pick((int64_t)(hi[j] - lo[j]) + 1);
    dpd_regression_point(m, w, z);
  } while (z[2] != 0);
  for (int i = 0; i < N; i++) {
    const dpd_whole_sides at = dpd_whole_sides_at(m->all.whole + i, z);
    missed += !at.above || !at.below || m->all.term[i] != 0;
  }
  CHECK(missed == 0);
  CHECK(sum[0] == N && sum[1] == N);
  ctest_free(&pool);
}

int main(void)
{
  start(17);
  check_lone();
  check_rows();
  check_far();
  for (int kind = 0; kind < 4; kind++) {
    check_boxes(kind >= 2, kind % 2, 0);
    check_boxes(kind >= 2, kind % 2, 0.5);
  }
  return ctest_report("regression_whole");
}
