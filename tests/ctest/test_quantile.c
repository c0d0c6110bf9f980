/* test_quantile.c - one quantile by its depth: exact laws on small lattices, levels, sizes; and
 * many quantiles by a tree: order, cells, and trees that are none. */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mech/quantile.h"
#include "mech/quantiles.h"
#include "num/fine_lattice.h"
#include "num/sort.h"
#include "samp/bernoulli.h"

#include "ctest.h"
#include "ctest_law.h"
#include "ctest_memory.h"

enum { SIDE = 7 };
#define BASE 0x1p52

static ctest_memory memory;

typedef struct {
  int n, below, above;
  double row[6]; /* points of the lattice 0..SIDE-1, or beyond it */
  double eps;
  bool normal;
} one_case;

static const one_case cases[] = {
    {5, 3, 3, {1, 3, 3, 4, 6}, 1, false},     /* the median of five rows */
    {6, 3, 3, {0, 2, 2, 5, 5, 6}, 2, false},  /* of six */
    {5, 1, 5, {0, 1, 4, 5, 6}, 1.5, false},   /* p = 0.1 */
    {6, 6, 1, {0, 1, 1, 5, 6, 6}, 1.5, true}, /* p = 0.9 */
    {5, 2, 4, {3, 3, 3, 3, 5}, 0.7, false},   /* an atom that reaches beyond the quantile */
    {5, 3, 3, {-9, -8, 3, 40, 50}, 2, false}, /* rows beyond the support */
    {5, 3, 3, {-9, -8, -7, 40, 50}, 2, true}, /* the quantile itself beyond it */
    {1, 1, 1, {4}, 3, false},
    {2, 1, 1, {2, 5}, 2, false},
    {6, 3, 3, {2, 2, 2, 2, 2, 2}, 1, false},
};

/* The score of a point of the lattice, by its definition. */
static int score_at(const one_case *c, int z)
{
  int below = -c->below, above = -c->above;
  for (int i = 0; i < c->n; i++) {
    double row = fmin(fmax(c->row[i], 0), SIDE - 1);
    below += row <= z;
    above += row >= z;
  }
  return below < above ? below : above;
}

static bool follows_law(const one_case *c, long draws)
{
  double data[6], a = c->normal ? BASE + 3 : BASE, b = c->normal ? 3.0 / 36 : BASE + SIDE - 1, x;
  double weight[SIDE], sum = 0;
  long count[SIDE] = {0};
  dpd_fine fine;
  dpd_quantile *m;
  dpd_quantile_spec spec = {.n = c->n, .data = data, .below = c->below, .above = c->above};
  spec.prior = (dpd_prior){.normal = c->normal, .d = 1, .a = &a, .b = &b};
  bool good = dpd_rate_from_double(c->eps, &spec.eps) == DPD_OK;
  if (dpd_fine_open(&fine, spec.prior, 0, ctest_alloc) != DPD_OK) abort();
  for (int i = 0; i < c->n; i++)
    data[i] = BASE + c->row[i];
  for (int z = 0; z < SIDE; z++) {
    weight[z] = exp(c->eps * score_at(c, z) / 2);
    weight[z] *= (double)dpd_fine_between(&fine, fine.first + z, fine.first + z);
    sum += weight[z];
  }
  for (int z = 0; z < SIDE; z++)
    weight[z] /= sum;
  good = dpd_quantile_open(&m, &spec, ctest_alloc) == DPD_OK && good;
  for (long i = 0; good && i < draws; i++) {
    good = dpd_quantile_draw(m, &source, &x) == DPD_OK && x >= BASE && x < BASE + SIDE;
    if (good) count[(int)(x - BASE)]++;
  }
  ctest_free(&memory);
  return good && law_holds(count, weight, SIDE, draws);
}

static void laws_are_exact(void)
{
  start(11);
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    bool holds = follows_law(cases + i, ctest_some(30000));
    if (!holds) fprintf(stderr, "case %d\n", (int)i);
    CHECK(holds);
  }
}

/* A draw tells the level in whose interval it lies: the one that the same words draw by themselves,
 * the last of the levels being the highest score of a point. */
static void draws_tell_their_levels(void)
{
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const one_case *c = cases + i;
    double data[6], a = BASE, b = BASE + SIDE - 1, x;
    int top = INT_MIN, told, level;
    bool some = false;
    dpd_quantile *m;
    dpd_quantile_spec spec = {.n = c->n, .data = data, .below = c->below, .above = c->above};
    spec.prior = (dpd_prior){.d = 1, .a = &a, .b = &b};
    CHECK(dpd_rate_from_double(c->eps, &spec.eps) == DPD_OK);
    for (int j = 0; j < c->n; j++)
      data[j] = BASE + c->row[j];
    for (int z = 0; z < SIDE; z++)
      top = score_at(c, z) > top ? score_at(c, z) : top;
    CHECK(dpd_quantile_open(&m, &spec, ctest_alloc) == DPD_OK);
    int last = dpd_quantile_levels(m)->count - 1;
    for (uint64_t draw = 0; draw < 40; draw++) {
      start(draw);
      CHECK(dpd_levels_draw(dpd_quantile_levels(m), &source, &level) == DPD_OK);
      start(draw);
      CHECK(dpd_quantile_draw_level(m, &source, &x, &told) == DPD_OK);
      CHECK(told == (level > 0 ? top - last + level : INT_MIN));
      CHECK(score_at(c, (int)(x - BASE)) >= told);
      some = some || level > 0;
    }
    CHECK(some);
    ctest_free(&memory);
  }
}

/* Levels end at a public number, and are not sought beyond it. */
static void levels_are_cut(void)
{
  enum { N = 1000 };
  static double data[N];
  double a = -1, b = 1;
  dpd_quantile *m;
  dpd_quantile_spec spec = {.n = N, .data = data, .below = N / 2, .above = N / 2};
  spec.prior = (dpd_prior){.d = 1, .a = &a, .b = &b};
  CHECK(dpd_rate_from_double(2, &spec.eps) == DPD_OK);
  CHECK(dpd_quantile_reach(N, spec.eps) == 86 && dpd_quantile_reach(50, spec.eps) == 50);
  for (int i = 0; i < N; i++)
    data[i] = (i * 377 % N) / (double)N - 0.5;
  CHECK(dpd_quantile_open(&m, &spec, ctest_alloc) == DPD_OK);
  CHECK(dpd_quantile_levels(m)->count == 87); /* no row is repeated: none above the quantile's */
  for (int i = 0; i < N; i++)
    data[i] = 0.25;
  CHECK(dpd_quantile_open(&m, &spec, ctest_alloc) == DPD_OK);
  CHECK(dpd_quantile_levels(m)->count == 2 * 86 + 1);
  spec.below = N / 2 + 2;
  CHECK(dpd_quantile_open(&m, &spec, ctest_alloc) == DPD_ERR_DOMAIN);
  spec.below = N + 1;
  spec.above = 0;
  CHECK(dpd_quantile_open(&m, &spec, ctest_alloc) == DPD_ERR_DOMAIN);
  ctest_free(&memory);
}

/* Where the levels end is a matter of order statistics alone, to the last level: the weights. */
static void levels_have_their_ranks(void)
{
  enum { N = 1000, BELOW = 300 };
  static double data[N];
  double a = -1, b = 1, top = 0, off = 0;
  dpd_quantile *m;
  dpd_quantile_spec spec = {.n = N, .data = data, .below = BELOW, .above = N - BELOW};
  spec.prior = (dpd_prior){.d = 1, .a = &a, .b = &b};
  CHECK(dpd_rate_from_double(2, &spec.eps) == DPD_OK);
  for (int i = 0; i < N; i++)
    data[i] = (i * 377 % N + 1) / (double)N - 0.5;
  CHECK(dpd_quantile_open(&m, &spec, ctest_alloc) == DPD_OK);
  int reach = dpd_quantile_reach(N, spec.eps), count = dpd_quantile_levels(m)->count;
  CHECK(count == reach + 1); /* up to the stretch between two rows */
  for (int t = 1; t < count; t++) {
    int k = t - reach, from = BELOW + k, to = BELOW + 1 - k;
    double bits = dpd_levels_bits(dpd_quantile_levels(m), t) + log2(to - from) + t / log(2);
    if (t == 1) top = bits;
    off = fmax(off, fabs(bits - top));
  }
  CHECK(off < 1e-6);
  ctest_free(&memory);
}

/* -- many -------------------------------------------------------------------------------- */

static const int sizes[3] = {1, 2, 2}, lefts[3] = {-1, -1, 2}, rights[3] = {5, 2, 5};
static const int orders[5] = {2, 0, 1, 3, 4};
static const double rates[3] = {2, 2, 2};

static dpd_quantiles_spec five(const double *data, int n, dpd_prior prior, const double *rank)
{
  return (dpd_quantiles_spec){.n = n,
                              .m = 5,
                              .nodes = 3,
                              .public_n = n,
                              .data = data,
                              .prior = prior,
                              .rank = rank,
                              .size = sizes,
                              .left = lefts,
                              .right = rights,
                              .order = orders,
                              .eps = rates};
}

static size_t taken; /* bytes that measured() was asked for */

static void *measured(size_t count, size_t size)
{
  taken += count * size;
  return ctest_alloc(count, size);
}

/* Where n is private the score is cut as for a public n, however many rows there are: powers of
 * q up to the cut are kept. */
static void cuts_are_those_of_the_public_size(void)
{
  const double data[3] = {0, 0.5, 1}, rank[5] = {0, 1, 1, 2, 2};
  double a = -2, b = 2;
  dpd_quantiles *m;
  dpd_quantiles_spec spec = five(data, 3, (dpd_prior){.d = 1, .a = &a, .b = &b}, rank);
  CHECK(dpd_quantiles_open(&m, &spec, measured) == DPD_OK);
  size_t own = taken;
  spec.public_n = 1 << 23;
  taken = 0;
  CHECK(dpd_quantiles_open(&m, &spec, measured) == DPD_OK);
  CHECK(taken > own + 500 * 8);
  ctest_free(&memory);
}

/* Half the rows share a value: quantiles within the atom are that value, and ranks are met. */
static void trees_draw_in_order(void)
{
  enum { N = 600 };
  static double data[N];
  const double rank[5] = {50, 225, 300, 375, 550};
  double a = -2, b = 2, z[5], last = 0;
  int atoms = 0;
  dpd_quantiles *m;
  for (int i = 0; i < N; i++)
    data[i] = i % 2 == 0 ? 0.3 : i / (double)N - 0.2;
  dpd_quantiles_spec spec = five(data, N, (dpd_prior){.d = 1, .a = &a, .b = &b}, rank);
  CHECK(dpd_quantiles_open(&m, &spec, ctest_alloc) == DPD_OK);
  start(12);
  for (int draw = 0; draw < 20; draw++) {
    CHECK(dpd_quantiles_draw(m, &source, z) == DPD_AGAIN); /* the sort */
    CHECK(dpd_quantiles_draw(m, &source, z) == DPD_AGAIN);
    CHECK(dpd_quantiles_draw(m, &source, z) == DPD_AGAIN);
    CHECK(dpd_quantiles_draw(m, &source, z) == DPD_OK);
    for (int j = 0; j < 5; j++)
      CHECK(z[j] >= (j > 0 ? z[j - 1] : a) && z[j] <= b);
    for (int j = 0; j < 5; j++)
      atoms += fabs(z[j] - 0.3) < 1e-9;
    last += z[4] / 20;
    CHECK(fabs(z[0] - (-0.2 + 100.0 / N)) < 0.1); /* 50 rows of the even part lie below */
  }
  CHECK(fabs(last - (0.3 + 0.5 * 100 / 150)) < 0.05);
  CHECK(atoms >= 40); /* ranks 150 to 450 are the atom's, but for the noise */
  dpd_quantiles_spec bad = spec;
  const int more[3] = {1, 2, 3}, over[5] = {2, 0, 1, 3, 5};
  bad.size = more;
  CHECK(dpd_quantiles_open(&m, &bad, ctest_alloc) == DPD_ERR_DOMAIN);
  bad = spec;
  bad.order = over;
  CHECK(dpd_quantiles_open(&m, &bad, ctest_alloc) == DPD_ERR_DOMAIN);
  ctest_free(&memory);
}

/* Three of four rows of [0, 1], one first and then one to each side of it, at three rates: the law
 * of the intervals between rows, the place of the first within its own being integrated over. */
enum { ROWS = 4, GAPS = ROWS + 1, TRIPLES = GAPS * GAPS * GAPS, PLACES = 500 };

static double path(double eps, int rows, int at, int gap, int rest)
{
  return exp(-eps * (abs(at - gap) + abs(rows - at - rest)) / 4);
}

static void tree_law(const double *width, const int *rank, const double *eps, double *law)
{
  memset(law, 0, TRIPLES * sizeof *law);
  for (int b = 0; b < GAPS; b++)
    for (int place = 0; place < PLACES; place++) {
      double u = (place + 0.5) / PLACES, left[GAPS] = {0}, right[GAPS] = {0}, l = 0, r = 0;
      for (int i = 0; i <= b; i++) {
        left[i] = width[i] * (i < b ? 1 : u) * path(eps[1], b, i, rank[0], rank[1] - rank[0]);
        l += left[i];
      }
      for (int i = b; i < GAPS; i++) {
        right[i] = width[i] * (i > b ? 1 : 1 - u) *
                   path(eps[2], ROWS - b, i - b, rank[2] - rank[1], ROWS - rank[2]);
        r += right[i];
      }
      double first = width[b] * path(eps[0], ROWS, b, rank[1], ROWS - rank[1]);
      for (int i = 0; i <= b; i++)
        for (int j = b; j < GAPS; j++)
          law[(i * GAPS + b) * GAPS + j] += first * left[i] / l * right[j] / r;
    }
}

static void trees_have_their_law(void)
{
  const int draws = ctest_some(20000);
  static const int one[3] = {1, 1, 1}, from[3] = {-1, -1, 1}, to[3] = {3, 1, 3},
                   order[3] = {1, 0, 2};
  const int whole[3] = {1, 2, 3};
  /* the public size is another than the rows' number; a large one takes ten times as long */
  const double data[ROWS] = {0.7, 0.15, 0.45, 0.2}, width[GAPS] = {0.15, 0.05, 0.25, 0.25, 0.3};
  const double rank[3] = {1, 2, 3}, eps[3] = {1, 4, 2.5}, a = 0, b = 1;
  static double law[TRIPLES];
  static long count[TRIPLES];
  double z[3];
  dpd_quantiles *m;
  dpd_quantiles_spec spec = {ROWS, 3,   3,    30, data,  NULL, {.d = 1, .a = &a, .b = &b},
                             rank, one, from, to, order, eps};
  CHECK(dpd_quantiles_open(&m, &spec, ctest_alloc) == DPD_OK);
  tree_law(width, whole, eps, law);
  start(14);
  for (int draw = 0; draw < draws; draw++) {
    int cell = 0;
    while (dpd_quantiles_draw(m, &source, z) == DPD_AGAIN) {
    }
    for (int j = 0; j < 3; j++) {
      int at = 0;
      for (int i = 0; i < ROWS; i++)
        at += data[i] <= z[j];
      cell = cell * GAPS + at;
    }
    count[cell]++;
  }
  CHECK(law_holds(count, law, TRIPLES, draws));
  ctest_free(&memory);
}

/* Cells and their masses. */
static void cells_are_positions(void)
{
  double a = 0, b = 1;
  dpd_fine f;
  CHECK(dpd_fine_open(&f, (dpd_prior){.d = 1, .a = &a, .b = &b}, 16, ctest_alloc) == DPD_OK);
  CHECK(f.bits >= 10 && f.first == (int64_t)1 << f.bits && dpd_fine_index(&f, -5) == 0);
  CHECK(dpd_fine_index(&f, 7) == f.last + 1 && dpd_fine_index(&f, 0) == f.first);
  CHECK(dpd_fine_value(&f, f.first) == 0 && dpd_fine_value(&f, f.last) == 1);
  dpd_u128 all = dpd_fine_between(&f, 0, INT64_MAX / 4);
  CHECK(all == (dpd_u128)(f.last - f.first) + 1);
  for (int64_t z = f.first; z < f.last; z += f.last / 77 + 5) {
    dpd_u128 left = dpd_fine_between(&f, f.first, z);
    CHECK(left + dpd_fine_between(&f, z + 1, f.last) == all);
    CHECK(dpd_fine_point(&f, f.first, left - 1) == z && dpd_fine_point(&f, z, 0) == z);
  }
  double middle = 3, sd = 1;
  CHECK(dpd_fine_open(&f, (dpd_prior){.normal = true, .d = 1, .a = &middle, .b = &sd}, 16,
                      ctest_alloc) == DPD_OK);
  all = dpd_fine_between(&f, f.first, f.last);
  CHECK(all >> 123 == 0);
  for (int64_t z = f.first; z < f.last; z += f.last / 77 + 5) {
    dpd_u128 left = dpd_fine_between(&f, f.first, z);
    CHECK(left + dpd_fine_between(&f, z + 1, f.last) == all);
    CHECK(dpd_fine_point(&f, f.first, left - 1) == z && dpd_fine_point(&f, z, 0) == z);
  }
  ctest_free(&memory);
}

static void positions_are_sorted(void)
{
  enum { N = 3000 };
  static int64_t x[N];
  static uint64_t work[N];
  for (int n = 0; n <= N; n += n < 10 ? 1 : 1495) {
    start(13);
    int64_t sum = 0;
    for (int i = 0; i < n; i++) {
      uint64_t word;
      CHECK(dpd_rng_u64(&source, &word) == DPD_OK);
      x[i] = (int64_t)(word >> (i % 5 == 0 ? 60 : 2));
      sum ^= x[i];
    }
    dpd_sort_positions(x, (size_t)n, work);
    for (int i = 0; i < n; i++) {
      CHECK(i == 0 || x[i - 1] <= x[i]);
      sum ^= x[i];
    }
    CHECK(sum == 0);
  }
}

int main(void)
{
  ctest_pool = &memory;
  draws_tell_their_levels();
  laws_are_exact();
  levels_are_cut();
  levels_have_their_ranks();
  cuts_are_those_of_the_public_size();
  trees_draw_in_order();
  trees_have_their_law();
  cells_are_positions();
  positions_are_sorted();
  return ctest_report("quantile");
}
