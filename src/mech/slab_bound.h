/* slab_bound.h - bounds of regression depth over boxes of fits. */
#ifndef MECH_SLAB_BOUND_H
#define MECH_SLAB_BOUND_H

#include "dpd.h"

enum { DPD_SLAB_SLOPES = 4 }; /* at most */

/* Fits (s, t) with residuals y - sum_k s_k u_k - t v: for a slope s_0 u_0 is the regressor and
 * v = 1, for an intercept the other way round. All numbers finite; y at most 2^810 in size, all
 * others 2^510. */
typedef struct {
  int n;
  const double *y, *v;
  int slopes;      /* numbers s_k of a fit, 1 to DPD_SLAB_SLOPES */
  const double *u; /* n x slopes */
  int directions;
  const double *along; /* n x directions: rows are split between different values of one */
  const double *room;  /* n: by how much y may be off; NULL: not */
  /* The quantile above / (above + below), by shifted counts; 0 and 0: the median, by counts. */
  int above, below;
} dpd_slab_rows;

typedef struct {
  double lo[DPD_SLAB_SLOPES], hi[DPD_SLAB_SLOPES];
} dpd_slab_box;

typedef struct dpd_slab_bound dpd_slab_bound;

/* reach: slopes, what no s_k of a box exceeds in size; public. */
void dpd_slab_bound_open(dpd_slab_bound **out, const dpd_slab_rows *rows, const double *reach,
                         dpd_alloc alloc);

/* The score U of a box, see METHOD; or, once it is known to be at least `enough`, a lower bound of
 * it that is so. */
int dpd_slab_bound_of(dpd_slab_bound *m, const dpd_slab_box *box, int enough);

/* The same of a number that is no less than the score of any box within this one whose sides are
 * at most fine[k]. For the search alone: it may move by more than one with a row. */
int dpd_slab_bound_within(dpd_slab_bound *m, const dpd_slab_box *box, const double *fine,
                          int enough);

/* False: no box within this one whose sides are at most fine[k] has a score of `enough` or more.
 * Tells boxes apart where rows lie at few values of u / v, which the number above may not. For the
 * search alone. */
bool dpd_slab_bound_may_reach(dpd_slab_bound *m, const dpd_slab_box *box, const double *fine,
                              int enough);

/* How far s_k moves the residual of a middling row, other numbers following it. */
double dpd_slab_bound_pull(const dpd_slab_bound *m, int k);

#endif
