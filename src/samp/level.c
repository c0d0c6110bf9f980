/* level.c - an exact draw of a level whose weight is a product of whole numbers.
 *
 * METHOD: weights span hundreds of thousands of orders of magnitude, and each needs a bounded
 *   RELATIVE error. All is kept as logarithms to base 2, in units of 2^-60.
 *   Logarithm: the binary digits of log2(m), 1 <= m < 2, are found by squaring: the digit is 1 if
 *   m^2 >= 2, and then m^2 is halved. Squares are cut to 64 bits, a factor 1 - r, 0 <= r < 2^-63.
 *   If m_i are the numbers of the code, log2 m_i = (digit_i + log2 m_(i+1) + s_i) / 2 with
 *   0 <= s_i < 1.45 2^-63, so the digits' value is below log2 m by at most
 *   sum_i s_i 2^-i + 2^-60 log2 m_61 < 2^-60 (1 + 2^-2): a unit more than by rounding down.
 *   Draw: with x_k the bits by which level k is below the heaviest, b_k = floor(x_k): a whole
 *   weight W_k = 2^(64 - min(b_k, 64)), a level by these in integers, then b_k - 64 fair coins if
 *   b_k > 64, and last a coin of 2^-(x_k - b_k) = exp(-log(2) (x_k - b_k)). Level k is proposed and
 *   accepted in proportion to 2^-x_k.
 * EXACT: but for V_k as it comes in, logarithms (below 1.25 2^-60 bits), and log(2) times the
 *   fraction, cut to 60 digits (below 2^-59.4 together with it): all err to one side, so E above
 *   bounds the ratio of any two levels.
 *   Levels of one V_k that follow each other are a run: x_k falls by `step` a level, so that
 *   those of a bucket follow each other, too, and are counted by a division.
 * COST: O(runs) to settle, and for each proposal. A proposal is accepted with probability above
 *   1/2 - 2^-33, whatever the weights. Memory: 16 bytes per run, the caller's.
 * DEGENERATE: one level is drawn always. Equal weights share a bucket and are distinguished by
 *   their place. Weights are above zero (V_k >= 1): however far below the heaviest, a level keeps
 *   its exact probability by coins; 128 bits hold all differences as |whole| < 2^60.
 * REFERENCE: Knuth (1997), The Art of Computer Programming 1, 1.2.2, exercise 25 (digits of a
 *   logarithm); Canonne, Kamath and Steinke (2020) for the coins.
 */
#include "samp/level.h"

#include <math.h>

#include "samp/bernoulli.h"
#include "samp/rng.h"

enum { LOG_BITS = 60, LAST = DPD_LEVEL_BUCKETS - 1 };
#define LOG2_E_63 UINT64_C(0xB8AA3B295C17F0BB) /* floor(2^63 / log(2)) */
#define LOG_2_64 UINT64_C(0xB17217F7D1CF79AB)  /* floor(2^64 log(2)) */
#define LN2 0.69314718055994530942

void dpd_product_one(dpd_product *p)
{
  p->part = (uint64_t)1 << 63;
  p->whole = -63;
}

/* The leading 64 bits of x > 0; *shift is what was cut (negative: appended). */
static uint64_t leading_bits(dpd_u128 x, int *shift)
{
  uint64_t high = (uint64_t)(x >> 64), low = (uint64_t)x;
  int s = high == 0 ? -64 : 0;
  if (high == 0) {
    high = low;
    low = 0;
  }
  for (int step = 32; step > 0; step /= 2)
    if (high >> (64 - step) == 0) {
      high = high << step | low >> (64 - step);
      low <<= step;
      s -= step;
    }
  *shift = s + 64;
  return high;
}

void dpd_product_times(dpd_product *p, dpd_u128 factor)
{
  int shift;
  uint64_t part = leading_bits(factor, &shift);
  dpd_u128 product = (dpd_u128)p->part * part;
  bool full = product >> 127 != 0;
  p->part = (uint64_t)(product >> (full ? 64 : 63));
  p->whole += shift + (full ? 64 : 63);
}

void dpd_log2_parts(const uint64_t *part, uint64_t *digits)
{
  uint64_t m[DPD_LOGS];
  for (int k = 0; k < DPD_LOGS; k++) {
    m[k] = part[k];
    digits[k] = 0;
  }
  for (int i = 0; i < LOG_BITS; i++)
#pragma GCC unroll 4
    for (int k = 0; k < DPD_LOGS; k++) {
      dpd_u128 square = (dpd_u128)m[k] * m[k];
      uint64_t high = (uint64_t)(square >> 64), below = 1 ^ high >> 63;
      digits[k] = digits[k] << 1 | high >> 63;
      m[k] = high << below | ((uint64_t)square >> 63 & below); /* halved if the digit is 1 */
    }
}

dpd_u128 dpd_level_step(dpd_rate eps)
{
  /* num 2^-41 / log(2), in units of 2^-60: num < 2^60, so the product is below 2^124 */
  return (dpd_u128)eps.num * LOG2_E_63 >> 44;
}

dpd_i128 dpd_level_offset(dpd_u128 step)
{
  double rate = LN2 * ldexp((double)step, -LOG_BITS);
  double bits = log2(-expm1(-rate)) - 0x1p-40; /* doubles err by less than 2^-44 */
  return (dpd_i128)floor(ldexp(bits, LOG_BITS));
}

static int first_of(const dpd_levels *l, int run)
{
  return l->first != NULL ? l->first[run] : run;
}

static int levels_of(const dpd_levels *l, int run)
{
  return (run + 1 < l->runs ? first_of(l, run + 1) : l->count) - first_of(l, run);
}

static dpd_i128 whole_bits(const dpd_product *p)
{
  return (dpd_i128)p->whole * ((dpd_i128)1 << LOG_BITS) + p->part;
}

static void keep_bits(dpd_product *p, dpd_i128 bits)
{
  p->part = (uint64_t)bits & (((uint64_t)1 << LOG_BITS) - 1);
  p->whole = (int64_t)(bits >> LOG_BITS);
}

/* Levels of a run, the first ones, that are `bits` whole bits or more below the heaviest. */
static int levels_below(const dpd_levels *l, int run, int bits)
{
  dpd_i128 over = whole_bits(l->level + run) - (dpd_i128)bits * ((dpd_i128)1 << LOG_BITS);
  int size = levels_of(l, run);
  if (over < 0) return 0;
  if (l->step == 0 || size == 1) return size;
  dpd_u128 steps = (dpd_u128)over / l->step;
  return steps < (dpd_u128)size ? (int)steps + 1 : size;
}

/* The levels of a run that are in bucket b follow each other: their number, and the first. */
static int levels_in(const dpd_levels *l, int run, int b, int *from)
{
  *from = 0;
  if (l->first == NULL) return (l->level[run].whole < LAST ? l->level[run].whole : LAST) == b;
  if (b < LAST) *from = levels_below(l, run, b + 1);
  return levels_below(l, run, b) - *from;
}

static void count_buckets(dpd_levels *l)
{
  for (int b = 0; b <= LAST; b++)
    l->in_bucket[b] = 0;
  for (int r = 0; r < l->runs; r++) {
    int most = l->level[r].whole < LAST ? (int)l->level[r].whole : LAST, from;
    for (int b = most, left = levels_of(l, r); left > 0; b--) {
      int here = levels_in(l, r, b, &from);
      l->in_bucket[b] += here;
      left -= here;
    }
  }
  l->total = 0;
  for (int b = 0; b <= LAST; b++)
    l->total += (dpd_u128)l->in_bucket[b] << (LAST - b);
}

void dpd_levels_settle(dpd_levels *l, dpd_level_runs runs, dpd_u128 step, dpd_i128 offset)
{
  dpd_i128 top = 0;
  l->level = runs.level;
  l->first = runs.first;
  l->runs = runs.size;
  l->count = runs.count;
  l->step = step;
  uint64_t part[DPD_LOGS], digits[DPD_LOGS];
  for (int r = 0; r < l->runs; r++) {
    dpd_product *p = l->level + r;
    int k = first_of(l, r), place = r % DPD_LOGS;
    if (place == 0) {
      for (int i = 0; i < DPD_LOGS; i++)
        part[i] = l->level[r + i < l->runs ? r + i : r].part;
      dpd_log2_parts(part, digits);
    }
    dpd_i128 bits = (dpd_i128)(p->whole + 63) * ((dpd_i128)1 << LOG_BITS);
    bits += digits[place];
    if (k > 0) bits += offset + (dpd_i128)step * k;
    keep_bits(p, bits);
    bits += (dpd_i128)step * (levels_of(l, r) - 1);
    if (r == 0 || bits > top) top = bits;
  }
  for (int r = 0; r < l->runs; r++)
    keep_bits(l->level + r, top - whole_bits(l->level + r));
  count_buckets(l);
}

/* The level with that place among those of bucket b. */
static int level_at(const dpd_levels *l, int b, uint64_t place)
{
  for (int r = 0; r < l->runs; r++) {
    int from, here = levels_in(l, r, b, &from);
    if (place < (uint64_t)here) return first_of(l, r) + from + (int)place;
    place -= (uint64_t)here;
  }
  return 0; /* not reached: there are more levels in the bucket than `place` */
}

/* The bits by which level k is below the heaviest. */
static dpd_product below_top(const dpd_levels *l, int k)
{
  int run = 0, end = l->runs;
  dpd_product out;
  while (end - run > 1) {
    int mid = run + (end - run) / 2;
    if (first_of(l, mid) <= k)
      run = mid;
    else
      end = mid;
  }
  keep_bits(&out, whole_bits(l->level + run) - (dpd_i128)l->step * (k - first_of(l, run)));
  return out;
}

/* A level with probability W_k / total. */
static dpd_status propose(const dpd_levels *l, dpd_rng *rng, int *k)
{
  dpd_u128 at;
  DPD_TRY(dpd_rng_below_u128(rng, l->total, &at));
  for (int b = 0;; b++) {
    dpd_u128 size = (dpd_u128)l->in_bucket[b] << (LAST - b);
    if (at < size) {
      *k = level_at(l, b, (uint64_t)(at >> (LAST - b)));
      return DPD_OK;
    }
    at -= size;
  }
}

dpd_status dpd_levels_draw(const dpd_levels *l, dpd_rng *rng, int *k)
{
  for (;;) {
    int at = 0;
    bool ok = true;
    DPD_TRY(propose(l, rng, &at));
    dpd_product below = below_top(l, at);
    for (int64_t coins = below.whole - LAST; ok && coins > 0; coins--)
      DPD_TRY(dpd_bernoulli_ratio(rng, 1, 2, &ok));
    uint64_t rest = (uint64_t)((dpd_u128)below.part * LOG_2_64 >> 64);
    if (ok) DPD_TRY(dpd_bernoulli_exp(rng, rest, (uint64_t)1 << LOG_BITS, &ok));
    if (ok) {
      *k = at;
      return DPD_OK;
    }
  }
}

double dpd_levels_bits(const dpd_levels *l, int k)
{
  dpd_product below = below_top(l, k);
  return (double)below.whole + ldexp((double)below.part, -LOG_BITS);
}
