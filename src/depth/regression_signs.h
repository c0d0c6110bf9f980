/* regression_signs.h - the regression depth of a fit whose residuals change sign one by one. */
#ifndef DEPTH_REGRESSION_SIGNS_H
#define DEPTH_REGRESSION_SIGNS_H

#include "dpd.h"

typedef struct dpd_signs_node dpd_signs_node;

/* Signs of the residuals of n rows in groups of equal x, which are numbered in the order of x. */
typedef struct {
  int n, groups, leaves;
  const int *group; /* of each row */
  signed char *sign;
  int above, below; /* rows of sign 1 and -1 */
  dpd_signs_node *node;
} dpd_signs;

/* Bytes of workspace, aligned as by malloc. */
size_t dpd_signs_scratch(int n, int groups);

/* Requires: n, groups >= 1. The caller keeps `group` and `work`. */
void dpd_signs_open(dpd_signs *s, const int *group, int n, int groups, void *work);

/* To be called after s->sign[0..n-1] were set: O(n). */
void dpd_signs_fill(dpd_signs *s);

/* Sets one row's sign: O(log groups). */
void dpd_signs_set(dpd_signs *s, int row, int sign);

/* The closed count of depth/regression.h: O(1). */
int dpd_signs_depth(const dpd_signs *s);

#endif
