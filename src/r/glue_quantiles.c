/* glue_quantiles.c - entry of several private quantiles. */
#include "mech/quantiles.h"
#include "r/convert.h"
#include "r/glue.h"
#include "r/host.h"
#include "r/prior.h"

static dpd_status draw_many(dpd_rng *rng, void *mech, double *z)
{
  return dpd_quantiles_draw(mech, rng, z);
}

/* tree: list(size, left, right, order, eps, public_n), places counted from 0. Value: a matrix of
 * draws. */
SEXP ffi_quantiles(SEXP source, SEXP data, SEXP prior, SEXP rank, SEXP tree, SEXP draws)
{
  dpd_counted_rows x = as_counted(data);
  dpd_quantiles_spec spec = {.n = x.n,
                             .tally = x.tally,
                             .m = (int)XLENGTH(rank),
                             .nodes = (int)XLENGTH(VECTOR_ELT(tree, 0)),
                             .data = x.x,
                             .prior = as_prior(prior),
                             .rank = REAL(rank),
                             .size = INTEGER(VECTOR_ELT(tree, 0)),
                             .left = INTEGER(VECTOR_ELT(tree, 1)),
                             .right = INTEGER(VECTOR_ELT(tree, 2)),
                             .order = INTEGER(VECTOR_ELT(tree, 3)),
                             .eps = REAL(VECTOR_ELT(tree, 4)),
                             .public_n = as_count(VECTOR_ELT(tree, 5))};
  dpd_quantiles *mech;
  if (XLENGTH(VECTOR_ELT(tree, 3)) != spec.m) Rf_error("internal: a tree of another size");
  dpd_raise(dpd_quantiles_open(&mech, &spec, host_alloc));
  return draw_points(source, as_count(draws), spec.m, draw_many, mech);
}
