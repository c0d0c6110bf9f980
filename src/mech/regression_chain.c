/* regression_chain.c - the exponential mechanism over regression depth by a Markov chain.
 *
 * METHOD: slice sampling of prior(z) exp(eps h(z) / (2 max(above, below))) over real x, z the
 *   lattice point next to x: z then has the exact mechanism's law once the chain is stationary. A
 *   step draws a level below the density at x, and a point of the part of a line where the density
 *   is above it, by shrinking an interval toward x, at first all of the line within the prior's
 *   support (Neal, 2003, whose proof needs no more than that the interval does not depend on the
 *   place of x on the line). Lines are
 *   - in a random direction, as long as the rows' shape has it,
 *   - radial, about least squares of a few random rows, a centre a that does not depend on x, on
 *     the scale of log |x - a|, whose density has the further factor |x - a|^k. They take far
 *     states to the data and away again.
 *   Chains start from the prior. The draw is the last state of a chain picked at random. How far a
 *   finite run is from that law is not known: nothing of privacy is proved for it.
 * COST: a step takes one score, O(n (k + count)), and some ten tests whether a point is deep
 *   enough, most of which few directions tell.
 * DEGENERATE: rows without a fit of their own have no centre: the step is along a random line.
 * REFERENCE: Neal (2003), Slice sampling.
 */
#include "mech/regression_chain.h"

#include <math.h>

#include "mech/regression_state.h"
#include "num/least_squares.h"
#include "samp/chain_turn.h"
#include "samp/rng.h"

enum {
  BLOCK_STEPS = 16, /* steps between two looks for an interrupt */
  MOST_SHRINKS = 200
};
#define FAR 0x1p52 /* centres farther than this are none */
#define NEAR_LOG                                                                                   \
  (-7.0) /* log distance from a centre, in steps of the lattice, below which radial
                           steps neither go nor begin */

struct dpd_regression_chain {
  dpd_regression *m;
  double half_eps;
  double *x, *next, *v, *centre, *z; /* k each; in indexes of the lattice, in its axes' order */
  double *a, *b, *beta, *work;       /* of least squares */
  int depth;                         /* the score of x */
  dpd_chain_turn turn;
};

dpd_status dpd_regression_chain_open(dpd_regression_chain **out, const dpd_regression_spec *spec,
                                     dpd_alloc alloc)
{
  size_t k = (size_t)spec->k, n = (size_t)spec->n, rows = n > k ? n : k;
  int heavy = spec->above > spec->below ? spec->above : spec->below;
  dpd_regression_chain *c = alloc(1, sizeof *c);
  *out = c;
  if (spec->prior.dyadic) return DPD_ERR_DOMAIN;
  DPD_TRY(dpd_regression_open(&c->m, spec, alloc));
  c->half_eps = ldexp((double)spec->eps.num / heavy, -DPD_RATE_BITS - 1);
  c->x = alloc(6 * k, sizeof *c->x);
  c->next = c->x + k;
  c->v = c->next + k;
  c->centre = c->v + k;
  c->z = c->centre + k;
  c->beta = c->z + k;
  c->a = alloc(rows * (k + 1), sizeof *c->a);
  c->b = c->a + rows * k;
  c->work = alloc(dpd_least_squares_scratch(spec->k), sizeof *c->work);
  c->turn = (dpd_chain_turn){0, 0};
  return DPD_OK;
}

/* The lattice point next to x; false outside the support. */
static bool next_point(const dpd_regression_chain *c, const double *x, double *z, double *log_prior)
{
  for (int j = 0; j < c->m->spec.k; j++)
    z[j] = rint(x[j]);
  return dpd_regression_prior_at(c->m, z, log_prior);
}

/* x from the prior. */
static dpd_status draw_start(dpd_regression_chain *c, dpd_rng *rng)
{
  const dpd_lattice *l = &c->m->lattice;
  double log_prior;
  for (int j = 0; j < l->prior.d; j++) {
    double u, pair[2];
    if (l->prior.normal) {
      DPD_TRY(dpd_rng_normals(rng, pair));
      c->x[j] = fmin(fmax(l->mean[j] + l->scale[j] * pair[0], l->lo[j]), l->hi[j]);
    } else {
      DPD_TRY(dpd_rng_unit(rng, &u));
      c->x[j] = l->lo[j] + u * (l->hi[j] - l->lo[j]);
    }
  }
  (void)next_point(c, c->x, c->z, &log_prior);
  c->depth = dpd_regression_score(c->m, c->z);
  return DPD_OK;
}

/* How far the line x + s v goes within the support. */
static void line_ends(const dpd_regression_chain *c, const double *from, double *least,
                      double *most)
{
  const dpd_lattice *l = &c->m->lattice;
  *least = -INFINITY;
  *most = INFINITY;
  for (int j = 0; j < l->prior.d; j++) {
    if (c->v[j] == 0) continue;
    double s = (l->lo[j] - 0.5 - from[j]) / c->v[j], t = (l->hi[j] + 0.5 - from[j]) / c->v[j];
    *least = fmax(*least, fmin(s, t));
    *most = fmin(*most, fmax(s, t));
  }
}

/* A line: x + s v, or centre + exp(s) v. */
typedef struct {
  bool radial;
  double from, to; /* of s; x itself is at s = at */
  double at;
} line;

static double move(dpd_regression_chain *c, const line *l, double s)
{
  for (int j = 0; j < c->m->spec.k; j++)
    c->next[j] = l->radial ? c->centre[j] + exp(s) * c->v[j] : c->x[j] + s * c->v[j];
  return l->radial ? c->m->spec.k * s : 0;
}

/* A step along the line: x stays where shrinking has come to an end of doubles. */
static dpd_status slice_step(dpd_regression_chain *c, dpd_rng *rng, line l)
{
  double u, here, there, level;
  DPD_TRY(dpd_rng_unit(rng, &u));
  if (!next_point(c, c->x, c->z, &here)) return DPD_OK;
  level = here + c->half_eps * c->depth + (l.radial ? c->m->spec.k * l.at : 0) + log(1 - u);
  for (int i = 0; i < MOST_SHRINKS; i++) {
    DPD_TRY(dpd_rng_unit(rng, &u));
    double s = l.from + u * (l.to - l.from), gain = move(c, &l, s);
    if (next_point(c, c->next, c->z, &there)) {
      double need = ceil((level - gain - there) / c->half_eps);
      double most = (double)c->m->spec.n * fmax(c->m->spec.above, c->m->spec.below);
      if (need <= most && dpd_regression_at_least(c->m, &c->m->all, c->z, (int)fmax(need, 0))) {
        for (int j = 0; j < c->m->spec.k; j++)
          c->x[j] = c->next[j];
        c->depth = dpd_regression_score(c->m, c->z);
        return DPD_OK;
      }
    }
    if (s < l.at)
      l.from = s;
    else
      l.to = s;
  }
  return DPD_OK;
}

/* Along v = M (unit * normals), as long as fits of equal depth are. */
static dpd_status random_line(dpd_regression_chain *c, dpd_rng *rng)
{
  const dpd_shear *s = &c->m->shear;
  double *w = c->next;
  line l = {.at = 0};
  for (int j = 0; j < s->d; j += 2) {
    double pair[2];
    DPD_TRY(dpd_rng_normals(rng, pair));
    w[j] = pair[0] * s->unit[j];
    if (j + 1 < s->d) w[j + 1] = pair[1] * s->unit[j + 1];
  }
  for (int j = 0; j < s->d; j++) {
    double sum = s->identity ? w[j] : 0;
    for (int i = 0; i <= j && !s->identity; i++)
      sum += s->inverse[j * s->d + i] * w[i];
    c->v[c->m->axis[j]] = sum;
  }
  line_ends(c, c->x, &l.from, &l.to);
  if (!(l.to > l.from) || !isfinite(l.to - l.from)) return DPD_OK;
  return slice_step(c, rng, l);
}

/* Least squares of k, 2 k, 4 k, ... random rows, in indexes; false: they have none. */
static dpd_status draw_centre(dpd_regression_chain *c, dpd_rng *rng, bool *found)
{
  const dpd_regression_spec *spec = &c->m->spec;
  const dpd_lattice *lattice = &c->m->lattice;
  size_t n = (size_t)spec->n, k = (size_t)spec->k, size = k;
  uint64_t doublings = 1, times, row;
  *found = false;
  if (n < k) return DPD_OK;
  while (k << doublings <= n)
    doublings++;
  DPD_TRY(dpd_rng_below(rng, doublings, &times));
  size <<= times;
  for (size_t i = 0; i < size; i++) {
    DPD_TRY(dpd_rng_below(rng, n, &row));
    for (size_t j = 0; j < k; j++)
      c->a[i + j * size] = spec->fit[row + j * n];
    c->b[i] = spec->y[row];
  }
  if (!dpd_least_squares(c->a, c->b, (int)size, (int)k, c->beta, c->work)) return DPD_OK;
  for (size_t j = 0; j < k; j++) {
    c->centre[j] = c->beta[j] / lattice->step[j] - lattice->origin[j];
    if (!(fabs(c->centre[j]) <= FAR)) return DPD_OK;
  }
  *found = true;
  return DPD_OK;
}

static dpd_status radial_line(dpd_regression_chain *c, dpd_rng *rng)
{
  double size = 0, least, most;
  bool found;
  line l = {.radial = true};
  DPD_TRY(draw_centre(c, rng, &found));
  if (!found) return random_line(c, rng);
  for (int j = 0; j < c->m->spec.k; j++)
    size = fmax(size, fabs(c->x[j] - c->centre[j]));
  l.at = log(size);
  if (!(l.at > NEAR_LOG)) return DPD_OK;
  for (int j = 0; j < c->m->spec.k; j++)
    c->v[j] = (c->x[j] - c->centre[j]) / size;
  line_ends(c, c->centre, &least, &most);
  l.from = NEAR_LOG;
  l.to = log(most);
  if (!(l.to >= l.at)) return DPD_OK; /* but for rounding it is */
  return slice_step(c, rng, l);
}

dpd_status dpd_regression_chain_draw(dpd_regression_chain *c, dpd_rng *rng, int chains, int steps,
                                     double *trace, double *theta)
{
  size_t stride = (size_t)chains * (size_t)steps;
  for (int k = 0; k < BLOCK_STEPS; k++) {
    uint64_t kind;
    bool pick, ended;
    if (c->turn.step == 0) DPD_TRY(draw_start(c, rng));
    DPD_TRY(dpd_rng_below(rng, 2, &kind));
    DPD_TRY(kind == 0 ? random_line(c, rng) : radial_line(c, rng));
    if (trace != NULL)
      dpd_lattice_nearest(&c->m->lattice, c->x, stride,
                          trace + dpd_chain_turn_place(&c->turn, steps));
    DPD_TRY(dpd_chain_turn_next(&c->turn, rng, chains, steps, &pick, &ended));
    if (pick) dpd_lattice_nearest(&c->m->lattice, c->x, 1, theta);
    if (ended) return DPD_OK;
  }
  return DPD_AGAIN;
}
