/* chain_turn.h - whose turn it is among Markov chains that run one after the other. */
#ifndef SAMP_CHAIN_TURN_H
#define SAMP_CHAIN_TURN_H

#include "dpd.h"

/* The chain that runs, and the steps that it has made. */
typedef struct {
  int chain, step;
} dpd_chain_turn;

/* Where the state of this step stands in a trace of steps x chains. */
static inline size_t dpd_chain_turn_place(const dpd_chain_turn *t, int steps)
{
  return (size_t)t->chain * (size_t)steps + (size_t)t->step;
}

/* Counts a step. pick: the chain has ended, and its state is to replace the draw: after the last
 * one the draw is the last state of any chain with equal probability. ended: that was the last. */
dpd_status dpd_chain_turn_next(dpd_chain_turn *t, dpd_rng *rng, int chains, int steps, bool *pick,
                               bool *ended);

#endif
