/* order_stat.h - how far order statistics can be apart after replacements. */
#ifndef SENS_ORDER_STAT_H
#define SENS_ORDER_STAT_H

/* y: n sorted numbers, in lower..upper, which stand for ranks below 1 and above n. */
typedef struct {
  const double *y;
  double lower, upper;
  int n, deepest, min;
} dpd_rank_windows_spec;

/* For k = 0, ...,
 * count - 1 with mu = max(deepest - k, min), nu = max(mu - 1, min) - 1: width[k] = the largest
 * over p + q = k of y_(n - mu + 1 + p) - y_(nu - q) and of y_(n - nu + 1 + p) - y_(mu - q). */
void dpd_rank_windows(const dpd_rank_windows_spec *s, int count, double *width);

#endif
