/* slab_scan.h - where regression depth outside nested slabs first passes thresholds. */
#ifndef MECH_SLAB_SCAN_H
#define MECH_SLAB_SCAN_H

#include "mech/slab_bound.h"

/* Slabs K_0 > K_1 > ... of fits by s_0, all with s_k, k >= 1, from low[k] to high[k]. From edge[0]
 * the edges go towards the slabs' common centre: cell j of a side, between its edges j and j + 1,
 * is what K_j leaves out and K_(j-1) does not. Equal edges: no cell there. */
typedef struct {
  const double *edge[2]; /* sides: cells + 1 edges each, one side falling, the other rising */
  int cells;
  int parts;                /* a cell, and each other range, is halved so many times, at most */
  const double *low, *high; /* of s_1 and on: slopes - 1 */
  const int *min; /* cells: what the maximum outside K_j must reach for the scan to halt at j */
} dpd_slab_cells;

typedef struct dpd_slab_scan dpd_slab_scan;

void dpd_slab_open(dpd_slab_scan **out, const dpd_slab_rows *rows, const dpd_slab_cells *cells,
                   dpd_alloc alloc);

/* A block of work. DPD_OK: *halt is the first j at which the scan halts, or `cells` if none is.
 * DPD_AGAIN: call again. */
dpd_status dpd_slab_advance(dpd_slab_scan *m, int *halt);

/* How many scores were computed so far. PRIVATE. */
int64_t dpd_slab_bounds(const dpd_slab_scan *m);

#endif
