/* weight.c - sums and products of positive numbers of any size, and exact draws in proportion.
 *
 * METHOD: a draw takes each weight's power of two first. With `top` the largest `whole`, weight k
 *   is part 2^-s, s = top - whole, in common units. It is proposed with the whole weight
 *   2^(64 - min(s, 64)), counted by s in 65 buckets, and accepted by s - 64 fair coins where s is
 *   above 64 and by a coin of part / 2^64: in proportion to part 2^-s. All of it in integers.
 * COST: a pass over the weights to count, and one to find the proposal.
 * DEGENERATE: weights of zero are never proposed.
 */
#include "samp/weight.h"

#include <math.h>

#include "samp/bernoulli.h"
#include "samp/rng.h"

enum { LAST_BUCKET = 64 };

dpd_product dpd_weight_whole(dpd_u128 x)
{
  dpd_product out;
  if (x == 0) return dpd_weight_zero();
  dpd_product_one(&out);
  dpd_product_times(&out, x);
  return out;
}

dpd_product dpd_weight_over(dpd_product x, uint32_t y)
{
  if (x.part == 0) return x;
  dpd_product out = dpd_weight_whole(((dpd_u128)x.part << 60) / y);
  out.whole += x.whole - 60;
  return out;
}

dpd_product dpd_weight_double(double x)
{
  int power;
  double part = frexp(x, &power);
  return (dpd_product){(uint64_t)ldexp(part, 64), power - 64};
}

static int bucket_of(dpd_product w, int64_t top)
{
  int64_t s = top - w.whole;
  return s < LAST_BUCKET ? (int)s : LAST_BUCKET;
}

static size_t find_place(const dpd_product *weight, int64_t top, int bucket, uint64_t place)
{
  size_t k = 0;
  for (;; k++)
    if (weight[k].part != 0 && bucket_of(weight[k], top) == bucket && place-- == 0) return k;
}

dpd_status dpd_weight_draw(const dpd_product *weight, size_t count, dpd_rng *rng, size_t *k)
{
  uint64_t size[LAST_BUCKET + 1] = {0};
  int64_t top = INT64_MIN;
  dpd_u128 total = 0;
  for (size_t i = 0; i < count; i++)
    if (weight[i].part != 0 && weight[i].whole > top) top = weight[i].whole;
  if (top == INT64_MIN) return DPD_ERR_DOMAIN;
  for (size_t i = 0; i < count; i++)
    if (weight[i].part != 0) size[bucket_of(weight[i], top)]++;
  for (int b = 0; b <= LAST_BUCKET; b++)
    total += (dpd_u128)size[b] << (LAST_BUCKET - b);
  for (;;) {
    dpd_u128 at;
    bool ok = true;
    int b = 0;
    DPD_TRY(dpd_rng_below_u128(rng, total, &at));
    while (at >= (dpd_u128)size[b] << (LAST_BUCKET - b)) {
      at -= (dpd_u128)size[b] << (LAST_BUCKET - b);
      b++;
    }
    size_t found = find_place(weight, top, b, (uint64_t)(at >> (LAST_BUCKET - b)));
    uint64_t part;
    for (int64_t coins = top - weight[found].whole - LAST_BUCKET; ok && coins > 0; coins--)
      DPD_TRY(dpd_bernoulli_ratio(rng, 1, 2, &ok));
    if (!ok) continue;
    DPD_TRY(dpd_rng_u64(rng, &part));
    if (part < weight[found].part) {
      *k = found;
      return DPD_OK;
    }
  }
}
