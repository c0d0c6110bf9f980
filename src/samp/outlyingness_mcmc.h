/* outlyingness_mcmc.h - Markov chains on exp(-rate O), O the largest of many absolute residuals. */
#ifndef SAMP_OUTLYINGNESS_MCMC_H
#define SAMP_OUTLYINGNESS_MCMC_H

#include "samp/outlyingness_exact.h"

/* A stretch from <= r <= to of a line on which O is value + slope r. */
typedef struct {
  double from, to, value, slope;
} dpd_line_piece;

typedef struct {
  dpd_outlyingness_law law;
  double *at, *slope; /* count each: residuals at w, their slopes along the line */
  double *w, *v;      /* d: the state, the line's direction */
  double *transposed; /* d x count: the vectors, turned for speed */
  dpd_line_piece *piece, *line;
  double *log_mass; /* of each piece */
} dpd_outlyingness_mcmc;

/* The state is left to the caller: set w, then dpd_outlyingness_mcmc_reset(). */
void dpd_outlyingness_mcmc_open(dpd_outlyingness_mcmc *c, const dpd_outlyingness_law *law,
                                dpd_alloc alloc);
void dpd_outlyingness_mcmc_reset(dpd_outlyingness_mcmc *c);

/* One hit-and-run step: a uniform direction, then an exact draw along the line, up to rounding and
 * to pieces whose share of the line is below 1e-14. */
dpd_status dpd_outlyingness_mcmc_step(dpd_outlyingness_mcmc *c, dpd_rng *rng);

/* One step of discretised Langevin dynamics, uncorrected, that moves x as if the distribution's
 * vectors were a (count x d) and w_j = a_(unit j)'x. h: the step size. */
dpd_status dpd_outlyingness_langevin(dpd_outlyingness_mcmc *c, dpd_rng *rng, const double *a,
                                     double h);

#endif
