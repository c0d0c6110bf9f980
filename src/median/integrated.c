/* integrated.c - local search for the deepest point of the integrated rank depths.
 *
 * METHOD: the depths are sums of steps, without a gradient. Around a centre only the projections
 *   next to the centre's can be crossed: these are kept, sorted, with their ranks, so that the
 *   depth of a nearby point costs one short bisection per direction, in whole numbers. A pattern
 *   search tries steps along the axes and along public directions, both ways, and halves the step
 *   when none of them improves the depth.
 * COST: O(count n d) to fill; O(count (d + log width)) per try, some thousand tries.
 * DEGENERATE: equal projections are kept once, with their number. The result is a local
 *   maximum; no cheap bound on the global one is known.
 * REFERENCE: Hooke and Jeeves (1961), Direct search.
 */
#include "median/integrated.h"

#include <math.h>
#include <string.h>

#include "num/order_stat.h"
#include "num/project_block.h"
#include "num/sort.h"

#ifdef _OPENMP
#include <omp.h>
#endif

enum { LEVELS = 14, SWEEPS = 50 };

int dpd_integrated_median_width(int n)
{
  int width = n / 8;
  return width < 256 ? (n < 256 ? n : 256) : width > 4096 ? 4096 : width;
}

/* Doubles of one thread. */
static size_t share(const dpd_integrated_median *s)
{
  return 4 * dpd_padded((size_t)s->n);
}

size_t dpd_integrated_median_scratch(const dpd_integrated_median *s)
{
  return (size_t)s->threads * share(s) * sizeof(double);
}

static double project(const double *u, const double *q, int d)
{
  double sum = 0;
  for (int j = 0; j < d; j++)
    sum += u[j] * q[j];
  return sum;
}

/* Keeps the projections within the reach of the width-th nearest; equal ones once. */
static void fill_one(dpd_integrated_median *s, int u, double *work)
{
  size_t n = (size_t)s->n;
  double *y = work, *z = y + dpd_padded(n), *spare = z + dpd_padded(n);
  const double *dir = s->dirs + (size_t)u * (size_t)s->d;
  double *value = s->value + (size_t)u * (size_t)s->width;
  int *up_to = s->up_to + (size_t)u * (size_t)s->width, below = 0, kept = 0;
  dpd_project_block(s->rows, n, s->d, dir, 1, y);
  double at = project(dir, s->centre, s->d);
  for (size_t i = 0; i < n; i++)
    z[i] = fabs(y[i] - at);
  double reach = dpd_order_statistic(z, n, (size_t)s->width - 1, spare);
  size_t near = 0;
  for (size_t i = 0; i < n; i++) {
    below += y[i] < at && z[i] > reach;
    z[near] = y[i];
    near += fabs(y[i] - at) <= reach;
  }
  dpd_sort_doubles(z, near, spare);
  for (size_t i = 0; i < near; i++) {
    if (kept > 0 && value[kept - 1] == z[i]) {
      up_to[kept - 1]++;
      continue;
    }
    if (kept == s->width) break; /* ties at the edge of the reach */
    up_to[kept] = below + (int)i + 1;
    value[kept++] = z[i];
  }
  s->below[u] = below;
  s->kept[u] = kept;
  /* where the rows end, so does what is to be known about them */
  bool all = near == n;
  s->lo[u] = all ? -INFINITY : value[0];
  s->hi[u] = all ? INFINITY : value[kept - 1];
}

void dpd_integrated_median_fill(dpd_integrated_median *s, int from, int to)
{
#ifdef _OPENMP
#pragma omp parallel for num_threads(s->threads) schedule(dynamic, 4)
#endif
  for (int u = from; u < to; u++) {
    int thread = 0;
#ifdef _OPENMP
    thread = omp_get_thread_num();
#endif
    fill_one(s, u, s->work + (size_t)thread * share(s));
  }
}

bool dpd_integrated_median_total(const dpd_integrated_median *s, const double *q, dpd_u128 *total)
{
  dpd_u128 sum = 0;
  for (int u = 0; u < s->count; u++) {
    double t = project(s->dirs + (size_t)u * (size_t)s->d, q, s->d);
    if (!(t >= s->lo[u] && t <= s->hi[u])) return false;
    const double *value = s->value + (size_t)u * (size_t)s->width;
    const int *up_to = s->up_to + (size_t)u * (size_t)s->width;
    int lo = 0, hi = s->kept[u]; /* the first value above t */
    while (lo < hi) {
      int mid = (lo + hi) / 2;
      if (value[mid] <= t)
        lo = mid + 1;
      else
        hi = mid;
    }
    int le = lo > 0 ? up_to[lo - 1] : s->below[u], lt = le;
    if (lo > 0 && value[lo - 1] == t) lt = lo > 1 ? up_to[lo - 2] : s->below[u];
    int lowest = le < s->n - lt ? le : s->n - lt;
    sum += s->kind == DPD_RANK_IRW ? (uint64_t)lowest : (uint64_t)le * (uint64_t)(s->n - le);
  }
  *total = sum;
  return true;
}

/* An ascent: where it is, room for where it may go, and the best total. */
typedef struct {
  double *q, *next;
  dpd_u128 best;
  bool blocked; /* a window ended before the point that was tried */
} ascent;

/* Tries q + step v; true if it was an improvement. */
static bool attempt(const dpd_integrated_median *s, ascent *a, const double *v, double step)
{
  dpd_u128 total;
  for (int j = 0; j < s->d; j++)
    a->next[j] = a->q[j] + step * v[j];
  if (!dpd_integrated_median_total(s, a->next, &total)) {
    a->blocked = true;
    return false;
  }
  if (total <= a->best) return false;
  a->best = total;
  memcpy(a->q, a->next, (size_t)s->d * sizeof *a->q);
  return true;
}

/* Half the widest window: a step beyond would leave all of them. */
static double first_step(const dpd_integrated_median *s)
{
  double most = 0;
  for (int u = 0; u < s->count; u++) {
    int k = s->kept[u];
    const double *value = s->value + (size_t)u * (size_t)s->width;
    double width = (value[k - 1] - value[0]) / 2;
    if (width > most) most = width;
  }
  return most;
}

bool dpd_integrated_median_climb(const dpd_integrated_median *s, double *q, double *work)
{
  int d = s->d, extra = s->count < 2 * d ? s->count : 2 * d;
  double *axis = work + d, step = first_step(s);
  ascent a = {.q = q, .next = work};
  memcpy(q, s->centre, (size_t)d * sizeof *q);
  if (!dpd_integrated_median_total(s, q, &a.best)) return false;
  for (int level = 0; level < LEVELS; level++, step /= 2) {
    bool better = true;
    for (int sweep = 0; better && sweep < SWEEPS; sweep++) {
      better = false;
      a.blocked = false;
      for (int k = 0; k < d + extra; k++) {
        const double *v = axis;
        memset(axis, 0, (size_t)d * sizeof *axis);
        if (k < d)
          axis[k] = 1;
        else /* the last directions: the first may be the axes */
          v = s->dirs + (size_t)(s->count - extra + k - d) * (size_t)d;
        better |= attempt(s, &a, v, step) || attempt(s, &a, v, -step);
      }
    }
  }
  /* a window that ended a hair's breadth off is what would have to be moved */
  return a.blocked;
}
