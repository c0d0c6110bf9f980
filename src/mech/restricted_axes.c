/* restricted_axes.c - the exponential mechanism over depth along the axes, restricted: its draw.
 *
 * METHOD: exp(eps h/2) on {h >= t} is a sum over levels: exp(eps t/2) on the box of level t, and
 *   exp(eps l/2) (1 - exp(-eps/2)) on that of each l > t, as far as boxes hold a point (with ties
 *   beyond n / 2). In units of exp(eps t/2) these are the weights of samp/level: level 0 with V_t,
 *   level k with V_(t+k) (1 - q) q^-k. (The base level has no factor 1 - q: with it, as published,
 *   the law is another one and not private.) Then a point of the level's box, uniformly.
 * EXACT: widths and draws are integers. Logarithms of weights: the header of samp/level, and
 *   rates per level rounded down by 2^-60 bits: for n <= 2^24 rows and d <= 2^20 the law is off by
 *   factors within exp(+-2^-36).
 * COST: O(n d) to open, O(n + d) a draw.
 * DEGENERATE: ties have levels beyond n / 2; constant columns have boxes of one point on that axis.
 */
#include "mech/restricted_axes.h"

#include "samp/rng.h"

static const double *column(const dpd_restricted_axes *m, int j)
{
  return m->sorted + (size_t)j * (size_t)m->n;
}

/* Points of the level's box along axis j; 0 if there are none. */
static int64_t width(const dpd_restricted_axes *m, int j, int level)
{
  const double *x = column(m, j);
  double across = x[m->n - level] - x[level - 1];
  return across >= 0 ? (int64_t)across + 1 : 0;
}

void dpd_restricted_axes_settle(dpd_restricted_axes *m, dpd_rate eps, dpd_product *level)
{
  int count = m->n - m->level + 1;
  for (int k = 0; k < count; k++)
    dpd_product_one(level + k);
  for (int j = 0; j < m->d; j++)
    for (int k = 0; k < count; k++) {
      int64_t points = width(m, j, m->level + k);
      if (points == 0)
        count = k; /* boxes are nested */
      else
        dpd_product_times(level + k, (dpd_u128)points);
    }
  dpd_u128 step = dpd_level_step(eps);
  dpd_levels_settle(&m->levels, level, count, step, dpd_level_offset(step));
}

dpd_status dpd_restricted_axes_draw(const dpd_restricted_axes *m, dpd_rng *rng, double *z)
{
  int k;
  DPD_TRY(dpd_levels_draw(&m->levels, rng, &k));
  for (int j = 0; j < m->d; j++) {
    uint64_t step;
    DPD_TRY(dpd_rng_below(rng, (uint64_t)width(m, j, m->level + k), &step));
    z[j] = column(m, j)[m->level + k - 1] + (double)step;
  }
  return DPD_OK;
}
