/* ctest_tally.h - rows with many that are the same, and their tally; draws of both compared. */
#ifndef CTEST_TALLY_H
#define CTEST_TALLY_H

#include <string.h>

#include "num/lattice.h"
#include "num/tally.h"
#include "samp/bernoulli.h"
#include "samp/rng.h"

enum { ENTRIES = 60, ROWS = 3000, DIM = 4, DRAWS = 3, BITS = 400 };

static uint64_t seed;

/* Uniform on 0..below - 1. */
static int pick(int below)
{
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (int)((seed >> 33) % (uint64_t)below);
}

static dpd_status fill(void *state, unsigned char *out, size_t len)
{
  uint64_t *s = state;
  for (size_t i = 0; i < len; i++) {
    *s = *s * 6364136223846793005u + 1442695040888963407u;
    out[i] = (unsigned char)(*s >> 56);
  }
  return DPD_OK;
}

/* Entries and the rows that they stand for: integers, skewed, tied, in few points or on a line. */
typedef struct {
  int d;
  int count[ENTRIES], end[ENTRIES];
  double entry[ENTRIES * DIM], row[ROWS * DIM], a[DIM], b[DIM], resolution[DIM];
  dpd_tally tally;
  dpd_prior prior;
} problem;

static int one_value(int kind, int j, int first)
{
  int v = pick(12);
  if (kind == 0) return v * v / 4;                          /* skewed */
  if (kind == 1) return pick(3);                            /* many ties */
  if (kind == 2) return j == 0 ? first : j * first + v / 6; /* near a line */
  return pick(10) < 4 ? 2 : v - 5;                          /* an atom */
}

static void make_problem(problem *p, int s, int d, int most)
{
  int entries = 1 + pick(ENTRIES), n = 0;
  p->d = d;
  for (int i = 0; i < entries; i++) {
    int first = pick(20);
    for (int j = 0; j < d; j++)
      p->entry[i + j * entries] = one_value(s % 4, j, first);
    p->count[i] = pick(4) == 0 ? 1 + pick(most) : 1 + pick(3);
    p->end[i] = n += p->count[i];
  }
  for (int i = 0, at = 0; i < entries; i++)
    for (int k = 0; k < p->count[i]; k++, at++)
      for (int j = 0; j < d; j++)
        p->row[at + j * n] = p->entry[i + j * entries];
  p->tally = (dpd_tally){n, entries, p->count, p->end};
  bool normal = s % 3 == 1;
  for (int j = 0; j < d; j++) {
    p->a[j] = normal ? 2 : -40;
    p->b[j] = normal ? 30.0 / (1 + 9 * j) : 90 - 25 * j; /* each axis its own */
    p->resolution[j] = 1;
  }
  p->prior = (dpd_prior){.normal = normal, .d = d, .a = p->a, .b = p->b};
  if (s % 8 != 0) p->prior.resolution = p->resolution;
}

typedef dpd_status draw_some(void *mech, dpd_rng *rng, double *x);

/* Some draws of both, and that the same was taken of the source. */
static bool same_draws(draw_some *draw, void *of_tally, void *of_rows, int size, int draws)
{
  uint64_t state[2] = {seed, seed};
  void *mech[2] = {of_tally, of_rows};
  double x[2][64];
  dpd_rng rng[2];
  for (int k = 0; k < 2; k++)
    dpd_rng_open(&rng[k], fill, &state[k], DPD_RNG_BUFFER);
  for (int i = 0; i < draws; i++) {
    for (int k = 0; k < 2; k++)
      for (dpd_status s = DPD_AGAIN; s == DPD_AGAIN;)
        s = draw(mech[k], &rng[k], x[k]);
    if (memcmp(x[0], x[1], (size_t)size * sizeof(double)) != 0) return false;
  }
  return state[0] == state[1] && rng[0].used == rng[1].used;
}

static dpd_rate rate_of(double eps)
{
  dpd_rate rate;
  CHECK(dpd_rate_from_double(eps, &rate) == DPD_OK);
  return rate;
}

#endif
