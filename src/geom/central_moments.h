/* central_moments.h - medians, scales and second moments of the columns of central rows. */
#ifndef GEOM_CENTRAL_MOMENTS_H
#define GEOM_CENTRAL_MOMENTS_H

#include "dpd.h"

/* d each; v is work. Columns that are not sheared are left out of the moments. */
typedef struct {
  double *mid, *spread, *v;
  bool *sheared;
} dpd_columns;

/* Medians and scales of the columns of m rows, and which of them are to be sheared: returns their
 * number. work: 2 m doubles. */
int dpd_columns_center(const double *rows, int m, int d, double thin, dpd_columns *c, double *work);

/* Second moments about the medians, in units of the scales, of the central rows: cov is d x d, its
 * lower triangle. Columns that are not sheared have moments of their own only. Returns the number
 * of these rows. */
int dpd_columns_moments(const double *rows, int m, int d, const dpd_columns *c, double *cov);

#endif
