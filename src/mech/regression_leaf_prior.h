/* regression_leaf_prior.h - densities of the prior over leaves that rows cut. */
#ifndef MECH_REGRESSION_LEAF_PRIOR_H
#define MECH_REGRESSION_LEAF_PRIOR_H

#include "num/lattice.h"
#include "num/prior_mass.h"

/* The prior of a private regression on few coordinates. */
typedef struct {
  dpd_lattice lattice;
  dpd_mass *mass; /* of a dyadic prior, the same for each coordinate; or NULL */
} dpd_leaf_prior;

/* Fails as dpd_lattice_open(). */
dpd_status dpd_leaf_prior_open(dpd_leaf_prior *p, dpd_prior prior, dpd_alloc alloc);

bool dpd_leaf_prior_is_uniform(const dpd_leaf_prior *p);

/* The log density at z, and a bound over a box; -INFINITY for none. */
double dpd_leaf_prior_log(const dpd_leaf_prior *p, const double *z);
double dpd_leaf_prior_bound(const dpd_leaf_prior *p, const double *lo, const double *hi);

/* The cut of a range along axis j, from its most likely point to the side of `end`, that leaves the
 * least share of points times densities; *kept, if it is less than that: what it leaves. */
double dpd_leaf_prior_cut(const dpd_leaf_prior *p, int j, const double range[2], double end,
                          double *kept);

#endif
