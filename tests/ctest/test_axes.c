/* test_axes.c - depth along the axes: exact laws on small lattices, the same tests on kernels that
 * were broken on purpose, the prior's masses, and draws from a tape. */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mech/axes.h"
#include "num/order_stat.h"
#include "num/prior_mass.h"
#include "samp/bernoulli.h"
#include "samp/level.h"
#include "samp/rng.h"

#include "ctest.h"
#include "ctest_law.h"
#include "ctest_memory.h"

/* The kernel a second time, its calls of other files led through functions that can be wrong. */
typedef enum {
  NONE,
  HALF_LEVELS,
  NO_SHARE,
  WHOLE_RATE,
  NEXT_RANK,
  LOST_COLUMN,
  OPEN_BOX,
  BUGS
} bug_name;
static bug_name bug = NONE;

static void bug_settle(dpd_levels *l, dpd_level_runs runs, dpd_u128 step, dpd_i128 offset)
{
  /* n = 5 in all laws below */
  if (bug == HALF_LEVELS && runs.count > 3) runs.count = runs.size = 3;
  if (bug == NO_SHARE) offset = 0;
  if (bug == WHOLE_RATE) step *= 2;
  dpd_levels_settle(l, runs, step, offset);
}

static double bug_rank(const double *x, size_t n, size_t k, double *work)
{
  return dpd_order_statistic(x, n, bug == NEXT_RANK && k + 1 < n ? k + 1 : k, work);
}

static void bug_times(dpd_product *p, dpd_u128 factor)
{
  dpd_product_times(p, bug == LOST_COLUMN && factor < 4 ? 1 : factor);
}

static dpd_u128 bug_between(const dpd_mass *m, int64_t a, int64_t b)
{
  return dpd_mass_between(m, a, bug == OPEN_BOX && b > a ? b - 1 : b);
}

#define dpd_levels_settle bug_settle
#define dpd_mass_between bug_between
#define dpd_order_statistic bug_rank
#define dpd_product_times bug_times
#define dpd_boxes copy_boxes
#define dpd_boxes_open copy_boxes_open
#define dpd_boxes_prepare copy_prepare
#define dpd_boxes_draw copy_draw
#define dpd_boxes_level copy_level
#define dpd_boxes_levels copy_levels
#define dpd_boxes_open_ends copy_open_ends
#define dpd_axes_open copy_open
#define dpd_axes_reach copy_reach
#define dpd_axes_score copy_score
#define dpd_axes_steps copy_steps
typedef struct copy_boxes copy_boxes;
copy_boxes *copy_boxes_open(const dpd_boxes_spec *spec, dpd_alloc alloc);
#include "mech/boxes.c"

#include "mech/axes.c"
#undef dpd_levels_settle
#undef dpd_mass_between
#undef dpd_order_statistic
#undef dpd_product_times
#undef dpd_boxes
#undef dpd_boxes_open
#undef dpd_boxes_prepare
#undef dpd_boxes_draw
#undef dpd_boxes_level
#undef dpd_boxes_levels
#undef dpd_boxes_open_ends
#undef dpd_axes_open
#undef dpd_axes_reach
#undef dpd_axes_score
#undef dpd_axes_steps

/* -- laws on lattices of unit steps, which begin at 2^52 -------------------------------------- */

enum { N = 5, SIDE = 8, MOST_CELLS = SIDE * SIDE * SIDE };
#define BASE 0x1p52

static ctest_memory memory;

static const double rows[3][N * 3] = {
    {1, 3, 3, 4, 6, 2, 2, 2, 5, 7, 0, 1, 4, 4, 4},      /* ties */
    {3, 3, 3, 3, 5, 2, 2, 2, 2, 2, 6, 6, 6, 6, 1},      /* atoms above half, a constant column */
    {-9, 2, 3, 40, 7, 1, 2, 3, 4, 5, -3, -2, 0, 9, 12}, /* rows beyond the box */
};

static int depth_of(const double *x, int d, const int *z)
{
  int depth = N;
  for (int j = 0; j < d; j++) {
    int below = 0, above = 0;
    for (int i = 0; i < N; i++) {
      below += x[j * N + i] <= z[j];
      above += x[j * N + i] >= z[j];
    }
    depth = below < depth ? below : depth;
    depth = above < depth ? above : depth;
  }
  return depth;
}

/* The law on the lattice of 0..SIDE-1 to the power d, by enumeration. */
static int enumerate(const double *x, int d, double eps, double *weight)
{
  int cells = 1, z[3];
  for (int j = 0; j < d; j++)
    cells *= SIDE;
  for (int c = 0; c < cells; c++) {
    for (int j = 0, rest = c; j < d; j++, rest /= SIDE)
      z[j] = rest % SIDE;
    weight[c] = exp(eps * depth_of(x, d, z) / 2);
  }
  return cells;
}

/* Draws by the copied kernel, with its bug, against the law. */
static bool kernel_follows_law(const double *x, int d, double eps, long draws)
{
  static double data[N * 3], weight[MOST_CELLS];
  static long count[MOST_CELLS];
  double a[3] = {BASE, BASE, BASE}, b[3] = {BASE + SIDE - 1, BASE + SIDE - 1, BASE + SIDE - 1};
  double z[3];
  copy_boxes *m;
  dpd_axes_spec spec = {.n = N, .d = d, .data = data, .prior = {false, d, a, b}};
  bool fine = dpd_rate_from_double(eps, &spec.eps) == DPD_OK;
  for (int i = 0; i < N * d; i++)
    data[i] = BASE + x[i];
  int cells = enumerate(x, d, eps, weight);
  memset(count, 0, sizeof count);
  fine = copy_open(&m, &spec, ctest_alloc) == DPD_OK && fine;
  dpd_status status;
  while ((status = copy_prepare(m)) == DPD_AGAIN) {
  }
  for (long i = 0; i < draws && status == DPD_OK; i++) {
    int cell = 0;
    while ((status = copy_draw(m, &source, z)) == DPD_AGAIN) {
    }
    for (int j = d - 1; j >= 0 && status == DPD_OK; j--)
      cell = cell * SIDE + (int)(z[j] - BASE);
    fine = fine && status == DPD_OK && cell >= 0 && cell < cells;
    if (!fine) break; /* a bug may draw from outside, or not at all */
    count[cell]++;
  }
  ctest_free(&memory);
  return fine && status == DPD_OK && law_holds(count, weight, cells, draws);
}

static void laws_are_exact_and_bugs_are_seen(void)
{
  bool seen[BUGS] = {false};
  start(3);
  for (bug = NONE; bug < BUGS; bug++)
    for (int set = 0; set < 3; set++)
      for (int d = 1; d <= 3; d++)
        for (int e = 0; e < 2; e++) {
          if (seen[bug]) continue;
          bool holds = kernel_follows_law(rows[set], d, e == 0 ? 0.7 : 3, 12000);
          if (bug == NONE) CHECK(holds);
          seen[bug] = seen[bug] || !holds;
        }
  for (bug = NONE + 1; bug < BUGS; bug++)
    CHECK(seen[bug]);
  bug = NONE;
}

/* A draw tells the level in whose box it lies: the one that the same words draw by themselves. */
static void draws_tell_their_levels(void)
{
  static double data[N * 3];
  double a[3] = {BASE, BASE, BASE}, b[3] = {BASE + SIDE - 1, BASE + SIDE - 1, BASE + SIDE - 1};
  double x[3];
  dpd_boxes *m;
  for (int d = 1; d <= 3; d++) {
    dpd_axes_spec spec = {.n = N, .d = d, .data = data, .prior = {false, d, a, b}};
    CHECK(dpd_rate_from_double(2, &spec.eps) == DPD_OK);
    for (int i = 0; i < N * d; i++)
      data[i] = BASE + rows[0][i];
    CHECK(dpd_axes_open(&m, &spec, ctest_alloc) == DPD_OK);
    while (dpd_boxes_prepare(m) == DPD_AGAIN) {
    }
    bool seen[N + 1] = {false};
    for (uint64_t draw = 0; draw < 60; draw++) {
      int level = -1, z[3];
      start(draw);
      CHECK(dpd_levels_draw(dpd_boxes_levels(m), &source, &level) == DPD_OK && level <= N);
      start(draw);
      while (dpd_boxes_draw(m, &source, x) == DPD_AGAIN) {
      }
      CHECK(dpd_boxes_level(m) == level);
      CHECK(dpd_axes_score(&spec, level) == (level > 0 ? level : INT_MIN));
      for (int j = 0; j < d; j++)
        z[j] = (int)(x[j] - BASE);
      CHECK(depth_of(rows[0], d, z) >= level);
      seen[level] = true;
    }
    CHECK(seen[0] && seen[1]);
  }
  ctest_free(&memory);
}

/* -- masses ----------------------------------------------------------------------------------- */

static void masses_add_up(void)
{
  double a[3] = {-5, 1e6, 0}, b[3] = {2, 1e-3, 1};
  dpd_lattice l;
  dpd_mass m;
  dpd_mass_open(&m, ctest_alloc);
  for (int normal = 0; normal < 2; normal++) {
    double upper[3] = {3, 1e6 + 1, 1};
    CHECK(dpd_lattice_open(&l, (dpd_prior){normal, 3, a, normal ? b : upper, NULL, false}, 50,
                           ctest_alloc) == DPD_OK);
    for (int j = 0; j < 3; j++) {
      dpd_mass_set(&m, &l, j);
      dpd_u128 all = dpd_mass_between(&m, INT64_MIN / 4, INT64_MAX / 4);
      CHECK(all > 0 && all >> 112 == 0 && dpd_mass_between(&m, m.lo, m.hi) == all);
      CHECK(dpd_mass_between(&m, m.hi + 1, m.hi + 9) == 0 && dpd_mass_between(&m, 1, 0) == 0);
      CHECK(dpd_mass_between(&m, m.lo, m.lo) >= 1 && dpd_mass_between(&m, m.hi, m.hi) >= 1);
      start(4);
      for (int i = 0; i < 3000; i++) {
        uint64_t cut, back;
        dpd_u128 unit;
        CHECK(dpd_rng_below(&source, (uint64_t)(m.hi - m.lo), &cut) == DPD_OK);
        if (i % 3 == 0) cut -= cut % (uint64_t)m.wide; /* at the edge of a cell */
        int64_t z = m.lo + (int64_t)cut;
        dpd_u128 left = dpd_mass_between(&m, m.lo, z), right = dpd_mass_between(&m, z + 1, m.hi);
        CHECK(left + right == all);
        /* the point of a unit: the first and the last unit of z, and what comes next */
        dpd_u128 own = dpd_mass_between(&m, z, z);
        CHECK(own >= 1 && dpd_mass_point(&m, m.lo, left - own) == z);
        CHECK(dpd_mass_point(&m, m.lo, left - 1) == z && dpd_mass_point(&m, m.lo, left) == z + 1);
        CHECK(dpd_rng_below_u128(&source, right, &unit) == DPD_OK &&
              dpd_rng_below(&source, 5, &back) == DPD_OK);
        int64_t p = dpd_mass_point(&m, z + 1, unit);
        CHECK(p > z && p <= m.hi && dpd_mass_between(&m, z + 1, p - 1) <= unit);
        CHECK(unit < dpd_mass_between(&m, z + 1, p));
      }
      int wrong = 0;
      for (int c = 0; normal && c < m.cells; c++) {
        double v = ((double)(m.lo + c * m.wide) + 0.5 * (double)(m.wide - 1) - m.mean) / m.sd;
        wrong += (double)m.weight[c] != fmax(1, rint(ldexp(exp(-0.5 * v * v), 60)));
      }
      CHECK(wrong == 0);
      if (normal) { /* central intervals have the normal law's probability */
        double whole = (double)all;
        for (double sd = 0.25; sd < 6; sd *= 2) {
          int64_t half = (int64_t)(sd * l.scale[j]), mean = (int64_t)l.mean[j];
          double share = (double)dpd_mass_between(&m, mean - half, mean + half) / whole;
          CHECK(fabs(share - (1 - 2 * pnorm(-sd, 0, 1, 1, 0))) < 2e-3);
        }
      }
    }
  }
  ctest_free(&memory);
}

/* Each point of a dyadic prior, its shells, and the points of units: by a slow sum over points. */
static void dyadic_masses_add_up(void)
{
  double origin[3] = {0, 3.7, -1e6}, unit[3] = {1, 0x1p-20, 0.1};
  dpd_lattice l;
  dpd_mass m;
  dpd_mass_open(&m, ctest_alloc);
  dpd_prior prior = {.d = 3, .a = origin, .b = unit, .dyadic = true};
  CHECK(dpd_lattice_open(&l, prior, 50, ctest_alloc) == DPD_OK);
  for (int j = 0; j < 3; j++) {
    dpd_mass_set(&m, &l, j);
    CHECK(dpd_mass_between(&m, INT64_MIN / 4, INT64_MAX / 4) == (dpd_u128)53 << 52);
    CHECK(fabs(dpd_lattice_value(&l, j, 0) - origin[j]) <= unit[j] / 2);
    CHECK(dpd_lattice_index(&l, j, dpd_lattice_value(&l, j, -77)) == -77);
    CHECK(dpd_lattice_index(&l, j, 1e300) == (double)m.hi);
    dpd_u128 sum = 0;
    for (int64_t z = -300; z <= 300; z++) {
      int64_t shell = 0, size = z < 0 ? -z : z;
      while (size >> shell != 0)
        shell++;
      dpd_u128 own = (dpd_u128)1 << (52 - shell);
      CHECK(dpd_mass_between(&m, z, z) == own && dpd_mass_between(&m, -300, z) == sum + own);
      CHECK(dpd_mass_point(&m, -300, sum) == z && dpd_mass_point(&m, -300, sum + own - 1) == z);
      sum += own;
    }
    for (int i = 1; i <= 52; i++) {
      int64_t from = (int64_t)1 << (i - 1), to = 2 * from - 1;
      CHECK(dpd_mass_between(&m, from, to) == (dpd_u128)1 << 51);
      CHECK(dpd_mass_between(&m, -to, -from) == (dpd_u128)1 << 51);
      CHECK(dpd_mass_point(&m, from, ((dpd_u128)1 << 51) - 1) == to);
      CHECK(dpd_mass_point(&m, -to, 0) == -to);
    }
    CHECK(dpd_mass_between(&m, m.hi, m.hi) == 1 && dpd_mass_between(&m, m.hi + 1, m.hi + 5) == 0);
  }
  origin[0] = 0x1p53;
  CHECK(dpd_lattice_open(&l, prior, 50, ctest_alloc) == DPD_ERR_DOMAIN);
  ctest_free(&memory);
}

/* -- golden draws of the kernel itself, and the source's failures ----------------------------- */

static void tape_draws(void)
{
  enum { WORDS = 24 };
  uint64_t words[WORDS];
  double data[6] = {0.1, 0.2, 0.4, 1, 1, 3}, a[2] = {0, 0}, b[2] = {1, 4}, x[2] = {-1, -1};
  dpd_boxes *m;
  dpd_axes_spec spec = {.n = 3, .d = 2, .data = data, .prior = {false, 2, a, b}};
  CHECK(dpd_rate_from_double(2, &spec.eps) == DPD_OK);
  stream = 99;
  CHECK(stream_fill(&stream, (unsigned char *)words, sizeof words) == DPD_OK);
  CHECK(dpd_axes_open(&m, &spec, ctest_alloc) == DPD_OK);
  CHECK(dpd_boxes_prepare(m) == DPD_AGAIN && dpd_boxes_prepare(m) == DPD_OK);
  CHECK(dpd_boxes_levels(m)->count == 3); /* 3 levels: the second column's atom ends at 2 of 3 */
  bool failed = false, drew = false;
  for (size_t len = 0; len <= WORDS; len++) {
    dpd_tape tape = {words, len, 0};
    dpd_rng_open_tape(&source, &tape);
    CHECK(dpd_axes_open(&m, &spec, ctest_alloc) == DPD_OK);
    while (dpd_boxes_prepare(m) == DPD_AGAIN) {
    }
    dpd_status status;
    while ((status = dpd_boxes_draw(m, &source, x)) == DPD_AGAIN) {
    }
    CHECK(status == DPD_OK || status == DPD_ERR_ENTROPY);
    CHECK(status == DPD_OK || !drew); /* once there are words enough, there are */
    failed = failed || status != DPD_OK;
    drew = drew || status == DPD_OK;
  }
  CHECK(failed && drew);
  CHECK(x[0] == 0x1.9a9cb9672cd7p-1 && x[1] == 0x1.f7470d81f1e8p+0);
  spec.prior.d = 1;
  CHECK(dpd_axes_open(&m, &spec, ctest_alloc) == DPD_ERR_DOMAIN);
  ctest_free(&memory);
}

int main(void)
{
  ctest_pool = &memory;
  draws_tell_their_levels();
  laws_are_exact_and_bugs_are_seen();
  masses_add_up();
  dyadic_masses_add_up();
  tape_draws();
  return ctest_report("axes");
}
