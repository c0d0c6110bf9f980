/* level.h - an exact draw of a level whose weight is a product of whole numbers. */
#ifndef SAMP_LEVEL_H
#define SAMP_LEVEL_H

#include "dpd.h"

/* The number part 2^whole, 2^63 <= part < 2^64. */
typedef struct {
  uint64_t part;
  int64_t whole;
} dpd_product;

void dpd_product_one(dpd_product *p);

/* Times a whole number from 1 to 2^127. Rounds down, by a factor above 1 - 2^-62 each time. */
void dpd_product_times(dpd_product *p, dpd_u128 factor);

enum { DPD_LOGS = 4 };

/* floor(2^60 log2(part / 2^63)), or 1 less, of DPD_LOGS numbers at once: a digit waits for the one
 * before it, not for those of the other numbers. Requires part >= 2^63. */
void dpd_log2_parts(const uint64_t *part, uint64_t *digits);

/* Rates per level, in bits: in units of 2^-60.
 * step: eps / (2 log 2), rounded down. offset: log2(1 - 2^-step), lowered by about 2^-40. */
dpd_u128 dpd_level_step(dpd_rate eps);
dpd_i128 dpd_level_offset(dpd_u128 step);

enum { DPD_LEVEL_BUCKETS = 65 };

typedef struct {
  int count, runs;
  /* after dpd_levels_settle(): level k, the first of run r, has 2^-(whole + part 2^-60) of the
   * weight of the heaviest; those after it in its run have 2^step each of the one before */
  dpd_product *level;
  const int *first; /* of each run; NULL: every level is one */
  dpd_u128 step;
  int in_bucket[DPD_LEVEL_BUCKETS]; /* levels by min(whole, 64) */
  dpd_u128 total;
} dpd_levels;

/* Runs of levels first[r] .. first[r + 1] - 1 with the same V = level[r]; first[0] = 0, and
 * first[1] = 1 if there is more than one. `count` levels in all. */
typedef struct {
  dpd_product *level;
  const int *first;
  int size, count;
} dpd_level_runs;

/* Level 0 has weight V_0, level k >= 1 has V_k 2^(offset + step k), V as it stands.
 * Requires 1 <= count < 2^31, |whole| < 2^60. */
void dpd_levels_settle(dpd_levels *l, dpd_level_runs runs, dpd_u128 step, dpd_i128 offset);

/* Draws level k with a probability that is exact but for a factor within exp(+-E), E = 2^-59 + F,
 * where V_k is known up to a factor from exp(-F) to 1. */
dpd_status dpd_levels_draw(const dpd_levels *l, dpd_rng *rng, int *k);

/* By how many bits level k's weight is below the heaviest one's. */
double dpd_levels_bits(const dpd_levels *l, int k);

#endif
