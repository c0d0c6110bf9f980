/* frames.h - the exponential mechanism over depth along the axes and further directions. */
#ifndef MECH_FRAMES_H
#define MECH_FRAMES_H

#include "dpd.h"
#include "num/lattice.h"

typedef struct {
  int n, d;
  const double *data; /* n x d, column-major, finite */
  dpd_prior prior;
  dpd_rate eps;
  int count;
  const double *dirs;  /* count x d, column-major, in units of the prior's scale; with the axes or
                          without */
  void (*pause)(void); /* see dpd_exponential_spec */
} dpd_frames_spec;

typedef struct dpd_frames dpd_frames;

/* Everything that the draws need from the data. Requires 1 <= n < 2^31 - 1 and a prior that is not
 * dyadic. Fails: DPD_ERR_DOMAIN and DPD_ERR_LIMIT as dpd_lattice_open(). */
dpd_status dpd_frames_open(dpd_frames **out, const dpd_frames_spec *spec, dpd_alloc alloc);

/* One exact draw x (d) from prior(x) f(h(x)) on the public lattice, h(x) the least number of rows
 * in a closed halfspace along the axes and directions that holds x, f as in mech/axes.c.
 * DPD_AGAIN: no draw yet after a block of work; call again. */
dpd_status dpd_frames_draw(dpd_frames *m, dpd_rng *rng, double *x);

/* Proposals so far: for tests and speed, never for a release. */
double dpd_frames_proposals(const dpd_frames *m);

#endif
