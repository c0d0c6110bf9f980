/* projection.h - the safety margin of the projection median. */
#ifndef MARGIN_PROJECTION_H
#define MARGIN_PROJECTION_H

#include "dpd.h"
#include "num/location.h"

/* Data sets are not safe, and count as failing (2) below, if the scale along an axis may exceed
 * that along another direction by this factor: the draw's arithmetic is paid for up to it. */
#define DPD_MARGIN_SHAPE 0x1p16

/* Level k = 0, 1, ... is safe if, over the data sets within k + 1 replacements (K = k + 1),
 *   1. max over u of (shift_u + tau scale_shift_u)/min_u <= eta, and
 *   2. min over x of max over u of max(|u'x - lower_u|, |u'x - upper_u|)/min_u <= room,
 * as far as doubles can certify it. For a pair of tau and room the margin is the number of safe
 * levels before the first that is not, at most `levels`; it changes by at most one when a row is
 * replaced, as computed. The margin is the largest over the pairs, so that it does, too. */
typedef struct {
  dpd_center center;
  const double *rows; /* n rows, packed, nothing taken off */
  int n, d, count;
  const double *dirs; /* count x d, a direction after the other, the axes among them */
  int threads, levels;
  double eta, floor;        /* scales below `floor`, at least 2^-900, are not safe */
  const double *tau, *room; /* pairs, tau increasing */
  int taus;
  double *location, *scale; /* out: count each, T_u and S_u */
  /* out, or NULL: levels x 5 per direction: lower, upper, shift, min, scale_shift */
  double *bounds;
  double *central; /* out, or NULL: levels, the left sides of (2) */
  void *work;      /* dpd_margin_scratch() bytes */
  dpd_alloc alloc;
} dpd_margin;

size_t dpd_margin_scratch(const dpd_margin *m);

/* begin; run for blocks of directions that make up 0..count - 1; end. */
void dpd_margin_begin(dpd_margin *m);
void dpd_margin_run(dpd_margin *m, int from, int to);

/* which: the first pair of the largest margin. sensitivity: the number of levels before the first
 * that fails (1) with it; centre: before the first that fails (2), looked for below `sensitivity`
 * only unless `central` is wanted. The margin is the smaller. */
void dpd_margin_end(const dpd_margin *m, int *which, int *sensitivity, int *centre);

#endif
