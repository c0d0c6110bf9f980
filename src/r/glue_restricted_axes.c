/* glue_restricted_axes.c - entries of the margin of medians restricted by depth along the axes. */
#include <math.h>

#include "margin/restricted_axes.h"
#include "r/convert.h"
#include "r/glue.h"
#include "r/host.h"
#include "samp/bernoulli.h"

static dpd_restricted_axes_spec as_spec(SEXP sorted, SEXP times, SEXP level, SEXP epsilon)
{
  dpd_matrix x = as_matrix(sorted);
  dpd_rate rate;
  dpd_raise(dpd_rate_from_double(as_number(epsilon), &rate));
  return (dpd_restricted_axes_spec){.n = x.nrow,
                                    .d = x.ncol,
                                    .level = as_count(level),
                                    .sorted = x.x,
                                    .times = as_number(times),
                                    .eps = ldexp((double)rate.num, -DPD_RATE_BITS)};
}

/* sorted: columns, each ascending. Value: the margin, at most `most`: PRIVATE. `times`: how often
 * each column stands there. limits: log delta, slack, most. */
SEXP ffi_restricted_axes_margin(SEXP sorted, SEXP times, SEXP level, SEXP epsilon, SEXP limits)
{
  const double *limit = REAL(limits);
  dpd_restricted_axes_spec s = as_spec(sorted, times, level, epsilon);
  return Rf_ScalarInteger(dpd_restricted_axes_margin(&s, limit[0], limit[1], (int)limit[2]));
}

/* Value: log b_k for k = 0..count - 1: for tests, never for a release. */
SEXP ffi_restricted_axes_bounds(SEXP sorted, SEXP level, SEXP epsilon, SEXP count)
{
  SEXP one = PROTECT(Rf_ScalarReal(1)), out = PROTECT(Rf_allocVector(REALSXP, as_count(count)));
  dpd_restricted_axes_spec s = as_spec(sorted, one, level, epsilon);
  for (int k = 0; k < (int)XLENGTH(out); k++)
    REAL(out)[k] = dpd_restricted_axes_bound(&s, k);
  UNPROTECT(2);
  return out;
}
