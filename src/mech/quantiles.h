/* quantiles.h - many quantiles of one variable by a tree of exact draws. */
#ifndef MECH_QUANTILES_H
#define MECH_QUANTILES_H

#include "dpd.h"
#include "num/lattice.h"
#include "num/tally.h"

/* A tree of nodes, public: node v draws the `size[v]` quantiles with the places order[at..] in the
 * list of all m, in increasing order, `at` the sum of the sizes before, between the quantiles at
 * places left[v] and right[v], drawn before (-1 and m: none), at rate eps[v]. Scores are cut as for
 * `public_n` rows: n, or where n is private a number that does not depend on it. */
typedef struct {
  int n, m, nodes, public_n;
  const double *data;     /* entries, finite */
  const dpd_tally *tally; /* NULL: each of the n rows is an entry */
  dpd_prior prior;        /* one axis */
  const double *rank;     /* m whole numbers from 0 to n, in increasing order */
  const int *size, *left, *right, *order;
  const double *eps;
} dpd_quantiles_spec;

typedef struct dpd_quantiles dpd_quantiles;

/* Fails: DPD_ERR_DOMAIN for a prior without a lattice and for a tree that is none. */
dpd_status dpd_quantiles_open(dpd_quantiles **out, const dpd_quantiles_spec *spec, dpd_alloc alloc);

/* m quantiles in increasing order. DPD_AGAIN after each node: call again with the same z. Node v's
 * distribution is that of dpd_quantile_node_draw() on the rows, which are spread over the cells of
 * their lattice points at random. */
dpd_status dpd_quantiles_draw(dpd_quantiles *m, dpd_rng *rng, double *z);

#endif
