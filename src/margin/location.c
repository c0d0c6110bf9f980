/* location.c - how far locations and scales of numbers move when some are replaced.
 *
 * METHOD: with sorted y; K numbers are replaced, and K - 1 in the one of two neighbours.
 *   order     T = y_(r): lower = y_(r-K), upper = y_(r+K), shift = max over 0 <= t <= K of
 *             y_(r+t) - y_(r+t-K).
 *   gap       S = y_(h) - y_(q): least = min over 0 <= s <= K of y_(h-s) - y_(q+K-s);
 *             scale_shift = the larger of the two order statistics' moves (a replaced number
 *             moves both the same way).
 *   trimmed   m T = y_(g+1) + ... + y_(n-g): shift = max over t of (y_(n-g+t) - y_(g+1+t-K))/m;
 *             upper = T + sum over 1 <= r <= K of (y_(n-g+r) - y_(g+r))/m, lower likewise.
 *   deviation S = mean of |y_i - T| over the same numbers, in deviation.c.
 *   Proofs: vignette proofs-projection. Order statistics are exact. Means are not: T and S have
 *   errors of at most n 2^-52 times the range that is added up, which enter twice into `shift` and
 *   `scale_shift`; bounds that are sums move outward by a multiple of K times that, so that they
 *   are nested as computed.
 * COST: O(K) for each K.
 * DEGENERATE: ranks below 1 and above n are infinite, and so are bounds; least is then zero.
 */
#include "margin/location.h"

#include <math.h>

double dpd_reach_span(const double *low, const double *high, int K)
{
  double most = 0;
  for (int t = 0; t <= K; t++) {
    double gap = high[t] - low[t - K];
    if (gap > most) most = gap;
  }
  return most;
}

void dpd_reach_order(const dpd_reach *r, const double *w)
{
  for (int K = 1; K <= r->most; K++) {
    r->lower[K - 1] = w[-K];
    r->upper[K - 1] = w[K];
    r->shift[K - 1] = dpd_reach_span(w, w, K);
  }
}

void dpd_reach_gap(const dpd_reach *r, const double *low, const double *high, int apart)
{
  for (int K = 1; K <= r->most; K++) {
    double min = INFINITY, up = dpd_reach_span(high, high, K), down = dpd_reach_span(low, low, K);
    for (int s = 0; s <= K; s++) {
      double gap = K <= apart ? high[-s] - low[K - s] : 0;
      if (gap < min) min = gap;
    }
    r->min[K - 1] = min > 0 ? min : 0;
    r->scale_shift[K - 1] = up > down ? up : down;
  }
}

double dpd_reach_rounding(int kept, double range, double size)
{
  return 0x1p-50 * (kept * range + size);
}

/* The largest size of a number between lo and hi. */
static double size_of(double lo, double hi)
{
  return fabs(lo) > fabs(hi) ? fabs(lo) : fabs(hi);
}

void dpd_reach_trimmed(const dpd_reach *r, const double *low, const double *high, int kept,
                       double location)
{
  double up = 0, down = 0;
  for (int K = 1; K <= r->most; K++) {
    double error = dpd_reach_rounding(kept, high[K] - low[-K], size_of(low[-K], high[K]));
    up += (high[K] - low[K - 1]) / kept;
    down += (high[1 - K] - low[-K]) / kept;
    r->upper[K - 1] = location + (up + 8 * K * error);
    r->lower[K - 1] = location - (down + 8 * K * error);
    r->shift[K - 1] = dpd_reach_span(low, high, K) / kept + 2 * error;
  }
}
