/* idd_smooth.h - the ascent to the deepest point of smoothed integrated dual depth. */
#ifndef MEDIAN_IDD_SMOOTH_H
#define MEDIAN_IDD_SMOOTH_H

#include "dpd.h"

/* Tables of G around the middle of each projection, for the ascent. */
typedef struct {
  const double *rows;
  int n, d, count;
  const double *dirs;
  double s;
  int threads;
  int nodes;    /* of each table, at most */
  double *node; /* count x 2 nodes doubles */
  double *lo;   /* count: first nodes */
  int *used;    /* count: nodes used */
  double *slow; /* padded n doubles: for points outside of a table */
  void *work;   /* dpd_idd_smooth_median_scratch() bytes */
} dpd_idd_smooth_median;

/* Nodes for each table within a budget of memory. */
int dpd_idd_smooth_median_nodes(int count);
size_t dpd_idd_smooth_median_scratch(const dpd_idd_smooth_median *a);

/* Tables of directions from..to - 1. */
void dpd_idd_smooth_median_tabulate(dpd_idd_smooth_median *a, int from, int to);

/* Whether q is inside of all tables, so that its depth costs O(count d). */
bool dpd_idd_smooth_median_covers(const dpd_idd_smooth_median *a, const double *q);

/* Depth at q, and with `gradient` (d) and `metric` (d x d: mean of G'^2 u u') if not NULL. */
double dpd_idd_smooth_median_value(const dpd_idd_smooth_median *a, const double *q,
                                   double *gradient, double *metric);

/* Climbs from q to a point where the gradient vanishes or no step improves; returns the depth
 * there. work: d (d + 4) doubles. */
double dpd_idd_smooth_median_climb(const dpd_idd_smooth_median *a, double *q, double *work);

#endif
