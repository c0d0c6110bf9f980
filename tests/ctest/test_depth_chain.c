/* test_depth_chain.c - chains over simplicial, spatial and integrated depths: their law after a few
 * steps on a small lattice, from every start that the prior gives, by enumeration.
 *
 * Each chi-square test has an error rate of 1e-6. */
#include "ctest.h"
#include "ctest_law.h"
#include "ctest_memory.h"

#include <math.h>

#include "mech/depth_chain.h"
#include "samp/bernoulli.h"

enum { ROWS = 9, SIDE = 5, CELLS = SIDE * SIDE, DIRS = 4, CHAINS = 8000, STEPS = 30 };

static const double rows[2 * ROWS] = {-2, -1, -1, 0, 0, 0, 1, 2, 2, 0, 1, -2, 0, 0, 1, 2, -1, 1};
static const double dirs[2 * DIRS] = {1, 0, 0.6, 0.8, 0, 1, 0.8, -0.6};

typedef struct {
  dpd_score_kind kind;
  bool normal;
  double eps, smooth;
  int chains, steps;
} setting;

static dpd_depth_median_spec spec_of(const setting *s, double *a, double *b)
{
  static const double step[2] = {1, 1};
  bool along = s->kind == DPD_SCORE_IRW || s->kind == DPD_SCORE_IDD || s->smooth > 0;
  for (int j = 0; j < 2; j++) {
    a[j] = s->normal ? 0.5 * j : -(SIDE / 2);
    b[j] = s->normal ? 0.8 : SIDE / 2;
  }
  dpd_depth_median_spec spec = {.kind = s->kind,
                                .n = ROWS,
                                .d = 2,
                                .data = rows,
                                .prior = {s->normal, 2, a, b, step, false},
                                .count = along ? DIRS : 0,
                                .dirs = dirs,
                                .smooth = s->smooth};
  CHECK(dpd_rate_from_double(s->eps, &spec.eps) == DPD_OK);
  return spec;
}

static void cell_point(int c, double *z)
{
  z[0] = c % SIDE - SIDE / 2;
  z[1] = c / SIDE - SIDE / 2;
}

static void set_law(const setting *s, const dpd_depth_median_spec *spec, double *weight)
{
  dpd_depth_median *m;
  dpd_depth_median_spec own = *spec;
  own.chain = true;
  CHECK(dpd_depth_median_open(&m, &own, ctest_alloc) == DPD_OK);
  for (int c = 0; c < CELLS; c++) {
    double z[2], log_prior = 0;
    int parts;
    cell_point(c, z); /* the origin is 0 */
    for (int j = 0; j < 2 && s->normal; j++)
      log_prior -= pow((z[j] - spec->prior.a[j]) / spec->prior.b[j], 2) / 2;
    double score = dpd_depth_median_score(m, z, &parts);
    weight[c] = exp(log_prior + s->eps * score / (2.0 * parts));
  }
}

/* Last states of all chains; a normal prior's few beyond the lattice that is looked at are left. */
static void check_law(setting s)
{
  static double weight[CELLS], trace[2 * CHAINS * STEPS];
  long count[CELLS] = {0}, inside = 0;
  double a[2], b[2], x[2];
  ctest_memory memory = {NULL, 0};
  ctest_pool = &memory;
  s.chains = ctest_some(s.chains);
  dpd_depth_median_spec spec = spec_of(&s, a, b);
  set_law(&s, &spec, weight);
  dpd_depth_chain *chain;
  dpd_depth_run run = {s.chains, s.steps, false, trace};
  CHECK(dpd_depth_chain_open(&chain, &spec, ctest_alloc) == DPD_OK);
  while (dpd_depth_chain_draw(chain, &source, &run, x) == DPD_AGAIN)
    ;
  for (int c = 0; c < s.chains; c++) {
    const double *last = trace + c * s.steps + s.steps - 1;
    double i = last[0] + SIDE / 2, j = last[s.chains * s.steps] + SIDE / 2;
    if (!(i >= 0 && i < SIDE && j >= 0 && j < SIDE)) continue;
    count[(int)i + SIDE * (int)j]++;
    inside++;
  }
  CHECK(inside > s.chains - s.chains / 20);
  CHECK(law_holds(count, weight, CELLS, inside));
  ctest_free(&memory);
}

/* The draw is the last state of one of the chains, of two of them each as often: 300 runs, the
 * error rate of the limits is below 1e-6. The published steps run, and stay in the support. */
static void check_pick(bool plain)
{
  enum { RUNS = 300, FEW = 4 };
  setting s = {DPD_SCORE_IDD_SMOOTH, false, 1, 2, 0, 0};
  double trace[2 * 2 * FEW], a[2], b[2], x[2];
  int first = 0, apart = 0;
  ctest_memory memory = {NULL, 0};
  ctest_pool = &memory;
  dpd_depth_median_spec spec = spec_of(&s, a, b);
  dpd_depth_chain *chain;
  dpd_depth_run run = {2, FEW, plain, trace};
  CHECK(dpd_depth_chain_open(&chain, &spec, ctest_alloc) == DPD_OK);
  for (int i = 0; i < RUNS; i++) {
    x[0] = x[1] = NAN;
    CHECK(dpd_depth_chain_draw(chain, &source, &run, x) == DPD_OK);
    const double *p = trace + FEW - 1, *q = p + FEW;
    bool is_first = x[0] == p[0] && x[1] == p[2 * FEW];
    bool is_second = x[0] == q[0] && x[1] == q[2 * FEW];
    CHECK(is_first || is_second);
    CHECK(fabs(x[0]) <= 2 && fabs(x[1]) <= 2);
    apart += is_first != is_second;
    first += is_first && !is_second;
  }
  CHECK(apart > RUNS / 2);
  CHECK(fabs(first - 0.5 * apart) < 2.5 * sqrt((double)apart));
  ctest_free(&memory);
}

/* Rows too far apart for all nodes to be kept: the smoothed score from the definition. Nodes are
 * whole numbers here, so that rows lie on them. */
static void check_far_rows(void)
{
  static const double x[5] = {-1e5, -99990, 0, 7, 1e5}, a = -2e5, b = 2e5, step = 1, u = 1;
  static const double at[] = {-100040, -1e5, -99993, -50000, 0, 3, 50000, 99990, 1e5, 100030, 2e5};
  const double slope = 0.1;
  ctest_memory memory = {NULL, 0};
  ctest_pool = &memory;
  dpd_depth_median_spec spec = {.kind = DPD_SCORE_IDD_SMOOTH,
                                .n = 5,
                                .d = 1,
                                .data = x,
                                .prior = {false, 1, &a, &b, &step, false},
                                .count = 1,
                                .dirs = &u,
                                .smooth = slope};
  dpd_depth_median *m;
  CHECK(dpd_depth_median_open(&m, &spec, ctest_alloc) == DPD_OK);
  for (size_t k = 0; k < sizeof at / sizeof *at; k++) {
    double sum = 0;
    int parts;
    for (int i = 0; i < 5; i++)
      sum += 1 / (1 + exp(-slope * (at[k] - x[i])));
    double found = dpd_depth_median_score(m, at + k, &parts) / parts;
    CHECK(fabs(found - sum * (5 - sum) / 4) < 1e-3);
  }
  ctest_free(&memory);
}

int main(void)
{
  start(5);
  check_far_rows();
  check_law((setting){DPD_SCORE_IRW, false, 2, 0, 2000, 30});
  check_law((setting){DPD_SCORE_IDD, true, 2, 0, 2000, 30});
  check_law((setting){DPD_SCORE_IDD_SMOOTH, false, 4, 3, 2000, 30});
  check_law((setting){DPD_SCORE_IDD_SMOOTH, true, 1, 1, 2000, 30});
  check_law((setting){DPD_SCORE_SPATIAL, false, 3, 0, 2000, 20});
  check_law((setting){DPD_SCORE_SPATIAL_MODIFIED, true, 3, 0, 8000, 15});
  check_law((setting){DPD_SCORE_SIMPLICIAL, false, 4, 0, 2000, 20});
  check_pick(false);
  check_pick(true);
  return ctest_report("depth_chain");
}
