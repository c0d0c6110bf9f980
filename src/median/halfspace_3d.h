/* halfspace_3d.h - the deepest region of halfspace depth in space, exact. */
#ifndef MEDIAN_HALFSPACE_3D_H
#define MEDIAN_HALFSPACE_3D_H

#include "dpd.h"

/* Column-major data (n x 3) of spreads about one, not on one plane, with a point in the middle of
 * them; errors as in depth/halfspace.h. */
typedef struct {
  const double *data, *err, *centre;
  int n, lo, hi, threads;
} dpd_space_levels;

typedef struct {
  int level;
  double z[3];
  bool found;
} dpd_deepest_3d;

/* The centroid of {z : h(z) >= level} for the largest level in lo..hi with a point, h the closed
 * count of depth/halfspace.h; `found` is false if rounding leaves not even level lo a point. The
 * same result for any number of threads.
 * Requires: 1 <= lo <= hi <= n, a point of depth lo or more to exist.
 * scratch: dpd_halfspace_3d_median_scratch() bytes.
 * Fails: DPD_ERR_MEMORY; DPD_ERR_LIMIT (rounding). */
size_t dpd_halfspace_3d_median_scratch(int n, int threads);
dpd_status dpd_halfspace_3d_median(const dpd_space_levels *p, dpd_deepest_3d *out, void *scratch);

#endif
