/* contours.h - many halfspace depth regions in the plane at once. */
#ifndef MEDIAN_CONTOURS_H
#define MEDIAN_CONTOURS_H

#include "dpd.h"
#include "plane/polygon.h"

/* As dpd_region2() of median/region.h for each of `count` increasing levels of at most `deepest`,
 * the largest level that is not empty. Opens region[0..count-1], which the caller closes, also
 * after a failure. The same bits for any number of threads. Fails: DPD_ERR_MEMORY. */
dpd_status dpd_contours(const double *x, const double *y, int n, double ex, double ey,
                        const int *level, int count, int threads, dpd_polygon *region);

#endif
