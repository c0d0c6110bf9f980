/* bernoulli.c - exact coins: rational, dyadic and exponential probabilities.
 *
 * METHOD: a coin of probability p is the event U < p for a uniform U whose binary digits
 *   are drawn only as far as the comparison needs them, 16 at a time (a "word" below).
 *   Ratio. With U = (w + U')/2^16, w the first word and U' again uniform,
 *     U < num/den  <=>  U' < r/den,  r = num 2^16 - w den.
 *   r <= 0 decides false, r >= den decides true; else, for one w of 2^16 at most, the same
 *   question is left with r for num. About one word a coin, and no division.
 *   Double. A double in [0, 1) is m 2^-s, m < 2^53, s <= 1074: its expansion is compared
 *     with U word by word; after the last nonzero word a tie means U >= p.
 *   Exponential, x in [0, 1]: coins of probability x/1, x/2, x/3, ... until one fails, the
 *     K-th; P(K > k) = x^k/k!, so P(K odd) = sum_k (-x)^k/k! = exp(-x). Above 1, first
 *     floor(x) coins of exp(-1), stopping at the first failure.
 *   Geometric. X = U + den V, U uniform on {0, ..., den - 1} kept with probability
 *     exp(-U/den) and V the number of successes of exp(-1) coins, has P(X >= x) =
 *     exp(-x/den); then P(floor(X/num) >= g) = P(X >= g num) = exp(-g num/den).
 * COST: expected words: ratio 1, exponential at most 2.8, geometric at most 9.
 * DEGENERATE: p = 0 and p = 1 draw nothing. No floating point after a parameter is decoded.
 *   Every loop draws from the source in each turn and leaves when it fails.
 * REFERENCE: Canonne, Kamath and Steinke (2020), The Discrete Gaussian for Differential
 *   Privacy, section 5.1 (algorithms 1 and 2); von Neumann (1951).
 */
#include "samp/bernoulli.h"

#include <string.h>

#include "samp/rng.h"

static const uint64_t MAX_DEN = (uint64_t)1 << 62;

dpd_status dpd_bernoulli_ratio(dpd_rng *rng, uint64_t num, uint64_t den, bool *out)
{
  if (den == 0 || num > den) return DPD_ERR_DOMAIN;
  if (num == 0 || num == den) {
    *out = num > 0;
    return DPD_OK;
  }
  for (;;) {
    uint16_t word;
    DPD_TRY(dpd_rng_u16(rng, &word));
    dpd_u128 product = (dpd_u128)den * word, target = (dpd_u128)num << 16;
    if (product >= target) {
      *out = false;
      return DPD_OK;
    }
    if (target - product >= den) {
      *out = true;
      return DPD_OK;
    }
    num = (uint64_t)(target - product);
  }
}

/* As dpd_bernoulli_ratio() for den < 2^127: bit by bit, as the products no longer fit. */
static dpd_status ratio_u128(dpd_rng *rng, dpd_u128 num, dpd_u128 den, bool *out)
{
  if (den <= UINT64_MAX) return dpd_bernoulli_ratio(rng, (uint64_t)num, (uint64_t)den, out);
  if (num == 0 || num == den) {
    *out = num > 0;
    return DPD_OK;
  }
  for (;;) {
    uint16_t word;
    DPD_TRY(dpd_rng_u16(rng, &word));
    for (int i = 15; i >= 0; i--) {
      num *= 2;
      bool bit = num >= den;
      if (bit) num -= den;
      /* the first bit that differs decides; when p has no bits left, U >= p */
      bool differs = bit != (bool)((word >> i) & 1);
      if (differs || num == 0) {
        *out = differs && bit;
        return DPD_OK;
      }
    }
  }
}

dpd_status dpd_bernoulli_double(dpd_rng *rng, double p, bool *out)
{
  uint64_t bits;
  if (!(p >= 0 && p <= 1)) return DPD_ERR_DOMAIN;
  if (p == 0 || p == 1) {
    *out = p == 1;
    return DPD_OK;
  }
  memcpy(&bits, &p, sizeof bits);
  int exponent = (int)((bits >> 52) & 0x7ff);
  uint64_t mantissa = bits & (((uint64_t)1 << 52) - 1);
  if (exponent > 0)
    mantissa |= (uint64_t)1 << 52;
  else
    exponent = 1; /* subnormal */
  /* p = mantissa 2^(exponent - 1075); `shift` brings its next 16 digits down to the units */
  for (int shift = exponent - 1075 + 16;; shift += 16) {
    uint16_t word, digits = 0;
    if (shift >= 0 && shift < 16)
      digits = (uint16_t)(mantissa << shift);
    else if (shift < 0 && shift > -64)
      digits = (uint16_t)(mantissa >> -shift);
    DPD_TRY(dpd_rng_u16(rng, &word));
    if (word != digits || shift >= 0) {
      *out = word < digits;
      return DPD_OK;
    }
  }
}

/* P(true) = num / (den k), num <= den. */
static dpd_status share(dpd_rng *rng, dpd_u128 num, dpd_u128 den, uint64_t k, bool *out)
{
  bool ok;
  if (den >> 57 == 0 && k < 128)
    return dpd_bernoulli_ratio(rng, (uint64_t)num, (uint64_t)den * k, out);
  DPD_TRY(ratio_u128(rng, num, den, &ok));
  if (ok) DPD_TRY(dpd_bernoulli_ratio(rng, 1, k, &ok));
  *out = ok;
  return DPD_OK;
}

/* P(true) = exp(-num / den), num <= den. */
static dpd_status exp_part(dpd_rng *rng, dpd_u128 num, dpd_u128 den, bool *out)
{
  for (uint64_t k = 1;; k++) {
    bool more;
    DPD_TRY(share(rng, num, den, k, &more));
    if (!more) {
      *out = k % 2 == 1;
      return DPD_OK;
    }
  }
}

dpd_status dpd_bernoulli_exp_u128(dpd_rng *rng, dpd_u128 num, dpd_u128 den, bool *out)
{
  if (den == 0 || den >> 127 != 0) return DPD_ERR_DOMAIN;
  /* the usual case first: a division of 128 bits is slow */
  dpd_u128 whole = 0;
  if (num > den) {
    whole = num / den;
    num -= whole * den;
  }
  for (; whole > 0; whole--) {
    bool ok;
    DPD_TRY(exp_part(rng, 1, 1, &ok));
    if (!ok) {
      *out = false;
      return DPD_OK;
    }
  }
  return exp_part(rng, num, den, out);
}

dpd_status dpd_bernoulli_exp(dpd_rng *rng, uint64_t num, uint64_t den, bool *out)
{
  if (den > MAX_DEN) return DPD_ERR_DOMAIN;
  return dpd_bernoulli_exp_u128(rng, num, den, out);
}

dpd_status dpd_geometric_exp(dpd_rng *rng, uint64_t num, uint64_t den, uint64_t *out)
{
  uint64_t low, high = 0;
  bool ok;
  if (num == 0 || den == 0 || den > MAX_DEN) return DPD_ERR_DOMAIN;
  do {
    DPD_TRY(dpd_rng_below(rng, den, &low));
    DPD_TRY(exp_part(rng, low, den, &ok));
  } while (!ok);
  for (;;) {
    DPD_TRY(exp_part(rng, 1, 1, &ok));
    if (!ok) break;
    high++;
  }
  dpd_u128 x = low + (dpd_u128)high * den;
  x = x <= UINT64_MAX ? (uint64_t)x / num : x / num;
  *out = x < MAX_DEN ? (uint64_t)x : MAX_DEN;
  return DPD_OK;
}

dpd_status dpd_rate_from_double(double eps, dpd_rate *out)
{
  if (!(eps >= 1e-6 && eps <= 1e6)) return DPD_ERR_DOMAIN;
  /* the product is exact: a power of two; the conversion truncates */
  uint64_t num = (uint64_t)(eps * 0x1p40);
  out->num = num - 64 - (num >> 40);
  return DPD_OK;
}

dpd_status dpd_bernoulli_half_rate(dpd_rng *rng, dpd_rate eps, uint64_t gap, bool *out)
{
  return dpd_bernoulli_exp_u128(rng, (dpd_u128)eps.num * gap, (dpd_u128)1 << (DPD_RATE_BITS + 1),
                                out);
}
