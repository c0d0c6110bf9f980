/* convert.h - from R values to C values, of which the R side has checked the types, and back. */
#ifndef R_CONVERT_H
#define R_CONVERT_H

#define R_NO_REMAP
#include <Rinternals.h>

#include "dpd.h"
#include "num/tally.h"
#include "samp/level.h"

typedef struct {
  const double *x; /* column-major, as R stores it: x[i + j * nrow] */
  int nrow, ncol;
} dpd_matrix;

/* Rows, which may be a tally: `size` entries of `ncol` numbers, and how many rows each is; tally is
 * NULL for a matrix. */
typedef struct {
  const double *x; /* column-major: x[i + j * size] */
  int n, size, ncol;
  const dpd_tally *tally;
} dpd_counted_rows;

/* Requires: a double matrix or a dp_tally. The counts live until the end of .Call. */
dpd_counted_rows as_counted(SEXP x);

/* Requires: a double matrix. An R-side slip raises an internal error, not a crash. */
dpd_matrix as_matrix(SEXP x);
int as_count(SEXP x);     /* one integer */
double as_number(SEXP x); /* one double */
bool as_flag(SEXP x);     /* one logical */

/* Each level's dpd_levels_bits(). They depend on the data: for tests, never for a release. */
SEXP level_bits(const dpd_levels *l);

#endif
