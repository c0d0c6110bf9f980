/* test_quantile_node.c - ordered points by their rank score: exact laws by enumeration, weights,
 * and data on which a draw by trial would practically not end. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mech/quantile_node.h"
#include "samp/bernoulli.h"
#include "samp/weight.h"

#include "ctest.h"
#include "ctest_law.h"
#include "ctest_memory.h"

static ctest_memory memory;

/* -- laws -------------------------------------------------------------------------------------- */

enum { SIDE = 7, MOST_CELLS = SIDE * SIDE * SIDE };
#define BASE 0x1p52

typedef struct {
  int k, rows;
  int64_t row[8], gap[4], cut; /* row: lattice points, from -1 (below the support) to SIDE */
  double eps;
  bool normal;
  int64_t after, before; /* points of the support that the stretch leaves out at its ends */
} node_case;

static const node_case cases[] = {
    {2, 5, {0, 1, 3, 3, 5}, {2, 2, 1}, 11, 1.5, false, 0, 0},
    {3, 6, {0, 1, 2, 4, 5, 6}, {1, 2, 2, 1}, 13, 3, false, 0, 0},
    {3, 6, {1, 1, 1, 4, 4, 6}, {2, 1, 2, 1}, 13, 0.4, true, 0, 0},
    {3, 5, {-1, 2, 2, 2, 7}, {0, 1, 0, 4}, 11, 6, false, 0, 0},
    {2, 6, {0, 2, 3, 3, 4, 6}, {1, 1, 1}, 13, 4, false, 0, 0},   /* three rows too many */
    {3, 2, {1, 4}, {2, 3, 2, 1}, 99, 2, false, 0, 0},            /* six too few */
    {3, 6, {0, 1, 2, 4, 5, 6}, {1, 2, 2, 1}, 4, 2, false, 0, 0}, /* a cut */
    {2, 6, {0, 1, 3, 3, 5, 6}, {2, 2, 1}, 3, 2, true, 0, 0},     /* a cut, and a row too many */
    {2, 6, {0, 2, 3, 3, 4, 6}, {1, 1, 1}, 3, 4, false, 0, 0},    /* all beyond the cut */
    {3,
     8,
     {0, 0, 1, 2, 3, 4, 5, 6},
     {0, 4, 0, 4},
     9,
     3,
     false,
     0,
     0}, /* moving sums of three terms */
    {1, 4, {0, 2, 2, 6}, {3, 1}, 9, 2, true, 0, 0},
    {3, 0, {0}, {0, 0, 0, 0}, 1, 2, false, 0, 0},
    {2, 3, {1, 2, 4}, {0, 2, 1}, 6, 1, false, 0, 0},          /* v may be the cut, and no larger */
    {2, 6, {0, 1, 2, 3, 5, 6}, {2, 2, 1}, 3, 2, false, 0, 0}, /* a cut, a row too many */
    {2, 4, {0, 1, 3, 5}, {2, 2, 1}, 3, 2, false, 0, 0},       /* a row too few */
    {2, 3, {2, 3, 4}, {1, 1, 1}, 2, 1.5, false, 1, 2},        /* a stretch, and a cut */
    {2, 4, {2, 2, 3, 4}, {1, 1, 2}, 9, 3, true, 1, 1},
};

static double brute(const node_case *c, const dpd_fine *f, double q, const int *z)
{
  int64_t before = 0, v = 0;
  double weight = 1;
  for (int j = 0, run = 1; j <= c->k; j++) {
    int64_t at = 0;
    for (int i = 0; i < c->rows; i++)
      at += j == c->k || c->row[i] <= z[j];
    v += llabs(at - before - c->gap[j]);
    before = at;
    if (j == c->k) break;
    run = j > 0 && z[j] == z[j - 1] ? run + 1 : 1;
    if (j > 0 && z[j] < z[j - 1]) return 0;
    if (z[j] < c->after || z[j] >= SIDE - c->before) return 0;
    int64_t place = f->first + z[j];
    weight *= (double)dpd_fine_between(f, place, place) / run;
  }
  return weight * pow(q, (double)(v < c->cut ? v : c->cut));
}

static bool follows_law(const node_case *c, long draws)
{
  double weight[MOST_CELLS] = {0}, sum = 0;
  long count[MOST_CELLS] = {0};
  double a = c->normal ? BASE + 3 : BASE, b = c->normal ? 3.0 / 36 : BASE + SIDE - 1;
  int64_t row[8], drawn[4];
  dpd_fine fine;
  dpd_rate eps;
  bool good = dpd_rate_from_double(c->eps, &eps) == DPD_OK;
  if (dpd_fine_open(&fine, (dpd_prior){.normal = c->normal, .d = 1, .a = &a, .b = &b}, 0,
                    ctest_alloc) != DPD_OK)
    abort();
  if (fine.last - fine.first != SIDE - 1) abort();
  for (int i = 0; i < c->rows; i++)
    row[i] = dpd_fine_index(&fine, BASE + (double)c->row[i]);
  dpd_quantile_node node = {.fine = &fine,
                            .row = row,
                            .rows = c->rows,
                            .from = fine.first + c->after,
                            .to = fine.last - c->before,
                            .k = c->k,
                            .gap = c->gap,
                            .rate = dpd_quantile_rate_of(eps, c->k, c->rows + 1, 0)};
  node.rate.cut = c->cut;
  int cells = 1;
  for (int j = 0; j < c->k; j++)
    cells *= SIDE;
  for (int cell = 0; cell < cells; cell++) {
    int z[4];
    for (int j = 0, rest = cell; j < c->k; j++, rest /= SIDE)
      z[j] = rest % SIDE;
    weight[cell] = brute(c, &fine, node.rate.q, z);
    sum += weight[cell];
  }
  for (int cell = 0; cell < cells; cell++)
    weight[cell] /= sum;
  dpd_quantile_work *work = dpd_quantile_work_open(c->k, c->cut, 8, ctest_alloc);
  for (long i = 0; good && i < draws; i++) {
    int cell = 0;
    good = dpd_quantile_node_draw(&node, work, &source, drawn) == DPD_OK;
    for (int j = c->k - 1; j >= 0; j--) {
      good = good && drawn[j] >= fine.first && drawn[j] <= fine.last;
      cell = cell * SIDE + (int)(drawn[j] - fine.first);
    }
    if (good) count[cell]++;
  }
  ctest_free(&memory);
  return good && law_holds(count, weight, cells, draws);
}

static void laws_are_exact(void)
{
  start(5);
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    bool holds = follows_law(cases + i, ctest_some(20000));
    if (!holds) fprintf(stderr, "case %d\n", (int)i);
    CHECK(holds);
  }
}

/* -- neighbours -------------------------------------------------------------------------------- */

enum { POINTS = 5, ALL_ROWS = 625, PAIRS = 25 };

static int64_t score[ALL_ROWS][PAIRS];

/* The scores of all data of four rows on five points, unordered pairs -1. */
static void set_scores(int64_t first, const int64_t *gap)
{
  for (int code = 0; code < ALL_ROWS; code++) {
    int64_t row[4];
    for (int i = 0, rest = code; i < 4; i++, rest /= POINTS) {
      int at = i;
      for (; at > 0 && row[at - 1] > first + rest % POINTS; at--)
        row[at] = row[at - 1];
      row[at] = first + rest % POINTS;
    }
    dpd_quantile_node node = {.rows = 4, .k = 2, .gap = gap, .row = row};
    for (int pair = 0; pair < PAIRS; pair++) {
      int64_t z[2] = {first + pair % POINTS, first + pair / POINTS};
      score[code][pair] = z[0] <= z[1] ? dpd_quantile_score(&node, z) : -1;
    }
  }
}

/* The data with row i replaced by a point. */
static int replaced(int code, int i, int point)
{
  int unit = 1;
  for (; i > 0; i--)
    unit *= POINTS;
  return code + (point - code / unit % POINTS) * unit;
}

/* By enumeration of all neighbours: twice the rank score moves by at most two; the privacy loss of
 * the law is at most eps, and nearly eps for some masses. */
static void neighbours_differ_by_eps(void)
{
  static double weight[ALL_ROWS][PAIRS];
  const int64_t gap[3] = {1, 2, 1};
  const double eps = 1.3;
  int64_t most = 0;
  double worst = 0;
  set_scores(1, gap);
  start(8);
  for (int trial = 0; trial < 40; trial++) {
    double mass[POINTS];
    for (int p = 0; p < POINTS; p++) {
      double u;
      CHECK(dpd_rng_unit(&source, &u) == DPD_OK);
      mass[p] = pow(10, 16 * u);
    }
    for (int code = 0; code < ALL_ROWS; code++) {
      double sum = 0;
      for (int pair = 0; pair < PAIRS; pair++) {
        weight[code][pair] = score[code][pair] < 0 ? 0
                                                   : exp(-eps * (double)score[code][pair] / 4) *
                                                         mass[pair % POINTS] * mass[pair / POINTS];
        sum += weight[code][pair];
      }
      for (int pair = 0; pair < PAIRS; pair++)
        weight[code][pair] = score[code][pair] < 0 ? 0 : log(weight[code][pair] / sum);
    }
    for (int code = 0; code < ALL_ROWS; code++)
      for (int other = 0; other < 4 * POINTS; other++) {
        int next = replaced(code, other % 4, other / 4);
        for (int pair = 0; pair < PAIRS; pair++) {
          int64_t moved = llabs(score[code][pair] - score[next][pair]);
          double loss = fabs(weight[code][pair] - weight[next][pair]);
          most = moved > most ? moved : most;
          worst = loss > worst ? loss : worst;
        }
      }
  }
  CHECK(most == 2);
  CHECK(worst <= eps * (1 + 1e-9) && worst > 0.98 * eps);
}

/* q is exp(-eps / 4), from above; the cut is public. */
static void rates_are_halved(void)
{
  dpd_rate eps;
  for (double e = 1e-6; e < 2e3; e *= 7) {
    CHECK(dpd_rate_from_double(e, &eps) == DPD_OK);
    dpd_quantile_rate rate = dpd_quantile_rate_of(eps, 4, 1000, 16);
    double h = ldexp((double)eps.num, -42);
    CHECK((rate.q > exp(-h) || rate.q == 1 - 0x1p-53) && rate.q < 1 &&
          rate.q <= exp(-h) * (1 + 0x1p-49));
    CHECK(rate.cut >= 1 && rate.cut <= 2001 && (rate.cut == 2001 || (double)rate.cut * h >= 220));
  }
  CHECK(dpd_rate_from_double(1e-6, &eps) == DPD_OK);
  dpd_rate largest; /* exp(-eps / 4) is 0: q is not */
  CHECK(dpd_rate_from_double(1e6, &largest) == DPD_OK);
  CHECK(dpd_quantile_rate_of(largest, 4, 1000, 16).q == DBL_MIN);
  CHECK(dpd_quantile_rate_of(eps, 4, 1 << 30, 16).cut == 1 << 20);
  CHECK(dpd_quantile_rate_of(eps, 32, 1 << 30, 16).cut == 1 << 14);
}

/* -- crafted data ------------------------------------------------------------------------------ */

/* Rows in clusters at both ends of a support of 2^48 points, few points wanted within: all or most
 * points of a draw share one interval. And steps of one row beside steps of many. */
static void crafted_data_end(void)
{
  enum { ROWS = 400, K = 9 };
  double a = -1, b = 1;
  int64_t row[ROWS], z[K], gap[K + 1];
  dpd_fine fine;
  dpd_rate eps;
  if (dpd_fine_open(&fine, (dpd_prior){.d = 1, .a = &a, .b = &b}, 16, ctest_alloc) != DPD_OK)
    abort();
  CHECK(fine.bits >= 10 && fine.bits <= 16 && fine.last < (int64_t)1 << 62);
  CHECK(dpd_rate_from_double(0.05, &eps) == DPD_OK);
  start(6);
  for (int shape = 0; shape < 3; shape++) {
    for (int i = 0; i < ROWS; i++) {
      double x = shape == 0 ? (i < ROWS / 2 ? -1 : 1) : shape == 1 ? 0.5 : i % 37 < 18 ? -0.3 : 0.3;
      row[i] = dpd_fine_index(&fine, x);
    }
    for (int i = 1; i < ROWS; i++) /* shape 2 is not sorted */
      for (int j = i; j > 0 && row[j] < row[j - 1]; j--) {
        int64_t t = row[j];
        row[j] = row[j - 1];
        row[j - 1] = t;
      }
    for (int j = 0; j <= K; j++)
      gap[j] = j % 2 == 0 ? 1 : ROWS / 5 - 1;
    dpd_quantile_node node = {&fine,     row, ROWS, fine.first,
                              fine.last, K,   gap,  dpd_quantile_rate_of(eps, K, ROWS, 16)};
    dpd_quantile_work *work = dpd_quantile_work_open(K, node.rate.cut, ROWS, ctest_alloc);
    for (int i = 0; i < 5; i++) {
      CHECK(dpd_quantile_node_draw(&node, work, &source, z) == DPD_OK);
      for (int j = 0; j < K; j++)
        CHECK(z[j] >= (j > 0 ? z[j - 1] : fine.first) && z[j] <= fine.last);
    }
  }
  ctest_free(&memory);
}

/* -- weights ----------------------------------------------------------------------------------- */

static double value_of(dpd_product w)
{
  return ldexp((double)w.part, (int)w.whole);
}

static void weights_add_and_multiply(void)
{
  const double sizes[] = {1, 3, 0x1p-40, 0x1.fffffffffffffp+9, 1e300, 1e-300, 0.1};
  enum { SIZES = sizeof sizes / sizeof sizes[0] };
  for (int i = 0; i < SIZES; i++)
    for (int j = 0; j < SIZES; j++) {
      double x = sizes[i], y = sizes[j], product = x * y;
      dpd_product a = dpd_weight_double(x), b = dpd_weight_double(y);
      CHECK(value_of(a) == x && a.part >> 63 == 1);
      CHECK(fabs(value_of(dpd_weight_add(a, b)) / (x + y) - 1) < 0x1p-51);
      if (product > 1e-290 && product < 1e290)
        CHECK(fabs(value_of(dpd_weight_times(a, b)) / product - 1) < 0x1p-51);
      CHECK(dpd_weight_add(a, dpd_weight_zero()).part == a.part);
      CHECK(dpd_weight_times(a, dpd_weight_zero()).part == 0);
      CHECK(fabs(value_of(dpd_weight_over(a, 6)) * 6 / x - 1) < 0x1p-51);
    }
  CHECK(value_of(dpd_weight_whole(12)) == 12 && dpd_weight_whole(0).part == 0);
}

static void weights_are_drawn_exactly(void)
{
  enum { CELLS = 6 };
  const double sizes[CELLS] = {0.3, 5, 0, 0.01, 1.7, 3e-30};
  dpd_product weight[CELLS];
  double law[CELLS];
  long count[CELLS] = {0};
  size_t k = 0;
  for (int i = 0; i < CELLS; i++) {
    law[i] = sizes[i] / 7.01;
    weight[i] = sizes[i] > 0 ? dpd_weight_double(sizes[i]) : dpd_weight_zero();
  }
  start(7);
  for (int i = 0; i < 40000; i++) {
    CHECK(dpd_weight_draw(weight, CELLS, &source, &k) == DPD_OK);
    count[k]++;
  }
  CHECK(law_holds(count, law, CELLS, 40000));
  CHECK(dpd_weight_draw(weight + 2, 1, &source, &k) == DPD_ERR_DOMAIN);
}

/* A weight of less than 2^-64 of the largest pays a coin for each power of two beyond. */
static void small_weights_pay_coins(void)
{
  const dpd_product weight[2] = {dpd_weight_double(1), dpd_weight_double(0x1p-66)};
  /* the small one, two coins in one word, and its part; the large one, and its part */
  const uint64_t heads[4] = {0, 1, 0, 0}, tail[6] = {0, 1, UINT64_C(0xffff0000), 0, 0, 0};
  dpd_rng rng;
  size_t k = 7;
  dpd_tape tape = {heads, 4, 0};
  dpd_rng_open_tape(&rng, &tape);
  CHECK(dpd_weight_draw(weight, 2, &rng, &k) == DPD_OK && k == 1 && tape.pos == 4);
  tape = (dpd_tape){tail, 6, 0};
  dpd_rng_open_tape(&rng, &tape);
  CHECK(dpd_weight_draw(weight, 2, &rng, &k) == DPD_OK && k == 0 && tape.pos == 6);
}

int main(void)
{
  ctest_pool = &memory;
  rates_are_halved();
  laws_are_exact();
  neighbours_differ_by_eps();
  crafted_data_end();
  weights_add_and_multiply();
  weights_are_drawn_exactly();
  small_weights_pay_coins();
  return ctest_report("quantile_node");
}
