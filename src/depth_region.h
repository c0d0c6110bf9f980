/* depth_region.h - halfspace depth regions in the plane, and the deepest one. */
#ifndef DEPTH_REGION_H
#define DEPTH_REGION_H

#include "dpd.h"
#include "geom_polygon.h"

/* Omega(level) = {z : h(z) >= level}, h the closed count of depth_halfspace.h, to within rounding.
 * Opens `region`, which the caller closes; it may have no vertex.
 * Requires: 1 <= level <= n; coordinates of spread about one; ex, ey > 0 as in
 * depth_halfspace.h. Fails: DPD_ERR_MEMORY, DPD_ERR_LIMIT, the region then being closed. */
dpd_status dpd_region2(const double *x, const double *y, int n, int level, double ex, double ey,
                       dpd_polygon *region);

/* The region of the largest level that is not empty. Requires: n >= 1; as above. */
dpd_status dpd_region2_deepest(const double *x, const double *y, int n, double ex, double ey,
                               int *level, dpd_polygon *region);

#endif
