/* idd_smooth.h - smoothed integrated dual depth. */
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
  void *work; /* dpd_idd_smooth_scratch() bytes */
} dpd_smooth;

size_t dpd_idd_smooth_scratch(const dpd_smooth *k);
void dpd_smooth_begin(dpd_smooth *k);

/* Directions from..to - 1. The error of a depth is below 1e-8. Terms are rounded to multiples of
 * 2^-60 and added as whole numbers: the result does not depend on blocks or threads. */
void dpd_smooth_run(dpd_smooth *k, int from, int to);
void dpd_smooth_end(const dpd_smooth *k, int count, double *depth);

#endif
