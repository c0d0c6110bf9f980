/* restricted.h - bounds of the lattice points of directional depth regions in space. */
#ifndef MARGIN_RESTRICTED_H
#define MARGIN_RESTRICTED_H

#include "dpd.h"
#include "geom/lattice_cell.h"

/* Rows of whole numbers up to 2^35 in size; up to 1003 directions of whole numbers up to 2^11 in
 * size, with |u|_1 below 2^12, among them a multiple of each axis. Z(l) = {z in Z^3 : y_u(l) <= u'z
 * <= y_u(n+1-l) for all directions}, y_u(r) the r-th smallest u'x_i. */
typedef struct {
  int n, count, threads;
  const double *rows; /* column-major, n x 3 */
  /* filled in: */
  int sorted_count; /* directions whose projections are there */
  double *dirs;     /* count x 3, row-major */
  double *sorted;   /* direction u: sorted[u * n] ... */
  void *levels;     /* the threads' memory */
} dpd_space;

/* Lays out s, whose n, count, threads and rows are there, in `scratch`, that many bytes; dirs:
 * column-major, count x 3. */
size_t dpd_restricted_bounds_scratch(int n, int count, int threads);
void dpd_restricted_bounds_open(dpd_space *s, const double *dirs, void *scratch);

/* Projects the rows on some more of the directions: DPD_AGAIN until all are done. */
dpd_status dpd_restricted_bounds_project(dpd_space *s);

/* To be zeroed but for `level` and the arrays. */
typedef struct {
  int level, next, levels;
  double *upper; /* level of them: log upper bounds of |Z(1)|, ..., |Z(level)| */
  double *lower; /* n of them: log lower bounds of |Z(level)|, ... as far as they are above 0 */
} dpd_restricted_bounds_bounds;

/* Fills `b` for some more levels: DPD_AGAIN until all are done. The bounds are logarithms of
 * volumes that are nested, each to within 2^-37: see the file's header. The same for any number of
 * threads. Requires: 1 <= b->level <= n. */
dpd_status dpd_restricted_bounds_bound(const dpd_space *s, dpd_restricted_bounds_bounds *b);

/* Whether z is in Z(level). Requires: |z| <= 2^39. */
bool dpd_restricted_bounds_holds(const dpd_space *s, int level, const int64_t z[3]);

/* Z(l) is the points of `cell`, plus `centre`, as far as they are in it. */
typedef struct {
  int64_t centre[3];
  dpd_cell cell;
  bool certain; /* that it is not empty */
} dpd_restricted_bounds_cell;

/* Those of Z(level), ..., as far as these may hold points. To be zeroed but for `level` and the
 * arrays: of n, and of DPD_CELL_COLUMNS times n. */
typedef struct {
  int level, cells;
  dpd_restricted_bounds_cell *cell;
  dpd_cell_column *column;
} dpd_restricted_bounds_cells;

/* Fills `b` for some more levels, as above. */
dpd_status dpd_restricted_bounds_find_cells(const dpd_space *s, dpd_restricted_bounds_cells *b);

#endif
