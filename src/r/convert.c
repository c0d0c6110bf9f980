/* convert.c - from R values to C values, of which the R side has checked the types, and back. */
#include "r/convert.h"

#include <limits.h>

#include "r/host.h"

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

/* A list: points, count, n, as R/mech-tally.R makes it. */
static dpd_tally *as_tally(SEXP x, int size)
{
  dpd_tally *t = host_alloc(1, sizeof *t);
  SEXP given = VECTOR_ELT(x, 1);
  require(TYPEOF(given) == REALSXP && XLENGTH(given) == size && size > 0, "the counts of a tally");
  int *count = host_alloc((size_t)size, sizeof *count),
      *end = host_alloc((size_t)size, sizeof *end);
  double sum = 0;
  for (int i = 0; i < size; i++) {
    double c = REAL(given)[i];
    require(c >= 1 && c <= INT_MAX && c == (int)c, "whole counts");
    sum += c;
    require(sum < INT_MAX, "fewer rows than 2^31 - 1");
    count[i] = (int)c;
    end[i] = (int)sum;
  }
  *t = (dpd_tally){(int)sum, size, count, end};
  return t;
}

dpd_counted_rows as_counted(SEXP x)
{
  bool tally = TYPEOF(x) == VECSXP && Rf_inherits(x, "dp_tally") && XLENGTH(x) >= 2;
  dpd_matrix m = as_matrix(tally ? VECTOR_ELT(x, 0) : x);
  dpd_counted_rows rows = {m.x, m.nrow, m.nrow, m.ncol, NULL};
  if (!tally) return rows;
  rows.tally = as_tally(x, m.nrow);
  rows.n = rows.tally->n;
  return rows;
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
