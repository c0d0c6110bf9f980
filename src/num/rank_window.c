/* rank_window.c - order statistics of projections of integer rows, for a window of ranks.
 *
 * METHOD: one pass of projection and two selections a direction; only the ranks from low to
 *   high by steps of `stride`, and their mirror images, are kept, rank by rank.
 *   h(z) >= t  <=>  y_(t) <= u'z <= y_(n+1-t) in every direction u, for 1 <= t <= n.
 *   For t between kept ranks L <= t <= H, y_(L) <= y_(t) <= y_(H) decides all directions but
 *   those with y_(L) <= u'z < y_(H) or mirrored; along these the rows are counted.
 * COST: O(count n d) time to fill, 2 room doubles a rank; a query O(count d) at most, for the
 *   first direction that says no ends it, and O(n d) for each direction that does not tell.
 * DEGENERATE: ties are exact, since all projections are integers.
 */
#include "num/rank_window.h"

#include "num/select.h"

#ifdef _OPENMP
#include <omp.h>
#endif

/* Rows with u'z_i <= t and with u'z_i >= t. */
static void count_sides(const dpd_projected *p, int u, double t, int *below, int *above)
{
  const double *dir = p->dirs + (size_t)u * (size_t)p->d, *row = p->rows;
  int le = 0, ge = 0, size = dpd_tally_size(p->tally, p->n);
  for (int i = 0; i < size; i++, row += p->d) {
    double y = dpd_project(dir, row, p->d);
    int rows = dpd_tally_count(p->tally, i);
    le += y <= t ? rows : 0;
    ge += y >= t ? rows : 0;
  }
  *below = le;
  *above = ge;
}

int dpd_projected_depth(const dpd_projected *p, const double *z, int first, int end, int threads)
{
  int depth = p->n;
  (void)threads;
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) reduction(min : depth)
#endif
  for (int u = first; u < end; u++) {
    int below, above;
    count_sides(p, u, dpd_project(p->dirs + (size_t)u * (size_t)p->d, z, p->d), &below, &above);
    if (below < depth) depth = below;
    if (above < depth) depth = above;
  }
  return depth;
}

/* The place of the kept rank at or above t; the number of ranks: none. */
static int place_above(const dpd_rank_window *w, int t)
{
  if (t > w->high) return w->ranks;
  return t <= w->low ? 0 : (int)(((int64_t)t - w->low + w->stride - 1) / w->stride);
}

/* Do the ranks at place k say that depth `rank k` is reached by y along direction u? */
static bool within(const dpd_rank_window *w, int u, double y, int k)
{
  return y >= dpd_rank_window_kept(w, k)[u] && y <= dpd_rank_window_kept_mirror(w, k)[u];
}

bool dpd_rank_window_may_reach(const dpd_rank_window *w, const double *z, int t)
{
  const dpd_projected *p = w->from;
  int k = dpd_rank_window_place(w, t);
  if (t <= 0) return true;
  if (t > p->n) return false;
  if (k < 0) return true;
  const double *lo = dpd_rank_window_kept(w, k), *hi = dpd_rank_window_kept_mirror(w, k),
               *dir = p->dirs;
  for (int u = 0; u < p->count; u++, dir += p->d) {
    double y = dpd_project(dir, z, p->d);
    if (y < lo[u] || y > hi[u]) return false;
  }
  return true;
}

int dpd_rank_window_depth(const dpd_rank_window *w, const double *z, int cap)
{
  const dpd_projected *p = w->from;
  int t = cap, ranks = w->ranks;
  for (int u = 0; u < p->count && t >= w->low; u++) {
    double y = dpd_project(p->dirs + (size_t)u * (size_t)p->d, z, p->d);
    t = dpd_rank_window_bound(w, u, y, y, t);
  }
  if (w->stride == 1 && t <= w->high) return t;
  for (int u = 0; u < p->count && t >= w->low; u++) {
    int k = place_above(w, t), below, above;
    double y = dpd_project(p->dirs + (size_t)u * (size_t)p->d, z, p->d);
    if (k < ranks && within(w, u, y, k)) continue;
    count_sides(p, u, y, &below, &above);
    if (below < t) t = below;
    if (above < t) t = above;
  }
  return t;
}

bool dpd_rank_window_at_least(const dpd_rank_window *w, const double *z, int t)
{
  const dpd_projected *p = w->from;
  if (!dpd_rank_window_may_reach(w, z, t)) return false;
  int k = place_above(w, t), ranks = w->ranks;
  if (t <= 0 || (k < ranks && w->low + k * w->stride == t)) return true;
  for (int u = 0; u < p->count; u++) {
    int below, above;
    double y = dpd_project(p->dirs + (size_t)u * (size_t)p->d, z, p->d);
    if (k < ranks && within(w, u, y, k)) continue;
    count_sides(p, u, y, &below, &above);
    if (below < t || above < t) return false;
  }
  return true;
}

/* Can the range a..b of direction u hold a point that has the depth of the rank at place k? */
static bool holds_rank(const dpd_rank_window *w, int u, double a, double b, int k)
{
  return b >= dpd_rank_window_kept(w, k)[u] && a <= dpd_rank_window_kept_mirror(w, k)[u];
}

int dpd_rank_window_bound(const dpd_rank_window *w, int u, double a, double b, int cap)
{
  /* ranks above the window are not known: its last rank is then a weaker test */
  int fail = dpd_rank_window_place(w, cap), pass = -1;
  if (fail < 0 || holds_rank(w, u, a, b, fail)) return cap;
  while (fail - pass > 1) {
    int mid = pass + (fail - pass) / 2;
    if (holds_rank(w, u, a, b, mid))
      pass = mid;
    else
      fail = mid;
  }
  return w->low + fail * w->stride - 1;
}

size_t dpd_rank_window_values(const dpd_rank_window *w)
{
  return 2 * (size_t)w->ranks * (size_t)w->from->room;
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

size_t dpd_rank_window_work(const dpd_projected *p)
{
  size_t size = (size_t)dpd_tally_size(p->tally, p->n);
  /* numbers with counts, and half as many to sort them */
  return p->tally == NULL ? size : (size + size / 2 + 1) * sizeof(dpd_counted) / sizeof(double);
}

/* The order statistics of a tally's projections: all entries are sorted. */
static void fill_counted(const dpd_rank_window *w, int u, dpd_counted *y)
{
  const dpd_projected *p = w->from;
  const double *dir = p->dirs + (size_t)u * (size_t)p->d, *row = p->rows;
  int size = p->tally->size;
  double *at = w->value + u;
  for (int i = 0; i < size; i++, row += p->d)
    y[i] = (dpd_counted){dpd_project(dir, row, p->d), p->tally->count[i]};
  dpd_counted_sort(y, y + size, size);
  dpd_ranks ranks = {w->low, w->stride, w->ranks};
  dpd_counted_ranks(y, ranks, at, p->room);
  /* the mirrored ones fall: from the last of them */
  ranks.first = p->n + 1 - w->high;
  dpd_counted_ranks(y, ranks, at + (2 * (size_t)w->ranks - 1) * (size_t)p->room, -p->room);
}

/* The same where every row is an entry. */
static void fill_rows(const dpd_rank_window *w, int u, double *y)
{
  const dpd_projected *p = w->from;
  size_t n = (size_t)p->n, low = (size_t)w->low, high = (size_t)w->high, room = (size_t)p->room;
  size_t stride = (size_t)w->stride;
  const double *dir = p->dirs + (size_t)u * (size_t)p->d, *row = p->rows;
  double *at = w->value + u;
  for (size_t i = 0; i < n; i++, row += p->d)
    y[i] = dpd_project(dir, row, p->d);
  select_bands(y, n, low, high);
  for (size_t t = low; t <= high; t += stride, at += room)
    *at = y[t - 1];
  for (size_t t = low; t <= high; t += stride, at += room)
    *at = y[n - t];
}

void dpd_rank_window_fill(dpd_rank_window *w, int first, int end, int threads, double *work)
{
  size_t each = dpd_rank_window_work(w->from);
  (void)threads;
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) schedule(static)
#endif
  for (int u = first; u < end; u++) {
    double *y = work;
#ifdef _OPENMP
    y += (size_t)omp_get_thread_num() * each;
#endif
    if (w->from->tally != NULL)
      fill_counted(w, u, (dpd_counted *)(void *)y);
    else
      fill_rows(w, u, y);
  }
  (void)each;
}
