/* splitmix.h - the generator splitmix64 of public random numbers.
 *
 * REFERENCE: Steele, Lea and Flood (2014), Fast splittable pseudorandom number generators,
 *   section 4.
 */
#ifndef NUM_SPLITMIX_H
#define NUM_SPLITMIX_H

#include "dpd.h"
#include "num/constants.h"

/* The next word of the sequence that starts with a seed in *state. Never for secret noise. */
static inline uint64_t dpd_splitmix_next(uint64_t *state)
{
  uint64_t z = (*state += DPD_GOLDEN_64);
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

#endif
