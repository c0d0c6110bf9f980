/* depth_median.h - the exponential mechanism over simplicial, spatial and integrated depths. */
#ifndef MECH_DEPTH_MEDIAN_H
#define MECH_DEPTH_MEDIAN_H

#include "dpd.h"
#include "mech/depth_score.h"
#include "num/lattice.h"
#include "num/tally.h"

typedef struct {
  dpd_score_kind kind;
  int n, d;
  const double *data;     /* entries x d, column-major, finite */
  const dpd_tally *tally; /* NULL: each of the n rows is an entry; for IRW, IDD and halfspace depth,
                             and none for a chain */
  dpd_prior prior;
  dpd_rate eps;        /* num = 0: for scores only, no draws */
  bool chain;          /* for mech/depth_chain.h: no exact draws */
  int count;           /* directions of the integrated and halfspace depths; 0 for others */
  const double *dirs;  /* count x d, column-major, in units of the prior's scale */
  bool private_size;   /* n times depth, which a row more moves by at most a unit: not for
                          halfspace depth, nor simplicial depth in space */
  double smooth;       /* of DPD_SCORE_IDD_SMOOTH: the slope of the steps, a unit of u'x, u'x in
                         units of the prior's scale times their geometric mean */
  void (*pause)(void); /* see dpd_exponential_spec */
} dpd_depth_median_spec;

typedef struct dpd_depth_median dpd_depth_median;

/* Everything that the draws need from the data. Requires n >= 1; for DPD_SCORE_SIMPLICIAL d <= 3
 * and n >= d + 1; for DPD_SCORE_HALFSPACE_EXACT d = 2 or 3. Fails: DPD_ERR_DOMAIN and DPD_ERR_LIMIT
 * as dpd_lattice_open(). */
dpd_status dpd_depth_median_open(dpd_depth_median **out, const dpd_depth_median_spec *spec,
                                 dpd_alloc alloc);

/* One exact draw x (d) from exp(eps score(x) / (2 sensitivity)) prior(x) on the public lattice, the
 * quotient score / sensitivity being rounded down to parts of a power of two.
 * DPD_AGAIN: no draw yet after a block of work; call again. */
dpd_status dpd_depth_median_draw(dpd_depth_median *m, dpd_rng *rng, double *x);

/* The lattice point next to x (d), as an index z (d): as rows are rounded, of x only. */
void dpd_depth_median_index(const dpd_depth_median *m, const double *x, double *z);

/* The score at the lattice point of index z, in those parts, a whole number below 2^40; how many
 * parts a unit has. One replaced row moves it by at most a unit; where n is private, so does a row
 * more, by amounts that differ between points by a unit at most. The number of parts is public. */
double dpd_depth_median_score(dpd_depth_median *m, const double *z, int *parts);

/* An upper bound of it over the box lo..hi of sheared indexes. For tests. */
int dpd_depth_median_bound(dpd_depth_median *m, const double *lo, const double *hi);

/* Proposals, acceptances and tree size so far: for tests and speed, never for a release. */
void dpd_depth_median_counts(const dpd_depth_median *m, double out[3]);

#endif
