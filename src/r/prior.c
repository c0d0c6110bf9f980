/* prior.c - public priors as the kernels take them. */
#include "r/prior.h"

#include "r/convert.h"

dpd_prior as_prior(SEXP prior)
{
  SEXP a = VECTOR_ELT(prior, 1), b = VECTOR_ELT(prior, 2);
  dpd_prior p = {as_flag(VECTOR_ELT(prior, 0)), (int)XLENGTH(a), REAL(a), REAL(b), NULL, false};
  if (XLENGTH(prior) > 3 && XLENGTH(VECTOR_ELT(prior, 3)) > 0)
    p.resolution = REAL(VECTOR_ELT(prior, 3));
  if (XLENGTH(prior) > 4) p.dyadic = as_flag(VECTOR_ELT(prior, 4));
  return p;
}

SEXP steps_or_reason(dpd_status status, SEXP step)
{
  if (status == DPD_ERR_LIMIT) return Rf_ScalarReal(NA_REAL);
  return status == DPD_OK ? step : R_NilValue;
}
