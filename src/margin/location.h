/* location.h - how far locations and scales of numbers move when some are replaced. */
#ifndef MARGIN_LOCATION_H
#define MARGIN_LOCATION_H

#include "dpd.h"

/* Element K - 1 is for K = 1..most. Over all data sets at distance at most K:
 * lower <= T <= upper, S >= min; and |T - T'| <= shift, |S - S'| <= scale_shift for neighbours at
 * distances at most K - 1 and K. All as computed, and nested as computed: at a neighbour, the
 * bounds for K + 1 are no tighter. */
typedef struct {
  int most;
  double *lower, *upper, *shift, *min, *scale_shift;
} dpd_reach;

/* Windows of order statistics: w[0] is the one of the rank, neighbours to w[-most], w[most]. */

/* T is the order statistic. */
void dpd_reach_order(const dpd_reach *r, const double *w);

/* S = high - low, two order statistics `apart` ranks apart. */
void dpd_reach_gap(const dpd_reach *r, const double *low, const double *high, int apart);

/* T is the mean of the numbers from `low` to `high`, which are the ends of the kept ones; `kept`
 * of n numbers; T was added up in any order. */
void dpd_reach_trimmed(const dpd_reach *r, const double *low, const double *high, int kept,
                       double location);

/* A trimmed deviation: S is the mean distance of the kept numbers of y to T. Windows as above, of
 * most + 1 ranks to each side: at the ends of the kept numbers and at the median, whose rank is
 * floor((n + 1)/2). work: 6 (most + 1) doubles. */
typedef struct {
  const double *y;
  int n, cut; /* numbers cut off at each end */
  const double *low, *high, *middle;
  double scale;
  double *work;
} dpd_deviation;

/* T's bounds are in r already. */
void dpd_reach_deviation(const dpd_reach *r, const dpd_deviation *v);

/* What the mean of `kept` numbers of a range, near numbers of that size, may be off as computed. */
double dpd_reach_rounding(int kept, double range, double size);

/* max over 0 <= t <= K of high[t] - low[t - K]. */
double dpd_reach_span(const double *low, const double *high, int K);

#endif
