/* halfspace_box.h - an upper bound of the planar halfspace depth over a parallelogram. */
#ifndef DEPTH_HALFSPACE_BOX_H
#define DEPTH_HALFSPACE_BOX_H

#include <stddef.h>

#include "num/tally.h"

/* Rows x, y and the corners of a convex set, in any order. */
typedef struct {
  const double *x, *y;
  int n;
  double corner[4][2];
  const dpd_tally *tally; /* NULL: every row is an entry */
} dpd_plane_box;

/* Bytes of workspace. */
size_t dpd_halfspace2_box_scratch(int n);
size_t dpd_halfspace2_box_scratch_of(int entries); /* of a tally */

/* No point of the set has a greater depth count: the least number of rows in a closed halfspace
 * that meets the set, or more where rounding cannot decide. Requires: coordinates whose
 * differences
 * are exact, as of integers below 2^52. */
int dpd_halfspace2_box(const dpd_plane_box *b, void *work);

#endif
