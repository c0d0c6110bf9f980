/* exponential_density.c - an upper bound of a normal prior's density over a polygon.
 *
 * METHOD: boxes around some columns of a strip each, halved where they may hold far more than the
 *   best column seen: no point of the polygon is outside all of them. One box around a thin polygon
 *   that runs across it may hold exp(600) times its density, and no draw from it would be kept.
 *   Columns without lattice points, which may be all but a few, are left out.
 * EXACT: the boxes are whole numbers, and the density of doubles is monotone in the distance from
 *   the mean, so that the bound is one of the very doubles that points are held against.
 * COST: one box per strip, and O(log) more, about, where the density is close to its maximum.
 * DEGENERATE: a column is one box: its bound is that of its best point.
 */
#include <math.h>

#include "mech/exponential_state.h"

#define GAP 0.25 /* the bound is at most so much too high */

static double bound_box(const dpd_lattice *l, const dpd_strip *s, int64_t from, int64_t to)
{
  double y[2], out;
  dpd_strip_range(s, from, to, y);
  const double lo[2] = {(double)from, y[0]}, hi[2] = {(double)to, y[1]};
  return dpd_lattice_bound_prior(l, lo, hi, &out) ? out : -INFINITY;
}

/* Raises most[1] to an upper bound of the log density over columns from..to of a strip. most[0]:
 * the greatest in columns that were looked at. */
static void bound_columns(const dpd_lattice *l, const dpd_strip *s, int64_t from, int64_t to,
                          double most[2])
{
  double all = bound_box(l, s, from, to);
  if (all <= most[1] || dpd_strip_count(s, from, to) == 0) return;
  int64_t mid = from + (to - from) / 2;
  if (dpd_strip_count(s, mid, mid) > 0) most[0] = fmax(most[0], bound_box(l, s, mid, mid));
  if (from == to || all <= most[0] + GAP) {
    most[1] = all;
    return;
  }
  bool right =
      bound_box(l, s, mid + 1, to) > bound_box(l, s, from, mid); /* the better half first */
  for (int k = 0; k < 2; k++)
    if (right == (k == 0))
      bound_columns(l, s, mid + 1, to, most);
    else
      bound_columns(l, s, from, mid, most);
}

double dpd_exponential_density_bound(const dpd_lattice *l, const dpd_lattice_polygon *p)
{
  const dpd_strip *s = p->strip.item;
  double most[2] = {-INFINITY, -INFINITY};
  if (!l->prior.normal) return 0;
  for (size_t k = 0; k < p->strip.count; k++)
    bound_columns(l, s + k, s[k].from, s[k].to, most);
  return most[1];
}
