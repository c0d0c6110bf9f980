/* glue_directions.c - entry of the public directions. */
#include "num/directions.h"
#include "r/convert.h"
#include "r/glue.h"
#include "r/host.h"

/* An n x d matrix of unit rows; the R side has checked the sizes. */
SEXP ffi_directions(SEXP d_, SEXP n_, SEXP seed, SEXP axes)
{
  int d = as_count(d_), n = as_count(n_);
  SEXP out = PROTECT(Rf_allocMatrix(REALSXP, n, d));
  double *work = host_alloc(dpd_directions_scratch(d), 1);
  dpd_directions((uint64_t)as_count(seed), as_flag(axes), (size_t)n, d, REAL(out), work);
  UNPROTECT(1);
  return out;
}
