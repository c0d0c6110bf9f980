/* deepest.h - how far apart fits of a given regression depth lie, at every depth. */
#ifndef SENS_DEEPEST_H
#define SENS_DEEPEST_H

#include "depth/regression.h"
#include "dpd.h"

/* The four ranges of a set of fits: intercept, slope, their sum and their difference. */
enum { DPD_SIDES = 4 };

/* Ends of sides are whole numbers within -+2^48; beyond, they are these. */
#define DPD_SIDE_MOST 0x1p48
/* The deepest vertices' coordinates are summed in units of 2^-6, and moved to within -+2^45. */
#define DPD_MEAN_UNIT 0x1p-6
#define DPD_MEAN_MOST 0x1p45

typedef struct {
  int n, deepest;  /* the largest depth of a vertex; 0 if none was seen yet */
  int64_t count;   /* vertices of that depth */
  dpd_i128 sum[2]; /* of their intercepts and slopes, each rounded to DPD_MEAN_UNIT */
  double
      *lo[DPD_SIDES]; /* n + 1 each: the floor of the least value at the vertices of this depth */
  double *hi[DPD_SIDES]; /* the ceiling of the largest; lo > hi where there is no vertex */
} dpd_spreads;

/* An empty result in `memory`, dpd_spreads_scratch(n) bytes. */
size_t dpd_spreads_scratch(int n);
void dpd_spreads_open(dpd_spreads *s, int n, double *memory);

/* Vertices of the dual arrangement with depth `floor` or more whose first line is one of
 * first..last-1. */
typedef struct {
  int first, last, floor, threads;
} dpd_spreads_range;

/* Adds them, exactly. O(n log n) per line; the result does not depend on `threads`. scratch: that
 * many bytes, of as many threads or more.
 * Requires: n <= 2^22, l->pad == 0 and coordinates as in plane/slope_sort.h. */
size_t dpd_spreads_add_scratch(int n, int threads);
void dpd_spreads_add(dpd_spreads *s, const dpd_lines *l, const dpd_spreads_range *r, void *scratch);

/* The ends at this depth or more, in place of at this depth. */
void dpd_spreads_nest(dpd_spreads *s);

/* The largest depth of an unbounded edge of the arrangement: fits through a row may be ever steeper
 * without losing that depth. work: 2 n doubles. O(n log n). */
int dpd_unbounded_depth(const dpd_lines *l, double *work);

#endif
