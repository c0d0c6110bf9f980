/* mech_median_chain.c - the exponential mechanism over halfspace depth by a Markov chain.
 *
 * METHOD: hit-and-run (samp_hitrun.c) on the target of mech_median_exp.c, from several dispersed
 *   starts; the draw is the last state of a chain picked at random, rounded to the lattice.
 * COST: see samp_hitrun.c.
 */
#include <math.h>
#include <string.h>

#include "mech_median_state.h"
#include "samp_rng.h"

enum {
  BLOCK_STEPS = 64,   /* steps between two looks for an interrupt */
  DISPERSE_STEPS = 32 /* steps at a quarter of epsilon that scatter a chain's start */
};

/* A start for a chain: the deep point, moved by the same chain at a quarter of epsilon. */
static dpd_status disperse(dpd_median_exp *m, dpd_rng *rng)
{
  double half_eps = m->line.half_eps;
  dpd_status status = DPD_OK;
  memcpy(m->w, m->deep, (size_t)m->spec.d * sizeof *m->w);
  m->line.half_eps = half_eps / 4;
  for (int k = 0; k < DISPERSE_STEPS && status == DPD_OK; k++)
    status = dpd_hitrun_step(&m->line, rng, m->w);
  m->line.half_eps = half_eps;
  return status;
}

/* The lattice point nearest to the state w, in the data's units. */
static void state_value(const dpd_median_exp *m, size_t stride, double *x)
{
  const dpd_lattice *l = &m->lattice;
  for (int j = 0; j < m->spec.d; j++) {
    double z = fmin(fmax(rint(m->w[j]), l->lo[j]), l->hi[j]);
    x[(size_t)j * stride] = dpd_lattice_value(l, j, z);
  }
}

dpd_status dpd_median_exp_chain(dpd_median_exp *m, dpd_rng *rng, int chains, int steps,
                                double *trace, double *x)
{
  size_t stride = (size_t)chains * (size_t)steps;
  for (int k = 0; k < BLOCK_STEPS; k++) {
    if (m->step == 0) DPD_TRY(disperse(m, rng));
    DPD_TRY(dpd_hitrun_step(&m->line, rng, m->w));
    if (trace != NULL)
      state_value(m, stride, trace + (size_t)m->chain * (size_t)steps + (size_t)m->step);
    if (++m->step < steps) continue;
    m->step = 0;
    /* chain c replaces the pick with probability 1 / (c + 1): uniform over the chains */
    uint64_t pick;
    DPD_TRY(dpd_rng_below(rng, (uint64_t)m->chain + 1, &pick));
    if (pick == 0) state_value(m, 1, x);
    if (++m->chain < chains) continue;
    m->chain = 0;
    return DPD_OK;
  }
  return DPD_AGAIN;
}
