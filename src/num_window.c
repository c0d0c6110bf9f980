/* num_window.c - projected order statistics of integer rows, for the ranks that matter.
 *
 * METHOD: one pass of projection and two selections a direction; only the ranks from low to
 *   high and their mirror images are kept, rank by rank, so that "is every direction's rank
 *   at least t?" reads two contiguous rows.
 *   h(z) >= t  <=>  y_(t) <= u'z <= y_(n+1-t) in every direction u, for 1 <= t <= n.
 * COST: O(count n d) time to fill, 2 room (high - low + 1) doubles; a query O(count).
 * DEGENERATE: ties are exact, since all projections are integers.
 */
#include "num_window.h"

#include "num_select.h"

#ifdef _OPENMP
#include <omp.h>
#endif

/* Rows with u'z_i <= t and with u'z_i >= t. */
static void count_sides(const dpd_projected *p, int u, double t, int *below, int *above)
{
  const double *dir = p->dirs + (size_t)u * (size_t)p->d, *row = p->rows;
  int le = 0, ge = 0;
  for (int i = 0; i < p->n; i++, row += p->d) {
    double y = dpd_project(dir, row, p->d);
    le += y <= t;
    ge += y >= t;
  }
  *below = le;
  *above = ge;
}

int dpd_projected_depth(const dpd_projected *p, const double *z, int threads)
{
  int depth = p->n;
  (void)threads;
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) reduction(min : depth)
#endif
  for (int u = 0; u < p->count; u++) {
    int below, above;
    count_sides(p, u, dpd_project(p->dirs + (size_t)u * (size_t)p->d, z, p->d), &below, &above);
    if (below < depth) depth = below;
    if (above < depth) depth = above;
  }
  return depth;
}

static bool scan_at_least(const dpd_projected *p, const double *proj, int t)
{
  for (int u = 0; u < p->count; u++) {
    int below, above;
    count_sides(p, u, proj[u], &below, &above);
    if (below < t || above < t) return false;
  }
  return true;
}

bool dpd_window_at_least(const dpd_window *w, const double *proj, int t)
{
  int n = w->from->n, count = w->from->count;
  if (t <= 0) return true;
  if (t > n) return false;
  if (t < w->low || t > w->high) return scan_at_least(w->from, proj, t);
  const double *lo = dpd_window_rank(w, t), *hi = dpd_window_mirror(w, t);
  for (int u = 0; u < count; u++)
    if (proj[u] < lo[u] || proj[u] > hi[u]) return false;
  return true;
}

size_t dpd_window_size(const dpd_projected *p, int low, int high)
{
  return 2 * (size_t)(high - low + 1) * (size_t)p->room;
}

/* Puts the order statistics of ranks low..high and of their mirror images into their places. */
static void select_bands(double *y, size_t n, size_t low, size_t high)
{
  if (2 * high >= n) {
    size_t first = low < n + 1 - high ? low : n + 1 - high;
    size_t last = high > n + 1 - low ? high : n + 1 - low;
    dpd_select_range(y, n, first - 1, last - 1);
    return;
  }
  dpd_select_range(y, n, low - 1, high - 1);
  dpd_select_range(y + high, n - high, n - 2 * high, n - low - high);
}

void dpd_window_fill(dpd_window *w, int first, int threads, double *work)
{
  const dpd_projected *p = w->from;
  size_t n = (size_t)p->n, low = (size_t)w->low, high = (size_t)w->high, room = (size_t)p->room;
  (void)threads;
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) schedule(static)
#endif
  for (int u = first; u < p->count; u++) {
    double *y = work, *at = w->value + u;
#ifdef _OPENMP
    y += (size_t)omp_get_thread_num() * n;
#endif
    const double *dir = p->dirs + (size_t)u * (size_t)p->d, *row = p->rows;
    for (size_t i = 0; i < n; i++, row += p->d)
      y[i] = dpd_project(dir, row, p->d);
    select_bands(y, n, low, high);
    for (size_t t = low; t <= high; t++, at += room)
      *at = y[t - 1];
    for (size_t t = low; t <= high; t++, at += room)
      *at = y[n - t];
  }
}
