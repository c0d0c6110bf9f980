/* regression_fits.h - private fits by the exponential mechanism over regression depth. */
#ifndef MECH_REGRESSION_FITS_H
#define MECH_REGRESSION_FITS_H

#include "mech/regression.h"

/* A sampler for each kind of fit: lines by row cuts, all others by boxes, which row cuts follow if
 * there are three coefficients. */
typedef struct dpd_regression_fits dpd_regression_fits;

/* Boxes without a draw, after which rows cut, by the number of rows alone: 20,000, or five for each
 * row where these are more. Of many rows boxes are cheap, and cuts are not: of 50,000 normal rows
 * draws by up to 90,000 boxes took 2 s, by cuts 15 s. */
double dpd_regression_most_boxes(int n);

/* As dpd_regression_open(). most_boxes: dpd_regression_most_boxes(); tests have others. Ensures
 * *out != NULL, for the caller to close, also after a failure. */
dpd_status dpd_regression_fits_open(dpd_regression_fits **out, const dpd_regression_spec *spec,
                                    double most_boxes, dpd_alloc alloc);

/* Frees what is no memory of `alloc`; also after a failure, and of NULL. */
void dpd_regression_fits_close(dpd_regression_fits *f);

/* As dpd_regression_draw(). */
dpd_status dpd_regression_fits_draw(dpd_regression_fits *f, dpd_rng *rng, double *theta);

/* The score at the lattice point of index z. */
int dpd_regression_fits_score(dpd_regression_fits *f, const double *z);

/* Have boxes been given up? For tests and speed, never for a release. */
bool dpd_regression_fits_by_rows(const dpd_regression_fits *f);

/* Proposals, acceptances and tree size so far: for tests and speed, never for a release. */
void dpd_regression_fits_counts(const dpd_regression_fits *f, double out[3]);

#endif
