/* lattice_frame.h - boxes of lattice points about polytopes in space, along a reduced basis. */
#ifndef GEOM_LATTICE_FRAME_H
#define GEOM_LATTICE_FRAME_H

#include "geom/lattice_hull.h"

/* The points o + w_0 v_0 + w_1 v_1 + w_2 v_2 of whole w, lo <= w <= hi, v a basis of Z^3: det(v) is
 * 1. */
typedef struct {
  int64_t v[3][3];
  double o[3], lo[3], hi[3];
} dpd_lattice_frame;

/* The box lo..hi itself. */
void dpd_lattice_frame_set_box(dpd_lattice_frame *f, const double lo[3], const double hi[3]);

/* A narrow one about the points that meet the hull's faces, sought from the basis of f on; false:
 * none is proved, and f is as it was. */
bool dpd_lattice_frame_about(dpd_lattice_frame *f, dpd_hull_proofs *p);

/* The form of which w_j is the value at z - o. */
void dpd_lattice_frame_form(const dpd_lattice_frame *f, int j, int64_t a[3]);

/* w_j of z. */
dpd_i128 dpd_lattice_frame_index(const dpd_lattice_frame *f, int j, const double z[3]);

/* The log of the number of points; -INFINITY for none. */
double dpd_lattice_frame_log_count(const dpd_lattice_frame *f);

/* All points of the box are the middle and multiples, at most 1 in size, of three sides; returns by
 * how much coordinates may be off, and sums of these four, and forms, in parts of the sum of their
 * coefficients. */
double dpd_lattice_frame_sides(const dpd_lattice_frame *f, double middle[3], double side[3][3]);

void dpd_lattice_frame_point(const dpd_lattice_frame *f, const double w[3], double z[3]);

/* About w of the hull's corners. */
void dpd_lattice_frame_corners(const dpd_lattice_frame *f, const dpd_hull *h,
                               double w[3][DPD_HULL_CORNERS]);

#endif
