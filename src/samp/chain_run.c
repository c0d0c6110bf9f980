/* chain_run.c - Markov chains that run one after the other: which runs, and what is kept.
 *
 * METHOD: chain c, from 0 on, replaces the pick with probability 1 / (c + 1), and so each of the
 *   chains is picked with equal probability in the end (reservoir sampling).
 * COST: one draw a chain; two ints.
 * DEGENERATE: a single chain is always picked. steps <= 1 makes chains of one step. If the source
 *   fails, so does the call, and nothing is picked.
 * REFERENCE: Vitter (1985), Random sampling with a reservoir, algorithm R.
 */
#include "samp/chain_run.h"

#include "samp/rng.h"

dpd_status dpd_chain_run_next(dpd_chain_place *t, dpd_rng *rng, int chains, int steps, bool *pick,
                              bool *ended)
{
  uint64_t place;
  *pick = *ended = false;
  if (++t->step < steps) return DPD_OK;
  t->step = 0;
  DPD_TRY(dpd_rng_below(rng, (uint64_t)t->chain + 1, &place));
  *pick = place == 0;
  if (++t->chain < chains) return DPD_OK;
  t->chain = 0;
  *ended = true;
  return DPD_OK;
}

dpd_status dpd_chain_run_end(dpd_chain_place *t, dpd_rng *rng, const dpd_chain_run *run,
                             const dpd_lattice *lattice, const double *w)
{
  bool pick, ended;
  size_t stride = (size_t)run->chains * (size_t)run->steps;
  if (run->trace != NULL)
    dpd_lattice_nearest(lattice, w, stride, run->trace + dpd_chain_run_index(t, run->steps));
  DPD_TRY(dpd_chain_run_next(t, rng, run->chains, run->steps, &pick, &ended));
  if (pick) dpd_lattice_nearest(lattice, w, 1, run->draw);
  return ended ? DPD_OK : DPD_AGAIN;
}
