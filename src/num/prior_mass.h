/* prior_mass.h - a public prior as integer masses of the lattice points of one axis. */
#ifndef NUM_PRIOR_MASS_H
#define NUM_PRIOR_MASS_H

#include "dpd.h"
#include "num/lattice.h"

typedef struct {
  int64_t lo, hi;  /* the indexes of the prior's support */
  int64_t wide;    /* points a cell; the last cell may hold fewer */
  int cells;       /* at most DPD_MASS_CELLS */
  bool dyadic;     /* no cells: masses are known by formula */
  bool normal;     /* these three: what the masses were made from */
  double mean, sd; /* in lattice steps */
  uint64_t *weight;
  uint64_t *low, *high; /* sum of the masses before a cell = high 2^64 + low */
} dpd_mass;

enum { DPD_MASS_CELLS = 1 << 14 };

/* Memory for the masses of any axis. */
void dpd_mass_open(dpd_mass *m, dpd_alloc alloc);

/* The masses of an axis: a function of the prior alone. All are whole numbers above zero; their sum
 * is below 2^112. Requires: a support of at most 2^50 points, or a dyadic prior.
 * COST: nothing if the axis before was the same, else 2^14 exponentials. */
void dpd_mass_set(dpd_mass *m, const dpd_lattice *l, int axis);

/* Mass of the points a..b that lie in the support; 0 if there is none. */
dpd_u128 dpd_mass_between(const dpd_mass *m, int64_t a, int64_t b);

/* The point of the support that holds unit t of the masses that begin at a: the largest z whose
 * points from a up to before z have a mass of at most t. Requires t < dpd_mass_between(a, b) for
 * some b; a uniform t below that gives a point of a..b in proportion to its mass. */
int64_t dpd_mass_point(const dpd_mass *m, int64_t a, dpd_u128 t);

#endif
