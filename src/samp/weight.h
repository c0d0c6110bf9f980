/* weight.h - sums and products of positive numbers of any size, and exact draws in proportion.
 *
 * A weight is a dpd_product (samp/level.h): part 2^whole with 2^63 <= part < 2^64, or part = 0 for
 * zero. What rounds rounds down, by a factor above 1 - 2^-62.
 */
#ifndef SAMP_WEIGHT_H
#define SAMP_WEIGHT_H

#include "dpd.h"
#include "samp/level.h"

static inline dpd_product dpd_weight_zero(void)
{
  return (dpd_product){0, 0};
}

/* x + y and x y */
static inline dpd_product dpd_weight_add(dpd_product x, dpd_product y)
{
  if (x.part == 0) return y;
  if (y.part == 0) return x;
  if (x.whole < y.whole) {
    dpd_product t = x;
    x = y;
    y = t;
  }
  int64_t shift = x.whole - y.whole;
  if (shift > 63) return x;
  uint64_t sum = x.part + (y.part >> shift);
  if (sum >= x.part) return (dpd_product){sum, x.whole};
  return (dpd_product){sum >> 1 | (uint64_t)1 << 63, x.whole + 1}; /* the carry */
}

static inline dpd_product dpd_weight_times(dpd_product x, dpd_product y)
{
  dpd_u128 product = (dpd_u128)x.part * y.part;
  if (product == 0) return dpd_weight_zero();
  int shift = product >> 127 != 0 ? 64 : 63;
  return (dpd_product){(uint64_t)(product >> shift), x.whole + y.whole + shift};
}

/* Of a whole number below 2^127; zero is zero. */
dpd_product dpd_weight_whole(dpd_u128 x);

/* x / y, rounded down. Requires y >= 1. */
dpd_product dpd_weight_over(dpd_product x, uint32_t y);

/* Of a double above zero: exactly. */
dpd_product dpd_weight_double(double x);

/* Draws k with probability weight[k] / (sum of all): exactly. Requires a weight above zero, and
 * |whole| < 2^60. COST: O(count) a try; a try succeeds with probability above 1/2. */
dpd_status dpd_weight_draw(const dpd_product *weight, size_t count, dpd_rng *rng, size_t *k);

#endif
