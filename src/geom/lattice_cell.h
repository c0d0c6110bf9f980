/* lattice_cell.h - lattice points of a polytope: a narrow box that holds them, or all of them. */
#ifndef GEOM_LATTICE_CELL_H
#define GEOM_LATTICE_CELL_H

#include "dpd.h"
#include "geom/halfspaces.h"

enum { DPD_CELL_COLUMNS = 256 };

/* The points with the first two coordinates k and `count` values of the third from `low` on. */
typedef struct {
  int64_t k[2], low, count;
} dpd_cell_column;

/* Points base[0] k_0 + base[1] k_1 + base[2] k_2 of a basis of Z^3 with low <= k < low + size. */
typedef struct {
  int64_t base[3][3], low[3], size[3];
  double count; /* those of the box to within 2^-51; if counted, of the polytope */
  bool counted;
  int columns;             /* if counted: those of the polytope */
  dpd_cell_column *column; /* the caller's */
} dpd_cell;

/* A box that holds all lattice points of the polytope. If it has few columns (DPD_CELL_COLUMNS
 * at most), then the polytope's points in each are counted and go to `column`, which has that much
 * room. Requires: solid->n > 0, coordinates of at most 2^38. */
void dpd_cell_fit(const dpd_solid *solid, dpd_cell_column *column, dpd_cell *cell);

/* The point with these coordinates; false if it is beyond 2^39. */
bool dpd_cell_point(const dpd_cell *cell, const int64_t k[3], int64_t z[3]);

/* Point number `index` of the polytope. Requires: cell->counted, index < cell->count. */
void dpd_cell_pick(const dpd_cell *cell, uint64_t index, int64_t z[3]);

#endif
