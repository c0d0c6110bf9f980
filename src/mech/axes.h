/* axes.h - the exponential mechanism over depth along the axes: exact in any dimension. */
#ifndef MECH_AXES_H
#define MECH_AXES_H

#include "dpd.h"
#include "num/lattice.h"
#include "num/tally.h"
#include "samp/level.h"

typedef struct {
  int n, d;
  const double *data;     /* entries x d, column-major, finite */
  const dpd_tally *tally; /* NULL: each of the n rows is an entry */
  dpd_prior prior;
  dpd_rate eps;
} dpd_axes_spec;

typedef struct dpd_axes dpd_axes;

/* Requires 1 <= n < 2^31 - 1, 1 <= d <= 2^26, and `spec->data` until the last draw.
 * Fails: DPD_ERR_DOMAIN for a prior without a lattice. */
dpd_status dpd_axes_open(dpd_axes **out, const dpd_axes_spec *spec, dpd_alloc alloc);

/* The levels' weights, a column at a time: call it while it says DPD_AGAIN. */
dpd_status dpd_axes_prepare(dpd_axes *m);

/* One exact draw x (d) from prior(x) f(h(x)) on the public lattice, with
 * h(x) = min over j of min(#{rows <= x_j}, #{rows >= x_j}) and f as in the header of mech/axes.c.
 * Requires dpd_axes_prepare() to be done. DPD_AGAIN after each column but the last: call again
 * with the same x. */
dpd_status dpd_axes_draw(dpd_axes *m, dpd_rng *rng, double *x);

/* d, and the level of the last draw: x lies in its box, drawn by the prior. Not for a release. */
int dpd_axes_width(const dpd_axes *m);
int dpd_axes_level(const dpd_axes *m);

/* Is there a lattice for this prior? Public: reads no data.
 * Fails: DPD_ERR_DOMAIN if not. Writes the lattice's steps (d) if so. */
dpd_status dpd_axes_steps(dpd_prior prior, double *step, dpd_alloc alloc);

/* The levels that hold a point. They depend on the data: for tests, never for a release. */
const dpd_levels *dpd_axes_levels(const dpd_axes *m);

#endif
