/* binomial.c - binomial coefficients. */
#include "num/binomial.h"

uint64_t dpd_choose(uint64_t n, int k)
{
  dpd_u128 c = 1;
  if (n < (uint64_t)k) return 0;
  for (int i = 1; i <= k; i++) {
    c = c * (n - (uint64_t)k + (uint64_t)i) / (uint64_t)i;
    if (c > UINT64_MAX) return UINT64_MAX;
  }
  return (uint64_t)c;
}
