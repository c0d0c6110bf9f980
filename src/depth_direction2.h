/* depth_direction2.h - a direction in the plane along which a point is about as deep as it is. */
#ifndef DEPTH_DIRECTION2_H
#define DEPTH_DIRECTION2_H

#include "dpd.h"

size_t dpd_direction2_work_size(int n);

/* A unit vector u with #{i : u'(x_i - p) >= 0} near its minimum, the halfspace depth of p: exact
 * but for rounding when no two rows are tied. For bounds, which hold along any direction. */
void dpd_direction2_find(const double *x, const double *y, int n, double px, double py, void *work,
                         double u[2]);

#endif
