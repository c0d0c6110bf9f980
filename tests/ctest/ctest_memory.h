/* ctest_memory.h - memory for kernels under test: what they ask for, freed at once at the end. */
#ifndef CTEST_MEMORY_H
#define CTEST_MEMORY_H

#include <stdlib.h>

typedef struct {
  void **block;
  size_t count;
} ctest_memory;

/* Where ctest_alloc() keeps account: a dpd_alloc has no state of its own. */
static ctest_memory *ctest_pool;

static void *ctest_alloc(size_t count, size_t size)
{
  ctest_memory *pool = ctest_pool;
  void **more = pool->block;
  /* room for twice as many at each power of two: sanitizers move the list whenever it grows */
  if ((pool->count & (pool->count - 1)) == 0)
    more = realloc(pool->block, (pool->count > 0 ? 2 * pool->count : 1) * sizeof *more);
  void *block = malloc(count > 0 && size > 0 ? count * size : 1);
  if (more == NULL || block == NULL) abort();
  pool->block = more;
  pool->block[pool->count++] = block;
  return block;
}

static void ctest_free(ctest_memory *pool)
{
  for (size_t i = 0; i < pool->count; i++)
    free(pool->block[i]);
  free(pool->block);
  pool->block = NULL;
  pool->count = 0;
}

#endif
