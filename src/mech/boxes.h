/* boxes.h - the exponential mechanism over nested boxes: a level, then a point of its box. */
#ifndef MECH_BOXES_H
#define MECH_BOXES_H

#include "dpd.h"
#include "samp/level.h"

/* Levels 0, 1, ... have boxes, each within the one before. */
typedef struct {
  int d, count;     /* axes; levels, of which those from the first empty box on do not count */
  int runs;         /* levels first[r] .. first[r + 1] - 1 share a box, first[0] = 0 and */
  const int *first; /* first[1] = 1; NULL: `runs` is not read, each level has its own */
  dpd_rate eps;
  void *of; /* handed to these: */
  /* Makes axis j the one that is asked about; level >= 0: about the box of that level alone. */
  void (*enter)(void *of, int j, int level);
  /* The mass of the level's box along that axis by a public measure, at most 2^127; 0: empty. */
  dpd_u128 (*mass)(void *of, int level);
  /* The point of that box that holds unit `unit` of this mass. */
  double (*point)(void *of, int level, dpd_u128 unit);
} dpd_boxes_spec;

typedef struct dpd_boxes dpd_boxes;

enum { DPD_BOXES_AXES = 1 << 26 }; /* at most */

/* Requires 1 <= count < 2^31, 1 <= d <= DPD_BOXES_AXES, and `of` until the last draw. */
dpd_boxes *dpd_boxes_open(const dpd_boxes_spec *spec, dpd_alloc alloc);

/* The levels' weights, an axis at a time: call it while it says DPD_AGAIN.
 * Fails: DPD_ERR_DOMAIN if level 0 is empty. */
dpd_status dpd_boxes_prepare(dpd_boxes *m);

/* One exact draw x (d): z has weight mass(z) f(h(z)), h(z) the last level that holds z, f(0) = 1
 * and f(t) <= f(t + 1) <= exp(eps / 2) f(t), and f(t) is exp(eps t / 2) but for rounding.
 * Requires dpd_boxes_prepare() to be done. DPD_AGAIN after each axis but the last: call again with
 * the same x. */
dpd_status dpd_boxes_draw(dpd_boxes *m, dpd_rng *rng, double *x);

/* The level of the last draw: x lies in its box, drawn by the masses. Not for a release. */
int dpd_boxes_level(const dpd_boxes *m);

/* The levels that hold a point. They depend on the data: for tests, never for a release. */
const dpd_levels *dpd_boxes_levels(const dpd_boxes *m);

/* Boxes that are given by their ends, whole numbers: level k's are low[k + j count] and
 * high[k + j count] along axis j. A point has mass 1. */
typedef struct {
  int count, d;
  const double *low, *high;
  dpd_rate eps;
} dpd_box_ends;

/* Requires ends of at most 2^52 in size, and `ends` until the last draw.
 * Fails: DPD_ERR_DOMAIN for no level, and for axes of another number. */
dpd_status dpd_boxes_open_ends(dpd_boxes **out, const dpd_box_ends *ends, dpd_alloc alloc);

#endif
