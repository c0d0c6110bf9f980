/* independence_proposal.h - independent proposals for a chain over a directional depth. */
#ifndef SAMP_INDEPENDENCE_PROPOSAL_H
#define SAMP_INDEPENDENCE_PROPOSAL_H

#include "num/lattice.h"
#include "num/rank_window.h"

/* The distribution prior(z) exp(eps g(z) / 2) over real z, g the depth along the axes of the
 * lattice point next to z, as far as the window's ranks show: at least low - 1 and at most high. */
typedef struct {
  const dpd_rank_window *window;
  const dpd_lattice *lattice;
  double half_eps;
  int *axis;        /* d: the direction that is axis j */
  double *unit;     /* d: its only coefficient */
  double *weight;   /* one a level, from high down to low, and one for the rest */
  double log_total; /* logarithm of the distribution's whole mass, up to a constant of the prior */
} dpd_jump;

/* Requires the axes among the window's directions. */
void dpd_jump_open(dpd_jump *j, const dpd_rank_window *window, const dpd_lattice *lattice,
                   double half_eps, dpd_alloc alloc);

/* A draw from that distribution, in doubles: for Markov chains. */
dpd_status dpd_jump_draw(const dpd_jump *j, dpd_rng *rng, double *z);

/* g(z) */
int dpd_jump_depth(const dpd_jump *j, const double *z);

/* A draw from the prior itself. */
dpd_status dpd_jump_prior(const dpd_lattice *l, dpd_rng *rng, double *z);

#endif
