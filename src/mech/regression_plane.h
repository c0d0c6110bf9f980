/* regression_plane.h - private lines by the exponential mechanism over regression depth. */
#ifndef MECH_REGRESSION_PLANE_H
#define MECH_REGRESSION_PLANE_H

#include "mech/regression.h"

/* As dpd_regression, of fits with two coordinates along one direction: a line's intercept and
 * slope. Rows are rounded to halfplanes of whole numbers: mech/regression_plane_rows.c. */
typedef struct dpd_regression_plane dpd_regression_plane;

/* Ensures *out != NULL, for the caller to close, also after a failure. Requires: as
 * dpd_regression_open(), with k = 2 and count = 1, not through the origin. */
dpd_status dpd_regression_plane_open(dpd_regression_plane **out, const dpd_regression_spec *spec,
                                     dpd_alloc alloc);

/* Frees what is no memory of `alloc`; also after a failure, and of NULL. */
void dpd_regression_plane_close(dpd_regression_plane *m);

/* As dpd_regression_draw(). */
dpd_status dpd_regression_plane_draw(dpd_regression_plane *m, dpd_rng *rng, double *theta);

/* The score at the lattice point of index z. */
int dpd_regression_plane_score(dpd_regression_plane *m, const double *z);

/* Proposals, acceptances and tree size so far: for tests and speed, never for a release. */
void dpd_regression_plane_counts(const dpd_regression_plane *m, double out[3]);

#endif
