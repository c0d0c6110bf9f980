/* basis.h - coordinates in which a set of vectors is of unit size and well conditioned. */
#ifndef GEOM_BASIS_H
#define GEOM_BASIS_H

#include "dpd.h"

typedef struct {
  int count, d;
  int *row;        /* d: the vectors that are the coordinate functions */
  double *coef;    /* count x d: each vector as a combination of these; about 1 at most */
  double *inverse; /* d x d: x = inverse w takes the coordinates w_j = a_(row j)'x back */
} dpd_basis;

/* a: count x d, a vector after the other. The coordinates are d of the vectors, such that no entry
 * of coef is far above 1. Fails: DPD_ERR_DOMAIN if the vectors do not span the space (up to
 * rounding). */
dpd_status dpd_basis_fit(dpd_basis *f, const double *a, int count, int d, dpd_alloc alloc);

#endif
