/* test_regression_chain.c - the chain over regression depth: its law after a few steps on a small
 * lattice, from every start that the prior gives, by enumeration.
 *
 * Each chi-square test has an error rate of 1e-6. */
#include "ctest.h"
#include "ctest_law.h"
#include "ctest_memory.h"

#include <math.h>

#include "mech/regression_chain.h"

enum { ROWS = 7, SIDE = 9, CELLS = SIDE * SIDE, CHAINS = 4000, STEPS = 30 };

static const double x[ROWS] = {0, 1, 1, 2, 3, 3, 3}, y[ROWS] = {1, 0, 2, 2, 4, 3, 2};

/* The draw is the last state of one of the chains, of two of them each as often: 300 runs, the
 * error rate of the limits is below 1e-6. */
static void check_pick(dpd_regression_chain *chain, dpd_rng *rng)
{
  enum { RUNS = 300, FEW = 4 };
  double trace[2 * 2 * FEW], theta[2];
  int first = 0, apart = 0;
  for (int i = 0; i < RUNS; i++) {
    theta[0] = theta[1] = NAN;
    CHECK(dpd_regression_chain_draw(chain, rng, 2, FEW, trace, theta) == DPD_OK);
    const double *a = trace + FEW - 1, *b = a + FEW;
    bool is_a = theta[0] == a[0] && theta[1] == a[2 * FEW];
    bool is_b = theta[0] == b[0] && theta[1] == b[2 * FEW];
    CHECK(is_a || is_b);
    apart += is_a != is_b;
    first += is_a && !is_b;
  }
  CHECK(apart > RUNS / 2);
  CHECK(fabs(first - 0.5 * apart) < 2.5 * sqrt((double)apart));
}

static void check_law(bool normal, int above, int below)
{
  static double fit[2 * ROWS], weight[CELLS], flat[CELLS], trace[2 * CHAINS * STEPS];
  long count[CELLS] = {0};
  double a[2], b[2], step[2] = {1, 1}, theta[2];
  ctest_memory memory = {NULL, 0};
  ctest_pool = &memory;
  for (int i = 0; i < ROWS; i++) {
    fit[i] = 1;
    fit[i + ROWS] = x[i];
  }
  for (int j = 0; j < 2; j++) {
    a[j] = normal ? 0.5 * j : -(SIDE / 2);
    b[j] = normal ? 1 : SIDE / 2;
  }
  dpd_regression_spec spec = {.n = ROWS,
                              .k = 2,
                              .count = 1,
                              .fit = fit,
                              .y = y,
                              .projection = x,
                              .prior = {normal, 2, a, b, step, false},
                              .eps = {(uint64_t)3 << (DPD_RATE_BITS - 1)},
                              .tie = 0.5,
                              .above = above,
                              .below = below};
  dpd_regression *m;
  dpd_regression_chain *chain;
  CHECK(dpd_regression_open(&m, &spec, ctest_alloc) == DPD_OK);
  for (int c = 0; c < CELLS; c++) {
    double z[2] = {c % SIDE - SIDE / 2, c / SIDE - SIDE / 2}; /* the origin is 0 */
    double u = z[0] - a[0], v = z[1] - a[1];
    flat[c] = normal ? exp(-0.5 * (u * u + v * v)) : 1;
    weight[c] = flat[c] * exp(0.75 * dpd_regression_score(m, z) / (above > below ? above : below));
  }
  CHECK(dpd_regression_chain_open(&chain, &spec, ctest_alloc) == DPD_OK);
  while (dpd_regression_chain_draw(chain, &source, CHAINS, STEPS, trace, theta) == DPD_AGAIN)
    ;
  for (int c = 0; c < CHAINS; c++) {
    const double *last = trace + c * STEPS + STEPS - 1;
    int i = (int)last[0] + SIDE / 2, j = (int)last[CHAINS * STEPS] + SIDE / 2;
    if (i >= 0 && i < SIDE && j >= 0 && j < SIDE) count[i + SIDE * j]++;
  }
  CHECK(law_holds(count, weight, CELLS, CHAINS));
  CHECK(!law_holds(count, flat, CELLS, CHAINS));
  check_pick(chain, &source);
  ctest_free(&memory);
}

int main(void)
{
  start(11);
  check_law(false, 1, 1);
  check_law(false, 3, 1);
  check_law(true, 1, 1);
  return ctest_report("regression_chain");
}
