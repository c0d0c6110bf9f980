/* idd_smooth.h - smoothed integrated dual depth, and the ascent to its deepest point. */
#ifndef DEPTH_IDD_SMOOTH_H
#define DEPTH_IDD_SMOOTH_H

#include "dpd.h"

/* Mean over directions of G (1 - G), G(t) = mean of plogis(s (t - u'x_i)), at t = u'q. */
typedef struct {
  const double *rows;   /* n rows, packed by dpd_pack_rows() */
  const double *points; /* m points, packed; the same pointer as `rows` if they are the data */
  int n, m, d, count;
  const double *dirs; /* count x d, a direction after the other */
  double s;           /* > 0 */
  int threads;
  void *work; /* dpd_smooth_work_size() bytes */
} dpd_smooth;

size_t dpd_smooth_work_size(const dpd_smooth *k);
void dpd_smooth_begin(dpd_smooth *k);

/* Directions from..to - 1. The error of a depth is below 1e-8. Terms are rounded to multiples of
 * 2^-60 and added as whole numbers: the result does not depend on blocks or threads. */
void dpd_smooth_run(dpd_smooth *k, int from, int to);
void dpd_smooth_end(const dpd_smooth *k, int count, double *depth);

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
  void *work;   /* dpd_idd_smooth_median_work_size() bytes */
} dpd_idd_smooth_median;

/* Nodes for each table within a budget of memory. */
int dpd_idd_smooth_median_nodes(int count);
size_t dpd_idd_smooth_median_work_size(const dpd_idd_smooth_median *a);

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
