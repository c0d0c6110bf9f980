/* integrated.h - local search for the deepest point of the integrated rank depths. */
#ifndef MEDIAN_INTEGRATED_H
#define MEDIAN_INTEGRATED_H

#include "depth/integrated.h"

/* Exact depths near a centre, from the projections next to the centre's. */
typedef struct {
  dpd_rank_kind kind; /* DPD_RANK_IRW or DPD_RANK_IDD */
  const double *rows; /* packed */
  int n, d, count;
  const double *dirs;
  int threads;
  int width;       /* distinct projections kept, on each direction */
  double *centre;  /* d */
  double *value;   /* count x width: distinct projections, increasing */
  int *up_to;      /* count x width: #{y <= value} */
  int *below;      /* count: #{y < the window} */
  int *kept;       /* count */
  double *lo, *hi; /* count: the window in which counts are known */
  double *work;    /* dpd_integrated_median_scratch() bytes */
} dpd_integrated_median;

/* Distinct projections to keep for n rows. */
int dpd_integrated_median_width(int n);
size_t dpd_integrated_median_scratch(const dpd_integrated_median *s);

/* Fills the windows around s->centre for directions from..to - 1. */
void dpd_integrated_median_fill(dpd_integrated_median *s, int from, int to);

/* Sum over directions of the kind's counts at q, a whole number as in depth/integrated.h; false
 * if q is outside a window. */
bool dpd_integrated_median_total(const dpd_integrated_median *s, const double *q, dpd_u128 *total);

/* Climbs from the centre by steps along axes and directions, within the windows. Returns whether
 * it was stopped by one: fill again around q and go on. q: d numbers, the point reached, at least
 * as deep as the centre. work: 2 d. */
bool dpd_integrated_median_climb(const dpd_integrated_median *s, double *q, double *work);

#endif
