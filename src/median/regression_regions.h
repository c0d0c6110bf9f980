/* regression_regions.h - the lattice fits of all regression depth regions, counted and drawn
 * exactly.
 */
#ifndef MEDIAN_REGRESSION_REGIONS_H
#define MEDIAN_REGRESSION_REGIONS_H

#include "dpd.h"
#include "num/list.h"

/* Numbers of fits: up to 2^165, in limbs as in num/big_integer.h. */
enum { DPD_FIT_LIMBS = 4 };
typedef struct {
  uint64_t limb[DPD_FIT_LIMBS];
} dpd_fit_count;

/* Slopes from..to along the line of fits through one row. In a column, a slope, the region's fits
 * number the sum of end * intercept + point over the pieces that have it. */
typedef struct {
  int64_t from, to;
  int row, end, point;
} dpd_fit_piece;

/* One thread's share of the work. */
typedef struct dpd_fit_walker dpd_fit_walker;

/* Z(l) = {(a, b) in Z^2 : h(a, b) >= l}, h the closed count of depth/regression.h for the fit a + b
 * x. Z(l) is finite just for l > unbounded, and not empty just for l <= levels. */
typedef struct {
  int n, threads;
  const int64_t *x, *y; /* in the order of x, then y */
  const int *group;     /* rank of each row's x among different x */
  int groups;
  int next; /* the line whose turn it is */
  int unbounded, levels;
  dpd_fit_count *count; /* of Z(l), unbounded < l <= levels: count[l] */
  int wanted;           /* the level whose pieces are looked for, or 0 */
  bool *found;          /* of each level: have its pieces been found? */
  dpd_list *pieces;     /* of each level, of dpd_fit_piece */
  dpd_fit_walker *walker;
  void *picking; /* memory for a pick */
} dpd_fit_regions;

enum { DPD_FIT_X_BITS = 40, DPD_FIT_Y_BITS = 60 };

/* Rows are whole numbers, |x| <= 2^40, |y| <= 2^60; n >= 1. The caller closes the regions, also
 * after a failure. Fails: DPD_ERR_MEMORY. */
dpd_status dpd_fit_regions_open(dpd_fit_regions *r, const double *x, const double *y, int n,
                                int threads, dpd_alloc alloc);
void dpd_fit_regions_close(dpd_fit_regions *r);

/* Counts along some more lines: DPD_AGAIN until all are done. The same for any number of threads.
 * Fails: DPD_ERR_MEMORY. */
dpd_status dpd_fit_regions_count(dpd_fit_regions *r);

/* Finds the pieces of a level in the same way, once a level; to be called until it says DPD_OK.
 * Requires: the counts; unbounded < level <= levels. */
dpd_status dpd_fit_regions_find(dpd_fit_regions *r, int level);

/* Fit number `index` of Z(level), index < count[level], in an order that does not depend on the
 * number of threads. Requires: the level's pieces. Fails: never. */
void dpd_fit_regions_pick(const dpd_fit_regions *r, int level, const dpd_fit_count *index,
                          dpd_i128 *intercept, int64_t *slope);

/* Bytes of r->picking for n rows. */
size_t dpd_fit_regions_pick_scratch(int n);

#endif
