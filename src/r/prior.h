/* prior.h - public priors as the kernels take them. */
#ifndef R_PRIOR_H
#define R_PRIOR_H

#define R_NO_REMAP
#include <Rinternals.h>

#include "num/lattice.h"

/* list(normal, a, b), one a and b for each axis; a fourth part is the resolution, likewise, or of
 * length 0; a fifth one is whether the prior is dyadic, a its origins and b its units. */
dpd_prior as_prior(SEXP prior);

/* What R gets of the lattice's steps: them; NULL if the prior has no lattice; NA if its
 * resolution has none. */
SEXP steps_or_reason(dpd_status status, SEXP step);

#endif
