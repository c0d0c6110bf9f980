/* num_order.h - one order statistic of numbers that stay where they are. */
#ifndef NUM_ORDER_H
#define NUM_ORDER_H

#include <stddef.h>

/* The order statistic of zero-based rank k of x[0..n-1]. work: n doubles, apart from x.
 * Requires: k < n, no NaN. */
double dpd_order_statistic(const double *x, size_t n, size_t k, double *work);

#endif
