/* lattice.h - the public lattice on which private mechanisms see data and candidates. */
#ifndef NUM_LATTICE_H
#define NUM_LATTICE_H

#include "dpd.h"

/* The base measure of the exponential mechanism: uniform on [a_j, b_j], or normal with means a_j
 * and standard deviations b_j, independent over the axes. resolution: NULL, or a public step of
 * the lattice for each axis, whose multiples are the candidates; 0 leaves it to the prior.
 * dyadic: neither, but on multiples of the unit b_j, counted from the one next to a_j: the shells
 * {0} and 2^(i-1) <= |z_j| < 2^i, 1 <= i <= DPD_DYADIC_SHELLS, have equal masses, each spread
 * evenly. For depth along the axes alone (num/prior_mass). */
typedef struct {
  bool normal;
  int d;
  const double *a, *b;
  const double *resolution;
  bool dyadic;
} dpd_prior;

enum { DPD_DYADIC_SHELLS = 52 };

/* On axis j, index z stands for (origin[j] + z) step[j], or for (origin[j] + z) / parts[j] if
 * parts[j] is not 0. step is a power of two, exactly, or the resolution. Everything here is a
 * function of the prior, its resolution included. */
typedef struct {
  dpd_prior prior;
  double clamp;                    /* data indexes are clamped to -clamp..clamp */
  double *step, *origin, *lo, *hi; /* lo..hi: the indexes of the prior's support */
  double *parts; /* steps in one unit, where they are a whole number above 1; or 0 */
  double *scale; /* prior width or sd, in steps */
  double *mean;  /* of a normal prior, in indexes (not an integer) */
} dpd_lattice;

/* Support of a normal prior, in standard deviations, and the floor of its log density
 * relative to the mode: a base measure that is public, whatever it is, keeps privacy. */
#define DPD_NORMAL_REACH 36.0
#define DPD_LOG_PRIOR_FLOOR (-700.0)

/* clamp = 2^bits, the prior's support within a quarter of it.
 * A dyadic prior's clamp and support end with its last shell, whatever `bits` is.
 * Fails: DPD_ERR_DOMAIN if no double lies in the support, or the origin of a dyadic prior is more
 * than 2^52 units from 0; DPD_ERR_LIMIT if no multiple of a resolution does, or more than the
 * lattice has room for. */
dpd_status dpd_lattice_open(dpd_lattice *l, dpd_prior prior, int bits, dpd_alloc alloc);

/* The finest lattice, 2^48 steps a half width: clamp = 2^50, or less for a prior so narrow that
 * doubles end. Fails as dpd_lattice_open(). */
dpd_status dpd_lattice_open_finest(dpd_lattice *l, dpd_prior prior, dpd_alloc alloc);

/* Nearest index, clamped. Depends on x only. */
double dpd_lattice_index(const dpd_lattice *l, int axis, double x);

/* The double that an index of the support stands for: exactly, or, with a resolution, rounded. */
double dpd_lattice_value(const dpd_lattice *l, int axis, double z);

/* The values (d of them, each `stride` numbers after the one before) of the point of the support
 * that is nearest to w along each axis. */
void dpd_lattice_nearest(const dpd_lattice *l, const double *w, size_t stride, double *x);

/* Log prior density at an index point, up to a constant; false outside the support. */
bool dpd_lattice_log_prior(const dpd_lattice *l, const double *z, double *out);

/* Upper bound of it over the box lo..hi of indexes; false if the box misses the support. */
bool dpd_lattice_bound_prior(const dpd_lattice *l, const double *lo, const double *hi, double *out);

#endif
