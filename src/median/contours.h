/* contours.h - many halfspace depth regions in the plane at once. */
#ifndef MEDIAN_CONTOURS_H
#define MEDIAN_CONTOURS_H

#include "dpd.h"
#include "plane/line_sweep.h"
#include "plane/polygon.h"

/* As dpd_region2() of median/region.h for each of the levels, of at most the largest that is not
 * empty. Opens region[0..count-1], which the caller closes, also after a failure. The same bits for
 * any number of threads. scratch: dpd_contours_scratch() bytes. Fails: DPD_ERR_MEMORY. */
size_t dpd_contours_scratch(const dpd_plane_levels *p);
dpd_status dpd_contours(const dpd_plane_levels *p, dpd_polygon *region, void *scratch);

#endif
