/* projection.h - projection outlyingness over a set of directions. */
#ifndef DEPTH_PROJECTION_H
#define DEPTH_PROJECTION_H

#include "dpd.h"
#include "num/location.h"

/* O(q) = max over u of |u'q - T_u|/S_u, T_u and S_u the location and scale of u'x_1..u'x_n,
 * with 0/0 = 0 and x/0 = Inf. */
typedef struct {
  dpd_center center;
  const double *rows;   /* n rows, packed, with typical values taken off (dpd_typical()) */
  const double *points; /* m points, packed likewise; the same pointer if they are the data */
  int n, m, d, count;
  const double *dirs;      /* count x d, a direction after the other */
  const double *magnitude; /* d typical sizes of the packed rows */
  int threads;
  double *location, *scale; /* count each: filled in by dpd_outlyingness_run() */
  void *work;               /* dpd_outlyingness_scratch() bytes */
} dpd_outlyingness;

/* The median of each column of x (n x d, column-major) and the median distance to it.
 * work: 3 n doubles. */
void dpd_typical(const double *x, size_t n, int d, double *centre, double *magnitude, double *work);

size_t dpd_outlyingness_scratch(const dpd_outlyingness *o);
void dpd_outlyingness_begin(dpd_outlyingness *o);

/* Directions from..to - 1; the same bits for any blocks and threads, since maxima are exact. */
void dpd_outlyingness_run(dpd_outlyingness *o, int from, int to);
void dpd_outlyingness_end(const dpd_outlyingness *o, double *outlyingness);

/* The first direction of positive scale with the largest ratio at each point, zero-based, or -1.
 * Locations and scales must be there. work: DPD_BLOCK_ROWS x count doubles. */
void dpd_outlyingness_worst(const dpd_outlyingness *o, int *direction, double *work);

/* The scale of projections along u: zero if it is within rounding error of zero. */
double dpd_outlyingness_scale(double scale, const double *u, int d, const double *magnitude);

#endif
