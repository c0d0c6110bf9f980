/* power_of_two.h - whether numbers are integers, and units of measurement that are powers of two.
 */
#ifndef NUM_POWER_OF_TWO_H
#define NUM_POWER_OF_TWO_H

#include "dpd.h"

/* Whether all are whole numbers of at most `limit` in size. */
bool dpd_all_integers(const double *x, size_t n, double limit);

/* A robust spread: the distance of the quartiles, or of the widest pair of further quantiles
 * that differ; 0 if all numbers are equal. Requires n >= 1; `work` holds n doubles. */
double dpd_spread(const double *x, size_t n, double *work);

/* The power of two, as an exponent, that makes the number s > 0 lie in [1/2, 1) when divided by. */
int dpd_unit_exponent(double s);

/* out[i] = x[i] 2^-exponent, exactly; numbers that would pass 2^+-500 are cut there. */
void dpd_change_unit(const double *x, size_t n, int exponent, double *out);

#endif
