/* noise.h - exact integer noise: discrete Laplace, truncated Laplace, Gaussian.
 *
 * All: Requires an open rng. Ensures: *out has exactly the stated distribution, given uniform
 * words.
 * Fails: as the source does, and DPD_ERR_DOMAIN on a broken Requires; *out is then untouched.
 */
#ifndef SAMP_NOISE_H
#define SAMP_NOISE_H

#include "dpd.h"

/* P(z) ~ exp(-|z| num / den), clamped to +-2^62. Requires num >= 1, 1 <= den <= 2^62. */
dpd_status dpd_laplace_discrete(dpd_rng *rng, uint64_t num, uint64_t den, int64_t *out);

/* The same distribution conditioned on |z| <= bound. Requires besides 0 <= bound <= 2^61. */
dpd_status dpd_laplace_truncated(dpd_rng *rng, uint64_t num, uint64_t den, int64_t bound,
                                 int64_t *out);

/* P(z) ~ exp(-z^2 / (2 sigma^2)), sigma^2 = var_num / var_den.
 * Requires 1 <= var_num, var_den <= 2^56. Fails besides: DPD_ERR_LIMIT where the exact distribution
 * would need wider integers, which has probability below exp(-2000). */
dpd_status dpd_gaussian_discrete(dpd_rng *rng, uint64_t var_num, uint64_t var_den, int64_t *out);

/* The least bound A >= 1 for which the truncated discrete Laplace distribution, at the rate that
 * dpd_rate_from_double(eps) makes, puts at most delta on the value A: adding it to a count
 * of sensitivity one is then (eps, delta)-DP. Rounded outward: next to an exact tie it may
 * be one too large, never too small.
 * Requires 1e-6 <= eps <= 1e6, 0 < delta < 1; otherwise -1. */
int64_t dpd_laplace_truncated_bound(double eps, double delta);

#endif
