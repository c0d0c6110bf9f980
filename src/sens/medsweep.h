/* medsweep.h - the median slope on a lattice, and its smooth sensitivity. */
#ifndef SENS_MEDSWEEP_H
#define SENS_MEDSWEEP_H

#include "dpd.h"

/* The lattice 0, ..., size of slopes: value m lies between the thresholds (origin + m -+ 1/2) step.
 */
typedef struct {
  double origin, step;
  int64_t size;
} dpd_slope;

typedef struct {
  const double *u, *v;
  int n;
  dpd_slope slopes;
  double beta, min;
} dpd_medsweep_query;

typedef struct {
  int64_t centre;
  double value;
  int at;
  int count; /* levels of the profile that are wanted */
  double *profile;
} dpd_medsweep_bound;

/* The median slope of u on v, rounded to the lattice (centre), and max(min, S) in steps, S the
 * maximum over k of exp(-beta k) A^(k); `at`: its k, -1 if `min` is larger. With count > 0 also
 * A^(0), ..., A^(count - 1).
 * Requires: n >= 1; u, v finite, |u| and |threshold v| below 2^1000; no threshold is 0;
 * 1 <= size < 2^60, beta > 0, least >= 0.
 * Ensures: centre and A^(k) are exact functions of the data as doubles: for data sets that differ
 * in one row A^(k) of one is at most A^(k + 1) of the other, and A^(k) is at least the difference
 * of the centres of any two such data sets, one of which is made of this one by replacing k rows.
 * value is S up to the rounding of exp() and one product. */
void dpd_sens_medsweep(const dpd_medsweep_query *q, dpd_medsweep_bound *out, dpd_alloc alloc);

#endif
