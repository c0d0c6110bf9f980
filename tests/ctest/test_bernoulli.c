/* test_bernoulli.c - the exact samplers: exact counts over all first words, hand-worked tapes,
 * laws under a fixed generator, and failure at every position of the source. */
#include "samp/bernoulli.h"
#include "samp/noise.h"
#include "samp/rng.h"

#include <math.h>
#include <string.h>

#include "ctest.h"

/* A fixed generator (Steele, Lea and Flood 2014: splitmix64) that fails after `left` fills,
 * leaving half a block behind. */
typedef struct {
  uint64_t state;
  long left;
} stream;

static dpd_status stream_fill(void *state, unsigned char *out, size_t len)
{
  stream *s = state;
  bool fails = s->left-- <= 0;
  for (size_t i = 0; i + 8 <= (fails ? len / 2 : len); i += 8) {
    uint64_t z = (s->state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    z ^= z >> 31;
    memcpy(out + i, &z, 8);
  }
  return fails ? DPD_ERR_ENTROPY : DPD_OK;
}

/* A tape of 16-bit chunks, four a word, low first. */
enum { CHUNKS = 1 << 16 };
static uint16_t chunks[CHUNKS];
static uint64_t words[CHUNKS / 4];
static dpd_tape tape;
static dpd_rng rng;

static void tape_of(const uint16_t *first, size_t n, uint16_t rest, size_t len)
{
  for (size_t i = 0; i < 4 * len; i++)
    chunks[i] = i < n ? first[i] : rest;
  for (size_t i = 0; i < len; i++)
    words[i] = chunks[4 * i] | (uint64_t)chunks[4 * i + 1] << 16 |
               (uint64_t)chunks[4 * i + 2] << 32 | (uint64_t)chunks[4 * i + 3] << 48;
  tape.words = words;
  tape.len = len;
  dpd_rng_open_tape(&rng, &tape);
}

/* Of the 2^16 values of a coin's first word, those that give true when the rest of U is at
 * its lowest or highest: exactly ceil and floor of 2^16 p. */
static void ratio_counts_first_words(uint64_t num, uint64_t den)
{
  long low = 0, high = 0;
  bool out;
  for (uint32_t w = 0; w <= UINT16_MAX; w++) {
    uint16_t first = (uint16_t)w;
    tape_of(&first, 1, 0, 8);
    CHECK(dpd_bernoulli_ratio(&rng, num, den, &out) == DPD_OK);
    low += out;
    tape_of(&first, 1, UINT16_MAX, 8);
    CHECK(dpd_bernoulli_ratio(&rng, num, den, &out) == DPD_OK);
    high += out;
  }
  dpd_u128 target = (dpd_u128)num << 16;
  CHECK((dpd_u128)low == (target + den - 1) / den);
  CHECK((dpd_u128)high == target / den);
}

static void double_counts_first_words(double p)
{
  long low = 0, high = 0;
  bool out;
  for (uint32_t w = 0; w <= UINT16_MAX; w++) {
    uint16_t first = (uint16_t)w;
    tape_of(&first, 1, 0, 20);
    CHECK(dpd_bernoulli_double(&rng, p, &out) == DPD_OK);
    low += out;
    tape_of(&first, 1, UINT16_MAX, 20);
    CHECK(dpd_bernoulli_double(&rng, p, &out) == DPD_OK);
    high += out;
  }
  CHECK((double)low == ceil(p * 65536));
  CHECK((double)high == floor(p * 65536));
}

static bool double_on(const uint16_t *first, size_t n, size_t len, double p)
{
  bool out = false;
  tape_of(first, n, 0, len);
  CHECK(dpd_bernoulli_double(&rng, p, &out) == DPD_OK);
  return out;
}

static void double_is_exact_at_the_ends(void)
{
  uint16_t low[68] = {0};
  /* 2^-1074: digit 1074 is bit 14 of the 68th chunk */
  low[67] = 0x3fff;
  CHECK(double_on(low, 68, 17, 0x1p-1074));
  CHECK(tape.pos == 17);
  low[67] = 0x4000;
  CHECK(!double_on(low, 68, 17, 0x1p-1074));
  low[67] = 0;
  low[3] = 1;
  CHECK(!double_on(low, 68, 17, 0x1p-1074));
  CHECK(tape.pos == 1);
  /* the largest subnormal: 2^-1022 - 2^-1074, digits 1023 to 1074 */
  low[3] = 0;
  low[63] = 3;
  low[64] = low[65] = low[66] = 0xffff;
  low[67] = 0xbfff;
  CHECK(double_on(low, 68, 17, 0x1p-1022 - 0x1p-1074));
  low[67] = 0xc000;
  CHECK(!double_on(low, 68, 17, 0x1p-1022 - 0x1p-1074));
  uint16_t high[4] = {0xffff, 0xffff, 0xffff, 0xf7ff};
  CHECK(double_on(high, 4, 1, 1 - 0x1p-53));
  high[3] = 0xf800;
  CHECK(!double_on(high, 4, 1, 1 - 0x1p-53));
  tape_of(NULL, 0, 0, 0);
  bool out = true;
  CHECK(dpd_bernoulli_double(&rng, 0, &out) == DPD_OK && !out);
  CHECK(dpd_bernoulli_double(&rng, 1, &out) == DPD_OK && out);
}

static void wide_ratios_agree_with_narrow_ones(void)
{
  /* exp(-x), x = 3/5, decided by its first coins: both forms read the same chunks of U */
  for (uint32_t w = 0; w <= UINT16_MAX; w += 7) {
    uint16_t first[2] = {(uint16_t)w, (uint16_t)(w * 40503u)};
    bool narrow, wide;
    tape_of(first, 2, 0xffff, 8);
    CHECK(dpd_bernoulli_exp(&rng, 3, 5, &narrow) == DPD_OK);
    tape_of(first, 1, 0xffff, 8);
    CHECK(dpd_bernoulli_exp_u128(&rng, (dpd_u128)3 << 120, (dpd_u128)5 << 120, &wide) == DPD_OK);
    /* a first coin that fails (w >= 3/5) makes exp() true at once in both */
    if (w >= 39322) CHECK(narrow && wide);
  }
}

/* Frequencies of `cells` outcomes against their probabilities: chi-square, fixed stream, so
 * the bound is a constant, not a chance: it is the 1 - 1e-6 quantile or more. */
static void fits(const long *seen, const double *p, int cells, long n)
{
  double x = 0;
  for (int i = 0; i < cells; i++)
    x += (seen[i] - n * p[i]) * (seen[i] - n * p[i]) / (n * p[i]);
  CHECK(x < cells + 5 * sqrt(2.0 * cells) + 24);
}

static void coins_follow_their_laws(void)
{
  const long n = ctest_some(100000);
  stream s = {1, 1L << 40};
  dpd_rng_open(&rng, stream_fill, &s, DPD_RNG_BUFFER);
  const double x[6] = {0, 0.125, 1, 1.5, 4, 0.7};
  for (int i = 0; i < 6; i++) {
    long seen[4][2] = {{0}};
    uint64_t num = (uint64_t)(x[i] * 0x1p40);
    dpd_rate rate = {num};
    for (long k = 0; k < n; k++) {
      bool a, b, c, d;
      CHECK(dpd_bernoulli_exp(&rng, num, (uint64_t)1 << 40, &a) == DPD_OK);
      CHECK(dpd_bernoulli_exp_u128(&rng, (dpd_u128)num << 80, (dpd_u128)1 << 120, &b) == DPD_OK);
      CHECK(dpd_bernoulli_half_rate(&rng, rate, 2, &c) == DPD_OK);
      CHECK(dpd_bernoulli_double(&rng, exp(-x[i]), &d) == DPD_OK);
      seen[0][a]++, seen[1][b]++, seen[2][c]++, seen[3][d]++;
    }
    double p[2] = {1 - exp(-x[i]), exp(-x[i])};
    for (int j = 0; j < 4; j++) {
      if (x[i] == 0)
        CHECK(seen[j][0] == 0);
      else
        fits(seen[j], p, 2, n);
    }
  }
}

enum { REACH = 5 };

/* weight(|z|) is the unnormalised law; |z| > REACH is one cell on either side. */
static void noise_follows(double (*weight)(int), dpd_status (*draw)(int64_t *), int reach)
{
  const long n = ctest_some(100000);
  long seen[2 * REACH + 3] = {0};
  double p[2 * REACH + 3] = {0}, total = 0;
  stream s = {2, 1L << 40};
  dpd_rng_open(&rng, stream_fill, &s, DPD_RNG_BUFFER);
  for (long k = 0; k < n; k++) {
    int64_t z = 0;
    CHECK(draw(&z) == DPD_OK);
    z = z < -REACH - 1 ? -REACH - 1 : z > REACH + 1 ? REACH + 1 : z;
    seen[z + REACH + 1]++;
  }
  for (int z = -reach; z <= reach; z++) {
    int cell = z < -REACH - 1 ? -REACH - 1 : z > REACH + 1 ? REACH + 1 : z;
    p[cell + REACH + 1] += weight(z < 0 ? -z : z);
    total += weight(z < 0 ? -z : z);
  }
  for (int i = 0; i < 2 * REACH + 3; i++)
    p[i] /= total;
  if (reach <= REACH) /* cells beyond the truncation stay empty */
    CHECK(seen[0] == 0 && seen[2 * REACH + 2] == 0);
  int skip = reach < REACH + 1 ? REACH + 1 - reach : 0;
  fits(seen + skip, p + skip, 2 * REACH + 3 - 2 * skip, n);
}

static double laplace_weight(int z)
{
  return exp(-0.4 * z);
}
static dpd_status laplace_draw(int64_t *z)
{
  return dpd_laplace_discrete(&rng, 2, 5, z);
}
static dpd_status laplace_narrow_draw(int64_t *z)
{
  return dpd_laplace_truncated(&rng, 2, 5, 2, z); /* the flat proposal */
}
static dpd_status laplace_bounded_draw(int64_t *z)
{
  return dpd_laplace_truncated(&rng, 2, 5, 5, z); /* the Laplace proposal */
}
static double gaussian_weight(int z)
{
  return exp(-z * z / 14.0);
}
static dpd_status gaussian_draw(int64_t *z)
{
  return dpd_gaussian_discrete(&rng, 7, 1, z);
}
static dpd_status gaussian_wide_draw(int64_t *z)
{
  return dpd_gaussian_discrete(&rng, (uint64_t)7 << 53, (uint64_t)1 << 53, z);
}

/* Every sampler, on a source that fails at its k-th fill: an error, and nothing written. */
static dpd_status sampler(int which, int64_t *out)
{
  bool coin = false;
  uint64_t size = 77;
  dpd_status status;
  switch (which) {
  case 0: status = dpd_bernoulli_ratio(&rng, 1, 3, &coin); break;
  case 1: status = dpd_bernoulli_double(&rng, 1 - 0x1p-53, &coin); break;
  case 2: status = dpd_bernoulli_exp(&rng, 1, 7, &coin); break;
  case 3: status = dpd_bernoulli_exp_u128(&rng, 1, (dpd_u128)7 << 90, &coin); break;
  case 4: status = dpd_geometric_exp(&rng, 1, 70, &size); break;
  case 5: return dpd_laplace_discrete(&rng, 1, 70, out);
  case 6: return dpd_laplace_truncated(&rng, 1, 70, 40, out);
  case 7: return dpd_laplace_truncated(&rng, 1, 70, 100, out);
  case 8: return dpd_gaussian_discrete(&rng, 100, 3, out);
  case 9: return dpd_gaussian_discrete(&rng, (uint64_t)1 << 56, 3, out);
  default: return DPD_ERR_DOMAIN;
  }
  if (status != DPD_OK) CHECK(!coin && size == 77);
  if (status == DPD_OK) *out = (int64_t)size + coin;
  return status;
}

static void samplers_fail_closed(void)
{
  for (int which = 0; which < 10; which++)
    for (uint64_t seed = 1; seed <= 20; seed++) {
      int64_t want = -1234567, out;
      stream s = {seed, 1L << 40};
      dpd_rng_open(&rng, stream_fill, &s, 16);
      CHECK(sampler(which, &want) == DPD_OK);
      long used = (1L << 40) - s.left;
      for (long k = 0; k <= used; k++) {
        stream t = {seed, k};
        out = -1234567;
        dpd_rng_open(&rng, stream_fill, &t, 16);
        dpd_status status = sampler(which, &out);
        CHECK(status == (k < used ? DPD_ERR_ENTROPY : DPD_OK));
        CHECK(out == (k < used ? -1234567 : want));
        /* a failed source hands out nothing later either, not even its half block */
        if (k < used) CHECK(sampler(which, &out) == DPD_ERR_ENTROPY && out == -1234567);
      }
    }
}

static void domain_errors_touch_nothing(void)
{
  bool coin = true;
  uint64_t size = 77;
  int64_t z = 77;
  const uint64_t big = (uint64_t)1 << 62, var = (uint64_t)1 << 56;
  tape_of(NULL, 0, 0, 16);
  CHECK(dpd_bernoulli_ratio(&rng, 2, 1, &coin) == DPD_ERR_DOMAIN);
  CHECK(dpd_bernoulli_ratio(&rng, 0, 0, &coin) == DPD_ERR_DOMAIN);
  CHECK(dpd_bernoulli_double(&rng, NAN, &coin) == DPD_ERR_DOMAIN);
  CHECK(dpd_bernoulli_double(&rng, -0x1p-1074, &coin) == DPD_ERR_DOMAIN);
  CHECK(dpd_bernoulli_double(&rng, 1 + 0x1p-52, &coin) == DPD_ERR_DOMAIN);
  CHECK(dpd_bernoulli_exp(&rng, 1, 0, &coin) == DPD_ERR_DOMAIN);
  CHECK(dpd_bernoulli_exp(&rng, 1, big + 1, &coin) == DPD_ERR_DOMAIN);
  CHECK(dpd_geometric_exp(&rng, 0, 1, &size) == DPD_ERR_DOMAIN);
  CHECK(dpd_geometric_exp(&rng, 1, big + 1, &size) == DPD_ERR_DOMAIN);
  CHECK(dpd_laplace_discrete(&rng, 0, 1, &z) == DPD_ERR_DOMAIN);
  CHECK(dpd_laplace_truncated(&rng, 1, 0, 1, &z) == DPD_ERR_DOMAIN);
  CHECK(dpd_laplace_truncated(&rng, 1, big + 1, 1, &z) == DPD_ERR_DOMAIN);
  CHECK(dpd_laplace_truncated(&rng, 1, 1, -1, &z) == DPD_ERR_DOMAIN);
  CHECK(dpd_gaussian_discrete(&rng, 0, 1, &z) == DPD_ERR_DOMAIN);
  CHECK(dpd_gaussian_discrete(&rng, 1, var + 1, &z) == DPD_ERR_DOMAIN);
  CHECK(dpd_rng_below(&rng, 0, &size) == DPD_ERR_DOMAIN);
  CHECK(coin && size == 77 && z == 77);
}

/* y = 129, so that a >= 2^63, by 129 coins of exp(-1) that come true, (0, ffff) each; then a
 * failure. */
static void gaussian_refuses_what_it_cannot_hold(void)
{
  const uint64_t var = (uint64_t)1 << 56;
  int64_t z = 77;
  size_t n = 0;
  static uint16_t first[CHUNKS];
  first[n++] = 0;                   /* U below t = 1 */
  for (int i = 0; i < 2 * 129; i++) /* V = 129 */
    first[n++] = i % 2 ? 0xffff : 0;
  first[n++] = 0xffff;
  first[n++] = 0;      /* positive */
  first[n++] = 0xffff; /* exp(-2^13): rejected by its first coin */
  /* then y = 0, kept with exp(-1/2) */
  first[n++] = 0, first[n++] = 0xffff, first[n++] = 0, first[n++] = 0xffff;
  tape_of(first, n, 0, n / 4 + 1);
  CHECK(dpd_gaussian_discrete(&rng, var, var, &z) == DPD_OK && z == 0);
  /* 2^13 more coins that come true: wider integers would be needed */
  n -= 5;
  for (int i = 0; i < 2 * 8192; i++)
    first[n++] = i % 2 ? 0xffff : 0;
  z = 77;
  tape_of(first, n, 0, n / 4 + 1);
  CHECK(dpd_gaussian_discrete(&rng, var, var, &z) == DPD_ERR_LIMIT && z == 77);
}

static void geometric_saturates(void)
{
  const uint64_t top = (uint64_t)1 << 62;
  uint64_t out = 0;
  /* U = 0, V = 1: exactly 2^62; V = 2 is cut to it */
  const uint16_t one[7] = {0, 0, 0, 0, 0, 0xffff, 0xffff};
  const uint16_t two[9] = {0, 0, 0, 0, 0, 0xffff, 0, 0xffff, 0xffff};
  tape_of(one, 7, 0, 3);
  CHECK(dpd_geometric_exp(&rng, 1, top, &out) == DPD_OK && out == top);
  tape_of(two, 9, 0, 3);
  CHECK(dpd_geometric_exp(&rng, 1, top, &out) == DPD_OK && out == top);
  tape_of(two, 9, 0, 3);
  CHECK(dpd_geometric_exp(&rng, 3, top, &out) == DPD_OK && out == top / 3 * 2);
  /* V = 5: more than 64 bits before the division */
  const uint16_t five[15] = {0, 0,      0, 0,      0, 0xffff, 0,     0xffff,
                             0, 0xffff, 0, 0xffff, 0, 0xffff, 0xffff};
  tape_of(five, 15, 0, 4);
  CHECK(dpd_geometric_exp(&rng, top / 2, top, &out) == DPD_OK && out == 10);
}

int main(void)
{
  ratio_counts_first_words(3, 8);
  ratio_counts_first_words(1, 3);
  ratio_counts_first_words(UINT64_MAX - 1, UINT64_MAX);
  ratio_counts_first_words(1, UINT64_MAX);
  double_counts_first_words(0.3);
  double_counts_first_words(0.625);
  double_counts_first_words(0x1.fffffffffffffp-20);
  double_is_exact_at_the_ends();
  wide_ratios_agree_with_narrow_ones();
  coins_follow_their_laws();
  noise_follows(laplace_weight, laplace_draw, 100);
  noise_follows(laplace_weight, laplace_narrow_draw, 2);
  noise_follows(laplace_weight, laplace_bounded_draw, 5);
  noise_follows(gaussian_weight, gaussian_draw, 100);
  noise_follows(gaussian_weight, gaussian_wide_draw, 100);
  samplers_fail_closed();
  domain_errors_touch_nothing();
  gaussian_refuses_what_it_cannot_hold();
  geometric_saturates();
  return ctest_report("bernoulli");
}
