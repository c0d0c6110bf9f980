/* adaptive_rejection.h - exact draws from exp(eps score / 2) times a prior, on a box of Z^d. */
#ifndef SAMP_ADAPTIVE_REJECTION_H
#define SAMP_ADAPTIVE_REJECTION_H

#include "dpd.h"

/* The target: an integer score and a prior density on the integer points of a box. */
typedef struct {
  void *ctx;
  /* Upper bounds over the integer points of the box lo..hi: of the score, at most `cap` (itself
   * known to be one), and of the log prior density. False: the prior is zero on the box.
   * For a box of one point: its score and its log prior themselves, or a draw may take for ever. */
  bool (*bound)(void *ctx, const double *lo, const double *hi, int cap, int *score,
                double *log_prior);
  /* Log prior density at w; false: zero. */
  bool (*log_prior)(void *ctx, const double *w, double *out);
  /* Is the score at w at least t? Of t at most the box's bound. */
  bool (*at_least)(void *ctx, const double *w, int t);
} dpd_rejection_target;

typedef struct dpd_rejection dpd_rejection;

/* A tree of one leaf, the box lo..hi. cap: an upper bound of the score there; unit: the
 * public or private lengths in which a leaf's longest side is found (speed only).
 * Ensures *out != NULL. Fails: DPD_ERR_DOMAIN when the prior is zero on the box. */
dpd_status dpd_rejection_open(dpd_rejection **out, int d, const double *lo, const double *hi,
                              const double *unit, int cap, dpd_rate eps,
                              dpd_rejection_target target, int max_nodes, dpd_alloc alloc);

/* Tries all sides of a box as soon as a cut lowers no bound: for rows that lie in hyperplanes of
 * equal coordinates. For speed only. */
void dpd_rejection_impatient(dpd_rejection *tree);

/* Cuts slabs off the core, at first the root, until it lies within lo..hi, for a target whose bounds
 * outside that box are known to be low: nested boxes, the widest first, before the first draw. False:
 * nothing of the core would be left, or the tree is full. For speed only: the law is the same
 * wherever leaves are cut. */
bool dpd_rejection_carve(dpd_rejection *tree, const double *lo, const double *hi);

/* One exact draw into w (d). DPD_AGAIN after `rounds` proposals without one: call again. */
dpd_status dpd_rejection_draw(dpd_rejection *tree, dpd_rng *rng, int rounds, double *w);

/* Proposals made and draws accepted so far: for tests and speed, never for a release. */
void dpd_rejection_counts(const dpd_rejection *tree, double *proposals, double *accepted,
                          int *nodes);

#endif
