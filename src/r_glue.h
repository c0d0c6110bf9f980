/* r_glue.h - every entry that R calls, by topic. */
#ifndef R_GLUE_H
#define R_GLUE_H

#define R_NO_REMAP
#include <Rinternals.h>

/* r_glue_samp.c */
SEXP ffi_rng_words(SEXP source, SEXP count);

/* r_glue_directions.c */
SEXP ffi_directions(SEXP d, SEXP n, SEXP seed, SEXP axes);

/* r_glue_depth.c */
SEXP ffi_halfspace_exact(SEXP points, SEXP data);
SEXP ffi_halfspace_directional(SEXP points, SEXP data, SEXP directions, SEXP by_spread);
SEXP ffi_deepest_plane(SEXP data);
SEXP ffi_deepest_directional(SEXP data, SEXP directions, SEXP by_spread, SEXP axes);

#endif
