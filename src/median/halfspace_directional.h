/* halfspace_directional.h - a deepest point of the directional halfspace depth. */
#ifndef MEDIAN_HALFSPACE_DIRECTIONAL_H
#define MEDIAN_HALFSPACE_DIRECTIONAL_H

#include <stdbool.h>

#include "dpd.h"

/* Data (n x d) and directions (count x d), column-major; row k < d of these is a positive multiple
 * of axis `axes[k]`. centre: each column's order statistic floor((n + 1)/2); scale > 0; err: as in
 * depth/halfspace.h. */
typedef struct {
  const double *data, *dirs;
  const int *axes;
  const double *centre, *scale, *err;
  int n, d, count, threads;
} dpd_directional;

/* A search. level: that of the region, once it has ended; done, total: directions that were passed,
 * as far as is known. The rest is its own. */
typedef struct {
  int level;
  double done, total;
  const dpd_directional *m;
  enum { DPD_AT_CENTRE, DPD_KEEP_LEVELS, DPD_TRY_LEVEL } stage;
  int next;          /* direction at which a pass stands */
  int lo, hi;        /* levels that may be the deepest */
  bool have_point;   /* a point of level lo is known */
  int first, last;   /* levels whose order statistics are kept */
  double *kept;      /* direction k: ranks first..last, then n + 1 - last..n + 1 - first */
  double *a, *b, *c; /* the linear program */
  double *solution, *projection;
  int *basis;
  void *work, *depth_scratch;
} dpd_directional_search;

/* The centre of a largest ball, in coordinates divided by `scale`, within the deepest region
 * {z : u'z <= (level-th largest u'x_i), u = +-dirs[k]}, and its level. scratch: that many bytes.
 * Requires: n >= 1, 1 <= d <= count.
 * dpd_median_directional() goes on by at most `block` directions or one linear program, and returns
 * DPD_AGAIN until z is that point. Fails: DPD_ERR_LIMIT (rounding). */
size_t dpd_median_directional_scratch(const dpd_directional *m);
void dpd_median_directional_open(dpd_directional_search *s, const dpd_directional *m, double *z,
                                 void *scratch);
dpd_status dpd_median_directional(dpd_directional_search *s, int block, double *z);

#endif
