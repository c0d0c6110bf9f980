/* convert.c - from R values to C values, of which the R side has checked the types, and back. */
#include "r/convert.h"

static void require(bool ok, const char *what)
{
  if (!ok) Rf_error("internal: expected %s", what);
}

dpd_matrix as_matrix(SEXP x)
{
  require(TYPEOF(x) == REALSXP && Rf_isMatrix(x), "a double matrix");
  dpd_matrix m = {REAL(x), Rf_nrows(x), Rf_ncols(x)};
  return m;
}

int as_count(SEXP x)
{
  require(TYPEOF(x) == INTSXP && XLENGTH(x) == 1, "one integer");
  return INTEGER(x)[0];
}

double as_number(SEXP x)
{
  require(TYPEOF(x) == REALSXP && XLENGTH(x) == 1, "one number");
  return REAL(x)[0];
}

bool as_flag(SEXP x)
{
  require(TYPEOF(x) == LGLSXP && XLENGTH(x) == 1, "one logical");
  return LOGICAL(x)[0] != 0;
}

SEXP level_bits(const dpd_levels *l)
{
  SEXP out = Rf_allocVector(REALSXP, l->count);
  for (int k = 0; k < l->count; k++)
    REAL(out)[k] = dpd_levels_bits(l, k);
  return out;
}
