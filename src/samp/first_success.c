/* first_success.c - how many trials pass before a rare success: one exact draw, however many.
 *
 * METHOD: q = 2^-b is the chance of a success.
 *   Coin of 2^-b: floor(b) fair coins, and for the rest f < 1 a coin of (1/2)^f: rounds
 *     i = 1, 2, ...: a fair coin says "true" with heads; with tails a coin of f/i says "false", and
 *     else the next round comes. By the binomial series of (1 - x)^f at x = 1/2 this is exact.
 *   Coin of (1 - q)^k for k <= L, L = 2^a the largest power of two with L q <= 1 (at most 2^40):
 *     pass coins of (L q) (k - j + 1) / (L j), j = 1, 2, ..., until one fails. N coins passed with
 *     P(N >= j) = C(k, j) q^j, so that P(N even) = sum_j (-1)^j C(k, j) q^j = (1 - q)^k.
 *   Waiting: blocks of L trials without a success are passed by such coins. In the first block with
 *     one, a uniform place i is accepted with (1 - q)^i: the distribution of the first success in
 *     it.
 * EXACT: only fair bits and rational coins of whole numbers are used.
 * COST: some ten words a block; a block of L > 1 trials has a success with probability above 0.39
 *   (unless L = 2^40), and a place is accepted with probability above 1/4.
 * DEGENERATE: b < 1 (q above a half): L = 1, so blocks are single trials. most = 0: nothing is
 *   drawn.
 * REFERENCE: Mendo (2019), An asymptotically optimal Bernoulli factory for certain functions that
 *   can be expressed as power series (the coin of a power); von Neumann (1951).
 */
#include "samp/first_success.h"

#include "samp/bernoulli.h"
#include "samp/rng.h"

enum { MOST_BLOCK = 40 };
static const uint64_t UNIT = (uint64_t)1 << DPD_SUCCESS_BITS;

/* P(true) = 2^-k: k fair coins that all fall heads. */
static dpd_status all_heads(dpd_rng *rng, dpd_u128 k, bool *out)
{
  *out = true;
  while (k > 0 && *out) {
    uint16_t word;
    unsigned take = k < 16 ? (unsigned)k : 16;
    DPD_TRY(dpd_rng_u16(rng, &word));
    *out = (word & ((1u << take) - 1)) == 0;
    k -= take;
  }
  return DPD_OK;
}

/* P(true) = 2^-(part / 2^60), part < 2^60. */
static dpd_status half_to(dpd_rng *rng, uint64_t part, bool *out)
{
  *out = true;
  if (part == 0) return DPD_OK;
  for (uint64_t i = 1;; i++) {
    uint16_t word;
    bool stop;
    DPD_TRY(dpd_rng_u16(rng, &word));
    if ((word & 1) == 0) return DPD_OK;
    DPD_TRY(dpd_bernoulli_ratio(rng, part, UNIT, &stop));
    if (stop) DPD_TRY(dpd_bernoulli_ratio(rng, 1, i, &stop));
    if (stop) {
      *out = false;
      return DPD_OK;
    }
  }
}

dpd_status dpd_bernoulli_bits(dpd_rng *rng, dpd_u128 bits, bool *out)
{
  DPD_TRY(all_heads(rng, bits >> DPD_SUCCESS_BITS, out));
  if (*out) DPD_TRY(half_to(rng, (uint64_t)bits & (UNIT - 1), out));
  return DPD_OK;
}

/* Blocks of 2^log trials; 2^log q = 2^-(rest 2^-60) <= 1. */
typedef struct {
  int log;
  dpd_u128 rest;
} block;

static block find_block(dpd_u128 bits)
{
  dpd_u128 whole = bits >> DPD_SUCCESS_BITS;
  int log = whole < MOST_BLOCK ? (int)whole : MOST_BLOCK;
  return (block){log, bits - ((dpd_u128)log << DPD_SUCCESS_BITS)};
}

/* P(true) = (1 - q)^k, k <= 2^log. */
static dpd_status none_succeeds(dpd_rng *rng, block b, uint64_t k, bool *out)
{
  for (uint64_t j = 1;; j++) {
    bool more = j <= k;
    if (more) DPD_TRY(dpd_bernoulli_ratio(rng, k - j + 1, (uint64_t)1 << b.log, &more));
    if (more) DPD_TRY(dpd_bernoulli_ratio(rng, 1, j, &more));
    if (more) DPD_TRY(dpd_bernoulli_bits(rng, b.rest, &more));
    if (!more) {
      *out = j % 2 == 1;
      return DPD_OK;
    }
  }
}

/* The first success among k trials of which one at least succeeds. */
static dpd_status find_success(dpd_rng *rng, block b, uint64_t k, uint64_t *place)
{
  bool accept;
  do {
    DPD_TRY(dpd_rng_below(rng, k, place));
    DPD_TRY(none_succeeds(rng, b, *place, &accept));
  } while (!accept);
  return DPD_OK;
}

dpd_status dpd_first_success(dpd_rng *rng, dpd_u128 bits, uint64_t most, uint64_t *out)
{
  if (most >> MOST_BLOCK > 1) return DPD_ERR_DOMAIN;
  block b = find_block(bits);
  uint64_t passed = 0, size = (uint64_t)1 << b.log;
  while (passed < most) {
    uint64_t k = most - passed < size ? most - passed : size, place;
    bool none;
    DPD_TRY(none_succeeds(rng, b, k, &none));
    if (!none) {
      DPD_TRY(find_success(rng, b, k, &place));
      *out = passed + place;
      return DPD_OK;
    }
    passed += k;
  }
  *out = most;
  return DPD_OK;
}
