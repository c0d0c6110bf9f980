/* project_tile.c - passes over the projections of rows on a few directions, without keeping them.
 *
 * METHOD: some rows at a time are packed into blocks that stay in the nearest cache, projected on
 *   all directions (num/project_block.c) and counted or kept there (num/between.c). Projections of
 *   all rows are never written, and rows are read once for all directions.
 * COST: O(n d count), four numbers an instruction where the processor can. Memory: 32 kB on the
 *   stack.
 * DEGENERATE: no rows, no counts.
 */
#include "num/project_tile.h"

#include "num/between.h"
#include "num/project_block.h"
#include "num/simd.h"

enum { NUMBERS = 4096, MOST_ROWS = 128 };

/* Rows of a tile: whole blocks, so many that they and their projections fit. */
static size_t tile_rows(int d)
{
  size_t rows = NUMBERS / ((size_t)d + DPD_TILE_DIRECTIONS);
  rows -= rows % DPD_BLOCK_ROWS;
  return rows < MOST_ROWS ? rows : MOST_ROWS;
}

bool dpd_tiled_fits(int d)
{
  return tile_rows(d) >= DPD_BLOCK_ROWS;
}

size_t dpd_tiled_spare(int d)
{
  return tile_rows(d);
}

/* Rows side by side by blocks, as dpd_pack_rows() has them; what pads the last block is zero. */
static DPD_FORCE_INLINE void pack_rows(const double *row, size_t rows, size_t d, double *packed)
{
  size_t i = 0;
  for (; i + DPD_BLOCK_ROWS <= rows; i += DPD_BLOCK_ROWS, row += DPD_BLOCK_ROWS * d)
    for (size_t j = 0; j < d; j++, packed += DPD_BLOCK_ROWS)
      for (size_t r = 0; r < DPD_BLOCK_ROWS; r++)
        packed[r] = row[r * d + j];
  if (i == rows) return;
  for (size_t j = 0; j < d; j++, packed += DPD_BLOCK_ROWS)
    for (size_t r = 0; r < DPD_BLOCK_ROWS; r++)
      packed[r] = i + r < rows ? row[r * d + j] : 0;
}

/* Where few columns are known to the compiler it needs no loops. */
static void pack(const double *row, size_t rows, int d, double *packed)
{
  if (d == 2)
    pack_rows(row, rows, 2, packed);
  else if (d == 3)
    pack_rows(row, rows, 3, packed);
  else
    pack_rows(row, rows, (size_t)d, packed);
}

/* Projections of some rows: direction u's from out[u * padded rows] on. */
static void project(const dpd_tiled *x, size_t from, size_t rows, const double *dirs, int count,
                    double *tile, double *out)
{
  pack(x->rows + from * (size_t)x->d, rows, x->d, tile);
  dpd_project_block_project(tile, rows, x->d, dirs, count, out);
}

void dpd_tiled_count(const dpd_tiled *x, const double *dirs, int count, dpd_tiled_sides *sides)
{
  double tile[NUMBERS];
  size_t most = tile_rows(x->d);
  double *out = tile + most * (size_t)x->d;
  for (int u = 0; u < count; u++)
    sides[u].below = sides[u].above = 0;
  for (size_t from = 0; from < x->n; from += most) {
    size_t rows = x->n - from < most ? x->n - from : most, below, above;
    project(x, from, rows, dirs, count, tile, out);
    for (int u = 0; u < count; u++) {
      dpd_between_sides(out + (size_t)u * dpd_padded(rows), rows, sides[u].at, &below, &above);
      sides[u].below += below;
      sides[u].above += above;
    }
  }
}

static void keep(const double *y, size_t rows, dpd_tiled_band *b)
{
  size_t below;
  if (b->lost || b->room - b->kept < rows) {
    b->lost = true;
    return;
  }
  b->kept += dpd_between_keep(y, rows, b->lo, b->hi, b->out + b->kept, &below);
  b->below += below;
}

void dpd_tiled_keep(const dpd_tiled *x, const double *dirs, int count, dpd_tiled_band *band,
                    int bands)
{
  double tile[NUMBERS];
  size_t most = tile_rows(x->d);
  double *out = tile + most * (size_t)x->d;
  for (int k = 0; k < count * bands; k++) {
    band[k].kept = band[k].below = 0;
    band[k].lost = false;
  }
  for (size_t from = 0; from < x->n; from += most) {
    size_t rows = x->n - from < most ? x->n - from : most;
    project(x, from, rows, dirs, count, tile, out);
    for (int k = 0; k < count * bands; k++)
      keep(out + (size_t)(k / bands) * dpd_padded(rows), rows, band + k);
  }
}
