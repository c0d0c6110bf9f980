/* regression_active.c - the rows that matter within a box, for the weights of regression depth.
 *
 * METHOD: over a box of coefficients most residuals keep their sign. The others are the active
 *   rows. Along a direction, the rows between two active ones are a run: the sum of their terms,
 *   and its largest and smallest value at a split inside it, are found when first asked for. A
 *   bound or a score within the box passes over the active rows only, with the same result as
 *   over all.
 *   Of three coefficients signs are those of whole numbers (mech/regression_whole.c).
 *   Sets lie within sets, each made of the one above, for the middle half of recent proposals. The
 *   smallest that holds a box serves.
 * COST: choosing O(m k), m the rows of the set above; runs O(m) per direction; a weight O(active
 *   rows). Memory: 2 k + 10 doubles and count ints per row, 3 count ints per run, 2 ints per row of
 *   the set above; a set has room for half of the rows above (the first a quarter if k <
 *   LARGE_FIRST).
 * DEGENERATE: no undecided row, or more than there is room for: the set above serves. Rows tied
 *   along a direction (~i) have no split between them; a run without a split counts by its sum
 *   only.
 * REFERENCE: as mech/regression.c.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "mech/regression_state.h"
#include "num/sort.h"

enum {
  MIN_SIZE = 8,      /* smaller sets are no gain */
  WIDEST_ROWS = 128, /* that the axis to cut is chosen by, about */
  LARGE_FIRST = 4 /* coefficients of which the first set may have half of the rows, else a quarter:
                     with fewer there may be so many rows that it is memory that counts */
};

void dpd_active_rows_open(dpd_active_rows *a, dpd_active_rows *parent, int room,
                          const dpd_regression *m)
{
  size_t n = (size_t)room, d = (size_t)m->spec.k, u = (size_t)m->spec.count;
  dpd_alloc alloc = m->alloc;
  a->parent = parent;
  a->room = room;
  a->fit = alloc(2 * n * d + 10 * n + 2 * d, sizeof *a->fit);
  a->forms = a->fit + n * d;
  a->sizes = a->forms + n * d;
  a->y = a->sizes + 3 * n;
  a->tie = a->y + n;
  a->top = a->tie + n;
  a->bottom = a->top + n;
  a->target = a->bottom + n;
  a->slack = a->target + n;
  a->whole_unit = a->slack + n;
  a->lo = a->whole_unit + n;
  a->hi = a->lo + d;
  a->whole = d == DPD_WHOLE_MOST ? alloc(n, sizeof *a->whole) : NULL;
  a->term = alloc(n, sizeof *a->term);
  a->count = NULL;
  a->order = alloc(n * u, sizeof *a->order);
  if (parent == NULL) return;
  if (parent->count != NULL) a->count = a->counts = alloc(n, sizeof *a->counts);
  a->run = alloc(3 * (n + 1) * u, sizeof *a->run);
  a->run_top = a->run + (n + 1) * u;
  a->run_bottom = a->run_top + (n + 1) * u;
  a->built = alloc(u, sizeof *a->built);
  a->place = alloc(2 * (size_t)parent->room, sizeof *a->place);
  a->fixed = a->place + parent->room;
}

/* The term of row i. */
static void set_term(const dpd_regression *m, dpd_active_rows *a, int i, bool above, bool below,
                     int64_t sum[2])
{
  const dpd_regression_weights *w = &m->weights;
  int rows = dpd_rows_of(a, i);
  a->term[i] = rows * ((above ? w->up : 0) - (below ? w->down : 0) + w->shift);
  sum[0] += above ? rows : 0;
  sum[1] += below ? rows : 0;
}

/* The slack of rows from .. over a box alone, where forms are those of the lattice's own axes. */
static const double *box_slack(dpd_regression *m, const dpd_active_rows *a, int from, int size,
                               const double *lo, const double *hi)
{
  int k = m->spec.k;
  for (int i = 0; i < size; i++)
    m->slack[i] = fabs(a->y[from + i]) + a->tie[from + i];
  for (int j = 0; j < k; j++) {
    double origin = m->lattice.origin[m->axis[j]];
    double far = fabs(origin) + fmax(fabs(origin + lo[j]), fabs(origin + hi[j]));
    const double *form = a->forms + from + (size_t)j * (size_t)a->room;
    for (int i = 0; i < size; i++)
      m->slack[i] += fabs(form[i]) * far;
  }
  for (int i = 0; i < size; i++)
    m->slack[i] = DPD_REGRESSION_SLACK(k) * m->slack[i] + DBL_MIN + a->tie[from + i];
  return m->slack;
}

/* The terms of rows from .. given their ranges in m->min and m->max. */
static void set_terms_over(const dpd_regression *m, dpd_active_rows *a, int from, int size,
                           const double *slack, int64_t sum[2])
{
  const double *y = a->target + from, *min = m->min, *max = m->max;
  const int up = m->weights.up, down = m->weights.down, shift = m->weights.shift;
  int *term = a->term + from, above = 0, below = 0;
  if (a->count != NULL) {
    for (int i = 0; i < size; i++)
      set_term(m, a, from + i, y[i] >= min[i] - slack[i], y[i] <= max[i] + slack[i], sum);
    return;
  }
#ifdef _OPENMP
#pragma omp simd reduction(+ : above, below)
#endif
  for (int i = 0; i < size; i++) {
    int is_above = y[i] >= min[i] - slack[i], is_below = y[i] <= max[i] + slack[i];
    term[i] = is_above * up - is_below * down + shift;
    above += is_above;
    below += is_below;
  }
  sum[0] += above;
  sum[1] += below;
}

/* With what the whole numbers of rows are off by over the box. */
static const double *whole_slack(dpd_regression *m, const double *slack, const double *unit,
                                 int size, double off)
{
  for (int i = 0; i < size; i++)
    m->slack[i] = slack[i] + off * unit[i];
  return m->slack;
}

/* How far that is, in units of them. */
static double whole_off(const dpd_regression *m, const double *lo, const double *hi)
{
  double from[DPD_WHOLE_MOST], to[DPD_WHOLE_MOST], sum = 0;
  const int k = m->spec.k;
  const dpd_shear_forms extent = {m->extent, m->extent + k * k, k, (size_t)k};
  dpd_shear_ranges(&m->shear, &extent, lo, hi, from, to);
  for (int j = 0; j < k; j++)
    sum += fmax(fabs(from[j]), fabs(to[j]));
  return dpd_whole_off(m->spec.tie, sum);
}

void dpd_regression_terms_box(dpd_regression *m, dpd_active_rows *a, const double *lo,
                              const double *hi, int64_t sum[2])
{
  const double off = a->whole != NULL ? whole_off(m, lo, hi) : 0;
  sum[0] = a->above;
  sum[1] = a->below;
  for (int from = 0; from < a->size; from += DPD_REGRESSION_BLOCK) {
    int size = a->size - from < DPD_REGRESSION_BLOCK ? a->size - from : DPD_REGRESSION_BLOCK;
    dpd_shear_forms forms = {a->forms + from, a->sizes + from, size, (size_t)a->room};
    dpd_shear_ranges(&m->shear, &forms, lo, hi, m->min, m->max);
    const double *slack = a->slack + from;
    if (m->shear.identity) slack = box_slack(m, a, from, size, lo, hi);
    if (a->whole != NULL) slack = whole_slack(m, slack, a->whole_unit + from, size, off);
    set_terms_over(m, a, from, size, slack, sum);
  }
}

static void whole_terms_point(const dpd_regression *m, dpd_active_rows *a, const double *z,
                              int64_t sum[2])
{
  for (int i = 0; i < a->size; i++) {
    const dpd_whole_sides at = dpd_whole_sides_at(a->whole + i, z);
    set_term(m, a, i, at.above, at.below, sum);
  }
}

void dpd_regression_terms_point(dpd_regression *m, dpd_active_rows *a, const double *z,
                                int64_t sum[2])
{
  int k = m->spec.k;
  sum[0] = a->above;
  sum[1] = a->below;
  if (a->whole != NULL) {
    whole_terms_point(m, a, z, sum);
    return;
  }
  dpd_regression_theta(m, z, m->theta);
  for (int i = 0; i < a->size; i++) {
    double f = 0;
    for (int j = 0; j < k; j++)
      f += a->fit[(size_t)i + (size_t)j * (size_t)a->room] * m->theta[j];
    set_term(m, a, i, f <= a->top[i], f >= a->bottom[i], sum);
  }
}

static bool holds(const dpd_active_rows *a, const double *lo, const double *hi, int k)
{
  for (int j = 0; j < k; j++)
    if (lo[j] < a->lo[j] || hi[j] > a->hi[j]) return false;
  return true;
}

/* How many sets hold the box: each holds those after it. */
static int sets_that_hold(const dpd_regression *m, const double *lo, const double *hi)
{
  int l = m->levels;
  while (l > 0 && !holds(m->level + l - 1, lo, hi, m->spec.k))
    l--;
  return l;
}

dpd_active_rows *dpd_regression_active(dpd_regression *m, const double *lo, const double *hi)
{
  int l = sets_that_hold(m, lo, hi);
  return l > 0 ? m->level + l - 1 : &m->all;
}

/* The middle half of the recent proposals on each axis, one and a half times as wide again to each
 * side. */
static void middle_of_recent(const dpd_regression *m, double *lo, double *hi)
{
  int k = m->spec.k;
  double w[DPD_REGRESSION_RECENT];
  for (int j = 0; j < k; j++) {
    for (int i = 0; i < DPD_REGRESSION_RECENT; i++)
      w[i] = m->recent[i * k + j];
    dpd_sort_inplace(w, DPD_REGRESSION_RECENT);
    double a = w[DPD_REGRESSION_RECENT / 4], b = w[3 * DPD_REGRESSION_RECENT / 4];
    lo[j] = a - 1.5 * (b - a + 1);
    hi[j] = b + 1.5 * (b - a + 1);
  }
}

/* Row i of the set above becomes row `to`. */
static void take_row(dpd_active_rows *a, size_t to, size_t i, int k)
{
  const dpd_active_rows *from = a->parent;
  size_t n = (size_t)from->room, room = (size_t)a->room;
  for (size_t j = 0; j < (size_t)k; j++) {
    a->fit[to + j * room] = from->fit[i + j * n];
    a->forms[to + j * room] = from->forms[i + j * n];
  }
  for (size_t j = 0; j < 3; j++)
    a->sizes[to + j * room] = from->sizes[i + j * n];
  a->y[to] = from->y[i];
  a->tie[to] = from->tie[i];
  a->top[to] = from->top[i];
  a->bottom[to] = from->bottom[i];
  a->target[to] = from->target[i];
  a->slack[to] = from->slack[i];
  if (a->whole != NULL) {
    a->whole[to] = from->whole[i];
    a->whole_unit[to] = from->whole_unit[i];
  }
  if (a->count != NULL) a->counts[to] = from->count[i];
}

/* How many rows are undecided, given the terms. */
static int count_undecided(const dpd_regression *m, const dpd_active_rows *a)
{
  const int above = m->weights.up + m->weights.shift, below = m->weights.shift - m->weights.down;
  int rows = 0;
  if (a->count != NULL) {
    for (int i = 0; i < a->size; i++)
      rows += dpd_undecided(m, a, i) ? a->count[i] : 0;
    return rows;
  }
  for (int i = 0; i < a->size; i++)
    rows += (a->term[i] != above) & (a->term[i] != below);
  return rows;
}

/* Every by-th of the undecided rows in list, and how often each is looked at (an entry of a tally
 * may be several of them); how many there are. */
static int sample_undecided(const dpd_regression *m, const dpd_active_rows *a, int *list,
                            int *looks)
{
  const int above = m->weights.up + m->weights.shift, below = m->weights.shift - m->weights.down;
  const int by = count_undecided(m, a) / WIDEST_ROWS + 1;
  int size = 0, at = 0;
  if (a->count == NULL) { /* no branch that could not be predicted */
    for (int i = 0, wait = 0; i < a->size; i++) {
      bool open = (a->term[i] != above) & (a->term[i] != below), take = open & (wait == 0);
      list[size] = i;
      looks[size] = 1;
      size += take;
      wait += (take ? by : 0) - open;
    }
    return size;
  }
  for (int i = 0; i < a->size; i++) {
    if (!dpd_undecided(m, a, i)) continue;
    int rows = a->count[i], times = (at + rows + by - 1) / by - (at + by - 1) / by;
    at += rows;
    list[size] = i;
    looks[size] = times;
    size += times > 0;
  }
  return size;
}

int dpd_regression_widest(dpd_regression *m, const dpd_active_rows *a, const double *lo,
                          const double *hi)
{
  const int k = m->spec.k;
  int list[WIDEST_ROWS + 2], looks[WIDEST_ROWS + 2], axis = -1;
  double times[WIDEST_ROWS + 2] = {0}, most = 0;
  const int size = sample_undecided(m, a, list, looks);
  for (int j = 0; j < k; j++) {
    const double *form = a->forms + (size_t)j * (size_t)a->room, side = hi[j] - lo[j];
    for (int t = 0; t < size; t++)
      times[t] += fabs(form[list[t]]) * side;
  }
  for (int t = 0; t < size; t++)
    times[t] = times[t] > 0 ? 1 / times[t] : 0;
  for (int j = 0; j < k; j++) {
    const double *form = a->forms + (size_t)j * (size_t)a->room, side = hi[j] - lo[j];
    double share = 0;
    for (int t = 0; t < size; t++) /* one by one, since sums of equal rows are rounded so */
      for (int row = 0; row < looks[t]; row++)
        share += fabs(form[list[t]]) * side * times[t];
    if (share > most) {
      most = share;
      axis = j;
    }
  }
  return axis;
}

/* Copies the rows that are undecided over the set's box, given their terms there. */
static void gather(const dpd_regression *m, dpd_active_rows *a)
{
  const dpd_active_rows *from = a->parent;
  a->size = 0;
  a->above = from->above;
  a->below = from->below;
  for (int i = 0; i < from->size; i++) {
    int term = from->term[i];
    a->place[i] = -1;
    a->fixed[i] = term;
    if (dpd_undecided(m, from, i)) {
      take_row(a, (size_t)a->size, (size_t)i, m->spec.k);
      a->place[i] = a->size++;
    } else {
      int rows = dpd_rows_of(from, i);
      a->above += term == rows * (m->weights.up + m->weights.shift) ? rows : 0;
      a->below += term == rows * (m->weights.shift - m->weights.down) ? rows : 0;
    }
  }
  memset(a->built, 0, (size_t)m->spec.count * sizeof *a->built);
}

/* Makes level l hold the rows that are undecided over the box, if they are few beside those of the
 * set above. */
static bool keep_undecided(dpd_regression *m, int l, const double *lo, const double *hi)
{
  dpd_active_rows *from = l > 0 ? m->level + l - 1 : &m->all, *a = m->level + l;
  int part = l > 0 || m->spec.k >= LARGE_FIRST ? 2 : 4, most = from->size / part, count = 0;
  int64_t sum[2];
  if (l == DPD_REGRESSION_LEVELS || most < MIN_SIZE) return false;
  dpd_regression_terms_box(m, from, lo, hi, sum);
  for (int i = 0; i < from->size; i++)
    count += dpd_undecided(m, from, i);
  if (count == 0 || count > most) return false;
  if (m->levels_most == l) {
    dpd_active_rows_open(a, from, from->room / part, m);
    m->levels_most++;
  }
  memcpy(a->lo, lo, (size_t)m->spec.k * sizeof *lo);
  memcpy(a->hi, hi, (size_t)m->spec.k * sizeof *hi);
  gather(m, a);
  m->levels = l + 1;
  return true;
}

/* A set for where the last proposals lie. Sets within the smallest that holds them all stay if they
 * have been of use. */
static void narrow(dpd_regression *m)
{
  double *lo = m->lo, *hi = m->hi; /* free between bounds */
  middle_of_recent(m, lo, hi);
  int l = sets_that_hold(m, lo, hi);
  bool of_use = l < m->levels && 2 * m->deepest > m->asked;
  m->asked = m->deepest = 0;
  if (!of_use) (void)keep_undecided(m, l, lo, hi);
}

void dpd_regression_follow_proposals(dpd_regression *m, const double *w)
{
  size_t k = (size_t)m->spec.k;
  memcpy(m->recent + (size_t)(m->proposals % DPD_REGRESSION_RECENT) * k, w, k * sizeof *w);
  if (++m->proposals % (2 * DPD_REGRESSION_RECENT) == 0) narrow(m);
}
