/* sens_restricted.h - bounds of the lattice points of directional depth regions in space. */
#ifndef SENS_RESTRICTED_H
#define SENS_RESTRICTED_H

#include "dpd.h"

/* Rows of whole numbers up to 2^35 in size; directions of whole numbers with |u|_1 below 2^12,
 * among them a multiple of each axis. Z(l) = {z in Z^3 : y_u(l) <= u'z <= y_u(n+1-l) for all
 * directions}, y_u(r) the r-th smallest u'x_i. */
typedef struct {
  int n, count;
  double *dirs;   /* count x 3, row-major */
  double *sorted; /* direction u: sorted[u * n] ... */
} dpd_space;

/* From column-major rows (n x 3) and directions (count x 3); to be closed, also after a failure.
 * Fails: DPD_ERR_MEMORY. */
dpd_status dpd_space_open(dpd_space *s, const double *rows, int n, const double *dirs, int count);
void dpd_space_close(dpd_space *s);

typedef struct {
  int level, levels;
  double *upper; /* level of them: log upper bounds of |Z(1)|, ..., |Z(level)| */
  double *lower; /* n of them: log lower bounds of |Z(level)|, ... as far as they are above 0 */
  double *box;   /* 6 n: a box that holds Z(level), ...: three lower, three upper ends */
  int boxes;     /* as far as Z(l) may hold a point */
} dpd_space_bounds;

/* Fills `b`, whose arrays the caller gives. Both kinds of bounds are nested to within their
 * rounding: see the file's header. The same for any number of threads. Requires: 1 <= b->level <=
 * n. Fails: DPD_ERR_MEMORY; DPD_ERR_LIMIT (rounding). */
dpd_status dpd_space_bound(const dpd_space *s, int threads, dpd_space_bounds *b);

#endif
