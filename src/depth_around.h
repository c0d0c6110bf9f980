/* depth_around.h - rows seen from a point. */
#ifndef DEPTH_AROUND_H
#define DEPTH_AROUND_H

#include "dpd.h"

/* Writes the rows that do not coincide with p, less p, to the d columns v; their errors (0 if all
 * of err is 0: exact numbers) to e, and, unless NULL, their largest coordinates to `size`. Returns
 * how many there are. Requires: room for n each. */
int dpd_rows_around(const double *const *x, int n, int d, const double *p, const double *err,
                    double *const *v, double *e, double *size);

/* Whether all of err is 0. */
bool dpd_exact_around(const double *err, int d);

#endif
