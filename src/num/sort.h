/* sort.h - sorting doubles and whole numbers, with and without a workspace. */
#ifndef NUM_SORT_H
#define NUM_SORT_H

#include <stddef.h>
#include <stdint.h>

/* Ascending order, in O(n): radix sort on the bits for long vectors.
 * Requires: no NaN; `work` holds n doubles and does not overlap `x`.
 * Ensures: -0 and +0 compare equal and may stand in either order. */
void dpd_sort_doubles(double *x, size_t n, double *work);

/* The same for whole numbers that are not negative. */
void dpd_sort_positions(int64_t *x, size_t n, uint64_t *work);

/* How many of n whole numbers in ascending order are at most z. */
int64_t dpd_positions_to(const int64_t *x, int64_t n, int64_t z);

/* The same without a workspace, in O(n log n). */
void dpd_sort_inplace(double *x, size_t n);

#endif
