/* chain_run.h - Markov chains that run one after the other: which runs, and what is kept. */
#ifndef SAMP_CHAIN_RUN_H
#define SAMP_CHAIN_RUN_H

#include "num/lattice.h"

/* The chain that runs, and the steps that it has made. */
typedef struct {
  int chain, step;
} dpd_chain_place;

/* Where the state of this step stands in a trace of steps x chains. */
static inline size_t dpd_chain_run_index(const dpd_chain_place *t, int steps)
{
  return (size_t)t->chain * (size_t)steps + (size_t)t->step;
}

/* Counts a step. pick: the chain has ended, and its state is to replace the draw: after the last
 * one the draw is the last state of any chain with equal probability. ended: that was the last. */
dpd_status dpd_chain_run_next(dpd_chain_place *t, dpd_rng *rng, int chains, int steps, bool *pick,
                              bool *ended);

/* How chains over a lattice run, and where their states go. */
typedef struct {
  int chains, steps;
  double *trace; /* NULL, or steps x chains x d for the states, in the data's units */
  double *draw;  /* d: the last state of one of the chains */
} dpd_chain_run;

/* Ends a step that has led to w: the lattice point next to it is noted in the trace and, if it is
 * the one, as the draw. DPD_AGAIN: there are further steps. */
dpd_status dpd_chain_run_end(dpd_chain_place *t, dpd_rng *rng, const dpd_chain_run *run,
                             const dpd_lattice *lattice, const double *w);

#endif
