/* deviation.c - how far a trimmed deviation moves when numbers are replaced.
 *
 * METHOD: sorted y, m = n - 2 cut kept numbers, S = the mean of |y_i - T| over them; T and its
 *   bounds lower, upper and shift are known; K numbers are replaced, and K - 1 in the one of two
 *   neighbours.
 *   scale_shift = (a + b shift)/m. a bounds how much farther from one point the number may be that
 *             takes the place of another among the kept: the least of m times the trimmed mean's
 *             shift, and the larger of y_(n-cut+K) - lower and upper - y_(cut+1-K). b bounds by how
 *             much the kept numbers on the one side of any point of [lower, upper] outnumber those
 *             on the other.
 *   least     the larger of S - the sum of scale_shift over 1..K, and 1/m times the minimum over
 *             windows of m - K of the kept numbers, one after the other in order, of their
 *             distances to their median, added up: top half less bottom half, by cumulative sums.
 *   Proofs: vignette proofs-projection. Sums over the numbers are off by at most n 2^-52 of their
 *   range; bounds made of sums move outward by a multiple of K times that, so that they are nested
 *   as computed. Counts are exact.
 * COST: two passes over n; O(K) for each K.
 * DEGENERATE: ranks below 1 and above n are infinite, and so are bounds; least is then zero.
 */
#include <math.h>

#include "margin/location.h"

/* Cumulative sums of distances to the median, signed. */
typedef struct {
  double *bottom, *top; /* of the j least and the j largest kept numbers, j = 0 .. most */
  double *below;        /* of those of ranks up to p + j, j = -most .. most */
  double all;
} cumulative;

/* Of the kept numbers of ranks up to p, and from p on. Ties with an end count by their ranks. */
static void sum_sides(const dpd_deviation *v, double *lower, double *upper)
{
  double middle = v->middle[0], low = v->low[0], high = v->high[0], down = 0, up = 0;
  int at_low = 0, at_high = 0;
  for (int i = 0; i < v->n; i++) {
    double y = v->y[i];
    at_low += y <= low;
    at_high += y >= high;
    down += y > low && y < middle ? y - middle : 0;
    up += y < high && y > middle ? y - middle : 0;
  }
  *lower = down + (at_low - v->cut) * (low - middle);
  *upper = up + (at_high - v->cut) * (high - middle);
}

static cumulative sum_up(const dpd_deviation *v, int most)
{
  double middle = v->middle[0], lower, upper;
  cumulative c = {v->work, v->work + most + 1, v->work + 3 * most + 2, 0};
  sum_sides(v, &lower, &upper);
  c.all = lower + upper;
  c.bottom[0] = c.top[0] = 0;
  c.below[0] = lower;
  for (int j = 1; j <= most; j++) {
    c.bottom[j] = c.bottom[j - 1] + (v->low[j - 1] - middle);
    c.top[j] = c.top[j - 1] + (v->high[1 - j] - middle);
    c.below[j] = c.below[j - 1] + (v->middle[j] - middle);
    c.below[-j] = c.below[1 - j] - (v->middle[1 - j] - middle);
  }
  return c;
}

/* Distances to their median, added up, of the kept numbers but `from` at the bottom and `less` at
 * the top: the least over from + less = K. */
static double min_sum(const dpd_deviation *v, const cumulative *c, int K)
{
  int n = v->n, p = (n + 1) / 2, size = n - 2 * v->cut - K, half = size / 2;
  double min = INFINITY;
  if (size <= 0) return 0;
  for (int from = 0; from <= K; from++) {
    int less = K - from;
    double down = c->below[v->cut + from + half - p] - c->bottom[from];
    double up = c->all - c->top[less] - c->below[n - v->cut - less - half - p];
    min = fmin(min, up - down);
  }
  return min;
}

/* count[K - 1] = how many numbers are beyond the bound for K: sign y < sign bound. Bounds move
 * outward with K, so that a number counts from the first K on that it is within. */
static void count_within(const dpd_deviation *v, const double *bound, double sign, int most,
                         double *count)
{
  for (int k = 0; k < most; k++)
    count[k] = 0;
  for (int i = 0; i < v->n; i++) {
    double y = sign * v->y[i];
    int first = 1, end = most; /* not within the first, within the last */
    if (y < sign * bound[0]) {
      count[0]++;
      continue;
    }
    if (!(y < sign * bound[most - 1])) continue;
    while (end - first > 1) {
      int middle = first + (end - first) / 2;
      if (y < sign * bound[middle - 1])
        end = middle;
      else
        first = middle;
    }
    count[end - 1]++;
  }
  for (int k = 1; k < most; k++)
    count[k] += count[k - 1];
}

/* How many of the kept numbers are among `count` numbers at one end. */
static double kept_of(const dpd_deviation *v, double count)
{
  return fmin(fmax(count - v->cut, 0), v->n - 2.0 * v->cut);
}

/* By how much kept numbers on this side may outnumber those on the other. */
static double surplus(const dpd_deviation *v, double count, int K)
{
  return kept_of(v, count + K) - kept_of(v, v->n - count - K);
}

static void find_shifts(const dpd_reach *r, const dpd_deviation *v)
{
  double *below = v->work, *above = below + r->most, kept = v->n - 2 * v->cut;
  if (r->most == 0) return;
  count_within(v, r->upper, 1, r->most, below);
  count_within(v, r->lower, -1, r->most, above);
  for (int K = 1; K <= r->most; K++) {
    double low = v->low[-K], high = v->high[K], upper = r->upper[K - 1], lower = r->lower[K - 1];
    double top = fmax(high, upper), bottom = fmin(low, lower);
    double error = dpd_reach_rounding((int)kept, top - bottom, 0);
    double one = fmin(dpd_reach_span(v->low, v->high, K), fmax(high - lower, upper - low));
    double most = fmax(fmax(surplus(v, below[K - 1], K), surplus(v, above[K - 1], K)), 0);
    double shift = r->shift[K - 1];
    r->scale_shift[K - 1] =
        shift < INFINITY ? one / kept + most / kept * shift + 2 * error : INFINITY;
  }
}

void dpd_reach_deviation(const dpd_reach *r, const dpd_deviation *v)
{
  int kept = v->n - 2 * v->cut;
  double sum = 0;
  find_shifts(r, v);
  cumulative c = sum_up(v, r->most);
  for (int K = 1; K <= r->most; K++) {
    /* the growing factor outweighs the rounding of the sum, also at a neighbour */
    sum += r->scale_shift[K - 1] * (1 + K * 0x1p-30);
    double error = dpd_reach_rounding(kept, v->high[K] - v->low[-K], 0);
    double direct = min_sum(v, &c, K) / kept - 8 * K * error;
    double min = v->scale > sum ? v->scale - sum : 0;
    r->min[K - 1] = direct > min ? direct : min;
  }
}
