/* center.h - rows seen from a point. */
#ifndef PLANE_CENTER_H
#define PLANE_CENTER_H

#include "dpd.h"

/* Rows less a point, in columns. */
typedef struct {
  double *const *v; /* d columns */
  double *e;        /* errors; 0 for exact numbers */
  double *size;     /* largest coordinates; may be NULL */
  int *row;         /* which rows they are; may be NULL */
} dpd_centered;

/* Writes the rows that do not coincide with p, less p, to `out`; err all 0 means exact numbers.
 * Returns how many there are. Requires: room for n each. */
int dpd_center_rows(const double *const *x, int n, int d, const double *p, const double *err,
                    const dpd_centered *out);

/* Whether all of err is 0. */
bool dpd_center_exact(const double *err, int d);

#endif
