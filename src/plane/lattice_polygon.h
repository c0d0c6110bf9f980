/* lattice_polygon.h - the lattice points of a convex polygon, counted and drawn exactly. */
#ifndef PLANE_LATTICE_POLYGON_H
#define PLANE_LATTICE_POLYGON_H

#include "dpd.h"
#include "num/list.h"

/* The halfplane y <= (c + dy x)/dx, dx > 0. For bounds from below, y stands for -y. */
typedef struct {
  dpd_i128 c;
  int64_t dx, dy;
} dpd_bound;

/* Bounds of a polygon, and the columns that it is within. */
typedef struct {
  dpd_bound *above, *below;
  int n_above, n_below;
  int64_t from, to;
} dpd_bounds;

/* Columns from..to, on which one bound counts on each side. */
typedef struct {
  dpd_bound above, below;
  int64_t from, to;
  dpd_u128 count;
} dpd_strip;

typedef struct {
  dpd_list strip; /* of dpd_strip */
  dpd_u128 total; /* lattice points of all strips */
} dpd_lattice_polygon;

/* Coordinates of rows are at most 2^DPD_COLUMN_BITS in size: Z = 40 and B = 41 for their sides. */
enum { DPD_COLUMN_BITS = 40 };

/* The halfplane p x + q y <= c as one more bound, or a narrower range of columns. */
void dpd_bounds_add(dpd_bounds *b, int64_t p, int64_t q, dpd_i128 c);

/* The closed halfplane to the right of the line from (x, y) along (dx, dy). */
void dpd_bounds_add_side(dpd_bounds *b, int64_t x, int64_t y, int64_t dx, int64_t dy);

/* The points (x, y) of Z^2 with from <= x <= to that meet all bounds. Of these it leaves those that
 * are least in some column: without the others all columns are the same. work: n_above + n_below
 * numbers.
 * Requires: c zeroed, or filled before; n_above, n_below >= 1, among them bounds with dy = 0,
 * |c| <= 2^Z there; |from|, |to| <= 2^Z; in every bound |dx|, |dy| <= 2^B and |c| <= 2^(B + Z +
 * 2), with Z <= 45, B <= 55 and 2 B + Z <= 122. The caller closes c, also after a failure.
 * Fails: DPD_ERR_MEMORY. */
dpd_status dpd_lattice_polygon_fill(dpd_lattice_polygon *c, dpd_bounds *b, int64_t *work);
void dpd_lattice_polygon_close(dpd_lattice_polygon *c);

/* Lattice points in columns from..to of a strip. */
dpd_u128 dpd_strip_count(const dpd_strip *s, int64_t from, int64_t to);

/* The least and the greatest y of a strip's columns from..to: none of their points is outside. */
void dpd_strip_range(const dpd_strip *s, int64_t from, int64_t to, double y[2]);

/* Point number `index` of 0..total - 1, in some order. */
void dpd_lattice_polygon_pick(const dpd_lattice_polygon *c, dpd_u128 index, int64_t z[2]);

/* Sum of floor((v + s i)/m) over i = 0..n - 1. Requires: 1 <= m <= 2^55, 0 <= n <= 2^47; |v|, |s|
 * below 2^104; values below 2^47 in size. */
dpd_i128 dpd_floor_sum(int64_t n, dpd_i128 v, dpd_i128 s, int64_t m);

#endif
