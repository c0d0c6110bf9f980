/* sha256.c - the hash SHA-256, for seeds of simulations.
 *
 * METHOD: the compression function over blocks of 64 bytes; the last ones are padded by a bit,
 *   zeros and the number of bits. Words are read by shifts, for any order of bytes.
 * COST: about ten operations per byte.
 * REFERENCE: FIPS PUB 180-4 (2015), sections 4.1.2, 4.2.2, 5.1.1, 5.3.3 and 6.2.
 */
#include "num/sha256.h"

#include <string.h>

enum { BLOCK = 64, WORDS = 16, ROUNDS = 64, STATE = 8 };

/* The first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
static const uint32_t constants[ROUNDS] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t rotated(uint32_t x, int by)
{
  return x >> by | x << (32 - by);
}

static uint32_t read_word(const uint8_t *b)
{
  return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

static void compress_block(uint32_t *state, const uint8_t *block)
{
  uint32_t w[ROUNDS], s[STATE];
  for (int t = 0; t < WORDS; t++)
    w[t] = read_word(block + 4 * t);
  for (int t = WORDS; t < ROUNDS; t++) {
    uint32_t low = rotated(w[t - 15], 7) ^ rotated(w[t - 15], 18) ^ w[t - 15] >> 3;
    uint32_t high = rotated(w[t - 2], 17) ^ rotated(w[t - 2], 19) ^ w[t - 2] >> 10;
    w[t] = high + w[t - 7] + low + w[t - 16];
  }
  memcpy(s, state, sizeof s);
  for (int t = 0; t < ROUNDS; t++) {
    uint32_t high = rotated(s[4], 6) ^ rotated(s[4], 11) ^ rotated(s[4], 25);
    uint32_t choice = (s[4] & s[5]) ^ (~s[4] & s[6]);
    uint32_t first = s[7] + high + choice + constants[t] + w[t];
    uint32_t low = rotated(s[0], 2) ^ rotated(s[0], 13) ^ rotated(s[0], 22);
    uint32_t majority = (s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]);
    memmove(s + 1, s, (STATE - 1) * sizeof *s);
    s[4] += first;
    s[0] = first + low + majority;
  }
  for (int k = 0; k < STATE; k++)
    state[k] += s[k];
}

void dpd_sha256(const uint8_t *bytes, size_t size, uint8_t *out)
{
  /* the square roots of the first eight primes, likewise */
  uint32_t state[STATE] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                           0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  uint8_t last[2 * BLOCK] = {0};
  size_t whole = size / BLOCK * BLOCK, rest = size - whole;
  size_t padded = rest + 9 <= BLOCK ? BLOCK : 2 * BLOCK;
  for (size_t from = 0; from < whole; from += BLOCK)
    compress_block(state, bytes + from);
  if (rest > 0) memcpy(last, bytes + whole, rest);
  last[rest] = 0x80;
  for (int k = 0; k < 8; k++)
    last[padded - 1 - (size_t)k] = (uint8_t)((uint64_t)size * 8 >> 8 * k);
  for (size_t from = 0; from < padded; from += BLOCK)
    compress_block(state, last + from);
  for (int k = 0; k < DPD_SHA256_BYTES; k++)
    out[k] = (uint8_t)(state[k / 4] >> (24 - 8 * (k % 4)));
}
