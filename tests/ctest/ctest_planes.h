/* ctest_planes.h - small problems of private planes, scores by their definition, and the whole
 * distribution of a draw. */
#ifndef CTEST_PLANES_H
#define CTEST_PLANES_H

#include "ctest.h"
#include "ctest_law.h"
#include "ctest_memory.h"

#include <math.h>

#include "mech/regression_leaf_prior.h"
#include "mech/regression_state.h"
#include "samp/bernoulli.h"

enum {
  MOST = 12, /* rows of a small set */
  TURNS = 4, /* directions, at most */
  SIDE = 9,  /* points of an axis that are looked at, at most */
  CELLS = SIDE * SIDE * SIDE + 1,
};

typedef enum { UNIFORM, NORMAL, DYADIC, PRIORS } prior_kind;

typedef struct {
  double fit[3 * MOST], y[MOST], projection[TURNS * MOST], a[3], b[3], step[3];
  int count[MOST], end[MOST];
  dpd_tally tally;
  dpd_regression_spec spec;
  prior_kind kind;
  bool sharp; /* rows whose ends are next to points, in numbers that round: no definition */
} problem;

static uint64_t seed;

/* Uniform on 0..below - 1. */
static int pick(int below)
{
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (int)((seed >> 33) % (uint64_t)below);
}

/* Rows with many ties, through one point, along one line, far from the origin. */
static void fill_rows(problem *p, int n, double off)
{
  static const double turn[TURNS][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -2}};
  const int kind = pick(7);
  for (int i = 0; i < n; i++) {
    double c = pick(3);
    double x[][2] = {{pick(2), pick(2)},        {pick(5) - 2, pick(5) - 2},
                     {c, c + pick(2) / 16.0},   {i, i * i},
                     {pick(3) / 8., pick(2)},   {pick(4), 0},
                     {pick(3) - 1, pick(3) - 1}};
    double y[] = {2 * pick(2), pick(5) - 2, 2 * c + pick(2) / 16., i / 2., pick(4) / 8.,
                  pick(3),     pick(3) - 1};
    const double *at = x[kind];
    p->fit[i] = kind == 4 ? 1 - at[0] : kind == 6 ? pick(3) - 1 : 1; /* predictions at 0 and 1 */
    p->fit[i + n] = at[0];
    p->fit[i + 2 * n] = at[1];
    p->y[i] = y[kind] + off;
    for (int u = 0; u < p->spec.count; u++)
      p->projection[i + u * n] =
          turn[u][0] * at[0] + turn[u][1] * at[1] + (kind == 5 ? pick(2) : 0);
  }
}

/* Rows that begin or end to count at a unit of their whole numbers from a lattice point. */
static void sharpen_rows(problem *p, int n, double off)
{
  for (int i = 0; i < n; i++) {
    const double side = pick(3) - 1;
    double tie = 0, most = 0;
    p->y[i] = 0;
    for (int j = 0; j < 3; j++) {
      const double step = p->kind == DYADIC ? p->b[j] : p->step[j];
      const double at = (j == 0 ? off : 0) + (pick(5) - 2) * step;
      p->fit[i + j * n] += (pick(1 << 30) - (1 << 29)) * 0x1p-30;
      p->y[i] += p->fit[i + j * n] * at;
      tie += p->spec.tie * fabs(p->fit[i + j * n]) * step;
      most = fmax(most, fabs(p->fit[i + j * n]) * step);
    }
    p->y[i] += side * tie + (pick(5) - 2) * ldexp(most, -41);
  }
}

/* Numbers that doubles hold, so that the definition below has no rounding. */
static void fill_set(problem *p, int set)
{
  static const double steps[] = {0.5, 0.25, 1};
  seed = (uint64_t)set * 7919 + 5;
  for (int k = 0; k < 10; k++)
    (void)pick(2);
  const int n = 1 + pick(MOST), weights = pick(4);
  const double off = pick(4) == 0 ? 1000.25 : 0;
  *p = (problem){.kind = (prior_kind)pick(PRIORS)};
  p->spec = (dpd_regression_spec){.n = n,
                                  .k = 3,
                                  .count = 1 + pick(TURNS),
                                  .fit = p->fit,
                                  .y = p->y,
                                  .projection = p->projection,
                                  .prior = {.d = 3, .a = p->a, .b = p->b},
                                  .tie = pick(3) ? 0.5 : 0,
                                  .above = weights == 1 ? 3 : 1,
                                  .below = weights == 2 ? 4 : 1,
                                  .shifted = weights == 2,
                                  .origin = weights != 2 && pick(3) == 0};
  fill_rows(p, n, off);
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
  p->sharp = pick(5) == 0;
  if (p->sharp) sharpen_rows(p, n, off);
  if (pick(3) != 0) return;
  /* entries of a tally, each several rows */
  p->tally = (dpd_tally){.size = n, .count = p->count, .end = p->end};
  for (int i = 0; i < n; i++) {
    p->count[i] = 1 + pick(3);
    p->tally.n += p->count[i];
    p->end[i] = p->tally.n;
  }
  p->spec.tally = &p->tally;
  p->spec.n = p->tally.n;
}

/* The definition: the least weight over directions, splits and both sides. */
static int slow_score(const dpd_regression_spec *s, const dpd_lattice *l, const double *z)
{
  const int n = dpd_tally_size(s->tally, s->n), both = s->above + s->below;
  const int heavier = s->above > s->below ? s->above : s->below;
  int best = 1 << 30, one[MOST], other[MOST];
  for (int i = 0; i < n; i++) {
    double f = 0, tie = 0;
    for (int j = 0; j < 3; j++) {
      f += s->fit[i + j * n] * dpd_lattice_value(l, j, z[j]);
      tie += s->tie * fabs(s->fit[i + j * n]) * l->step[j];
    }
    int above = f <= s->y[i] + tie, below = f >= s->y[i] - tie;
    one[i] = s->shifted ? both * above - s->below + heavier : s->above * above;
    other[i] = s->shifted ? both * below - s->above + heavier : s->below * below;
    one[i] *= dpd_tally_count(s->tally, i);
    other[i] *= dpd_tally_count(s->tally, i);
  }
  for (int u = 0; u < s->count; u++)
    for (int k = -1; k < (s->origin ? 0 : n); k++) {
      const double *x = s->projection + (size_t)u * (size_t)n;
      int v = 0, w = 0;
      for (int i = 0; i < n; i++) {
        const bool left = s->origin ? x[i] < 0 : k >= 0 && x[i] <= x[k];
        const bool none = s->origin && x[i] == 0; /* on neither side */
        const int more = one[i] > other[i] ? one[i] : other[i];
        v += none ? more : left ? one[i] : other[i];
        w += none ? more : left ? other[i] : one[i];
      }
      if (v < best) best = v;
      if (w < best) best = w;
    }
  return best;
}

/* The support's box, or its middle. */
static void range_of(const dpd_lattice *l, double lo[3], double hi[3])
{
  for (int j = 0; j < 3; j++) {
    lo[j] = fmax(l->lo[j], -(SIDE / 2));
    hi[j] = fmin(l->hi[j], SIDE / 2);
  }
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

static int index_of(const double *z, const double *lo, const double *hi)
{
  int at = 0;
  for (int j = 0; j < 3; j++) {
    if (z[j] < lo[j] || z[j] > hi[j]) return CELLS - 1;
    at = at * SIDE + (int)(z[j] - lo[j]);
  }
  return at;
}

/* The cell of a draw: its point, or all points beyond. */
static int cell_of(const dpd_lattice *l, const double *theta)
{
  double lo[3], hi[3], z[3];
  range_of(l, lo, hi);
  for (int j = 0; j < 3; j++)
    z[j] = rint(theta[j] / l->step[j]) - l->origin[j];
  return index_of(z, lo, hi);
}

/* What the cells weigh; of a prior that is not dyadic. */
static void weigh_cells(const problem *p, const dpd_leaf_prior *prior, double *weight)
{
  const uint64_t heavy = (uint64_t)dpd_regression_sensitivity(&p->spec);
  const double rate = ldexp((double)(p->spec.eps.num / heavy), -DPD_RATE_BITS - 1);
  const dpd_lattice *l = &prior->lattice;
  double lo[3], hi[3], far_lo[3], far_hi[3], z[3];
  range_of(l, lo, hi);
  memset(weight, 0, CELLS * sizeof *weight);
  for (int j = 0; j < 3; j++) { /* beyond the density is less than exp(-40) */
    far_lo[j] = fmax(l->lo[j], -20);
    far_hi[j] = fmin(l->hi[j], 20);
  }
  memcpy(z, far_lo, sizeof z);
  do {
    double density = dpd_leaf_prior_log(prior, z);
    int at = index_of(z, lo, hi);
    if (at < CELLS - 1 || density > -40)
      weight[at] += exp(rate * slow_score(&p->spec, l, z) + density);
  } while (advance(z, far_lo, far_hi));
}

#endif
