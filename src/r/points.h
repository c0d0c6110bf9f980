/* points.h - data and points as the geometric kernels take them. */
#ifndef R_POINTS_H
#define R_POINTS_H

#define R_NO_REMAP
#include <Rinternals.h>

#include "dpd.h"

/* Column-major data (n x d) and points (m x d) in units that make coordinates comparable, and
 * the errors of rounding: all zero for whole numbers, else all positive. */
typedef struct {
  const double *data, *points;
  double *err;
  int n, m, d;
  int *exponent; /* of each column's unit, a power of two; all zero for whole numbers */
} dpd_problem;

/* Whole numbers up to `limit` in size are left as they are and are free of error; limit = 0: none
 * are. Lives until the end of .Call. Requires n >= 1. */
dpd_problem make_problem(SEXP points, SEXP data, double limit);

/* The same with the limit of the exact kernels, for which that of make_problem() depends on the
 * dimension; none are left as they are above `most` columns. */
dpd_problem make_exact_problem(SEXP points, SEXP data, int most);

/* Units of work in a block between two checks for an interrupt, each of `steps` steps. */
int block_size(double steps, int min);

/* What a depth does with m points, rows from .. from + m - 1 of all: writes to out[from] on. */
typedef dpd_status points_job(const dpd_problem *p, const double *points, int from, int m,
                              void *out);

/* Does `job` for all points, `block` of them at a time, between checks for an interrupt. */
void over_points(const dpd_problem *p, int block, points_job *job, void *out);

#endif
