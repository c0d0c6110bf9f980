/* test_rng.c - the random sources: the tape replays, ends in an error, and is wiped. */
#include "samp/rng.h"

#include <math.h>
#include <string.h>

#include "ctest.h"

static void tape_replays_and_fails_closed(void)
{
  const uint64_t words[3] = {1, UINT64_MAX, 42};
  dpd_tape tape = {words, 3, 0};
  dpd_rng rng;
  uint64_t out = 7;
  dpd_rng_open_tape(&rng, &tape);
  for (int i = 0; i < 3; i++) {
    CHECK(dpd_rng_u64(&rng, &out) == DPD_OK);
    CHECK(out == words[i]);
  }
  out = 7;
  CHECK(dpd_rng_u64(&rng, &out) == DPD_ERR_ENTROPY);
  CHECK(out == 7);
}

static void below_rejects_what_would_bias(void)
{
  /* n = 5 * 2^50 keeps 53 bits: 7 and 13 (mod 8: 5) times 2^50 are refused, 4 is the first kept */
  const uint64_t one = (uint64_t)1 << 50;
  const uint64_t words[4] = {7 * one, 13 * one, 4 * one, 9};
  dpd_tape tape = {words, 4, 0};
  dpd_rng rng;
  uint64_t out;
  dpd_rng_open_tape(&rng, &tape);
  CHECK(dpd_rng_below(&rng, 5 * one, &out) == DPD_OK && out == 4 * one);
  CHECK(tape.pos == 3);
  CHECK(dpd_rng_below(&rng, 1, &out) == DPD_OK && out == 0);
}

static void below_u128_uses_both_words(void)
{
  const uint64_t words[5] = {3, 8, UINT64_MAX, 1, 6};
  dpd_tape tape = {words, 5, 0};
  dpd_rng rng;
  dpd_u128 out, n = ((dpd_u128)1 << 64) + 1;
  dpd_rng_open_tape(&rng, &tape);
  /* mask of 65 bits: (8, 3) keeps the low bit of 8, that is 0, and gives 3 */
  CHECK(dpd_rng_below_u128(&rng, n, &out) == DPD_OK && out == 3);
  /* (1, 2^64 - 1) is above n and the tape holds no second word for the next pair */
  CHECK(dpd_rng_below_u128(&rng, n, &out) == DPD_ERR_ENTROPY);
  dpd_rng_open_tape(&rng, &tape);
  CHECK(dpd_rng_below_u128(&rng, 4, &out) == DPD_OK && out == 3);
  /* n itself is refused */
  const uint64_t at_n[4] = {1, 1, 0, 1};
  dpd_tape other = {at_n, 4, 0};
  dpd_rng_open_tape(&rng, &other);
  CHECK(dpd_rng_below_u128(&rng, n, &out) == DPD_OK && out == n - 1);
}

static void unit_is_a_multiple_of_2_to_minus_53(void)
{
  const uint64_t words[2] = {UINT64_MAX, (uint64_t)1 << 11};
  dpd_tape tape = {words, 2, 0};
  dpd_rng rng;
  double out;
  dpd_rng_open_tape(&rng, &tape);
  CHECK(dpd_rng_unit(&rng, &out) == DPD_OK && out == 1 - 0x1p-53);
  CHECK(dpd_rng_unit(&rng, &out) == DPD_OK && out == 0x1p-53);
}

static void buffer_is_wiped(void)
{
  dpd_rng rng;
  uint64_t out;
  uint16_t half;
  int left = 0, after = 0;
  dpd_rng_open_system(&rng);
  CHECK(dpd_rng_u64(&rng, &out) == DPD_OK);
  for (size_t i = 0; i < DPD_RNG_BUFFER; i++)
    left += rng.bytes[i] != 0;
  /* each byte is zero with probability 1/256: all of 504 are, with probability 256^-504 */
  CHECK(left > 0);
  for (size_t i = 0; i < sizeof out; i++)
    CHECK(rng.bytes[i] == 0);
  dpd_rng_close(&rng);
  for (size_t i = 0; i < DPD_RNG_BUFFER; i++)
    after += rng.bytes[i] != 0;
  CHECK(after == 0);
  /* the zeros are not handed out: what comes next is fresh */
  CHECK(rng.used == rng.block);
  const uint64_t words[2] = {5, 6};
  dpd_tape tape = {words, 2, 0};
  dpd_rng_open_tape(&rng, &tape);
  CHECK(dpd_rng_u16(&rng, &half) == DPD_OK);
  dpd_rng_close(&rng);
  CHECK(dpd_rng_u64(&rng, &out) == DPD_OK && out == 6);
}

/* A source that has failed is asked again; what the buffer held is not handed out. */
static void failure_leaves_nothing(void)
{
  const uint64_t words[1] = {UINT64_MAX};
  dpd_tape tape = {words, 1, 0};
  dpd_rng rng;
  uint64_t out;
  dpd_rng_open_tape(&rng, &tape);
  CHECK(dpd_rng_u64(&rng, &out) == DPD_OK);
  for (int i = 0; i < 3; i++)
    CHECK(dpd_rng_u64(&rng, &out) == DPD_ERR_ENTROPY);
}

/* Two bytes less than it was asked for, and then none. */
static dpd_status fill_a_part(void *state, unsigned char *out, size_t len)
{
  int *calls = state;
  memset(out, 0x5a, len - 2);
  return (*calls)++ == 0 ? DPD_OK : DPD_ERR_ENTROPY;
}

/* What a source wrote before it failed is not handed out, nor is the rest of the block before. */
static void half_a_block_is_nothing(void)
{
  dpd_rng rng;
  int calls = 0;
  uint64_t out;
  uint16_t half;
  dpd_rng_open(&rng, fill_a_part, &calls, 2 * sizeof out);
  CHECK(dpd_rng_u16(&rng, &half) == DPD_OK && dpd_rng_u64(&rng, &out) == DPD_OK);
  CHECK(dpd_rng_u64(&rng, &out) == DPD_ERR_ENTROPY);
  CHECK(dpd_rng_u16(&rng, &half) == DPD_ERR_ENTROPY && calls == 3);
}

/* Points on the circle or beyond are refused: (-1, 0) here. */
static void normals_come_from_the_disc(void)
{
  const uint64_t words[6] = {0, 0, 0, (uint64_t)1 << 63, (uint64_t)3 << 62, (uint64_t)1 << 63};
  dpd_tape tape = {words, 6, 0};
  dpd_rng rng;
  double out[2] = {0, 1}, want = sqrt(-2 * log(0.25));
  dpd_rng_open_tape(&rng, &tape);
  CHECK(dpd_rng_normals(&rng, out) == DPD_OK && tape.pos == 6);
  CHECK(fabs(out[0] - want) < 1e-14 && out[1] == 0);
}

/* No byte is used twice, and none is left out. */
static void bytes_come_in_order(void)
{
  unsigned char bytes[2 * sizeof(uint64_t)];
  uint64_t words[2];
  for (size_t i = 0; i < sizeof bytes; i++)
    bytes[i] = (unsigned char)(i + 1);
  memcpy(words, bytes, sizeof words);
  dpd_tape tape = {words, 2, 0};
  dpd_rng rng;
  dpd_rng_open_tape(&rng, &tape);
  for (size_t i = 0; i < sizeof bytes; i += sizeof(uint16_t)) {
    uint16_t got, want;
    memcpy(&want, bytes + i, sizeof want);
    CHECK(dpd_rng_u16(&rng, &got) == DPD_OK && got == want);
  }
  CHECK(tape.pos == 2);
}

int main(void)
{
  failure_leaves_nothing();
  half_a_block_is_nothing();
  normals_come_from_the_disc();
  bytes_come_in_order();
  tape_replays_and_fails_closed();
  below_rejects_what_would_bias();
  below_u128_uses_both_words();
  unit_is_a_multiple_of_2_to_minus_53();
  buffer_is_wiped();
  return ctest_report("rng");
}
