/* angle_sort.h - the rows of planar data in the order of their directions from a point. */
#ifndef PLANE_ANGLE_SORT_H
#define PLANE_ANGLE_SORT_H

#include "dpd.h"
#include "plane/angle.h"

/* The rows away from the point, folded to the half turn that runs counterclockwise from straight
 * down to straight up (by slope, that is), in groups of equal direction. */
typedef struct {
  int away;         /* rows away from the point */
  int groups;       /* different directions, up to sign */
  const int *code;  /* 2 * row + side by direction; side 1: the row lies on the opposite ray.
                     * From code[away] on: 2 * row of the rows at the point */
  const int *start; /* groups + 1 of them: group g is code[start[g]] .. code[start[g + 1] - 1] */
} dpd_angle_order;

/* Bytes of workspace for n rows; any alignment of malloc suffices. */
size_t dpd_angle_sort_scratch(int n);

/* Sorts in O(n) expected, O(n log n) at worst; the result lies in `work`. Errors:
 * pad = 0 and error = NULL mean exact numbers and exact ties; otherwise directions that rounding
 * cannot distinguish are one group, and rows that it cannot separate from p are at p. A group
 * that holds the vertical is wholly at the end then, with its sides changed to match.
 * Requires: 0 <= n <= 2^22, finite input without overflow of products. Fails: never. */
void dpd_angle_sort(const dpd_plane_rows *q, void *work, dpd_angle_order *out);

#endif
