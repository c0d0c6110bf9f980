/* test_regression_regions.c - lattice fits of regression depth regions: brute force, neighbours,
 * extremes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ctest.h"
#include "ctest_memory.h"
#include "median/regression_regions.h"
#include "mech/regression_restricted.h"
#include "num/big_integer.h"
#include "samp/bernoulli.h"
#include "samp/level.h"
#include "samp/rng.h"

enum { MOST_ROWS = 12, REACH_A = 60, REACH_B = 16, LIMBS = DPD_FIT_LIMBS };

static uint64_t state = 11;

static int whole(int low, int high)
{
  state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return low + (int)((state >> 24) % (uint64_t)(high - low + 1));
}

/* Closed counts over all splits, from the definition: twice the split is a whole number, and the
 * rows' x are at most 3. */
static int slow_depth(const double *x, const double *y, int n, int a, int b)
{
  int least = n;
  for (int split = -7; split <= 7; split += 2) {
    int count[2] = {0, 0};
    for (int i = 0; i < n; i++) {
      double term = (y[i] - a - b * x[i]) * (2 * x[i] - split);
      count[0] += term <= 0;
      count[1] += term >= 0;
    }
    least = count[0] < least ? count[0] : least;
    least = count[1] < least ? count[1] : least;
  }
  return least;
}

/* The largest closed univariate depth of y among the rows of one x. */
static int slow_unbounded(const double *x, const double *y, int n)
{
  int most = 0;
  for (int i = 0; i < n; i++) {
    int low = 0, high = 0;
    for (int j = 0; j < n; j++) {
      low += x[j] == x[i] && y[j] <= y[i];
      high += x[j] == x[i] && y[j] >= y[i];
    }
    int depth = low < high ? low : high;
    most = depth > most ? depth : most;
  }
  return most;
}

/* x of half the given size as a rule, so that lines cross at whole slopes as well as between. */
static int make_rows(double *x, double *y, int kind)
{
  int n = whole(1, kind % 3 == 0 ? 4 : MOST_ROWS), size = kind % 4;
  for (int i = 0; i < n; i++) {
    x[i] = whole(-size, size);
    y[i] = whole(-5, 5);
    if (kind % 7 == 1) y[i] = 2 * x[i] - 1; /* a perfect fit */
    if (kind % 7 == 2 && i > 0) {
      x[i] = x[i / 2];
      y[i] = y[i / 2];
    }
  }
  return n;
}

static void open_counts(dpd_fit_regions *r, const double *x, const double *y, int n, int threads)
{
  dpd_status status;
  CHECK(dpd_fit_regions_open(r, x, y, n, threads, ctest_alloc) == DPD_OK);
  while ((status = dpd_fit_regions_count(r)) == DPD_AGAIN) {
  }
  CHECK(status == DPD_OK);
}

static uint64_t small_count(const dpd_fit_regions *r, int l)
{
  CHECK(r->count[l].limb[1] == 0 && r->count[l].limb[2] == 0 && r->count[l].limb[3] == 0);
  return r->count[l].limb[0];
}

/* Every fit of the level once, and none else. */
static void check_picks(dpd_fit_regions *r, int l, const int *depth, uint64_t count)
{
  static bool seen[2 * REACH_B + 1][2 * REACH_A + 1];
  memset(seen, 0, sizeof seen);
  CHECK(dpd_fit_regions_find(r, l) == DPD_OK);
  for (uint64_t k = 0; k < count; k++) {
    dpd_fit_count index = {{k, 0, 0, 0}};
    dpd_i128 a;
    int64_t b;
    dpd_fit_regions_pick(r, l, &index, &a, &b);
    bool near = a >= -REACH_A && a <= REACH_A && b >= -REACH_B && b <= REACH_B;
    CHECK(near);
    if (!near) return;
    int i = (int)b + REACH_B, j = (int)a + REACH_A;
    CHECK(depth[i * (2 * REACH_A + 1) + j] >= l && !seen[i][j]);
    seen[i][j] = true;
  }
}

static void check_case(int kind, int *most)
{
  static int depth[(2 * REACH_B + 1) * (2 * REACH_A + 1)];
  double x[MOST_ROWS], y[MOST_ROWS];
  int n = make_rows(x, y, kind), unbounded = slow_unbounded(x, y, n);
  uint64_t counts[MOST_ROWS + 2] = {0};
  dpd_fit_regions r;
  for (int b = -REACH_B; b <= REACH_B; b++)
    for (int a = -REACH_A; a <= REACH_A; a++) {
      int h = slow_depth(x, y, n, a, b);
      depth[(b + REACH_B) * (2 * REACH_A + 1) + a + REACH_A] = h;
      for (int l = 1; l <= h; l++)
        counts[l]++;
    }
  open_counts(&r, x, y, n, 1);
  CHECK(r.unbounded == unbounded);
  CHECK(r.levels >= r.unbounded && counts[r.levels] > 0);
  for (int l = unbounded + 1; l <= n; l++) {
    CHECK((l <= r.levels) == (counts[l] > 0));
    if (l > r.levels) break;
    CHECK(small_count(&r, l) == counts[l]);
    check_picks(&r, l, depth, counts[l]);
    *most = counts[l] > (uint64_t)*most ? (int)counts[l] : *most;
  }
  dpd_fit_regions_close(&r);
}

/* Level l + 1 of the one data set lies in level l of the other. */
static void check_nested(const dpd_fit_regions *r, const dpd_fit_regions *s)
{
  CHECK(s->unbounded <= r->unbounded + 1 && s->levels <= r->levels + 1);
  for (int l = r->unbounded + 1; l < s->levels; l++)
    CHECK(small_count(s, l + 1) <= small_count(r, l));
}

static void check_neighbours(int kind)
{
  double x[MOST_ROWS], y[MOST_ROWS];
  int n = make_rows(x, y, kind), row = whole(0, n - 1);
  dpd_fit_regions r, s;
  open_counts(&r, x, y, n, 1);
  x[row] = whole(-9, 9);
  y[row] = whole(-9, 9);
  open_counts(&s, x, y, n, 2);
  check_nested(&r, &s);
  check_nested(&s, &r);
  dpd_fit_regions_close(&r);
  dpd_fit_regions_close(&s);
}

/* Maps of the lattices onto themselves, to the edges of the ranges: the counts stay. */
static void check_extremes(void)
{
  enum { N = 40 };
  double x[N], y[N], u[N], v[N];
  dpd_fit_regions r, s;
  for (int i = 0; i < N; i++) {
    x[i] = whole(-1000, 1000);
    y[i] = (double)whole(-1000000, 1000000) * 4096;
  }
  open_counts(&r, x, y, N, 1);
  for (int turn = 0; turn < 4; turn++) {
    for (int i = 0; i < N; i++) {
      double left = turn % 2 == 0 ? 1 : -1, shift = 0x1p40 - 1000;
      u[i] = left * (x[i] + shift);
      v[i] = (turn < 2 ? 1 : -1) * (y[i] + (x[i] + shift) * 0x1p19);
    }
    open_counts(&s, u, v, N, 2);
    CHECK(r.unbounded == s.unbounded && r.levels == s.levels);
    CHECK(memcmp(r.count + 2, s.count + 2, (size_t)(r.levels - 1) * sizeof *r.count) == 0);
    dpd_fit_regions_close(&s);
  }
  dpd_fit_regions_close(&r);
  /* a parallelogram as wide as can be: two rows at each end, and level 2 between them */
  double far_x[4] = {-0x1p40, -0x1p40, 0x1p40, 0x1p40},
         far_y[4] = {-0x1p60, 0x1p60, -0x1p60, 0x1p60};
  open_counts(&r, far_x, far_y, 4, 1);
  CHECK(r.unbounded == 1 && r.levels == 2);
  /* |b| <= 2^20, |a| <= 2^60 - 2^40 |b| */
  uint64_t wanted[LIMBS], term[LIMBS];
  dpd_big_set(wanted, LIMBS, 0);
  for (int64_t b = -((int64_t)1 << 20); b <= (int64_t)1 << 20; b++) {
    dpd_big_set(term, LIMBS,
                2 * (((int64_t)1 << 60) - ((int64_t)1 << 40) * (b < 0 ? -b : b)) + (dpd_i128)1);
    dpd_big_add(wanted, term, LIMBS);
  }
  CHECK(memcmp(wanted, r.count[2].limb, sizeof wanted) == 0);
  dpd_fit_regions_close(&r);
}

/* Enough rows for several blocks of lines: counts and fits by number are the same for any number of
 * threads, and levels of more than 64 bits have the weights of their counts. */
static void check_large(void)
{
  enum { N = 150 };
  double x[N], y[N];
  dpd_product product[N + 1];
  dpd_fit_mechanism mechanism;
  dpd_fit_regions r, s;
  dpd_rate eps;
  for (int i = 0; i < N; i++) {
    x[i] = whole(-1000, 1000);
    y[i] = (double)whole(-1000000, 1000000) * 0x1p35;
  }
  open_counts(&r, x, y, N, 1);
  open_counts(&s, x, y, N, 4);
  CHECK(r.unbounded == s.unbounded && r.levels == s.levels && r.levels > 20);
  CHECK(memcmp(r.count + 2, s.count + 2, (size_t)(r.levels - 1) * sizeof *r.count) == 0);
  int level = r.levels - 3;
  dpd_status status;
  while ((status = dpd_fit_regions_find(&r, level)) == DPD_AGAIN) {
  }
  while ((status = dpd_fit_regions_find(&s, level)) == DPD_AGAIN) {
  }
  CHECK(status == DPD_OK && r.pieces[level].count > 0);
  for (int i = 0; i < 20; i++) {
    dpd_fit_count index = {{(uint64_t)whole(0, 1 << 20) << 20, 0, 0, 0}};
    dpd_i128 a[2];
    int64_t b[2];
    dpd_fit_regions_pick(&r, level, &index, &a[0], &b[0]);
    dpd_fit_regions_pick(&s, level, &index, &a[1], &b[1]);
    CHECK(a[0] == a[1] && b[0] == b[1]);
  }
  CHECK(dpd_rate_from_double(0.5, &eps) == DPD_OK);
  dpd_fit_mechanism_open(&mechanism, &r, 5, eps, product);
  double step = ldexp((double)dpd_level_step(eps), -60);
  double offset = ldexp((double)dpd_level_offset(dpd_level_step(eps)), -60), bits[2];
  CHECK(r.count[5].limb[1] != 0);
  for (int k = 0; k <= r.levels - 5; k++) {
    int power;
    double value = dpd_big_value(r.count[5 + k].limb, LIMBS, &power);
    double known = (double)product[k].whole + ldexp((double)product[k].part, -60);
    bits[k > 0] = known + log2(value) + power + (k > 0 ? offset + step * k : 0);
    CHECK(fabs(bits[k > 0] - bits[0]) < 1e-9);
  }
  /* the other way round, no line of a block is where it was */
  dpd_fit_regions_close(&s);
  for (int i = 0; i < N; i++)
    x[i] = -x[i];
  open_counts(&s, x, y, N, 1);
  CHECK(r.unbounded == s.unbounded && r.levels == s.levels);
  CHECK(memcmp(r.count + 2, s.count + 2, (size_t)(r.levels - 1) * sizeof *r.count) == 0);
  dpd_fit_regions_close(&r);
  dpd_fit_regions_close(&s);
}

/* Words of a tape; the first that is below n is taken. */
static void check_below(void)
{
  const uint64_t words[] = {5, UINT64_MAX, 6, 3, 7, 2};
  dpd_tape tape = {words, 6, 0};
  dpd_rng rng;
  dpd_fit_count n = {{6, 4, 0, 0}}, out;
  dpd_rng_open_tape(&rng, &tape);
  /* 4 2^64 + 6: 67 bits; (5, 7), (6, 3) */
  CHECK(dpd_fit_count_below(&rng, &n, &out) == DPD_OK);
  CHECK(out.limb[0] == 6 && out.limb[1] == 3 && out.limb[2] == 0 && out.limb[3] == 0);
  n = (dpd_fit_count){{1, 0, 0, 0}};
  CHECK(dpd_fit_count_below(&rng, &n, &out) == DPD_OK && out.limb[0] == 0);
  /* equal to n: taken no more; then the tape is at its end */
  dpd_tape last = {words + 5, 1, 0};
  n = (dpd_fit_count){{2, 0, 0, 0}};
  dpd_rng_open_tape(&rng, &last);
  CHECK(dpd_fit_count_below(&rng, &n, &out) == DPD_ERR_ENTROPY);
}

int main(void)
{
  int most = 0;
  ctest_memory memory = {NULL, 0};
  ctest_pool = &memory;
  for (int kind = 0; kind < 90; kind++)
    check_case(kind, &most);
  CHECK(most > 50);
  for (int kind = 0; kind < ctest_some(180); kind++)
    check_neighbours(kind);
  check_extremes();
  check_large();
  check_below();
  ctest_free(&memory);
  return ctest_report("regression_regions");
}
