/* select.h - selection of order statistics. */
#ifndef NUM_SELECT_H
#define NUM_SELECT_H

#include <stddef.h>

/* Permutes x so that x[lo..hi] hold the order statistics of (zero-based) ranks lo..hi, sorted,
 * nothing before them is larger and nothing after them is smaller. Expected O(n + m log m),
 * m = hi - lo + 1; never worse than O(n log n).
 * Requires: lo <= hi < n, no NaN. */
void dpd_select_range(double *x, size_t n, size_t lo, size_t hi);

#endif
