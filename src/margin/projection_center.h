/* projection_center.h - is some point near the centre of every data set at a distance? */
#ifndef MARGIN_PROJECTION_CENTER_H
#define MARGIN_PROJECTION_CENTER_H

#include "dpd.h"
#include "geom/chebyshev.h"

/* For each of `count` directions u (d numbers, one after the other, the axes among them):
 * bounds lower <= upper of a location and least > 0 of a scale, `stride` numbers apart. */
typedef struct {
  int count, d;
  const double *dirs;
  const double *lower, *upper, *min;
  size_t stride;
  uint64_t **big; /* memory for geom/chebyshev_exact.h; *big is NULL at first */
  dpd_alloc alloc;
} dpd_projection_center;

/* What the decision of neighbouring levels differs by at least; see
 * dpd_projection_center_value(). */
#define DPD_CENTRAL_STEP 0x1p-20

/* Values above are not that precise, and count as too large. */
#define DPD_CENTRAL_MOST 256

/* Bytes of workspace. */
size_t dpd_projection_center_scratch(int count, int d);

/* *value = min over x of max over u of max(|u'x - lower_u|, |u'x - upper_u|)/min_u, too large by
 * at most 3/4 DPD_CENTRAL_STEP and too small by at most 1/4 (up to DPD_CENTRAL_MOST); +Inf if
 * that doubles cannot hold (bounds of locations some 10^6 times as large as those of scales).
 * Requires: least along axes is at most 2^16 times that of any direction.
 * Ensures: if this is finite and wider bounds (lower less, upper more, least less) make it finite,
 * then so do these. Whether it is finite depends on comparisons of bounds alone. */
void dpd_projection_center_value(const dpd_projection_center *c, double *value, void *scratch);

#endif
