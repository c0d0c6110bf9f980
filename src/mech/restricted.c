/* restricted.c - the restricted exponential mechanism over halfspace depth: its draw.
 *
 * METHOD: exp(eps h/2) on {h >= t} is a sum over levels: exp(eps t/2) on all of Z(t), and
 * exp(eps l/2) (1 - exp(-eps/2)) on Z(l) for each l > t; so a level is drawn with these factors
 * times the number of points, and then a point of it uniformly, in integers. (With the factor 1
 * - exp(-eps/2) on the base level as well, as published, the law is another one, and not
 * private.) In space the numbers of points are known only for regions with few columns of
 * points: for others boxes stand in, and a proposal outside its level's region starts all over,
 * which leaves the right law.
 *
 * ROUNDING: weights are doubles relative to the largest, with exponents below 700 in size:
 * relative errors below 2^-40. Levels of less than exp(-600) of the largest are left out; in space
 * those of less than exp(-520) of the weight that another level is certain to have. (Boxes have
 * less than 2^112 points. Should one that may hold none have more than exp(80) times the weight of
 * all that are certain, others may be lost below the least double: they would have been drawn with
 * a probability below exp(-80) a proposal.) A level is drawn by coins for one half of the levels
 * against the other, each of exactly a double's probability and always the smaller one of the two,
 * so that both sides have a small relative error.
 *
 * COST: O(levels), and O(log) sums of floors for the point. Memory: a double a level.
 *
 * DEGENERATE: a level without points has weight zero; one level is drawn without coins. In space a
 * level of unknown size that may be empty is proposed, and refused, as often as its box says.
 *
 * REFERENCE: Amin, Joseph, Ribero and Vassilvitskii (2022), Easy differentially private linear
 * regression; Brown, Gaboardi, Smith, Ullman and Zakynthinou (2021), Covariance-aware
 * private mean estimation without private covariance estimation.
 */
#include "mech/restricted.h"

#include <math.h>

#include "samp/bernoulli.h"
#include "samp/rng.h"

#define LOG_MIN (-600.0)
#define LOG_MIN_SPACE (-520.0)

/* By halves, so that errors grow with the logarithm of n. */
static double sum(const double *w, int n)
{
  if (n == 1) return w[0];
  return sum(w, n / 2) + sum(w + n / 2, n - n / 2);
}

/* An index k < n with probability weight[k] / sum, to within a relative error of 2^-41 for n up to
 * 2^24. Requires: weights >= 0, one of them 1 or more, and no more than n. */
static dpd_status choose(dpd_rng *rng, const double *weight, int n, int *out)
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

/* Factors exp(eps k/2) (1 - exp(-eps/2)), without the second for k = 0, times sizes, in place and
 * up to a common factor. `cells`: which levels are certain not to be empty; NULL: all. */
static void make_weights(double *size, int count, double eps,
                         const dpd_restricted_bounds_cell *cells)
{
  double most = -INFINITY, kept = -INFINITY, above = log(-expm1(-eps / 2));
  int top = 0;
  for (int k = 0; k < count; k++) {
    double w = log(size[k]) + eps * k / 2 + (k > 0 ? above : 0);
    if (w > most) top = k;
    most = fmax(most, w);
    if (cells == NULL)
      kept = fmax(kept, w + LOG_MIN);
    else if (cells[k].certain) /* of one point at least */
      kept = fmax(kept, w + LOG_MIN_SPACE - (cells[k].cell.counted ? 0 : log(size[k])));
  }
  double largest = size[top];
  for (int k = 0; k < count; k++) {
    double w = log(size[k]) + eps * k / 2 + (k > 0 ? above : 0), gap = eps * (k - top) / 2;
    if ((k > 0) != (top > 0)) gap += k > 0 ? above : -above;
    size[k] = w < kept || size[k] == 0 ? 0 : size[k] / largest * exp(gap);
  }
}

dpd_status dpd_restricted_draw(dpd_rng *rng, const dpd_lattice_regions *r, int level, double eps,
                               double *work, int64_t *z)
{
  int count = r->levels - level + 1, chosen = 0;
  for (int k = 0; k < count; k++)
    work[k] = (double)r->count[level - 1 + k];
  make_weights(work, count, eps, NULL);
  dpd_u128 index;
  DPD_TRY(choose(rng, work, count, &chosen));
  DPD_TRY(dpd_rng_below_u128(rng, r->count[level - 1 + chosen], &index));
  dpd_lattice_regions_pick(r, level + chosen, index, z);
  return DPD_OK;
}

/* A point of the cell: all of the same probability. False: it is too far out. */
static dpd_status propose(dpd_rng *rng, const dpd_restricted_bounds_cell *c, bool *near,
                          int64_t z[3])
{
  uint64_t step;
  *near = true;
  if (c->cell.counted) {
    DPD_TRY(dpd_rng_below(rng, (uint64_t)c->cell.count, &step));
    dpd_cell_pick(&c->cell, step, z);
  } else {
    int64_t k[3];
    for (int i = 0; i < 3; i++) {
      DPD_TRY(dpd_rng_below(rng, (uint64_t)c->cell.size[i], &step));
      k[i] = c->cell.low[i] + (int64_t)step;
    }
    *near = dpd_cell_point(&c->cell, k, z);
  }
  for (int i = 0; i < 3 && *near; i++)
    z[i] += c->centre[i];
  return DPD_OK;
}

dpd_status dpd_restricted_draw3(dpd_rng *rng, const dpd_restricted_proposals *p, int64_t z[3])
{
  const dpd_restricted_bounds_cells *b = p->cells;
  double *work = p->work;
  for (int k = 0; k < b->cells; k++)
    work[k] = b->cell[k].cell.count;
  make_weights(work, b->cells, p->eps, b->cell);
  for (int round = 0; round < p->rounds; round++) {
    int chosen;
    bool near;
    DPD_TRY(choose(rng, work, b->cells, &chosen));
    DPD_TRY(propose(rng, &b->cell[chosen], &near, z));
    if (near && dpd_restricted_bounds_holds(p->space, b->level + chosen, z)) return DPD_OK;
  }
  return DPD_AGAIN;
}
