/* adaptive_rejection.h - exact draws from exp(eps score / 2) times a prior, on a box of Z^d. */
#ifndef SAMP_ADAPTIVE_REJECTION_H
#define SAMP_ADAPTIVE_REJECTION_H

#include "dpd.h"
#include "samp/rejection_tree.h" /* the target, dpd_rejection_open(), dpd_rejection_carve() */

/* One exact draw into w (d). DPD_AGAIN after `rounds` proposals without one: call again. */
dpd_status dpd_rejection_draw(dpd_rejection *tree, dpd_rng *rng, int rounds, double *w);

/* Proposals made and draws accepted so far: for tests and speed, never for a release. */
void dpd_rejection_counts(const dpd_rejection *tree, double *proposals, double *accepted,
                          int *nodes);

#endif
