/* slice_line.h - slice sampling along lines through the state of a chain over real points. */
#ifndef SAMP_SLICE_LINE_H
#define SAMP_SLICE_LINE_H

#include "num/lattice.h"

/* Moves the chain to `next`, and returns true, if its log density there plus `gain` is at least
 * `level`. `next` lies on the line, but for rounding within the prior's support. */
typedef bool dpd_slice_accept(void *chain, double level, double gain);

typedef struct {
  const dpd_lattice *lattice; /* whose support ends the lines */
  const double *x;            /* d: the state */
  double log_density;         /* at the state */
  double *next;               /* d: for proposals */
  double *v, *centre;         /* d each: the line's direction, and a fixed point */
  dpd_slice_accept *accept;
  void *chain;
} dpd_slice;

/* A step along x + s v. It leaves the distribution of the density invariant if the distribution of
 * v does not depend on x. The chain stays where it is if the line has no length or shrinking
 * ends. */
dpd_status dpd_slice_straight(const dpd_slice *l, dpd_rng *rng);

/* A step along the ray from `centre` through x, on the scale of the logarithm of the distance;
 * sets v. Likewise if the distribution of `centre` does not depend on x. */
dpd_status dpd_slice_radial(const dpd_slice *l, dpd_rng *rng);

/* A coordinate from the prior over real points, where a chain starts: normal, or uniform on
 * from..to. */
dpd_status dpd_slice_prior(const dpd_lattice *l, dpd_rng *rng, int axis, double from, double to,
                           double *w);

#endif
