/* median.h - smooth sensitivity of the median of one variable. */
#ifndef SENS_MEDIAN_H
#define SENS_MEDIAN_H

#include "dpd.h"

/* A^(k) = max over 0 <= t <= k+1 of c[p+t] - c[p+t-k-1], k = 0..count-1. `c` holds c[0..n+1]: the
 * lower bound, the n clipped order statistics, the upper bound; indexes beyond are as the ends.
 * Requires: c ascending and finite, 1 <= p <= n. */
void dpd_sens_median_profile(const double *c, int n, int p, int count, double *profile);

typedef struct {
  const double *c;
  int n, p;
  double beta, min;
} dpd_median_windows;

/* max(min, max over k of exp(-beta k) A^(k)), and its k (-1 if `min` is larger). Where values
 * are below exp(-300) (c[n+1] - c[0]), that bound may be returned instead.
 * Requires besides: beta > 0, least >= 0. Ensures: *value is not below the true maximum by more
 * than a relative 2^-44 (c[n+1] - c[0]) / max(*value, min), and by 2^-48 if the maximum is at k <
 * 2000. */
void dpd_sens_median(const dpd_median_windows *q, double *value, int *at);

#endif
