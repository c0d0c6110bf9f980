/* polygon.h - convex polygons as intersections of halfplanes. */
#ifndef PLANE_POLYGON_H
#define PLANE_POLYGON_H

#include "dpd.h"
#include "num/list.h"

/* The halfplane u'(z - a) <= 0; u is a unit vector, a lies on its edge. */
typedef struct {
  double u[2], a[2];
} dpd_halfplane;

typedef struct {
  double z[2];
  dpd_halfplane edge; /* whose edge leads from here to the next vertex */
  bool checked;       /* for the caller; new vertices are not */
} dpd_vertex;

/* Counterclockwise; one vertex is a point, two are a segment, none is the empty set. */
typedef struct {
  dpd_vertex *vertex; /* n of them, in `kept` */
  int n;
  double tol;           /* distances up to this are rounding */
  dpd_list kept, spare; /* memory for the vertices, and for those after a cut */
} dpd_polygon;

/* The rectangle lower <= z <= upper, which may be a segment or a point.
 * Requires: lower <= upper. Fails: DPD_ERR_MEMORY, the polygon being closed. */
dpd_status dpd_polygon_open(dpd_polygon *p, const double lower[2], const double upper[2],
                            double tol);
void dpd_polygon_close(dpd_polygon *p);

/* Intersects with h. `changed`: was more than rounding cut off?
 * Fails: DPD_ERR_MEMORY, the polygon being as before; then it can only be closed. */
dpd_status dpd_polygon_cut(dpd_polygon *p, const dpd_halfplane *h, bool *changed);

/* The signed distance of z to the edge of h: positive outside. */
double dpd_halfplane_distance(const dpd_halfplane *h, const double z[2]);

double dpd_polygon_area(const dpd_polygon *p);

/* The centroid; of a polygon no wider than rounding, the middle of its longest diagonal.
 * Requires: n >= 1. */
void dpd_polygon_centroid(const dpd_polygon *p, double z[2]);

#endif
