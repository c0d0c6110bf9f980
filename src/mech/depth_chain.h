/* depth_chain.h - the exponential mechanism over depths by a Markov chain. */
#ifndef MECH_DEPTH_CHAIN_H
#define MECH_DEPTH_CHAIN_H

#include "mech/depth_median.h"

typedef struct dpd_depth_chain dpd_depth_chain;

typedef struct {
  int chains, steps;
  bool plain; /* Langevin steps as published, without adjustment: for DPD_SCORE_IRW, DPD_SCORE_IDD
                    and DPD_SCORE_IDD_SMOOTH */
  double *trace; /* NULL, or steps x chains x d for the states, in the data's units */
} dpd_depth_run;

/* Fails: as dpd_depth_median_open(). */
dpd_status dpd_depth_chain_open(dpd_depth_chain **out, const dpd_depth_median_spec *spec,
                                dpd_alloc alloc);

/* The last state of one of the chains as a point x (d) of the lattice. DPD_AGAIN: call again.
 * Nothing of privacy is proved for it. */
dpd_status dpd_depth_chain_draw(dpd_depth_chain *c, dpd_rng *rng, const dpd_depth_run *run,
                                double *x);

#endif
