/* depth_chain.c - the exponential mechanism over depths by a Markov chain.
 *
 * METHOD: Metropolis-Hastings and slice sampling of prior(z) exp(eps h(z) / 2^(k + 1)) over real w,
 *   z the lattice point next to w and h its score in parts (mech/depth_median.c): z then has the
 *   exact mechanism's distribution once the chain is stationary. A step is one of
 *   - an adjusted Langevin step, for scores that are sums over directions (mech/depth_drift.c),
 *     whose size is adapted in the first half of a chain and fixed in the second,
 *   - slice sampling (samp/slice_line.c) along a line through w, in a random direction in the
 *     prior's units or in that of the difference of two random rows,
 *   - the same along the ray from the mean of a few random rows through w: it takes far states to
 *     the data,
 *   - an independent proposal for one coordinate or for all, half from the prior and half the
 *     place of a random row, spread over the lattice's step: it finds atoms of the data.
 *   Chains start from the prior. The draw is the last state of a chain picked at random. How far a
 *   finite run is from that distribution is not known: nothing of privacy is proved for it.
 * COST: one score per proposal, some ten proposals per line.
 * DEGENERATE: two random rows that are equal give no direction, and the state stays; a state of no
 *   weight is never accepted. Other lines: see samp/slice_line.c.
 * REFERENCE: see samp/slice_line.c; Roberts and Tweedie (1996), Exponential convergence of
 *   Langevin distributions and their discrete approximations.
 */
#include "mech/depth_chain.h"

#include <math.h>
#include <string.h>

#include "mech/depth_drift.h"
#include "samp/chain_run.h"
#include "samp/rng.h"
#include "samp/row_centre.h"
#include "samp/slice_line.h"

enum { LINES_APART = 16 /* Langevin steps for each other one */ };
/* Numbers looked at between two looks for an interrupt: about a tenth of a second. */
static const double BLOCK_WORK = 2e7;
static const double LOG_ROOT = 0.918938533204672741780; /* log(2 pi) / 2 */

struct dpd_depth_chain {
  dpd_depth_median *m;
  dpd_depth_drift drift;
  dpd_depth_state here, there;
  double *v, *centre; /* d + 1 each */
  int block;          /* steps between two looks for an interrupt */
  dpd_chain_place place;
};

dpd_status dpd_depth_chain_open(dpd_depth_chain **out, const dpd_depth_median_spec *spec,
                                dpd_alloc alloc)
{
  size_t d = (size_t)spec->d;
  dpd_depth_chain *c = alloc(1, sizeof *c);
  dpd_depth_median_spec own = *spec;
  own.chain = true;
  memset(c, 0, sizeof *c);
  *out = c;
  if (spec->prior.dyadic) return DPD_ERR_DOMAIN;
  DPD_TRY(dpd_depth_median_open(&c->m, &own, alloc));
  dpd_depth_drift_open(&c->drift, c->m, alloc);
  dpd_depth_state_open(&c->here, c->m, alloc);
  dpd_depth_state_open(&c->there, c->m, alloc);
  c->v = alloc(2 * (d + 1), sizeof *c->v);
  c->centre = c->v + d + 1;
  double score = (double)(spec->d + 10) * (spec->count > 0 ? spec->count : spec->n);
  c->block = 1 + (int)(BLOCK_WORK / (10 * score));
  return DPD_OK;
}

static void swap_states(dpd_depth_chain *c)
{
  dpd_depth_state old = c->here;
  c->here = c->there;
  c->there = old;
}

/* The published steps begin in the middle of the prior: from far off they get nowhere. */
static dpd_status start_chain(dpd_depth_chain *c, dpd_rng *rng, bool plain)
{
  const dpd_lattice *l = &c->m->lattice;
  for (int j = 0; j < c->m->spec.d; j++) {
    if (plain)
      c->here.w[j] = l->prior.normal ? l->mean[j] : (l->lo[j] + l->hi[j]) / 2;
    else
      DPD_TRY(dpd_slice_prior(l, rng, j, l->lo[j] - 0.5, l->hi[j] + 0.5, c->here.w + j));
    c->here.w[j] = fmin(fmax(c->here.w[j], l->lo[j]), l->hi[j]);
  }
  (void)dpd_depth_state_set(&c->drift, &c->here);
  if (c->m->score.along.at != NULL) dpd_depth_drift_restart(&c->drift);
  return DPD_OK;
}

/* -- lines ------------------------------------------------------------------------------------ */

static bool accept_slice(void *chain, double level, double gain)
{
  dpd_depth_chain *c = chain;
  if (!dpd_depth_state_set(&c->drift, &c->there) || !(c->there.log_weight + gain >= level))
    return false;
  swap_states(c);
  return true;
}

static dpd_slice slice_of(dpd_depth_chain *c)
{
  return (dpd_slice){.lattice = &c->m->lattice,
                     .x = c->here.w,
                     .log_density = c->here.log_weight,
                     .next = c->there.w,
                     .v = c->v,
                     .centre = c->centre,
                     .accept = accept_slice,
                     .chain = c};
}

static dpd_status random_line(dpd_depth_chain *c, dpd_rng *rng, bool rows)
{
  const dpd_projected *p = &c->m->projected;
  if (rows) {
    uint64_t i, k;
    DPD_TRY(dpd_rng_below(rng, (uint64_t)p->n, &i));
    DPD_TRY(dpd_rng_below(rng, (uint64_t)p->n, &k));
    for (int j = 0; j < p->d; j++)
      c->v[j] = p->rows[i * (size_t)p->d + (size_t)j] - p->rows[k * (size_t)p->d + (size_t)j];
  } else {
    for (int j = 0; j < p->d; j += 2)
      DPD_TRY(dpd_rng_normals(rng, c->v + j)); /* it has room for one more */
    for (int j = 0; j < p->d; j++)
      c->v[j] *= c->m->lattice.scale[j];
  }
  dpd_slice slice = slice_of(c);
  return dpd_slice_straight(&slice, rng);
}

static dpd_status radial_line(dpd_depth_chain *c, dpd_rng *rng)
{
  dpd_slice slice = slice_of(c);
  DPD_TRY(dpd_row_centre_draw(&c->m->projected, rng, c->centre));
  return dpd_slice_radial(&slice, rng);
}

/* -- independent proposals -------------------------------------------------------------------- */

/* The coordinates from..to - 1 that are proposed anew. */
typedef struct {
  int from, to;
} part;

/* Log density of the proposal at w: the prior's and the rows' halves. */
static double log_proposal(const dpd_depth_chain *c, part a, const dpd_depth_state *s)
{
  const dpd_lattice *l = &c->m->lattice;
  const dpd_projected *p = &c->m->projected;
  double prior = 0;
  long here = 0;
  for (int j = a.from; j < a.to; j++) {
    double v = (s->w[j] - l->mean[j]) / l->scale[j];
    prior -=
        l->prior.normal ? v * v / 2 + LOG_ROOT + log(l->scale[j]) : log(l->hi[j] - l->lo[j] + 1);
  }
  for (int i = 0; i < p->n; i++) {
    const double *row = p->rows + (size_t)i * (size_t)p->d;
    int j = a.from;
    while (j < a.to && row[j] == s->z[j])
      j++;
    here += j == a.to;
  }
  if (here == 0) return prior;
  double rows = log((double)here / p->n), top = fmax(prior, rows);
  return top + log(exp(prior - top) + exp(rows - top));
}

static dpd_status jump_step(dpd_depth_chain *c, dpd_rng *rng)
{
  const dpd_lattice *l = &c->m->lattice;
  const dpd_projected *p = &c->m->projected;
  uint64_t axis, row, coin;
  double u;
  DPD_TRY(dpd_rng_below(rng, 2 * (uint64_t)p->d, &axis));
  DPD_TRY(dpd_rng_below(rng, 2, &coin));
  DPD_TRY(dpd_rng_below(rng, (uint64_t)p->n, &row));
  part a = {(int)axis, (int)axis + 1};
  if (axis >= (uint64_t)p->d) a = (part){0, p->d};
  memcpy(c->there.w, c->here.w, (size_t)p->d * sizeof *c->there.w);
  for (int j = a.from; j < a.to; j++) {
    if (coin == 0) {
      DPD_TRY(dpd_slice_prior(l, rng, j, l->lo[j] - 0.5, l->hi[j] + 0.5, c->there.w + j));
    } else {
      DPD_TRY(dpd_rng_unit(rng, &u));
      c->there.w[j] = p->rows[row * (size_t)p->d + (size_t)j] + u - 0.5;
    }
  }
  DPD_TRY(dpd_rng_unit(rng, &u));
  if (!dpd_depth_state_set(&c->drift, &c->there)) return DPD_OK;
  double gain = c->there.log_weight - c->here.log_weight;
  gain += log_proposal(c, a, &c->here) - log_proposal(c, a, &c->there);
  if (log(u) < gain) swap_states(c);
  return DPD_OK;
}

/* -- the chains ------------------------------------------------------------------------------- */

static dpd_status chain_step(dpd_depth_chain *c, dpd_rng *rng, const dpd_depth_run *run)
{
  uint64_t kind, jumps = 2, radial = 2; /* of 8 */
  if (run->plain) return dpd_depth_drift_plain(&c->drift, rng, &c->here);
  if (c->m->score.along.at != NULL) {
    jumps = 5;
    radial = 1;
    DPD_TRY(dpd_rng_below(rng, LINES_APART, &kind));
    bool adapt = c->place.step < run->steps / 2;
    if (kind > 0) return dpd_depth_drift_step(&c->drift, rng, &c->here, &c->there, adapt);
  }
  DPD_TRY(dpd_rng_below(rng, 8, &kind));
  if (kind < jumps) return jump_step(c, rng);
  if (kind < jumps + radial) return radial_line(c, rng);
  return random_line(c, rng, kind % 2 == 0);
}

dpd_status dpd_depth_chain_draw(dpd_depth_chain *c, dpd_rng *rng, const dpd_depth_run *run,
                                double *x)
{
  dpd_chain_run kept = {run->chains, run->steps, run->trace, x};
  if (run->plain && c->m->score.along.at == NULL) return DPD_ERR_DOMAIN;
  for (int k = 0; k < c->block; k++) {
    if (c->place.step == 0) DPD_TRY(start_chain(c, rng, run->plain));
    DPD_TRY(chain_step(c, rng, run));
    dpd_status status = dpd_chain_run_end(&c->place, rng, &kept, &c->m->lattice, c->here.w);
    if (status != DPD_AGAIN) return status;
  }
  return DPD_AGAIN;
}
