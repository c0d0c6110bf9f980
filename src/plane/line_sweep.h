/* line_sweep.h - the lines through two or more rows that bound halfspace depth regions. */
#ifndef PLANE_LINE_SWEEP_H
#define PLANE_LINE_SWEEP_H

#include "dpd.h"

/* The closed halfplane to the right of the line from row i to row j; `level` is the place of its
 * level among those asked for. */
typedef struct {
  int i, j, level;
} dpd_edge;

/* In the order of levels: those of the k-th are edge[start[k]] .. edge[start[k + 1] - 1]. */
typedef struct {
  dpd_edge *edge;
  size_t *start;
} dpd_edges;

/* Planar rows and the regions that are wanted: increasing levels in 1..n. */
typedef struct {
  const double *x, *y;
  int n;
  double pad; /* as in plane/angle.h: 0 for exact numbers */
  const int *level;
  int count, threads;
} dpd_plane_levels;

/* All halfplanes that, with the rectangles of order statistics, make the regions of the levels. The
 * caller closes `out`. The same order for any number of threads. Fails: DPD_ERR_MEMORY, `out` being
 * closed. */
dpd_status dpd_edges_open(const dpd_plane_levels *p, dpd_edges *out);
void dpd_edges_close(dpd_edges *e);

#endif
