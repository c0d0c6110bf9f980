/* regression_restricted.h - the restricted exponential mechanism over regression depth: its draw.
 */
#ifndef MECH_REGRESSION_RESTRICTED_H
#define MECH_REGRESSION_RESTRICTED_H

#include "dpd.h"
#include "median/regression_regions.h"
#include "samp/level.h"

typedef struct {
  dpd_fit_regions *regions;
  int base;  /* the restriction's level */
  int level; /* of the draw that is being made; 0: none */
  dpd_levels levels;
} dpd_fit_mechanism;

/* Requires: the counts of r; r->unbounded < base <= r->levels; 0 < eps <= 256. product: one for
 * each of r->levels - base + 1 levels, kept by the caller. */
void dpd_fit_mechanism_open(dpd_fit_mechanism *m, dpd_fit_regions *r, int base, dpd_rate eps,
                            dpd_product *product);

/* A lattice fit with probability proportional to f(h(z)) on Z(base), f(t + 1) / f(t) at most, and
 * about, exp(eps / 2). DPD_AGAIN: call again. Fails: as the source does; DPD_ERR_MEMORY. */
dpd_status dpd_fit_mechanism_draw(dpd_fit_mechanism *m, dpd_rng *rng, dpd_i128 *intercept,
                                  int64_t *slope);

/* Uniform on 0..n - 1. Requires: n > 0. */
dpd_status dpd_fit_count_below(dpd_rng *rng, const dpd_fit_count *n, dpd_fit_count *out);

#endif
