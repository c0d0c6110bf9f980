/* glue_medsweep.c - entry for the smooth sensitivity of the median slope. */
#include "r/convert.h"
#include "r/glue.h"
#include "r/host.h"
#include "sens/medsweep.h"

/* `uv`: columns u and v; `slopes`: origin, step and size of the lattice. list(centre, value, k,
 * profile of `count` levels), in steps. */
SEXP ffi_sens_medsweep(SEXP uv, SEXP slopes, SEXP beta, SEXP min, SEXP count)
{
  static const char *const names[] = {"centre", "value", "k", "profile", ""};
  dpd_matrix data = as_matrix(uv), lattice = as_matrix(slopes);
  dpd_medsweep_query q = {data.x,          data.x + data.nrow,
                          data.nrow,       {lattice.x[0], lattice.x[1], (int64_t)lattice.x[2]},
                          as_number(beta), as_number(min)};
  SEXP profile = PROTECT(Rf_allocVector(REALSXP, as_count(count)));
  dpd_medsweep_bound b = {0, 0, -1, as_count(count), REAL(profile)};
  dpd_sens_medsweep(&q, &b, host_alloc);
  SEXP out = PROTECT(Rf_mkNamed(VECSXP, (const char **)names));
  SET_VECTOR_ELT(out, 0, Rf_ScalarReal((double)b.centre));
  SET_VECTOR_ELT(out, 1, Rf_ScalarReal(b.value));
  SET_VECTOR_ELT(out, 2, Rf_ScalarInteger(b.at));
  SET_VECTOR_ELT(out, 3, profile);
  UNPROTECT(2);
  return out;
}
