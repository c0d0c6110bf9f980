/* order_stat.h - order statistics of numbers that stay where they are. */
#ifndef NUM_ORDER_STAT_H
#define NUM_ORDER_STAT_H

#include <stddef.h>

/* The order statistic of zero-based rank k of x[0..n-1]. work: n doubles, apart from x.
 * Requires: k < n, no NaN. */
double dpd_order_statistic(const double *x, size_t n, size_t k, double *work);

/* out[0 .. to - from] = the order statistics of one-based ranks from..to, in which ranks below 1
 * are -Inf and ranks above n +Inf. work: n doubles, apart from x.
 * Requires: from <= to, n >= 1, no NaN. */
void dpd_order_window(const double *x, size_t n, ptrdiff_t from, ptrdiff_t to, double *out,
                      double *work);

#endif
