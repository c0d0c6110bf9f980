/* boxes.h - the exponential mechanism over nested boxes that are given by their ends. */
#ifndef MECH_BOXES_H
#define MECH_BOXES_H

#include "dpd.h"
#include "samp/level.h"

typedef struct {
  int count, d;             /* levels and axes */
  const double *low, *high; /* count x d, column-major: whole numbers of at most 2^52 in size */
  dpd_rate eps;
} dpd_boxes_spec;

typedef struct dpd_boxes dpd_boxes;

/* Requires 1 <= count < 2^31, 1 <= d <= 2^26, `low` and `high` until the last draw, level 0 not
 * empty, and each level's box within the one before. Levels from the first empty one on do not
 * count. Fails: DPD_ERR_DOMAIN on a broken Requires. */
dpd_status dpd_boxes_open(dpd_boxes **out, const dpd_boxes_spec *spec, dpd_alloc alloc);

/* One exact draw x (d): z has weight f(h(z)), h(z) the last level that holds z, f(0) = 1 and
 * f(t) <= f(t + 1) <= exp(eps / 2) f(t), and f(t) is exp(eps t / 2) but for rounding. */
dpd_status dpd_boxes_draw(const dpd_boxes *m, dpd_rng *rng, double *x);

/* The levels that hold a point. They depend on the data: for tests, never for a release. */
const dpd_levels *dpd_boxes_levels(const dpd_boxes *m);

#endif
