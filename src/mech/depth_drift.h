/* depth_drift.h - states of chains over depths, and Langevin steps for sums over directions. */
#ifndef MECH_DEPTH_DRIFT_H
#define MECH_DEPTH_DRIFT_H

#include "mech/depth_median_state.h"

/* w: real, in lattice indexes; z: the lattice point next to it; t: its projections, for a sum over
 * directions. */
typedef struct {
  double *w, *z, *t;
  double log_weight; /* of z: prior and score */
  double *pull;      /* d: the gradient of about that, in coordinates of the factor; if `pulled` */
  bool pulled;
} dpd_depth_state;

typedef struct {
  dpd_depth_median *m;
  double half_rate;          /* log weight of a part of the score, and of the score's unit */
  double gain;               /* likewise */
  double *forward, *back;    /* the directions, packed: for projections, and for sums of them */
  double *wide;              /* count: how far projections go for a typical loss of score */
  double *factor;            /* d x d: L, lower, L L' the curvature of the log weight */
  double log_size;           /* of the adjusted steps: their variance against L L' */
  int made;                  /* steps for which it was adapted */
  double plain_size, *scale; /* of the steps as published, in units of scale (d) */
  double *noise, *side;      /* d + 1 and d */
  double *slope;             /* count */
} dpd_depth_drift;

/* m: opened as for chains. */
void dpd_depth_drift_open(dpd_depth_drift *k, dpd_depth_median *m, dpd_alloc alloc);
void dpd_depth_state_open(dpd_depth_state *s, const dpd_depth_median *m, dpd_alloc alloc);

/* All but w and pull from w; false outside the prior's support. */
bool dpd_depth_state_set(const dpd_depth_drift *k, dpd_depth_state *s);

/* Both require a score that is a sum over directions. A Langevin step with Metropolis's adjustment:
 * `here` after it, with `there` for the proposal. adapt: the size of further steps, too. */
dpd_status dpd_depth_drift_step(dpd_depth_drift *k, dpd_rng *rng, dpd_depth_state *here,
                                dpd_depth_state *there, bool adapt);
void dpd_depth_drift_restart(dpd_depth_drift *k);

/* One without it, kept within the support: its distribution is not that of the mechanism. */
dpd_status dpd_depth_drift_plain(dpd_depth_drift *k, dpd_rng *rng, dpd_depth_state *here);

#endif
