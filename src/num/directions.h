/* directions.h - unit vectors from a public seed, the same on every platform. */
#ifndef NUM_DIRECTIONS_H
#define NUM_DIRECTIONS_H

#include "dpd.h"

/* Bytes of `work` for vectors of length d. */
size_t dpd_directions_scratch(int d);

/* Fills the n x d column-major matrix `out` with unit rows. If `axes`, the first d rows are the
 * coordinate axes; the others are uniform on the sphere, a function of (seed, d) and of their
 * place in the sequence only. In one dimension every row is 1.
 * Requires: n >= 1, d >= 1, and n >= d if `axes`. */
void dpd_directions(uint64_t seed, bool axes, size_t n, int d, double *out, double *work);

enum { DPD_DIRECTION_BITS = 16 };

/* Scales a (d numbers, not all 0) to length 2^DPD_DIRECTION_BITS and rounds it to whole numbers; in
 * one dimension to 1. Returns the length that it had. */
double dpd_direction_round(double *a, int d);

/* The bits of lattice indexes for which sum_j |a_j| |z_j| stays below 2^52:
 * |a|_1 <= sqrt(d) 2^DPD_DIRECTION_BITS. */
int dpd_direction_index_bits(int d);

/* The axis that u is parallel to, whatever its length, or -1. */
int dpd_axis_of(const double *u, int d);

#endif
