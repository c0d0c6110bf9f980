/* test_exponential_regions.c - private medians in the plane drawn from polygons around the depth
 * regions: the points counted against enumeration, the laws, tallies, and draws that end.
 *
 * Rows at a few points that are nearly, but not exactly, on a line are what no boxes serve. */
#include "ctest.h"
#include "ctest_law.h"
#include "ctest_memory.h"

#include "mech/exponential_state.h"
#include "num/directions.h"
#include "samp/bernoulli.h"

enum { MAX_N = 700, DIRECTIONS = 40, HALF = 9, SIDE = 2 * HALF + 1, KINDS = 9 };
enum { REACH = 36, CELLS = (2 * REACH + 1) * (2 * REACH + 1) }; /* of a normal prior */

static double x[2 * MAX_N], dirs[2 * DIRECTIONS];

static double uniform(void)
{
  double u;
  CHECK(dpd_rng_unit(&source, &u) == DPD_OK);
  return u;
}

static void put(int n, int i, double a, double b)
{
  x[i] = a;
  x[i + n] = b;
}

/* Row i of n of some kind: on a line but for rounding, at few points, some of them beyond the
 * candidates, on one line exactly, along the axes, at one point, or anywhere. */
static void put_row(int kind, int n, int i)
{
  int few = (int)(5 * uniform()), lots = (int)(SIDE * uniform()) - HALF;
  if (kind == 0) put(n, i, 4 * few - 8, rint(0.55 * (4 * few - 8) + 0.3));
  if (kind == 1) put(n, i, lots, rint(lots / 3.0));
  if (kind == 2) put(n, i, few % 3 * 11 - 10, few % 3 * 8 - 9 + few % 2);
  if (kind == 3) put(n, i, 2 * few - 4, 6 - 3 * few);
  if (kind == 4) put(n, i, few % 2 ? lots : 1, few % 2 ? -2 : lots);
  if (kind == 5) put(n, i, 3, -7);
  if (kind == 6) put(n, i, lots, rint(2 * HALF * uniform()) - HALF);
  if (kind == 7) put(n, i, i % 2 ? lots : 5 * few - 10, rint(i % 2 ? lots / 2.0 : 2.5 * few - 5));
  if (kind == 8) put(n, i, 2, lots);
}

static dpd_exponential_spec spec_of(int n, double eps, const dpd_prior *prior)
{
  static double work[1000];
  dpd_directions(1, true, DIRECTIONS, 2, dirs, work);
  dpd_exponential_spec spec = {.n = n,
                               .d = 2,
                               .data = x,
                               .prior = *prior,
                               .exact_depth = true,
                               .count = DIRECTIONS,
                               .dirs = dirs,
                               .threads = 1};
  CHECK(dpd_rate_from_double(eps, &spec.eps) == DPD_OK);
  return spec;
}

/* Closed halfplanes with z on their border, turned a little about it, over `size` entries. */
static int slow_depth(int size, const int *count, double zx, double zy)
{
  int here = 0, best = -1, n = 0;
  for (int i = 0; i < size; i++) {
    double dx = x[i] - zx, dy = x[i + size] - zy;
    int to[2] = {0, 0}, line[2] = {0, 0};
    n += count[i];
    if (dx == 0 && dy == 0) {
      here += count[i];
      continue;
    }
    for (int j = 0; j < size; j++) {
      double ex = x[j] - zx, ey = x[j + size] - zy, cross = dx * ey - dy * ex;
      if (cross != 0)
        to[cross > 0] += count[j];
      else if (dx * ex + dy * ey != 0)
        line[dx * ex + dy * ey > 0] += count[j];
    }
    int least = (to[0] < to[1] ? to[0] : to[1]) + (line[0] < line[1] ? line[0] : line[1]);
    if (best < 0 || least < best) best = least;
  }
  return best < 0 ? n : best + here;
}

/* The points of each polygon, counted one by one: those of at least the depth of its first level,
 * or of all where that is below the window; and the bound of their densities, which is close.
 * Returns how many polygons are some of the points. */
static int check_counts(const dpd_exponential *m, const int *depth, const double *log_prior,
                        int cells)
{
  const dpd_exponential_regions *r = m->regions;
  int some = 0, deepest = 0;
  for (int run = 0; run < r->levels.runs; run++) {
    int least = r->first[run] < m->window.low ? 0 : r->first[run], points = 0;
    double most = -INFINITY;
    for (int k = 0; k < cells; k++) {
      points += depth[k] >= least;
      if (depth[k] >= least) most = fmax(most, log_prior[k]);
    }
    CHECK(r->count[run] == (dpd_u128)points);
    CHECK(r->log_prior[run] >= most && r->log_prior[run] <= most + 0.25);
    some += points < cells;
  }
  for (int k = 0; k < cells; k++)
    deepest = depth[k] > deepest ? depth[k] : deepest;
  CHECK(r->levels.count > deepest);
  return some;
}

/* The same by depths, of which each has many more draws. */
static bool depths_hold(const int *depth, const long *count, const double *weight, int cells,
                        int draws)
{
  static long of_depth[MAX_N];
  static double weighs[MAX_N];
  for (int t = 0; t < MAX_N; t++)
    weighs[t] = (double)(of_depth[t] = 0);
  for (int k = 0; k < cells; k++) {
    of_depth[depth[k]] += count[k];
    weighs[depth[k]] += weight[k];
  }
  return law_holds(of_depth, weighs, MAX_N, draws);
}

/* The polygons on a small lattice, of rows or of a tally of entries, and draws from them. */
static int check_law(int size, const dpd_tally *tally, double eps, bool normal, int draws)
{
  const double low[2] = {normal ? 2 : -HALF, normal ? -1 : -HALF}, one[2] = {1, 1},
               high[2] = {normal ? 1 : HALF, normal ? 1 : HALF};
  static long count[CELLS];
  static double weight[CELLS], log_prior[CELLS];
  static int depth[CELLS], ones[MAX_N];
  int half = normal ? REACH : HALF, side = 2 * half + 1;
  dpd_prior prior = {normal, 2, low, high, one, false};
  dpd_exponential_spec spec = spec_of(tally != NULL ? tally->n : size, eps, &prior);
  spec.tally = tally;
  for (int i = 0; i < size; i++)
    ones[i] = 1;
  ctest_memory pool = {0};
  ctest_pool = &pool;
  dpd_exponential *m;
  double z[2];
  CHECK(dpd_exponential_open(&m, &spec, ctest_alloc) == DPD_OK);
  CHECK(dpd_exponential_regions_open(m, size, &m->effort.counted) == DPD_OK && m->effort.counted);
  CHECK(m->lattice.hi[0] == half && m->lattice.lo[1] == -half);
  const double *origin = m->lattice.origin;
  for (int k = 0; k < side * side; k++) {
    double at[2] = {k % side - half, k / side - half}; /* indexes */
    depth[k] =
        slow_depth(size, tally != NULL ? tally->count : ones, at[0] + origin[0], at[1] + origin[1]);
    CHECK(dpd_lattice_log_prior(&m->lattice, at, log_prior + k));
    weight[k] = exp(eps / 2 * (depth[k] - spec.n) + log_prior[k]); /* at most 1 */
    count[k] = 0;
  }
  int some = check_counts(m, depth, log_prior, side * side);
  for (int k = 0; k < draws; k++) {
    dpd_status status;
    while ((status = dpd_exponential_draw(m, &source, z)) == DPD_AGAIN)
      continue;
    CHECK(status == DPD_OK);
    count[(int)(z[0] - origin[0]) + half + side * ((int)(z[1] - origin[1]) + half)]++;
  }
  CHECK(law_holds(count, weight, side * side, draws));
  CHECK(depths_hold(depth, count, weight, side * side, draws));
  ctest_free(&pool);
  return some;
}

static void test_laws(void)
{
  static const double eps[] = {0.06, 0.7, 25};
  int some = 0;
  for (int kind = 0; kind < KINDS; kind++)
    for (int k = 0; k < 3; k++) {
      int n = k == 0 ? 30 : 20;
      for (int i = 0; i < n; i++)
        put_row(kind, n, i);
      some += check_law(n, NULL, eps[k], k == 1 && kind % 2 == 0,
                        (kind + k) % 3 == 0 ? ctest_some(1500) : 0);
    }
  CHECK(some > 50);
  for (int i = 0; i < 9; i++) /* of few levels each has a polygon of its own, much the smaller */
    put(9, i, i % 3 * (1 + i), 2 - i % 4 * i % 7);
  (void)check_law(9, NULL, 2.5, false, ctest_some(9000));
  int times[12], ends[12];
  for (int k = 0; k < 3; k++) {
    for (int i = 0, n = 0; i < 12; i++) {
      put_row(k == 2 ? 6 : 7 * k, 12, i);
      times[i] = (1 + i * i % 7) * (k == 2 ? 6 : 1);
      ends[i] = n += times[i];
    }
    dpd_tally tally = {ends[11], 12, times, ends};
    (void)check_law(12, &tally, k == 2 ? 0.03 : 0.5, k == 1, ctest_some(k == 2 ? 6000 : 1500));
  }
}

/* The draws of a tally and of its rows, on the finest lattice there is. */
static void test_tally(void)
{
  enum { ENTRIES = 7, N = 500 };
  int times[ENTRIES], ends[ENTRIES];
  double z[2][2], entry[2 * ENTRIES];
  const double low[2] = {0, -100}, high[2] = {10, 100};
  dpd_prior prior = {false, 2, low, high, NULL, false};
  for (int k = 0; k < ENTRIES; k++) {
    times[k] = k < ENTRIES - 1 ? 60 + 7 * k : N - ends[ENTRIES - 2];
    ends[k] = times[k] + (k > 0 ? ends[k - 1] : 0);
    entry[k] = k + 1;
    entry[k + ENTRIES] = 2.54 * (k + 1);
    for (int i = ends[k] - times[k]; i < ends[k]; i++)
      put(N, i, entry[k], entry[k + ENTRIES]);
  }
  dpd_tally tally = {N, ENTRIES, times, ends};
  for (int k = 0; k < 2; k++) {
    dpd_exponential_spec spec = spec_of(N, 1, &prior);
    if (k == 1) spec.data = entry;
    if (k == 1) spec.tally = &tally;
    ctest_memory pool = {0};
    ctest_pool = &pool;
    dpd_exponential *m;
    start(11);
    CHECK(dpd_exponential_open(&m, &spec, ctest_alloc) == DPD_OK);
    CHECK(dpd_exponential_regions_open(m, N, &m->effort.counted) == DPD_OK && m->effort.counted);
    CHECK(dpd_exponential_draw(m, &source, z[k]) == DPD_OK);
    ctest_free(&pool);
  }
  CHECK(z[0][0] == z[1][0] && z[0][1] == z[1][1]);
}

/* Blocks of rounds until a draw from n rows at so many points of the line y = a + b x, the last
 * `anywhere` of them scattered: at most `most`. Where the draw came from, as well. */
static int blocks(int n, int levels, double a, double b, int anywhere, int most, bool *counted)
{
  const double low[2] = {0, -100}, high[2] = {10, 100};
  dpd_prior prior = {false, 2, low, high, NULL, false};
  for (int i = 0; i < n; i++) {
    double s = 1 + i % levels;
    put(n, i, i < n - anywhere ? s : 10 * uniform(), i < n - anywhere ? a + b * s : 25 * uniform());
  }
  dpd_exponential_spec spec = spec_of(n, 1, &prior);
  ctest_memory pool = {0};
  ctest_pool = &pool;
  dpd_exponential *m;
  double z[2];
  int block = 0;
  CHECK(dpd_exponential_open(&m, &spec, ctest_alloc) == DPD_OK);
  while (block < most && dpd_exponential_draw(m, &source, z) == DPD_AGAIN)
    block++;
  *counted = m->effort.counted;
  ctest_free(&pool);
  return block;
}

/* The bound of a normal density over triangles against all their points: above, and close. */
static void test_bound(void)
{
  enum { WIDE = 120, TRIANGLES = 40 };
  const double mean[2] = {0, 0}, sd[2] = {20, 30}, one[2] = {1, 1};
  dpd_prior prior = {true, 2, mean, sd, one, false};
  ctest_memory pool = {0};
  dpd_lattice lattice;
  ctest_pool = &pool;
  CHECK(dpd_lattice_open(&lattice, prior, 34, ctest_alloc) == DPD_OK);
  for (int k = 0; k < TRIANGLES; k++) {
    int64_t v[3][2], work[10];
    for (int i = 0; i < 6; i++)
      v[i / 2][i % 2] = (int64_t)(2 * WIDE * uniform()) - WIDE;
    int64_t a[2] = {v[1][0] - v[0][0], v[1][1] - v[0][1]},
            b[2] = {v[2][0] - v[0][0], v[2][1] - v[0][1]};
    bool turned = a[0] * b[1] > a[1] * b[0]; /* corners clockwise: all to the right of sides */
    dpd_bound side[2][5];
    dpd_bounds bounds = {side[0], side[1], 0, 0, -WIDE, WIDE};
    dpd_bounds_add(&bounds, 0, 1, WIDE);
    dpd_bounds_add(&bounds, 0, -1, WIDE);
    for (int i = 0; i < 3; i++) {
      const int64_t *from = v[turned ? 2 - i : i], *to = v[turned ? (4 - i) % 3 : (i + 1) % 3];
      dpd_bounds_add_side(&bounds, from[0], from[1], to[0] - from[0], to[1] - from[1]);
    }
    dpd_lattice_polygon region = {.total = 0};
    CHECK(dpd_lattice_polygon_fill(&region, &bounds, work) == DPD_OK);
    double most = -INFINITY, log_prior, bound = dpd_exponential_density_bound(&lattice, &region);
    for (dpd_u128 i = 0; i < region.total; i++) {
      int64_t z[2];
      dpd_lattice_polygon_pick(&region, i, z);
      CHECK(dpd_lattice_log_prior(&lattice, (double[]){(double)z[0], (double)z[1]}, &log_prior));
      most = fmax(most, log_prior);
    }
    CHECK(bound >= most && bound <= most + 0.25);
    dpd_lattice_polygon_close(&region);
  }
  ctest_free(&pool);
}

/* Rows at three points nearly on a line that passes the mean of a normal prior far off: of a box
 * around them the density's maximum is at a corner, where no row is. */
static void test_far(void)
{
  enum { N = 300 };
  const double mean[2] = {0, 0}, sd[2] = {1, 1};
  dpd_prior prior = {true, 2, mean, sd, NULL, false};
  for (int i = 0; i < N; i++)
    put(N, i, i % 3 * 4.5, 9 * 2.54 - i % 3 * 4.5 * 2.54);
  dpd_exponential_spec spec = spec_of(N, 1, &prior);
  ctest_memory pool = {0};
  ctest_pool = &pool;
  dpd_exponential *m;
  double z[2];
  dpd_status status = DPD_AGAIN;
  CHECK(dpd_exponential_open(&m, &spec, ctest_alloc) == DPD_OK);
  CHECK(dpd_exponential_regions_open(m, N, &m->effort.counted) == DPD_OK && m->effort.counted);
  for (int block = 0; block < 12 && status == DPD_AGAIN; block++)
    status = dpd_exponential_draw(m, &source, z);
  CHECK(status == DPD_OK);
  ctest_free(&pool);
}

static void test_ends(void)
{
  static const double line[][2] = {{0, 2.54}, {32, 1.8}, {0, 1 / 3.0}};
  int all = 0;
  bool counted;
  for (int k = 0; k < 3; k++)
    for (int levels = 3; levels <= 7; levels += 4) {
      CHECK(blocks(400, levels, line[k][0], line[k][1], 0, 12, &counted) < 12);
      all += counted;
    }
  CHECK(all > 0);
  CHECK(blocks(MAX_N, 3, 0, 2.54, MAX_N / 2, 24, &counted) < 24);
}

int main(void)
{
  start(1);
  test_laws();
  test_tally();
  test_bound();
  test_far();
  test_ends();
  return ctest_report("exponential_regions");
}
