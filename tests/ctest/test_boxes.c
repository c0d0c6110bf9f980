/* test_boxes.c - boxes of one variable, a quantile's intervals: exact laws on small lattices,
 * levels, sizes. */
#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "mech/axes.h"
#include "num/fine_lattice.h"
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

/* The draw of a quantile, at rate eps. */
static dpd_axes_spec spec_of(int n, const double *data, int below, int above, double eps)
{
  dpd_axes_spec spec = {.n = n, .d = 1, .data = data, .below = below, .above = above};
  spec.cut = spec.to_ends = true;
  CHECK(dpd_rate_from_double(eps, &spec.eps) == DPD_OK);
  return spec;
}

static dpd_status open_boxes(dpd_boxes **m, const dpd_axes_spec *spec)
{
  DPD_TRY(dpd_axes_open(m, spec, ctest_alloc));
  return dpd_boxes_prepare(*m);
}

static const one_case cases[] = {
    {5, 3, 3, {1, 3, 3, 4, 6}, 1, false},     /* the median of five rows */
    {6, 3, 3, {0, 2, 2, 5, 5, 6}, 2, false},  /* of six */
    {5, 1, 5, {0, 1, 4, 5, 6}, 1.5, false},   /* p = 0.1 */
    {6, 6, 1, {0, 1, 1, 5, 6, 6}, 1.5, true}, /* p = 0.9 */
    {5, 2, 4, {3, 3, 3, 3, 5}, 0.7, false},   /* an atom that reaches beyond the quantile */
    {5, 3, 3, {-9, -8, 3, 40, 50}, 2, false}, /* rows beyond the support */
    {5, 3, 3, {-9, -8, -7, 40, 50}, 2, true}, /* the quantile itself beyond it */
    {5, 3, 3, {-9, -8, -7, 40, 50}, 2, false},
    {1, 1, 1, {4}, 3, false},
    {2, 1, 1, {2, 5}, 2, false},
    {6, 3, 3, {2, 2, 2, 2, 2, 2}, 1, false},
};

/* The score of a point of the lattice, by its definition; rows beyond it count at its ends, or
 * not. */
static int score_at(const one_case *c, int z, bool to_ends)
{
  int below = -c->below, above = -c->above;
  for (int i = 0; i < c->n; i++) {
    double row = to_ends ? fmin(fmax(c->row[i], 0), SIDE - 1) : c->row[i];
    below += row <= z;
    above += row >= z;
  }
  return below < above ? below : above;
}

static bool follows_law(const one_case *c, bool to_ends, long draws)
{
  double data[6] = {0}, a = c->normal ? BASE + 3 : BASE, b = c->normal ? 3.0 / 36 : BASE + SIDE - 1,
         x;
  double weight[SIDE], sum = 0;
  long count[SIDE] = {0};
  dpd_fine fine;
  dpd_boxes *m;
  dpd_axes_spec spec = spec_of(c->n, data, c->below, c->above, c->eps);
  spec.prior = (dpd_prior){.normal = c->normal, .d = 1, .a = &a, .b = &b};
  spec.to_ends = to_ends;
  if (dpd_fine_open(&fine, spec.prior, 0, ctest_alloc) != DPD_OK) abort();
  for (int i = 0; i < c->n; i++)
    data[i] = BASE + c->row[i];
  for (int z = 0; z < SIDE; z++) {
    weight[z] = exp(c->eps * score_at(c, z, to_ends) / 2);
    weight[z] *= (double)dpd_fine_between(&fine, fine.first + z, fine.first + z);
    sum += weight[z];
  }
  for (int z = 0; z < SIDE; z++)
    weight[z] /= sum;
  bool good = open_boxes(&m, &spec) == DPD_OK;
  for (long i = 0; good && i < draws; i++) {
    good = dpd_boxes_draw(m, &source, &x) == DPD_OK && x >= BASE && x < BASE + SIDE;
    if (good) count[(int)(x - BASE)]++;
  }
  ctest_free(&memory);
  return good && law_holds(count, weight, SIDE, draws);
}

static void laws_are_exact(void)
{
  start(11);
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    for (int to_ends = 0; to_ends < 2; to_ends++) {
      bool holds = follows_law(cases + i, to_ends, ctest_some(30000));
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
    double data[6] = {0}, a = BASE, b = BASE + SIDE - 1, x;
    int top = INT_MIN, told, level;
    bool some = false;
    dpd_boxes *m;
    dpd_axes_spec spec = spec_of(c->n, data, c->below, c->above, c->eps);
    spec.prior = (dpd_prior){.d = 1, .a = &a, .b = &b};
    for (int j = 0; j < c->n; j++)
      data[j] = BASE + c->row[j];
    for (int z = 0; z < SIDE; z++)
      top = score_at(c, z, true) > top ? score_at(c, z, true) : top;
    CHECK(open_boxes(&m, &spec) == DPD_OK);
    int last = dpd_boxes_levels(m)->count - 1;
    for (uint64_t draw = 0; draw < 40; draw++) {
      start(draw);
      CHECK(dpd_levels_draw(dpd_boxes_levels(m), &source, &level) == DPD_OK);
      start(draw);
      CHECK(dpd_boxes_draw(m, &source, &x) == DPD_OK);
      told = dpd_axes_score(&spec, dpd_boxes_level(m));
      CHECK(told == (level > 0 ? top - last + level : INT_MIN));
      CHECK(score_at(c, (int)(x - BASE), true) >= told);
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
  dpd_boxes *m;
  dpd_axes_spec spec = spec_of(N, data, N / 2, N / 2, 2);
  spec.prior = (dpd_prior){.d = 1, .a = &a, .b = &b};
  CHECK(dpd_axes_reach(N, spec.eps) == 86 && dpd_axes_reach(50, spec.eps) == 50);
  for (int i = 0; i < N; i++)
    data[i] = (i * 377 % N) / (double)N - 0.5;
  CHECK(open_boxes(&m, &spec) == DPD_OK);
  CHECK(dpd_boxes_levels(m)->count == 87); /* no row is repeated: none above the quantile's */
  for (int i = 0; i < N; i++)
    data[i] = 0.25;
  CHECK(open_boxes(&m, &spec) == DPD_OK);
  CHECK(dpd_boxes_levels(m)->count == 2 * 86 + 1);
  spec.below = N / 2 + 2;
  CHECK(open_boxes(&m, &spec) == DPD_ERR_DOMAIN);
  spec.below = N + 1;
  spec.above = 0;
  CHECK(open_boxes(&m, &spec) == DPD_ERR_DOMAIN);
  ctest_free(&memory);
}

/* Where the levels end is a matter of order statistics alone, to the last level: the weights. */
static void levels_have_their_ranks(void)
{
  enum { N = 3000, BELOW = 300 }; /* so many that the ranks are selected */
  static double data[N];
  double a = -1, b = 1, top = 0, off = 0;
  dpd_boxes *m;
  dpd_axes_spec spec = spec_of(N, data, BELOW, N - BELOW, 2);
  spec.prior = (dpd_prior){.d = 1, .a = &a, .b = &b};
  for (int i = 0; i < N; i++)
    data[i] = (i * 377 % N + 1) / (double)N - 0.5;
  CHECK(open_boxes(&m, &spec) == DPD_OK);
  int reach = dpd_axes_reach(N, spec.eps), count = dpd_boxes_levels(m)->count;
  CHECK(count == reach + 1); /* up to the stretch between two rows */
  for (int t = 1; t < count; t++) {
    int k = t - reach, from = BELOW + k, to = BELOW + 1 - k;
    double bits = dpd_levels_bits(dpd_boxes_levels(m), t) + log2(to - from) + t / log(2);
    if (t == 1) top = bits;
    off = fmax(off, fabs(bits - top));
  }
  CHECK(off < 1e-6);
  ctest_free(&memory);
}

/* Ends that are no whole numbers, or too large, leave no box there nor above. */
static void ends_are_whole(void)
{
  static const double wrong[] = {2.5, 0x1p52 + 1, NAN, INFINITY};
  for (int k = 0; k < 4; k++)
    for (int side = 0; side < 2; side++) {
      double low[] = {-4, -1}, high[] = {5, 2};
      dpd_box_ends ends = {2, 1, low, high, {(uint64_t)1 << DPD_RATE_BITS}};
      dpd_boxes *m;
      (side == 0 ? low : high)[1] = side == 0 ? -wrong[k] : wrong[k];
      CHECK(dpd_boxes_open_ends(&m, &ends, ctest_alloc) == DPD_OK);
      CHECK(dpd_boxes_prepare(m) == DPD_OK && dpd_boxes_levels(m)->count == 1);
    }
  ctest_free(&memory);
}

int main(void)
{
  ctest_pool = &memory;
  draws_tell_their_levels();
  ends_are_whole();
  laws_are_exact();
  levels_are_cut();
  levels_have_their_ranks();
  return ctest_report("boxes");
}
