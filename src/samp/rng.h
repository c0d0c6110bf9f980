/* rng.h - uniform integers from a random source, and the tape source for tests. */
#ifndef SAMP_RNG_H
#define SAMP_RNG_H

#include "dpd.h"

/* Requires: 8 <= block <= DPD_RNG_BUFFER, a multiple of 8. */
void dpd_rng_open(dpd_rng *rng, dpd_status (*fill)(void *, unsigned char *, size_t), void *state,
                  size_t block);

/* Overwrites what is left of the buffer; to be called on every way out. */
void dpd_rng_close(dpd_rng *rng);

/* 64 or 16 uniform bits. Fails: as the source does. 64 bits never come from two blocks: on
 * a tape, or in R's stream, they start a new word of the source. */
dpd_status dpd_rng_u64(dpd_rng *rng, uint64_t *out);
dpd_status dpd_rng_u16(dpd_rng *rng, uint16_t *out);

/* Uniform on {0, ..., n - 1}, exactly, by rejection. Requires n >= 1 (else DOMAIN).
 * Draws 16, 32 or 64 bits a trial, the fewest that hold n - 1. */
dpd_status dpd_rng_below(dpd_rng *rng, uint64_t n, uint64_t *out);
dpd_status dpd_rng_below_u128(dpd_rng *rng, dpd_u128 n, dpd_u128 *out);

/* Uniform on the 2^53 multiples of 2^-53 in [0, 1): for Markov chains, whose distribution is
 * approximate anyway; the exact samplers use integers. */
dpd_status dpd_rng_unit(dpd_rng *rng, double *out);

/* Two standard normals: for Markov chains. */
dpd_status dpd_rng_normals(dpd_rng *rng, double out[2]);

/* Replays `len` words and then fails with DPD_ERR_ENTROPY. */
typedef struct {
  const uint64_t *words;
  size_t len, pos;
} dpd_tape;
void dpd_rng_open_tape(dpd_rng *rng, dpd_tape *tape);

/* Operating-system entropy (samp/entropy.c). */
void dpd_rng_open_system(dpd_rng *rng);

#endif
