/* regression_directional.h - weighted regression depth of fits along public directions.
 *
 * The depth of a fit with residuals r is the least weight over w = +-(-v, u), u a direction of the
 * regressors and v any number,
 *   sum over w'(1, x_i) > 0 of above [r_i >= 0], and over w'(1, x_i) < 0 of below [r_i <= 0];
 * rows on the boundary weigh the larger of their two terms, so the least is between different u'x.
 * It is an upper bound of the depth over all directions, and one replaced row changes it by at most
 * the larger weight. With dpd_residuals.tolerance = 0 the sign of a residual compares y with the
 * fit as computed, b_0 + b_1 x_1 + ... in that order; splits lie between u'x of different value:
 * the conventions of the private mechanism (mech/regression), of which this is the twin.
 */
#ifndef DEPTH_REGRESSION_DIRECTIONAL_H
#define DEPTH_REGRESSION_DIRECTIONAL_H

#include "depth/regression.h"

/* For each direction, the rank of each row's u'x among the different ones, from 0. */
typedef struct {
  int n, count;
  int *group;  /* n x count */
  int *groups; /* count: how many different u'x */
} dpd_regression_splits;

/* Fills the splits along `count` directions, the rows of u (count x p), of x (n x p). O(n log n) a
 * direction. scratch: that many bytes. */
size_t dpd_regression_splits_scratch(int n, int threads);
void dpd_regression_splits_open(dpd_regression_splits *s, const double *x, int p, const double *u,
                                int threads, void *scratch);

/* Depths of fits to p regressors, or -1 for those of less than `floor`: these
 * are left as soon as that is seen. O(n (p + count)) a fit. The results do not depend on `threads`.
 * scratch: that many bytes. */
typedef struct {
  const dpd_regression_splits *splits;
  const dpd_residuals *residuals;
  dpd_regression_weights weights;
  int floor, threads;
} dpd_regression_along;
size_t dpd_regression_directional_scratch(int n, int count, int threads);
void dpd_regression_directional(const dpd_regression_along *a, const dpd_fits *fits, int *depth,
                                void *scratch);

#endif
