/* mad.h - how far the median absolute deviation moves when numbers are replaced. */
#ifndef MARGIN_MAD_H
#define MARGIN_MAD_H

#include "dpd.h"

/* Order statistics of n numbers y: near the median, and near both ends of the interval median -
 * MAD .. median + MAD. Ranks are one-based; -Inf below rank 1, +Inf above n. */
typedef struct {
  int n, p, most;       /* p = floor((n + 1)/2); bounds are wanted for K = 1..most, most < p */
  const double *middle; /* ranks p - most .. p + most */
  double mad;
  int from, to; /* lower ends of intervals that are looked at */
  double *low;  /* ranks from .. to + most */
  double *high; /* ranks from + p - most - 1 .. to + p + most */
  bool all;     /* there are no others */
} dpd_mad_ends;

/* Bytes of low, and of high. */
size_t dpd_mad_scratch(int n, int most);

/* Fills in mad, from, to, low and high, about `width` ranks to each side. work: 2 n doubles. */
void dpd_mad_gather(dpd_mad_ends *e, const double *y, int width, double *work);

/* Bounds over all data sets at distance at most K of y, 1 <= K <= most: the MAD is at least
 * *least, at most *largest; and of neighbours at distances at most K - 1 and K, whose medians
 * differ by at most `shift`, the MADs differ by at most *change.
 * They return false if they would need more order statistics than were gathered.
 * Ensures: nested as computed: the value for K + 1 at a neighbour of y is no tighter. */
bool dpd_mad_smallest(const dpd_mad_ends *e, int K, double *min);
bool dpd_mad_largest(const dpd_mad_ends *e, int K, double *largest);
bool dpd_mad_change(const dpd_mad_ends *e, int K, double shift, double *change);

#endif
