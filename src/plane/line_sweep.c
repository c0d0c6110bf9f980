/* line_sweep.c - the lines through two or more rows that bound halfspace depth regions.
 *
 * METHOD: Omega(l) is the intersection of the rectangle of the level's order statistics with the
 *   closed halfplanes whose edges pass through m >= 2 rows and outside which k rows lie,
 *   k < l < k + m: as a halfplane turns about the row at its edge, the l-th from outside, it is
 *   bounded by those where that row ties. (Where the l-th is the last from outside to tie,
 *   l = k + m, the halfplane is implied by the others.) The sorted directions from each row to all
 *   others (plane/angle_sort.c) give the rows on and to both sides of each line, which row i
 *   notes if a later row is on it; the halfplanes are then put in order of level.
 * COST: O(n^2 log n); 12 bytes per halfplane of a level asked for.
 * DEGENERATE: collinear, parallel and equal rows are counted as they lie, exactly if pad = 0 (exact
 *   numbers, such as integers).
 * REFERENCE: as in median/contours.c; the proof is in vignettes/proofs-smooth.Rmd.
 */
#include "plane/line_sweep.h"

#include <math.h>
#include <string.h>

#include "num/scratch.h"
#include "plane/angle_sort.h"

typedef struct {
  const double *x, *y;
  int n, threads;
  double pad;
  int *index;     /* a level: its place among those asked for, or -1; n + 1 of them */
  dpd_list *list; /* of edges: one per thread */
  void *sorting;  /* one part a thread */
} lines;

/* A line by the rows that it is noted for, how many rows are on it, and on either side of it. */
typedef struct {
  int i, j, on, left, right;
} line;

static void add_edge(dpd_list *list, int i, int j, int level)
{
  dpd_edge *edge = dpd_list_add(list, sizeof *edge);
  if (edge != NULL) *edge = (dpd_edge){i, j, level};
}

/* Both sides of a line. */
static void add_line(const lines *s, dpd_list *list, line l)
{
  for (int k = 1; k < l.on; k++) {
    if (s->index[l.left + k] >= 0) add_edge(list, l.i, l.j, s->index[l.left + k]);
    if (s->index[l.right + k] >= 0) add_edge(list, l.j, l.i, s->index[l.right + k]);
  }
}

/* Lines through row i and later rows; of those on a line the farthest makes the edge. */
static void add_lines(const lines *s, dpd_list *list, int i, void *work)
{
  dpd_angle_order r;
  dpd_plane_rows q = {s->x, s->y, s->n, s->x[i], s->y[i], s->pad, NULL, NULL, 0};
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

static size_t sorting_share(int n)
{
  return (dpd_angle_sort_scratch(n) + DPD_LINE - 1) / DPD_LINE * DPD_LINE;
}

/* Cuts up the scratch memory, a block in which pieces follow each other. Returns its size. */
static size_t lay_out(lines *s, int n, int count, int threads, size_t **start, dpd_scratch a)
{
  *start = dpd_scratch_take(&a, (size_t)count + 2, sizeof **start);
  s->index = dpd_scratch_take(&a, (size_t)n + 1, sizeof *s->index);
  s->list = dpd_scratch_take(&a, (size_t)threads, sizeof *s->list);
  s->sorting = dpd_scratch_take(&a, sorting_share(n), (size_t)threads);
  return a.used;
}

size_t dpd_edges_scratch(int n, int count, int threads)
{
  lines s;
  size_t *start;
  return dpd_scratch_size(lay_out(&s, n, count, threads, &start, (dpd_scratch){NULL, 0}), 1);
}

/* Lists of all edges, one per thread: together in the order of rows, whatever the threads. */
static dpd_status list_edges(const lines *s)
{
#ifdef _OPENMP
#pragma omp parallel for num_threads(s->threads) schedule(static, 1)
#endif
  for (int t = 0; t < s->threads; t++) {
    void *work = (unsigned char *)s->sorting + (size_t)t * sorting_share(s->n);
    int from = (int)((int64_t)s->n * t / s->threads);
    int to = (int)((int64_t)s->n * (t + 1) / s->threads);
    s->list[t] = (dpd_list){NULL, 0, 0, false};
    for (int i = from; i < to && !s->list[t].failed; i++)
      add_lines(s, &s->list[t], i, work);
  }
  for (int t = 0; t < s->threads; t++)
    DPD_TRY(dpd_list_status(&s->list[t]));
  return DPD_OK;
}

/* Edges in the order of their levels: start[l] is where those of level l begin. */
static dpd_status sort_edges(const lines *s, int count, dpd_edges *out)
{
  size_t *start = out->start;
  memset(start, 0, ((size_t)count + 2) * sizeof *start);
  for (int t = 0; t < s->threads; t++) {
    const dpd_edge *edge = s->list[t].item;
    for (size_t k = 0; k < s->list[t].count; k++)
      start[edge[k].level + 2]++;
  }
  for (int l = 0; l <= count; l++)
    start[l + 1] += start[l];
  DPD_TRY(dpd_list_reserve(&out->edge, start[count + 1] + 1, sizeof(dpd_edge))); /* never none */
  dpd_edge *sorted = out->edge.item;
  out->edge.count = start[count + 1];
  for (int t = 0; t < s->threads; t++) {
    const dpd_edge *edge = s->list[t].item;
    for (size_t k = 0; k < s->list[t].count; k++)
      sorted[start[edge[k].level + 1]++] = edge[k];
  }
  return DPD_OK;
}

dpd_status dpd_edges_open(const dpd_plane_levels *p, dpd_edges *out, void *scratch)
{
  int n = p->n, threads = p->threads < n ? p->threads : n;
  lines s = {.x = p->x, .y = p->y, .n = n, .threads = threads, .pad = p->pad};
  *out = (dpd_edges){.start = NULL};
  lay_out(&s, n, p->count, threads, &out->start, dpd_scratch_part(scratch, 0, 0));
  for (int l = 0; l <= n; l++)
    s.index[l] = -1;
  for (int l = 0; l < p->count; l++)
    s.index[p->level[l]] = l;
  dpd_status status = list_edges(&s);
  if (status == DPD_OK) status = sort_edges(&s, p->count, out);
  for (int t = 0; t < threads; t++)
    dpd_list_close(&s.list[t]);
  if (status != DPD_OK) dpd_edges_close(out);
  return status;
}

void dpd_edges_close(dpd_edges *e)
{
  dpd_list_close(&e->edge);
  e->start = NULL;
}
