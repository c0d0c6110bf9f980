/* depth_chain.c - the exponential mechanism over depths by a Markov chain.
 *
 * METHOD: Metropolis-Hastings and slice sampling of prior(z) exp(eps h(z) / 2^(k + 1)) over real w,
 *   z the lattice point next to w and h its score in parts (mech/depth_median.c): z then has the
 *   exact mechanism's law once the chain is stationary. A step is one of
 *   - an adjusted Langevin step, for scores that are sums over directions (mech/depth_drift.c),
 *     whose size is adapted in the first half of a chain and fixed in the second,
 *   - slice sampling along a line through w, in a random direction in the prior's units or in
 *     that of the difference of two random rows: a level below the weight of w, and a point of the
 *     line above it, by shrinking an interval toward w, at first all of the line within the prior's
 *     support (Neal, 2003),
 *   - the same along the ray from the mean of a few random rows a through w, on the scale of
 *     log |w - a|, whose density has the further factor |w - a|^d. It takes far states to the data,
 *   - an independent proposal for one coordinate or for all, half from the prior and half the
 *     place of a random row, spread over the lattice's step: it finds atoms of the data.
 *   Chains start from the prior. The draw is the last state of a chain picked at random. How far a
 *   finite run is from that law is not known: nothing of privacy is proved for it.
 * COST: a score a proposal, some ten proposals a line.
 * REFERENCE: Neal (2003), Slice sampling; Roberts and Tweedie (1996), Exponential convergence of
 *   Langevin distributions and their discrete approximations.
 */
#include "mech/depth_chain.h"

#include <math.h>
#include <string.h>

#include "mech/depth_drift.h"
#include "samp/chain_turn.h"
#include "samp/rng.h"
#include "samp/row_centre.h"

enum {
  MOST_SHRINKS = 200,
  LINES_APART = 16 /* Langevin steps for each other one */
};
/* log distance from a centre, in steps of the lattice, below which radial steps neither go nor
 * begin */
static const double NEAR_LOG = -7;
/* Numbers looked at between two looks for an interrupt: about a tenth of a second. */
static const double BLOCK_WORK = 2e7;
static const double LOG_ROOT = 0.918938533204672741780; /* log(2 pi) / 2 */

struct dpd_depth_chain {
  dpd_depth_median *m;
  dpd_depth_drift drift;
  dpd_depth_state here, there;
  double *v, *centre; /* d + 1 each */
  int block;          /* steps between two looks for an interrupt */
  dpd_chain_turn turn;
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

/* A coordinate from the prior. */
static dpd_status draw_prior(const dpd_lattice *l, dpd_rng *rng, int j, double *w)
{
  double u, pair[2];
  if (l->prior.normal) {
    DPD_TRY(dpd_rng_normals(rng, pair));
    *w = l->mean[j] + l->scale[j] * pair[0];
  } else {
    DPD_TRY(dpd_rng_unit(rng, &u));
    *w = l->lo[j] - 0.5 + u * (l->hi[j] - l->lo[j] + 1);
  }
  return DPD_OK;
}

/* The published steps begin in the middle of the prior: from far off they get nowhere. */
static dpd_status start_chain(dpd_depth_chain *c, dpd_rng *rng, bool plain)
{
  const dpd_lattice *l = &c->m->lattice;
  for (int j = 0; j < c->m->spec.d; j++) {
    if (plain)
      c->here.w[j] = l->prior.normal ? l->mean[j] : (l->lo[j] + l->hi[j]) / 2;
    else
      DPD_TRY(draw_prior(l, rng, j, c->here.w + j));
    c->here.w[j] = fmin(fmax(c->here.w[j], l->lo[j]), l->hi[j]);
  }
  (void)dpd_depth_state_set(&c->drift, &c->here);
  if (c->m->score.along.at != NULL) dpd_depth_drift_restart(&c->drift);
  return DPD_OK;
}

/* -- lines ------------------------------------------------------------------------------------ */

/* A line: w + s v, or centre + exp(s) v. */
typedef struct {
  bool radial;
  double from, to; /* of s; w itself is at s = at */
  double at;
} line;

/* How far the line from a point goes within the support. */
static void line_ends(const dpd_depth_chain *c, const double *from, double *least, double *most)
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

/* A step along the line: w stays where shrinking has come to an end of doubles. */
static dpd_status slice_step(dpd_depth_chain *c, dpd_rng *rng, line l)
{
  double u;
  int d = c->m->spec.d;
  DPD_TRY(dpd_rng_unit(rng, &u));
  double level = c->here.log_weight + (l.radial ? d * l.at : 0) + log(1 - u);
  for (int i = 0; i < MOST_SHRINKS; i++) {
    DPD_TRY(dpd_rng_unit(rng, &u));
    double s = l.from + u * (l.to - l.from), r = l.radial ? exp(s) : s;
    const double *from = l.radial ? c->centre : c->here.w;
    for (int j = 0; j < d; j++)
      c->there.w[j] = from[j] + r * c->v[j];
    if (dpd_depth_state_set(&c->drift, &c->there) &&
        c->there.log_weight + (l.radial ? d * s : 0) >= level) {
      swap_states(c);
      return DPD_OK;
    }
    if (s < l.at)
      l.from = s;
    else
      l.to = s;
  }
  return DPD_OK;
}

static dpd_status random_line(dpd_depth_chain *c, dpd_rng *rng, bool rows)
{
  const dpd_projected *p = &c->m->projected;
  line l = {.at = 0};
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
  line_ends(c, c->here.w, &l.from, &l.to);
  if (!(l.to > l.from) || !isfinite(l.to - l.from)) return DPD_OK;
  return slice_step(c, rng, l);
}

static dpd_status radial_line(dpd_depth_chain *c, dpd_rng *rng)
{
  double size = 0, least, most;
  int d = c->m->spec.d;
  line l = {.radial = true};
  DPD_TRY(dpd_row_centre_draw(&c->m->projected, rng, c->centre));
  for (int j = 0; j < d; j++)
    size = fmax(size, fabs(c->here.w[j] - c->centre[j]));
  l.at = log(size);
  if (!(l.at > NEAR_LOG)) return DPD_OK;
  for (int j = 0; j < d; j++)
    c->v[j] = (c->here.w[j] - c->centre[j]) / size;
  line_ends(c, c->centre, &least, &most);
  l.from = NEAR_LOG;
  l.to = log(most);
  if (!(l.to >= l.at)) return DPD_OK; /* but for rounding it is */
  return slice_step(c, rng, l);
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
      DPD_TRY(draw_prior(&c->m->lattice, rng, j, c->there.w + j));
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
  uint64_t kind, jumps = 2, rays = 2; /* of 8 */
  if (run->plain) return dpd_depth_drift_plain(&c->drift, rng, &c->here);
  if (c->m->score.along.at != NULL) {
    jumps = 5;
    rays = 1;
    DPD_TRY(dpd_rng_below(rng, LINES_APART, &kind));
    bool adapt = c->turn.step < run->steps / 2;
    if (kind > 0) return dpd_depth_drift_step(&c->drift, rng, &c->here, &c->there, adapt);
  }
  DPD_TRY(dpd_rng_below(rng, 8, &kind));
  if (kind < jumps) return jump_step(c, rng);
  if (kind < jumps + rays) return radial_line(c, rng);
  return random_line(c, rng, kind % 2 == 0);
}

dpd_status dpd_depth_chain_draw(dpd_depth_chain *c, dpd_rng *rng, const dpd_depth_run *run,
                                double *x)
{
  const dpd_lattice *l = &c->m->lattice;
  size_t stride = (size_t)run->chains * (size_t)run->steps;
  if (run->plain && c->m->score.along.at == NULL) return DPD_ERR_DOMAIN;
  for (int k = 0; k < c->block; k++) {
    bool pick, ended;
    if (c->turn.step == 0) DPD_TRY(start_chain(c, rng, run->plain));
    DPD_TRY(chain_step(c, rng, run));
    if (run->trace != NULL)
      dpd_lattice_nearest(l, c->here.w, stride,
                          run->trace + dpd_chain_turn_place(&c->turn, run->steps));
    DPD_TRY(dpd_chain_turn_next(&c->turn, rng, run->chains, run->steps, &pick, &ended));
    if (pick) dpd_lattice_nearest(l, c->here.w, 1, x);
    if (ended) return DPD_OK;
  }
  return DPD_AGAIN;
}
