/* halfspaces.h - intersections of closed halfspaces with integer coefficients, exactly. */
#ifndef GEOM_HALFSPACES_H
#define GEOM_HALFSPACES_H

#include "dpd.h"

/* The closed halfspace a'x <= b; not a = 0; |a_j| <= 2^11, |b| <= 2^52. */
typedef struct {
  int64_t a[3], b;
} dpd_halfspace;

/* A vertex: x/det, det > 0, where the planes of three halfspaces meet; next[i] is the vertex at the
 * other end of the edge that leaves plane[i]. */
typedef struct {
  dpd_i128 x[3];
  int64_t det;
  int plane[3], next[3];
} dpd_corner;

/* A polytope, of which no more than three planes meet at a vertex once each b is moved outward by
 * an infinitesimal of its own (see the file's header): so vertices may coincide. */
typedef struct {
  const dpd_halfspace *h;
  int count, n;       /* halfspaces; vertices: 0 if empty */
  dpd_corner *corner; /* the rest are workspace */
  double *at[3], *excess, size;
  int *number, *out, *face; /* face[k]: a vertex on plane k, or -1 if k is no face */
} dpd_solid;

/* Bytes of workspace for that many halfspaces. */
size_t dpd_halfspaces_scratch(int count);

/* The intersection of `count` halfspaces, of which the first six have a = (v, 0, 0), (-v, 0, 0),
 * (0, v, 0), ... with any v > 0 each. False if it is empty, which is exact: a face, an edge or a
 * point is not empty. There is no other way to fail. work: aligned for any type; `solid` lies in
 * it. Requires: count >= 6. */
bool dpd_halfspaces_meet(const dpd_halfspace *h, int count, void *work, dpd_solid *solid);

/* The volume, to within a relative error of 2^-38, however thin; 0 if it is 0.
 * Requires: solid->n > 0; at most 2100 halfspaces. */
double dpd_solid_volume(const dpd_solid *solid);

/* w'x at a vertex, to within a relative error of 2^-51. Requires: |w_j| <= 2^40. */
double dpd_corner_form(const dpd_corner *c, const int64_t w[3]);

/* The least and the greatest whole number among w'x, x in the polytope: range[0] > range[1] if
 * there is none. Requires: solid->n > 0, |w_j| <= 2^40, |w'x| <= 2^61. */
void dpd_solid_range(const dpd_solid *solid, const int64_t w[3], int64_t range[2]);

#endif
