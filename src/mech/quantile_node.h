/* quantile_node.h - ordered points of a stretch of one axis by their rank score: an exact draw. */
#ifndef MECH_QUANTILE_NODE_H
#define MECH_QUANTILE_NODE_H

#include "dpd.h"
#include "num/fine_lattice.h"
#include "samp/level.h"

enum { DPD_QUANTILE_SPLITS = 32 }; /* the most points of one draw */

/* The rate of a draw that is to cost eps: q is 1 - num 2^-(RATE_BITS + 2) or above, at least
 * exp(-eps / 4). cut: the score is cut there, a public number. */
typedef struct {
  double q;
  int64_t cut;
} dpd_quantile_rate;

/* For k points among n rows, spread over 2^bits cells a lattice point. */
dpd_quantile_rate dpd_quantile_rate_of(dpd_rate eps, int k, int n, int bits);

typedef struct {
  const dpd_fine *fine;
  const int64_t *row; /* the positions of the rows of the stretch, sorted */
  int64_t rows;
  int64_t from, to;   /* the stretch: positions of the support */
  int k;              /* 1 to DPD_QUANTILE_SPLITS */
  const int64_t *gap; /* k + 1 public numbers of rows, at least 0 */
  dpd_quantile_rate rate;
} dpd_quantile_node;

typedef struct dpd_quantile_work dpd_quantile_work;

/* Memory for the draws of nodes of up to k points and n rows at rates cut at up to `cut`. */
dpd_quantile_work *dpd_quantile_work_open(int k, int64_t cut, int64_t n, dpd_alloc alloc);

/* Draws z_1 <= ... <= z_k with a probability within exp(+-2^-36) of one in proportion to
 *   q^min(v(z), cut) prod prior(z_j) / prod (numbers of equal z_j)!,
 *   v(z) = sum over j = 1..k+1 of |c(z_j) - c(z_(j-1)) - gap_j|,
 * c(z) = #{rows <= z}, c(z_0) = 0, c(z_(k+1)) = rows. */
dpd_status dpd_quantile_node_draw(const dpd_quantile_node *node, dpd_quantile_work *work,
                                  dpd_rng *rng, int64_t *z);

/* v(z). It depends on the data: for tests, never for a release. */
int64_t dpd_quantile_score(const dpd_quantile_node *node, const int64_t *z);

#endif
