/* spatial.h - the spatial median. */
#ifndef MEDIAN_SPATIAL_H
#define MEDIAN_SPATIAL_H

#include "dpd.h"

/* What the search for the spatial median found. */
typedef struct {
  int limit; /* iterations allowed: said by the caller */
  int iterations;
  double gradient; /* norm of the mean of unit vectors, less the share of rows at the point */
  bool converged;
} dpd_spatial_trace;

/* Doubles that the median's workspace holds. */
size_t dpd_spatial_median_scratch(int n, int d);

/* The point with the least sum of distances to the rows (column-major n x d); on a line, the
 * middle of all such points.
 * Requires: n >= 1, d >= 1, coordinates of at most 2^500 in size. Fails: never. */
dpd_status dpd_spatial_median(const double *data, int n, int d, double *work, double *median,
                              dpd_spatial_trace *trace);

#endif
