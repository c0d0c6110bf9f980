/* exponential.h - the exponential mechanism over halfspace depth: a private median. */
#ifndef MECH_EXPONENTIAL_H
#define MECH_EXPONENTIAL_H

#include "dpd.h"
#include "num/lattice.h"
#include "num/tally.h"

typedef struct {
  int n, d;
  const double *data;     /* entries x d, column-major, finite */
  const dpd_tally *tally; /* NULL: each of the n rows is an entry; none for a chain */
  const dpd_runs *along;  /* NULL, or in place of data: of each direction the rows' projections, on
                             the indexes of the lattice (below). Directions are then whole numbers
                             of at most 2^12, forms of these indexes, the axes first */
  dpd_prior prior;
  dpd_rate eps;
  bool exact_depth; /* halfspace depth itself (d <= 3), not its minimum over `dirs` */
  int count;
  const double *dirs; /* count x d, column-major, in units of the prior's scale; with
                         exact_depth they only bound the depth */
  int threads;
  bool chain;          /* prepare for dpd_exponential_chain() only */
  void (*pause)(void); /* called between blocks of the preparation, a fraction of a second each; may
                          leave by the host's own error; NULL: nothing is called */
} dpd_exponential_spec;

typedef struct dpd_exponential dpd_exponential;

/* Everything that the draws need from the data. Requires n >= 1; d <= 3 if exact_depth.
 * Fails: DPD_ERR_DOMAIN for a prior without a lattice point. */
dpd_status dpd_exponential_open(dpd_exponential **out, const dpd_exponential_spec *spec,
                                dpd_alloc alloc);

/* One exact draw x (d) from exp(eps h(x) / 2) prior(x) on the public lattice.
 * DPD_AGAIN: no draw yet after a block of work; call again. */
dpd_status dpd_exponential_draw(dpd_exponential *m, dpd_rng *rng, double *x);

/* One draw x by a Markov chain instead, for dimensions where exact draws are out of reach.
 * `chains` chains of `steps` steps each, started from the prior; x is the last state of a
 * chain picked at random. trace, if not NULL: steps x chains x d states, in the data's units,
 * for diagnostics, never for a release. Requires a directional depth. Resumable as above. */
dpd_status dpd_exponential_chain(dpd_exponential *m, dpd_rng *rng, int chains, int steps,
                                 double *trace, double *x);

/* Is there a lattice for this prior, dimension and depth? Public: reads no data.
 * Fails: DPD_ERR_DOMAIN if not. Writes the lattice's steps (d) if so. */
dpd_status dpd_exponential_steps(dpd_prior prior, bool exact_depth, double *step, dpd_alloc alloc);

/* Its indexes along a direction's depth: those of values less origin (d), from -clamp to clamp. */
dpd_status dpd_exponential_indexes(dpd_prior prior, double *origin, double *clamp, dpd_alloc alloc);

/* Proposals, acceptances and tree size so far: for tests and speed, never for a release. */
void dpd_exponential_counts(const dpd_exponential *m, double out[3]);

#endif
