/* ctest_lines.h - a made-up line to draw, with a generator of its rows. */
#ifndef CTEST_LINES_H
#define CTEST_LINES_H

#include <math.h>

#include "ctest.h"
#include "mech/regression_plane_state.h"
#include "samp/bernoulli.h"

enum { WIDE = 600 }; /* rows, at most */

static uint64_t seed;

/* Uniform on 0..below - 1. */
static inline int pick(int below)
{
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (int)((seed >> 33) % (uint64_t)below);
}

static inline double uniform(void)
{
  return (pick(1 << 30) + 0.5) / (1 << 30);
}

static inline double normal(void)
{
  return sqrt(-2 * log(uniform())) * cos(2 * M_PI * uniform());
}

typedef enum { UNIFORM, NORMAL, DYADIC, PRIORS } prior_kind;

typedef struct {
  double fit[2 * WIDE], x[WIDE], y[WIDE], a[2], b[2], step[2];
  dpd_regression_spec spec;
  prior_kind kind;
} problem;

static inline void set_spec(problem *p, int n, double eps)
{
  p->spec = (dpd_regression_spec){.n = n,
                                  .k = 2,
                                  .count = 1,
                                  .fit = p->fit,
                                  .y = p->y,
                                  .projection = p->x,
                                  .prior = {.d = 2, .a = p->a, .b = p->b},
                                  .tie = 0.5,
                                  .above = 1,
                                  .below = 1};
  CHECK(dpd_rate_from_double(eps, &p->spec.eps) == DPD_OK);
  for (int i = 0; i < n; i++) {
    p->fit[i] = 1;
    p->fit[i + n] = p->x[i];
  }
}

#endif
