/* regression_chain.c - the exponential mechanism over regression depth by a Markov chain.
 *
 * METHOD: slice sampling (samp/slice_line.c) of prior(z) exp(eps h(z) / (2 max(above, below))) over
 *   real x, z the lattice point next to x: z then has the exact mechanism's distribution once the
 *   chain is stationary. Lines are
 *   - in a random direction, as long as the rows' shape has it,
 *   - radial, about least squares of a few random rows, a centre that does not depend on x. They
 *     take far states to the data and away again.
 *   Chains start from the prior. The draw is the last state of a chain picked at random. How far a
 *   finite run is from that distribution is not known: nothing of privacy is proved for it.
 * COST: a step takes one score, O(n (k + count)), and some ten tests whether a point is deep
 *   enough, most of which few directions find.
 * DEGENERATE: rows without a fit of their own have no centre: the step is along a random line.
 * REFERENCE: see samp/slice_line.c.
 */
#include "mech/regression_chain.h"

#include <math.h>

#include "mech/regression_state.h"
#include "num/least_squares.h"
#include "samp/chain_run.h"
#include "samp/rng.h"
#include "samp/slice_line.h"

enum { BLOCK_STEPS = 16 /* steps between two looks for an interrupt */ };
#define FAR 0x1p52 /* centres farther than this are none */

struct dpd_regression_chain {
  dpd_regression *m;
  double half_eps;
  double *x, *next, *v, *centre, *z; /* k each; in indexes of the lattice, in its axes' order */
  double *a, *b, *beta, *work;       /* of least squares */
  double log_density;                /* at x: prior and score */
  dpd_chain_place place;
};

dpd_status dpd_regression_chain_open(dpd_regression_chain **out, const dpd_regression_spec *spec,
                                     dpd_alloc alloc)
{
  size_t k = (size_t)spec->k, n = (size_t)spec->n, rows = n > k ? n : k;
  int heavy = dpd_regression_sensitivity(spec);
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
  c->place = (dpd_chain_place){0, 0};
  return DPD_OK;
}

/* The lattice point next to x; false outside the support. */
static bool next_point(const dpd_regression_chain *c, const double *x, double *z, double *log_prior)
{
  for (int j = 0; j < c->m->spec.k; j++)
    z[j] = rint(x[j]);
  return dpd_regression_prior_at(c->m, z, log_prior);
}

/* The density at x, whose lattice point is z. */
static void set_density(dpd_regression_chain *c, double log_prior)
{
  c->log_density = log_prior + c->half_eps * dpd_regression_score(c->m, c->z);
}

/* x from the prior. */
static dpd_status draw_start(dpd_regression_chain *c, dpd_rng *rng)
{
  const dpd_lattice *l = &c->m->lattice;
  double log_prior;
  for (int j = 0; j < l->prior.d; j++) {
    DPD_TRY(dpd_slice_prior(l, rng, j, l->lo[j], l->hi[j], c->x + j));
    c->x[j] = fmin(fmax(c->x[j], l->lo[j]), l->hi[j]);
  }
  (void)next_point(c, c->x, c->z, &log_prior);
  set_density(c, log_prior);
  return DPD_OK;
}

static bool accept_slice(void *chain, double level, double gain)
{
  dpd_regression_chain *c = chain;
  const dpd_regression_spec *spec = &c->m->spec;
  double log_prior;
  if (!next_point(c, c->next, c->z, &log_prior)) return false;
  double need = ceil((level - gain - log_prior) / c->half_eps);
  double most = (double)spec->n * dpd_regression_sensitivity(spec);
  if (!(need <= most) || !dpd_regression_at_least(c->m, &c->m->all, c->z, (int)fmax(need, 0)))
    return false;
  for (int j = 0; j < spec->k; j++)
    c->x[j] = c->next[j];
  set_density(c, log_prior);
  return true;
}

static dpd_slice slice_of(dpd_regression_chain *c)
{
  return (dpd_slice){.lattice = &c->m->lattice,
                     .x = c->x,
                     .log_density = c->log_density,
                     .next = c->next,
                     .v = c->v,
                     .centre = c->centre,
                     .accept = accept_slice,
                     .chain = c};
}

/* Along v = M (unit * normals), as long as fits of equal depth are. */
static dpd_status random_line(dpd_regression_chain *c, dpd_rng *rng)
{
  const dpd_shear *s = &c->m->shear;
  double *w = c->next;
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
  dpd_slice slice = slice_of(c);
  return dpd_slice_straight(&slice, rng);
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
  bool found;
  dpd_slice slice = slice_of(c);
  DPD_TRY(draw_centre(c, rng, &found));
  return found ? dpd_slice_radial(&slice, rng) : random_line(c, rng);
}

dpd_status dpd_regression_chain_draw(dpd_regression_chain *c, dpd_rng *rng, int chains, int steps,
                                     double *trace, double *theta)
{
  dpd_chain_run run = {chains, steps, trace, theta};
  for (int k = 0; k < BLOCK_STEPS; k++) {
    uint64_t kind;
    if (c->place.step == 0) DPD_TRY(draw_start(c, rng));
    DPD_TRY(dpd_rng_below(rng, 2, &kind));
    DPD_TRY(kind == 0 ? random_line(c, rng) : radial_line(c, rng));
    dpd_status status = dpd_chain_run_end(&c->place, rng, &run, &c->m->lattice, c->x);
    if (status != DPD_AGAIN) return status;
  }
  return DPD_AGAIN;
}
