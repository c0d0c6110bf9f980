/* samp_shells.h - exact draws from exp(-rate O), O the largest of many absolute residuals. */
#ifndef SAMP_SHELLS_H
#define SAMP_SHELLS_H

#include "dpd.h"

/* O(w) = max over u < count of |g_u'w - b_u|, w in R^d. The vectors `unit[j]` are the coordinate
 * axes e_j, and no entry of g is far above 1 in size. */
typedef struct {
  int count, d;
  const double *g, *b; /* count x d, a vector after the other; count */
  const int *unit;     /* d */
  double rate;         /* above 0 */
  double least, most;  /* bounds of the minimum of O that hold; the closer, the faster */
} dpd_outlying_law;

typedef struct dpd_shells dpd_shells;

/* Ensures *out != NULL. Fails: DPD_ERR_DOMAIN for numbers that are not finite. */
dpd_status dpd_shells_open(dpd_shells **out, const dpd_outlying_law *law, dpd_alloc alloc);

/* One draw: w_j = grid (at[j] + v), v uniform on (-1/2, 1/2). Needs the same `law` as open().
 * DPD_AGAIN after `rounds` proposals without one: call again. */
dpd_status dpd_shells_draw(dpd_shells *s, dpd_rng *rng, int rounds, double *at, double *grid);

/* Proposals made so far: for tests and speed, never for a release. */
double dpd_shells_proposals(const dpd_shells *s);

#endif
