/* bernoulli.h - exact coins: rational, dyadic and exponential probabilities.
 *
 * All: Requires an open rng. Ensures: *out has exactly the stated distribution, given uniform
 * words.
 * Fails: as the source does, and DPD_ERR_DOMAIN on a broken Requires; *out is then untouched.
 */
#ifndef SAMP_BERNOULLI_H
#define SAMP_BERNOULLI_H

#include "dpd.h"

/* P(true) = num / den. Requires den >= 1, num <= den. */
dpd_status dpd_bernoulli_ratio(dpd_rng *rng, uint64_t num, uint64_t den, bool *out);

/* P(true) = p, the double's exact value. Requires 0 <= p <= 1. */
dpd_status dpd_bernoulli_double(dpd_rng *rng, double p, bool *out);

/* P(true) = exp(-num / den). Requires 1 <= den <= 2^62; any num. */
dpd_status dpd_bernoulli_exp(dpd_rng *rng, uint64_t num, uint64_t den, bool *out);

/* The same for wide integers. Requires 1 <= den < 2^127; any num. */
dpd_status dpd_bernoulli_exp_u128(dpd_rng *rng, dpd_u128 num, dpd_u128 den, bool *out);

/* G with P(G >= g) = exp(-g num / den), g = 0, 1, ...; *out = min(G, 2^62).
 * Requires num >= 1, 1 <= den <= 2^62. */
dpd_status dpd_geometric_exp(dpd_rng *rng, uint64_t num, uint64_t den, uint64_t *out);

/* epsilon as a rational in units of 2^-DPD_RATE_BITS, rounded down, less 64 units (2^-34) and a
 * share of 2^-40, which pay for weights that callers compute in doubles. Requires 1e-6 <= eps <=
 * 1e6. */
dpd_status dpd_rate_from_double(double eps, dpd_rate *out);

/* P(true) = exp(-eps gap / 2). */
dpd_status dpd_bernoulli_half_rate(dpd_rng *rng, dpd_rate eps, uint64_t gap, bool *out);

#endif
