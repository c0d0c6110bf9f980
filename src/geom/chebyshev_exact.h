/* chebyshev_exact.h - the least largest residual, with a proof or by exact arithmetic. */
#ifndef GEOM_CHEBYSHEV_EXACT_H
#define GEOM_CHEBYSHEV_EXACT_H

#include "geom/chebyshev.h"

/* Sizes up to which equations are taken: of coefficients, and of right sides. */
#define DPD_CERTIFIED_COEF 0x1p20
#define DPD_CERTIFIED_SIDE 0x1p31

typedef struct {
  const dpd_equations *e;
  const int *unit; /* d: equation unit[j] is w_j = b or -w_j = b, up to rounding */
  void *scratch;   /* dpd_certified_scratch() bytes */
  uint64_t **big;  /* where the memory of the exact way is kept; *big is NULL before it is needed */
  dpd_alloc alloc;
} dpd_certified;

size_t dpd_certified_scratch(int count, int d);

/* *lower <= min over w of max |a'w - b| <= *upper, for the equations as they are, whatever they
 * are; *upper - *lower <= gap if gap >= 2^-21, d <= 100 and the minimum is below 2^26. w: a point
 * at which the largest residual is *upper or less, up to rounding. No iteration gives up: what
 * doubles leave open is settled in whole numbers.
 * Returns false, a function of the sizes of a and b only, if these are too large or not finite. */
bool dpd_chebyshev_certified(const dpd_certified *s, double gap, double *w, double *lower,
                             double *upper);

/* The exact way alone, for tests: as above, from the reference that dpd_chebyshev() left in the
 * workspace, or from the unit equations if `fresh`. */
void dpd_chebyshev_exact(const dpd_certified *s, bool fresh, double *w, double *lower,
                         double *upper);

#endif
