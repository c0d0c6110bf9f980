/* convert.h - from R values to C values; the R side has checked types already. */
#ifndef R_CONVERT_H
#define R_CONVERT_H

#define R_NO_REMAP
#include <Rinternals.h>

#include "dpd.h"

typedef struct {
  const double *x; /* column-major, as R stores it: x[i + j * nrow] */
  int nrow, ncol;
} dpd_matrix;

/* Requires: a double matrix. An R-side slip raises an internal error, not a crash. */
dpd_matrix as_matrix(SEXP x);
int as_count(SEXP x);     /* one integer */
double as_number(SEXP x); /* one double */
bool as_flag(SEXP x);     /* one logical */

#endif
