/* first_success.h - how many trials pass before a rare success: one exact draw, however many. */
#ifndef SAMP_FIRST_SUCCESS_H
#define SAMP_FIRST_SUCCESS_H

#include "dpd.h"

enum { DPD_SUCCESS_BITS = 60 };

/* P(true) = 2^-b, b = bits 2^-60. Any bits; bits = 0 is true. */
dpd_status dpd_bernoulli_bits(dpd_rng *rng, dpd_u128 bits, bool *out);

/* min(F, most) where F counts the failures before the first success among independent trials that
 * succeed with probability q = 2^-b: P(F >= k) = (1 - q)^k. Exactly. Requires most <= 2^40. */
dpd_status dpd_first_success(dpd_rng *rng, dpd_u128 bits, uint64_t most, uint64_t *out);

#endif
