/* mech_restricted.c - the restricted exponential mechanism over halfspace depth: its draw.
 *
 * METHOD: exp(eps h/2) on {h >= t} is a sum over levels: exp(eps t/2) on all of Z(t), and exp(eps l/2)
 *   (1 - exp(-eps/2)) on Z(l) for each l > t; so a level is drawn with these factors times the number of
 *   points, and then a point of it uniformly, in integers. (With the factor 1 - exp(-eps/2) on the base
 *   level as well, as in code that goes around, the law is another one, and not private.)
 * ROUNDING: weights are doubles relative to the largest, with exponents below 700 in size: relative
 *   errors below 2^-40. Levels of less than exp(-600) of the largest are left out. A level is drawn by
 *   coins for one half of the levels against the other, each of exactly a double's probability and
 *   always the smaller one of the two, so that both sides have a small relative error.
 * COST: O(levels), and O(log) sums of floors for the point.
 * REFERENCE: Amin, Joseph, Ribero and Vassilvitskii (2022), Easy differentially private linear
 *   regression, section 3; Brown, Gaboardi, Smith, Ullman and Zakynthinou (2021), Covariance-aware
 *   private mean estimation without private covariance estimation, section 3.
 */
#include "mech_restricted.h"

#include <math.h>

#include "samp_bernoulli.h"
#include "samp_rng.h"

#define LOG_LEAST (-600.0)

/* By halves, so that errors grow with the logarithm of n. */
static double sum(const double *w, int n)
{
  if (n == 1) return w[0];
  return sum(w, n / 2) + sum(w + n / 2, n - n / 2);
}

dpd_status dpd_restricted_choose(dpd_rng *rng, const double *weight, int n, int *out)
{
  int from = 0;
  while (n > 1) {
    int half = n / 2;
    double left = sum(weight + from, half), right = sum(weight + from + half, n - half);
    bool small, first = left <= right;
    DPD_TRY(dpd_bernoulli_double(rng, (first ? left : right) / (left + right), &small));
    if (small == first) {
      n = half;
    } else {
      from += half;
      n -= half;
    }
  }
  *out = from;
  return DPD_OK;
}

dpd_status dpd_restricted_draw(dpd_rng *rng, const dpd_lattice_regions *r, int level, double eps,
                               double *work, int64_t *z)
{
  int count = r->levels - level + 1, chosen = 0;
  double most = -INFINITY, above = log(-expm1(-eps / 2));
  for (int k = 0; k < count; k++) {
    /* k, not the level: a common factor is left out, and numbers stay small */
    work[k] = log((double)r->count[level - 1 + k]) + eps * k / 2 + (k > 0 ? above : 0);
    most = fmax(most, work[k]);
  }
  int top = 0;
  while (work[top] < most)
    top++;
  for (int k = 0; k < count; k++) {
    double ratio = (double)r->count[level - 1 + k] / (double)r->count[level - 1 + top];
    double gap = eps * (k - top) / 2;
    if ((k > 0) != (top > 0)) gap += k > 0 ? above : -above;
    work[k] = work[k] < most + LOG_LEAST ? 0 : ratio * exp(gap);
  }
  dpd_u128 index;
  DPD_TRY(dpd_restricted_choose(rng, work, count, &chosen));
  DPD_TRY(dpd_rng_below_u128(rng, r->count[level - 1 + chosen], &index));
  dpd_lattice_regions_pick(r, level + chosen, index, z);
  return DPD_OK;
}
