/* mad.c - how far the median absolute deviation moves when numbers are replaced.
 *
 * METHOD: with sorted y, p = floor((n + 1)/2), a = y_(p-K), b = y_(p+K) and r_q(z) the q-th
 *   smallest |y_i - z| (so that the MAD is r_p at the median). The medians of all data sets at
 *   distance K lie in [a, b].
 *   least    min over z in [a, b] of r_(p-K)(z) = min over windows of p - K numbers, from y_i to
 *            y_M, of max((y_M - y_i)/2, a - y_i, y_M - b).
 *   largest  max over z in [a, b] of r_(p+K)(z) = max over i, e = i + p + K, of
 *            min((y_e - y_i)/2, b - y_i, y_e - a).
 *   change   the larger of `shift` and the maximum over 0 <= t <= K, i, 1 <= l <= K, with
 *            e = i + p + t, m = i + l, M = e - (K + 1 - l), of the least of
 *            (low + up)/2, low + shift, up + shift, low = y_m - y_i, up = y_e - y_M, and
 *            (b - y_i) - (y_M - b), (y_e - a) - (a - y_m).
 *   Proofs, and why these are nested: vignette proofs-projection. As computed they are nested too,
 *   since each is made of maxima and minima of roundings, which are monotone, of differences that
 *   only widen when a number is replaced and K grows by one. Only intervals near the MAD's matter;
 *   each function checks that no others could.
 * COST: O(n) for gathering; O(width) for the first two, O(K width) mostly and O(K^2 width) at worst
 *   for the third.
 * DEGENERATE: ties; K near p, where order statistics are infinite and so are bounds.
 */
#include "margin/mad.h"

#include <math.h>

#include "num/order_stat.h"

size_t dpd_mad_scratch(int n, int most)
{
  return ((size_t)n + 4 * (size_t)most + 16) * sizeof(double);
}

static double *fold(const double *y, int n, double centre, double *work)
{
  for (int i = 0; i < n; i++)
    work[i] = fabs(y[i] - centre);
  return work;
}

void dpd_mad_gather(dpd_mad_ends *e, const double *y, int width, double *work)
{
  int n = e->n, p = e->p, below = 0;
  size_t size = (size_t)n;
  double centre = e->middle[e->most];
  e->mad = dpd_order_statistic(fold(y, n, centre, work), size, (size_t)p - 1, work + n);
  double end = centre - e->mad;
  for (int i = 0; i < n; i++)
    below += y[i] < end;
  /* an interval has p numbers at least inside or at its ends: the last begins at n - p + 1 */
  e->from = below - width > 0 ? below - width : 0;
  e->to = below + width < n - p + 1 ? below + width : n - p + 1;
  if (e->to < e->from) e->to = e->from;
  e->all = e->from == 0 && e->to == n - p + 1;
  dpd_order_window(y, size, e->from, e->to + e->most, e->low, work);
  dpd_order_window(y, size, e->from + p - e->most - 1, e->to + p + e->most, e->high, work);
}

/* Numbers by rank, for indexing with ranks themselves. */
static const double *lows(const dpd_mad_ends *e)
{
  return e->low - e->from;
}

static const double *highs(const dpd_mad_ends *e)
{
  return e->high - (e->from + e->p - e->most - 1);
}

static double larger(double a, double b)
{
  return a > b ? a : b;
}

static double smaller(double a, double b)
{
  return a < b ? a : b;
}

bool dpd_mad_smallest(const dpd_mad_ends *e, int K, double *min)
{
  const double *low = lows(e), *high = highs(e);
  double a = e->middle[e->most - K], b = e->middle[e->most + K], best = INFINITY;
  int size = e->p - K, first = e->from > 1 ? e->from : 1, end = e->n - size + 1, last = end;
  if (!e->all && e->to < last) last = e->to;
  for (int i = first; i <= last; i++) {
    double yi = low[i], yM = high[i + size - 1];
    double value = larger(0.5 * (yM - yi), larger(a - yi, yM - b));
    best = smaller(best, value);
  }
  *min = larger(0, best);
  return (first == 1 || a - low[first] >= best) &&
         (last == end || high[last + size - 1] - b >= best);
}

bool dpd_mad_largest(const dpd_mad_ends *e, int K, double *largest)
{
  const double *low = lows(e), *high = highs(e);
  double a = e->middle[e->most - K], b = e->middle[e->most + K], best = 0;
  int wide = e->p + K, last = e->n + 1 - wide;
  if (last > e->to) last = e->to;
  for (int i = e->from; i <= last; i++) {
    double yi = low[i], ye = high[i + wide];
    best = larger(best, smaller(0.5 * (ye - yi), smaller(b - yi, ye - a)));
  }
  *largest = best;
  return e->all || (high[e->from + wide] - a <= best && b - low[e->to] <= best);
}

/* A step outward: what rounding may have taken off a difference. Exact but for one rounding. */
static double outward(double x)
{
  return x + fabs(x) * 0x1p-51;
}

static double inward(double x)
{
  return x - fabs(x) * 0x1p-51;
}

typedef struct {
  const double *low, *high;
  double a, b, shift;
  int K, from, to, n, p;
} interval_gaps;

/* The most that gaps of l numbers below and K + 1 - l above could give, wherever they are. */
static double bound_of(const interval_gaps *s, int l)
{
  double low = 0, up = 0;
  int u = s->K + 1 - l, end = s->to + s->p + s->K;
  for (int i = s->from; i <= s->to; i++)
    low = larger(low, s->low[i + l] - s->low[i]);
  for (int e = s->from + s->p; e <= end && e <= s->n + 1; e++)
    up = larger(up, s->high[e] - s->high[e - u]);
  return smaller(0.5 * (low + up), smaller(low, up) + s->shift);
}

static double change_with(const interval_gaps *s, int l, double best)
{
  int u = s->K + 1 - l;
  for (int i = s->from; i <= s->to; i++) {
    double yi = s->low[i], ym = s->low[i + l], low = ym - yi;
    if (low + s->shift <= best) continue;
    double left = outward(s->b - yi), right = inward(s->a - ym);
    int first = i + s->p, last = first + s->K <= s->n ? first + s->K : s->n + 1;
    /* the fourth term falls with e, the fifth grows: most i are out of the question */
    if (first > last || left - inward(s->high[first - u] - s->b) <= best) continue;
    if (outward(s->high[last] - s->a) - right <= best) continue;
    for (int e = first; e <= last; e++) {
      double ye = s->high[e], yM = s->high[e - u], up = ye - yM;
      double value = smaller(0.5 * (low + up), smaller(low, up) + s->shift);
      value = smaller(value, left - inward(yM - s->b));
      value = smaller(value, outward(ye - s->a) - right);
      best = larger(best, value);
    }
  }
  return best;
}

bool dpd_mad_change(const dpd_mad_ends *e, int K, double shift, double *change)
{
  interval_gaps s = {
      lows(e), highs(e), e->middle[e->most - K], e->middle[e->most + K], shift, K, e->from, e->to,
      e->n,    e->p};
  double best = shift;
  for (int l = 1; l <= K && best < INFINITY; l++)
    if (bound_of(&s, l) > best) best = change_with(&s, l, best);
  *change = best;
  if (e->all || best == INFINITY) return true;
  double above = outward(s.high[s.from + s.p + K] - s.a) - inward(s.a - s.low[s.from + K]);
  double below = outward(s.b - s.low[s.to]) - inward(s.high[s.to + s.p - K] - s.b);
  return (s.from == 0 || above <= best) && (s.to == s.n - s.p + 1 || below <= best);
}
