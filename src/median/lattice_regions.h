/* lattice_regions.h - the lattice points of all halfspace depth regions, counted and drawn exactly.
 */
#ifndef MEDIAN_LATTICE_REGIONS_H
#define MEDIAN_LATTICE_REGIONS_H

#include "dpd.h"
#include "plane/lattice_polygon.h"

/* Z(l) = {z in Z^d : h(z) >= l}, h the closed count of depth/halfspace.h, for l = 1..levels. */
typedef struct {
  int d, levels;
  dpd_u128 *count;              /* count[l - 1]: points of Z(l); falls with l, and is above 0 */
  dpd_lattice_polygon *columns; /* d = 2 */
  double *sorted;               /* the columns */
  int n;
} dpd_lattice_regions;

/* Rows: n x d whole numbers, column-major, at most 2^40 (d = 2) or 2^50 (d = 1) in size. The caller
 * closes the regions, also after a failure. The same for any number of threads.
 * Requires: d = 1 or 2, n >= 1. Fails: DPD_ERR_MEMORY. */
dpd_status dpd_lattice_regions_open(dpd_lattice_regions *r, const double *rows, int n, int d,
                                    int threads, dpd_alloc alloc);
void dpd_lattice_regions_close(dpd_lattice_regions *r);

/* Point number `index` of Z(level), 0 <= index < count[level - 1], in some order. */
void dpd_lattice_regions_pick(const dpd_lattice_regions *r, int level, dpd_u128 index, int64_t *z);

#endif
