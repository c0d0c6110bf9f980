/* r_glue_directions.c - entry of the public directions. */
#include "num_directions.h"
#include "r_convert.h"
#include "r_glue.h"
#include "r_host.h"

/* An n x d matrix of unit rows; the R side has checked the sizes. */
SEXP ffi_directions(SEXP d_, SEXP n_, SEXP seed, SEXP axes)
{
  int d = as_count(d_), n = as_count(n_);
  SEXP out = PROTECT(Rf_allocMatrix(REALSXP, n, d));
  double *work = host_alloc(dpd_directions_work_size(d), sizeof *work);
  dpd_directions((uint64_t)as_count(seed), as_flag(axes), (size_t)n, d, REAL(out), work);
  UNPROTECT(1);
  return out;
}
