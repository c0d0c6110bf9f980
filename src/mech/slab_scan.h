/* slab_scan.h - where regression depth outside nested slabs first passes thresholds. */
#ifndef MECH_SLAB_SCAN_H
#define MECH_SLAB_SCAN_H

#include "dpd.h"

/* Fits (s, t) with residuals y - s u - t v: for a slope s u is the regressor and v = 1, for an
 * intercept the other way round. All numbers finite and at most 2^510 in size. */
typedef struct {
  int n;
  const double *y, *u, *v;
  const double *x; /* rows are split between different values of it */
} dpd_slab_rows;

/* Slabs K_0 > K_1 > ... of fits by s. From edge[0] the edges go towards the slabs' common centre:
 * cell j of a side, between its edges j and j + 1, is what K_j leaves out and K_(j-1) does not.
 * Equal edges: no cell there. */
typedef struct {
  const double *edge[2]; /* sides: cells + 1 edges each, one side falling, the other rising */
  int cells;
  int parts;        /* a cell is halved so many times, at most */
  const int *least; /* cells: what the maximum outside K_j must reach for the scan to halt at j */
} dpd_slab_cells;

typedef struct dpd_slab_scan dpd_slab_scan;

void dpd_slab_open(dpd_slab_scan **out, const dpd_slab_rows *rows, const dpd_slab_cells *cells,
                   dpd_alloc alloc);

/* A block of work. DPD_OK: *halt is the first j at which the scan halts, or `cells` if none is.
 * DPD_AGAIN: call again. */
dpd_status dpd_slab_advance(dpd_slab_scan *m, int *halt);

/* The score of a part of the slabs' outside, lo <= s <= hi: see METHOD. For tests, not for release.
 */
int dpd_slab_bound(dpd_slab_scan *m, double lo, double hi);

#endif
