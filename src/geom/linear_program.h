/* linear_program.h - linear programs with few variables and many constraints. */
#ifndef GEOM_LINEAR_PROGRAM_H
#define GEOM_LINEAR_PROGRAM_H

#include "dpd.h"

typedef struct {
  const double *a; /* rows x cols, row-major; rows of comparable size */
  const double *b, *c;
  int rows, cols;
  double tol; /* a constraint is met if a'z <= b + tol */
} dpd_lp;

/* Bytes of workspace for a program with that many columns. */
size_t dpd_lp_scratch(int cols);

/* Maximises c'z subject to a'z <= b; z may have any sign.
 * basis: `cols` distinct rows, linearly independent, of which c is a nonnegative combination; on
 * success an optimal one, good for a start when only b has changed.
 * Ensures: `feasible`, and then z optimal. Fails: DPD_ERR_DOMAIN if the basis is not as required;
 * DPD_ERR_LIMIT if rounding keeps it from ending. */
dpd_status dpd_lp_maximise(const dpd_lp *lp, int *basis, void *work, double *z, bool *feasible);

/* After a success, from its work: y >= 0 with sum_i y_i a_(basis i) = c up to rounding, so that
 * c'z <= sum_i y_i b_(basis i) wherever the constraints hold, and for any other b likewise. */
const double *dpd_lp_multipliers(int cols, const void *work);

#endif
