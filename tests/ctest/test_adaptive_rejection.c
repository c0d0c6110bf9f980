/* test_adaptive_rejection.c - the exact sampler's law on a small lattice, and broken variants
 * rejected.
 *
 * Each chi-square test has an error rate of 1e-6 (Wilson and Hilferty's approximation). */
#include "ctest.h"
#include "ctest_law.h"
#include "ctest_memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "samp/bernoulli.h"
#include "samp/adaptive_rejection.h"
#include "samp/rng.h"

enum { SIDE = 12, CELLS = SIDE * SIDE, DRAWS = 100000, CAP = 9, WORDS = 2000 };

typedef struct {
  int score[CELLS];
  bool always;              /* a broken target: accepts without the bound's gap */
  bool again;               /* in the memory of another tree */
  bool loose;               /* bounds that never improve: correct, only slow */
  bool carved;              /* boxes cut out of the root before the first draw */
  dpd_rejection_note *note; /* not NULL: of axes to cut across, of sides of one point as well */
} grid;

static double grid_prior(double i, double j)
{
  return -0.01 * ((i - 3) * (i - 3) + (j - 5) * (j - 5));
}

static bool grid_bound(void *ctx, const double *lo, const double *hi, int cap, int *score,
                       double *log_prior)
{
  const grid *g = ctx;
  int top = 0;
  *log_prior = -INFINITY;
  if (g->note != NULL) g->note->axis = ((int)lo[0] + (int)hi[1]) % 3 - 1;
  for (int i = (int)lo[0]; i <= (int)hi[0]; i++)
    for (int j = (int)lo[1]; j <= (int)hi[1]; j++) {
      if (g->score[i * SIDE + j] > top) top = g->score[i * SIDE + j];
      if (grid_prior(i, j) > *log_prior) *log_prior = grid_prior(i, j);
    }
  /* above the truth, here more and there less, so that even single cells must refuse */
  int excess = ((int)lo[0] + 2 * (int)lo[1]) % 3;
  *score = g->loose || top + excess > cap ? cap : top + excess;
  return hi[0] >= 1; /* the first row has no prior mass */
}

static bool grid_log_prior(void *ctx, const double *w, double *out)
{
  (void)ctx;
  *out = grid_prior(w[0], w[1]);
  return w[0] >= 1;
}

static bool grid_at_least(void *ctx, const double *w, int t)
{
  const grid *g = ctx;
  return g->always || g->score[(int)w[0] * SIDE + (int)w[1]] >= t;
}

static void fill_grid(grid *g)
{
  memset(g, 0, sizeof *g);
  for (int i = 0; i < SIDE; i++)
    for (int j = 0; j < SIDE; j++) {
      int a = i < SIDE - i ? i : SIDE - i, b = j < SIDE - j ? j : SIDE - j;
      g->score[i * SIDE + j] = a < b ? a : b;
    }
}

static void grid_law(const grid *g, double eps, double *p)
{
  double sum = 0;
  for (int c = 0; c < CELLS; c++) {
    double z[2] = {c / SIDE, c % SIDE};
    p[c] = z[0] >= 1 ? exp(eps * g->score[c] / 2 + grid_prior(z[0], z[1])) : 0;
    sum += p[c];
  }
  for (int c = 0; c < CELLS; c++)
    p[c] /= sum;
}

/* Does every leaf with prior mass have a weight, and every other node the sum of those below? */
static bool weights_add_up(const dpd_rejection *t)
{
  for (int j = 0; j < t->nodes; j++) {
    const dpd_rejection_node *b = dpd_rejection_at(t, j);
    if (b->left == 0 && (b->weight == 0) != (b->log_prior == -INFINITY)) return false;
    if (b->left != 0 && b->weight != dpd_rejection_at(t, b->left)->weight +
                                         dpd_rejection_at(t, b->left + 1)->weight)
      return false;
  }
  return true;
}

/* Does every node hold a point? */
static bool boxes_hold_points(const dpd_rejection *t)
{
  for (int j = 0; j < t->nodes; j++)
    for (int k = 0; k < 2; k++)
      if (!(dpd_rejection_lo(t, j)[k] <= dpd_rejection_hi(t, j)[k])) return false;
  return true;
}

static uint64_t calls;

/* Chi-square of draws with budget `eps` against the law at `claimed`, as a normal deviate. */
static double deviate_of(grid *g, double eps, double claimed, int draws)
{
  double p[CELLS], lo[2] = {0, 0}, hi[2] = {SIDE - 1, SIDE - 1}, unit[2] = {1, 1}, w[2];
  int *seen = calloc(CELLS, sizeof *seen);
  dpd_rejection_target target = {.ctx = g,
                                 .bound = grid_bound,
                                 .log_prior = grid_log_prior,
                                 .at_least = grid_at_least,
                                 .note = g->note};
  dpd_rejection *tree;
  dpd_rate rate;
  grid_law(g, claimed, p);
  CHECK(dpd_rate_from_double(eps, &rate) == DPD_OK);
  start(++calls);
  ctest_memory pool = {0};
  ctest_pool = &pool;
  dpd_rejection_spec spec = {target, 2, lo, hi, unit, CAP, rate, 1000, {0, 0, 0}};
  CHECK(dpd_rejection_open(&tree, &spec, ctest_alloc) == DPD_OK);
  if (g->again) { /* what the tree was before is forgotten */
    double core[4] = {4, 2, 6, 5};
    CHECK(dpd_rejection_carve(tree, core, core + 2) && tree->core > 0);
    (void)dpd_rejection_draw(tree, &source, 16, w);
    CHECK(dpd_rejection_reopen(tree, &spec) == DPD_OK);
    CHECK(tree->nodes == 1 && tree->proposals == 0);
    CHECK(tree->core == 0);
  }
  if (g->carved) {
    double outer[4] = {0, 2, 9, 11}, inner[4] = {4, 2, 6, 5}, none[4] = {7, 2, 9, 5};
    CHECK(dpd_rejection_carve(tree, outer, outer + 2));
    CHECK(dpd_rejection_carve(tree, inner, inner + 2));
    CHECK(!dpd_rejection_carve(tree, none, none + 2));
  }
  for (int k = 0; k < draws; k++) {
    dpd_status status;
    while ((status = dpd_rejection_draw(tree, &source, 16, w)) == DPD_AGAIN)
      continue;
    if (status != DPD_OK) CHECK(status == DPD_OK);
    seen[(int)w[0] * SIDE + (int)w[1]]++;
  }
  CHECK(boxes_hold_points(tree) && weights_add_up(tree));
  /* cells pooled, in their order, until 20 draws are expected; what is left joins no group */
  double stat = 0, df = -1, want = 0, got = 0;
  for (int c = 0; c < CELLS; c++) {
    if (p[c] == 0) CHECK(seen[c] == 0);
    want += p[c] * draws;
    got += seen[c];
    if (want < 20) continue;
    stat += (got - want) * (got - want) / want;
    df++;
    want = got = 0;
  }
  ctest_free(&pool);
  free(seen);
  double v = 2 / (9 * df);
  return (cbrt(stat / df) - (1 - v)) / sqrt(v);
}

static double deviate(grid *g, double eps, double claimed)
{
  return deviate_of(g, eps, claimed, ctest_some(DRAWS));
}

/* Upper 1e-6 point of the standard normal. */
static const double LIMIT = 4.7534;

static void test_law(void)
{
  static const double budgets[] = {0.01, 0.5, 2, 8};
  grid g;
  fill_grid(&g);
  for (int k = 0; k < 4; k++)
    CHECK(deviate(&g, budgets[k], budgets[k]) < LIMIT);
  g.again = true;
  CHECK(deviate(&g, 2, 2) < LIMIT);
  g.again = false;
  g.carved = true;
  CHECK(deviate(&g, 0.5, 0.5) < LIMIT);
  CHECK(deviate(&g, 2, 2) < LIMIT);
  g.loose = true;
  CHECK(deviate(&g, 0.5, 0.5) < LIMIT);
  fill_grid(&g);
  dpd_rejection_note note = {{0}, 0};
  g.note = &note;
  CHECK(deviate(&g, 2, 2) < LIMIT);
}

static void test_broken(void)
{
  grid g;
  fill_grid(&g);
  CHECK(deviate_of(&g, 1.1, 1.0, DRAWS) > LIMIT); /* epsilon 10% over */
  CHECK(deviate(&g, 2.0, 1.0) > LIMIT);           /* the factor 2 missing */
  g.always = true;
  CHECK(deviate(&g, 1.0, 1.0) > LIMIT); /* accepts without the bound's gap */
}

/* However long the tape lasts, its end is an error and no draw. */
static void test_fails_closed(void)
{
  grid g;
  fill_grid(&g);
  double lo[2] = {0, 0}, hi[2] = {SIDE - 1, SIDE - 1}, unit[2] = {1, 1}, w[2];
  dpd_rejection_target target = {
      .ctx = &g, .bound = grid_bound, .log_prior = grid_log_prior, .at_least = grid_at_least};
  uint64_t words[WORDS];
  dpd_rate rate;
  CHECK(dpd_rate_from_double(1, &rate) == DPD_OK);
  for (int i = 0; i < 64; i++)
    words[i] = 0x9E3779B97F4A7C15u * (uint64_t)(i + 1);
  int failed = 0, drawn = 0;
  for (size_t len = 0; len < WORDS; len += 20) {
    dpd_tape tape = {words, len, 0};
    dpd_rng rng;
    dpd_rejection *tree;
    ctest_memory pool = {0};
    ctest_pool = &pool;
    dpd_rng_open_tape(&rng, &tape);
    dpd_rejection_spec spec = {target, 2, lo, hi, unit, CAP, rate, 1000, {0, 0, 0}};
    CHECK(dpd_rejection_open(&tree, &spec, ctest_alloc) == DPD_OK);
    dpd_status status = dpd_rejection_draw(tree, &rng, 1 << 20, w);
    failed += status == DPD_ERR_ENTROPY;
    drawn += status == DPD_OK;
    ctest_free(&pool);
  }
  CHECK(failed > 0 && drawn > 0 && failed + drawn == WORDS / 20);
}

int main(void)
{
  test_law();
  test_broken();
  test_fails_closed();
#if DPD_REJECTION_UNITS < 60
  return ctest_report("rejection_tree");
#else
  return ctest_report("adaptive_rejection");
#endif
}
