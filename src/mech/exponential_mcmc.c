/* exponential_mcmc.c - the exponential mechanism over halfspace depth by a Markov chain.
 *
 * METHOD: Metropolis-Hastings on prior(w) exp(eps h(z) / 2) over real w, z the lattice point next
 *   to w and h its depth count: z then has the exact mechanism's distribution once the chain is
 *   stationary, atoms of the data included. A step is one of
 *   - hit-and-run (samp/hit_and_run.c), whose target has the depth of w itself for that of z,
 *   - a radial step about the mean of a few rows picked at random, of the same target,
 *   - a draw from a mixture of distributions of the depth along the axes
 *     (samp/independence_proposal.c), which see atoms, at lower rates, so that a far state can
 *     leave, and higher ones, which know the atoms,
 *   each accepted by what its own target lacks. Chains start from the prior, wherever the
 *   data are. The draw is the last state of a chain picked at random, rounded to the lattice.
 *   How far a finite run is from that distribution is not known: nothing of privacy is proved for
 *   it.
 * COST: O(count (d + levels)) per step, and a score from the rows where a state's depth reaches the
 *   window's top; a trace of chains x steps x d doubles where it is asked for.
 * DEGENERATE: n = 1: every radial step is about that row. Proposals lie in the prior's support but
 *   for rounding, and their lattice points are moved into it. A ratio that is no number is refused.
 * REFERENCE: Hastings (1970); see samp/hit_and_run.c.
 */
#include <math.h>
#include <string.h>

#include "mech/exponential_state.h"
#include "samp/rng.h"
#include "samp/row_centre.h"

enum {
  BLOCK_STEPS = 64, /* steps between two looks for an interrupt */
  JUMPS = 6
};

/* The rates of the independent proposals, in parts of the chain's own. */
static const double jump_share[JUMPS] = {0.6, 0.9, 1, 1.3, 2, 3};

void dpd_exponential_chain_open(dpd_exponential *m)
{
  dpd_exponential_walk *c = &m->chain;
  double half_eps = ldexp((double)m->spec.eps.num, -DPD_RATE_BITS - 1);
  dpd_hit_and_run_open(&c->line, &m->window, &m->lattice, &m->shear, half_eps, m->alloc);
  c->jump = m->alloc(JUMPS, sizeof *c->jump);
  for (int k = 0; k < JUMPS; k++)
    dpd_jump_open(&c->jump[k], &m->window, &m->lattice, jump_share[k] * half_eps, m->alloc);
  c->next = m->alloc((size_t)m->spec.d, sizeof *c->next);
}

/* The largest level t in low - 1..high with h(w) >= t. */
static int window_depth(const dpd_exponential *m, const double *w)
{
  int t = dpd_rank_window_depth(&m->window, w, m->window.high);
  return t < m->window.low ? m->window.low - 1 : t;
}

/* The depth of the lattice point next to w; below the window it counts as low - 1. */
static int lattice_depth(dpd_exponential *m, const double *w)
{
  for (int j = 0; j < m->spec.d; j++)
    m->z[j] = fmin(fmax(rint(w[j]), m->lattice.lo[j]), m->lattice.hi[j]);
  int depth = window_depth(m, m->z);
  return depth < m->window.high ? depth : dpd_exponential_score(m, m->z);
}

/* Accepts the proposal with the ratio exp(gain), or leaves the state. */
static dpd_status accept(dpd_exponential *m, dpd_rng *rng, double gain)
{
  double u;
  DPD_TRY(dpd_rng_unit(rng, &u));
  if (log(u) < gain) memcpy(m->w, m->chain.next, (size_t)m->spec.d * sizeof *m->w);
  return DPD_OK;
}

/* Logarithm of the density of the jumps' mixture against the prior at points of axes' depth g. */
static double mixture(const dpd_exponential *m, int g)
{
  double part[JUMPS], top = -INFINITY, sum = 0;
  for (int k = 0; k < JUMPS; k++) {
    part[k] = m->chain.jump[k].half_eps * g - m->chain.jump[k].log_total;
    top = fmax(top, part[k]);
  }
  for (int k = 0; k < JUMPS; k++)
    sum += exp(part[k] - top);
  return top + log(sum);
}

/* An independent proposal, accepted by the ratio of both distributions' densities, there and
 * here. */
static dpd_status jump_step(dpd_exponential *m, dpd_rng *rng)
{
  uint64_t k;
  DPD_TRY(dpd_rng_below(rng, JUMPS, &k));
  DPD_TRY(dpd_jump_draw(&m->chain.jump[k], rng, m->chain.next));
  double own = lattice_depth(m, m->chain.next) - lattice_depth(m, m->w);
  double its = mixture(m, dpd_jump_depth(m->chain.jump, m->chain.next)) -
               mixture(m, dpd_jump_depth(m->chain.jump, m->w));
  return accept(m, rng, m->chain.line.half_eps * own - its);
}

/* A proposal on a line, accepted by what its target lacks of the depth, there and here. */
static dpd_status line_step(dpd_exponential *m, dpd_rng *rng, bool radial)
{
  memcpy(m->chain.next, m->w, (size_t)m->spec.d * sizeof *m->w);
  if (radial) {
    DPD_TRY(dpd_row_centre_draw(&m->projected, rng, m->bound.lo));
    DPD_TRY(dpd_hit_and_run_radial(&m->chain.line, rng, m->bound.lo, m->chain.next));
  } else {
    DPD_TRY(dpd_hit_and_run_step(&m->chain.line, rng, m->chain.next));
  }
  double there = lattice_depth(m, m->chain.next) - window_depth(m, m->chain.next);
  double here = lattice_depth(m, m->w) - window_depth(m, m->w);
  return accept(m, rng, m->chain.line.half_eps * (there - here));
}

static dpd_status chain_step(dpd_exponential *m, dpd_rng *rng)
{
  uint64_t kind;
  DPD_TRY(dpd_rng_below(rng, 4, &kind));
  if (kind == 0) return jump_step(m, rng);
  return line_step(m, rng, kind == 1);
}

dpd_status dpd_exponential_chain(dpd_exponential *m, dpd_rng *rng, int chains, int steps,
                                 double *trace, double *x)
{
  dpd_chain_run run = {chains, steps, trace, x};
  for (int k = 0; k < BLOCK_STEPS; k++) {
    if (m->chain.place.step == 0) DPD_TRY(dpd_jump_prior(&m->lattice, rng, m->w));
    DPD_TRY(chain_step(m, rng));
    dpd_status status = dpd_chain_run_end(&m->chain.place, rng, &run, &m->lattice, m->w);
    if (status != DPD_AGAIN) return status;
  }
  return DPD_AGAIN;
}
