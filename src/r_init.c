/* r_init.c - registers the entries with R, each under its own name with its arity. */
#include <R_ext/Rdynload.h>

#include "r_glue.h"

#define ENTRY(name, arity)                                                                         \
  {                                                                                                \
#name, (DL_FUNC)&name, arity                                                                   \
  }

static const R_CallMethodDef entries[] = {
    ENTRY(ffi_rng_words, 2),
    ENTRY(ffi_median_exp, 7),
    ENTRY(ffi_median_chain, 8),
    ENTRY(ffi_median_steps, 2),
    ENTRY(ffi_directions, 4),
    ENTRY(ffi_draw, 4),
    ENTRY(ffi_laplace_truncated_bound, 2),
    ENTRY(ffi_halfspace_exact, 2),
    ENTRY(ffi_halfspace_directional, 4),
    ENTRY(ffi_deepest_plane, 1),
    ENTRY(ffi_deepest_directional, 4),
    {NULL, NULL, 0},
};

void R_init_dpdepth(DllInfo *dll)
{
  R_registerRoutines(dll, NULL, entries, NULL, NULL);
  R_useDynamicSymbols(dll, FALSE);
  R_forceSymbols(dll, TRUE);
}
