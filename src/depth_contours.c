/* depth_contours.c - many halfspace depth regions in the plane at once.
 *
 * METHOD: Omega(l) is the intersection of the closed halfplanes whose edges pass through m >= 2
 * rows and outside which k rows lie, k < l < k + m: as a halfplane turns about the row at its edge,
 * the l-th from outside, it is bounded by those where that row ties. (On an edge where the l-th and
 *   the row before it, from outside, are the only ones to tie, the halfplane is implied by its
 *   neighbours.) The sorted directions from each row to all others (depth_turn.c) give the rows on
 *   and to both sides of each line, which row i notes if a later row is on it. The halfplanes are
 *   then put in order of level, and each region is cut from a rectangle of order statistics
 *   (geom_polygon.c); most halfplanes are turned away by a look at the vertices.
 * COST: O(n^2 log n) for the lines, O(vertices) a halfplane; O(n^2) memory, 12 bytes a halfplane of
 * a level asked for. DEGENERATE: collinear, parallel and equal rows are counted as they lie;
 * regions without interior as in depth_region.c. REFERENCE: Ruts and Rousseeuw (1996), Computing
 * depth contours of bivariate point clouds; Miller et al. (2003), Efficient computation of location
 * depth contours by methods of computational geometry.
 */
#include "depth_contours.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "depth_turn.h"
#include "num_sort.h"

typedef dpd_edge edge;

typedef struct {
  edge *edge;
  size_t count, room;
  bool failed;
} edge_list;

typedef struct {
  const double *x, *y;
  int n, threads;
  double pad;
  const int *index; /* a level: its place among those asked for, or -1 */
} lines;

static void add_edge(edge_list *list, int i, int j, int level)
{
  if (list->count == list->room && !list->failed) {
    size_t room = 2 * list->room + 1024;
    edge *more = realloc(list->edge, room * sizeof *more);
    if (more == NULL) {
      list->failed = true;
      return;
    }
    list->edge = more;
    list->room = room;
  }
  if (!list->failed) list->edge[list->count++] = (edge){i, j, level};
}

/* Both sides of the line through i and j, `on` rows on it, with rows left and right of it. */
static void add_line(const lines *s, edge_list *list, int i, int j, int on, int left, int right)
{
  for (int k = 1; k < on; k++) {
    if (s->index[left + k] >= 0) add_edge(list, i, j, s->index[left + k]);
    if (s->index[right + k] >= 0) add_edge(list, j, i, s->index[right + k]);
  }
}

/* Lines through row i and later rows; of those on a line the farthest makes the edge. */
static void add_lines(const lines *s, edge_list *list, int i, void *work)
{
  dpd_turn r;
  dpd_turn_sort(s->x, s->y, s->n, s->x[i], s->y[i], s->pad, NULL, work, &r);
  int at = s->n - r.away, ahead = 0;
  for (int k = 0; k < r.away; k++)
    ahead += !(r.code[k] & 1);
  for (int g = 0; g < r.groups; g++) {
    int from = r.start[g], to = r.start[g + 1], back = 0, later = -1, side = 0;
    double most = -1;
    for (int k = from; k < to; k++) {
      int j = r.code[k] >> 1;
      back += r.code[k] & 1;
      double far = fmax(fabs(s->x[j] - s->x[i]), fabs(s->y[j] - s->y[i]));
      if (j > i && far > most) {
        most = far;
        later = j;
        side = r.code[k] & 1;
      }
    }
    int left = ahead - (to - from - back), right = r.away - (to - from) - left;
    if (later >= 0) {
      if (side == 0)
        add_line(s, list, i, later, to - from + at, left, right);
      else
        add_line(s, list, i, later, to - from + at, right, left);
    }
    ahead = left + back;
  }
}

/* Lists of all edges, one a thread: together in the order of rows, whatever the threads. */
static bool list_edges(const lines *s, edge_list *list)
{
  bool ok = true;
#ifdef _OPENMP
#pragma omp parallel for num_threads(s->threads) schedule(static, 1)
#endif
  for (int t = 0; t < s->threads; t++) {
    void *work = malloc(dpd_turn_work_size(s->n));
    list[t].failed = work == NULL;
    int from = (int)((int64_t)s->n * t / s->threads);
    int to = (int)((int64_t)s->n * (t + 1) / s->threads);
    for (int i = from; i < to && !list[t].failed; i++)
      add_lines(s, &list[t], i, work);
    free(work);
  }
  for (int t = 0; t < s->threads; t++)
    ok &= !list[t].failed;
  return ok;
}

/* Edges in the order of their levels: start[l] is where those of level l begin. */
static edge *sort_edges(const edge_list *list, int lists, int count, size_t *start)
{
  memset(start, 0, ((size_t)count + 2) * sizeof *start);
  for (int t = 0; t < lists; t++)
    for (size_t k = 0; k < list[t].count; k++)
      start[list[t].edge[k].level + 2]++;
  for (int l = 0; l <= count; l++)
    start[l + 1] += start[l];
  edge *sorted = malloc((start[count + 1] + 1) * sizeof *sorted);
  for (int t = 0; t < lists && sorted != NULL; t++)
    for (size_t k = 0; k < list[t].count; k++)
      sorted[start[list[t].edge[k].level + 1]++] = list[t].edge[k];
  return sorted;
}

/* The rectangle of the level's order statistics; false if it is empty. */
static dpd_status open_region(const double *const sorted[2], int n, int level, dpd_polygon *region)
{
  double lower[2], upper[2], size = 1;
  bool empty = false;
  for (int k = 0; k < 2; k++) {
    lower[k] = sorted[k][level - 1];
    upper[k] = sorted[k][n - level];
    empty |= lower[k] > upper[k];
    size = fmax(size, fmax(fabs(lower[k]), fabs(upper[k])));
  }
  if (empty) lower[0] = upper[0] = lower[1] = upper[1] = 0;
  DPD_TRY(dpd_polygon_open(region, lower, upper, 0x1p-42 * size));
  if (empty) region->n = 0;
  return DPD_OK;
}

/* Whether all vertices are to the right of the line through a, by more than rounding, which turns
 * most halfplanes away; (dx, dy) need not be a unit vector. */
static bool holds_all(const dpd_polygon *p, double dx, double dy, const double a[2])
{
  double offset = dx * a[1] - dy * a[0], inside = offset - p->tol * (fabs(dx) + fabs(dy));
  for (int k = 0; k < p->n; k++)
    if (dx * p->vertex[k].z[1] - dy * p->vertex[k].z[0] > inside) return false;
  return true;
}

static dpd_status cut_region(const double *x, const double *y, const edge *e, size_t count,
                             dpd_polygon *region)
{
  for (size_t k = 0; k < count && region->n > 0; k++) {
    double a[2] = {x[e[k].i], y[e[k].i]}, dx = x[e[k].j] - a[0], dy = y[e[k].j] - a[1];
    if (holds_all(region, dx, dy, a)) continue;
    double length = hypot(dx, dy);
    dpd_halfplane h = {{-dy / length, dx / length}, {a[0], a[1]}};
    bool changed;
    DPD_TRY(dpd_polygon_cut(region, &h, &changed));
  }
  return DPD_OK;
}

static dpd_status cut_regions(const lines *s, const double *const sorted[2], const int *level,
                              int count, const edge *e, const size_t *start, dpd_polygon *region)
{
  int failed = 0;
#ifdef _OPENMP
#pragma omp parallel for num_threads(s->threads) schedule(dynamic, 1) reduction(| : failed)
#endif
  for (int l = 0; l < count; l++) {
    dpd_status status = open_region(sorted, s->n, level[l], &region[l]);
    if (status == DPD_OK)
      status = cut_region(s->x, s->y, e + start[l], start[l + 1] - start[l], &region[l]);
    failed |= status != DPD_OK;
  }
  return failed ? DPD_ERR_MEMORY : DPD_OK;
}

/* The lines and what depends on them, with memory given by the caller. */
static dpd_status find_regions(lines *s, const int *level, int count, double *sorted, int *index,
                               size_t *start, edge_list *list, dpd_polygon *region)
{
  const double *column[2] = {sorted, sorted + s->n};
  for (int l = 0; l <= s->n; l++)
    index[l] = -1;
  for (int l = 0; l < count; l++)
    index[level[l]] = l;
  memcpy(sorted, s->x, (size_t)s->n * sizeof *sorted);
  memcpy(sorted + s->n, s->y, (size_t)s->n * sizeof *sorted);
  dpd_sort_inplace(sorted, (size_t)s->n);
  dpd_sort_inplace(sorted + s->n, (size_t)s->n);
  s->index = index;
  if (!list_edges(s, list)) return DPD_ERR_MEMORY;
  edge *e = sort_edges(list, s->threads, count, start);
  if (e == NULL) return DPD_ERR_MEMORY;
  dpd_status status = cut_regions(s, column, level, count, e, start, region);
  free(e);
  return status;
}

dpd_status dpd_contours(const double *x, const double *y, int n, double ex, double ey,
                        const int *level, int count, int threads, dpd_polygon *region)
{
  lines s = {.x = x, .y = y, .n = n, .threads = threads < n ? threads : n, .pad = ex + ey};
  double *sorted = malloc(2 * (size_t)n * sizeof *sorted);
  int *index = malloc(((size_t)n + 1) * sizeof *index);
  size_t *start = malloc(((size_t)count + 2) * sizeof *start);
  edge_list *list = calloc((size_t)s.threads, sizeof *list);
  dpd_status status = DPD_ERR_MEMORY;
  memset(region, 0, (size_t)count * sizeof *region);
  if (sorted != NULL && index != NULL && start != NULL && list != NULL)
    status = find_regions(&s, level, count, sorted, index, start, list, region);
  for (int t = 0; t < s.threads && list != NULL; t++)
    free(list[t].edge);
  free(list);
  free(sorted);
  free(index);
  free(start);
  return status;
}

dpd_status dpd_contours_edges(const double *x, const double *y, int n, double pad, int levels,
                              int threads, dpd_edge **edge, size_t *start)
{
  lines s = {.x = x, .y = y, .n = n, .threads = threads < n ? threads : n, .pad = pad};
  int *index = malloc(((size_t)n + 1) * sizeof *index);
  edge_list *list = calloc((size_t)s.threads, sizeof *list);
  *edge = NULL;
  if (index != NULL && list != NULL) {
    for (int l = 0; l <= n; l++)
      index[l] = l >= 1 && l <= levels ? l - 1 : -1;
    s.index = index;
    if (list_edges(&s, list)) *edge = sort_edges(list, s.threads, levels, start);
  }
  for (int t = 0; t < s.threads && list != NULL; t++)
    free(list[t].edge);
  free(list);
  free(index);
  return *edge != NULL ? DPD_OK : DPD_ERR_MEMORY;
}
