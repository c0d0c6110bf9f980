/* projection.h - draws around the projection median. */
#ifndef MECH_PROJECTION_H
#define MECH_PROJECTION_H

#include "dpd.h"

/* The distribution exp(-rate O(x)), O(x) = max over u of |u'x - T_u| / S_u. */
typedef struct {
  int count, d;
  const double *dirs;              /* count x d, a direction after the other; they span R^d */
  const double *location, *spread; /* count each: T_u, S_u */
  double rate, step;               /* step: a power of two, the public lattice */
  bool chain;                      /* for dpd_projection_chain() only */
} dpd_projection_spec;

typedef struct dpd_projection dpd_projection;

/* What the pointers of `spec` point to must stay. Data whose S_u are not all positive, or that
 * cannot be computed with, get the distribution of T = 0, S = 1 instead: they are not safe, but the
 * test may pass all the same, with a probability below delta, and then no error may reveal them.
 * Fails: DPD_ERR_DOMAIN, for directions and a rate that cannot be used, never for the data's
 * sake. */
dpd_status dpd_projection_open(dpd_projection **out, const dpd_projection_spec *spec,
                               dpd_alloc alloc);

/* One exact draw, rounded to the lattice. DPD_AGAIN: call again. */
dpd_status dpd_projection_exact(dpd_projection *p, dpd_rng *rng, double *x);

typedef enum { DPD_HITRUN, DPD_LANGEVIN } dpd_projection_kind;

/* trace: chains x steps x d, states as they go (row-major from the right: steps x chains x d as R
 * has it), or NULL. */
typedef struct {
  dpd_projection_kind kind;
  int chains, steps;
  double *trace;
} dpd_projection_chains;

/* The last state of one of the chains, picked at random. DPD_AGAIN: call again. */
dpd_status dpd_projection_chain(dpd_projection *p, dpd_rng *rng, const dpd_projection_chains *c,
                                double *x);

double dpd_projection_proposals(const dpd_projection *p);

#endif
