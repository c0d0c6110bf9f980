/* angle_sweep.h - walks over directions in order, for the least count between ties. */
#ifndef PLANE_ANGLE_SWEEP_H
#define PLANE_ANGLE_SWEEP_H

#include "plane/angle.h"

/* The direction from p to a row: the interval of its key, and whether it is negated. */
typedef struct {
  double lo, hi;
  int row, sign;
} dpd_ray;

typedef struct {
  const dpd_angle *k;
  bool exact; /* intervals are points, and cross products decide between equal keys */
  int away;   /* rows not at p; here and in all counts an entry stands for its rows */
  int best;   /* the least count so far, and where it was found */
  double best_key;
  bool best_opposite;
} dpd_walk;

/* Where a walk is: the count of rows inside, and the end of the last interval. */
typedef struct {
  int f;
  double reach;
} dpd_place;

dpd_ray dpd_ray_make(const dpd_walk *s, int row);

/* Sorts by key, and in the exact case equal keys by angle. `spare` holds n rays. */
void dpd_sweep_sort(const dpd_walk *s, dpd_ray *r, dpd_ray *spare, int n);

/* Whether two rays that follow each other in order have the same direction; exact case only. */
bool dpd_sweep_tied(const dpd_walk *s, const dpd_ray *a, const dpd_ray *b);

/* Takes the count f at a key, or that of the opposite direction, if it is the least so far. */
void dpd_sweep_consider(dpd_walk *s, int f, double key);

/* Walks over rays in any order and considers the count wherever no interval lies; `at` is where
 * it starts and then where it ends. What lies before the first ray is considered, what lies
 * after the last is not. Expected O(n); parts that cannot be better are not sorted. */
void dpd_sweep_over(dpd_walk *s, dpd_ray *r, dpd_ray *spare, int n, dpd_place *at);

#endif
