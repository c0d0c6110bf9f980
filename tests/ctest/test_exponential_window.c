/* test_exponential_window.c - draws from tallies of many rows end: windows of few ranks fit. */
#include <math.h>

#include "ctest.h"
#include "ctest_law.h"
#include "ctest_memory.h"
#include "mech/exponential_state.h"
#include "samp/bernoulli.h"
#include "samp/rng.h"

enum { DIRECTIONS = 64, SIDE = 61, ENTRIES = SIDE * SIDE, CAP = 300, DRAWS = 2000 };

typedef struct {
  int size, n, count[ENTRIES], end[ENTRIES];
  double x[2 * ENTRIES];
} entries;

static void add(entries *e, double a, double b, double count)
{
  if (count < 1) return;
  e->x[e->size] = a;
  e->x[e->size + ENTRIES] = b;
  e->count[e->size] = (int)count;
  e->n += (int)count;
  e->end[e->size++] = e->n;
}

/* About n rows of a normal law, rounded to whole numbers. */
static void add_normal(entries *e, double n, double sd, double other, double slope)
{
  double mass = n / (2 * 3.14159265358979 * sd * other);
  for (int a = -SIDE / 2; a <= SIDE / 2; a++)
    for (int b = -SIDE / 2; b <= SIDE / 2; b++) {
      double u = a / sd, v = (b - slope * a) / other;
      add(e, a, b, floor(mass * exp(-(u * u + v * v) / 2) + (7 * a * a + 3 * b + 100) % 5));
    }
}

static dpd_exponential *open_entries(const entries *e)
{
  static double data[2 * ENTRIES], dirs[2 * DIRECTIONS];
  static const double lo[2] = {-30, -30}, hi[2] = {30, 30}, step[2] = {1, 1};
  static dpd_tally tally;
  for (int i = 0; i < e->size; i++) {
    data[i] = e->x[i];
    data[i + e->size] = e->x[i + ENTRIES];
  }
  for (int u = 0; u < DIRECTIONS; u++) {
    dirs[u] = cos(3.14159265358979 * u / DIRECTIONS);
    dirs[u + DIRECTIONS] = sin(3.14159265358979 * u / DIRECTIONS);
  }
  tally = (dpd_tally){e->n, e->size, e->count, e->end};
  dpd_exponential_spec spec = {.n = e->n,
                               .d = 2,
                               .data = data,
                               .tally = &tally,
                               .prior = {false, 2, lo, hi, step},
                               .exact_depth = true,
                               .count = DIRECTIONS,
                               .dirs = dirs,
                               .threads = 1};
  dpd_exponential *m;
  CHECK(dpd_rate_from_double(1, &spec.eps) == DPD_OK);
  CHECK(dpd_exponential_open(&m, &spec, ctest_alloc) == DPD_OK);
  return m;
}

/* Draws that are (1, 0), of `draws`; -1 if they take more than CAP proposals and as many again. */
static int count_ones(const entries *e, int draws)
{
  ctest_memory pool = {0};
  double x[2], counts[3] = {0, 0, 0};
  int ones = 0;
  ctest_pool = &pool;
  dpd_exponential *m = open_entries(e);
  CHECK(m->window.stride == 1 && m->window.low <= dpd_exponential_score(m, m->deep.start));
  start(1);
  for (int k = 0; k < draws && counts[0] < CAP + 2 * draws;) {
    dpd_status status = dpd_exponential_draw(m, &source, x);
    CHECK(status == DPD_OK || status == DPD_AGAIN);
    dpd_exponential_counts(m, counts);
    if (status != DPD_OK) continue;
    k++;
    ones += x[0] == 1 && x[1] == 0;
  }
  ctest_free(&pool);
  return counts[0] < CAP + 2 * draws ? ones : -1;
}

/* No kept rank was as low as the deep point's: every box had the same bound, and none was cut
 * well. And the window is narrow enough to keep all of its ranks. */
static void test_many(void)
{
  static const double laws[][3] = {{10, 10, 0}, {3, 3, 0}, {1, 1, 0}, {0.3, 0.3, 0}, {8, 3, 0.9}};
  for (int k = 0; k < 5; k++) {
    static entries e;
    e.size = e.n = 0;
    add_normal(&e, 1e8, laws[k][0], laws[k][1], laws[k][2]);
    CHECK(count_ones(&e, 1) == 0);
  }
}

/* No box is bounded below the depth of a point in it, no point's bound is another than its depth
 * where depths are told apart, and points are accepted up to their depth alone. */
static void test_bounds(int set)
{
  static entries e;
  static const int side = 17;
  ctest_memory pool = {0};
  int low = 0, wrong = 0;
  e.size = e.n = 0;
  for (int i = 0; i < 40; i++)
    add(&e, (i * 7) % 13 - 6, (i * i) % 11 - 5, 1 + i * set % 3 + (i == 9 ? 40 * set * set : 0));
  ctest_pool = &pool;
  dpd_exponential *m = open_entries(&e);
  dpd_rejection_target t = dpd_exponential_target(m);
  for (int from = 0; from < 400; from += 7) {
    double lo[2], hi[2], w[2], z[2], log_prior;
    int most = 0, bound = 0;
    lo[0] = from % 20 - 10;
    lo[1] = from / 20 - 10;
    for (int j = 0; j < 2; j++)
      hi[j] = lo[j] + (from * (j + 3)) % side;
    for (w[0] = lo[0]; w[0] <= hi[0]; w[0]++)
      for (w[1] = lo[1]; w[1] <= hi[1]; w[1]++) {
        dpd_shear_point(&m->shear, w, z);
        if (!dpd_lattice_log_prior(&m->lattice, z, &log_prior)) continue;
        int depth = dpd_exponential_score(m, z);
        most = depth > most ? depth : most;
      }
    if (!t.bound(t.ctx, lo, hi, e.n, &bound, &log_prior)) continue;
    low += bound < most;
    dpd_shear_point(&m->shear, lo, z);
    if (!dpd_lattice_log_prior(&m->lattice, z, &log_prior)) continue;
    int depth = dpd_exponential_score(m, z);
    CHECK(t.bound(t.ctx, lo, lo, e.n, &bound, &log_prior));
    wrong += depth < m->window.low ? bound < depth : bound != depth;
    wrong += !t.at_least(t.ctx, lo, depth) || t.at_least(t.ctx, lo, depth + 1);
  }
  CHECK(low == 0);
  CHECK(wrong == 0);
  ctest_free(&pool);
}

/* Two points of depths s and s + 1: the second has exp(1/2) times the first one's probability.
 * Error rate: that of 5.2 standard deviations, 2e-7. */
static void test_law(void)
{
  static entries e;
  add(&e, 0, 0, 5e7);
  add(&e, 1, 0, 5e7 + 1);
  double p = 1 / (1 + exp(-0.5));
  const int draws = ctest_some(DRAWS);
  int ones = count_ones(&e, draws);
  CHECK(ones >= 0);
  CHECK(fabs(ones - draws * p) < 5.2 * sqrt(draws * p * (1 - p)));
}

int main(void)
{
  test_many();
  for (int set = 0; set < 6; set++)
    test_bounds(set);
  test_law();
  return ctest_report("exponential_window");
}
