/* glue_regression_exponential.c - entries of the private regression by the exponential mechanism.
 */
#include "mech/regression_chain.h"
#include "mech/regression_fits.h"
#include "r/convert.h"
#include "r/glue.h"
#include "r/host.h"
#include "r/prior.h"
#include "samp/bernoulli.h"

/* rows: list(fit, y, projection), TRUE for fits without an intercept, and counts of the rows;
 * weights: of residuals above and below, and 1 if they are shifted. */
static dpd_regression_spec as_spec(SEXP rows, SEXP prior, SEXP weights)
{
  dpd_matrix f = as_matrix(VECTOR_ELT(rows, 0)), u = as_matrix(VECTOR_ELT(rows, 2));
  dpd_regression_spec spec = {.n = f.nrow,
                              .k = f.ncol,
                              .count = u.ncol,
                              .fit = f.x,
                              .y = REAL(VECTOR_ELT(rows, 1)),
                              .projection = u.x,
                              .prior = as_prior(prior),
                              .tie = 0.5,
                              .above = INTEGER(weights)[0],
                              .below = INTEGER(weights)[1],
                              .shifted = XLENGTH(weights) > 2 && INTEGER(weights)[2] != 0,
                              .origin = XLENGTH(rows) > 3 && LOGICAL(VECTOR_ELT(rows, 3))[0]};
  if (XLENGTH(rows) > 4) {
    spec.tally = as_counts(VECTOR_ELT(rows, 4), f.nrow);
    spec.n = spec.tally->n;
  }
  return spec;
}

typedef struct {
  dpd_regression_spec spec;
  SEXP source; /* draws from it, or scores at points */
  int draws;
  double most_boxes;
  dpd_matrix points;
  dpd_regression_fits *fits;
} fit_task;

static void open_fits(fit_task *t)
{
  dpd_raise(dpd_regression_fits_open(&t->fits, &t->spec, t->most_boxes, host_alloc));
}

static void close_fits(void *task)
{
  fit_task *t = task;
  dpd_regression_fits_close(t->fits);
}

static dpd_status draw_fit(dpd_rng *rng, void *task, double *theta)
{
  const fit_task *t = task;
  return dpd_regression_fits_draw(t->fits, rng, theta);
}

static SEXP run_draws(void *task)
{
  fit_task *t = task;
  double counts[3];
  open_fits(t);
  SEXP points = PROTECT(draw_points(t->source, t->draws, t->spec.k, draw_fit, t));
  dpd_regression_fits_counts(t->fits, counts);
  SEXP out = draws_with_counts(points, counts);
  UNPROTECT(1);
  return out;
}

/* draws: how many, and, for tests, how many boxes there may be. Value: list(draws, counts); counts
 * is not for release. */
SEXP ffi_regression_draw(SEXP source, SEXP rows, SEXP prior, SEXP epsilon, SEXP weights, SEXP draws)
{
  const bool limited = XLENGTH(draws) == 2;
  fit_task task = {.spec = as_spec(rows, prior, weights),
                   .source = source,
                   .draws = limited ? INTEGER(draws)[0] : as_count(draws)};
  task.most_boxes = limited ? INTEGER(draws)[1] : dpd_regression_most_boxes(task.spec.n);
  dpd_raise(dpd_rate_from_double(as_number(epsilon), &task.spec.eps));
  return R_ExecWithCleanup(run_draws, &task, close_fits, &task);
}

typedef struct {
  dpd_regression_chain *chain;
  int chains, steps;
  double *trace;
} chain_task;

static dpd_status draw_chain(dpd_rng *rng, void *data, double *theta)
{
  const chain_task *t = data;
  return dpd_regression_chain_draw(t->chain, rng, t->chains, t->steps, t->trace, theta);
}

/* size: chains and steps. Value: list(draws, trace); trace (steps x chains x k, or NULL) is not for
 * release. */
SEXP ffi_regression_chain(SEXP source, SEXP rows, SEXP prior, SEXP epsilon, SEXP weights, SEXP size,
                          SEXP keep_trace)
{
  dpd_regression_spec spec = as_spec(rows, prior, weights);
  chain_task task = {NULL, INTEGER(size)[0], INTEGER(size)[1], NULL};
  if (spec.tally != NULL) dpd_raise(DPD_ERR_DOMAIN);
  dpd_raise(dpd_rate_from_double(as_number(epsilon), &spec.eps));
  dpd_raise(dpd_regression_chain_open(&task.chain, &spec, host_alloc));
  const char *names[] = {"draws", "trace", ""};
  SEXP out = PROTECT(Rf_mkNamed(VECSXP, names));
  task.trace = chain_trace(keep_trace, out, 1, (const int[]){task.steps, task.chains, spec.k});
  SET_VECTOR_ELT(out, 0, draw_points(source, 1, spec.k, draw_chain, &task));
  UNPROTECT(1);
  return out;
}

static SEXP run_scores(void *task)
{
  fit_task *t = task;
  open_fits(t);
  SEXP out = PROTECT(Rf_allocVector(INTSXP, t->points.nrow));
  double *at = host_alloc((size_t)t->points.ncol, sizeof *at);
  for (int i = 0; i < t->points.nrow; i++) {
    for (int j = 0; j < t->points.ncol; j++)
      at[j] = t->points.x[(size_t)i + (size_t)j * (size_t)t->points.nrow];
    INTEGER(out)[i] = dpd_regression_fits_score(t->fits, at);
  }
  UNPROTECT(1);
  return out;
}

/* The scores of lattice points (rows of indexes). Not for release. */
SEXP ffi_regression_scores(SEXP rows, SEXP prior, SEXP weights, SEXP points)
{
  fit_task task = {.spec = as_spec(rows, prior, weights), .points = as_matrix(points)};
  task.spec.eps.num = 1;
  return R_ExecWithCleanup(run_scores, &task, close_fits, &task);
}

/* A matrix of the lattice's step, first and last index, a column an axis; or see steps_or_reason().
 */
SEXP ffi_regression_steps(SEXP prior)
{
  dpd_prior p = as_prior(prior);
  SEXP out = PROTECT(Rf_allocMatrix(REALSXP, p.d, 3));
  double *x = REAL(out);
  dpd_status status = dpd_regression_steps(p, x, x + p.d, x + 2 * p.d, host_alloc);
  UNPROTECT(1);
  return steps_or_reason(status, out);
}
