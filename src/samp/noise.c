/* noise.c - exact integer noise: discrete Laplace, truncated Laplace, Gaussian.
 *
 * METHOD: Laplace. A sign and G with P(G >= g) = q^g, q = exp(-num/den), where minus zero is
 *   drawn again: P(z) = q^|z| (1 - q)/(1 + q).
 *   Truncated. Conditioning by rejection. The proposal is the discrete Laplace distribution when
 *   bound num/den > 1 (kept with probability above 1 - 1/e) and otherwise uniform on
 *   {-bound, ..., bound} with acceptance exp(-|z| num/den) >= 1/e: never slow.
 *   Gaussian. y from the discrete Laplace distribution of scale t is kept with probability
 *     exp(-(|y| - s2/t)^2 / (2 s2)),  s2 = var_num/var_den,
 *   which leaves exp(-|y|/t - (y^2 - 2 |y| s2/t)/(2 s2)) = exp(-y^2/(2 s2)) up to a
 *   constant, whatever t >= 1 is. t is the power of two next to sigma: against the
 *   paper's floor(sigma) + 1 it costs a little acceptance (0.65 to 0.76, and 0.46 or more
 *   when sigma < 1) and saves rejections in the proposal.
 *   Over the integers the exponent is a^2/b, a = ||y| t var_den - var_num|,
 *   b = 2 var_num var_den t^2.
 *   Sizes: var_num, var_den <= 2^56 gives t^2 <= 2 max(1, s2), b <= 2^114. For a < 2^63 all
 *   fits 128 bits. For larger a the exponent is at least 2^126/b >= 2^12; then
 *   exp(-a^2/b) = exp(-2^126/b) exp(-(a^2 - 2^126)/b), and the first coin fails but with
 *   probability exp(-2^12): rejected exactly. Otherwise DPD_ERR_LIMIT, and nothing is drawn.
 *   Bound. The distribution on {-A, ..., A} and its shift by one have likelihood ratio exp(+-rate)
 *   wherever both are positive, and P(A) = (1 - q) q^A/(1 + q - 2 q^(A+1)) is the mass where
 *   only one is. P(A) <= delta  <=>  q^A (1 - q + 2 delta q) <= delta (1 + q).
 * COST: a few dozen random bytes per draw.
 * DEGENERATE: bound = 0 gives 0. A rate of 2^-62 with clamping at 2^62 is reachable but
 *   useless; the clamp is a function of the draw, so it costs no privacy.
 * REFERENCE: Canonne, Kamath and Steinke (2020), The Discrete Gaussian for Differential
 *   Privacy, section 5.2 (algorithms 2 and 3); Ghosh, Roughgarden and Sundararajan (2012),
 *   Universally utility-maximizing privacy mechanisms (the geometric mechanism).
 */
#include "samp/noise.h"

#include <math.h>

#include "samp/bernoulli.h"
#include "samp/rng.h"

dpd_status dpd_laplace_discrete(dpd_rng *rng, uint64_t num, uint64_t den, int64_t *out)
{
  uint64_t size, negative;
  do {
    DPD_TRY(dpd_geometric_exp(rng, num, den, &size));
    DPD_TRY(dpd_rng_below(rng, 2, &negative));
  } while (negative && size == 0);
  *out = negative ? -(int64_t)size : (int64_t)size;
  return DPD_OK;
}

static uint64_t magnitude(int64_t z)
{
  return z < 0 ? (uint64_t)(-z) : (uint64_t)z;
}

dpd_status dpd_laplace_truncated(dpd_rng *rng, uint64_t num, uint64_t den, int64_t bound,
                                 int64_t *out)
{
  const int64_t max_bound = (int64_t)1 << 61;
  if (bound < 0 || bound > max_bound || num == 0 || den == 0) return DPD_ERR_DOMAIN;
  bool flat = (dpd_u128)bound * num <= den, keep;
  int64_t z;
  do {
    if (flat) {
      uint64_t place;
      DPD_TRY(dpd_rng_below(rng, 2 * (uint64_t)bound + 1, &place));
      z = (int64_t)place - bound;
      DPD_TRY(dpd_bernoulli_exp(rng, magnitude(z) * num, den, &keep));
    } else {
      DPD_TRY(dpd_laplace_discrete(rng, num, den, &z));
      keep = z >= -bound && z <= bound;
    }
  } while (!keep);
  *out = z;
  return DPD_OK;
}

/* log2 t for the power of two t with t <= sigma sqrt(2), sigma <= t sqrt(2) (t = 1 if
 * sigma < 1): half the bits of floor(sigma^2). */
static int proposal_bits(uint64_t var_num, uint64_t var_den)
{
  int bits = 0;
  for (uint64_t floor_var = var_num / var_den; floor_var > 0; floor_var >>= 1)
    bits++;
  return bits / 2;
}

/* P(keep) = exp(-a^2 / b). */
static dpd_status gaussian_accept(dpd_rng *rng, dpd_u128 a, dpd_u128 b, bool *keep)
{
  const dpd_u128 widest = (dpd_u128)1 << 63;
  if (a < widest) return dpd_bernoulli_exp_u128(rng, a * a, b, keep);
  DPD_TRY(dpd_bernoulli_exp_u128(rng, widest * widest, b, keep));
  return *keep ? DPD_ERR_LIMIT : DPD_OK;
}

dpd_status dpd_gaussian_discrete(dpd_rng *rng, uint64_t var_num, uint64_t var_den, int64_t *out)
{
  const uint64_t max_var = (uint64_t)1 << 56;
  if (var_num == 0 || var_num > max_var || var_den == 0 || var_den > max_var) return DPD_ERR_DOMAIN;
  int bits = proposal_bits(var_num, var_den);
  dpd_u128 b = ((dpd_u128)var_num * var_den) << (2 * bits + 1);
  int64_t y;
  bool keep;
  do {
    DPD_TRY(dpd_laplace_discrete(rng, 1, (uint64_t)1 << bits, &y));
    /* |y| <= 2^62, t var_den <= 2^57: the product fits */
    dpd_u128 reach = (dpd_u128)magnitude(y) * ((dpd_u128)var_den << bits);
    DPD_TRY(gaussian_accept(rng, reach > var_num ? reach - var_num : var_num - reach, b, &keep));
  } while (!keep);
  *out = y;
  return DPD_OK;
}

int64_t dpd_laplace_truncated_bound(double eps, double delta)
{
  dpd_rate rate;
  if (!(delta > 0 && delta < 1) || dpd_rate_from_double(eps, &rate) != DPD_OK) return -1;
  /* rounding: 2^-53 in r, and a few ulps of logarithms that are below gain + 15 in size */
  double r = (double)rate.num * 0x1p-40, q = exp(-r);
  double gain = log(-expm1(-r) + 2 * delta * q) - log(delta) - log1p(q);
  double bound = ceil((gain * (1 + 0x1p-48) + 0x1p-46) / r);
  return bound > 1 ? (int64_t)bound : 1;
}
