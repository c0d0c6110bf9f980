/* project_block.h - projections of many rows along many directions. */
#ifndef NUM_PROJECT_BLOCK_H
#define NUM_PROJECT_BLOCK_H

#include "dpd.h"

enum { DPD_BLOCK_ROWS = 8 }; /* rows a block */

/* Rows n, rounded up to whole blocks: the length of every buffer of projections. */
static inline size_t dpd_padded(size_t n)
{
  return (n + DPD_BLOCK_ROWS - 1) / DPD_BLOCK_ROWS * DPD_BLOCK_ROWS;
}

/* Copies column-major rows x (n x d) into blocks (padded n x d doubles): the rows of a block
 * stand side by side, a column after the other. `centre` (d numbers, or NULL) is taken off. The
 * rows that pad the last block are zero. */
void dpd_pack_rows(const double *x, size_t n, int d, const double *centre, double *packed);

/* out[u * padded n + i] = u'x_i for `count` directions, a direction after the other in `dirs`.
 * Ensures: the bits of u'x depend on u and x only: the sum runs over the columns in their order,
 * whatever the other rows and directions are, with and without vector registers. */
void dpd_project_block(const double *packed, size_t n, int d, const double *dirs, int count,
                       double *out);

#endif
