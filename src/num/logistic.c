/* logistic.c - means of logistic steps: smoothed distribution functions and their tables.
 *
 * METHOD: in units of 1/s, nodes are H = 1/16 apart. Each number is first spread over the
 *   six nodes around it with the weights of quintic interpolation (error of plogis below 1e-10).
 *   The sum over nodes is then a convolution with plogis: a product of sums for the nodes within
 *   REACH of each other, and for the rest the series of exponentials
 *   plogis(-x) = e^-x - e^-2x + e^-3x - ..., x > 0, with terms carried on from node to
 *   node; the rest is below e^-27. Slopes are central differences of order eight. The
 *   cubic between nodes errs by at most H^4/384 max|plogis''''| = 5e-9.
 *   Numbers beyond the window by more than FAR count as steps of 0 or 1 (e^-24 = 4e-11).
 * COST: O(n) and about 120 operations per node, for any n; 1/H nodes per unit of 1/s.
 * DEGENERATE: n = 1 and ties are no exceptions. If the window is a point there are two nodes.
 * REFERENCE: Greengard and Strain (1991), The fast Gauss transform, for the idea.
 */
#include "num/logistic.h"

#include <math.h>
#include <string.h>

#define H 0.0625

enum {
  REACH = 48, /* nodes summed directly on either side: 3 units */
  TERMS = 8,  /* exponentials of the far series */
  FAR = 24,   /* units beyond which a number is a step */
  HALO = 4    /* nodes beyond the window that the differences need */
};

static int far_nodes(void)
{
  return (int)(FAR / H);
}

double dpd_logistic_density(double s)
{
  return s / H;
}

double dpd_logistic_nodes(double width, double s)
{
  return ceil(width * s / H) + 2;
}

/* Nodes of the grid that numbers are spread over: the window, FAR on either side, and a margin. */
static size_t grid_size(int nodes)
{
  return (size_t)nodes + 2 * (size_t)(far_nodes() + HALO + 3);
}

size_t dpd_logistic_scratch(int nodes)
{
  return 2 * grid_size(nodes) * sizeof(double);
}

/* Weights of interpolation at f in [0, 1) between nodes -2..3. */
static void spread(double f, double *mass)
{
  double a = f + 2, b = f + 1, c = f, d = f - 1, e = f - 2, g = f - 3;
  double ab = a * b, cd = c * d, eg = e * g;
  mass[0] -= b * cd * eg * (1.0 / 120);
  mass[1] += a * cd * eg * (1.0 / 24);
  mass[2] -= ab * d * eg * (1.0 / 12);
  mass[3] += ab * c * eg * (1.0 / 12);
  mass[4] -= ab * cd * g * (1.0 / 24);
  mass[5] += ab * cd * e * (1.0 / 120);
}

/* Spreads the numbers; returns how many lie left of the grid and count as steps of one. */
static double spread_all(const dpd_logistic_table *t, const double *y, size_t n, double first,
                         double *mass, size_t size)
{
  const double lo = t->lo, inv = t->inv;
  double left = 0, end = (double)size - 3;
  memset(mass, 0, size * sizeof *mass);
  for (size_t i = 0; i < n; i++) {
    double at = (y[i] - lo) * inv + first;
    if (at >= 2 && at < end) {
      size_t k = (size_t)at;
      spread(at - (double)k, mass + k - 2);
    } else {
      left += at < 2;
    }
  }
  return left;
}

/* out[k] = sum over |j - k| <= REACH of mass[j] plogis(H (k - j)), k in from..to - 1. */
static void add_near(const double *mass, size_t from, size_t to, double *out)
{
  double kernel[2 * REACH + 1];
  for (int i = -REACH; i <= REACH; i++)
    kernel[i + REACH] = 1 / (1 + exp(-H * i));
  for (size_t k = from; k < to; k += 4) {
    double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    const double *m = mass + k + REACH;
    for (int i = 0; i <= 2 * REACH; i++, m--) {
      s0 += kernel[i] * m[0];
      s1 += kernel[i] * m[1];
      s2 += kernel[i] * m[2];
      s3 += kernel[i] * m[3];
    }
    double s[4] = {s0, s1, s2, s3};
    for (size_t r = 0; r < 4 && k + r < to; r++)
      out[k + r] = s[r];
  }
}

/* The far nodes on one side: a step of `one` or 0, and the series with its signs. The nodes are
 * read from `start` on in direction `way`; nodes before from or after to are only carried on. */
static void add_far(const double *mass, size_t size, size_t from, size_t to, bool rising,
                    double *out)
{
  double rate[TERMS], share[TERMS], carried[TERMS] = {0}, step = 0;
  double sign = rising ? -1 : 1; /* of the first term: 1 - e^-x + ..., or e^-x - ... */
  for (int p = 0; p < TERMS; p++, sign = -sign) {
    rate[p] = exp(-(p + 1) * H);
    share[p] = sign * exp(-(p + 1) * (REACH + 1) * H);
  }
  for (size_t i = 0; i + REACH + 1 < size; i++) {
    double m = rising ? mass[i] : mass[size - 1 - i], sum = 0;
    size_t k = rising ? i + REACH + 1 : size - 1 - i - (REACH + 1);
    if (rising) step += m;
    for (int p = 0; p < TERMS; p++) {
      carried[p] = carried[p] * rate[p] + share[p] * m;
      sum += carried[p];
    }
    if (k >= from && k < to) out[k] += step + sum;
  }
}

void dpd_logistic_build(dpd_logistic_table *t, const double *y, size_t n, dpd_logistic_window w,
                        double *work)
{
  t->lo = w.lo;
  t->inv = dpd_logistic_density(w.s);
  t->nodes = (int)dpd_logistic_nodes(w.hi - w.lo, w.s);
  size_t size = grid_size(t->nodes), first = (size_t)(far_nodes() + HALO + 3);
  double *mass = work, *sum = work + size, count = (double)n;
  double left = spread_all(t, y, n, (double)first, mass, size);
  size_t from = first - HALO, to = first + (size_t)t->nodes + HALO;
  add_near(mass, from, to, sum);
  add_far(mass, size, from, to, true, sum);
  add_far(mass, size, from, to, false, sum);
  for (int k = 0; k < t->nodes; k++) {
    const double *g = sum + first + k;
    double d = (g[1] - g[-1]) * 0.8 - (g[2] - g[-2]) * 0.2 + (g[3] - g[-3]) * (4.0 / 105) -
               (g[4] - g[-4]) * (1.0 / 280);
    t->node[2 * k] = (left + g[0]) / count;
    t->node[2 * k + 1] = d / count;
  }
}

/* plogis(v), and its derivative. */
static double logistic(double v, double *slope)
{
  double e = exp(-fabs(v)), p = 1 / (1 + e);
  *slope = e * p * p;
  return v < 0 ? e * p : p;
}

double dpd_logistic_mean(const double *y, size_t n, double s, double q, double *slope)
{
  double sum = 0, slopes = 0, one;
  for (size_t i = 0; i < n; i++) {
    sum += logistic(s * (q - y[i]), &one);
    slopes += one;
  }
  if (slope) *slope = s * slopes / (double)n;
  return sum / (double)n;
}

/* The first position whose number is not below q. */
static size_t lower_bound(const double *v, size_t n, double q)
{
  size_t lo = 0, hi = n;
  while (lo < hi) {
    size_t mid = lo + (hi - lo) / 2;
    if (v[mid] < q)
      lo = mid + 1;
    else
      hi = mid;
  }
  return lo;
}

double dpd_logistic_sorted(const double *sorted, size_t n, double s, double q)
{
  double reach = 38 / s, one; /* plogis(38) rounds to 1 */
  size_t from = lower_bound(sorted, n, q - reach), to = lower_bound(sorted, n, q + reach);
  double sum = (double)from;
  for (size_t i = from; i < to; i++)
    sum += logistic(s * (q - sorted[i]), &one);
  return sum / (double)n;
}
