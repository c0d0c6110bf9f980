/* affine_hull.h - where a region without interior lies: on the edges of some of its halfspaces. */
#ifndef GEOM_AFFINE_HULL_H
#define GEOM_AFFINE_HULL_H

#include "dpd.h"

/* The halfspaces u'z <= b in space: each row of `columns` numbers of a begins with u, of length
 * one. */
typedef struct {
  const double *a, *b;
  size_t columns;
  int rows;
} dpd_halfspace_rows;

/* Moves z to where the halfspaces that have it within `near` of their edges have them, to within
 * rounding. */
void dpd_affine_hull_settle(const dpd_halfspace_rows *m, double near, double z[3]);

#endif
