/* interval.h - a private confidence interval of a quantile: two one-sided scans of public grids. */
#ifndef MECH_INTERVAL_H
#define MECH_INTERVAL_H

#include "dpd.h"
#include "num/lattice.h"
#include "num/tally.h"

/* mirrored: the first scan goes up from the lower bound; else down from the upper one.
 * first, second: the thresholds of the scans; cells: those of the first scan's grid. All public. */
typedef struct {
  int n;
  const double *data;     /* entries, finite */
  const dpd_tally *tally; /* NULL: each of the n rows is an entry */
  dpd_prior prior;        /* of one axis, not dyadic: its support is scanned */
  dpd_rate eps;
  bool mirrored;
  int first, second, cells;
  int shares[3]; /* of eps in parts of DPD_INTERVAL_SHARES: rho's, a point's of either scan */
} dpd_interval_spec;

typedef struct dpd_interval dpd_interval;

enum { DPD_INTERVAL_CELLS = 1 << 20, DPD_INTERVAL_SHARES = 40 };

/* Requires 1 <= n < 2^31 - 1, 1 <= cells <= DPD_INTERVAL_CELLS, -n <= first, second <= n,
 * shares of at least 1 and DPD_INTERVAL_SHARES in all, and `spec->data` until it returns. Fails:
 * DPD_ERR_DOMAIN otherwise, and for a prior without a lattice. */
dpd_status dpd_interval_open(dpd_interval **out, const dpd_interval_spec *spec, dpd_alloc alloc);

/* Limits [lower, upper], infinite where a scan stops at once; the whole is eps-DP. They are edges
 * of cells, and with a resolution the outermost multiples of it that are not excluded. */
dpd_status dpd_interval_draw(dpd_interval *m, dpd_rng *rng, double limits[2]);

/* The step of the lattice. Public: reads no data. Fails: as dpd_interval_open(), and DPD_ERR_LIMIT
 * for a resolution without a multiple in the support. */
dpd_status dpd_interval_step(dpd_prior prior, double *step, dpd_alloc alloc);

#endif
