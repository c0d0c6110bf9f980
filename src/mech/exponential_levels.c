/* exponential_levels.c - nested boxes around the depth regions, in the coordinates of the tree.
 *
 * METHOD: at some depths t the extremes of every sheared coordinate over the points of depth t are
 *   bounded by linear programs (mech/exponential_polytope.c). A leaf that misses the box of depth t
 *   holds no such point, and the tree is cut along these boxes before the first proposal: the slabs
 *   between two boxes have the lower depth's weight. A draw then takes about as many proposals as
 *   the boxes are larger than the regions: 2^d over the volume of the unit ball if these are round,
 *   63 for d = 8, 400 for d = 10, however thin they are along the coordinates.
 *   Depths are dense where the mass is: where a region's weight exp(eps t / 2) is within exp(-4 d)
 *   of the deepest one's, two of them differ by a part 1 / (2 d) of that; further out by a half.
 * EXACT: boxes only bound. Each is cut with the box before, since regions are nested.
 * COST: 2 d programs per depth, about 5 d + 10 depths.
 * DEGENERATE: where no kept rank can be the depth of a point there are no boxes.
 */
#include <math.h>
#include <string.h>

#include "mech/exponential_state.h"

enum { MAX_LEVELS = 160 };

/* The next lower depth after one whose weight is exp(-gap) of the deepest one's. */
static double next_gap(int d, double gap)
{
  return gap < 4 * d ? gap + fmax(0.5, 0.5 * gap / d) : 1.5 * gap;
}

/* The largest kept rank that may be a point's depth. */
static int highest_depth(dpd_exponential *m)
{
  const dpd_rank_window *w = &m->window;
  int holds = -1, fails = w->ranks;
  bool empty;
  while (fails - holds > 1) {
    int mid = holds + (fails - holds) / 2;
    if (dpd_exponential_polytope_holds(m, w->low + mid * w->stride, &empty)) {
      holds = mid;
    } else {
      fails = mid;
      if (empty) m->levels.cap = w->low + mid * w->stride - 1;
    }
    dpd_exponential_pause(m);
  }
  return holds;
}

/* The kept ranks that get boxes, from the lowest up, into m->levels.t. */
static void choose_depths(dpd_exponential *m)
{
  const dpd_rank_window *w = &m->window;
  dpd_exponential_levels *l = &m->levels;
  double half_eps = ldexp((double)m->spec.eps.num, -DPD_RATE_BITS - 1), gap = 0;
  int place = highest_depth(m), top = place;
  l->count = 0;
  while (place >= 0 && l->count < MAX_LEVELS) {
    l->t[l->count++] = w->low + place * w->stride;
    if (place == 0) break;
    gap = next_gap(m->spec.d, fmax(gap, half_eps * (top - place) * w->stride));
    double below = top - gap / half_eps / w->stride;
    place = below < place - 1 ? (int)fmax(0, floor(below)) : place - 1;
  }
  for (int k = 0; 2 * k < l->count; k++) {
    int t = l->t[k];
    l->t[k] = l->t[l->count - 1 - k];
    l->t[l->count - 1 - k] = t;
  }
}

/* The range of coordinate j at the depth that is set. */
static void coordinate_range(dpd_exponential *m, int j, dpd_simplex_start at[2], double ends[2])
{
  double constant, off;
  int d = m->spec.d;
  dpd_shear_coordinate(&m->shear, j, m->deep.start, m->bound.form, &constant, &off);
  for (int side = 0; side < 2; side++) {
    double most = dpd_exponential_polytope_most(m, m->bound.form, &at[side]);
    ends[1 - side] = side == 0 ? floor(constant + most + off) : ceil(constant - most - off);
    for (int k = 0; k < d; k++)
      m->bound.form[k] = -m->bound.form[k];
  }
}

/* The box of level k, within that of the level before or the tree's. */
static void set_box(dpd_exponential *m, int k, dpd_simplex_start *at)
{
  dpd_exponential_levels *l = &m->levels;
  size_t d = (size_t)m->spec.d;
  double *lo = l->lo + (size_t)k * d, *hi = l->hi + (size_t)k * d;
  if (k == 0) {
    dpd_shear_cover(&m->shear, m->lattice.lo, m->lattice.hi, lo, hi);
  } else {
    memcpy(lo, lo - d, d * sizeof *lo);
    memcpy(hi, hi - d, d * sizeof *hi);
  }
  dpd_exponential_polytope_depth(m, l->t[k]);
  for (size_t j = 0; j < d; j++) {
    double ends[2];
    coordinate_range(m, (int)j, at + 2 * j, ends);
    lo[j] = fmax(lo[j], ends[0]);
    hi[j] = fmin(hi[j], ends[1]);
  }
}

/* Log number of points of a box; -INFINITY if there is none. */
static double log_points(const dpd_exponential *m, const double *lo, const double *hi)
{
  double sum = 0;
  for (int j = 0; j < m->spec.d; j++) {
    double side = hi[j] - lo[j] + 1;
    if (!(side >= 1)) return -INFINITY;
    sum += log(side);
  }
  return sum;
}

/* Log of what the boxes weigh, each with the next depth's points: the less, the better the
 * coordinates. In the plane, where bases may be far from the axes, with all there is around them:
 * few rows or a small eps leave most of the mass there. */
static double log_weight(const dpd_exponential *m)
{
  const dpd_exponential_levels *l = &m->levels;
  size_t d = (size_t)m->spec.d;
  double half_eps = ldexp((double)m->spec.eps.num, -DPD_RATE_BITS - 1), sum = -INFINITY;
  dpd_shear_cover(&m->shear, m->lattice.lo, m->lattice.hi, m->bound.lo, m->bound.hi);
  for (int k = m->beyond && d == 2 ? -1 : 0; k < l->count && l->count > 0; k++) {
    const double *lo = k < 0 ? m->bound.lo : l->lo + (size_t)k * d;
    const double *hi = k < 0 ? m->bound.hi : l->hi + (size_t)k * d;
    int t = k + 1 < l->count ? l->t[k + 1] - 1 : l->t[k];
    double part = log_points(m, lo, hi) + half_eps * (t - l->t[l->count - 1]);
    double top = fmax(sum, part);
    if (top > -INFINITY) sum = top + log(exp(sum - top) + exp(part - top));
  }
  return sum;
}

void dpd_exponential_levels_open(dpd_exponential *m)
{
  size_t d = (size_t)m->spec.d;
  dpd_exponential_levels *l = &m->levels;
  l->t = m->alloc(MAX_LEVELS, sizeof *l->t);
  l->lo = m->alloc(2 * MAX_LEVELS * d, sizeof *l->lo);
  l->hi = l->lo + MAX_LEVELS * d;
  l->start = m->alloc(2 * d, sizeof *l->start);
  for (size_t k = 0; k < 2 * d; k++) {
    l->start[k].basis = m->alloc(d + 1, sizeof *l->start[k].basis);
    l->start[k].y = m->alloc(d + 1, sizeof *l->start[k].y);
  }
}

double dpd_exponential_levels_set(dpd_exponential *m)
{
  dpd_exponential_levels *l = &m->levels;
  l->count = 0;
  l->cap = m->spec.n;
  dpd_exponential_polytope_start(m);
  choose_depths(m);
  for (int k = 0; k < 2 * m->spec.d; k++)
    l->start[k].set = false;
  for (int k = 0; k < l->count; k++) {
    set_box(m, k, l->start);
    dpd_exponential_pause(m);
  }
  return log_weight(m);
}

/* Does the box lo..hi miss the box of level k? */
static bool misses(const dpd_exponential *m, int k, const double *lo, const double *hi)
{
  size_t d = (size_t)m->spec.d;
  const double *a = m->levels.lo + (size_t)k * d, *b = m->levels.hi + (size_t)k * d;
  for (size_t j = 0; j < d; j++)
    if (hi[j] < a[j] || lo[j] > b[j] || a[j] > b[j]) return true;
  return false;
}

int dpd_exponential_levels_bound(const dpd_exponential *m, const double *lo, const double *hi,
                                 int cap)
{
  const dpd_exponential_levels *l = &m->levels;
  int meets = -1, missed = l->count; /* levels are nested: what misses one misses the next */
  if (l->cap < cap) cap = l->cap;
  while (missed - meets > 1) {
    int mid = meets + (missed - meets) / 2;
    if (misses(m, mid, lo, hi))
      missed = mid;
    else
      meets = mid;
  }
  return missed < l->count && l->t[missed] - 1 < cap ? l->t[missed] - 1 : cap;
}

void dpd_exponential_levels_carve(const dpd_exponential *m, dpd_rejection *tree)
{
  size_t d = (size_t)m->spec.d;
  for (int k = 0; k < m->levels.count; k++) {
    if (!dpd_rejection_carve(tree, m->levels.lo + (size_t)k * d, m->levels.hi + (size_t)k * d))
      return;
    dpd_exponential_pause(m);
  }
}
