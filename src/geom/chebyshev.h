/* chebyshev.h - the point whose largest residual in linear equations is least. */
#ifndef GEOM_CHEBYSHEV_H
#define GEOM_CHEBYSHEV_H

#include "dpd.h"

typedef struct {
  int count, d;
  const double *a; /* count x d, an equation after the other: a'w = b */
  const double *b;
} dpd_equations;

/* Rows with signs and weights, of which a weighted sum makes the vectors vanish, up to rounding:
 * what the bound `lower` is made from. size: 0 if there is none. */
typedef struct {
  int size;
  const int *row, *sign;
  const double *weight;
} dpd_reference;

/* Bytes of workspace. */
size_t dpd_chebyshev_scratch(int count, int d);

/* w minimises max |a'w - b|; of many such points the one of least norm in directions that no
 * equation sees. `upper` is the largest residual at w, and no point has one below
 * `lower`, except for rounding, which nothing bounds: geom/chebyshev_exact.h has bounds that hold.
 * Numbers may be of any size, as long as their ratios are not.
 * Requires: count >= 1, d >= 1, finite numbers. */
void dpd_chebyshev(const dpd_equations *e, double *w, double *lower, double *upper, void *scratch);

/* The last reference, from the workspace that dpd_chebyshev() left. */
dpd_reference dpd_chebyshev_reference(int count, int d, void *scratch);

#endif
