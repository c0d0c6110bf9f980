/* glue_sha256.c - the hash from which simulations take their seeds. */
#include "num/sha256.h"
#include "r/glue.h"

/* The 32 bytes of the hash of a raw vector. */
SEXP ffi_sha256(SEXP bytes)
{
  SEXP out = PROTECT(Rf_allocVector(RAWSXP, DPD_SHA256_BYTES));
  dpd_sha256(RAW(bytes), (size_t)XLENGTH(bytes), RAW(out));
  UNPROTECT(1);
  return out;
}
