/* medsweep_count.h - how many rows can lie steeper than t about a centre that may move in a box. */
#ifndef SENS_MEDSWEEP_COUNT_H
#define SENS_MEDSWEEP_COUNT_H

#include "dpd.h"

/* A row (u, v) is steep about the centre c, at t, if its ratio (u - c_u) / (v - c_v) is above t:
 * with the residuals w = u - t v and s = c_u - t c_v,
 *   v >= c_v and w > s, or v < c_v and w < s, or t < 0, v = c_v and w = s (the ratio 0/0 is 0).
 * This is decided on the residuals as doubles, so it is a function of the row, t and c alone. */
typedef struct {
  int n, p;             /* rows; the median's rank, from 1 */
  const double *u, *v;  /* the rows in ascending order of v */
  const double *sorted; /* u in ascending order */
  const int *first;     /* the first row with the same v */
  double *w, *slot;     /* workspaces of n */
  int *place, *right;
  struct dpd_node *tree;
} dpd_medsweep_count;

/* Requires: n >= 1; u, v finite, |t v| and |u| below 2^1000 for every t that will be asked for.
 * Keeps copies. */
dpd_medsweep_count dpd_medsweep_count_make(const double *u, const double *v, int n,
                                           dpd_alloc alloc);

/* Over the centres of the box [u_(p-k), u_(p+k)] x [v_(p-k), v_(p+k)]: whether at one of them at
 * least (`most`) or at most (not `most`) `count` rows are steep. (For the least, the ratio 0/0 need
 * not count as above a negative t if the box is no point.) Requires: 0 <= k < p, t not 0. Ensures:
 * for data that differ in one row, if the answer is yes at k and count, it is yes for the other at
 * k + 1 and count - 1 (count + 1). */
bool dpd_medsweep_count_reach(dpd_medsweep_count *q, double t, int k, int count, bool most);

#endif
