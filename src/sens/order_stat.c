/* order_stat.c - how far order statistics can be apart after replacements.
 *
 * METHOD: let a data set D1 be k replacements from D, and x, y deepest points of D1 and of a
 *   neighbour of D1. With m the largest depth of D and c0 what every data set reaches, x has depth
 *   at least mu = max(m - k, c0) in D1, and y at least nu = max(mu - 1, c0) - 1. So along a
 *   direction u of the depth u'x - u'y is at most the order statistic n - mu + 1 less the nu-th of
 *   D1's projections. p of the replaced rows may lie above and q below, p + q <= k: at most the
 *   order statistic n - mu + 1 + p less the (nu - q)-th of D's; and the same with mu and nu
 *   exchanged. So windows of ranks grow by three with k, those of a region of depth m - 2(k + 1) by
 *   four.
 * COST: O(count^2).
 * DEGENERATE: ties; ranks below 1 and above n are the ends, which may be infinite.
 * REFERENCE: vignettes/proofs-smooth.Rmd, section 8; for one variable Nissim et al. (2007).
 */
#include "sens/order_stat.h"

static double at(const dpd_rank_windows_spec *s, int rank)
{
  return rank < 1 ? s->lower : rank > s->n ? s->upper : s->y[rank - 1];
}

/* The widest window from rank low - q to rank high + p. */
static double widest(const dpd_rank_windows_spec *s, int low, int high, int k)
{
  double max = at(s, high) - at(s, low - k);
  for (int p = 1; p <= k; p++) {
    double width = at(s, high + p) - at(s, low - k + p);
    if (width > max) max = width;
  }
  return max;
}

void dpd_rank_windows(const dpd_rank_windows_spec *s, int count, double *width)
{
  const int n = s->n, deepest = s->deepest, min = s->min;
  for (int k = 0; k < count; k++) {
    int mu = deepest - k > min ? deepest - k : min;
    int nu = mu - 1 > min ? mu - 2 : min - 1;
    double one = widest(s, nu, n - mu + 1, k), two = widest(s, mu, n - nu + 1, k);
    width[k] = one > two ? one : two;
  }
}
