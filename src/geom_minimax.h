/* geom_minimax.h - the point whose largest residual in linear equations is least. */
#ifndef GEOM_MINIMAX_H
#define GEOM_MINIMAX_H

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

/* Doubles and ints of workspace. */
size_t dpd_minimax_doubles(int count, int d);
size_t dpd_minimax_ints(int d);

/* w minimises max |a'w - b|; of many such points the one of least norm in directions that no
 * equation sees. `upper` is the largest residual at w, and no point has one below
 * `lower`, but for rounding, which nothing bounds: geom_minimax_exact.h has bounds that hold.
 * Numbers may be of any size, as long as their ratios are not.
 * Requires: count >= 1, d >= 1, finite numbers. */
void dpd_minimax(const dpd_equations *e, double *w, double *lower, double *upper, double *work,
                 int *ints);

/* The last reference, from the workspace that dpd_minimax() left. */
dpd_reference dpd_minimax_reference(int count, int d, const double *work, const int *ints);

#endif
