/* sphere_bound.h - how few rows any halfspace through a row's great circle can hold. */
#ifndef DEPTH_SPHERE_BOUND_H
#define DEPTH_SPHERE_BOUND_H

#include "dpd.h"

/* Rows less the point, in columns, none of them zero; e: their errors, or NULL if they are exact
 * integers of at most 2^26. */
typedef struct {
  const double *const *v;
  const double *e;
  int n;
} dpd_sphere_rows;

/* Bytes of workspace; any alignment of malloc suffices. */
size_t dpd_sphere_bound_scratch(int n);

/* bound[i] is at most #{j : u'v_j > 0} for every u with u'v_i = 0 that is not nearly orthogonal to
 * a row that it counts: 2^-14 of its length away from it at least. False, and no bounds, if there
 * are few rows, or if some error is above 2^-30 of its row, or a row with an error above 2^1000. */
bool dpd_sphere_bound(const dpd_sphere_rows *r, void *work, int *bound);

#endif
