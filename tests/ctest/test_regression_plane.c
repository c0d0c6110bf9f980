/* test_regression_plane.c - private lines by row cuts: leaves partition the lattice, are counted
 * exactly and bound scores and prior; scores by their definition; the law of draws.
 *
 * Each chi-square test has an error rate of 1e-6. */
#include "ctest.h"
#include "ctest_law.h"
#include "ctest_lines.h"
#include "ctest_memory.h"

#include <math.h>

#include "mech/regression_plane_state.h"
#include "mech/regression_state.h"
#include "samp/bernoulli.h"

enum {
  SETS = 300,
  LAWS = 60,
  DRAWS = 6000,
  MOST = 14,     /* rows of a small set */
  CURVED = 120,  /* rows on a parabola */
  SIDE = 81,     /* points of an axis that are looked at, at most */
  LEAVES = 6000, /* that a small set is cut into, at most */
};

/* Few rows with many ties, on lines through one point, at two places, far from the origin; numbers
 * that doubles hold, so that the definition below has no rounding. */
static void fill_small(problem *p, int set)
{
  static const double steps[] = {0.5, 0.25, 0.125};
  seed = (uint64_t)set * 7919 + 5;
  for (int k = 0; k < 10; k++)
    (void)pick(2);
  int n = 1 + pick(MOST), kind = pick(6);
  double off = pick(4) == 0 ? 1000.25 : 0;
  for (int i = 0; i < n; i++) {
    double c = pick(3), at = pick(2) ? 3 : -3;
    double x[] = {pick(2), pick(5) - 2, c + pick(2) / 16.0, i, pick(3) / 8.0, at + pick(3) / 64.0};
    p->x[i] = x[kind];
    double y[] = {2 * pick(2),          pick(5) - 2,         2 * c + pick(2) / 16.0,
                  pick(3) - 1 + i / 2., pick(4) / 8. - .375, at / 2 + pick(3) / 64.0};
    p->y[i] = y[kind] + off;
  }
  set_spec(p, n, pick(2) ? 0.7 : 6);
  for (int i = 0; kind == 4 && i < n; i++) { /* predictions at 0 and 1 */
    p->fit[i] = 1 - p->x[i];
    p->fit[i + n] = p->x[i];
  }
  p->kind = (prior_kind)pick(PRIORS);
  p->spec.prior.normal = p->kind == NORMAL;
  p->spec.prior.dyadic = p->kind == DYADIC;
  p->spec.tie = pick(3) ? 0.5 : 0;
  if (p->kind != DYADIC) p->spec.prior.resolution = p->step;
  for (int j = 0; j < 2; j++) {
    double o = j == 0 ? off : 0;
    p->step[j] = steps[pick(3)];
    p->a[j] = p->kind == UNIFORM ? o - 3 + j : o;
    p->b[j] = p->kind == UNIFORM ? o + 3.25 - j : 0.25;
  }
  int weights = pick(4);
  if (weights == 1) p->spec.above = 3;
  if (weights == 2) p->spec.below = 4;
  p->spec.shifted = weights == 2;
}

/* Rows on a parabola, around a region that no row's line enters. */
static void fill_curve(problem *p)
{
  for (int i = 0; i < CURVED; i++) {
    p->x[i] = i / 32.0 - 2;
    p->y[i] = p->x[i] * p->x[i];
  }
  set_spec(p, CURVED, 0.25);
  p->kind = UNIFORM;
  p->spec.prior.resolution = p->step;
  for (int j = 0; j < 2; j++) {
    p->step[j] = 0.25;
    p->a[j] = -10;
    p->b[j] = 10;
  }
}

enum { CURVE_SET = -1 };

static void fill_set(problem *p, int set)
{
  if (set == CURVE_SET)
    fill_curve(p);
  else
    fill_small(p, set);
}

/* The definition: the least weight over splits and both sides. */
static int slow_score(const dpd_regression_plane *m, const double *z)
{
  const dpd_regression_spec *s = &m->spec;
  int n = s->n, best = 1 << 30, one[CURVED], other[CURVED];
  int heavier = s->above > s->below ? s->above : s->below, both = s->above + s->below;
  for (int i = 0; i < n; i++) {
    double f = 0, tie = 0;
    for (int j = 0; j < 2; j++) {
      f += s->fit[i + j * n] * dpd_lattice_value(&m->prior.lattice, j, z[j]);
      tie += s->tie * fabs(s->fit[i + j * n]) * m->prior.lattice.step[j];
    }
    int above = f <= s->y[i] + tie, below = f >= s->y[i] - tie;
    one[i] = s->shifted ? both * above - s->below + heavier : s->above * above;
    other[i] = s->shifted ? both * below - s->above + heavier : s->below * below;
  }
  for (int k = -1; k < n; k++) {
    int u = 0, v = 0;
    for (int i = 0; i < n; i++) {
      bool left = k >= 0 && s->projection[i] <= s->projection[k];
      u += left ? one[i] : other[i];
      v += left ? other[i] : one[i];
    }
    if (u < best) best = u;
    if (v < best) best = v;
  }
  return best;
}

/* Is z among the points of the step's node, if it is among its parent's? */
static bool meets(const dpd_regression_plane *m, const dpd_plane_node *step, const double *z)
{
  if (step->sign == DPD_PLANE_ANY) return true;
  if (step->row < 0)
    return step->sign == DPD_PLANE_ABOVE ? z[-1 - step->row] <= step->cut
                                         : z[-1 - step->row] > step->cut;
  const dpd_plane_row *r = m->row + step->row;
  dpd_i128 v = dpd_plane_value(r, z);
  bool above = v <= r->top, below = v >= r->top - r->gap;
  return step->sign == (above && below ? DPD_PLANE_ON : above ? DPD_PLANE_ABOVE : DPD_PLANE_BELOW);
}

/* The leaf that holds z; -1 unless there is just one. */
static int leaf_of(const dpd_regression_plane *m, const double *z)
{
  int j = 0;
  while (dpd_rejection_at(m->tree, j)->left != 0) {
    const dpd_rejection_node *b = dpd_rejection_at(m->tree, j);
    int hits = 0;
    for (int k = 0; k < b->parts; k++)
      if (meets(m, m->node + b->left + k, z)) {
        hits++;
        j = b->left + k;
      }
    if (hits != 1) return -1;
  }
  return j;
}

/* The support's box, or its middle. */
static bool range_of(const dpd_regression_plane *m, double lo[2], double hi[2])
{
  bool whole = true;
  for (int j = 0; j < 2; j++) {
    lo[j] = fmax(m->prior.lattice.lo[j], -SIDE / 2);
    hi[j] = fmin(m->prior.lattice.hi[j], SIDE / 2);
    whole = whole && lo[j] == m->prior.lattice.lo[j] && hi[j] == m->prior.lattice.hi[j];
  }
  return whole;
}

static double log_prior(const dpd_regression_plane *m, const double *z)
{
  double out = 0;
  if (m->prior.mass == NULL) {
    CHECK(dpd_lattice_log_prior(&m->prior.lattice, z, &out));
    return out;
  }
  for (int j = 0; j < 2; j++)
    out += log((double)dpd_mass_between(m->prior.mass, (int64_t)z[j], (int64_t)z[j]));
  return out;
}

/* All of a small set's leaves are cut; every point is looked at. */
static void check_leaves(int set)
{
  static problem p;
  ctest_memory pool = {0};
  ctest_pool = &pool;
  dpd_regression_plane *m;
  double lo[2], hi[2], z[2];
  int apart = 0, low = 0, loose = 0, wrong = 0, count = 0, most;
  fill_set(&p, set);
  CHECK(dpd_regression_plane_open(&m, &p.spec, ctest_alloc) == DPD_OK);
  most = p.kind == UNIFORM ? LEAVES : 600;
  for (int d = 0; set == CURVE_SET && d < 300; d++)
    while (dpd_regression_plane_draw(m, &source, z) == DPD_AGAIN)
      ;
  for (int j = 0; set != CURVE_SET && j < m->tree->nodes && m->tree->nodes < most; j++)
    if (dpd_rejection_at(m->tree, j)->log_prior > -INFINITY) dpd_rejection_split(m->tree, j);
  bool exact = p.kind == UNIFORM && set != CURVE_SET && m->tree->nodes < most,
       whole = range_of(m, lo, hi);
  double *points = calloc((size_t)m->tree->nodes, sizeof *points);
  for (z[0] = lo[0]; z[0] <= hi[0]; z[0]++)
    for (z[1] = lo[1]; z[1] <= hi[1]; z[1]++) {
      int j = leaf_of(m, z), score = dpd_regression_plane_score(m, z);
      if (j < 0) {
        apart++;
        continue;
      }
      points[j]++;
      wrong += score != slow_score(m, z);
      low += score > dpd_rejection_at(m->tree, j)->bound;
      low += log_prior(m, z) > dpd_rejection_at(m->tree, j)->log_prior + 1e-9;
      loose += score != dpd_rejection_at(m->tree, j)->bound;
    }
  for (int j = 0; whole && j < m->tree->nodes; j++) {
    const dpd_rejection_node *b = dpd_rejection_at(m->tree, j);
    if (b->left != 0) continue;
    double counted = b->log_prior == -INFINITY ? 0 : exp(b->log_count);
    count += fabs(counted - points[j]) > 1e-9 * (1 + counted);
  }
  bool halved = false;
  for (int j = 0; j < m->tree->nodes; j++)
    halved = halved || m->node[j].row < 0;
  CHECK(set != CURVE_SET || (whole && halved));
  CHECK(apart == 0);           /* each point is in one leaf */
  CHECK(wrong == 0);           /* scores are those of the definition */
  CHECK(low == 0);             /* bounds are bounds */
  CHECK(!exact || loose == 0); /* and scores, where all is decided */
  CHECK(count == 0);           /* leaves are counted */
  free(points);
  dpd_regression_plane_close(m);
  ctest_free(&pool);
}

/* Draws of small sets, each of a tree that is begun anew after some. */
static bool law_is_right(int set)
{
  static problem p;
  static double weight[SIDE * SIDE + 1];
  static long count[SIDE * SIDE + 1];
  double lo[2], hi[2], z[2], theta[2];
  fill_set(&p, set);
  if (p.kind == DYADIC) return true; /* whose support has no end: see check_shells() */
  memset(count, 0, sizeof count);
  int draws = ctest_some(DRAWS), side = 0;
  for (int d = 0; d < draws;) {
    ctest_memory pool = {0};
    ctest_pool = &pool;
    dpd_regression_plane *m;
    CHECK(dpd_regression_plane_open(&m, &p.spec, ctest_alloc) == DPD_OK);
    (void)range_of(m, lo, hi);
    side = (int)(hi[1] - lo[1]) + 1;
    for (int t = 0; t < 60; t++, d++) {
      dpd_status status;
      while ((status = dpd_regression_plane_draw(m, &source, theta)) == DPD_AGAIN)
        ;
      CHECK(status == DPD_OK);
      bool in = true;
      for (int j = 0; j < 2; j++) {
        z[j] = rint(theta[j] / m->prior.lattice.step[j]) - m->prior.lattice.origin[j];
        in = in && z[j] >= lo[j] && z[j] <= hi[j];
      }
      count[in ? (int)(z[0] - lo[0]) * side + (int)(z[1] - lo[1]) : SIDE * SIDE]++;
    }
    if (d >= draws) {
      uint64_t heavy = (uint64_t)dpd_regression_sensitivity(&p.spec);
      double rate = ldexp((double)(p.spec.eps.num / heavy), -DPD_RATE_BITS - 1);
      memset(weight, 0, sizeof weight);
      for (z[0] = m->prior.lattice.lo[0]; z[0] <= m->prior.lattice.hi[0]; z[0]++)
        for (z[1] = m->prior.lattice.lo[1]; z[1] <= m->prior.lattice.hi[1]; z[1]++) {
          bool in = z[0] >= lo[0] && z[0] <= hi[0] && z[1] >= lo[1] && z[1] <= hi[1];
          int at = in ? (int)(z[0] - lo[0]) * side + (int)(z[1] - lo[1]) : SIDE * SIDE;
          double prior = log_prior(m, z);
          if (in || prior > -40) weight[at] += exp(rate * slow_score(m, z) + prior);
        }
      dpd_regression_plane_close(m);
      ctest_free(&pool);
      return law_holds(count, weight, SIDE * SIDE + 1, d);
    }
    dpd_regression_plane_close(m);
    ctest_free(&pool);
  }
  return false;
}

/* Without rows that say anything the draws are the dyadic prior's: equal shells. */
static void check_shells(void)
{
  static problem p;
  enum { SHELLS = DPD_REGRESSION_SHELLS + 1 };
  long count[SHELLS * SHELLS] = {0};
  double weight[SHELLS * SHELLS], theta[2];
  int draws = ctest_some(30000);
  ctest_memory pool = {0};
  ctest_pool = &pool;
  dpd_regression_plane *m;
  p.x[0] = p.y[0] = 1;
  p.b[0] = p.b[1] = 1;
  p.a[0] = p.a[1] = 0;
  set_spec(&p, 1, 1e-6);
  p.spec.prior.dyadic = true;
  CHECK(dpd_regression_plane_open(&m, &p.spec, ctest_alloc) == DPD_OK);
  for (int d = 0; d < draws; d++) {
    int shell[2];
    while (dpd_regression_plane_draw(m, &source, theta) == DPD_AGAIN)
      ;
    for (int j = 0; j < 2; j++)
      (void)frexp(theta[j], shell + j);
    count[shell[0] * SHELLS + shell[1]]++;
  }
  for (int i = 0; i < SHELLS * SHELLS; i++)
    weight[i] = 1;
  CHECK(law_holds(count, weight, SHELLS * SHELLS, draws));
  dpd_regression_plane_close(m);
  ctest_free(&pool);
}

/* -- how many nodes a first draw takes */

int main(void)
{
  int wrong = 0, sets = getenv("DPDEPTH_SLOW") != NULL ? 20 * SETS : ctest_some(SETS);
  start(41);
  for (int set = 0; set < sets; set++)
    check_leaves(set);
  for (int set = 0; set < ctest_some(LAWS); set++)
    wrong += !law_is_right(set);
  check_leaves(CURVE_SET);
  wrong += !law_is_right(CURVE_SET);
  CHECK(wrong == 0);
  check_shells();
  return ctest_report("regression_plane");
}
