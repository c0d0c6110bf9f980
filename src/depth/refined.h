/* refined.h - directional depths with the worst direction improved, a point at a time. */
#ifndef DEPTH_REFINED_H
#define DEPTH_REFINED_H

#include "dpd.h"
#include "num/location.h"

/* One search a point, from given starts. Rows and points are packed by dpd_pack_rows(). */
typedef struct {
  const double *rows, *points;
  int n, m, d;
  int starts;          /* directions per point */
  const double *start; /* m x starts x d: unit vectors, or zero for none */
  const dpd_center *center;
  const double *magnitude; /* as in depth/projection.h; projection only */
  int threads;
  void *work; /* dpd_refine_scratch() bytes */
} dpd_refine;

size_t dpd_refine_scratch(const dpd_refine *r);

/* Points from..to - 1: the least closed count found, and the direction with that
 * count on its positive side (m x d, a point after the other). */
void dpd_refine_halfspace(const dpd_refine *r, int from, int to, int *count, double *direction);

/* Points from..to - 1: the largest ratio |u'q - T_u|/S_u found, and its direction. */
void dpd_refine_projection(const dpd_refine *r, int from, int to, double *outlyingness,
                           double *direction);

#endif
