/* ctest_memory.h - memory for kernels under test: what they ask for, freed at once at the end. */
#ifndef CTEST_MEMORY_H
#define CTEST_MEMORY_H

#include <stdlib.h>
#include <string.h>

/* Bytes before each block that are like no count and no row: planted bugs that read there are seen
 * without sanitizers, too, which have bytes of their own. */
#ifdef __SANITIZE_ADDRESS__
enum { CTEST_BEFORE = 0 };
#else
enum { CTEST_BEFORE = 64 };
#endif

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
  char *block = malloc(CTEST_BEFORE + (count > 0 && size > 0 ? count * size : 1));
  if (more == NULL || block == NULL) abort();
  memset(block, 0x55, CTEST_BEFORE);
  pool->block = more;
  pool->block[pool->count++] = block;
  return block + CTEST_BEFORE;
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
