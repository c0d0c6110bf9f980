/* num_window.c - projected order statistics of integer rows, for the ranks that matter.
 *
 * METHOD: one pass of projection and one selection a direction; only the ranks from `level`
 *   to n + 1 - level are kept, rank by rank, so that "is every direction's rank at least
 *   t?" reads two contiguous rows.
 *   h(z) >= t  <=>  y_(t) <= u'z <= y_(n+1-t) in every direction u, for 1 <= t <= n.
 * COST: O(count n d) time to fill, room (n - 2 level + 2) doubles; a query O(count).
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
  if (t < w->level || t > n + 1 - w->level) return scan_at_least(w->from, proj, t);
  const double *lo = dpd_window_rank(w, t), *hi = dpd_window_rank(w, n + 1 - t);
  for (int u = 0; u < count; u++)
    if (proj[u] < lo[u] || proj[u] > hi[u]) return false;
  return true;
}

size_t dpd_window_size(const dpd_projected *p, int level)
{
  return (size_t)(p->n - 2 * level + 2) * (size_t)p->room;
}

void dpd_window_fill(dpd_window *w, int first, int threads, double *work)
{
  const dpd_projected *p = w->from;
  size_t n = (size_t)p->n, low = (size_t)w->level - 1, high = n - (size_t)w->level;
  (void)threads;
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) schedule(static)
#endif
  for (int u = first; u < p->count; u++) {
    double *y = work;
#ifdef _OPENMP
    y += (size_t)omp_get_thread_num() * n;
#endif
    const double *dir = p->dirs + (size_t)u * (size_t)p->d, *row = p->rows;
    for (size_t i = 0; i < n; i++, row += p->d)
      y[i] = dpd_project(dir, row, p->d);
    dpd_select_range(y, n, low, high);
    for (size_t r = low; r <= high; r++)
      w->value[(r - low) * (size_t)p->room + (size_t)u] = y[r];
  }
}
