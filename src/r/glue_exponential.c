/* glue_exponential.c - entries of the private medians. */
#include <R_ext/Utils.h>

#include "mech/exponential.h"
#include "r/convert.h"
#include "r/glue.h"
#include "r/host.h"
#include "r/prior.h"
#include "samp/bernoulli.h"

/* directions: in units of the prior's scale. */
static dpd_exponential_spec as_spec(SEXP data, SEXP prior, SEXP epsilon, SEXP directions)
{
  dpd_counted_rows x = as_counted(data);
  dpd_matrix u = as_matrix(directions);
  dpd_exponential_spec spec = {.n = x.n,
                               .tally = x.tally,
                               .d = x.ncol,
                               .data = x.x,
                               .prior = as_prior(prior),
                               .count = u.nrow,
                               .dirs = u.x,
                               .threads = host_threads(),
                               .pause = R_CheckUserInterrupt};
  dpd_raise(dpd_rate_from_double(as_number(epsilon), &spec.eps));
  return spec;
}

/* See steps_or_reason(). */
SEXP ffi_median_steps(SEXP prior, SEXP exact)
{
  dpd_prior p = as_prior(prior);
  SEXP step = PROTECT(Rf_allocVector(REALSXP, p.d));
  dpd_status status = dpd_exponential_steps(p, as_flag(exact), REAL(step), host_alloc);
  UNPROTECT(1);
  return steps_or_reason(status, step);
}

static dpd_status draw_exp(dpd_rng *rng, void *mech, double *x)
{
  return dpd_exponential_draw(mech, rng, x);
}

/* Value: list(draws, counts); counts is not for release. */
SEXP ffi_median_exp(SEXP source, SEXP data, SEXP prior, SEXP epsilon, SEXP exact, SEXP directions,
                    SEXP draws)
{
  dpd_exponential_spec spec = as_spec(data, prior, epsilon, directions);
  spec.exact_depth = as_flag(exact);
  dpd_exponential *mech;
  dpd_raise(dpd_exponential_open(&mech, &spec, host_alloc));

  SEXP points = PROTECT(draw_points(source, as_count(draws), spec.d, draw_exp, mech));
  double counts[3];
  dpd_exponential_counts(mech, counts);
  SEXP out = draws_with_counts(points, counts);
  UNPROTECT(1);
  return out;
}

/* The lattice that a draw from projections lives on. Value: list(origin, clamp). Public. */
SEXP ffi_median_indexes(SEXP prior)
{
  dpd_prior p = as_prior(prior);
  const char *names[] = {"origin", "clamp", ""};
  SEXP out = PROTECT(Rf_mkNamed(VECSXP, names));
  SET_VECTOR_ELT(out, 0, Rf_allocVector(REALSXP, p.d));
  SET_VECTOR_ELT(out, 1, Rf_allocVector(REALSXP, 1));
  dpd_raise(
      dpd_exponential_indexes(p, REAL(VECTOR_ELT(out, 0)), REAL(VECTOR_ELT(out, 1)), host_alloc));
  UNPROTECT(1);
  return out;
}

/* values, ends: of each direction the different projections, increasing, and how many rows have at
 * most each. directions: whole numbers, the axes first. Value: a matrix of draws. */
SEXP ffi_median_along(SEXP source, SEXP values, SEXP ends, SEXP prior, SEXP epsilon,
                      SEXP directions, SEXP draws)
{
  dpd_matrix u = as_matrix(directions);
  dpd_runs *along = host_alloc((size_t)u.nrow, sizeof *along);
  if (XLENGTH(values) != u.nrow || XLENGTH(ends) != u.nrow)
    Rf_error("internal: projections of other directions");
  for (int i = 0; i < u.nrow; i++) {
    SEXP value = VECTOR_ELT(values, i), end = VECTOR_ELT(ends, i);
    if (TYPEOF(value) != REALSXP || TYPEOF(end) != INTSXP || XLENGTH(value) != XLENGTH(end))
      Rf_error("internal: expected projections and counts");
    along[i] = (dpd_runs){(int)XLENGTH(value), REAL(value), INTEGER(end)};
  }
  dpd_exponential_spec spec = {.n = along[0].end[along[0].size - 1],
                               .d = u.ncol,
                               .along = along,
                               .prior = as_prior(prior),
                               .count = u.nrow,
                               .dirs = u.x,
                               .threads = host_threads(),
                               .pause = R_CheckUserInterrupt};
  dpd_exponential *mech;
  dpd_raise(dpd_rate_from_double(as_number(epsilon), &spec.eps));
  dpd_raise(dpd_exponential_open(&mech, &spec, host_alloc));
  return draw_points(source, as_count(draws), spec.d, draw_exp, mech);
}

typedef struct {
  dpd_exponential *mech;
  int chains, steps;
  double *trace;
} chain_task;

static dpd_status draw_chain(dpd_rng *rng, void *data, double *x)
{
  const chain_task *t = data;
  return dpd_exponential_chain(t->mech, rng, t->chains, t->steps, t->trace, x);
}

/* Value: list(draws, trace); trace (steps x chains x d, or NULL) is not for release. */
SEXP ffi_median_chain(SEXP source, SEXP data, SEXP prior, SEXP epsilon, SEXP directions,
                      SEXP chains, SEXP steps, SEXP keep_trace)
{
  dpd_exponential_spec spec = as_spec(data, prior, epsilon, directions);
  spec.chain = true;
  if (spec.tally != NULL) dpd_raise(DPD_ERR_DOMAIN);
  chain_task task = {NULL, as_count(chains), as_count(steps), NULL};
  dpd_raise(dpd_exponential_open(&task.mech, &spec, host_alloc));

  const char *names[] = {"draws", "trace", ""};
  SEXP out = PROTECT(Rf_mkNamed(VECSXP, names));
  task.trace = chain_trace(keep_trace, out, 1, (const int[]){task.steps, task.chains, spec.d});
  SET_VECTOR_ELT(out, 0, draw_points(source, 1, spec.d, draw_chain, &task));
  UNPROTECT(1);
  return out;
}
