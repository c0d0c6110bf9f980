/* spatial.h - spatial depth. */
#ifndef DEPTH_SPATIAL_H
#define DEPTH_SPATIAL_H

#include "dpd.h"
#include "num/points.h"

/* norm[i] = norm of the mean over the rows of s(p_i - x), s(v) = v/norm(v), s(0) = 0; in [0, 1].
 * OpenMP over points; the same bits for any number of threads and any width of vector registers.
 * No errors are asked for. Requires: n >= 1, coordinates of at most 2^500 in size. scratch: that
 * many bytes. */
size_t dpd_spatial_norms_scratch(int d, int threads);
void dpd_spatial_norms(const dpd_points *p, int threads, double *norm, void *scratch);

#endif
