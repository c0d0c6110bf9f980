/* center.h - rows seen from a point. */
#ifndef PLANE_CENTER_H
#define PLANE_CENTER_H

#include "dpd.h"

/* Writes the rows that do not coincide with p, less p, to the d columns v; their errors (0 if all
 * of err is 0: exact numbers) to e, and, unless NULL, their largest coordinates to `size`. Returns
 * how many there are. Requires: room for n each. */
int dpd_center_rows(const double *const *x, int n, int d, const double *p, const double *err,
                    double *const *v, double *e, double *size);

/* Whether all of err is 0. */
bool dpd_center_exact(const double *err, int d);

#endif
