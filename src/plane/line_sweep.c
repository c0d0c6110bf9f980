/* line_sweep.c - the lines through two or more rows that bound halfspace depth regions.
 *
 * METHOD: Omega(l) is the intersection of the rectangle of the level's order statistics with the
 *   closed halfplanes whose edges pass through m >= 2 rows and outside which k rows lie,
 *   k < l < k + m: as a halfplane turns about the row at its edge, the l-th from outside, it is
 *   bounded by those where that row ties. (Where the l-th is the last from outside to tie,
 *   l = k + m, the halfplane is implied by the others.) The sorted directions from each row to all
 *   others (plane/angle_sort.c) give the rows on and to both sides of each line, which row i
 *   notes if a later row is on it; the halfplanes are then put in order of level.
 * COST: O(n^2 log n); 12 bytes a halfplane of a level asked for.
 * DEGENERATE: collinear, parallel and equal rows are counted as they lie, exactly if pad = 0 (exact
 *   numbers, such as integers).
 * REFERENCE: as in median/contours.c; the proof is in vignettes/proofs-smooth.Rmd.
 */
#include "plane/line_sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plane/angle_sort.h"

typedef struct {
  dpd_edge *edge;
  size_t count, room;
  bool failed;
} edge_list;

typedef struct {
  const double *x, *y;
  int n, threads;
  double pad;
  const int *index; /* a level: its place among those asked for, or -1 */
} lines;

/* A line by the rows that it is noted for, how many rows are on it, and on either side of it. */
typedef struct {
  int i, j, on, left, right;
} line;

static void add_edge(edge_list *list, int i, int j, int level)
{
  if (list->count == list->room && !list->failed) {
    size_t room = 2 * list->room + 1024;
    dpd_edge *more = realloc(list->edge, room * sizeof *more);
    if (more == NULL) {
      list->failed = true;
      return;
    }
    list->edge = more;
    list->room = room;
  }
  if (!list->failed) list->edge[list->count++] = (dpd_edge){i, j, level};
}

/* Both sides of a line. */
static void add_line(const lines *s, edge_list *list, line l)
{
  for (int k = 1; k < l.on; k++) {
    if (s->index[l.left + k] >= 0) add_edge(list, l.i, l.j, s->index[l.left + k]);
    if (s->index[l.right + k] >= 0) add_edge(list, l.j, l.i, s->index[l.right + k]);
  }
}

/* Lines through row i and later rows; of those on a line the farthest makes the edge. */
static void add_lines(const lines *s, edge_list *list, int i, void *work)
{
  dpd_angle_order r;
  dpd_plane_rows q = {s->x, s->y, s->n, s->x[i], s->y[i], s->pad, NULL};
  dpd_angle_sort(&q, work, &r);
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
    line l = {i, later, to - from + at, side == 0 ? left : right, side == 0 ? right : left};
    if (later >= 0) add_line(s, list, l);
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
    void *work = malloc(dpd_angle_sort_work_size(s->n));
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
static dpd_edge *sort_edges(const edge_list *list, int lists, int count, size_t *start)
{
  memset(start, 0, ((size_t)count + 2) * sizeof *start);
  for (int t = 0; t < lists; t++)
    for (size_t k = 0; k < list[t].count; k++)
      start[list[t].edge[k].level + 2]++;
  for (int l = 0; l <= count; l++)
    start[l + 1] += start[l];
  dpd_edge *sorted = malloc((start[count + 1] + 1) * sizeof *sorted);
  for (int t = 0; t < lists && sorted != NULL; t++)
    for (size_t k = 0; k < list[t].count; k++)
      sorted[start[list[t].edge[k].level + 1]++] = list[t].edge[k];
  return sorted;
}

dpd_status dpd_edges_open(const dpd_plane_levels *p, dpd_edges *out)
{
  int n = p->n, count = p->count, threads = p->threads < n ? p->threads : n;
  lines s = {.x = p->x, .y = p->y, .n = n, .threads = threads, .pad = p->pad};
  int *index = malloc(((size_t)n + 1) * sizeof *index);
  edge_list *list = calloc((size_t)s.threads, sizeof *list);
  out->edge = NULL;
  out->start = malloc(((size_t)count + 2) * sizeof *out->start);
  if (index != NULL && list != NULL && out->start != NULL) {
    for (int l = 0; l <= n; l++)
      index[l] = -1;
    for (int l = 0; l < count; l++)
      index[p->level[l]] = l;
    s.index = index;
    if (list_edges(&s, list)) out->edge = sort_edges(list, s.threads, count, out->start);
  }
  for (int t = 0; t < s.threads && list != NULL; t++)
    free(list[t].edge);
  free(list);
  free(index);
  if (out->edge != NULL) return DPD_OK;
  dpd_edges_close(out);
  return DPD_ERR_MEMORY;
}

void dpd_edges_close(dpd_edges *e)
{
  free(e->edge);
  free(e->start);
  e->edge = NULL;
  e->start = NULL;
}
