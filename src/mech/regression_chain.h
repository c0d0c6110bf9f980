/* regression_chain.h - the exponential mechanism over regression depth by a Markov chain. */
#ifndef MECH_REGRESSION_CHAIN_H
#define MECH_REGRESSION_CHAIN_H

#include "mech/regression.h"

typedef struct dpd_regression_chain dpd_regression_chain;

/* Requires: a prior that is not dyadic. Fails: as dpd_regression_open(). */
dpd_status dpd_regression_chain_open(dpd_regression_chain **out, const dpd_regression_spec *spec,
                                     dpd_alloc alloc);

/* The last state of one of `chains` chains of `steps` steps as a point theta (k) of the lattice.
 * trace: NULL, or steps x chains x k for the states. DPD_AGAIN: call again. Nothing of privacy is
 * proved for it. */
dpd_status dpd_regression_chain_draw(dpd_regression_chain *c, dpd_rng *rng, int chains, int steps,
                                     double *trace, double *theta);

#endif
