/* hit_and_run.h - hit-and-run over a directional depth, with exact draws along lines. */
#ifndef SAMP_HIT_AND_RUN_H
#define SAMP_HIT_AND_RUN_H

#include "geom/shear.h"
#include "num/lattice.h"
#include "num/rank_window.h"

/* Target: prior(z) exp(eps h(z) / 2) over real z in the prior's support, h the directional
 * depth count; depths outside the window count as low - 1 and high. */
typedef struct {
  const dpd_rank_window *window;
  const dpd_lattice *lattice;
  const dpd_shear *shear; /* shapes the distribution of the line's direction */
  double half_eps;
  double *proj, *slope, *inverse; /* count each: u'z, u'v, 1 / u'v */
  double *v, *back;               /* d each: the line's direction, the state before */
  double *weight, *ends;          /* one and two a level */
} dpd_hit_and_run;

void dpd_hit_and_run_open(dpd_hit_and_run *h, const dpd_rank_window *window,
                          const dpd_lattice *lattice, const dpd_shear *shear, double half_eps,
                          dpd_alloc alloc);

/* One step from z (d), in place. Leaves the target invariant, up to rounding and to levels
 * whose share of a line is below 1e-14. */
dpd_status dpd_hit_and_run_step(dpd_hit_and_run *h, dpd_rng *rng, double *z);

/* The same along the line through z and a fixed point. Leaves the target invariant for any
 * distribution of the point that does not depend on z. */
dpd_status dpd_hit_and_run_radial(dpd_hit_and_run *h, dpd_rng *rng, const double *center,
                                  double *z);

#endif
