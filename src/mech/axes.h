/* axes.h - the exponential mechanism over ranks along the axes: depth, and one quantile. */
#ifndef MECH_AXES_H
#define MECH_AXES_H

#include "dpd.h"
#include "mech/boxes.h"
#include "num/lattice.h"
#include "num/tally.h"

typedef struct {
  int n, d;
  const double *data;     /* entries x d, column-major, finite */
  const dpd_tally *tally; /* NULL: each of the n rows is an entry */
  dpd_prior prior;
  dpd_rate eps;
  /* 0 and 0: depth. Else d = 1 and a quantile, 0 <= below, above <= n <= below + above <= n + 1. */
  int below, above;
  bool cut;     /* of a quantile: scores are cut to -K..K, K = dpd_axes_reach(n, eps) */
  bool to_ends; /* rows beyond the prior's support count as rows at its ends; else as beyond */
} dpd_axes_spec;

/* Boxes whose draws are exact, from prior(x) f(s(x)) on the public lattice, f as in mech/boxes.h,
 * s(x) = min over j of min(#{rows <= x_j} - below, #{rows >= x_j} - above).
 * Requires 1 <= n < 2^31 - 1, 1 <= d <= 2^26, and `spec->data` until the last draw.
 * Fails: DPD_ERR_DOMAIN on a broken Requires and for a prior without a lattice. */
dpd_status dpd_axes_open(dpd_boxes **out, const dpd_axes_spec *spec, dpd_alloc alloc);

/* The public K of the score, a function of n and eps. */
int dpd_axes_reach(int n, dpd_rate eps);

/* The score that all points of a level's box have at least; INT_MIN for level 0, the support. */
int dpd_axes_score(const dpd_axes_spec *spec, int level);

/* Is there a lattice for this prior? Public: reads no data.
 * Fails: DPD_ERR_DOMAIN if not. Writes the lattice's steps (d) if so. */
dpd_status dpd_axes_steps(dpd_prior prior, double *step, dpd_alloc alloc);

#endif
