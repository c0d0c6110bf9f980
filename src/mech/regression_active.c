/* regression_active.c - weights of regression depth from the rows that matter within a box.
 *
 * METHOD: over a box of coefficients most residuals keep their sign. The others are the active
 * rows. Along a direction, the rows between two active ones are a run: the sum of their moves, and
 * its largest and least value at a split inside the run, are found once. A bound or a score within
 * the box then passes over the active rows only, with the same result as over all. The box is about
 * the middle half of the last proposals.
 * COST: choosing O(n (k + count)); a weight O(active rows).
 */
#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "mech/regression_state.h"
#include "num/sort.h"

/* Runs without a split: no sum with them is ever the largest or the least. */
enum { NO_SPLIT = INT_MAX / 2 };

void dpd_active_rows_open(dpd_active_rows *a, int room, int k, int count, bool runs,
                          dpd_alloc alloc)
{
  size_t n = (size_t)room, d = (size_t)k, u = (size_t)count;
  a->room = room;
  a->fit = alloc(2 * n * d + 9 * n + 2 * d, sizeof *a->fit);
  a->forms = a->fit + n * d;
  a->sizes = a->forms + n * d;
  a->y = a->sizes + 3 * n;
  a->tie = a->y + n;
  a->top = a->tie + n;
  a->bottom = a->top + n;
  a->target = a->bottom + n;
  a->slack = a->target + n;
  a->lo = a->slack + n;
  a->hi = a->lo + d;
  a->move = alloc(n, sizeof *a->move);
  a->order = alloc(n * u, sizeof *a->order);
  if (!runs) return;
  a->run = alloc(3 * (n + 1) * u, sizeof *a->run);
  a->run_top = a->run + (n + 1) * u;
  a->run_bottom = a->run_top + (n + 1) * u;
}

static void set_move(const dpd_regression *m, int *move, bool above, bool below, int64_t sum[2])
{
  *move = (above ? m->spec.above : 0) - (below ? m->spec.below : 0);
  sum[0] += above;
  sum[1] += below;
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

void dpd_regression_moves_box(dpd_regression *m, dpd_active_rows *a, const double *lo,
                              const double *hi, int64_t sum[2])
{
  sum[0] = a->above;
  sum[1] = a->below;
  for (int from = 0; from < a->size; from += DPD_REGRESSION_BLOCK) {
    int size = a->size - from < DPD_REGRESSION_BLOCK ? a->size - from : DPD_REGRESSION_BLOCK;
    dpd_shear_forms forms = {a->forms + from, a->sizes + from, size, (size_t)a->room};
    dpd_shear_ranges(&m->shear, &forms, lo, hi, m->least, m->most);
    const double *slack = a->slack + from;
    if (m->shear.identity) slack = box_slack(m, a, from, size, lo, hi);
    for (int i = 0; i < size; i++) {
      double y = a->target[from + i], e = slack[i];
      set_move(m, a->move + from + i, y >= m->least[i] - e, y <= m->most[i] + e, sum);
    }
  }
}

void dpd_regression_moves_point(dpd_regression *m, dpd_active_rows *a, const double *z,
                                int64_t sum[2])
{
  int k = m->spec.k;
  sum[0] = a->above;
  sum[1] = a->below;
  dpd_regression_theta(m, z, m->theta);
  for (int i = 0; i < a->size; i++) {
    double f = 0;
    for (int j = 0; j < k; j++)
      f += a->fit[(size_t)i + (size_t)j * (size_t)a->room] * m->theta[j];
    set_move(m, a->move + i, f <= a->top[i], f >= a->bottom[i], sum);
  }
}

/* The sum of moves after each row, its largest and its least at a split. */
typedef struct {
  int sum, top, bottom;
} passage;

static void pass_ties(const int *order, const int *move, int size, passage *p)
{
  for (int s = 0; s < size; s++) {
    int i = order[s];
    p->sum += move[i < 0 ? ~i : i];
    if (i < 0) continue;
    if (p->sum > p->top) p->top = p->sum;
    if (p->sum < p->bottom) p->bottom = p->sum;
  }
}

static void pass_plain(const int *order, const int *move, int size, passage *p)
{
  for (int s = 0; s < size; s++) {
    p->sum += move[order[s]];
    p->top = p->sum > p->top ? p->sum : p->top;
    p->bottom = p->sum < p->bottom ? p->sum : p->bottom;
  }
}

static void add_run(const dpd_active_rows *a, size_t at, passage *p)
{
  int top = p->sum + a->run_top[at], bottom = p->sum + a->run_bottom[at];
  p->top = top > p->top ? top : p->top;
  p->bottom = bottom < p->bottom ? bottom : p->bottom;
  p->sum += a->run[at];
}

static void pass_runs(const dpd_active_rows *a, const int *order, int u, passage *p)
{
  size_t at = (size_t)u * ((size_t)a->room + 1);
  for (int s = 0; s < a->size; s++) {
    add_run(a, at + (size_t)s, p);
    int i = order[s];
    p->sum += a->move[i < 0 ? ~i : i];
    if (i < 0) continue;
    if (p->sum > p->top) p->top = p->sum;
    if (p->sum < p->bottom) p->bottom = p->sum;
  }
  add_run(a, at + (size_t)a->size, p);
}

/* The one split at a projection of 0. Rows there weigh the larger of two: what the sums of all rows
 * have besides is taken off one side and added to the other. */
static void add_side(int side, int move, passage *p)
{
  if (side > 0) return;
  p->top += side < 0 || move < 0 ? move : 0;
  p->bottom += side < 0 || move > 0 ? move : 0;
}

static void pass_origin(const int *side, const int *move, int size, passage *p)
{
  for (int i = 0; i < size; i++)
    add_side(side[i], move[i], p);
}

int64_t dpd_regression_weight(const dpd_regression *m, const dpd_active_rows *a, int u,
                              const int64_t sum[2])
{
  const int *order = a->order + (size_t)u * (size_t)a->room;
  passage p = {0, 0, 0};
  if (m->spec.origin) {
    if (a->run != NULL) {
      size_t at = (size_t)u * ((size_t)a->room + 1);
      p = (passage){0, a->run_top[at], a->run_bottom[at]};
    }
    pass_origin(order, a->move, a->size, &p);
  } else if (a->run != NULL)
    pass_runs(a, order, u, &p);
  else if (m->tied[u])
    pass_ties(order, a->move, a->size, &p);
  else
    pass_plain(order, a->move, a->size, &p);
  int64_t above = sum[0] * m->spec.above - p.top, below = sum[1] * m->spec.below + p.bottom;
  return above < below ? above : below;
}

static bool holds(const dpd_active_rows *a, const double *lo, const double *hi, int k)
{
  for (int j = 0; j < k; j++)
    if (lo[j] < a->lo[j] || hi[j] > a->hi[j]) return false;
  return true;
}

dpd_active_rows *dpd_regression_active(dpd_regression *m, const double *lo, const double *hi)
{
  bool serves = m->some.size > 0 && holds(&m->some, lo, hi, m->spec.k);
  return serves ? &m->some : &m->all;
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

/* Copies the rows that are undecided over the box; false if there is no room for them. */
static bool gather(dpd_regression *m, dpd_active_rows *a)
{
  dpd_active_rows *all = &m->all;
  int64_t sum[2];
  int undecided = m->spec.above - m->spec.below;
  dpd_regression_moves_box(m, all, a->lo, a->hi, sum);
  a->size = 0;
  a->above = a->below = 0;
  for (int i = 0; i < all->size; i++) {
    m->place[i] = -1;
    if (all->move[i] == m->spec.above) {
      a->above++;
    } else if (all->move[i] == -m->spec.below) {
      a->below++;
    } else if (all->move[i] == undecided && a->size < a->room) {
      size_t to = (size_t)a->size, n = (size_t)all->room, room = (size_t)a->room;
      m->place[i] = a->size++;
      for (size_t j = 0; j < (size_t)m->spec.k; j++) {
        a->fit[to + j * room] = all->fit[(size_t)i + j * n];
        a->forms[to + j * room] = all->forms[(size_t)i + j * n];
      }
      for (size_t j = 0; j < 3; j++)
        a->sizes[to + j * room] = all->sizes[(size_t)i + j * n];
      a->y[to] = all->y[i];
      a->tie[to] = all->tie[i];
      a->top[to] = all->top[i];
      a->bottom[to] = all->bottom[i];
      a->target[to] = all->target[i];
      a->slack[to] = all->slack[i];
    } else {
      return false;
    }
  }
  return a->size > 0;
}

/* Sides of the active rows along direction u, and what all others add. */
static void set_others(const dpd_regression *m, dpd_active_rows *a, int u)
{
  size_t n = (size_t)m->spec.n, room = (size_t)a->room;
  const int *all = m->all.order + (size_t)u * n;
  int *side = a->order + (size_t)u * room;
  passage p = {0, 0, 0};
  for (size_t i = 0; i < n; i++) {
    if (m->place[i] >= 0)
      side[m->place[i]] = all[i];
    else
      add_side(all[i], m->all.move[i], &p);
  }
  a->run_top[(size_t)u * (room + 1)] = p.top;
  a->run_bottom[(size_t)u * (room + 1)] = p.bottom;
}

/* Runs and order of the active rows along direction u. */
static void set_runs(const dpd_regression *m, dpd_active_rows *a, int u)
{
  size_t n = (size_t)m->spec.n, room = (size_t)a->room;
  const int *all = m->all.order + (size_t)u * n;
  int *order = a->order + (size_t)u * room;
  size_t at = (size_t)u * (room + 1);
  passage p = {0, -NO_SPLIT, NO_SPLIT};
  for (size_t s = 0; s < n; s++) {
    int i = all[s] < 0 ? ~all[s] : all[s];
    if (m->place[i] >= 0) {
      a->run[at] = p.sum;
      a->run_top[at] = p.top;
      a->run_bottom[at++] = p.bottom;
      *order++ = all[s] < 0 ? ~m->place[i] : m->place[i];
      p = (passage){0, -NO_SPLIT, NO_SPLIT};
      continue;
    }
    p.sum += m->all.move[i];
    if (all[s] < 0) continue;
    if (p.sum > p.top) p.top = p.sum;
    if (p.sum < p.bottom) p.bottom = p.sum;
  }
  a->run[at] = p.sum;
  a->run_top[at] = p.top;
  a->run_bottom[at] = p.bottom;
}

void dpd_regression_follow_proposals(dpd_regression *m, const double *w)
{
  size_t k = (size_t)m->spec.k;
  memcpy(m->recent + (size_t)(m->proposals % DPD_REGRESSION_RECENT) * k, w, k * sizeof *w);
  if (++m->proposals < m->next || m->some.room == 0) return;
  m->next = m->proposals + m->proposals / 2 + DPD_REGRESSION_RECENT;
  middle_of_recent(m, m->some.lo, m->some.hi);
  if (!gather(m, &m->some)) {
    m->some.size = 0;
    return;
  }
  for (int u = 0; u < m->spec.count; u++) {
    if (m->spec.origin)
      set_others(m, &m->some, u);
    else
      set_runs(m, &m->some, u);
  }
}
