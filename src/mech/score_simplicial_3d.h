/* score_simplicial_3d.h - simplicial depth in space as an integer score. */
#ifndef MECH_SCORE_SIMPLICIAL_3D_H
#define MECH_SCORE_SIMPLICIAL_3D_H

#include "mech/depth_score.h"

/* Of more rows there are scores, but no bounds below the trivial one. */
enum { DPD_SIMPLICIAL3_BOUNDED = 100 };

/* Requires d = 3, n >= 4, coordinates of at most 2^24 in size, boxes along the axes. */
void dpd_score_simplicial3_open(dpd_depth_score *out, const dpd_score_spec *spec, dpd_alloc alloc);

#endif
