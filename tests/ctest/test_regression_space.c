/* test_regression_space.c - private planes by row cuts: leaves partition the lattice, lie in their
 * boxes and bound scores and prior; scores by their definition; the law of draws.
 *
 * Each chi-square test has an error rate of 1e-6. */
#include "ctest.h"
#include "ctest_law.h"
#include "ctest_memory.h"

#include <math.h>

#include "mech/regression_space_state.h"
#include "mech/regression_state.h"
#include "samp/bernoulli.h"

enum {
  SETS = 200,
  LAWS = 40,
  DRAWS = 4000,
  MOST = 12,     /* rows of a small set */
  TURNS = 4,     /* directions, at most */
  SIDE = 9,      /* points of an axis that are looked at, at most */
  LEAVES = 3000, /* that a small set is cut into, at most */
};

typedef enum { UNIFORM, NORMAL, DYADIC, PRIORS } prior_kind;

typedef struct {
  double fit[3 * MOST], y[MOST], projection[TURNS * MOST], a[3], b[3], step[3];
  dpd_regression_spec spec;
  prior_kind kind;
} problem;

static uint64_t seed;

/* Uniform on 0..below - 1. */
static int pick(int below)
{
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (int)((seed >> 33) % (uint64_t)below);
}

/* Few rows with many ties, through one point, along one line, far from the origin; numbers that
 * doubles hold, so that the definition below has no rounding. */
static void fill_set(problem *p, int set)
{
  static const double steps[] = {0.5, 0.25, 1}, turn[TURNS][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -2}};
  seed = (uint64_t)set * 7919 + 5;
  for (int k = 0; k < 10; k++)
    (void)pick(2);
  int n = 1 + pick(MOST), kind = pick(6), turns = 1 + pick(TURNS);
  double off = pick(4) == 0 ? 1000.25 : 0;
  *p = (problem){.kind = (prior_kind)pick(PRIORS)};
  for (int i = 0; i < n; i++) {
    double c = pick(3);
    double x[][2] = {{pick(2), pick(2)}, {pick(5) - 2, pick(5) - 2}, {c, c + pick(2) / 16.0},
                     {i, i * i},         {pick(3) / 8., pick(2)},    {pick(4), 0}};
    double y[] = {2 * pick(2), pick(5) - 2, 2 * c + pick(2) / 16., i / 2., pick(4) / 8., pick(3)};
    const double *at = x[kind];
    p->fit[i] = 1;
    p->fit[i + n] = at[0];
    p->fit[i + 2 * n] = at[1];
    p->y[i] = y[kind] + off;
    for (int u = 0; u < turns; u++)
      p->projection[i + u * n] = turn[u][0] * at[0] + turn[u][1] * at[1];
    if (kind == 4) p->fit[i] = 1 - at[0]; /* predictions at 0 and 1 */
  }
  p->spec = (dpd_regression_spec){.n = n,
                                  .k = 3,
                                  .count = turns,
                                  .fit = p->fit,
                                  .y = p->y,
                                  .projection = p->projection,
                                  .prior = {.d = 3, .a = p->a, .b = p->b},
                                  .tie = pick(3) ? 0.5 : 0,
                                  .above = 1,
                                  .below = 1};
  CHECK(dpd_rate_from_double(pick(2) ? 0.7 : 6, &p->spec.eps) == DPD_OK);
  p->spec.prior.normal = p->kind == NORMAL;
  p->spec.prior.dyadic = p->kind == DYADIC;
  if (p->kind != DYADIC) p->spec.prior.resolution = p->step;
  for (int j = 0; j < 3; j++) {
    double o = j == 0 ? off : 0;
    p->step[j] = steps[pick(3)];
    p->a[j] = p->kind == UNIFORM ? o - 3 * p->step[j] : o;
    p->b[j] = p->kind == UNIFORM ? o + (2 + j) * p->step[j] : p->kind == NORMAL ? 0.4 : 0.25;
  }
  int weights = pick(4);
  if (weights == 1) p->spec.above = 3;
  if (weights == 2) p->spec.below = 4;
  p->spec.shifted = weights == 2;
}

/* The definition: the least weight over directions, splits and both sides. */
static int slow_score(const dpd_regression_space *m, const double *z)
{
  const dpd_regression_spec *s = &m->spec;
  int n = s->n, best = 1 << 30, one[MOST], other[MOST];
  int heavier = s->above > s->below ? s->above : s->below, both = s->above + s->below;
  for (int i = 0; i < n; i++) {
    double f = 0, tie = 0;
    for (int j = 0; j < 3; j++) {
      f += s->fit[i + j * n] * dpd_lattice_value(&m->lattice, j, z[j]);
      tie += s->tie * fabs(s->fit[i + j * n]) * m->lattice.step[j];
    }
    int above = f <= s->y[i] + tie, below = f >= s->y[i] - tie;
    one[i] = s->shifted ? both * above - s->below + heavier : s->above * above;
    other[i] = s->shifted ? both * below - s->above + heavier : s->below * below;
  }
  for (int u = 0; u < s->count; u++)
    for (int k = -1; k < n; k++) {
      const double *x = s->projection + (size_t)u * (size_t)n;
      int v = 0, w = 0;
      for (int i = 0; i < n; i++) {
        bool left = k >= 0 && x[i] <= x[k];
        v += left ? one[i] : other[i];
        w += left ? other[i] : one[i];
      }
      if (v < best) best = v;
      if (w < best) best = w;
    }
  return best;
}

/* Is z among the points of the step's node, if it is among its parent's? */
static bool meets(const dpd_regression_space *m, const dpd_space_node *step, const double *z)
{
  if (step->sign == DPD_SPACE_ANY) return true;
  if (step->row < 0)
    return step->sign == DPD_SPACE_ABOVE ? z[-1 - step->row] <= step->cut
                                         : z[-1 - step->row] > step->cut;
  const dpd_space_row *r = m->row + step->row;
  dpd_i128 v = dpd_space_value(r, z);
  bool above = v <= r->top, below = v >= r->top - r->gap;
  return step->sign == (above && below ? DPD_SPACE_ON : above ? DPD_SPACE_ABOVE : DPD_SPACE_BELOW);
}

/* The leaf that holds z; -1 unless there is just one. */
static int leaf_of(const dpd_regression_space *m, const double *z)
{
  int j = 0;
  while (dpd_rejection_at(m->tree, j)->left != 0) {
    const dpd_rejection_node *b = dpd_rejection_at(m->tree, j);
    int hits = 0, next = j;
    for (int k = 0; k < b->parts; k++)
      if (meets(m, m->node + b->left + k, z)) {
        hits++;
        next = b->left + k;
      }
    if (hits != 1) return -1;
    j = next;
  }
  return j;
}

/* Is z in the box? Its w by the definition. */
static bool in_box(const dpd_lattice_frame *f, const double *z)
{
  double w[3], a = z[f->axis[0]], b = z[f->axis[1]];
  w[0] = a;
  w[1] = b + floor(ldexp((double)f->s * a, -f->bits[0]) + 0.5);
  w[2] = z[f->axis[2]] + floor(ldexp((double)f->t * a + (double)f->u * b, -f->bits[1]) + 0.5);
  for (int j = 0; j < 3; j++)
    if (w[j] < f->lo[j] || w[j] > f->hi[j]) return false;
  double back[3];
  dpd_lattice_frame_point(f, w, back);
  return back[0] == z[0] && back[1] == z[1] && back[2] == z[2];
}

/* The support's box, or its middle. */
static bool range_of(const dpd_regression_space *m, double lo[3], double hi[3])
{
  bool whole = true;
  for (int j = 0; j < 3; j++) {
    lo[j] = fmax(m->lattice.lo[j], -(SIDE / 2));
    hi[j] = fmin(m->lattice.hi[j], SIDE / 2);
    whole = whole && lo[j] == m->lattice.lo[j] && hi[j] == m->lattice.hi[j];
  }
  return whole;
}

static bool advance(double *z, const double *lo, const double *hi)
{
  for (int j = 0; j < 3; j++) {
    if (z[j] < hi[j]) {
      z[j]++;
      return true;
    }
    z[j] = lo[j];
  }
  return false;
}

static double log_prior(const dpd_regression_space *m, const double *z)
{
  double out = 0;
  if (m->mass == NULL) {
    CHECK(dpd_lattice_log_prior(&m->lattice, z, &out));
    return out;
  }
  for (int j = 0; j < 3; j++)
    out += log((double)dpd_mass_between(m->mass, (int64_t)z[j], (int64_t)z[j]));
  return out;
}

/* All of a small set's leaves are cut; every point is looked at. */
static void check_leaves(int set)
{
  static problem p;
  ctest_memory pool = {0};
  ctest_pool = &pool;
  dpd_regression_space *m;
  double lo[3], hi[3], z[3];
  int apart = 0, out = 0, low = 0, loose = 0, wrong = 0, most;
  fill_set(&p, set);
  CHECK(dpd_regression_space_open(&m, &p.spec, ctest_alloc) == DPD_OK);
  most = p.kind == UNIFORM ? LEAVES : 600;
  for (int j = 0; j < m->tree->nodes && m->tree->nodes < most; j++)
    if (dpd_rejection_at(m->tree, j)->log_prior > -INFINITY) dpd_rejection_split(m->tree, j);
  bool ended = m->tree->nodes < most;
  (void)range_of(m, lo, hi);
  memcpy(z, lo, sizeof z);
  do {
    int j = leaf_of(m, z), score = dpd_regression_space_score(m, z);
    wrong += score != slow_score(m, z);
    if (j < 0) {
      apart++;
      continue;
    }
    const dpd_rejection_node *leaf = dpd_rejection_at(m->tree, j);
    out += !in_box(&m->node[j].frame, z);
    low += score > leaf->bound;
    low += log_prior(m, z) > leaf->log_prior + 1e-9;
    loose += ended && score != leaf->bound;
  } while (advance(z, lo, hi));
  CHECK(apart == 0);                            /* each point is in one leaf, */
  CHECK(out == 0);                              /* and in its box */
  CHECK(wrong == 0);                            /* scores are those of the definition */
  CHECK(low == 0);                              /* bounds are bounds */
  CHECK(p.kind != UNIFORM || loose == 0);       /* and scores, where all is decided, */
  CHECK(p.kind != UNIFORM || set < 0 || ended); /* which ends */
  ctest_free(&pool);
}

static int index_of(const double *z, const double *lo, const double *hi)
{
  int at = 0;
  for (int j = 0; j < 3; j++) {
    if (z[j] < lo[j] || z[j] > hi[j]) return SIDE * SIDE * SIDE;
    at = at * SIDE + (int)(z[j] - lo[j]);
  }
  return at;
}

/* Draws of small sets, each of a tree that is begun anew after some. */
static bool law_is_right(int set)
{
  static problem p;
  static double weight[SIDE * SIDE * SIDE + 1];
  static long count[SIDE * SIDE * SIDE + 1];
  double lo[3], hi[3], z[3], theta[3];
  fill_set(&p, set);
  if (p.kind == DYADIC) return true; /* whose support has no end: see check_shells() */
  memset(count, 0, sizeof count);
  int draws = ctest_some(DRAWS) / 60 * 60;
  for (int d = 0; d < draws;) {
    ctest_memory pool = {0};
    ctest_pool = &pool;
    dpd_regression_space *m;
    CHECK(dpd_regression_space_open(&m, &p.spec, ctest_alloc) == DPD_OK);
    (void)range_of(m, lo, hi);
    for (int t = 0; t < 60; t++, d++) {
      dpd_status status;
      while ((status = dpd_regression_space_draw(m, &source, theta)) == DPD_AGAIN)
        ;
      CHECK(status == DPD_OK);
      for (int j = 0; j < 3; j++)
        z[j] = rint(theta[j] / m->lattice.step[j]) - m->lattice.origin[j];
      count[index_of(z, lo, hi)]++;
    }
    if (d >= draws) {
      uint64_t heavy = (uint64_t)dpd_regression_sensitivity(&p.spec);
      double rate = ldexp((double)(p.spec.eps.num / heavy), -DPD_RATE_BITS - 1);
      double far_lo[3], far_hi[3];
      memset(weight, 0, sizeof weight);
      for (int j = 0; j < 3; j++) { /* beyond the density is less than exp(-40) */
        far_lo[j] = fmax(m->lattice.lo[j], -20);
        far_hi[j] = fmin(m->lattice.hi[j], 20);
      }
      memcpy(z, far_lo, sizeof z);
      do {
        double prior = log_prior(m, z);
        int at = index_of(z, lo, hi);
        if (at < SIDE * SIDE * SIDE || prior > -40)
          weight[at] += exp(rate * slow_score(m, z) + prior);
      } while (advance(z, far_lo, far_hi));
    }
    ctest_free(&pool);
  }
  return law_holds(count, weight, SIDE * SIDE * SIDE + 1, draws);
}

int main(void)
{
  start(11);
  for (int set = 0; set < ctest_some(SETS); set++)
    check_leaves(set);
  int right = 0, laws = ctest_some(LAWS);
  for (int set = 0; set < laws; set++)
    right += law_is_right(set);
  CHECK(right == laws);
  return ctest_report("regression_space");
}
