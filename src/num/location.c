/* location.c - univariate locations and scales by order statistics.
 *
 * METHOD: with y_(1) <= ... <= y_(n), p = floor((n + 1)/2), k = floor(trim n), q = ceil(n/4):
 *   median    y_(p), always one of the numbers (the lower one of two when n is even);
 *   trimmed   the mean of y_(k+1), ..., y_(n-k);
 *   huber     the root T of sum psi((y_i - T)/c) = 0, psi(t) = max(-1, min(1, t)), c = huber
 *             times 1.4826 MAD; one of the roots where there are many, the median if c = 0.
 *             The sum is piecewise linear and falls in T, so that Newton's method from the
 *             median, kept within a shrinking bracket that is halved in the end, ends at a root;
 *   mom       y'_(p) of the means of consecutive blocks, p from the number of blocks;
 *   mad       the p-th smallest |y_i - y_(p)|, about the median whatever the location is;
 *   iqr       y_(n+1-q) - y_(q);
 *   trimmed   the mean of |y_(i) - T| over i = k+1..n-k, T being the location.
 *   None is multiplied by a factor for consistency at the normal.
 * COST: O(n) expected: selection, no sorting.
 * DEGENERATE: n = 1: every location is the number, every scale zero.
 * REFERENCE: Huber (1964); Ramsay and Spicker (2024), definitions 3.4 and 3.5 (trimmed).
 */
#include "num/location.h"

#include <math.h>
#include <string.h>

#include "num/range_scan.h"
#include "num/order_stat.h"
#include "num/select.h"

enum { NEWTON_STEPS = 60, MAX_STEPS = 4000 };

static size_t middle(size_t n)
{
  return (n + 1) / 2 - 1; /* zero-based */
}

static double mad_about(const double *y, size_t n, double t, double *work)
{
  dpd_range_distances(y, n, t, work);
  return dpd_order_statistic(work, n, middle(n), work + n);
}

size_t dpd_trim_count(double trim, size_t n)
{
  size_t k = (size_t)(trim * (double)n);
  return 2 * k < n ? k : (n - 1) / 2;
}

/* Leaves the order statistics that are kept in work[k..n-k-1], in any order; returns k. */
static size_t trim_ends(const double *y, size_t n, double trim, double *work)
{
  size_t k = dpd_trim_count(trim, n);
  memcpy(work, y, n * sizeof *y);
  if (k == 0) return 0;
  dpd_select_range(work, n, k, k);
  dpd_select_range(work + k, n - k, n - 2 * k - 1, n - 2 * k - 1);
  return k;
}

/* A mean that does not overflow and is shifted by an addend without much rounding. */
static double mean_near(const double *y, size_t n, double at)
{
  double sum = 0;
  for (size_t i = 0; i < n; i++)
    sum += y[i] - at;
  return at + sum / (double)n;
}

static double trimmed_mean(const double *y, size_t n, double trim, double *work)
{
  size_t k = trim_ends(y, n, trim, work);
  return mean_near(work + k, n - 2 * k, work[n / 2]);
}

static double trimmed_deviation(const double *y, size_t n, double trim, double t, double *work)
{
  size_t k = trim_ends(y, n, trim, work);
  double sum = 0;
  for (size_t i = k; i < n - k; i++)
    sum += fabs(work[i] - t);
  return sum / (double)(n - 2 * k);
}

/* Sum of psi at t, in units of c, and how many numbers it has not clipped. */
static double psi_sum(const double *y, size_t n, double t, double c, size_t *inner)
{
  double sum = 0;
  size_t clipped = 0;
  for (size_t i = 0; i < n; i++) {
    double v = (y[i] - t) / c;
    double w = v > 1 ? 1 : v < -1 ? -1 : v;
    sum += w;
    clipped += w != v;
  }
  *inner = n - clipped;
  return sum;
}

static double huber_location(const double *y, size_t n, double median, double c)
{
  if (!(c > 0)) return median;
  double t = median, lo = -INFINITY, hi = INFINITY;
  for (int step = 0; step < MAX_STEPS; step++) {
    size_t inner;
    double sum = psi_sum(y, n, t, c, &inner);
    if (sum == 0) return t;
    if (sum > 0)
      lo = t;
    else
      hi = t;
    double next = inner > 0 ? t + c * sum / (double)inner : t + (sum > 0 ? c : -c);
    if (next == t) return t;
    bool halve = step > NEWTON_STEPS && hi - lo < INFINITY;
    if (halve || !(next > lo && next < hi)) next = lo + (hi - lo) / 2;
    if (!(next > lo && next < hi)) return t;
    t = next;
  }
  return t;
}

void dpd_block_means(const double *y, size_t n, int blocks, double *out)
{
  size_t count = (size_t)blocks;
  for (size_t b = 0; b < count; b++) {
    size_t from = b * n / count, to = (b + 1) * n / count;
    out[b] = mean_near(y + from, to - from, y[from]);
  }
}

static double median_of_means(const double *y, size_t n, int blocks, double *work)
{
  size_t count = (size_t)blocks;
  dpd_block_means(y, n, blocks, work);
  return dpd_order_statistic(work, count, middle(count), work + count);
}

void dpd_center_of(const dpd_center *c, const double *y, size_t n, double *work, double *location,
                   double *scale)
{
  double median = 0, mad = 0, t;
  if (c->location == DPD_MEDIAN || c->location == DPD_HUBER || c->scale == DPD_MAD)
    median = dpd_order_statistic(y, n, middle(n), work);
  if (c->location == DPD_HUBER || c->scale == DPD_MAD) mad = mad_about(y, n, median, work);
  switch (c->location) {
  case DPD_MEDIAN: t = median; break;
  case DPD_TRIMMED: t = trimmed_mean(y, n, c->trim, work); break;
  case DPD_HUBER: t = huber_location(y, n, median, c->huber * DPD_MAD_NORMAL * mad); break;
  default: t = median_of_means(y, n, c->blocks, work); break;
  }
  *location = t;
  if (c->scale == DPD_MAD) {
    *scale = mad;
  } else if (c->scale == DPD_IQR) {
    size_t q = (n + 3) / 4 - 1; /* ceil(n/4), zero-based */
    double low = dpd_order_statistic(y, n, q, work);
    *scale = dpd_order_statistic(y, n, n - 1 - q, work) - low;
  } else {
    *scale = trimmed_deviation(y, n, c->trim, t, work);
  }
}
