/* test_quantiles.c - many quantiles by a tree: order, laws, cells, and trees that are none. */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mech/quantiles.h"
#include "num/fine_lattice.h"
#include "num/sort.h"
#include "samp/bernoulli.h"

#include "ctest.h"
#include "ctest_law.h"
#include "ctest_memory.h"

#define BASE 0x1p52

static ctest_memory memory;

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
  cuts_are_those_of_the_public_size();
  trees_draw_in_order();
  trees_have_their_law();
  cells_are_positions();
  positions_are_sorted();
  return ctest_report("quantiles");
}
