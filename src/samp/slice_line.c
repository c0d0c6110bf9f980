/* slice_line.c - slice sampling along lines through the state of a chain over real points.
 *
 * METHOD: a step draws a level below the density at x, and a point of the part of a line where the
 *   density is above it, by shrinking an interval toward x, at first all of the line within the
 *   prior's support (Neal, 2003, whose proof needs no more than that the interval does not depend
 *   on the place of x on the line). On a ray from a, on the scale of log |x - a|, the density has
 *   the further factor |x - a|^d.
 * COST: some ten proposals per step, of one density each.
 * DEGENERATE: a line of no length, or a state next to the centre: the chain stays, and on a line of
 *   no length nothing is drawn. A level that is no number is reached nowhere.
 * REFERENCE: Neal (2003), Slice sampling.
 */
#include "samp/slice_line.h"

#include <math.h>

#include "samp/rng.h"

enum { MOST_SHRINKS = 200 };
/* log distance from a centre, in steps of the lattice, below which radial steps neither go nor
 * begin */
static const double NEAR_LOG = -7;

/* A line: x + s v, or centre + exp(s) v. */
typedef struct {
  bool radial;
  double from, to; /* of s; x itself is at s = at */
  double at;
} line;

/* How far the line from a point goes within the support. */
static void line_ends(const dpd_slice *l, const double *from, double *min, double *max)
{
  const dpd_lattice *a = l->lattice;
  *min = -INFINITY;
  *max = INFINITY;
  for (int j = 0; j < a->prior.d; j++) {
    if (l->v[j] == 0) continue;
    double s = (a->lo[j] - 0.5 - from[j]) / l->v[j], t = (a->hi[j] + 0.5 - from[j]) / l->v[j];
    *min = fmax(*min, fmin(s, t));
    *max = fmin(*max, fmax(s, t));
  }
}

/* A step along the line: x stays where shrinking has come to an end of doubles. */
static dpd_status slice_step(const dpd_slice *l, dpd_rng *rng, line at)
{
  double u;
  int d = l->lattice->prior.d;
  DPD_TRY(dpd_rng_unit(rng, &u));
  double level = l->log_density + (at.radial ? d * at.at : 0) + log(1 - u);
  for (int i = 0; i < MOST_SHRINKS; i++) {
    DPD_TRY(dpd_rng_unit(rng, &u));
    double s = at.from + u * (at.to - at.from), r = at.radial ? exp(s) : s;
    const double *from = at.radial ? l->centre : l->x;
    for (int j = 0; j < d; j++)
      l->next[j] = from[j] + r * l->v[j];
    if (l->accept(l->chain, level, at.radial ? d * s : 0)) return DPD_OK;
    if (s < at.at)
      at.from = s;
    else
      at.to = s;
  }
  return DPD_OK;
}

dpd_status dpd_slice_straight(const dpd_slice *l, dpd_rng *rng)
{
  line at = {.at = 0};
  line_ends(l, l->x, &at.from, &at.to);
  if (!(at.to > at.from) || !isfinite(at.to - at.from)) return DPD_OK;
  return slice_step(l, rng, at);
}

dpd_status dpd_slice_radial(const dpd_slice *l, dpd_rng *rng)
{
  double size = 0, min, max;
  int d = l->lattice->prior.d;
  line at = {.radial = true};
  for (int j = 0; j < d; j++)
    size = fmax(size, fabs(l->x[j] - l->centre[j]));
  if (!(size > 0)) return DPD_OK;
  at.at = log(size);
  if (!(at.at > NEAR_LOG)) return DPD_OK;
  for (int j = 0; j < d; j++)
    l->v[j] = (l->x[j] - l->centre[j]) / size;
  line_ends(l, l->centre, &min, &max);
  at.from = NEAR_LOG;
  at.to = log(max);
  if (!(at.to >= at.at)) return DPD_OK; /* but for rounding it is */
  return slice_step(l, rng, at);
}

dpd_status dpd_slice_prior(const dpd_lattice *l, dpd_rng *rng, int axis, double from, double to,
                           double *w)
{
  double u, pair[2];
  if (l->prior.normal) {
    DPD_TRY(dpd_rng_normals(rng, pair));
    *w = l->mean[axis] + l->scale[axis] * pair[0];
  } else {
    DPD_TRY(dpd_rng_unit(rng, &u));
    *w = from + u * (to - from);
  }
  return DPD_OK;
}
