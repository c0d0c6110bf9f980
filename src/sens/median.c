/* median.c - smooth sensitivity of the median of one variable.
 *
 * METHOD: S = max over i <= p <= j, i < j of exp(-beta (j - i - 1)) (c_j - c_i): the neighbours'
 *   medians are the order statistics at the ends of a window of k + 1 = j - i steps that holds p.
 *   Small k are gone through one by one until exp(-beta k) (c_(n+1) - c_0) cannot win. If it still
 *   can at k = 2000, the best left end, which moves right as the right end does, is found by divide
 *   and conquer.
 * COST: O(min(n, 2000, k*)^2) + O(n log n), k* the last k that can win.
 * DEGENERATE: ties, all data beyond a bound: c_j - c_i = 0 does not win.
 * REFERENCE: Nissim, Raskhodnikova and Smith (2007), Smooth sensitivity, section 3.1.
 */
#include "sens/median.h"

#include <math.h>

enum { DIRECT = 2000 };
static const double deepest = 300; /* exp(-deepest) is nothing */

typedef struct {
  const double *c;
  double beta, best;
  int at;
} best_window;

static double window_max(const double *c, int n, int p, int k)
{
  double max = 0;
  for (int t = 0; t <= k + 1; t++) {
    int j = p + t, i = j - k - 1;
    if (j > n + 1) {
      /* the right end stays at the bound: the widest such window starts furthest left */
      double gap = c[n + 1] - c[i > 0 ? i : 0];
      return gap > max ? gap : max;
    }
    double gap = c[j] - c[i > 0 ? i : 0];
    if (gap > max) max = gap;
  }
  return max;
}

void dpd_sens_median_profile(const double *c, int n, int p, int count, double *profile)
{
  for (int k = 0; k < count; k++)
    profile[k] = window_max(c, n, p, k);
}

static double weighted(const best_window *s, int i, int j)
{
  return exp(-s->beta * (j - i - 1)) * (s->c[j] - s->c[i]);
}

/* All right ends j0..j1, whose best left ends lie in i0..i1. */
static void conquer(best_window *s, int j0, int j1, int i0, int i1)
{
  while (j0 <= j1) {
    int j = j0 + (j1 - j0) / 2, last = i1 < j ? i1 : j - 1, arg = i0;
    double max = -1;
    for (int i = i0; i <= last; i++) {
      double value = weighted(s, i, j);
      if (value > max) {
        max = value;
        arg = i;
      }
    }
    if (max > s->best) {
      s->best = max;
      s->at = j - arg - 1;
    }
    conquer(s, j0, j - 1, i0, arg);
    j0 = j + 1;
    i0 = arg;
  }
}

void dpd_sens_median(const dpd_median_windows *q, double *value, int *at)
{
  const double *c = q->c, beta = q->beta;
  const int n = q->n, p = q->p;
  best_window s = {c, beta, q->min, -1};
  double whole = c[n + 1] - c[0];
  bool done = false;
  for (int k = 0; k <= n && k < DIRECT && !done; k++) {
    double weight = exp(-beta * k), here;
    done = weight * whole <= s.best || beta * k > deepest;
    if (done) break;
    here = weight * window_max(c, n, p, k);
    if (here > s.best) {
      s.best = here;
      s.at = k;
    }
  }
  if (!done && n >= DIRECT) {
    /* further from p than this, nothing can win */
    double reach = s.best > 0 ? log(whole / s.best) : deepest;
    reach = (reach < deepest ? reach : deepest) / beta + 2;
    int left = reach < p ? p - (int)reach : 0, right = reach < n + 1 - p ? p + (int)reach : n + 1;
    conquer(&s, p, right, left, p);
  }
  if (beta * n > deepest && s.best < exp(-deepest) * whole) s.best = exp(-deepest) * whole;
  *value = s.best;
  *at = s.at;
}
