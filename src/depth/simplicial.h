/* simplicial.h - simplicial depth: how many closed simplices of rows hold a point.
 *
 * A simplex is the convex hull of d + 1 rows, whatever their position: rows that coincide or lie on
 * a plane make a flat one, and the boundary belongs to it. The kernels count the sets of d + 1 rows
 * that do NOT hold the point: those that some open halfspace beside it holds.
 * Errors as in depth/halfspace.h: zero for whole numbers, else a scale's rounding error.
 */
#ifndef DEPTH_SIMPLICIAL_H
#define DEPTH_SIMPLICIAL_H

#include "dpd.h"
#include "num/points.h"
#include "plane/angle.h"

size_t dpd_simplicial2_scratch(int n);

/* Segments, from sorted data, in O(log n). */
uint64_t dpd_simplicial1_outside(const double *sorted, int n, double p, double e);

/* Triangles, in O(n) expected, O(n log n) at worst. Requires: n <= 2^21. */
uint64_t dpd_simplicial2_outside(const dpd_plane_rows *q, void *work);

/* The share of closed simplices that hold each of the points; d = 1 to 3. OpenMP over points; the
 * same bits for any number of threads. scratch: that many bytes.
 * Fails: DPD_ERR_DOMAIN for other d, n < d + 1; DPD_ERR_LIMIT for n too large. */
size_t dpd_simplicial_many_scratch(int n, int d, int threads);
dpd_status dpd_simplicial_many(const dpd_points *p, int threads, double *share, void *scratch);

#endif
