/* test_level.c - certified logarithms, products, and the exact draw of a level by its weight. */
#include <math.h>
#include <string.h>

#include "samp/bernoulli.h"
#include "samp/level.h"
#include "samp/rng.h"

/* The sampler a second time, with a coin that may be lost. */
static bool lost_coin = false;

static dpd_status bug_exp(dpd_rng *rng, uint64_t num, uint64_t den, bool *out)
{
  return dpd_bernoulli_exp(rng, lost_coin ? 0 : num, den, out);
}

#define dpd_bernoulli_exp bug_exp
#define dpd_product_one copy_one
#define dpd_product_times copy_times
#define dpd_log2_parts copy_logs
#define dpd_level_step copy_step
#define dpd_level_offset copy_offset
#define dpd_levels_settle copy_settle
#define dpd_levels_draw copy_draw
#define dpd_levels_bits copy_bits
#include "samp/level.c"
#undef dpd_bernoulli_exp
#undef dpd_product_one
#undef dpd_product_times
#undef dpd_log2_parts
#undef dpd_level_step
#undef dpd_level_offset
#undef dpd_levels_settle
#undef dpd_levels_draw

#include "ctest.h"
#include "ctest_law.h"

/* The high half of a product of 128-bit numbers, at most 3 units too small. */
static dpd_u128 high_product(dpd_u128 a, dpd_u128 b)
{
  uint64_t a1 = (uint64_t)(a >> 64), a0 = (uint64_t)a, b1 = (uint64_t)(b >> 64), b0 = (uint64_t)b;
  return (dpd_u128)a1 * b1 + ((dpd_u128)a1 * b0 >> 64) + ((dpd_u128)a0 * b1 >> 64);
}

/* log(part / 2^63) in units of 2^-120 by log m = 2 artanh((m - 1) / (m + 1)), with an error below
 * 2^12 units. Shares nothing with the digits by squaring. */
static dpd_u128 slow_log(uint64_t part)
{
  dpd_u128 over = (dpd_u128)part - ((uint64_t)1 << 63),
           under = (dpd_u128)part + ((uint64_t)1 << 63);
  dpd_u128 z = 0, sum = 0;
  for (int i = 0; i < 127; i++) { /* z = over / under, in units of 2^-127 */
    over *= 2;
    z *= 2;
    if (over >= under) {
      over -= under;
      z++;
    }
  }
  dpd_u128 square = high_product(z, z) << 2; /* 2^-128 2 * 2 -> 2^-128 */
  dpd_u128 power = z;
  for (unsigned i = 1; power > 0; i += 2) {
    sum += power / i;
    power = high_product(power, square);
  }
  return sum >> 6; /* twice, from 2^-127 to 2^-120 */
}

/* Of one number, wherever it stands among others. */
static uint64_t log2_of(uint64_t part)
{
  const uint64_t other = (uint64_t)5 << 61;
  uint64_t digits[DPD_LOGS], first = 0;
  for (int place = 0; place < DPD_LOGS; place++) {
    uint64_t all[DPD_LOGS];
    for (int k = 0; k < DPD_LOGS; k++)
      all[k] = k == place ? part : other;
    dpd_log2_parts(all, digits);
    if (place == 0) first = digits[0];
    CHECK(digits[place] == first);
  }
  return first;
}

static void logarithms_are_certified(void)
{
  const dpd_u128 ln2 = (dpd_u128)UINT64_C(0xB17217F7D1CF79AB) << 64 | UINT64_C(0xC9E3B39803F2F6AF);
  const uint64_t lowest = (uint64_t)1 << 63;
  uint64_t extreme[6] = {lowest,
                         lowest + 1,
                         UINT64_MAX,
                         UINT64_MAX - 1,
                         UINT64_C(0xB504F333F9DE6484),
                         UINT64_C(0xB504F333F9DE6485)};
  start(1);
  for (int i = 0; i < ctest_some(20000); i++) {
    uint64_t part;
    CHECK(dpd_rng_u64(&source, &part) == DPD_OK);
    part = i < 6 ? extreme[i] : i < 200 ? lowest + (part >> (i % 63 + 1)) : part | lowest;
    /* digits log(2), in units of 2^-120: (digits 2^68) (ln2 2^128) / 2^128 = digits log(2) 2^68 */
    dpd_u128 least = high_product((dpd_u128)log2_of(part) << 68, ln2) >> 8;
    dpd_u128 unit = (dpd_u128)1 << 60, exact = slow_log(part), slack = 1 << 13;
    CHECK(least <= exact + slack && exact <= least + unit + slack); /* 1.25 log(2) < 1 */
  }
  CHECK(log2_of(lowest) == 0 && log2_of(UINT64_MAX) >= ((uint64_t)1 << 60) - 2);
  CHECK(log2_of((uint64_t)3 << 62) >> 30 == (uint64_t)(0x1p30 * log2(1.5)));
}

static void products_round_down_a_little(void)
{
  dpd_product p;
  start(2);
  for (int i = 0; i < ctest_some(2000); i++) {
    /* against the sum of logarithms in doubles, and exactly where all fits into 128 bits */
    dpd_u128 exact = 1, factor;
    uint64_t low, high;
    double bits = 0;
    dpd_product_one(&p);
    for (int j = 0; j < 40; j++) {
      CHECK(dpd_rng_u64(&source, &low) == DPD_OK && dpd_rng_u64(&source, &high) == DPD_OK);
      factor = (((dpd_u128)high << 64 | low) >> (1 + low % 126)) | 1;
      dpd_product_times(&p, factor);
      bits += log2((double)factor);
      CHECK(p.part >> 63 == 1);
      CHECK(fabs((double)p.whole + log2((double)p.part) - bits) < 1e-9);
    }
    dpd_product_one(&p);
    for (int j = 0; j < 4; j++) {
      CHECK(dpd_rng_u64(&source, &low) == DPD_OK);
      factor = (low >> 33) + 1;
      exact *= factor;
      dpd_product_times(&p, factor);
      dpd_u128 kept = p.whole >= 0 ? (dpd_u128)p.part << p.whole : (dpd_u128)p.part >> -p.whole;
      CHECK(kept <= exact && exact - kept <= (exact >> 60));
    }
  }
}

static void levels_follow_their_weights(void)
{
  enum { COUNT = 3000, DRAWS = 60000 };
  const int draws = ctest_some(DRAWS);
  static dpd_product level[COUNT];
  static double weight[COUNT];
  static long count[COUNT];
  dpd_levels l;
  for (int kind = 0; kind < 4; kind++) {
    /* a draw looks at all levels of about one weight, which the flat ones are */
    const int size = kind == 1 || kind == 2 ? COUNT / 3 : COUNT;
    /* steep, flat, a heavy level 0 beside many, thousands of nats on both sides of the middle */
    dpd_rate rate;
    CHECK(dpd_rate_from_double(kind == 0   ? 3
                               : kind == 1 ? 1e-6
                               : kind == 2 ? 1e-3
                                           : 4,
                               &rate) == DPD_OK);
    const double eps = ldexp((double)rate.num, -DPD_RATE_BITS);
    double bits[COUNT], top = -INFINITY;
    for (int k = 0; k < size; k++) {
      uint64_t factor = kind == 1   ? (uint64_t)(k + 1)
                        : kind == 2 ? (k == 0 ? 3 : 1)
                        : kind == 3 ? (uint64_t)(COUNT - k) * (uint64_t)(COUNT - k)
                                    : 7;
      dpd_product_one(level + k);
      for (int j = 0; j < (kind == 3 ? 300 : 1); j++)
        dpd_product_times(level + k, factor);
      bits[k] = (kind == 3 ? 300 : 1) * log2((double)factor) + eps * k / 2 * M_LOG2E +
                (k > 0 ? log2(-expm1(-eps / 2)) : 0);
      top = fmax(top, bits[k]);
    }
    dpd_u128 step = dpd_level_step(rate);
    dpd_levels_settle(&l, (dpd_level_runs){level, NULL, size, size}, step, dpd_level_offset(step));
    for (int k = 0; k < size; k++) {
      double below = (double)level[k].whole + ldexp((double)level[k].part, -60);
      CHECK(fabs(below - (top - bits[k])) < 1e-6);
      weight[k] = exp2(bits[k] - top);
      count[k] = 0;
    }
    start(10 + (uint64_t)kind);
    for (long i = 0; i < draws; i++) {
      int k = -1;
      CHECK(dpd_levels_draw(&l, &source, &k) == DPD_OK);
      count[k]++;
    }
    CHECK(law_holds(count, weight, size, draws));
    for (int k = 0; k < size; k++)
      weight[k] *=
          kind == 1 ? (k % 2 == 0 ? 1.4 : 1) : exp(0.05 * fabs(k % 7 - 3.0)) * (k == 0 ? 1.2 : 1);
    if (draws == DRAWS) CHECK(!law_holds(count, weight, size, draws));
  }
}

static void a_lost_coin_is_seen(void)
{
  dpd_product level[6];
  double weight[6];
  dpd_levels l;
  for (int lost = 0; lost < 2; lost++) {
    long count[6] = {0};
    lost_coin = lost == 1;
    start(20);
    for (int k = 0; k < 6; k++) {
      weight[k] = 3 * k + 5;
      dpd_product_one(level + k);
      dpd_product_times(level + k, (dpd_u128)(3 * k + 5));
    }
    copy_settle(&l, (dpd_level_runs){level, NULL, 6, 6}, 0, 0);
    for (int i = 0; i < 20000; i++) {
      int k = -1;
      CHECK(copy_draw(&l, &source, &k) == DPD_OK);
      count[k]++;
    }
    CHECK(law_holds(count, weight, 6, 20000) != lost_coin);
  }
}

/* A level 65 bits and a half below the heaviest: one unit of the weights, then a fair coin, then a
 * coin of 2^-1/2. */
static void light_levels_pay_by_coins(void)
{
  dpd_product level[2] = {{UINT64_C(0xB504F333F9DE6484), 2}, {(uint64_t)1 << 63, -63}};
  dpd_levels l;
  dpd_levels_settle(&l, (dpd_level_runs){level, NULL, 2, 2}, 0, 0);
  CHECK(level[1].whole == 65 && fabs(ldexp((double)level[1].part, -60) - 0.5) < 1e-12);
  CHECK(l.total == ((dpd_u128)1 << 64) + 1 && l.in_bucket[0] == 1 && l.in_bucket[64] == 1);
  /* 65 bits for the weight's unit: 2^64, the last; coins take 16 bits, four a word of the tape */
  uint64_t heads[4] = {0, 1, UINT64_C(0xffff000000000000) | UINT64_C(0xffffffff0000), 0};
  dpd_tape tape = {heads, 4, 0};
  int k = -1;
  dpd_rng_open_tape(&source, &tape);
  CHECK(dpd_levels_draw(&l, &source, &k) == DPD_OK && k == 1);
  /* tails: proposed anew, the heavy level */
  uint64_t tails[6] = {0, 1, UINT64_MAX, 5, 0, UINT64_MAX};
  tape = (dpd_tape){tails, 6, 0};
  dpd_rng_open_tape(&source, &tape);
  CHECK(dpd_levels_draw(&l, &source, &k) == DPD_OK && k == 0);
  tape = (dpd_tape){tails, 1, 0};
  dpd_rng_open_tape(&source, &tape);
  CHECK(dpd_levels_draw(&l, &source, &k) == DPD_ERR_ENTROPY);
}

static void offsets_round_down(void)
{
  const double eps[8] = {1e-6, 1e-3, 0.1, 1, 5, 50, 1e3, 1e6};
  for (int i = 0; i < 8; i++) {
    dpd_rate rate;
    CHECK(dpd_rate_from_double(eps[i], &rate) == DPD_OK);
    dpd_u128 step = dpd_level_step(rate);
    long double bits = ldexpl((long double)step, -60), half = ldexpl((long double)rate.num, -41);
    CHECK(bits * logl(2) <= half * (1 + 1e-18L) && bits * logl(2) > half * (1 - 1e-11L));
    long double offset = ldexpl((long double)dpd_level_offset(step), -60);
    long double exact = log2l(-expm1l(-bits * logl(2)));
    CHECK(offset < exact && offset > exact - 0x1p-39L);
  }
}

int main(void)
{
  logarithms_are_certified();
  products_round_down_a_little();
  levels_follow_their_weights();
  a_lost_coin_is_seen();
  light_levels_pay_by_coins();
  offsets_round_down();
  return ctest_report("level");
}
