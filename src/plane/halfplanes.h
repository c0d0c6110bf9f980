/* halfplanes.h - intersections of closed halfplanes with integer coefficients, exactly. */
#ifndef PLANE_HALFPLANES_H
#define PLANE_HALFPLANES_H

#include "dpd.h"

/* The closed halfplane a x + b y <= c; not a = b = 0; |a|, |b| <= 2^30, |c| <= 2^60. */
typedef struct {
  int64_t a, b, c;
} dpd_line;

/* The point (x/q, y/q), q > 0. */
typedef struct {
  dpd_i128 x, y;
  int64_t q;
} dpd_crossing;

/* Maximises w1 x + w2 y over the intersection of `count` halfplanes, of which the first four are
 * x <= ., -x <= ., y <= ., -y <= . in this order, with c of at most 2^29 in size. False if the
 * intersection is empty, which is exact; otherwise `best` is a point of it, exactly.
 * Requires: count >= 4, |w1|, |w2| <= 2^30. Cost: O(count) expected if the others come in random
 * order; the maximum itself does not depend on the order. */
bool dpd_halfplanes_maximum(const dpd_line *l, size_t count, int64_t w1, int64_t w2,
                            dpd_crossing *best);

/* The least whole number that is at least w1 x + w2 y at a point. Requires: |w1|, |w2| <= 1. */
int64_t dpd_crossing_ceiling(const dpd_crossing *p, int w1, int w2);

/* The coordinates, each to within 2^-50 of its size. */
void dpd_crossing_round(const dpd_crossing *p, double z[2]);

/* A step without common divisor with count, about 0.618 of it: 0, stride, 2 stride, ... modulo
 * count is an order that has nothing to do with the first. */
size_t dpd_halfplanes_stride(size_t count);

#endif
