/* simplicial_3d.h - simplicial depth in space. */
#ifndef DEPTH_SIMPLICIAL_3D_H
#define DEPTH_SIMPLICIAL_3D_H

#include "dpd.h"

/* How many tetrahedra of rows do not hold p, in O(n^2) expected, O(n^2 log n) at worst. Errors as
 * in depth/halfspace.h. Requires: n <= 2^16; whole numbers, if they are exact, of at most 2^25 in
 * size. work: that many bytes. */
size_t dpd_simplicial3_scratch(int n);
uint64_t dpd_simplicial3_outside(const double *const x[3], int n, const double p[3],
                                 const double err[3], void *work);

#endif
