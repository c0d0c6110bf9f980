/* rank_window.c - order statistics of projections of integer rows, for a window of ranks.
 *
 * METHOD: only the ranks from low to high by steps of `stride`, and their mirror images, are kept,
 *   rank by rank (num/rank_fill.c).
 *   h(z) >= t  <=>  y_(t) <= u'z <= y_(n+1-t) in every direction u, for 1 <= t <= n.
 *   For t between kept ranks L <= t <= H, y_(L) <= y_(t) <= y_(H) decides all directions but
 *   those with y_(L) <= u'z < y_(H) or mirrored; along these the rows are counted.
 * COST: 2 room doubles per rank; a query O(count d) at most, as the
 *   first direction that excludes the point ends it, and O(n d) for each undecided direction.
 * DEGENERATE: ties are exact, since all projections are integers.
 */
#include "num/rank_window.h"

#include "num/project_tile.h"

/* Rows with u'z_i <= t and with u'z_i >= t. */
static void count_sides(const dpd_projected *p, int u, double t, int *below, int *above)
{
  const double *dir = p->dirs + (size_t)u * (size_t)p->d, *row = p->rows;
  int le = 0, ge = 0, size = dpd_tally_size(p->tally, p->n);
  if (p->along != NULL) {
    dpd_runs_sides(p->along + u, t, below, above);
    return;
  }
  for (int i = 0; i < size; i++, row += p->d) {
    double y = dpd_project(dir, row, p->d);
    int rows = dpd_tally_count(p->tally, i);
    le += y <= t ? rows : 0;
    ge += y >= t ? rows : 0;
  }
  *below = le;
  *above = ge;
}

/* The least count along directions u..u + count - 1, DPD_TILE_DIRECTIONS at most. */
static int depth_along(const dpd_projected *p, const double *z, int u, int count)
{
  const double *dirs = p->dirs + (size_t)u * (size_t)p->d;
  dpd_tiled_sides side[DPD_TILE_DIRECTIONS];
  bool tiled = p->tally == NULL && p->along == NULL && dpd_tiled_fits(p->d);
  int depth = p->n;
  for (int v = 0; v < count; v++)
    side[v].at = dpd_project(dirs + (size_t)v * (size_t)p->d, z, p->d);
  if (tiled) dpd_tiled_count(&(dpd_tiled){p->rows, (size_t)p->n, p->d}, dirs, count, side);
  for (int v = 0; v < count; v++) {
    int below = tiled ? (int)side[v].below : 0, above = tiled ? (int)side[v].above : 0;
    if (!tiled) count_sides(p, u + v, side[v].at, &below, &above);
    if (below < depth) depth = below;
    if (above < depth) depth = above;
  }
  return depth;
}

int dpd_projected_depth(const dpd_projected *p, const double *z, int first, int end, int threads)
{
  int depth = p->n;
  (void)threads;
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) reduction(min : depth)
#endif
  for (int u = first; u < end; u += DPD_TILE_DIRECTIONS) {
    int left = end - u;
    int here = depth_along(p, z, u, left < DPD_TILE_DIRECTIONS ? left : DPD_TILE_DIRECTIONS);
    if (here < depth) depth = here;
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
