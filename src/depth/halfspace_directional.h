/* halfspace_directional.h - halfspace depth over a finite set of directions, as counts. */
#ifndef DEPTH_HALFSPACE_DIRECTIONAL_H
#define DEPTH_HALFSPACE_DIRECTIONAL_H

#include "dpd.h"

/* Lowers count[i], for each of m points, to the least closed count #{rows r : u'(r - p_i) >= 0}
 * over u = +-dirs[k], k = from..to-1; start from count[i] = n. Column-major: data n x d, points m x
 * d, dirs dirs_count x d. err: as in depth/halfspace.h, one a coordinate; projections that it
 * cannot tell apart are tied. OpenMP over directions; counts do not depend on `threads`. Fails:
 * DPD_ERR_MEMORY. */
dpd_status dpd_halfspace_directional(const double *data, int n, int d, const double *points, int m,
                                     const double *dirs, int dirs_count, int from, int to,
                                     const double *err, int threads, int *count);

#endif
