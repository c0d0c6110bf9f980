/* spatial.h - spatial depth and the spatial median. */
#ifndef DEPTH_SPATIAL_H
#define DEPTH_SPATIAL_H

#include "dpd.h"

/* norm[i] = norm of the mean over the rows of s(p_i - x), s(v) = v/norm(v), s(0) = 0; in [0, 1].
 * Column-major data (n x d) and points (m x d). OpenMP over points; the same bits for any number
 * of threads and any width of vector registers. Requires: n >= 1, coordinates of at most 2^500 in
 * size. Fails: DPD_ERR_MEMORY. */
dpd_status dpd_spatial_norms(const double *data, int n, int d, const double *points, int m,
                             int threads, double *norm);

/* What the search for the spatial median found. */
typedef struct {
  int iterations;
  double gradient; /* norm of the mean of unit vectors, less the share of rows at the point */
  bool converged;
} dpd_spatial_trace;

/* Doubles that the median's workspace holds. */
size_t dpd_spatial_median_work_size(int n, int d);

/* The point with the least sum of distances to the rows (column-major n x d); on a line, the
 * middle of all such points. `limit`: iterations allowed.
 * Requires: n >= 1, d >= 1, coordinates of at most 2^500 in size. Fails: never. */
dpd_status dpd_spatial_median(const double *data, int n, int d, int limit, double *work,
                              double *median, dpd_spatial_trace *trace);

#endif
