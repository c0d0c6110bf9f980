/* lattice_frame.h - sheared boxes of lattice points about polytopes in space. */
#ifndef GEOM_LATTICE_FRAME_H
#define GEOM_LATTICE_FRAME_H

#include "geom/lattice_hull.h"

/* The points z of whole w, lo <= w <= hi: w_0 = z_a, w_1 = z_b + r(s z_a), w_2 = z_c + r(t z_a + u
 * z_b), where r divides by 2^bits and rounds. a, b, c: the axes. */
typedef struct {
  int64_t s, t, u;
  double lo[3], hi[3];
  uint8_t axis[3], bits[2];
} dpd_lattice_frame;

/* The box lo..hi itself. */
void dpd_lattice_frame_set_box(dpd_lattice_frame *f, const double lo[3], const double hi[3]);

/* A narrow one about the points that meet the hull's faces; false: none is proved. */
bool dpd_lattice_frame_about(dpd_lattice_frame *f, dpd_hull_proofs *p);

/* The log of the number of points; -INFINITY for none. */
double dpd_lattice_frame_log_count(const dpd_lattice_frame *f);

/* All real points that round into the box are the middle and multiples, at most 1 in size, of three
 * sides; about: to 2^-43 of the reach of coordinates. */
void dpd_lattice_frame_sides(const dpd_lattice_frame *f, double middle[3], double side[3][3]);

void dpd_lattice_frame_point(const dpd_lattice_frame *f, const double w[3], double z[3]);

#endif
