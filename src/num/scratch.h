/* scratch.h - pieces of one block of memory, or, before there is a block, how large it must be.
 *
 * A kernel's <fn>_scratch() says how many bytes it works in, or its struct keeps its arrays in. One
 * function lays them out, for the size and for the block.
 */
#ifndef NUM_SCRATCH_H
#define NUM_SCRATCH_H

#include "dpd.h"

enum { DPD_LINE = 64 }; /* bytes; pieces begin at lines of the cache, so that threads share none */

typedef struct {
  unsigned char *base; /* NULL: only `used` is wanted */
  size_t used;
} dpd_scratch;

/* The next `count` things of `size` bytes; NULL if there is no block. */
static inline void *dpd_scratch_take(dpd_scratch *a, size_t count, size_t size)
{
  void *piece = a->base == NULL ? NULL : a->base + a->used;
  a->used += (count * size + DPD_LINE - 1) / DPD_LINE * DPD_LINE;
  return piece;
}

/* Thread `thread`'s part, `share` bytes, of a block of dpd_scratch_size(share, threads) bytes that
 * need not be aligned. */
static inline dpd_scratch dpd_scratch_part(void *block, size_t share, int thread)
{
  size_t off = (size_t)((uintptr_t)block % DPD_LINE), skip = off > 0 ? DPD_LINE - off : 0;
  return (dpd_scratch){(unsigned char *)block + skip + (size_t)thread * share, 0};
}

static inline size_t dpd_scratch_size(size_t share, int threads)
{
  return (size_t)threads * share + DPD_LINE;
}

#endif
