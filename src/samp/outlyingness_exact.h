/* outlyingness_exact.h - exact draws from exp(-rate O), O the largest of many absolute residuals.
 * */
#ifndef SAMP_OUTLYINGNESS_EXACT_H
#define SAMP_OUTLYINGNESS_EXACT_H

#include "dpd.h"

/* O(w) = max over u < count of |g_u'w - b_u|, w in R^d. The vectors `unit[j]` are the coordinate
 * axes e_j, and no entry of g is far above 1 in size. */
typedef struct {
  int count, d;
  const double *g, *b; /* count x d, a vector after the other; count */
  const int *unit;     /* d */
  double rate;         /* above 0 */
  double min, max;     /* bounds of the minimum of O that hold; the closer, the faster */
} dpd_outlyingness_law;

typedef struct dpd_outlyingness_exact dpd_outlyingness_exact;

/* Ensures *out != NULL. Fails: DPD_ERR_DOMAIN for numbers that are not finite. */
dpd_status dpd_outlyingness_exact_open(dpd_outlyingness_exact **out,
                                       const dpd_outlyingness_law *law, dpd_alloc alloc);

/* One draw: w_j = step (at[j] + v), v uniform on (-1/2, 1/2). Needs the same `law` as open().
 * DPD_AGAIN after `rounds` proposals without one: call again. */
dpd_status dpd_outlyingness_exact_draw(dpd_outlyingness_exact *s, dpd_rng *rng, int rounds,
                                       double *at, double *step);

/* Proposals made so far: for tests and speed, never for a release. */
double dpd_outlyingness_exact_proposals(const dpd_outlyingness_exact *s);

#endif
