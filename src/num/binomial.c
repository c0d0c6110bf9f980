/* binomial.c - binomial coefficients.
 *
 * METHOD: the product of (n - k + i) / i for i = 1..k. Each partial product is C(n - k + i, i), so
 *   every division is exact, and partial products never fall.
 * COST: k divisions of 128 bits.
 * DEGENERATE: k = 0 gives 1 and k > n gives 0. The first partial product of more than 64 bits ends
 *   the loop: the result is the largest integer.
 */
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
