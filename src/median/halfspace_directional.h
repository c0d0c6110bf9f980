/* halfspace_directional.h - a deepest point of the directional halfspace depth. */
#ifndef MEDIAN_HALFSPACE_DIRECTIONAL_H
#define MEDIAN_HALFSPACE_DIRECTIONAL_H

#include "dpd.h"

/* Data (n x d) and directions (count x d), column-major; row k < d of these is a positive multiple
 * of axis `axes[k]`. centre: each column's order statistic floor((n + 1)/2); scale > 0; err: as in
 * depth/halfspace.h. */
typedef struct {
  const double *data, *dirs;
  const int *axes;
  const double *centre, *scale, *err;
  int n, d, count, threads;
} dpd_directional;

/* The centre of a largest ball, in coordinates divided by `scale`, within the deepest region
 * {z : u'z <= (level-th largest u'x_i), u = +-dirs[k]}, and its level. scratch: that many bytes.
 * Requires: n >= 1, 1 <= d <= count. Fails: DPD_ERR_LIMIT (rounding). */
size_t dpd_median_directional_scratch(const dpd_directional *m);
dpd_status dpd_median_directional(const dpd_directional *m, int *level, double *z, void *scratch);

#endif
