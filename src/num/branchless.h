/* branchless.h - choices between numbers that cannot become branches. */
#ifndef NUM_BRANCHLESS_H
#define NUM_BRANCHLESS_H

#include <string.h>

#include "dpd.h"

static inline int64_t dpd_bits(double v)
{
  int64_t bits;
  memcpy(&bits, &v, sizeof bits);
  return bits;
}

/* a where the mask's bits are set, b elsewhere: unlike ?: it cannot become a branch, which
 * would keep a loop out of vector registers. */
static inline double dpd_mask(int64_t mask, double a, double b)
{
  int64_t bits = (dpd_bits(a) & mask) | (dpd_bits(b) & ~mask);
  double v;
  memcpy(&v, &bits, sizeof v);
  return v;
}

#endif
