/* depth_contours.h - many halfspace depth regions in the plane at once. */
#ifndef DEPTH_CONTOURS_H
#define DEPTH_CONTOURS_H

#include "dpd.h"
#include "geom_polygon.h"

/* As dpd_region2() of depth_region.h for each of `count` increasing levels of at most `deepest`,
 * the largest level that is not empty. Opens region[0..count-1], which the caller closes, also
 * after a failure. The same bits for any number of threads. Fails: DPD_ERR_MEMORY. */
dpd_status dpd_contours(const double *x, const double *y, int n, double ex, double ey,
                        const int *level, int count, int threads, dpd_polygon *region);

/* The closed halfplane to the right of the line from row i to row j, of level number `level`. */
typedef struct {
  int i, j, level;
} dpd_edge;

/* The halfplanes that bound the regions: those of levels 1..levels, start[l - 1] to start[l] - 1 of
 * *edge, which the caller frees. With the rectangle of its order statistics they make each region.
 * pad = 0: integers below 2^50 in size, and exact. Requires: start of levels + 2 elements.
 * The same order for any number of threads. Fails: DPD_ERR_MEMORY, *edge being NULL. */
dpd_status dpd_contours_edges(const double *x, const double *y, int n, double pad, int levels,
                              int threads, dpd_edge **edge, size_t *start);

#endif
