/* halfspace_directional.c - a deepest point of the directional halfspace depth.
 *
 * METHOD: {h_U >= l} is the polytope {z : u'z <= q_u(l), u in +-U}, q_u(l) the l-th largest
 *   projection. It is not empty iff the linear program "maximise r subject to u'z + |u| r <=
 *   q_u(l)" has r >= 0, and its solution is then the centre of a largest ball. The deepest level is
 *   found by bisection. It is at least ceil(n/(d + 1)) (centrepoint theorem; h_U >= h) and at least
 *   the depth of the coordinatewise median; it is at most floor((n + 1)/2), unless more than half
 *   of the rows tie in every coordinate, when the coordinatewise median is the only candidate. Only
 *   order statistics between these levels are kept, from one pass over the directions; while they
 *   are too many, the bisection takes one level per pass.
 * COST: O(N n d) per pass, then log2(n) programs with d + 1 variables and 2 N constraints.
 * ROUNDING: r above -2^-40 counts as 0, in units of `scale`. The caller checks the depth reached.
 * DEGENERATE: regions without interior have r = 0, and any of their points may be returned.
 * REFERENCE: Dyckerhoff and Mozharovskyi (2016); Amenta et al. (2000), Regression depth and center
 *   points.
 */
#include "median/halfspace_directional.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "depth/halfspace_directional.h"
#include "geom/linear_program.h"
#include "num/project.h"
#include "num/scratch.h"
#include "num/select.h"

/* Most order statistics kept, in doubles: 128 MB. */
#define MAX_KEPT 0x1p24

/* Order statistics of the kept levels, in directions from..to. */
static void keep_levels(dpd_directional_search *s, int from, int to)
{
  const dpd_directional *m = s->m;
  size_t width = (size_t)(s->last - s->first + 1), n = (size_t)m->n;
#ifdef _OPENMP
#pragma omp parallel for num_threads(m->threads) schedule(static, 1)
#endif
  for (int thread = 0; thread < m->threads; thread++) {
    double *t = s->projection + (size_t)thread * n;
    for (int k = from + thread; k < to; k += m->threads) {
      double *low = s->kept + 2 * width * (size_t)k, *high = low + width;
      size_t first = (size_t)s->first - 1, other = n - (size_t)s->last;
      dpd_project_rows(m->data, m->n, m->d, m->dirs + k, (size_t)m->count, t);
      dpd_select_range(t, n, first, first + width - 1);
      memcpy(low, t + first, width * sizeof *t);
      dpd_select_range(t, n, other, other + width - 1);
      memcpy(high, t + other, width * sizeof *t);
    }
  }
}

/* How many levels' order statistics there is room for. */
static int levels_kept(const dpd_directional *m)
{
  int levels = (m->n + 1) / 2 - (m->n + m->d) / (m->d + 1) + 1;
  double most = MAX_KEPT / (2.0 * m->count);
  if (most < levels) levels = (int)most;
  return levels > 1 ? levels : 1;
}

/* Rows u'z + r <= ..., in coordinates (x - centre)/scale, where u becomes a unit vector. */
static void set_constraints(dpd_directional_search *s, int level)
{
  size_t q = (size_t)s->m->d + 1, width = (size_t)(s->last - s->first + 1);
  for (int k = 0; k < s->m->count; k++) {
    double *up = s->a + 2 * (size_t)k * q, *down = up + q, norm = 0, at_centre = 0;
    for (int j = 0; j < s->m->d; j++) {
      double u = s->m->dirs[(size_t)k + (size_t)j * (size_t)s->m->count];
      at_centre += u * s->m->centre[j];
      up[j] = u * s->m->scale[j];
      norm = hypot(norm, up[j]);
    }
    for (int j = 0; j < s->m->d; j++) {
      up[j] /= norm;
      down[j] = -up[j];
    }
    up[s->m->d] = down[s->m->d] = 1;
    const double *low = s->kept + 2 * width * (size_t)k, *high = low + width;
    s->b[2 * k] = (high[s->last - level] - at_centre) / norm;
    s->b[2 * k + 1] = -(low[level - s->first] - at_centre) / norm;
  }
}

/* Two opposite constraints of the first axis carry the objective, the other axes complete them. */
static void first_basis(dpd_directional_search *s)
{
  s->basis[0] = 2 * s->m->axes[0];
  s->basis[1] = 2 * s->m->axes[0] + 1;
  for (int j = 1; j < s->m->d; j++)
    s->basis[j + 1] = 2 * s->m->axes[j];
}

/* Whether the region of a level has a point; then z is one. */
static dpd_status try_level(dpd_directional_search *s, int level, double *z, bool *found)
{
  dpd_lp lp = {s->a, s->b, s->c, 2 * s->m->count, s->m->d + 1, 0x1p-45};
  double *point = s->solution;
  set_constraints(s, level);
  first_basis(s);
  dpd_status status = dpd_lp_maximise(&lp, s->basis, s->work, point, found);
  if (status == DPD_OK) {
    *found = *found && point[s->m->d] >= -0x1p-40;
    for (int j = 0; j < s->m->d && *found; j++)
      z[j] = s->m->centre[j] + s->m->scale[j] * point[j];
  }
  return status;
}

/* A pass over the directions, to keep order statistics of all levels left, or of `mid`. */
static void start_pass(dpd_directional_search *s, int mid)
{
  bool room = s->hi - s->lo < levels_kept(s->m);
  s->first = room ? s->lo : mid;
  s->last = room ? s->hi : mid;
  s->next = 0;
  s->stage = DPD_KEEP_LEVELS;
  if (s->done >= s->total) s->total += s->m->count;
}

/* One step of the bisection: a linear program, if the level's order statistics are there. */
static dpd_status bisect(dpd_directional_search *s, double *z)
{
  /* the lowest level is not empty, but no point of it is known when nothing above is found */
  int mid = s->lo < s->hi ? s->lo + (s->hi - s->lo + 1) / 2 : s->lo;
  if (mid < s->first || mid > s->last) {
    start_pass(s, mid);
    return DPD_AGAIN;
  }
  bool found;
  DPD_TRY(try_level(s, mid, z, &found));
  if (found) {
    s->lo = mid;
    s->have_point = true;
  } else if (s->lo < s->hi) {
    s->hi = mid - 1;
  } else {
    return DPD_OK; /* lost by rounding: z stays the coordinatewise median */
  }
  s->level = s->lo;
  return s->lo < s->hi || !s->have_point ? DPD_AGAIN : DPD_OK;
}

static dpd_scratch lay_out(dpd_directional_search *s, dpd_scratch a)
{
  size_t q = (size_t)s->m->d + 1, rows = 2 * (size_t)s->m->count;
  s->a = dpd_scratch_take(&a, rows * q, sizeof *s->a);
  s->b = dpd_scratch_take(&a, rows, sizeof *s->b);
  s->c = dpd_scratch_take(&a, q, sizeof *s->c);
  s->solution = dpd_scratch_take(&a, q, sizeof *s->solution);
  s->kept = dpd_scratch_take(&a, rows * (size_t)levels_kept(s->m), sizeof *s->kept);
  s->projection =
      dpd_scratch_take(&a, (size_t)s->m->threads * (size_t)s->m->n, sizeof *s->projection);
  s->basis = dpd_scratch_take(&a, q, sizeof *s->basis);
  s->work = dpd_scratch_take(&a, dpd_lp_scratch((int)q), 1);
  return a;
}

static dpd_points centre_of(const dpd_directional *m)
{
  return (dpd_points){m->data, m->centre, m->err, m->n, m->d, 1};
}

size_t dpd_median_directional_scratch(const dpd_directional *m)
{
  dpd_directional_search s = {.m = m};
  dpd_points p = centre_of(m);
  return dpd_scratch_size(lay_out(&s, (dpd_scratch){NULL, 0}).used, 1) +
         dpd_halfspace_directional_scratch(&p, m->threads);
}

void dpd_median_directional_open(dpd_directional_search *s, const dpd_directional *m, double *z,
                                 void *scratch)
{
  *s = (dpd_directional_search){.m = m, .level = m->n, .total = 2.0 * m->count};
  dpd_scratch own = lay_out(s, dpd_scratch_part(scratch, 0, 0));
  s->depth_scratch = own.base + own.used;
  memcpy(z, m->centre, (size_t)m->d * sizeof *z);
  memset(s->c, 0, (size_t)m->d * sizeof *s->c);
  s->c[m->d] = 1;
}

/* The search's levels, when the depth of the coordinatewise median is known. */
static dpd_status start_bisection(dpd_directional_search *s)
{
  const dpd_directional *m = s->m;
  int least = (m->n + m->d) / (m->d + 1);
  s->lo = s->level = s->level > least ? s->level : least;
  s->hi = (m->n + 1) / 2;
  s->stage = DPD_TRY_LEVEL;
  return s->lo > s->hi ? DPD_OK : DPD_AGAIN;
}

dpd_status dpd_median_directional(dpd_directional_search *s, int block, double *z)
{
  const dpd_directional *m = s->m;
  if (s->stage == DPD_TRY_LEVEL) return bisect(s, z);
  int from = s->next, to = m->count - from < block ? m->count : from + block;
  s->next = to;
  s->done += to - from;
  if (s->stage == DPD_AT_CENTRE) {
    dpd_points p = centre_of(m);
    dpd_direction_range dirs = {m->dirs, m->count, from, to};
    dpd_halfspace_directional(&p, &dirs, m->threads, &s->level, s->depth_scratch);
    return to < m->count ? DPD_AGAIN : start_bisection(s);
  }
  keep_levels(s, from, to);
  if (to == m->count) s->stage = DPD_TRY_LEVEL;
  return DPD_AGAIN;
}
