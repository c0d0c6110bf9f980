/* test_slab_bound.c - boxes of fits with several regressors: scores against their definition,
 * sensitivity over all neighbours on a grid, halts against all parts; of the median by counts, of
 * other quantiles by shifted ones. */
#include "ctest.h"
#include "ctest_memory.h"

#include <limits.h>
#include <math.h>

#include "mech/slab_scan.h"

enum { N = 7, X = 3, Y = 5, SETS = 50, ROUNDED = 2500, CELLS = 4, DIRECTIONS = 3, SIDES = 4 };

static uint64_t seed = 11;
static ctest_memory pool;
/* The quantile's weights; 0 and 0: plain counts. */
static int tau_above, tau_below;

static int pick(int below)
{
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (int)((seed >> 33) % (uint64_t)below);
}

/* Rows of small numbers, many of them equal: two regressors, split along both and their sum. */
typedef struct {
  double y[N], one[N], x[2 * N], along[DIRECTIONS * N];
} data;

static void set_row(data *d, int i, int x, int z, int y)
{
  d->one[i] = 1;
  d->y[i] = y;
  d->x[i] = d->along[i] = x;
  d->x[N + i] = d->along[N + i] = z;
  d->along[2 * N + i] = x + z;
}

static void fill(data *d, int away, int second)
{
  int skew = pick(3);
  for (int i = 0; i < N; i++)
    set_row(d, i, away + pick(skew == 1 ? 2 : X), second + pick(X) - 1,
            skew == 2 && i < 4 ? 0 : pick(Y));
}

static dpd_slab_rows rows_of(const data *d)
{
  return (dpd_slab_rows){N,          d->y,     d->one, 2,         d->x,
                         DIRECTIONS, d->along, NULL,   tau_above, tau_below};
}

static int bound(const data *d, const dpd_slab_box *box)
{
  static const double reach[] = {8, 4};
  dpd_slab_rows rows = rows_of(d);
  dpd_slab_bound *m;
  dpd_slab_bound_open(&m, &rows, reach, ctest_alloc);
  return dpd_slab_bound_of(m, box, INT_MAX);
}

/* [b, a] of a row's residual but t. */
static double side_of(const data *d, const dpd_slab_box *box, int i, bool high)
{
  double r = d->y[i];
  for (int k = 0; k < 2; k++) {
    double a = box->lo[k] * d->x[k * N + i], b = box->hi[k] * d->x[k * N + i];
    r -= high == (a < b) ? a : b;
  }
  return r;
}

static int count_at(const data *d, const dpd_slab_box *box, double t)
{
  const double tiny = 1e-9;
  int least = INT_MAX, each = tau_above == 0 ? 1 : tau_above + tau_below;
  for (int way = 0; way < DIRECTIONS; way++)
    for (int split = 0; split <= N; split++)
      for (int sign = 0; sign < 2; sign++) {
        double at = split < N ? d->along[way * N + split] : 1e9;
        int count = 0;
        for (int i = 0; i < N; i++) {
          bool first = (d->along[way * N + i] < at) == (sign == 0);
          bool up = side_of(d, box, i, true) - t >= -tiny;
          bool down = side_of(d, box, i, false) - t <= tiny;
          count += first ? each * up - tau_below : each * down - tau_above;
        }
        if (count < least) least = count;
      }
  return least;
}

static int brute_bound(const data *d, const dpd_slab_box *box)
{
  int most = INT_MIN;
  for (int i = 0; i < N; i++)
    for (int end = 0; end < 2; end++) {
      int count = count_at(d, box, side_of(d, box, i, end == 1));
      if (count > most) most = count;
    }
  return most;
}

static const double left[] = {-8, -4.0625, -2.0625, -1.0625, 0.0625};
static const double right[] = {8, 4.5625, 2.1875, 1.0625, 0.1875};
static const double low[] = {-4}, high[] = {4};

/* Part (a, b) of SIDES x SIDES of a cell; false: there is none. */
static bool part_of(int j, int side, int a, int b, dpd_slab_box *box)
{
  const double *edge = side ? right : left;
  double from = fmin(edge[j], edge[j + 1]), step = fabs(edge[j + 1] - edge[j]) / SIDES;
  double wide = (high[0] - low[0]) / SIDES;
  *box = (dpd_slab_box){{from + a * step, low[0] + b * wide},
                        {from + (a + 1) * step, low[0] + (b + 1) * wide}};
  return step > 0;
}

static void test_scores(void)
{
  int same = 0;
  for (int k = 0; k < SETS; k++) {
    data d;
    dpd_slab_box box;
    fill(&d, 0, 0);
    part_of(pick(CELLS), pick(2), pick(SIDES), pick(SIDES), &box);
    same += bound(&d, &box) == brute_bound(&d, &box);
    dpd_slab_box point = {{box.lo[0], box.lo[1]}, {box.lo[0], box.lo[1]}};
    same += bound(&d, &point) == brute_bound(&d, &point);
    ctest_free(&pool);
  }
  CHECK(same == 2 * SETS);
}

/* Everything of the data sets that differ in one row, on the grid. */
static void test_sensitivity(void)
{
  int most = 0;
  for (int k = 0; k < SETS; k++) {
    data d;
    dpd_slab_box box;
    fill(&d, 0, 0);
    part_of(pick(CELLS), pick(2), pick(SIDES), pick(SIDES), &box);
    int base = bound(&d, &box), row = pick(N);
    for (int x = -1; x <= X; x++)
      for (int z = -1; z < X; z++)
        for (int y = -1; y <= Y; y++) {
          set_row(&d, row, x, z, y);
          int change = abs(bound(&d, &box) - base);
          if (change > most) most = change;
        }
    ctest_free(&pool);
  }
  CHECK(most == (tau_above == 0 ? 1 : 2 * (tau_above > tau_below ? tau_above : tau_below)));
}

/* M_j is the largest score of a part outside, wherever the regressors lie. */
static void test_halts(void)
{
  bool right_place = true;
  for (int k = 0; k < ctest_some(6 * SETS); k++) {
    data d;
    fill(&d, k % 2 ? 0 : 20, k % 4 < 2 ? 0 : 2);
    int least[CELLS], halt = CELLS, found, most = INT_MIN;
    for (int j = 0; j < CELLS; j++)
      least[j] = pick(2) ? INT_MAX : tau_above == 0 ? pick(N + 1) : -pick(N * tau_above / 2);
    for (int j = 0; j < CELLS && halt == CELLS; j++) {
      for (int part = 0; part < 2 * SIDES * SIDES; part++) {
        dpd_slab_box box;
        if (!part_of(j, part % 2, part / 2 % SIDES, part / 2 / SIDES, &box)) continue;
        int now = bound(&d, &box);
        if (now > most) most = now;
      }
      if (most >= least[j]) halt = j;
    }
    dpd_slab_rows rows = rows_of(&d);
    dpd_slab_cells cells = {{left, right}, CELLS, 2, low, high, least};
    dpd_slab_scan *m;
    dpd_slab_open(&m, &rows, &cells, ctest_alloc);
    while (dpd_slab_advance(m, &found) == DPD_AGAIN) {
    }
    right_place = right_place && found == halt;
    ctest_free(&pool);
  }
  CHECK(right_place);
}

/* Are bounds of a point and of the box from 0 to it no lower than its score? Rows lie within some
 * roundings of one fit, far from 0 or not, about which ranges end beside each other. `of_x`: v = x.
 */
static void test_rounding(bool of_x, int slopes)
{
  bool above = true;
  for (int k = 0; k < ctest_some(ROUNDED) && above; k++) {
    double y[N], v[N], u[2 * N], reach[2], fine[2] = {0, 0},
                                           slope[2] = {1 + pick(1000) / 999.0, 1.0 / 3};
    double from = 1 + pick(1 << (k % 3 == 0 ? 1 : 20)), t = k % 5 < 3 ? -slope[0] : 0;
    int spread = 1 + pick(3) * 40;
    dpd_slab_box box, wide = {{0, 0}, {0, 0}};
    for (int i = 0; i < N; i++) {
      double x = from * (1 + pick(spread) * 0x1p-12 / 7), fit = of_x ? t / from * x : t * from;
      v[i] = of_x ? x : 1;
      u[i] = of_x ? 1 : x;
      u[N + i] = pick(spread) / 9.0;
      double size = fabs(fit);
      for (int l = 0; l < slopes; l++) {
        fit += slope[l] * u[l * N + i];
        size += slope[l] * fabs(u[l * N + i]);
      }
      y[i] = fit + (pick(129) - 64) * size * 0x1p-53;
    }
    for (int l = 0; l < 2; l++)
      reach[l] = box.lo[l] = box.hi[l] = wide.hi[l] = slope[l];
    dpd_slab_rows rows = {N, y, v, slopes, u, 1, u, NULL, 0, 0};
    dpd_slab_bound *m;
    dpd_slab_bound_open(&m, &rows, reach, ctest_alloc);
    int score = dpd_slab_bound_of(m, &box, INT_MAX);
    above = dpd_slab_bound_within(m, &box, fine, INT_MAX) >= score &&
            dpd_slab_bound_within(m, &wide, fine, INT_MAX) >= score;
    ctest_free(&pool);
  }
  CHECK(above);
}

/* Rows that are off a fit by less than their own room lie on it. */
static void test_room(void)
{
  double y[N], one[N], x[N], room[N], reach[] = {1};
  dpd_slab_box box = {{1}, {1}};
  for (int i = 0; i < N; i++) {
    one[i] = 1;
    x[i] = i;
    room[i] = i * 0x1p-20;
    y[i] = i + (i % 2 ? 0.9 : -0.9) * room[i];
  }
  dpd_slab_rows rows = {N, y, one, 1, x, 1, x, room, 0, 0};
  dpd_slab_bound *m;
  dpd_slab_bound_open(&m, &rows, reach, ctest_alloc);
  CHECK(dpd_slab_bound_of(m, &box, INT_MAX) == N);
  ctest_free(&pool);
}

int main(void)
{
  ctest_pool = &pool;
  test_room();
  for (int slopes = 1; slopes <= 2; slopes++) {
    test_rounding(false, slopes);
    test_rounding(true, slopes);
  }
  static const int weights[][2] = {{0, 0}, {3, 1}, {2, 3}};
  for (int k = 0; k < 3; k++) {
    tau_above = weights[k][0];
    tau_below = weights[k][1];
    test_scores();
    test_sensitivity();
    test_halts();
  }
  return ctest_report("slab_bound");
}
