/* ctest_law.h - a fixed generator, and whether counts follow a law. */
#ifndef CTEST_LAW_H
#define CTEST_LAW_H

#include <Rmath.h>
#include <math.h>
#include <string.h>

#include "samp/rng.h"

/* A fixed generator (Steele, Lea and Flood 2014: splitmix64). */
static dpd_status stream_fill(void *state, unsigned char *out, size_t len)
{
  uint64_t *s = state;
  for (size_t i = 0; i + 8 <= len; i += 8) {
    uint64_t z = (*s += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    z ^= z >> 31;
    memcpy(out + i, &z, 8);
  }
  return DPD_OK;
}

static uint64_t stream;
static dpd_rng source;

static void start(uint64_t seed)
{
  stream = seed;
  dpd_rng_open(&source, stream_fill, &stream, 512);
}

/* Chi-square over cells of 20 expected counts and more, the rest in one: is p above 1e-6? */
static inline bool law_holds(const long *count, const double *weight, int cells, long draws)
{
  double sum = 0, chi = 0, rest = 0;
  long seen = 0;
  int used = 0;
  for (int i = 0; i < cells; i++)
    sum += weight[i];
  for (int i = 0; i < cells; i++) {
    double expected = (double)draws * weight[i] / sum;
    if (weight[i] == 0 && count[i] > 0) return false;
    if (expected < 20) {
      rest += expected;
      seen += count[i];
      continue;
    }
    chi += ((double)count[i] - expected) * ((double)count[i] - expected) / expected;
    used++;
  }
  if (rest >= 5) {
    chi += ((double)seen - rest) * ((double)seen - rest) / rest;
    used++;
  } else if ((double)seen > rest + 40)
    return false;
  return used < 2 || pchisq(chi, used - 1, 0, 0) > 1e-6;
}

#endif
