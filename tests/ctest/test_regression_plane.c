/* test_regression_plane.c - private lines by row cuts: leaves partition the lattice, are counted
 * exactly and bound scores and prior; scores by their definition; the law of draws; how many nodes
 * nasty families take.
 *
 * Each chi-square test has an error rate of 1e-6. */
#include "ctest.h"
#include "ctest_law.h"
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
  SIDE = 81,     /* points of an axis that are looked at, at most */
  LEAVES = 6000, /* that a small set is cut into, at most */
  WIDE = 600     /* rows of a family */
};

static uint64_t seed;

/* Uniform on 0..below - 1. */
static int pick(int below)
{
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (int)((seed >> 33) % (uint64_t)below);
}

static double uniform(void)
{
  return (pick(1 << 30) + 0.5) / (1 << 30);
}

static double normal(void)
{
  return sqrt(-2 * log(uniform())) * cos(2 * M_PI * uniform());
}

typedef enum { UNIFORM, NORMAL, DYADIC, PRIORS } prior_kind;

typedef struct {
  double fit[2 * WIDE], x[WIDE], y[WIDE], a[2], b[2], step[2];
  dpd_regression_spec spec;
  prior_kind kind;
} problem;

static void set_spec(problem *p, int n, double eps)
{
  p->spec = (dpd_regression_spec){.n = n,
                                  .k = 2,
                                  .count = 1,
                                  .fit = p->fit,
                                  .y = p->y,
                                  .projection = p->x,
                                  .prior = {.d = 2, .a = p->a, .b = p->b},
                                  .tie = 0.5,
                                  .above = 1,
                                  .below = 1};
  CHECK(dpd_rate_from_double(eps, &p->spec.eps) == DPD_OK);
  for (int i = 0; i < n; i++) {
    p->fit[i] = 1;
    p->fit[i + n] = p->x[i];
  }
}

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

/* The definition: the least weight over splits and both sides. */
static int slow_score(const dpd_regression_plane *m, const double *z)
{
  const dpd_regression_spec *s = &m->spec;
  int n = s->n, best = 1 << 30, one[MOST], other[MOST];
  int heavier = s->above > s->below ? s->above : s->below, both = s->above + s->below;
  for (int i = 0; i < n; i++) {
    double f = 0, tie = 0;
    for (int j = 0; j < 2; j++) {
      f += s->fit[i + j * n] * dpd_lattice_value(&m->lattice, j, z[j]);
      tie += s->tie * fabs(s->fit[i + j * n]) * m->lattice.step[j];
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
    lo[j] = fmax(m->lattice.lo[j], -SIDE / 2);
    hi[j] = fmin(m->lattice.hi[j], SIDE / 2);
    whole = whole && lo[j] == m->lattice.lo[j] && hi[j] == m->lattice.hi[j];
  }
  return whole;
}

static double log_prior(const dpd_regression_plane *m, const double *z)
{
  double out = 0;
  if (m->mass == NULL) {
    CHECK(dpd_lattice_log_prior(&m->lattice, z, &out));
    return out;
  }
  for (int j = 0; j < 2; j++)
    out += log((double)dpd_mass_between(m->mass, (int64_t)z[j], (int64_t)z[j]));
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
  fill_small(&p, set);
  CHECK(dpd_regression_plane_open(&m, &p.spec, ctest_alloc) == DPD_OK);
  most = p.kind == UNIFORM ? LEAVES : 600;
  for (int j = 0; j < m->tree->nodes && m->tree->nodes < most; j++)
    if (dpd_rejection_at(m->tree, j)->log_prior > -INFINITY) dpd_rejection_split(m->tree, j);
  bool exact = p.kind == UNIFORM && m->tree->nodes < most, whole = range_of(m, lo, hi);
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
  CHECK(apart == 0);           /* each point is in one leaf */
  CHECK(wrong == 0);           /* scores are those of the definition */
  CHECK(low == 0);             /* bounds are bounds */
  CHECK(!exact || loose == 0); /* and scores, where all is decided */
  CHECK(count == 0);           /* leaves are counted */
  free(points);
  ctest_free(&pool);
}

/* Draws of small sets, each of a tree that is begun anew after some. */
static bool law_is_right(int set)
{
  static problem p;
  static double weight[SIDE * SIDE + 1];
  static long count[SIDE * SIDE + 1];
  double lo[2], hi[2], z[2], theta[2];
  fill_small(&p, set);
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
        z[j] = rint(theta[j] / m->lattice.step[j]) - m->lattice.origin[j];
        in = in && z[j] >= lo[j] && z[j] <= hi[j];
      }
      count[in ? (int)(z[0] - lo[0]) * side + (int)(z[1] - lo[1]) : SIDE * SIDE]++;
    }
    if (d >= draws) {
      uint64_t heavy = (uint64_t)dpd_regression_sensitivity(&p.spec);
      double rate = ldexp((double)(p.spec.eps.num / heavy), -DPD_RATE_BITS - 1);
      memset(weight, 0, sizeof weight);
      for (z[0] = m->lattice.lo[0]; z[0] <= m->lattice.hi[0]; z[0]++)
        for (z[1] = m->lattice.lo[1]; z[1] <= m->lattice.hi[1]; z[1]++) {
          bool in = z[0] >= lo[0] && z[0] <= hi[0] && z[1] >= lo[1] && z[1] <= hi[1];
          int at = in ? (int)(z[0] - lo[0]) * side + (int)(z[1] - lo[1]) : SIDE * SIDE;
          double prior = log_prior(m, z);
          if (in || prior > -40) weight[at] += exp(rate * slow_score(m, z) + prior);
        }
      ctest_free(&pool);
      return law_holds(count, weight, SIDE * SIDE + 1, d);
    }
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
  ctest_free(&pool);
}

/* -- how many nodes a first draw takes */

typedef enum {
  FLAGS,
  CLUSTERS,
  CLOUD,
  LIKERT,
  LINE,
  CURVE,
  CUBIC,
  THREE,
  SCALES,
  CIRCLE,
  SHAPES
} shape;

static void fill_family(problem *p, shape kind, double width)
{
  for (int i = 0; i < WIDE; i++) {
    double s = normal(), t = normal(), at = i % 2 ? 2 : -2, c = pick(3), u = 2 * M_PI * i / WIDE;
    double x[] = {i % 2,         at + width * s,          s,     pick(5), pick(10), s, s,
                  c + width * s, (i % 2 ? 1 : width) * s, cos(u)};
    double y[] = {i / 2 % 2,
                  at + width * t,
                  1 + 2 * s + t,
                  pick(5),
                  1 + 2 * x[LINE],
                  s * s + width * t,
                  s * s * s + width * t,
                  (c == 1 ? 5 : c) + width * t,
                  (i % 2 ? 1 : width) * t,
                  sin(u)};
    p->x[i] = x[kind];
    p->y[i] = y[kind];
  }
}

/* Nodes that a draw of each family takes, whatever limits and widths: about a tenth of the most. */
static void check_nodes(void)
{
  static problem p;
  static const double limits[] = {5, 1e6, 1e12}, widths[] = {1e-1, 1e-4, 1e-9},
                      rates[] = {0.1, 1, 20};
  static const int most[SHAPES] = {400, 3000, 4000, 1500, 300, 10000, 8000, 15000, 5000, 20000};
  for (int kind = 0; kind < SHAPES; kind++)
    for (int c = 0; c < ctest_some(9); c++) {
      ctest_memory pool = {0};
      ctest_pool = &pool;
      dpd_regression_plane *m;
      double theta[2], counts[3];
      seed = (uint64_t)(kind * 100 + c);
      fill_family(&p, (shape)kind, widths[c % 3]);
      for (int j = 0; j < 2; j++) {
        p.a[j] = -limits[c / 3];
        p.b[j] = limits[c / 3];
      }
      set_spec(&p, WIDE, rates[(c + c / 3) % 3]);
      CHECK(dpd_regression_plane_open(&m, &p.spec, ctest_alloc) == DPD_OK);
      do {
        dpd_regression_plane_counts(m, counts);
      } while (counts[2] < most[kind] && dpd_regression_plane_draw(m, &source, theta) == DPD_AGAIN);
      CHECK(counts[2] < most[kind]);
      ctest_free(&pool);
    }
}

int main(void)
{
  int wrong = 0, sets = getenv("DPDEPTH_SLOW") != NULL ? 20 * SETS : ctest_some(SETS);
  start(41);
  for (int set = 0; set < sets; set++)
    check_leaves(set);
  for (int set = 0; set < ctest_some(LAWS); set++)
    wrong += !law_is_right(set);
  CHECK(wrong == 0);
  check_shells();
  check_nodes();
  return ctest_report("regression_plane");
}
