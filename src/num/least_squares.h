/* least_squares.h - least squares for a few rows, in one fixed order of operations. */
#ifndef NUM_LEAST_SQUARES_H
#define NUM_LEAST_SQUARES_H

#include "dpd.h"

/* Bytes of `work`. */
size_t dpd_least_squares_scratch(int columns);

/* The coefficients that make the sum of (y - a beta)^2 least, a: rows x columns, column-major; both
 * are overwritten. False, with beta undefined, where a column is determined by those before it but
 * for 2^-30 of its size, or numbers are not finite.
 * Requires: rows >= columns >= 1. */
bool dpd_least_squares(double *a, double *y, int rows, int columns, double *beta, double *work);

typedef struct {
  double *a, *y;
  int rows, columns;
} dpd_equations;

/* The same where columns may depend on one another: known[k] says whether the rows determine
 * coefficient k, and whether they do is a function of `a` alone. False as above, except for columns
 * that others determine up to rounding (2^-40). */
bool dpd_least_squares_known(dpd_equations e, double *beta, bool *known, double *work);

#endif
