/* r_glue.h - every entry that R calls, by topic. */
#ifndef R_GLUE_H
#define R_GLUE_H

#define R_NO_REMAP
#include <Rinternals.h>

/* r_glue_samp.c */
SEXP ffi_rng_words(SEXP source, SEXP count);
SEXP ffi_draw(SEXP source, SEXP count, SEXP law, SEXP parameters);
SEXP ffi_laplace_truncated_bound(SEXP eps, SEXP delta);

#endif
