/* polytope.h - convex polytopes in space as intersections of halfspaces. */
#ifndef GEOM_POLYTOPE_H
#define GEOM_POLYTOPE_H

#include "dpd.h"
#include "num/list.h"

/* A point in space. */
typedef struct {
  double z[3];
} dpd_corner;

/* A face: its corners in their order; how far it is beyond the last halfspace. */
typedef struct {
  dpd_list corner; /* of dpd_corner */
  double excess;
} dpd_face;

/* Without faces it is empty. */
typedef struct {
  dpd_list face; /* of dpd_face */
  double tol;    /* distances up to this are rounding */
} dpd_polytope;

/* The box lower < z < upper. Fails: DPD_ERR_MEMORY; close it then, too. */
dpd_status dpd_polytope_open(dpd_polytope *p, const double lower[3], const double upper[3],
                             double tol);
void dpd_polytope_close(dpd_polytope *p);

/* Intersects with u'z <= c, u a unit vector. A polytope that is left without interior is empty
 * (no faces). Fails: DPD_ERR_MEMORY. */
dpd_status dpd_polytope_cut(dpd_polytope *p, const double u[3], double c);

double dpd_polytope_volume(const dpd_polytope *p);

/* Requires: faces. */
void dpd_polytope_centroid(const dpd_polytope *p, double z[3]);

#endif
