/* projections.h - R matrices as the packed rows and directions that the projection kernels take. */
#ifndef R_PROJECTIONS_H
#define R_PROJECTIONS_H

#include "num/location.h"
#include "r/convert.h"

/* Everything lives until the end of .Call. */
typedef struct {
  const double *rows, *points; /* packed; the same pointer if the points are the rows */
  const double *dirs;          /* count x d, a direction after the other */
  double *centre, *magnitude;  /* d: medians, and median distances to them */
  int n, m, d, count;
} dpd_task;

/* `directions` may be R_NilValue (count is zero then). Columns are taken relative to their medians
 * if `centred`, else the medians are not computed. */
dpd_task task_of(SEXP points, SEXP data, SEXP directions, bool centred);

/* A double vector of location, scale, trim, bend and number of blocks. */
dpd_center center_of(SEXP center);

/* How many of `count` items of so many steps each make a block of about 0.1 s on each thread, but
 * `least` for each thread at least. */
int block_of(double steps, int min, int count);

#endif
