/* slope_sort.h - the rows of planar data in the exact order of their slopes from one of them. */
#ifndef PLANE_SLOPE_SORT_H
#define PLANE_SLOPE_SORT_H

#include "dpd.h"
#include "plane/angle_sort.h"

/* Bytes of workspace for n rows; any alignment of malloc suffices. */
size_t dpd_slope_sort_scratch(int n);

/* As dpd_angle_sort() from row i, for any doubles, without a rounding error: groups are exactly the
 * rows of equal slope, the rows with the x of row i a last group. All sides are 0. O(n log n).
 * Requires: 0 <= i < n <= 2^22, coordinates that are zero or have a size within 2^-300 and 2^300.
 * Fails: never. */
void dpd_slope_sort(const double *x, const double *y, int n, int i, void *work,
                    dpd_angle_order *out);

#endif
