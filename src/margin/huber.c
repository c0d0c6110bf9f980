/* huber.c - how far Huber's location moves when numbers are replaced.
 *
 * METHOD: K replacements, r = ceil(n/5). c lies in [c-, c+], by the bounds of the MAD, and differs
 *   by at most dc between neighbours.
 *   1. If y_(n+1-r) - y_(r) >= c, the root lies between these two. If that is so for all data sets
 *      at distance K, all roots lie in [y_(r-K), y_(n+1-r+K)].
 *   2. Let [R-, R+] hold all roots, N = #{R+ - c- < y < R- + c-} - K, and M = 2 K + the most that
 *      #{y >= T + c} and #{y <= T - c} can differ for T in [R-, R+], c in [c-, c+]. Then
 *      |T - T'| <= c+ (2 + M dc/c-)/N.
 *   3. So T is within the sum of these, over 1..K, of any root at distance K: with that interval
 *      for [R-, R+], step 2 is done again.
 *   Proof: vignette proofs-projection. T is off its root by at most (c n^2 2^-52 + n 2^-53 |T|)/N
 *   (Newton's steps end when they are below half a unit of the last place), which enters twice.
 * COST: two passes over n for each K whose bounds may be finite, and the change of the MAD.
 * DEGENERATE: N <= 0, or a middle range shorter than c: infinite bounds.
 * REFERENCE: Huber (1964), Robust estimation of a location parameter.
 */
#include "margin/huber.h"

#include <math.h>

#include "num/order_stat.h"

size_t dpd_huber_scratch(int n, int most)
{
  return (3 * (size_t)n + 5 * (2 * (size_t)most + 3)) * sizeof(double);
}

typedef struct {
  const double *y;
  int n, K;
  double min, largest, change; /* c-, c+, dc */
} bend;

/* Step 2 for roots between `from` and `to`. */
static double shift_within(const bend *b, double from, double to)
{
  /* ends of what is within c of all roots, and beyond c of some and of all, on both sides */
  double above = from + b->min, above_all = to + b->largest;
  double below = to - b->min, below_all = from - b->largest;
  int inner = 0, upper = 0, upper_all = 0, lower = 0, lower_all = 0;
  if (!(to - from < INFINITY)) return INFINITY;
  for (int i = 0; i < b->n; i++) {
    double v = b->y[i];
    inner += (v > below) & (v < above);
    upper += v >= above;
    upper_all += v > above_all;
    lower += v <= below;
    lower_all += v < below_all;
  }
  inner -= b->K;
  if (inner <= 0) return INFINITY;
  double most = upper - lower_all > lower - upper_all ? upper - lower_all : lower - upper_all;
  most += 2.0 * b->K;
  double size = fabs(from) > fabs(to) ? fabs(from) : fabs(to), n = b->n;
  double error = (b->largest * (n * n * 0x1p-51) + 0x1p-50 * n * size) / inner;
  return b->largest * (2 + most * (b->change / b->min)) / inner + 2 * error;
}

/* c- and c+; false if more order statistics are needed. */
static bool bend_range(const dpd_mad_ends *e, double factor, bend *b)
{
  double min, largest;
  if (!dpd_mad_smallest(e, b->K, &min) || !dpd_mad_largest(e, b->K, &largest)) return false;
  b->min = factor * min;
  b->largest = factor * largest;
  return true;
}

/* dc, the costly one; as above. */
static bool bend_change(const dpd_mad_ends *e, double factor, bend *b)
{
  double change, shift = dpd_reach_span(e->middle + e->most, e->middle + e->most, b->K);
  if (!dpd_mad_change(e, b->K, shift, &change)) return false;
  b->change = factor * change * (1 + 0x1p-40) + 0x1p-50 * b->largest;
  return true;
}

bool dpd_huber_reach(const dpd_reach *r, const dpd_mad_ends *e, const double *y, double factor,
                     double location, double *work)
{
  int n = e->n, most = r->most, rank = (n + 4) / 5;
  size_t size = (size_t)n, span = 2 * (size_t)most + 3;
  double *low = work + 3 * size, *high = low + span, *gap = high + span, *spare = gap + span;
  dpd_order_window(y, size, rank - most, rank + most, low, work);
  dpd_order_window(y, size, n + 1 - rank - most, n + 1 - rank + most, high, work);
  low += most;
  high += most;
  dpd_reach range = {.most = most, .min = gap, .scale_shift = spare};
  dpd_reach_gap(&range, low, high, n + 1 - 2 * rank);
  double wide = 0, sum = 0;
  for (int K = 1; K <= most; K++) {
    bend b = {.y = y, .n = n, .K = K};
    double shift = INFINITY;
    /* c- and the gap fall with K, c+ grows: what is infinite stays so */
    bool bounded = wide < INFINITY;
    if (bounded && !bend_range(e, factor, &b)) return false;
    if (bounded && b.min > 0 && gap[K - 1] >= b.largest) {
      if (!bend_change(e, factor, &b)) return false;
      double growth = 1 + K * 0x1p-30; /* outweighs the rounding of the sums, also at a neighbour */
      double rough = shift_within(&b, low[-K], high[K]);
      wide += rough * growth;
      shift = shift_within(&b, location - wide, location + wide);
      if (rough < shift) shift = rough;
      sum += shift * growth;
    } else {
      wide = sum = INFINITY;
    }
    r->shift[K - 1] = shift;
    r->upper[K - 1] = location + sum;
    r->lower[K - 1] = location - sum;
  }
  return true;
}
