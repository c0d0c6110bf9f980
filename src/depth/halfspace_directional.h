/* halfspace_directional.h - halfspace depth over a finite set of directions, as counts. */
#ifndef DEPTH_HALFSPACE_DIRECTIONAL_H
#define DEPTH_HALFSPACE_DIRECTIONAL_H

#include "dpd.h"
#include "num/points.h"

/* Directions from..to - 1 of the rows of u, count x d, column-major. */
typedef struct {
  const double *u;
  int count, from, to;
} dpd_direction_range;

/* Lowers count[i], for each point, to the least closed count #{rows r : u'(r - p_i) >= 0} over
 * these directions and their opposites; start from count[i] = n. Errors as in depth/halfspace.h;
 * projections that they cannot distinguish are tied. OpenMP over directions; counts do not depend
 * on `threads`. scratch: that many bytes. */
size_t dpd_halfspace_directional_scratch(const dpd_points *p, int threads);
void dpd_halfspace_directional(const dpd_points *p, const dpd_direction_range *dirs, int threads,
                               int *count, void *scratch);

#endif
