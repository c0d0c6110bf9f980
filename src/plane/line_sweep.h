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

/* All halfplanes that, with the rectangles of order statistics, make the regions of `count`
 * increasing levels in 1..n; pad as in plane/angle_sort.h, 0 for exact numbers. The caller closes
 * `out`. The same order for any number of threads. Fails: DPD_ERR_MEMORY, `out` being closed. */
dpd_status dpd_edges_open(const double *x, const double *y, int n, double pad, const int *level,
                          int count, int threads, dpd_edges *out);
void dpd_edges_close(dpd_edges *e);

#endif
