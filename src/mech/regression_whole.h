/* regression_whole.h - rows of a private regression as pairs of halfspaces of whole numbers. */
#ifndef MECH_REGRESSION_WHOLE_H
#define MECH_REGRESSION_WHOLE_H

#include "num/lattice.h"

enum {
  DPD_WHOLE_MOST = 3,  /* coordinates */
  DPD_WHOLE_BITS = 41, /* of the coefficients of three */
};

/* v = a'z at the lattice point z: r >= 0 where v <= top, r <= 0 where v >= top - gap. */
typedef struct {
  dpd_i128 top;
  int64_t a[DPD_WHOLE_MOST], gap;
} dpd_whole_row;

/* Rows of a private regression (mech/regression.h), or entries of a tally, n of them, and how they
 * become whole numbers: |a_j| <= 2^bits; |z_j| <= reach on the lattice. */
typedef struct {
  size_t n;
  int k, bits;           /* k <= DPD_WHOLE_MOST */
  const double *fit, *y; /* n x k, n */
  double tie, reach;
  const dpd_lattice *lattice;
} dpd_whole;

double dpd_whole_reach(const dpd_lattice *l);

/* Row i; *scale: it was multiplied by 2^(bits - *scale). */
dpd_whole_row dpd_whole_row_of(const dpd_whole *w, size_t i, int *scale);

/* By how much, in units of those whole numbers, f_i - y_i -+ e_i is another number than a'z less
 * its end, where |z_j| add to `sum` (apart from the rounding of doubles). */
static inline double dpd_whole_off(double tie, double sum)
{
  return sum / 2 + 2 * (1 + tie);
}

static inline dpd_i128 dpd_whole_value(const dpd_whole_row *r, const double *z)
{
  return (dpd_i128)r->a[0] * (int64_t)z[0] + (dpd_i128)r->a[1] * (int64_t)z[1] +
         (dpd_i128)r->a[2] * (int64_t)z[2];
}

/* A row's residual at a point: r >= 0, r <= 0. */
typedef struct {
  bool above, below;
} dpd_whole_sides;

static inline dpd_whole_sides dpd_whole_sides_at(const dpd_whole_row *r, const double *z)
{
  dpd_i128 v = dpd_whole_value(r, z);
  return (dpd_whole_sides){v <= r->top, v >= r->top - r->gap};
}

#endif
