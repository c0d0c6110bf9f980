/* deep_point.h - a deep point of projected rows, found quickly: where to look, not an estimate. */
#ifndef MEDIAN_DEEP_POINT_H
#define MEDIAN_DEEP_POINT_H

#include "num/rank_window.h"

/* Bytes of workspace that the functions below need. */
size_t dpd_deep_point_scratch(const dpd_projected *p);

/* The coordinate-wise median of the rows. */
void dpd_deep_point_coordinatewise(const dpd_projected *p, double *work, double *z);

/* Improves on the coordinate-wise median by the depth along some directions of some rows. */
void dpd_deep_point_find(const dpd_projected *p, double *work, double *z);

#endif
