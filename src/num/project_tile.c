/* project_tile.c - passes over the projections of rows on a few directions, without keeping them.
 *
 * METHOD: some rows at a time are packed into blocks that stay in the nearest cache, projected on
 *   all directions (num/project_block.c) and counted or kept there (num/range_scan.c). Projections
 *   of all rows are never written, and rows are read once for all directions.
 * COST: O(n d count), four numbers an instruction where the processor can. Memory: 32 kB on the
 *   stack.
 * DEGENERATE: no rows, no counts.
 */
#include "num/project_tile.h"

#include "num/range_scan.h"
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

/* Rows that are being looked at: packed, and behind them their projections. */
typedef struct {
  double number[NUMBERS], *out;
  size_t most, rows, padded; /* rows that there is room for, and that there are */
} tile;

static void open_tile(tile *t, int d)
{
  t->most = tile_rows(d);
  t->out = t->number + t->most * (size_t)d;
}

/* The rows from `from` on: direction u's projections are at out + u * padded. */
static void project(tile *t, const dpd_tiled *x, size_t from, const double *dirs, int count)
{
  t->rows = x->n - from < t->most ? x->n - from : t->most;
  t->padded = dpd_padded(t->rows);
  pack(x->rows + from * (size_t)x->d, t->rows, x->d, t->number);
  dpd_project_block(t->number, t->rows, x->d, dirs, count, t->out);
}

void dpd_tiled_count(const dpd_tiled *x, const double *dirs, int count, dpd_tiled_sides *sides)
{
  tile t;
  open_tile(&t, x->d);
  for (int u = 0; u < count; u++)
    sides[u].below = sides[u].above = 0;
  for (size_t from = 0; from < x->n; from += t.most) {
    project(&t, x, from, dirs, count);
    for (int u = 0; u < count; u++) {
      size_t below, above;
      dpd_range_sides(t.out + (size_t)u * t.padded, t.rows, sides[u].at, &below, &above);
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
  b->kept += dpd_range_keep(y, rows, b->lo, b->hi, b->out + b->kept, &below);
  b->below += below;
}

void dpd_tiled_keep(const dpd_tiled *x, const double *dirs, int count, dpd_tiled_band *band,
                    int bands)
{
  tile t;
  open_tile(&t, x->d);
  for (int k = 0; k < count * bands; k++) {
    band[k].kept = band[k].below = 0;
    band[k].lost = false;
  }
  for (size_t from = 0; from < x->n; from += t.most) {
    project(&t, x, from, dirs, count);
    for (int k = 0; k < count * bands; k++)
      keep(t.out + (size_t)(k / bands) * t.padded, t.rows, band + k);
  }
}
