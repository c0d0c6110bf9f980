/* least_deviations.h - the fit of least absolute deviations of one column by others. */
#ifndef NUM_LEAST_DEVIATIONS_H
#define NUM_LEAST_DEVIATIONS_H

#include "dpd.h"

/* rows x k numbers, row-major, of about the same size in all columns. */
typedef struct {
  const double *x;
  size_t rows, k;
} dpd_deviations_rows;

/* Coefficients b (d) of column[0] on column[1 .. d], and the mean absolute deviation. Near the best
 * fit; where many rows lie on one it is the fit through d of them, by elimination: 0 where most
 * have 0 in column[0]. For speed only: no promise of how near. */
double dpd_deviations_fit(dpd_deviations_rows s, const int *column, size_t d, double *b,
                          dpd_alloc alloc);

#endif
