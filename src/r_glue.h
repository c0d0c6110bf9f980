/* r_glue.h - every entry that R calls, by topic. */
#ifndef R_GLUE_H
#define R_GLUE_H

#define R_NO_REMAP
#include <Rinternals.h>

/* r_glue_samp.c */
SEXP ffi_rng_words(SEXP source, SEXP count);
SEXP ffi_draw(SEXP source, SEXP count, SEXP law, SEXP parameters);
SEXP ffi_laplace_truncated_bound(SEXP eps, SEXP delta);

/* r_glue_median.c */
SEXP ffi_median_exp(SEXP source, SEXP data, SEXP prior, SEXP epsilon, SEXP exact, SEXP directions,
                    SEXP draws);
SEXP ffi_median_steps(SEXP prior, SEXP exact);
SEXP ffi_median_chain(SEXP source, SEXP data, SEXP prior, SEXP epsilon, SEXP directions,
                      SEXP chains, SEXP steps, SEXP keep_trace);

/* r_glue_directions.c */
SEXP ffi_directions(SEXP d, SEXP n, SEXP seed, SEXP axes);

/* r_glue_depth.c */
SEXP ffi_halfspace_exact(SEXP points, SEXP data);
SEXP ffi_halfspace_directional(SEXP points, SEXP data, SEXP directions, SEXP by_spread);
SEXP ffi_deepest_plane(SEXP data);
SEXP ffi_deepest_directional(SEXP data, SEXP directions, SEXP by_spread, SEXP axes);

#endif
