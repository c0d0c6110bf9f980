/* halfspace_3d.h - the deepest region of halfspace depth in space, exact. */
#ifndef MEDIAN_HALFSPACE_3D_H
#define MEDIAN_HALFSPACE_3D_H

#include "dpd.h"

/* The centroid of {z : h(z) >= level} for the largest level in lo..hi with a point, h the closed
 * count of depth/halfspace.h; `found` is false if rounding leaves not even level lo a point.
 * centre: a point in the middle of the data. Column-major data of spreads about one, not on one
 * plane; errors as in depth/halfspace.h. The same result for any number of threads.
 * Requires: 1 <= lo <= hi <= n, a point of depth lo or more to exist.
 * Fails: DPD_ERR_MEMORY; DPD_ERR_LIMIT (rounding). */
dpd_status dpd_halfspace_3d_median(const double *data, int n, const double err[3],
                                   const double centre[3], int lo, int hi, int threads, int *level,
                                   double z[3], bool *found);

#endif
