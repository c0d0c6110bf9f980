/* restricted_axes.h - the safety margin of medians restricted by depth along the axes. */
#ifndef MARGIN_RESTRICTED_AXES_H
#define MARGIN_RESTRICTED_AXES_H

#include "dpd.h"

/* Rows of whole numbers up to 2^50 in size. */
typedef struct {
  int n, d, level;      /* level: the least depth of a released point, 2..(n + 1) / 2 */
  const double *sorted; /* column j ascending, from sorted[j n] on */
  double times;         /* how often each column stands there: 1 for data, more for plans */
  double eps;           /* of the draw */
} dpd_restricted_axes_spec;

/* log b_k as in the header of margin/restricted_axes.c; INFINITY if level - 1 - k < 1. Requires
 * k >= 0. */
double dpd_restricted_axes_bound(const dpd_restricted_axes_spec *s, int k);

/* The number of k = 0, 1, ... below `most` with log b_k <= log_delta - slack (1 + k), up to the
 * first that is not so. Requires: slack at least twice the rounding error of log b_k. */
int dpd_restricted_axes_margin(const dpd_restricted_axes_spec *s, double log_delta, double slack,
                               int most);

#endif
