/* fine_lattice.h - one axis of the public lattice, each point cut into cells, with prior masses. */
#ifndef NUM_FINE_LATTICE_H
#define NUM_FINE_LATTICE_H

#include "dpd.h"
#include "num/lattice.h"
#include "num/prior_mass.h"

/* Position (i << bits) + u is cell u of lattice point lo - 1 + i: i = 0 is a point below the
 * prior's support, first..last is the support, last + 1 begins a point above it. A cell has the
 * mass of its point. */
typedef struct {
  dpd_lattice lattice;
  dpd_mass mass;
  int bits;
  int64_t first, last;
} dpd_fine;

/* `bits` of the struct is `most_bits`, or as many as there is room for: positions are below 2^62,
 * masses of intervals below 2^123. Fails: as dpd_lattice_open(). */
dpd_status dpd_fine_open(dpd_fine *f, dpd_prior prior, int most_bits, dpd_alloc alloc);

/* The first cell of the point next to x; of the point below, or above, the support for an x
 * outside it. Depends on x only. */
int64_t dpd_fine_index(const dpd_fine *f, double x);

/* The first cell of the point of the support next to x. Depends on x only. */
int64_t dpd_fine_nearest(const dpd_fine *f, double x);

/* Mass of the positions a..b that lie in the support. */
dpd_u128 dpd_fine_between(const dpd_fine *f, int64_t a, int64_t b);

/* The position that holds unit t of the masses that begin at a, a in the support. */
int64_t dpd_fine_point(const dpd_fine *f, int64_t a, dpd_u128 t);

/* The number that a position of the support stands for. */
double dpd_fine_value(const dpd_fine *f, int64_t z);

#endif
