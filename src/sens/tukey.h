/* tukey.h - how far halfspace depth regions of integer data in the plane reach, exactly. */
#ifndef SENS_TUKEY_H
#define SENS_TUKEY_H

#include "dpd.h"
#include "plane/line_sweep.h"

/* Regions along given directions: `sides` of them, side[k] and side[k + sides] the
 * components of the k-th, whole numbers of at most 2^15; value: n x sides, each column the sorted
 * projections. The first two directions are the axes. */
typedef struct {
  const double *value, *side;
  int n, sides;
  const int *level;
  int count;
} dpd_tukey_sides;

enum { DPD_TUKEY_REACHES = 8 };

/* For each level k: found[k], whether the region is not empty; if so, reach[8 k + s] is the least
 * whole number that w_s'z does not exceed in it, for w_s = e1, -e1, e2, -e2, e1 + e2, -e1 - e2,
 * e1 - e2, e2 - e1. For level number `at`, unless negative, `centre` is a point of the region to
 * within 2^-10: its centroid, near enough. Fails: DPD_ERR_MEMORY. */
typedef struct {
  int *found;
  double *reach, *centre;
} dpd_tukey_reaches;

/* t: whole numbers of at most 2^29 in size, pad = 0. scratch: dpd_tukey_reach_scratch() bytes. */
size_t dpd_tukey_reach_scratch(const dpd_plane_levels *t);
dpd_status dpd_tukey_reach(const dpd_plane_levels *t, int at, const dpd_tukey_reaches *out,
                           void *scratch);

/* The same for regions along directions. scratch: dpd_tukey_sides_scratch() bytes. */
size_t dpd_tukey_sides_scratch(const dpd_tukey_sides *t);
void dpd_tukey_sides_reach(const dpd_tukey_sides *t, int at, const dpd_tukey_reaches *out,
                           void *scratch);

#endif
