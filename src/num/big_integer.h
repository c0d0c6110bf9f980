/* big_integer.h - whole numbers of a fixed number of 64-bit limbs, in two's complement. */
#ifndef NUM_BIG_INTEGER_H
#define NUM_BIG_INTEGER_H

#include "dpd.h"

/* x, y: n limbs, the lowest first. All is done modulo 2^(64 n): the caller sees to it that results
 * fit. */
void dpd_big_set(uint64_t *x, int n, dpd_i128 v);
int dpd_big_sign(const uint64_t *x, int n);
void dpd_big_negate(uint64_t *x, int n);
void dpd_big_subtract(uint64_t *x, const uint64_t *y, int n);

/* x += m y. */
void dpd_big_add_times(uint64_t *x, const uint64_t *y, dpd_i128 m, int n);

/* out = x y, 2 n limbs. */
void dpd_big_times(uint64_t *out, const uint64_t *x, const uint64_t *y, int n);

/* Exact division by y > 0: dpd_big_divisor() once, then x = wide / y for numbers of 2 n limbs
 * that y divides, whose quotients have n; `wide` is used up. inverse: n limbs; work: 3 n limbs. */
int dpd_big_divisor(uint64_t *inverse, const uint64_t *y, int n, uint64_t *work);
void dpd_big_divide(uint64_t *x, uint64_t *wide, const uint64_t *inverse, int zeros, int n);

/* x = value 2^*power with a relative error below 2^-52 and value in [1/2, 1] in size, or 0. */
double dpd_big_value(const uint64_t *x, int n, int *power);

#endif
