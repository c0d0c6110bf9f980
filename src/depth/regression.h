/* regression.h - weighted regression depth of lines.
 *
 * A fit is an intercept and a slope. Its depth is the least weight of the rows that it passes when
 * it is tilted to the vertical. Rows on the fit count whichever way they are passed. With the
 * residuals r, and t between different x,
 *   depth = min over t of min(above #{x > t, r >= 0} + below #{x < t, r <= 0},
 *                             above #{x < t, r >= 0} + below #{x > t, r <= 0}).
 * With weights 1 and 1 this is the regression depth of Rousseeuw and Hubert; above : below =
 * tau : 1 - tau makes the quantile tau deep.
 */
#ifndef DEPTH_REGRESSION_H
#define DEPTH_REGRESSION_H

#include "dpd.h"

/* What a row with r >= 0 weighs where w'(1, x) > 0, and one with r <= 0 where w'(1, x) < 0. Both at
 * least 1; the larger one times n is below 2^30. */
typedef struct {
  int above, below;
} dpd_regression_weights;

/* Rows and the errors of rounding: pad = 0 for whole numbers below 2^50, else the error of a
 * difference of the scale, as in dpd_angle. */
typedef struct {
  const double *x, *y;
  int n;
  double pad;
  int *group; /* rank of the row's x among different x, from 0 */
  int groups;
  dpd_regression_weights weights;
} dpd_lines;

/* Fills group, which has room for n, and groups; sets the weights to 1 and 1. work: 2 n doubles.
 * Requires: x, y, n and pad to be there. */
void dpd_lines_open(dpd_lines *l, double *work);

/* The rank of each x among the different ones, from 0, into `group`; x closer than `pad` and
 * rounding are equal, with pad = 0 those of equal value. Returns how many different ones there are.
 * work: 2 n doubles. */
int dpd_rank_groups(const double *x, int n, double pad, int *group, double *work);

/* Signs of the residuals y - (b_0 + sum_j b_j x_j) of one fit (b[0], b[step], ...), added up in the
 * order of j; x is n x p. A residual of at most `tolerance` times the size of its terms has sign 0;
 * with tolerance 0 the sign compares y with the fit as computed. */
typedef struct {
  const double *x, *y;
  int n, p;
  double tolerance;
} dpd_residuals;
void dpd_residual_signs(const dpd_residuals *r, const double *b, size_t step, signed char *sign);

/* What the rows of one fit weigh: net[i] = above [r_i >= 0] - below [r_i <= 0], and the sums of the
 * two terms. */
typedef struct {
  int *net; /* n */
  int up, down;
} dpd_regression_nets;
void dpd_regression_net(const signed char *sign, int n, dpd_regression_weights weights,
                        dpd_regression_nets *out);

/* The least weight over all splits between different groups, and both signs of w. sums: `groups`
 * integers. */
int dpd_regression_weight_along(const dpd_regression_nets *f, const int *group, int n, int groups,
                                int *sums);

/* m fits, an intercept and slopes each: m rows, column-major. */
typedef struct {
  const double *b;
  int m;
} dpd_fits;

/* Depths of lines. O(n) per line. scratch: that many bytes. */
size_t dpd_regression_depths_scratch(int n, int threads);
void dpd_regression_depths(const dpd_lines *l, const dpd_residuals *r, const dpd_fits *fits,
                           int threads, int *depth, void *scratch);

#endif
