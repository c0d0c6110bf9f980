/* glue_axes.c - entries of the median by depth along the axes. */
#include <R_ext/Utils.h>

#include "mech/axes.h"
#include "r/convert.h"
#include "r/glue.h"
#include "r/host.h"
#include "r/prior.h"
#include "samp/bernoulli.h"

/* See steps_or_reason(). */
SEXP ffi_axes_steps(SEXP prior)
{
  dpd_prior p = as_prior(prior);
  SEXP step = PROTECT(Rf_allocVector(REALSXP, p.d));
  dpd_status status = dpd_axes_steps(p, REAL(step), host_alloc);
  UNPROTECT(1);
  return steps_or_reason(status, step);
}

static dpd_axes *prepare(SEXP data, SEXP prior, SEXP epsilon)
{
  dpd_counted_rows x = as_counted(data);
  dpd_axes_spec spec = {
      .n = x.n, .d = x.ncol, .data = x.x, .tally = x.tally, .prior = as_prior(prior)};
  dpd_axes *mech;
  dpd_status status;
  dpd_raise(dpd_rate_from_double(as_number(epsilon), &spec.eps));
  dpd_raise(dpd_axes_open(&mech, &spec, host_alloc));
  while ((status = dpd_axes_prepare(mech)) == DPD_AGAIN)
    R_CheckUserInterrupt();
  dpd_raise(status);
  return mech;
}

static dpd_status draw_axes(dpd_rng *rng, void *mech, double *x)
{
  return dpd_axes_draw(mech, rng, x);
}

/* Value: a matrix of draws. */
SEXP ffi_median_axes(SEXP source, SEXP data, SEXP prior, SEXP epsilon, SEXP draws)
{
  dpd_axes *mech = prepare(data, prior, epsilon);
  return draw_points(source, as_count(draws), as_counted(data).ncol, draw_axes, mech);
}

static dpd_status draw_axes_level(dpd_rng *rng, void *mech, double *x)
{
  dpd_status status = dpd_axes_draw(mech, rng, x);
  if (status == DPD_OK) x[dpd_axes_width(mech)] = dpd_axes_level(mech);
  return status;
}

/* Value: one draw and, in a last column that is not for release, its level. */
SEXP ffi_median_axes_level(SEXP source, SEXP data, SEXP prior, SEXP epsilon)
{
  dpd_axes *mech = prepare(data, prior, epsilon);
  return draw_points(source, 1, as_counted(data).ncol + 1, draw_axes_level, mech);
}

/* Value: see level_bits(). For tests, never for a release. */
SEXP ffi_axes_levels(SEXP data, SEXP prior, SEXP epsilon)
{
  return level_bits(dpd_axes_levels(prepare(data, prior, epsilon)));
}
