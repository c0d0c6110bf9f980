/* rng.c - uniform integers from a random source, and the tape source for tests.
 *
 * METHOD: the source fills a block of bytes, of which each call takes what it needs; bytes that
 *   were taken are overwritten. Below n: the bits of the least power of two that holds n - 1,
 *   refused and drawn again while they are n or more: exactly uniform. Doubles and normals, by
 *   Marsaglia's polar method, are for Markov chains only.
 * COST: less than two trials a number, of 2, 4, 8 or 16 bytes; 1.27 pairs of doubles a pair of
 *   normals; one filling a block.
 * DEGENERATE: n = 1 takes a trial all the same; n = 0 is DPD_ERR_DOMAIN. A rest of the block that
 *   is too short is thrown away. If the source fails, nothing of its block is handed out.
 * REFERENCE: Marsaglia and Bray (1964), A convenient method for generating normal variables.
 */
#include "samp/rng.h"

#include <math.h>
#include <string.h>

void dpd_rng_open(dpd_rng *rng, dpd_status (*fill)(void *, unsigned char *, size_t), void *state,
                  size_t block)
{
  rng->fill = fill;
  rng->state = state;
  rng->block = block;
  rng->used = block;
}

void dpd_rng_close(dpd_rng *rng)
{
  /* volatile: a store that the compiler may not drop as dead */
  volatile unsigned char *p = rng->bytes;
  for (size_t i = 0; i < DPD_RNG_BUFFER; i++)
    p[i] = 0;
  rng->used = rng->block;
}

/* The next `size` bytes; a rest of the block that is too short is thrown away. */
static inline dpd_status take(dpd_rng *rng, void *out, size_t size)
{
  if (rng->block - rng->used < size) {
    rng->used = rng->block; /* nothing is handed out if the source fails half way */
    DPD_TRY(rng->fill(rng->state, rng->bytes, rng->block));
    rng->used = 0;
  }
  memcpy(out, rng->bytes + rng->used, size);
  memset(rng->bytes + rng->used, 0, size);
  rng->used += size;
  return DPD_OK;
}

dpd_status dpd_rng_u64(dpd_rng *rng, uint64_t *out)
{
  return take(rng, out, sizeof *out);
}

dpd_status dpd_rng_u16(dpd_rng *rng, uint16_t *out)
{
  return take(rng, out, sizeof *out);
}

/* Sources are slow: draw no more bytes than a number below n needs. */
static inline dpd_status narrow_word(dpd_rng *rng, uint64_t mask, uint64_t *out)
{
  uint32_t word;
  uint16_t half;
  if (mask <= UINT16_MAX) {
    DPD_TRY(take(rng, &half, sizeof half));
    *out = half;
  } else if (mask <= UINT32_MAX) {
    DPD_TRY(take(rng, &word, sizeof word));
    *out = word;
  } else {
    DPD_TRY(take(rng, out, sizeof *out));
  }
  return DPD_OK;
}

dpd_status dpd_rng_below(dpd_rng *rng, uint64_t n, uint64_t *out)
{
  uint64_t word, mask = n - 1;
  if (n == 0) return DPD_ERR_DOMAIN;
  for (unsigned s = 1; s < 64; s *= 2)
    mask |= mask >> s;
  do {
    DPD_TRY(narrow_word(rng, mask, &word));
    word &= mask;
  } while (word >= n);
  *out = word;
  return DPD_OK;
}

dpd_status dpd_rng_below_u128(dpd_rng *rng, dpd_u128 n, dpd_u128 *out)
{
  uint64_t lo, hi;
  dpd_u128 word, mask = n - 1;
  if (n == 0) return DPD_ERR_DOMAIN;
  if (n <= UINT64_MAX) {
    DPD_TRY(dpd_rng_below(rng, (uint64_t)n, &lo));
    *out = lo;
    return DPD_OK;
  }
  for (unsigned s = 1; s < 128; s *= 2)
    mask |= mask >> s;
  do {
    DPD_TRY(dpd_rng_u64(rng, &lo));
    DPD_TRY(dpd_rng_u64(rng, &hi));
    word = (((dpd_u128)hi << 64) | lo) & mask;
  } while (word >= n);
  *out = word;
  return DPD_OK;
}

dpd_status dpd_rng_unit(dpd_rng *rng, double *out)
{
  uint64_t word;
  DPD_TRY(dpd_rng_u64(rng, &word));
  *out = (double)(word >> 11) * 0x1p-53;
  return DPD_OK;
}

static dpd_status tape_fill(void *state, unsigned char *out, size_t len)
{
  dpd_tape *tape = state;
  size_t n = len / sizeof(uint64_t);
  if (tape->len - tape->pos < n) return DPD_ERR_ENTROPY;
  memcpy(out, tape->words + tape->pos, len);
  tape->pos += n;
  return DPD_OK;
}

void dpd_rng_open_tape(dpd_rng *rng, dpd_tape *tape)
{
  tape->pos = 0;
  dpd_rng_open(rng, tape_fill, tape, sizeof(uint64_t));
}

dpd_status dpd_rng_normals(dpd_rng *rng, double out[2])
{
  double a, b, r;
  do {
    DPD_TRY(dpd_rng_unit(rng, &a));
    DPD_TRY(dpd_rng_unit(rng, &b));
    a = 2 * a - 1;
    b = 2 * b - 1;
    r = a * a + b * b;
  } while (r >= 1 || r == 0);
  double f = sqrt(-2 * log(r) / r);
  out[0] = f * a;
  out[1] = f * b;
  return DPD_OK;
}
