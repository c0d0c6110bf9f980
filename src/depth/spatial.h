/* spatial.h - spatial depth. */
#ifndef DEPTH_SPATIAL_H
#define DEPTH_SPATIAL_H

#include "dpd.h"

/* norm[i] = norm of the mean over the rows of s(p_i - x), s(v) = v/norm(v), s(0) = 0; in [0, 1].
 * Column-major data (n x d) and points (m x d). OpenMP over points; the same bits for any number
 * of threads and any width of vector registers. Requires: n >= 1, coordinates of at most 2^500 in
 * size. Fails: DPD_ERR_MEMORY. */
dpd_status dpd_spatial_norms(const double *data, int n, int d, const double *points, int m,
                             int threads, double *norm);

#endif
