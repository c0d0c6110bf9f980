/* region.h - halfspace depth regions in the plane, and the deepest one. */
#ifndef MEDIAN_REGION_H
#define MEDIAN_REGION_H

#include "dpd.h"
#include "plane/polygon.h"

/* Omega(level) = {z : h(z) >= level}, h the closed count of depth/halfspace.h, to within rounding.
 * Opens `region`, which the caller closes; it may have no vertex.
 * Requires: 1 <= level <= n; coordinates of spread about one; ex, ey > 0 as in
 * depth/halfspace.h. Fails: DPD_ERR_MEMORY, DPD_ERR_LIMIT, the region then being closed. */
dpd_status dpd_region2(const double *x, const double *y, int n, int level, double ex, double ey,
                       dpd_polygon *region);

/* The region of the largest level that is not empty. Requires: n >= 1; as above. */
dpd_status dpd_region2_deepest(const double *x, const double *y, int n, double ex, double ey,
                               int *level, dpd_polygon *region);

#endif
