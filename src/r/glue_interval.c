/* glue_interval.c - entry of the private confidence interval of a quantile. */
#include "mech/interval.h"
#include "r/convert.h"
#include "r/glue.h"
#include "r/host.h"
#include "r/prior.h"
#include "samp/bernoulli.h"

static dpd_status draw_limits(dpd_rng *rng, void *mech, double *x)
{
  return dpd_interval_draw(mech, rng, x);
}

/* data: a matrix of one column. plan: integers: mirrored or not, thresholds of the first and the
 * second scan, cells, growth, ranks of the centre, four shares of epsilon. Value: a matrix of a row
 * for each draw: lower, upper, centre. */
SEXP ffi_interval(SEXP source, SEXP data, SEXP prior, SEXP epsilon, SEXP plan, SEXP draws)
{
  dpd_counted_rows x = as_counted(data);
  dpd_interval *mech;
  if (x.ncol != 1 || TYPEOF(plan) != INTSXP || XLENGTH(plan) != 11) dpd_raise(DPD_ERR_DOMAIN);
  const int *p = INTEGER(plan);
  dpd_interval_spec spec = {.n = x.n, .data = x.x, .tally = x.tally, .prior = as_prior(prior)};
  spec.mirrored = p[0] != 0;
  spec.first = p[1];
  spec.second = p[2];
  spec.cells = p[3];
  spec.growth = p[4];
  spec.below = p[5];
  spec.above = p[6];
  for (int k = 0; k < 4; k++)
    spec.shares[k] = p[7 + k];
  dpd_raise(dpd_rate_from_double(as_number(epsilon), &spec.eps));
  dpd_raise(dpd_interval_open(&mech, &spec, host_alloc));
  return draw_points(source, as_count(draws), 3, draw_limits, mech);
}
