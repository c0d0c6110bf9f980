/* restricted_axes.h - the exponential mechanism over depth along the axes, restricted: its draw. */
#ifndef MECH_RESTRICTED_AXES_H
#define MECH_RESTRICTED_AXES_H

#include "dpd.h"
#include "samp/level.h"

/* Rows of whole numbers up to 2^50 in size, column j ascending from sorted[j n] on. */
typedef struct {
  int n, d, level; /* level: 1..(n + 1) / 2 */
  const double *sorted;
  dpd_levels levels;
} dpd_restricted_axes;

/* Weighs the levels. level[0..n - m->level]: room for them. */
void dpd_restricted_axes_settle(dpd_restricted_axes *m, dpd_rate eps, dpd_product *level);

/* A lattice point z (d) with probability proportional to exp(eps h(z) / 2) on {h >= level}, exact
 * but for a factor within exp(+-2^-36). Fails: as the source does. */
dpd_status dpd_restricted_axes_draw(const dpd_restricted_axes *m, dpd_rng *rng, double *z);

#endif
