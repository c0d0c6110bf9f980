/* regression.h - the exponential mechanism over regression depth: a private regression. */
#ifndef MECH_REGRESSION_H
#define MECH_REGRESSION_H

#include "dpd.h"
#include "num/lattice.h"
#include "num/tally.h"

/* Rows i with response y_i and k coordinates theta on the public lattice of the prior. The fit at
 * theta is f_i = sum_j fit_ij theta_j, and the residual's sign that of y_i - f_i as
 * mech/regression_active.c computes it. Any finite numbers will do: rows are brought to a common
 * size by powers of two. */
typedef struct {
  int n, k, count;
  const double *fit;        /* n x k, column-major: for a slope x_ij, for an intercept 1 */
  const double *y;          /* n */
  const double *projection; /* n x count, column-major: u'x_i of a direction u, row by row */
  dpd_prior prior;          /* of theta: k axes */
  dpd_rate eps;
  double tie; /* a row is on the fit if it is that many steps of all coordinates away, or less */
  int above, below; /* what rows with r >= 0, or r <= 0, weigh: tau = above / (above + below) */
  bool shifted;     /* weights less their expectation at the quantile: see mech/regression.c */
  bool origin;      /* fits without an intercept: rows are split at u'x = 0 only; not if shifted */
  const dpd_tally *tally; /* of which fit, y and projection hold the entries; NULL: each of the n
                             rows is one; none for a chain */
} dpd_regression_spec;

/* What rows weigh in the score of a fit. */
typedef struct {
  int up, down, shift; /* terms: up [r >= 0] - down [r <= 0] + shift */
  int64_t base[2];     /* added to the weights of both sides */
} dpd_regression_weights;

dpd_regression_weights dpd_regression_weigh(const dpd_regression_spec *spec);

/* By how much a row that is replaced may change the score. */
int dpd_regression_sensitivity(const dpd_regression_spec *spec);

typedef struct dpd_regression dpd_regression;

/* The most that a score may be: S n. */
enum { DPD_REGRESSION_SCORE_MOST = 1 << 29 };

/* Everything that the draws need from the data.
 * Requires: 1 <= n, k <= 64, count >= 1; above, below >= 1; S n at most
 * DPD_REGRESSION_SCORE_MOST, S = max(above, below), twice that if shifted; no NaN. Fails:
 * DPD_ERR_DOMAIN and DPD_ERR_LIMIT as dpd_lattice_open().
 */
dpd_status dpd_regression_open(dpd_regression **out, const dpd_regression_spec *spec,
                               dpd_alloc alloc);

/* One exact draw theta (k) from exp(eps h(theta) / (2 S)) prior(theta) on the
 * public lattice. DPD_AGAIN: no draw yet after a block of work; call again. */
dpd_status dpd_regression_draw(dpd_regression *m, dpd_rng *rng, double *theta);

/* The same, after `most` proposals or cuts at most. */
dpd_status dpd_regression_try(dpd_regression *m, dpd_rng *rng, int most, double *theta);

/* How many boxes there have been. */
double dpd_regression_nodes(const dpd_regression *m);

/* The score at the lattice point of index z: weighted regression depth along the directions. */
int dpd_regression_score(dpd_regression *m, const double *z);

/* The lattice's steps, and the indexes of its first and last points (k each). Public: reads no
 * data. Fails as dpd_lattice_open(). */
dpd_status dpd_regression_steps(dpd_prior prior, double *step, double *lo, double *hi,
                                dpd_alloc alloc);

/* Proposals, acceptances and tree size so far: for tests and speed, never for a release. */
void dpd_regression_counts(const dpd_regression *m, double out[3]);

#endif
