/* halfspace.h - halfspace depth as counts, in closed halfspaces.
 *
 * h(p) = min over u != 0 of #{i : u'(x_i - p) >= 0}. All counts are integers; the depth is h / n.
 *
 * Rounding. err[] all zero (in the plane: pad, their sum) mean that all coordinates are integers
 * (below 2^50 in size for the planar kernel, 2^25 for the spatial one, 2^15 in four dimensions):
 * then every comparison is exact. All positive mean rounded numbers: a difference x_ij - p_j is
 * then in error by at most err_j plus 2^-50 (|x_ij| + |p_j|). A row that this cannot separate
 * from p coincides with it, and directions that it cannot distinguish are tied, as they are for
 * the numbers before rounding: halfspaces are closed, so both then count. Relative to each number
 * and to a scale that the caller chooses (a robust spread, say), so a far outlier does not blur
 * the others. Coordinates should have similar scales: errors are pooled over coordinates.
 */
#ifndef DEPTH_HALFSPACE_H
#define DEPTH_HALFSPACE_H

#include "dpd.h"
#include "num/points.h"
#include "num/tally.h"
#include "plane/angle.h"

/* Bytes of workspace of one query; any alignment of malloc suffices. */
size_t dpd_halfspace2_scratch(int n);
size_t dpd_halfspace2_scratch_of(int entries, int n); /* of entries that are n rows */
size_t dpd_halfspace3_scratch(int n);
size_t dpd_halfspace4_scratch(int n);

/* Univariate count, from sorted data, in O(log n). Exact for all doubles when e = 0; with e > 0
 * numbers within e + 2^-50 (|x| + |p|) are equal. */
int dpd_halfspace1_count(const double *sorted, int n, double p, double e);

/* How many of n numbers are below p, and how many above, by the same rule: sorted numbers by
 * bisection, others by looking at all. */
void dpd_halfspace1_sides(const double *sorted, int n, double p, double e, int *below, int *above);
void dpd_halfspace1_scan(const double *y, int n, double p, double e, int *below, int *above);

/* Exact planar count, O(n) expected, O(n log n) at worst.
 * Requires: n >= 0, finite input. Fails: never. */
dpd_status dpd_halfspace2_count(const dpd_plane_rows *q, void *work, int *count);

/* The least count of the rows that do not coincide with p if it is below `cap`, else `cap`; the
 * number of those that coincide goes to `at`. h = at + that count with cap = INT_MAX. */
int dpd_halfspace2_open(const dpd_plane_rows *q, int cap, void *work, int *at);

/* As dpd_halfspace2_count(), with a direction that attains the count: at most `count` rows have
 * normal'(x_i - p) >= 0, except for rounding of the normal. It is not a unit vector. */
dpd_status dpd_halfspace2_witness(const dpd_plane_rows *q, void *work, int *count,
                                  double normal[2]);

/* Exact spatial count, O(n^2). Requires: as above, in three coordinates. Fails: never. */
dpd_status dpd_halfspace3_count(const double *const x[3], int n, const double p[3],
                                const double err[3], void *work, int *count);

/* As dpd_halfspace3_count() for integers, with a direction that attains the count, except for
 * rounding. It is not a unit vector. */
dpd_status dpd_halfspace3_witness(const double *const x[3], int n, const double p[3], void *work,
                                  int *count, double normal[3]);

/* The same of a tally: x holds its entries. */
size_t dpd_halfspace3_scratch_of(int entries, int n);
dpd_status dpd_halfspace3_witness_of(const double *const x[3], const dpd_tally *t,
                                     const double p[3], void *work, int *count, double normal[3]);

/* Exact count in four dimensions, O(n^3). Integers up to 2^15 in size. Requires and fails: as
 * above. */
dpd_status dpd_halfspace4_count(const double *const x[4], int n, const double p[4],
                                const double err[4], void *work, int *count);

/* Exact counts of many points, d = 1 to 4. OpenMP over points; the counts do not depend on
 * `threads`. scratch: that many bytes. Fails: DPD_ERR_DOMAIN unless 1 <= d <= 4. */
size_t dpd_halfspace_many_scratch(int n, int d, int threads);
dpd_status dpd_halfspace_many(const dpd_points *p, int threads, int *count, void *scratch);

#endif
