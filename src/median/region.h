/* region.h - halfspace depth regions in the plane, and the deepest one. */
#ifndef MEDIAN_REGION_H
#define MEDIAN_REGION_H

#include "dpd.h"
#include "plane/polygon.h"

/* Planar rows, and what each coordinate's rounding may be, as in depth/halfspace.h. */
typedef struct {
  const double *x, *y;
  int n;
  double ex, ey;
} dpd_region_data;

/* Omega(level) = {z : h(z) >= level}, h the closed count of depth/halfspace.h, to within rounding.
 * Opens `region`, which the caller closes; it may have no vertex.
 * scratch: that many bytes. Requires: 1 <= level <= n; coordinates of spread about one; ex, ey > 0.
 * Fails: DPD_ERR_MEMORY, DPD_ERR_LIMIT, the region then being closed. */
size_t dpd_region2_scratch(int n);
dpd_status dpd_region2(const dpd_region_data *p, int level, dpd_polygon *region, void *scratch);

/* The region of the largest level that is not empty. Requires: n >= 1; as above. */
dpd_status dpd_region2_deepest(const dpd_region_data *p, int *level, dpd_polygon *region,
                               void *scratch);

#endif
