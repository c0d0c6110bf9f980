/* geom_minimax.h - the point whose largest residual in linear equations is least. */
#ifndef GEOM_MINIMAX_H
#define GEOM_MINIMAX_H

#include "dpd.h"

typedef struct {
  int count, d;
  const double *a; /* count x d, an equation after the other: a'w = b */
  const double *b;
} dpd_equations;

/* Doubles and ints of workspace. */
size_t dpd_minimax_doubles(int count, int d);
size_t dpd_minimax_ints(int d);

/* w minimises max |a'w - b|; of many such points the one of least norm in directions that no
 * equation sees. `upper` is the largest residual at w, and no point has one below
 * `lower`: the gap is a proof of how good w is, up to rounding.
 * Requires: count >= 1, d >= 1, finite numbers. */
void dpd_minimax(const dpd_equations *e, double *w, double *lower, double *upper, double *work,
                 int *ints);

#endif
