/* axes.c - the exponential mechanism over ranks along the axes: depth, and one quantile.
 *
 * METHOD: rows and candidates live on the public lattice of num/lattice. The score of z is
 *   s(z) = min over axes j of min(#{x_j <= z_j} - a, #{x_j >= z_j} - b). A replaced row moves each
 *   count by at most one, so s by at most one.
 *   Depth: a = b = 0, any number of axes. A quantile: one axis, a = ceil(n p), b = ceil(n (1 - p));
 *   s is at least 0 just at the p-quantiles, and larger in an atom that reaches beyond them.
 *   s(z) >= k just where x_j,(a+k) <= z_j <= x_j,(n+1-b-k) on every axis, order statistics of the
 *   rows: a box, cut to the prior's support; a rank below 1 or above n is no limit on that side, or
 *   an empty box. The draw is that of mech/boxes: level 0 is the support, level t >= 1 is where
 *   s >= t - down, `down` the size of the lowest score. Levels go as far as boxes hold a point,
 *   with ties beyond the quantile.
 * CUT: s is cut to -K..K for a public K, which moves it by no more. What is beyond 2 * 85 / eps
 *   ranks of the quantile has weight below exp(-85), 2^-122, of an equal mass within: the cut saves
 *   time and memory, and costs no accuracy. Where n is private the quantile is the median and K the
 *   same for all n above K: a row more moves ceil(n/2) by 0 or 1, and with it the ends of the cut,
 *   so that s + ceil(n/2) does not fall and rises by at most one.
 * EXACT: order statistics are integers, masses too (num/prior_mass); the rest is mech/boxes.
 * COST: O(n d): passes over the rows for the ranks that levels ask for, and a radix sort of these;
 *   O(n) memory beyond the data. Of a tally's m entries, O(d m log m): levels between which no box
 *   changes are one run, of which there are at most 2 per value of a column.
 * DEGENERATE: one row: levels 0 and 1. Constant columns: all n levels, of one point on that axis.
 *   Rows beyond the support end the levels that need them, or are moved to its ends, so that a
 *   quantile beyond it is an end.
 * REFERENCE: McSherry and Talwar (2007), Theorem 6; Smith (2011).
 */
#include "mech/axes.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "num/order_stat.h"
#include "num/prior_mass.h"

#define REACH 170.0

typedef struct {
  dpd_axes_spec spec;
  dpd_lattice lattice;
  dpd_mass mass;
  int down, up;          /* scores are from -down to up */
  int lo, hi;            /* ranks from lo to hi limit the levels */
  double *column, *work; /* order statistics from lo to hi along an axis; n doubles */
  dpd_runs *of;          /* of a tally: each axis's values, as indexes */
  int axis;              /* the one that is asked about */
  bool sorted;           /* the column is that axis's */
  int level;             /* the level whose ends these are; -1: none */
  int64_t from, to;
} ranked_boxes;

int dpd_axes_reach(int n, dpd_rate eps)
{
  double k = ceil(ldexp(REACH, DPD_RATE_BITS) / (double)eps.num);
  return k < n ? (int)k : n;
}

/* Scores are from -*down to *up. */
static void score_range(const dpd_axes_spec *s, int *down, int *up)
{
  int most = s->below > s->above ? s->below : s->above;
  int reach = s->cut ? dpd_axes_reach(s->n, s->eps) : s->n;
  *down = most < reach ? most : reach;
  *up = s->n - most < reach ? s->n - most : reach;
}

int dpd_axes_score(const dpd_axes_spec *spec, int level)
{
  int down, up;
  score_range(spec, &down, &up);
  return level > 0 ? level - down : INT_MIN;
}

/* The ranks of the order statistics that limit a level. */
static int lower_rank(const ranked_boxes *m, int level)
{
  return m->spec.below - m->down + level;
}

static int upper_rank(const ranked_boxes *m, int level)
{
  return m->spec.n + 1 - m->spec.above + m->down - level;
}

static void set_ranks(ranked_boxes *m)
{
  int n = m->spec.n, top = m->down + m->up;
  m->lo = lower_rank(m, 1) < upper_rank(m, top) ? lower_rank(m, 1) : upper_rank(m, top);
  m->hi = upper_rank(m, 1) > lower_rank(m, top) ? upper_rank(m, 1) : lower_rank(m, top);
  m->lo = m->lo < 1 ? 1 : m->lo;
  m->hi = m->hi > n ? n : m->hi;
}

/* -- the rows along an axis -------------------------------------------------------------------- */

static int by_size(const void *a, const void *b)
{
  return *(const int *)a - *(const int *)b;
}

/* The levels at which a box changes along some axis: those whose ranks pass the end of a run. */
static int *find_changes(const ranked_boxes *m, int *runs, dpd_alloc alloc)
{
  int size = 0, top = m->down + m->up;
  size_t room = 2;
  for (int j = 0; j < m->spec.d; j++)
    room += 2 * ((size_t)m->of[j].size + 1);
  int *first = alloc(room, sizeof *first);
  first[size++] = 0;
  first[size++] = 1;
  for (int j = 0; j < m->spec.d; j++)
    for (int i = -1; i < m->of[j].size; i++) { /* -1: limits begin, or end */
      int end = i < 0 ? 0 : m->of[j].end[i];
      int change[2] = {end + 1 - lower_rank(m, 0), upper_rank(m, 0) - end};
      for (int side = 0; side < 2; side++)
        if (change[side] > 1 && change[side] <= top) first[size++] = change[side];
    }
  qsort(first, (size_t)size, sizeof *first, by_size);
  *runs = 0;
  for (int i = 0; i < size; i++)
    if (i == 0 || first[i] != first[i - 1]) first[(*runs)++] = first[i];
  return first;
}

/* The columns of a tally, sorted on the lattice. */
static void sort_tally(ranked_boxes *m, dpd_alloc alloc)
{
  const dpd_tally *t = m->spec.tally;
  size_t size = (size_t)t->size;
  dpd_counted *x = alloc(size + size / 2 + 1, sizeof *x);
  m->of = alloc((size_t)m->spec.d, sizeof *m->of);
  dpd_runs all = {0, alloc(size, sizeof *all.value), alloc(size, sizeof *all.end)};
  for (int j = 0; j < m->spec.d; j++) {
    for (size_t i = 0; i < size; i++) {
      x[i].key = dpd_lattice_index(&m->lattice, j, m->spec.data[i + (size_t)j * size]);
      x[i].count = t->count[i];
    }
    dpd_runs_set(&all, x, x + size, t->size);
    size_t values = (size_t)all.size;
    m->of[j] = (dpd_runs){all.size, alloc(values, sizeof(double)), alloc(values, sizeof(int))};
    memcpy(m->of[j].value, all.value, values * sizeof(double));
    memcpy(m->of[j].end, all.end, values * sizeof(int));
  }
}

/* For all levels, order statistics are found at once; for one alone, when they are asked for.
 * Rounding to the lattice keeps the order, so that it can wait. */
static void enter_axis(void *of, int j, int level)
{
  ranked_boxes *m = of;
  size_t n = (size_t)m->spec.n;
  dpd_mass_set(&m->mass, &m->lattice, j);
  m->sorted = level < 0 || (m->sorted && m->axis == j);
  m->axis = j;
  m->level = -1;
  if (m->of == NULL && level < 0)
    dpd_order_window(m->spec.data + (size_t)j * n, n, m->lo, m->hi, m->column, m->work);
}

/* The row of that rank along the axis, from 1. */
static int64_t row_at(ranked_boxes *m, int rank)
{
  int64_t at;
  if (m->of != NULL) {
    at = (int64_t)dpd_runs_row(m->of + m->axis, rank);
  } else {
    size_t n = (size_t)m->spec.n;
    const double *x = m->spec.data + (size_t)m->axis * n;
    double value =
        m->sorted ? m->column[rank - m->lo] : dpd_order_statistic(x, n, (size_t)rank - 1, m->work);
    at = (int64_t)dpd_lattice_index(&m->lattice, m->axis, value);
  }
  if (!m->spec.to_ends) return at;
  return at < m->mass.lo ? m->mass.lo : at > m->mass.hi ? m->mass.hi : at;
}

/* -- boxes ------------------------------------------------------------------------------------- */

/* The ends of the level's box along the axis. */
static void find_ends(ranked_boxes *m, int level)
{
  int n = m->spec.n, low = lower_rank(m, level), high = upper_rank(m, level);
  if (level == m->level) return;
  m->level = level;
  m->from = m->mass.lo;
  m->to = m->mass.hi;
  if (level == 0) return;
  if (low > n || high < 1) m->to = m->from - 1; /* empty */
  if (low >= 1 && low <= n) m->from = row_at(m, low);
  if (high <= n && high >= 1) m->to = row_at(m, high);
}

static dpd_u128 mass_of(void *of, int level)
{
  ranked_boxes *m = of;
  find_ends(m, level);
  return dpd_mass_between(&m->mass, m->from, m->to);
}

static double point_of(void *of, int level, dpd_u128 unit)
{
  ranked_boxes *m = of;
  find_ends(m, level);
  int64_t z = dpd_mass_point(&m->mass, m->from, unit);
  return dpd_lattice_value(&m->lattice, m->axis, (double)z);
}

static bool is_depth_or_quantile(const dpd_axes_spec *s)
{
  int64_t both = (int64_t)s->below + s->above;
  if (s->below == 0 && s->above == 0) return !s->cut;
  if (s->d != 1 || s->below < 0 || s->above < 0 || s->below > s->n || s->above > s->n) return false;
  return both >= s->n && both <= (int64_t)s->n + 1;
}

dpd_status dpd_axes_open(dpd_boxes **out, const dpd_axes_spec *spec, dpd_alloc alloc)
{
  size_t n = (size_t)spec->n;
  if (spec->n < 1 || spec->n == INT_MAX || spec->prior.d != spec->d) return DPD_ERR_DOMAIN;
  if (spec->d > DPD_BOXES_AXES || !is_depth_or_quantile(spec)) return DPD_ERR_DOMAIN;
  ranked_boxes *m = alloc(1, sizeof *m);
  *m = (ranked_boxes){.spec = *spec, .level = -1};
  DPD_TRY(dpd_lattice_open_finest(&m->lattice, spec->prior, alloc));
  dpd_mass_open(&m->mass, alloc);
  score_range(spec, &m->down, &m->up);
  set_ranks(m);
  dpd_boxes_spec boxes = {.d = spec->d,
                          .count = m->down + m->up + 1,
                          .eps = spec->eps,
                          .of = m,
                          .enter = enter_axis,
                          .mass = mass_of,
                          .point = point_of};
  if (spec->tally != NULL) {
    sort_tally(m, alloc);
    boxes.first = find_changes(m, &boxes.runs, alloc);
  } else {
    m->column = alloc((size_t)(m->hi - m->lo) + 1, sizeof *m->column);
    m->work = alloc(n, sizeof *m->work);
  }
  *out = dpd_boxes_open(&boxes, alloc);
  return DPD_OK;
}

dpd_status dpd_axes_steps(dpd_prior prior, double *step, dpd_alloc alloc)
{
  dpd_lattice lattice;
  if (prior.d > DPD_BOXES_AXES) return DPD_ERR_DOMAIN;
  DPD_TRY(dpd_lattice_open_finest(&lattice, prior, alloc));
  memcpy(step, lattice.step, (size_t)prior.d * sizeof *step);
  return DPD_OK;
}
