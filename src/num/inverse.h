/* inverse.h - inverses of small square matrices. */
#ifndef NUM_INVERSE_H
#define NUM_INVERSE_H

#include "dpd.h"

/* Takes the d x d matrix m (row-major) to the identity by operations on rows, and does the same to
 * `inverse`: what is the identity at first is m's inverse at last. False if m is singular, that is
 * if a pivot is not above `smallest` in size. */
bool dpd_invert(double *m, double *inverse, int d, double smallest);

#endif
