/* r_glue_median.c - entries of the private medians. */
#include <R.h>
#include <R_ext/Utils.h>

#include "mech_median_exp.h"
#include "r_convert.h"
#include "r_glue.h"
#include "r_host.h"
#include "samp_bernoulli.h"

typedef struct {
  dpd_median_exp *mech;
  int d, draws;
} exp_task;

/* Draws one after the other, looking for an interrupt between blocks of work. */
static SEXP exp_body(dpd_rng *rng, void *data)
{
  exp_task *task = data;
  int d = task->d;
  SEXP draws = PROTECT(Rf_allocMatrix(REALSXP, task->draws, d));
  double *x = host_alloc((size_t)d, sizeof *x);
  for (int i = 0; i < task->draws; i++) {
    dpd_status status;
    while ((status = dpd_median_exp_draw(task->mech, rng, x)) == DPD_AGAIN)
      R_CheckUserInterrupt();
    dpd_raise(status);
    for (int j = 0; j < d; j++)
      REAL(draws)[i + (R_xlen_t)j * task->draws] = x[j];
  }
  UNPROTECT(1);
  return draws;
}

/* list(normal, a, b), one a and b for each axis. */
static dpd_prior as_prior(SEXP prior)
{
  SEXP a = VECTOR_ELT(prior, 1), b = VECTOR_ELT(prior, 2);
  dpd_prior p = {as_flag(VECTOR_ELT(prior, 0)), (int)XLENGTH(a), REAL(a), REAL(b)};
  return p;
}

/* directions: in units of the prior's scale. */
static dpd_median_exp_spec as_spec(SEXP data, SEXP prior, SEXP epsilon, SEXP directions)
{
  dpd_matrix x = as_matrix(data), u = as_matrix(directions);
  dpd_median_exp_spec spec = {.n = x.nrow,
                              .d = x.ncol,
                              .data = x.x,
                              .prior = as_prior(prior),
                              .count = u.nrow,
                              .dirs = u.x,
                              .threads = host_threads()};
  dpd_raise(dpd_rate_from_double(as_number(epsilon), &spec.eps));
  return spec;
}

/* The public lattice's steps, or NULL if the prior has no lattice. */
SEXP ffi_median_steps(SEXP prior, SEXP exact)
{
  dpd_prior p = as_prior(prior);
  SEXP step = PROTECT(Rf_allocVector(REALSXP, p.d));
  dpd_status status = dpd_median_exp_steps(p, as_flag(exact), REAL(step), host_alloc);
  UNPROTECT(1);
  return status == DPD_OK ? step : R_NilValue;
}

/* Value: list(draws, counts); counts is not for release. */
SEXP ffi_median_exp(SEXP source, SEXP data, SEXP prior, SEXP epsilon, SEXP exact, SEXP directions,
                    SEXP draws)
{
  dpd_median_exp_spec spec = as_spec(data, prior, epsilon, directions);
  spec.exact_depth = as_flag(exact);
  exp_task task = {NULL, spec.d, as_count(draws)};
  dpd_raise(dpd_median_exp_open(&task.mech, &spec, host_alloc));

  const char *names[] = {"draws", "counts", ""};
  SEXP out = PROTECT(Rf_mkNamed(VECSXP, names));
  SET_VECTOR_ELT(out, 0, with_rng(source, exp_body, &task));
  SEXP counts = Rf_allocVector(REALSXP, 3);
  SET_VECTOR_ELT(out, 1, counts);
  dpd_median_exp_counts(task.mech, REAL(counts));
  UNPROTECT(1);
  return out;
}

typedef struct {
  dpd_median_exp *mech;
  int d, chains, steps;
  double *trace;
} chain_task;

static SEXP chain_body(dpd_rng *rng, void *data)
{
  chain_task *task = data;
  SEXP draw = PROTECT(Rf_allocMatrix(REALSXP, 1, task->d));
  dpd_status status;
  while ((status = dpd_median_exp_chain(task->mech, rng, task->chains, task->steps, task->trace,
                                        REAL(draw))) == DPD_AGAIN)
    R_CheckUserInterrupt();
  dpd_raise(status);
  UNPROTECT(1);
  return draw;
}

/* Value: list(draws, trace); trace (steps x chains x d, or NULL) is not for release. */
SEXP ffi_median_chain(SEXP source, SEXP data, SEXP prior, SEXP epsilon, SEXP directions,
                      SEXP chains, SEXP steps, SEXP keep_trace)
{
  dpd_median_exp_spec spec = as_spec(data, prior, epsilon, directions);
  spec.chain = true;
  chain_task task = {NULL, spec.d, as_count(chains), as_count(steps), NULL};
  dpd_raise(dpd_median_exp_open(&task.mech, &spec, host_alloc));

  const char *names[] = {"draws", "trace", ""};
  SEXP out = PROTECT(Rf_mkNamed(VECSXP, names));
  if (as_flag(keep_trace)) {
    SEXP trace = Rf_alloc3DArray(REALSXP, task.steps, task.chains, task.d);
    SET_VECTOR_ELT(out, 1, trace);
    task.trace = REAL(trace);
  }
  SET_VECTOR_ELT(out, 0, with_rng(source, chain_body, &task));
  UNPROTECT(1);
  return out;
}
