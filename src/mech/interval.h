/* interval.h - a private confidence interval of a quantile: two one-sided scans of one grid. */
#ifndef MECH_INTERVAL_H
#define MECH_INTERVAL_H

#include "dpd.h"
#include "num/lattice.h"
#include "num/tally.h"

/* mirrored: the first scan goes up from the lower end of the support; else down from the upper one.
 * first, second: the thresholds of the scans. growth: distances from the centre grow by 1 / growth.
 * cells: those of the even grid, without a centre. All public. */
typedef struct {
  int n;
  const double *data;     /* entries, finite */
  const dpd_tally *tally; /* NULL: each of the n rows is an entry */
  dpd_prior prior;        /* of one axis: its support is scanned */
  dpd_rate eps;
  bool mirrored;
  int first, second, cells, growth;
  int below, above; /* ranks of the centre, see mech/axes.h */
  int shares[4]; /* of eps in parts of DPD_INTERVAL_SHARES: the centre's (0: there is none), rho's,
                    a point's of either scan (0: there is no second scan, its limit is infinite) */
} dpd_interval_spec;

typedef struct dpd_interval dpd_interval;

enum { DPD_INTERVAL_CELLS = 1 << 20, DPD_INTERVAL_SHARES = 1000 };

/* Requires 1 <= n < 2^31 - 1, 1 <= cells <= DPD_INTERVAL_CELLS, 1 <= growth <= 32,
 * -n <= first, second <= n, shares of at least 1, those of the centre and of the second scan of 0,
 * and DPD_INTERVAL_SHARES in all, and `spec->data` until it returns. Fails: DPD_ERR_DOMAIN
 * otherwise, and for a prior without a lattice. */
dpd_status dpd_interval_open(dpd_interval **out, const dpd_interval_spec *spec, dpd_alloc alloc);

/* Limits and the centre (NaN: there is none), infinite where a scan stops at once; the whole is
 * eps-DP. Limits are edges of cells, and with a resolution the outermost multiples of it that are
 * not excluded. */
dpd_status dpd_interval_draw(dpd_interval *m, dpd_rng *rng, double drawn[3]);

#endif
