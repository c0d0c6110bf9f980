/* restricted_axes.c - the safety margin of medians restricted by depth along the axes.
 *
 * METHOD: {h >= l} is a box of prod_j w_j(l) lattice points, w_j(l) = x_j,(n+1-l) - x_j,(l) + 1.
 *   Over all data within k replacements w_j(l) is at most
 *     U_k,j(l) = max over a + b = k of x_j,(n+1-l+b) - x_j,(l-a) + 1  (l - k >= 1), at least
 *     L_k,j(l) = min over c + g = k of x_j,(n+1-l-g) - x_j,(l+c) + 1  if 2 l + k <= n + 1, else 1:
 *   windows of one length, from rank l - k to l, or l to l + k. With t the level, e = eps,
 *     b_k = [e^{-e/2} prod U_k(t-1) + (1 - e^{-e/2}) prod U_k(t)] / [prod L_k(t)
 *           + sum over i of (e^{e (l_i - t)/2} - e^{e (l_(i-1) - t)/2}) prod L_k(l_i)]
 *   for public levels t = l_0 < l_1 < ...: a step function below e^{e (h - t)/2}, which has all
 *   levels where it counts: the deepest ones, up to (n + 1) / 2, one in an eighth of 1 / eps.
 *   b_k(D) <= b_(k+1)(D') for neighbours, term by term; D' = D is one of them, so b_k grows with k,
 *   and so does log b_k + slack k as computed: the margin is found by bisection.
 * ROUNDING: widths are exact; what is computed of log b_k is off by less than
 *   2^-46 (d times + 16)^2 + 2^-49 (e n + 256).
 * COST: O(levels d k) for a bound, log2(most) bounds for a margin.
 * DEGENERATE: ties: widths of 1.
 */
#include "margin/restricted_axes.h"

#include <math.h>

static const double *rank(const dpd_restricted_axes_spec *s, int j, int r)
{
  return s->sorted + (size_t)j * (size_t)s->n + (r - 1);
}

/* The largest of count differences, and the least. (All are finite; fmax() is a call for each.) */
static double largest(const double *high, const double *low, int count)
{
  double max = 0;
#ifdef _OPENMP
#pragma omp simd reduction(max : max)
#endif
  for (int i = 0; i < count; i++)
    max = high[i] - low[i] > max ? high[i] - low[i] : max;
  return max;
}

static double least(const double *high, const double *low, int count)
{
  double min = INFINITY;
#ifdef _OPENMP
#pragma omp simd reduction(min : min)
#endif
  for (int i = 0; i < count; i++)
    min = high[i] - low[i] < min ? high[i] - low[i] : min;
  return min;
}

/* log prod U_k(level). */
static double log_outer(const dpd_restricted_axes_spec *s, int level, int k)
{
  double sum = 0;
  int window = s->n + 1 - 2 * level + k;
  for (int j = 0; j < s->d; j++) {
    const double *x = rank(s, j, level - k);
    sum += s->times * log(largest(x + window, x, k + 1) + 1);
  }
  return sum;
}

/* log prod L_k(level). */
static double log_inner(const dpd_restricted_axes_spec *s, int level, int k)
{
  double sum = 0;
  int window = s->n + 1 - 2 * level - k;
  for (int j = 0; j < s->d && window >= 0; j++) {
    const double *x = rank(s, j, level);
    sum += s->times * log(least(x + window, x, k + 1) + 1);
  }
  return sum;
}

static double log_add(double a, double b)
{
  return a > b ? a + log1p(exp(b - a)) : b + log1p(exp(a - b));
}

/* The log of the denominator: from the deepest level to t. */
static double log_weight(const dpd_restricted_axes_spec *s, int k)
{
  int deepest = (s->n + 1) / 2, stride = 1;
  if (0.125 / s->eps > 1) stride = (int)fmin(0.125 / s->eps, s->n);
  double levels = 200 + 8 * s->d * s->times, out = -INFINITY;
  for (int l = deepest; l > s->level && levels > 0; levels--) {
    int next = levels > 1 && l - s->level > stride ? l - stride : s->level;
    double step = log(-expm1(-s->eps * (l - next) / 2));
    double term = log_inner(s, l, k) + s->eps * (l - s->level) / 2 + step;
    out = out == -INFINITY ? term : log_add(out, term);
    l = next;
  }
  double base = log_inner(s, s->level, k);
  return out == -INFINITY ? base : log_add(out, base);
}

double dpd_restricted_axes_bound(const dpd_restricted_axes_spec *s, int k)
{
  if (s->level - 1 - k < 1) return INFINITY;
  double outer = log_outer(s, s->level - 1, k) - s->eps / 2;
  double inner = log_outer(s, s->level, k) + log(-expm1(-s->eps / 2));
  return log_add(outer, inner) - log_weight(s, k);
}

int dpd_restricted_axes_margin(const dpd_restricted_axes_spec *s, double log_delta, double slack,
                               int max)
{
  int safe = 0, unsafe = max;
  while (safe < unsafe) {
    int k = safe + (unsafe - safe) / 2;
    if (dpd_restricted_axes_bound(s, k) <= log_delta - slack * (1 + k))
      safe = k + 1;
    else
      unsafe = k;
  }
  return safe;
}
