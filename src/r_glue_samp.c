/* r_glue_samp.c - entries of the random sources and samplers. */
#include "r_convert.h"
#include "r_glue.h"
#include "r_host.h"
#include "samp_rng.h"

typedef struct {
  int count;
} words_args;

static SEXP words_body(dpd_rng *rng, void *data)
{
  const words_args *args = data;
  SEXP out = PROTECT(Rf_allocVector(REALSXP, 2 * (R_xlen_t)args->count));
  for (int i = 0; i < args->count; i++) {
    uint64_t word;
    dpd_raise(dpd_rng_u64(rng, &word));
    REAL(out)[2 * i] = (double)(uint32_t)word;
    REAL(out)[2 * i + 1] = (double)(uint32_t)(word >> 32);
  }
  UNPROTECT(1);
  return out;
}

/* `count` words as pairs of 32-bit halves, low half first: for tests of the sources. */
SEXP ffi_rng_words(SEXP source, SEXP count)
{
  words_args args = {as_count(count)};
  return with_rng(source, words_body, &args);
}
