/* points.h - data and the points whose depths are wanted, as the kernels take them. */
#ifndef NUM_POINTS_H
#define NUM_POINTS_H

typedef struct {
  const double *data, *points; /* column-major: n x d and m x d */
  const double *err;           /* d: what a coordinate's rounding may be, see the kernel */
  int n, d, m;
} dpd_points;

#endif
