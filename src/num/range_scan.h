/* range_scan.h - passes over numbers, four at a time where the processor can. */
#ifndef NUM_RANGE_SCAN_H
#define NUM_RANGE_SCAN_H

#include "dpd.h"

/* Copies the numbers of lo..hi to `out`, in their order. Returns how many, and counts those below
 * lo. `out` has room for n numbers; it may be x. Requires: none is NaN. */
size_t dpd_range_keep(const double *x, size_t n, double lo, double hi, double *out, size_t *below);

/* Numbers <= t, and numbers >= t. */
void dpd_range_sides(const double *x, size_t n, double t, size_t *below, size_t *above);

/* out[i] = |x[i] - t| */
void dpd_range_distances(const double *x, size_t n, double t, double *out);

#endif
