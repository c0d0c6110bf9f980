/* adaptive_rejection.c - exact draws from exp(eps score / 2) times a prior, on a box of Z^d.
 *
 * METHOD: the leaves of a binary tree cut the box into parts. On leaf j with N_j integer
 *   points, score <= U_j and prior <= m_j. A round proposes leaf j with probability W_j / sum W,
 *   integers W_j >= w_j = N_j m_j exp(eps U_j / 2) / C, draws an integer point z of it
 *   uniformly, and accepts with probability
 *       (w_j / W_j) (prior(z) / m_j) exp(-eps (U_j - score(z)) / 2).
 *   So an accepted point has density prior(z) exp(eps score(z) / 2) / constant, whatever the
 *   tree. A rejected round cuts its leaf in two along the longest side; since each round's
 *   accepted distribution is the target given all earlier rounds, adapting does not bias the draw.
 * EXACT: the leaf, the point and exp(-eps gap / 2) are drawn by integer arithmetic. The two
 *   ratios are doubles with a relative error below 2^-38, drawn exactly as dyadic rationals;
 *   they move the distribution by a factor within exp(+-2^-36), which dpd_rate's slack of 2^-34
 *   pays.
 *   A leaf whose weight would be below one unit has W_j = 1 and pays the difference by coins:
 *   whole scores by raising U_j (only an upper bound), the rest by coins of exp(-500) and more,
 *   so no ratio underflows.
 * ENDS: with probability one, for every target: the tree is finite, every leaf with prior mass
 *   holds a point that is accepted with positive probability, and so is each round, at a rate
 *   bounded below. Nor does it wait for ever in practice: a leaf of one point has its own score
 *   and prior for bounds, so that what is refused there is the ratio w / W alone, and a leaf of
 *   more points is cut when it refuses. So at most one refusal falls on each node with more than
 *   one point while the tree has room. (A leaf of one point whose bound stayed above its score
 *   would be proposed exp(eps gap / 2) times for each draw.)
 * COST: a round costs one weight descent, as long as its leaf is deep, one score test and, when
 *   rejected, the bounds of a cut (samp/rejection_tree.c, where the memory is). A draw needs about
 *   sum W / (mass of the target) rounds.
 * DEGENERATE: a box of one point is a tree of one leaf. Ties of scores and points without prior
 *   mass need nothing: the first share a weight, the second are refused. No prior mass anywhere
 *   fails at opening. A source that fails ends the draw, which gives nothing out.
 * REFERENCE: McSherry and Talwar (2007), the exponential mechanism; Dymetman, Bouchard and
 *   Carter (2012), joint optimisation and sampling by adaptive rejection.
 */
#include "samp/adaptive_rejection.h"

#include <math.h>

#include "samp/bernoulli.h"
#include "samp/rejection_tree.h"
#include "samp/rng.h"

/* No single coin is rarer than exp(-COIN_LOG): far from underflow. */
#define COIN_LOG 500.0

static dpd_status draw_leaf(const dpd_rejection *t, dpd_rng *rng, int *leaf)
{
  uint64_t at;
  int j = 0;
  DPD_TRY(dpd_rng_below(rng, dpd_rejection_at(t, 0)->weight, &at));
  while (dpd_rejection_at(t, j)->left != 0) {
    j = dpd_rejection_at(t, j)->left;
    for (; at >= dpd_rejection_at(t, j)->weight; j++)
      at -= dpd_rejection_at(t, j)->weight;
  }
  *leaf = j;
  return DPD_OK;
}

/* A point of the leaf, and its log prior density as accept() wants it; any: is there any? */
static dpd_status draw_point(const dpd_rejection *t, dpd_rng *rng, int leaf, double *w,
                             double *log_prior)
{
  if (t->target.pick != NULL) return t->target.pick(t->target.ctx, rng, leaf, w, log_prior);
  const double *lo = dpd_rejection_lo(t, leaf), *hi = dpd_rejection_hi(t, leaf);
  if (t->target.propose != NULL) return t->target.propose(t->target.ctx, rng, lo, hi, w, log_prior);
  for (int k = 0; k < t->d; k++) {
    uint64_t at;
    DPD_TRY(dpd_rng_below(rng, (uint64_t)(hi[k] - lo[k]) + 1, &at));
    w[k] = lo[k] + (double)at;
  }
  if (!t->target.log_prior(t->target.ctx, w, log_prior)) *log_prior = -INFINITY;
  return DPD_OK;
}

/* Is the point w of leaf j accepted? The three factors are independent coins; the one
 * that reads the data comes last. */
static dpd_status accept(const dpd_rejection *t, dpd_rng *rng, int j, const double *w,
                         double log_prior, bool *yes)
{
  const dpd_rejection_node *b = dpd_rejection_at(t, j);
  uint64_t slack;
  double keep = b->keep * exp(log_prior - b->log_prior);
  DPD_TRY(dpd_bernoulli_double(rng, keep < 1 ? keep : 1, yes));
  for (double rest = b->rest; rest > 0 && *yes; rest -= COIN_LOG)
    DPD_TRY(dpd_bernoulli_double(rng, exp(-fmin(rest, COIN_LOG)), yes));
  if (!*yes) return DPD_OK;
  /* score >= U - G with P(G >= g) = exp(-eps g / 2) is the coin exp(-eps (U - score) / 2) */
  DPD_TRY(dpd_geometric_exp(rng, t->eps.num, (uint64_t)1 << (DPD_RATE_BITS + 1), &slack));
  int64_t level = (int64_t)slack >= b->score ? 0 : b->score - (int64_t)slack;
  *yes = level <= b->bound && t->target.at_least(t->target.ctx, w, (int)level);
  return DPD_OK;
}

dpd_status dpd_rejection_draw(dpd_rejection *t, dpd_rng *rng, int rounds, double *w)
{
  for (int r = 0; r < rounds; r++) {
    int leaf;
    double log_prior;
    bool yes = false;
    DPD_TRY(draw_leaf(t, rng, &leaf));
    DPD_TRY(draw_point(t, rng, leaf, w, &log_prior));
    if (log_prior > -INFINITY) DPD_TRY(accept(t, rng, leaf, w, log_prior, &yes));
    t->proposals++;
    if (yes) {
      t->accepted++;
      return DPD_OK;
    }
    dpd_rejection_split(t, leaf);
  }
  return DPD_AGAIN;
}

void dpd_rejection_counts(const dpd_rejection *t, double *proposals, double *accepted, int *nodes)
{
  *proposals = t->proposals;
  *accepted = t->accepted;
  *nodes = t->nodes;
}
