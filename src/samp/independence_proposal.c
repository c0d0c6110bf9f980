/* independence_proposal.c - independent proposals for a chain over a directional depth.
 *
 * METHOD: along the axes alone the points of depth t and more are a box, between the order
 *   statistics of ranks t and n + 1 - t. Boxes count whole lattice cells, so that one of a single
 *   point has the mass of a cell: atoms of the data are seen. A level's weight is
 *   (exp(e t) - exp(e (t - 1))) P(box), e = eps / 2, P the prior; below the window's ranks it is
 *   exp(e (low - 1)) P(support). Draw the level, then a point of its box from the prior.
 * COST: O(d levels) to open; O(d + levels) per draw, O(d log levels) per depth. Memory: a double a
 *   level, d doubles and ints.
 * DEGENERATE: ranks that cross, above the middle, make a box empty: weight zero. Weights are taken
 *   relative to the heaviest, by logarithms, so that none overflows. Where the normal prior's mass
 *   of a side is lost to rounding, its density at the middle times the width stands in, and the
 *   draw from the side is flat. Requires a support of two lattice points or more on every axis.
 * REFERENCE: Hastings (1970), Monte Carlo sampling methods using Markov chains, section 2.5;
 *   Tierney (1994), Markov chains for exploring posterior distributions (independence chains).
 */
#include "samp/independence_proposal.h"

#include <Rmath.h>
#include <math.h>

#include "num/directions.h"
#include "samp/rng.h"

static void support_side(const dpd_lattice *l, int j, double *from, double *to)
{
  *from = l->lo[j];
  *to = l->hi[j];
}

/* Side j of the box of level t, within the support; empty when from > to. */
static void box_side(const dpd_jump *b, int t, int j, double *from, double *to)
{
  double low = dpd_rank_window_at(b->window, t)[b->axis[j]] / b->unit[j];
  double high = dpd_rank_window_mirror(b->window, t)[b->axis[j]] / b->unit[j];
  support_side(b->lattice, j, from, to);
  *from = fmax(*from, fmin(low, high) - 0.5);
  *to = fmin(*to, fmax(low, high) + 0.5);
  /* above the middle the ranks cross: nothing is that deep */
  if ((b->unit[j] > 0) != (low <= high) && low != high) *to = *from - 1;
}

static void standardise(const dpd_lattice *l, int j, double *from, double *to, bool *mirrored)
{
  double a = (*from - l->mean[j]) / l->scale[j], b = (*to - l->mean[j]) / l->scale[j];
  *mirrored = a + b > 0;
  *from = *mirrored ? -b : a;
  *to = *mirrored ? -a : b;
}

/* Logarithm of the prior's mass between from and to, up to a constant. */
static double log_side(const dpd_lattice *l, int j, double from, double to)
{
  bool mirrored;
  if (!(to > from)) return -INFINITY;
  if (!l->prior.normal) return log(to - from);
  double middle = ((from + to) / 2 - l->mean[j]) / l->scale[j], width = (to - from) / l->scale[j];
  standardise(l, j, &from, &to, &mirrored);
  double mass = pnorm(to, 0, 1, 1, 0) - pnorm(from, 0, 1, 1, 0);
  if (mass > 1e-6 * pnorm(to, 0, 1, 1, 0)) return log(mass);
  return log(width) - 0.5 * middle * middle - M_LN_SQRT_2PI;
}

static dpd_status draw_side(const dpd_lattice *l, int j, double from, double to, dpd_rng *rng,
                            double *z)
{
  double u, a = from, b = to;
  bool mirrored;
  DPD_TRY(dpd_rng_unit(rng, &u));
  *z = from + u * (to - from);
  if (!l->prior.normal) return DPD_OK;
  standardise(l, j, &a, &b, &mirrored);
  double low = pnorm(a, 0, 1, 1, 0), high = pnorm(b, 0, 1, 1, 0);
  if (!(high - low > 1e-6 * high)) return DPD_OK; /* so narrow that the prior is flat on it */
  double x = qnorm(low + u * (high - low), 0, 1, 1, 0);
  *z = fmin(fmax(l->mean[j] + l->scale[j] * (mirrored ? -x : x), from), to);
  return DPD_OK;
}

static double log_box(const dpd_jump *b, int t)
{
  double sum = 0, from, to;
  for (int j = 0; j < b->lattice->prior.d; j++) {
    box_side(b, t, j, &from, &to);
    sum += log_side(b->lattice, j, from, to);
  }
  return sum;
}

static void set_weights(dpd_jump *b)
{
  const dpd_rank_window *w = b->window;
  int levels = w->high - w->low + 1;
  double gain = log(-expm1(-b->half_eps)), top = -INFINITY, sum = 0, from, to;
  for (int k = 0; k < levels; k++)
    b->weight[k] = b->half_eps * (w->high - k) + gain + log_box(b, w->high - k);
  b->weight[levels] = b->half_eps * (w->low - 1);
  for (int j = 0; j < b->lattice->prior.d; j++) {
    support_side(b->lattice, j, &from, &to);
    b->weight[levels] += log_side(b->lattice, j, from, to);
  }
  for (int k = 0; k <= levels; k++)
    top = fmax(top, b->weight[k]);
  for (int k = 0; k <= levels; k++)
    sum += b->weight[k] = exp(b->weight[k] - top);
  for (int k = 0; k <= levels; k++)
    b->weight[k] /= sum;
  b->log_total = top + log(fmax(sum, 1)); /* the heaviest is 1 */
}

void dpd_jump_open(dpd_jump *b, const dpd_rank_window *window, const dpd_lattice *lattice,
                   double half_eps, dpd_alloc alloc)
{
  int d = lattice->prior.d;
  b->window = window;
  b->lattice = lattice;
  b->half_eps = half_eps;
  b->axis = alloc((size_t)d, sizeof *b->axis);
  b->unit = alloc((size_t)d, sizeof *b->unit);
  b->weight = alloc((size_t)(window->high - window->low + 2), sizeof *b->weight);
  for (int u = 0; u < window->from->count; u++) {
    const double *dir = window->from->dirs + (size_t)u * (size_t)d;
    int j = dpd_axis_of(dir, d);
    if (j < 0) continue;
    b->axis[j] = u;
    b->unit[j] = dir[j];
  }
  set_weights(b);
}

dpd_status dpd_jump_draw(const dpd_jump *b, dpd_rng *rng, double *z)
{
  double at, from, to;
  int k = 0, levels = b->window->high - b->window->low + 1;
  DPD_TRY(dpd_rng_unit(rng, &at));
  while (k < levels && at >= b->weight[k])
    at -= b->weight[k++];
  for (int j = 0; j < b->lattice->prior.d; j++) {
    if (k < levels)
      box_side(b, b->window->high - k, j, &from, &to);
    else
      support_side(b->lattice, j, &from, &to);
    DPD_TRY(draw_side(b->lattice, j, from, to, rng, z + j));
  }
  return DPD_OK;
}

/* Does the box of level t hold z? */
static bool holds(const dpd_jump *b, int t, const double *z)
{
  for (int j = 0; j < b->lattice->prior.d; j++) {
    double from, to;
    box_side(b, t, j, &from, &to);
    if (z[j] < from || z[j] > to) return false;
  }
  return true;
}

int dpd_jump_depth(const dpd_jump *b, const double *z)
{
  int pass = b->window->low - 1, fail = b->window->high + 1;
  while (fail - pass > 1) {
    int mid = pass + (fail - pass) / 2;
    if (holds(b, mid, z))
      pass = mid;
    else
      fail = mid;
  }
  return pass;
}

dpd_status dpd_jump_prior(const dpd_lattice *l, dpd_rng *rng, double *z)
{
  for (int j = 0; j < l->prior.d; j++) {
    double from, to;
    support_side(l, j, &from, &to);
    DPD_TRY(draw_side(l, j, from, to, rng, z + j));
  }
  return DPD_OK;
}
