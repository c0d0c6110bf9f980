/* regression_space.h - private fits of three coefficients, drawn by cuts along the rows. */
#ifndef MECH_REGRESSION_SPACE_H
#define MECH_REGRESSION_SPACE_H

#include "mech/regression.h"

/* As dpd_regression, of fits with three coordinates, with the same scores. */
typedef struct dpd_regression_space dpd_regression_space;

/* Ensures *out != NULL, also after a failure. Requires: as dpd_regression_open(), with k = 3. */
dpd_status dpd_regression_space_open(dpd_regression_space **out, const dpd_regression_spec *spec,
                                     dpd_alloc alloc);

/* As dpd_regression_draw(). */
dpd_status dpd_regression_space_draw(dpd_regression_space *m, dpd_rng *rng, double *theta);

/* The score at the lattice point of index z. */
int dpd_regression_space_score(dpd_regression_space *m, const double *z);

/* Proposals, acceptances and tree size so far: for tests and speed, never for a release. */
void dpd_regression_space_counts(const dpd_regression_space *m, double out[3]);

#endif
