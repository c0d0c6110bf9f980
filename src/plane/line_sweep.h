/* line_sweep.h - the lines through two or more rows that bound halfspace depth regions. */
#ifndef PLANE_LINE_SWEEP_H
#define PLANE_LINE_SWEEP_H

#include "dpd.h"
#include "num/list.h"

/* The closed halfplane to the right of the line from row i to row j; `level` is the place of its
 * level among those asked for. */
typedef struct {
  int i, j, level;
} dpd_edge;

/* A list of dpd_edge in the order of levels: those of the k-th have the places start[k] ..
 * start[k + 1] - 1. */
typedef struct {
  dpd_list edge;
  size_t *start; /* in the scratch memory */
} dpd_edges;

/* The edges of level k, and how many there are. */
static inline const dpd_edge *dpd_edges_of(const dpd_edges *e, int k, size_t *count)
{
  const dpd_edge *edge = e->edge.item;
  *count = e->start[k + 1] - e->start[k];
  return edge + e->start[k];
}

/* Planar rows and the regions that are wanted: increasing levels in 1..n. */
typedef struct {
  const double *x, *y;
  int n;
  double pad; /* as in plane/angle.h: 0 for exact numbers */
  const int *level;
  int count, threads;
} dpd_plane_levels;

/* All halfplanes that, with the rectangles of order statistics, make the regions of the levels. The
 * caller closes `out`, and keeps the scratch memory, dpd_edges_scratch() bytes, until then. The
 * same order for any number of threads. Fails: DPD_ERR_MEMORY, `out` being closed. */
size_t dpd_edges_scratch(int n, int count, int threads);
dpd_status dpd_edges_open(const dpd_plane_levels *p, dpd_edges *out, void *scratch);
void dpd_edges_close(dpd_edges *e);

#endif
