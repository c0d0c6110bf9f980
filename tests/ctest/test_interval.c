/* test_interval.c - intervals of quantiles: exact laws of both scans on small lattices, and how
 * long rare successes are waited for. */
#include <math.h>
#include <string.h>

#include "mech/interval.h"
#include "samp/bernoulli.h"
#include "samp/first_success.h"

#include "ctest.h"
#include "ctest_law.h"
#include "ctest_memory.h"

static ctest_memory memory;

/* -- waiting ---------------------------------------------------------------------------------- */

static bool waiting_follows_law(double b, int most, long draws)
{
  enum { CELLS = 128 };
  static double weight[CELLS];
  static long count[CELLS];
  double q = exp2(-b);
  memset(count, 0, sizeof count);
  for (int k = 0; k <= most; k++)
    weight[k] = (k < most ? q : 1) * pow(1 - q, k);
  for (long i = 0; i < draws; i++) {
    uint64_t k;
    if (dpd_first_success(&source, (dpd_u128)(b * 0x1p60), (uint64_t)most, &k) != DPD_OK)
      return false;
    if (k > (uint64_t)most) return false;
    count[k]++;
  }
  return law_holds(count, weight, most + 1, draws);
}

static void waiting_is_exact(void)
{
  start(11);
  for (int i = 0; i < 8; i++) {
    const double b[] = {0.001, 0.3, 1, 1.7, 2.5, 4.2, 6, 9.9};
    CHECK(waiting_follows_law(b[i], 100, 20000));
    CHECK(waiting_follows_law(b[i], 5, 20000));
  }
  for (int i = 0; i < 5; i++) {
    const double b[] = {0, 0.25, 0.999, 2.6, 7.3};
    long heads[2] = {0, 0};
    double law[2] = {exp2(-b[i]), 1 - exp2(-b[i])};
    for (long k = 0; k < 30000; k++) {
      bool out;
      CHECK(dpd_bernoulli_bits(&source, (dpd_u128)(b[i] * 0x1p60), &out) == DPD_OK);
      heads[!out]++;
    }
    CHECK(law_holds(heads, law, 2, 30000));
  }
  uint64_t k;
  CHECK(dpd_first_success(&source, 1, 0, &k) == DPD_OK && k == 0);
  CHECK(dpd_first_success(&source, (dpd_u128)1 << 121, (uint64_t)1 << 40, &k) == DPD_OK &&
        k == (uint64_t)1 << 40);
  CHECK(dpd_first_success(&source, 1, (uint64_t)1 << 42, &k) == DPD_ERR_DOMAIN);
}

/* -- both scans ------------------------------------------------------------------------------- */

enum { N = 5, SIDE = 24, STOPS = 2 * SIDE, MOST_RHO = 400 };
#define BASE 0x1p52

static const double rows[3][N] = {
    {4, 9, 9, 15, 20}, /* a tie */
    {7, 7, 7, 7, 16},  /* an atom */
    {-9, 2, 3, 40, 23} /* beyond the bounds */
};

/* One scan down `grid` over the counts of rows at or above, all by its definition. */
static void scan_law(const int *grid, int points, const double *y, int threshold, double eps_2,
                     double eps_3, double *law)
{
  memset(law, 0, STOPS * sizeof *law);
  for (int rho = 0; rho < MOST_RHO; rho++) {
    double here = exp(-eps_2 * rho) * -expm1(-eps_2);
    for (int i = 0; i < points; i++) {
      int above = 0;
      for (int k = 0; k < N; k++)
        above += y[k] >= grid[i];
      int gap = threshold + rho - above;
      double stop = gap < 0 ? 1 : exp(-eps_3 * (gap + 1));
      law[i] += here * stop;
      here *= 1 - stop;
    }
    law[points] += here;
  }
}

typedef struct {
  bool mirrored, multiples;
  int first, second, cells, growth;
  int shares[4];
} plan;

/* The law of (lower, upper), from -1 (infinite) to SIDE + 1; by place (lower + 1) PLACES + upper
 * + 1. Works on y = z, or SIDE - 1 - z where mirrored. */
enum { PLACES = SIDE + 3, TOP = SIDE - 1, BELOW = 3, ABOVE = 3 };

typedef struct {
  plan p;
  double eps;
  double y[N], minus[N];
  double *law;
} both_scans;

static double part_of(const both_scans *b, int k)
{
  return b->eps * b->p.shares[k] / 1000;
}

/* All lattice points whose distance from c is on the list 0, 1, ..., and the ends. */
static int grid_about(int c, int growth, int *grid)
{
  bool on[SIDE] = {false};
  int count = 0;
  on[0] = on[TOP] = on[c] = true;
  for (int d = 1; d < SIDE; d += d >= growth ? d / growth : 1) {
    if (c - d >= 0) on[c - d] = true;
    if (c + d < SIDE) on[c + d] = true;
  }
  for (int z = TOP; z >= 0; z--)
    if (on[z]) grid[count++] = z;
  return count;
}

static void add_limits(both_scans *b, const int *first, int i, const int *second, int j, double w)
{
  int upper = i > 0 ? first[i - 1] - b->p.multiples : SIDE;
  int lower = j > 0 ? b->p.multiples - second[j - 1] : -1;
  if (upper < 0) upper = 0;
  if (lower > TOP) lower = TOP;
  if (i > 0 && j > 0 && lower > upper) {
    int kept = lower;
    lower = upper;
    upper = kept;
  }
  int from = b->p.mirrored ? TOP - upper : lower, to = b->p.mirrored ? TOP - lower : upper;
  b->law[(from + 1) * PLACES + to + 1] += w;
}

/* The second scan, over the grid about c with its sign changed. */
static void add_second(both_scans *b, int c, const int *first, int i, double w)
{
  double two[STOPS];
  int grid[STOPS], turned[STOPS], count = grid_about(c, b->p.growth, grid);
  if (b->p.shares[3] == 0) {
    add_limits(b, first, i, turned, 0, w);
    return;
  }
  for (int k = 0; k < count; k++)
    turned[k] = -grid[count - 1 - k];
  scan_law(turned, count, b->minus, b->p.second, part_of(b, 1), part_of(b, 3), two);
  for (int j = 0; j <= count; j++)
    add_limits(b, first, i, turned, j, w * two[j]);
}

/* The chance of a centre at place z of the rows' own order, up to a factor. */
static double centre_weight(const double *x, int z, double eps)
{
  int below = 0, above = 0;
  for (int k = 0; k < N; k++) {
    below += fmin(fmax(x[k], 0), TOP) <= z;
    above += fmin(fmax(x[k], 0), TOP) >= z;
  }
  below -= BELOW;
  above -= ABOVE;
  return exp(eps / 2 * (below < above ? below : above));
}

static void limits_law(const double *x, plan p, double eps, double *law)
{
  both_scans b = {.p = p, .eps = eps, .law = law};
  double one[STOPS], weight[SIDE], total = 0;
  int grid[STOPS], cells = p.cells < TOP ? p.cells : TOP, points = 0;
  memset(law, 0, PLACES * PLACES * sizeof *law);
  for (int k = 0; k < N; k++) {
    b.y[k] = p.mirrored ? TOP - x[k] : x[k];
    b.minus[k] = -b.y[k];
  }
  if (p.shares[0] == 0) {
    for (; points <= cells; points++)
      grid[points] = TOP - points * TOP / cells;
    scan_law(grid, points, b.y, p.first, part_of(&b, 1), part_of(&b, 2), one);
    for (int i = 0; i <= points; i++)
      add_second(&b, i > 0 ? grid[i - 1] : TOP, grid, i, one[i]);
    return;
  }
  for (int z = 0; z < SIDE; z++)
    total += weight[z] = centre_weight(x, z, part_of(&b, 0));
  for (int z = 0; z < SIDE; z++) {
    int c = p.mirrored ? TOP - z : z;
    points = grid_about(c, p.growth, grid);
    scan_law(grid, points, b.y, p.first, part_of(&b, 1), part_of(&b, 2), one);
    for (int i = 0; i <= points; i++)
      add_second(&b, c, grid, i, weight[z] / total * one[i]);
  }
}

/* With a lattice of multiples of 1 from 0, or of unit steps from 2^52. */
static bool kernel_follows_law(const double *x, plan p, double eps, long draws)
{
  static double weight[PLACES * PLACES], data[N];
  static long count[PLACES * PLACES];
  double base = p.multiples ? 0 : BASE, top = base + SIDE - 1, unit = 1, z[3];
  dpd_interval *m;
  dpd_interval_spec spec = {.n = N, .data = data, .prior = {false, 1, &base, &top}};
  if (p.multiples) spec.prior.resolution = &unit;
  spec.mirrored = p.mirrored;
  spec.first = p.first;
  spec.second = p.second;
  spec.cells = p.cells;
  spec.growth = p.growth;
  spec.below = BELOW;
  spec.above = ABOVE;
  memcpy(spec.shares, p.shares, sizeof spec.shares);
  for (int i = 0; i < N; i++)
    data[i] = base + x[i];
  limits_law(x, p, eps, weight);
  memset(count, 0, sizeof count);
  bool fine = dpd_rate_from_double(eps, &spec.eps) == DPD_OK;
  fine = fine && dpd_interval_open(&m, &spec, ctest_alloc) == DPD_OK;
  for (long i = 0; i < draws && fine; i++) {
    fine = dpd_interval_draw(m, &source, z) == DPD_OK;
    int a = z[0] == -INFINITY ? -1 : (int)(z[0] - base);
    int b = z[1] == INFINITY ? SIDE : (int)(z[1] - base);
    fine = fine && a >= -1 && a <= SIDE && b >= -1 && b <= SIDE;
    fine = fine && (p.shares[0] > 0 ? z[2] >= base && z[2] <= top : isnan(z[2]));
    if (fine) count[(a + 1) * PLACES + b + 1]++;
  }
  ctest_free(&memory);
  return fine && law_holds(count, weight, PLACES * PLACES, draws);
}

static void limits_are_exact(void)
{
  const plan plans[] = {{false, false, 1, 1, SIDE, 19, {0, 350, 325, 325}},
                        {true, false, 2, 0, 9, 19, {0, 250, 500, 250}},
                        {true, true, 0, 3, 7, 3, {0, 350, 325, 325}},
                        {false, false, -2, 1, 5, 9, {0, 100, 400, 500}},
                        {false, true, 3, -1, 11, 19, {0, 450, 300, 250}},
                        {false, false, 1, 2, 1, 3, {400, 200, 300, 100}},
                        {false, true, 2, 1, 1, 2, {200, 300, 250, 250}},
                        {true, true, 1, 2, 1, 9, {600, 200, 100, 100}},
                        {false, true, 1, 3, SIDE, 19, {0, 600, 400, 0}},
                        {true, true, 2, 3, SIDE, 19, {0, 600, 400, 0}}};
  start(12);
  for (int i = 0; i < 10; i++)
    for (int set = 0; set < 3; set++)
      for (int e = 0; e < 2; e++)
        CHECK(kernel_follows_law(rows[set], plans[i], e == 0 ? 1 : 4, 8000));
}

/* The widest lattice there is, and the shortest and longest lists of distances: there is room for
 * them (the sanitizers look), and an atom of all rows is the centre and between the limits. */
static void wide_grids_have_room(void)
{
  double x[2] = {3, 3}, origin = 0, unit = 1, z[3];
  dpd_interval *m;
  dpd_interval_spec spec = {.n = 2,
                            .data = x,
                            .prior = {false, 1, &origin, &unit, NULL, true},
                            .cells = 1,
                            .below = 1,
                            .above = 1,
                            .shares = {700, 100, 100, 100}};
  start(14);
  CHECK(dpd_rate_from_double(1000, &spec.eps) == DPD_OK);
  for (int growth = 1; growth <= 32; growth += 31) {
    spec.growth = growth;
    CHECK(dpd_interval_open(&m, &spec, ctest_alloc) == DPD_OK);
    for (int i = 0; i < 100; i++) {
      CHECK(dpd_interval_draw(m, &source, z) == DPD_OK);
      CHECK(z[0] == 3 && z[1] == 3 && z[2] == 3);
    }
    ctest_free(&memory);
  }
}

/* The least rates there are: no share of eps is rounded up, and only beyond 2^40 is the threshold's
 * noise cut. One row below the first point: the scan halts there with chance E exp(-2^-40 rho). */
static void least_rates_are_exact(void)
{
  double x = 0, lo = 0, hi = 1, unit = 1, z[3], law[2];
  long count[2] = {0, 0};
  dpd_interval *m;
  dpd_interval_spec spec = {.n = 1,
                            .data = &x,
                            .prior = {false, 1, &lo, &hi, &unit},
                            .cells = 1,
                            .growth = 9,
                            .shares = {0, 350, 325, 325}};
  start(13);
  spec.eps.num = 3;
  CHECK(dpd_interval_open(&m, &spec, ctest_alloc) == DPD_ERR_DOMAIN);
  spec.eps.num = 4; /* two shares of one unit */
  spec.shares[2] = 500, spec.shares[3] = 150;
  CHECK(dpd_interval_open(&m, &spec, ctest_alloc) == DPD_ERR_DOMAIN);
  spec.shares[2] = spec.shares[3] = 325;
  CHECK(dpd_interval_open(&m, &spec, ctest_alloc) == DPD_OK);
  law[0] = (1 + exp(-2)) / 2;
  law[1] = 1 - law[0];
  for (int i = 0; i < 3000; i++) {
    CHECK(dpd_interval_draw(m, &source, z) == DPD_OK);
    count[z[1] < INFINITY]++;
  }
  CHECK(law_holds(count, law, 2, 3000));
  ctest_free(&memory);
}

static void bad_input_is_refused(void)
{
  double x[2] = {0, 1}, lo = 0, hi = 1;
  dpd_interval *m;
  dpd_interval_spec good = {.n = 2,
                            .data = x,
                            .prior = {false, 1, &lo, &hi},
                            .cells = 4,
                            .growth = 9,
                            .shares = {0, 300, 350, 350}};
  CHECK(dpd_rate_from_double(1, &good.eps) == DPD_OK);
  CHECK(dpd_interval_open(&m, &good, ctest_alloc) == DPD_OK);
  dpd_interval_spec bad = good;
  bad.cells = 0;
  CHECK(dpd_interval_open(&m, &bad, ctest_alloc) == DPD_ERR_DOMAIN);
  bad = good;
  bad.first = 3;
  CHECK(dpd_interval_open(&m, &bad, ctest_alloc) == DPD_ERR_DOMAIN);
  bad = good;
  bad.growth = 33;
  CHECK(dpd_interval_open(&m, &bad, ctest_alloc) == DPD_ERR_DOMAIN);
  const int wrong[][4] = {{0, 300, 350, 351},  {0, 300, 350, 349}, {300, 0, 350, 350},
                          {0, 750, -250, 500}, {0, 500, 0, 500},   {-1, 301, 350, 350}};
  for (int i = 0; i < 6; i++) {
    bad = good;
    memcpy(bad.shares, wrong[i], sizeof bad.shares);
    CHECK(dpd_interval_open(&m, &bad, ctest_alloc) == DPD_ERR_DOMAIN);
  }
  /* a centre without ranks */
  const int share[] = {100, 200, 350, 350};
  bad = good;
  memcpy(bad.shares, share, sizeof bad.shares);
  CHECK(dpd_interval_open(&m, &bad, ctest_alloc) == DPD_ERR_DOMAIN);
  ctest_free(&memory);
}

/* A coin that is thrown once in 2^16 draws: of 17 bits the last is the second word's lowest. */
static void rare_coins_are_thrown(void)
{
  const uint64_t words[3] = {0, UINT64_C(1) << 16, UINT64_C(2) << 16};
  for (int i = 0; i < 3; i++) {
    dpd_tape tape = {words + i, 1, 0};
    dpd_rng rng;
    bool heads;
    dpd_rng_open_tape(&rng, &tape);
    CHECK(dpd_bernoulli_bits(&rng, (dpd_u128)17 << DPD_SUCCESS_BITS, &heads) == DPD_OK);
    CHECK(heads == (i != 1));
  }
}

int main(void)
{
  ctest_pool = &memory;
  /* what takes least comes first: planted bugs end at the first check that fails */
  bad_input_is_refused();
  rare_coins_are_thrown();
  least_rates_are_exact();
  wide_grids_have_room();
  waiting_is_exact();
  limits_are_exact();
  return ctest_report("interval");
}
