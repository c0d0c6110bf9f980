/* halfspace_directional.h - a deepest point of the directional halfspace depth. */
#ifndef MEDIAN_HALFSPACE_DIRECTIONAL_H
#define MEDIAN_HALFSPACE_DIRECTIONAL_H

#include "dpd.h"

/* The centre of a largest ball, in coordinates divided by `scale`, within the deepest region
 * {z : u'z <= (level-th largest u'x_i), u = +-dirs[k]}, and its level.
 * Column-major: data n x d, dirs count x d, of which row k < d is a positive multiple of axis
 * `axis[k]`. centre: each column's order statistic floor((n + 1)/2); scale > 0.
 * Requires: n >= 1, 1 <= d <= count. Fails: DPD_ERR_MEMORY; DPD_ERR_LIMIT (rounding). */
dpd_status dpd_median_directional(const double *data, int n, int d, const double *dirs, int count,
                                  const int *axes, const double *centre, const double *scale,
                                  const double *err, int threads, int *level, double *z);

#endif
