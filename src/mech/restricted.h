/* restricted.h - the restricted exponential mechanism over halfspace depth: its draw. */
#ifndef MECH_RESTRICTED_H
#define MECH_RESTRICTED_H

#include "dpd.h"
#include "margin/restricted.h"
#include "median/lattice_regions.h"

/* A lattice point with probability proportional to exp(eps h(z) / 2) on Z(level).
 * work: r->levels doubles. Requires: 1 <= level <= r->levels, 0 < eps <= 256.
 * Fails: as the source does. */
dpd_status dpd_restricted_draw(dpd_rng *rng, const dpd_lattice_regions *r, int level, double eps,
                               double *work, int64_t *z);

/* At most `rounds` proposals from cells of regions in space. work: cells->cells doubles. */
typedef struct {
  const dpd_space *space;
  const dpd_restricted_bounds_cells *cells;
  double eps;
  int rounds;
  double *work;
} dpd_restricted_proposals;

/* In space: the same for the depth along the directions. DPD_AGAIN: no proposal was kept.
 * Requires: cells->cells >= 1, Z(cells->level) not empty. */
dpd_status dpd_restricted_draw3(dpd_rng *rng, const dpd_restricted_proposals *p, int64_t z[3]);

#endif
