/* quantile.h - one quantile of one variable by the exponential mechanism: exact. */
#ifndef MECH_QUANTILE_H
#define MECH_QUANTILE_H

#include "dpd.h"
#include "num/lattice.h"
#include "num/tally.h"
#include "samp/level.h"

typedef struct {
  int n;
  const double *data;     /* entries, finite */
  const dpd_tally *tally; /* NULL: each of the n rows is an entry */
  dpd_prior prior;        /* one axis */
  int below, above;       /* 0 <= below, above <= n <= below + above <= n + 1 */
  dpd_rate eps;
} dpd_quantile_spec;

typedef struct dpd_quantile dpd_quantile;

/* Requires 1 <= n < 2^31 - 1.
 * Fails: DPD_ERR_DOMAIN on a broken Requires and for a prior without a lattice. */
dpd_status dpd_quantile_open(dpd_quantile **out, const dpd_quantile_spec *spec, dpd_alloc alloc);

/* One exact draw from prior(x) f(s(x)) on the public lattice, where
 * s(x) = min(#{rows <= x} - below, #{rows >= x} - above), cut to -K..K for a public K, and
 * f(t) <= f(t + 1) <= exp(eps / 2) f(t), f(t) being exp(eps t / 2) but for rounding. */
dpd_status dpd_quantile_draw(const dpd_quantile *m, dpd_rng *rng, double *x);

/* The same, and the level of the score in whose interval x was drawn, INT_MIN for the whole
 * support. Not for a release. */
dpd_status dpd_quantile_draw_level(const dpd_quantile *m, dpd_rng *rng, double *x, int *level);

/* The public K of the score, a function of n and eps. */
int dpd_quantile_reach(int n, dpd_rate eps);

/* The levels that hold a point. They depend on the data: for tests, never for a release. */
const dpd_levels *dpd_quantile_levels(const dpd_quantile *m);

#endif
