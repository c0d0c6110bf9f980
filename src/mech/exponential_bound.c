/* exponential_bound.c - bounds of the depth over boxes, for exact draws of a private median.
 *
 * METHOD: a point of depth t lies between the order statistics of ranks t and n + 1 - t in every
 *   direction, so a box whose projection misses that interval in one direction holds no such point.
 *   A box of one point has no bound but its score and prior themselves: a bound that stayed above
 *   them would be proposed, and refused, exp(eps gap / 2) times for each draw.
 *   For the exact planar and spatial depths, a point that is refused although it passed along all
 *   directions so far adds the direction in which it is shallow; when there is room for no more,
 *   the oldest one gives way.
 * EXACT: the directions of the score are integers, all their projections exact. Added directions
 *   only bound; they are doubles of size at most one, since thin data need finer angles than
 *   integers of 16 bits have. On indexes of at most 2^34 their projections, of rows and of points,
 *   are off by less than 2^-15 each: their order statistics are kept 2^-13 outward.
 * COST: a bound O(count d), in blocks, which ends where no kept rank is left; above the window's
 *   ranks O(n d) for each of the first d directions. A single point: O(count d), or an exact depth
 *   (depth/halfspace.c). An added direction: O(n d) to project and select.
 * DEGENERATE: depths below the window are not distinguished; see mech/exponential_window.c.
 * REFERENCE: as mech/exponential.c.
 */
#include <math.h>
#include <string.h>

#include "depth/halfspace.h"
#include "mech/exponential_state.h"
#include "num/rank_fill.h"

enum { BLOCK_FORMS = 128 }; /* directions whose range over a box is found at once */

static const double CUT_SLACK = 0x1p-13;

void dpd_exponential_bound_open(dpd_exponential *m)
{
  dpd_exponential_bounds *b = &m->bound;
  size_t d = (size_t)m->spec.d, room = (size_t)m->projected.room;
  b->forms = m->alloc(room * (d + 3), sizeof *b->forms);
  b->sizes = b->forms + room * d;
  b->extent = m->alloc(d * (d + 3), sizeof *b->extent);
  b->min = m->alloc(2 * BLOCK_FORMS, sizeof *b->min);
  b->max = b->min + BLOCK_FORMS;
  b->lo = m->alloc(3 * d + 1, sizeof *b->lo);
  b->hi = b->lo + d;
  b->form = b->hi + d;
}

/* Bounds of the rank along the axis u by counting rows, for depths above the window. */
static int scan_bound(dpd_exponential *m, int u, const double *lo, const double *hi, int cap)
{
  const dpd_projected *p = &m->projected;
  double a, b;
  int below = 0, above = 0;
  dpd_shear_forms form = {m->bound.forms + u, m->bound.sizes + u, 1, (size_t)p->room};
  dpd_shear_ranges(&m->shear, &form, lo, hi, &a, &b);
  if (p->along != NULL) {
    int other;
    dpd_runs_sides(p->along + u, b, &below, &other);
    dpd_runs_sides(p->along + u, a, &other, &above);
  }
  for (int i = 0; p->along == NULL && i < dpd_tally_size(p->tally, p->n); i++) {
    double y =
        dpd_project(p->dirs + (size_t)u * (size_t)p->d, p->rows + (size_t)i * (size_t)p->d, p->d);
    int rows = dpd_tally_count(p->tally, i);
    below += y <= b ? rows : 0;
    above += y >= a ? rows : 0;
  }
  int bound = below < above ? below : above;
  return bound < cap ? bound : cap;
}

/* The score at the one point w, and its log prior. */
static bool point_bound(dpd_exponential *m, const double *w, int cap, int *score, double *log_prior)
{
  dpd_shear_point(&m->shear, w, m->z);
  if (!dpd_lattice_log_prior(&m->lattice, m->z, log_prior)) return false;
  if (!m->beyond) {
    *score = dpd_rank_window_depth(&m->window, m->z, cap);
    return true;
  }
  *score = cap;
  if (cap < m->window.low) return true;
  if (!dpd_rank_window_may_reach(&m->window, m->z, m->window.low)) {
    *score = m->window.low - 1;
    return true;
  }
  int exact = dpd_exponential_score(m, m->z);
  if (exact < cap) *score = exact;
  return true;
}

/* The bound by the directions from.. whose ranges over the box are m->bound.min, m->bound.max. */
static int block_bound(const dpd_exponential *m, size_t from, size_t block, int t)
{
  const dpd_rank_window *win = &m->window;
  int k = dpd_rank_window_place(win, t);
  for (size_t u = 0; u < block && k >= 0; u++) {
    if (m->bound.max[u] >= dpd_rank_window_kept(win, k)[from + u] &&
        m->bound.min[u] <= dpd_rank_window_kept_mirror(win, k)[from + u])
      continue;
    t = dpd_rank_window_bound(win, (int)(from + u), m->bound.min[u], m->bound.max[u], t);
    k = dpd_rank_window_place(win, t);
  }
  return t;
}

static bool target_bound(void *ctx, const double *lo, const double *hi, int cap, int *score,
                         double *log_prior)
{
  dpd_exponential *m = ctx;
  size_t d = (size_t)m->spec.d, count = (size_t)m->projected.count;
  size_t room = (size_t)m->projected.room;
  int t = cap;
  if (memcmp(lo, hi, d * sizeof *lo) == 0) return point_bound(m, lo, cap, score, log_prior);
  dpd_shear_forms extent = {m->bound.extent, m->bound.extent + d * d, m->spec.d, d};
  dpd_shear_ranges(&m->shear, &extent, lo, hi, m->bound.lo, m->bound.hi);
  if (!dpd_lattice_bound_prior(&m->lattice, m->bound.lo, m->bound.hi, log_prior)) return false;
  t = dpd_exponential_levels_bound(m, lo, hi, cap);
  for (size_t from = 0; from < count && t >= m->window.low; from += BLOCK_FORMS) {
    size_t block = count - from < BLOCK_FORMS ? count - from : BLOCK_FORMS;
    dpd_shear_forms forms = {m->bound.forms + from, m->bound.sizes + from, (int)block, room};
    dpd_shear_ranges(&m->shear, &forms, lo, hi, m->bound.min, m->bound.max);
    t = block_bound(m, from, block, t);
  }
  for (int u = 0; u < m->spec.d && t > m->window.high; u++)
    t = scan_bound(m, u, lo, hi, t);
  *score = t;
  return true;
}

static bool target_log_prior(void *ctx, const double *w, double *out)
{
  dpd_exponential *m = ctx;
  dpd_shear_point(&m->shear, w, m->z);
  return dpd_lattice_log_prior(&m->lattice, m->z, out);
}

/* Direction u as a linear form of the sheared coordinates. */
void dpd_exponential_form(dpd_exponential *m, int u)
{
  size_t d = (size_t)m->spec.d, room = (size_t)m->projected.room;
  double size[3];
  dpd_shear_form(&m->shear, m->dirs + (size_t)u * d, m->bound.form, size);
  for (size_t k = 0; k < d; k++)
    m->bound.forms[(size_t)u + k * room] = m->bound.form[k];
  m->bound.sizes[u] = size[0];
  m->bound.sizes[(size_t)u + room] = size[1];
  m->bound.sizes[(size_t)u + 2 * room] = size[2];
}

/* Adds the direction m->bound.form to those that bound: for exact depths any direction does. The
 * first d of them stay. */
static void add_cut(dpd_exponential *m)
{
  dpd_projected *p = &m->projected;
  size_t d = (size_t)m->spec.d, ranks = (size_t)m->window.ranks;
  int u = p->count < p->room ? p->count : m->bound.oldest;
  double *a = m->dirs + (size_t)u * d, top = 0;
  for (size_t j = 0; j < d; j++)
    top = fmax(top, fabs(m->bound.form[j]));
  for (size_t j = 0; j < d; j++)
    a[j] = m->bound.form[j] / top;
  if (u == p->count)
    p->count++;
  else
    m->bound.oldest = u + 1 < p->room ? u + 1 : m->spec.count + m->spec.d;
  dpd_rank_window_fill(&m->window, u, u + 1, 1, m->work);
  double *at = m->window.value + u;
  for (size_t k = 0; k < 2 * ranks; k++, at += p->room)
    *at += k < ranks ? -CUT_SLACK : CUT_SLACK;
  dpd_exponential_form(m, u);
}

/* The sheared coordinates themselves: thin data are thin along these. */
void dpd_exponential_frame(dpd_exponential *m)
{
  int d = m->spec.d;
  m->projected.count = m->spec.count;
  m->bound.oldest = m->spec.count + d;
  for (int j = 0; j < d; j++) {
    for (int k = 0; k < d; k++)
      m->bound.form[k] = m->shear.reduced ? m->shear.back[j * d + k]
                         : k == j         ? 1
                         : k < j          ? -m->shear.coef[j * d + k]
                                          : 0;
    add_cut(m);
  }
}

static bool target_at_least(void *ctx, const double *w, int t)
{
  dpd_exponential *m = ctx;
  if (t <= 0) return true;
  dpd_shear_point(&m->shear, w, m->z);
  if (!m->beyond) return dpd_rank_window_at_least(&m->window, m->z, t);
  bool kept = t >= m->window.low;
  if (kept && !dpd_rank_window_may_reach(&m->window, m->z, t)) return false;
  m->effort.looked += m->spec.n;
  if (dpd_exponential_witness(m, m->z, m->bound.form) >= t) return true;
  if (kept) add_cut(m);
  return false;
}

dpd_rejection_target dpd_exponential_target(dpd_exponential *m)
{
  return (dpd_rejection_target){
      .ctx = m, .bound = target_bound, .log_prior = target_log_prior, .at_least = target_at_least};
}
