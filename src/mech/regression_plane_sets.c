/* regression_plane_sets.c - rows that matter within a polygon of lines, and bounds of its depth.
 *
 * METHOD: a split has the terms up [r >= 0] - down [r <= 0] + shift of the rows on one side of it;
 *   the two sides of a split s weigh up sum [r >= 0] - D_s and down sum [r <= 0] + D_s, D_s the sum
 *   of the terms before it. Over a polygon r >= 0 is taken to hold where it may hold at some point,
 *   and r <= 0 likewise: the weights increase in both, so that they bound the score.
 *   Rows that are decided over a polygon are decided in all parts of it. Between two others they
 *   are a run: the sum of their terms, its largest and its smallest at a split. So a set of
 *   undecided rows serves all parts of its polygon, by the same additions of whole numbers. Sets
 *   are made for each polygon that is cut, of the smallest one that serves it, and the oldest of
 *   their size give way.
 * EXACT: signs at a point are those of whole numbers. Whether a row is undecided over a polygon is
 *   found by doubles, on the safe side. In parts of (|p| + |q|) Z, Z >= |x|, |y|: a corner's y is
 *   off by 2^-52, products and sums by 2^-52, corners that are left out by 2^-50 (two sums along
 *   slopes t that are rounded, too), the row's ends by 2^-52 where they can be met at all: less
 *   than 2^-49, of the 2^-48 that the ends are moved by.
 * COST: O(rows of the set) per bound, times the corners of the polygon; 16 bytes per row of a set,
 *   of which there are five times as many as rows.
 * DEGENERATE: rows tied along the direction have no split between them; a run without a split
 *   counts by its sum only; a set without rows is one run.
 */
#include <math.h>
#include <string.h>

#include "mech/regression_order.h"
#include "mech/regression_passage.h"
#include "mech/regression_plane_state.h"

enum { LEAST_ROOM = 16 };
/* Sets that there is room for in each class, by the class where rows are many, */
static const int places[] = {1, 2, 3, 4, 6, 8};
/* else by the rows of a class that are kept in all. */
#define KEPT_ROWS 4e5

static int places_of(const dpd_regression_plane *m, int c)
{
  const int last = (int)(sizeof places / sizeof *places) - 1, least = places[c < last ? c : last];
  const double most = KEPT_ROWS / ((m->rows >> c) + 1);
  return most < least ? least : most > DPD_PLANE_SETS ? DPD_PLANE_SETS : (int)most;
}

static void open_set(dpd_regression_plane *m, dpd_plane_set *s, int room)
{
  size_t n = (size_t)room;
  s->row = m->alloc(2 * n, sizeof *s->row);
  s->count = s->row + n;
  s->run = m->alloc(3 * (n + 1), sizeof *s->run);
  s->run_top = s->run + n + 1;
  s->run_bottom = s->run_top + n + 1;
  s->room = room;
}

void dpd_plane_set_all(dpd_regression_plane *m)
{
  dpd_plane_set *s = &m->all;
  open_set(m, s, m->rows);
  s->owner = -1;
  s->size = m->rows;
  for (int i = 0; i <= m->rows; i++) {
    bool split = i == m->rows || m->first[i];
    s->run[i] = 0;
    s->run_top[i] = split ? 0 : -DPD_NO_SPLIT;
    s->run_bottom[i] = split ? 0 : DPD_NO_SPLIT;
    if (i == m->rows) continue;
    s->row[i] = i;
    s->count[i] = m->row[i].count;
  }
  m->term = m->alloc((size_t)m->rows, sizeof *m->term);
  m->open = m->alloc((size_t)m->rows, sizeof *m->open);
  m->off = m->alloc(2 * DPD_PLANE_THIN, sizeof *m->off);
  open_set(m, &m->thin, DPD_PLANE_THIN + 1);
  for (int c = 0; c < DPD_PLANE_CLASSES; c++)
    for (int k = 0; k < DPD_PLANE_SETS; k++)
      m->set[c][k].owner = -1;
}

dpd_plane_set *dpd_plane_serving(dpd_regression_plane *m, int node)
{
  for (; node >= 0; node = m->node[node].parent) {
    int at = m->node[node].set;
    if (at < 0) continue;
    dpd_plane_set *s = &m->set[at / DPD_PLANE_SETS][at % DPD_PLANE_SETS];
    s->used = ++m->clock;
    return s;
  }
  return &m->all;
}

/* A place for a set of so many rows, which is not that of `from`: the one asked for least
 * lately. */
static dpd_plane_set *find_place(dpd_regression_plane *m, int node, int size,
                                 const dpd_plane_set *from)
{
  int c = 0, best = -1;
  while (c + 1 < DPD_PLANE_CLASSES && (m->rows >> (c + 1)) >= size &&
         (m->rows >> (c + 1)) >= LEAST_ROOM)
    c++;
  for (int k = 0; k < places_of(m, c); k++) {
    if (&m->set[c][k] == from) continue;
    if (best < 0 || m->set[c][k].used < m->set[c][best].used) best = k;
  }
  if (best < 0) return NULL;
  dpd_plane_set *s = &m->set[c][best];
  if (s->room == 0) open_set(m, s, m->rows >> c);
  if (s->owner >= 0) m->node[s->owner].set = -1;
  s->owner = node;
  s->used = ++m->clock;
  m->node[node].set = c * DPD_PLANE_SETS + best;
  return s;
}

static inline void add_run(const dpd_plane_set *s, int at, dpd_passage *p)
{
  dpd_passage_add(p, (dpd_passage){s->run[at], s->run_top[at], s->run_bottom[at]});
}

static inline void write_run(dpd_plane_set *s, int at, const dpd_passage *p)
{
  s->run[at] = p->sum;
  s->run_top[at] = p->top;
  s->run_bottom[at] = p->bottom;
}

const dpd_plane_set *dpd_plane_thin_set(dpd_regression_plane *m, const dpd_plane_set *from)
{
  dpd_plane_set *s = &m->thin;
  int64_t all = 0, seen = 0, step;
  if (from->size <= 2 * DPD_PLANE_THIN) return from;
  for (int i = 0; i < from->size; i++)
    all += from->count[i];
  step = all / DPD_PLANE_THIN + 1;
  dpd_passage p = dpd_passage_empty;
  s->size = 0;
  s->above = from->above;
  s->below = from->below;
  for (int i = 0; i < from->size; i++) {
    int64_t ticks = (seen + from->count[i]) / step - seen / step;
    seen += from->count[i];
    add_run(from, i, &p);
    if (ticks == 0) continue;
    write_run(s, s->size, &p);
    s->count[s->size] = (int)(ticks * step);
    s->row[s->size++] = from->row[i];
    p = dpd_passage_empty;
  }
  add_run(from, from->size, &p);
  write_run(s, s->size, &p);
  return s;
}

/* The term of so many rows; and what it was made of. */
static inline int term_of(const dpd_regression_plane *m, int count, bool above, bool below)
{
  return count * ((above ? m->weights.up : 0) - (below ? m->weights.down : 0) + m->weights.shift);
}

static inline bool counts_above(const dpd_regression_plane *m, int term, int count)
{
  return term != count * (m->weights.shift - m->weights.down);
}

static inline bool counts_below(const dpd_regression_plane *m, int term, int count)
{
  return term != count * (m->weights.shift + m->weights.up);
}

dpd_plane_set *dpd_plane_own_set(dpd_regression_plane *m, int node, const dpd_plane_set *from,
                                 int undecided)
{
  dpd_plane_set *s = find_place(m, node, undecided, from);
  if (s == NULL) return NULL;
  dpd_passage p = dpd_passage_empty;
  s->size = 0;
  s->above = from->above;
  s->below = from->below;
  for (int i = 0; i < from->size; i++) {
    int term = m->term[i], count = from->count[i];
    add_run(from, i, &p);
    if (m->open[i]) {
      write_run(s, s->size, &p);
      s->count[s->size] = count;
      s->row[s->size++] = from->row[i];
      p = dpd_passage_empty;
    } else {
      p.sum += term;
      s->above += counts_above(m, term, count) ? count : 0;
      s->below += counts_below(m, term, count) ? count : 0;
    }
  }
  add_run(from, from->size, &p);
  write_run(s, s->size, &p);
  return s;
}

/* Of rows (p, q) = p (1, t), t in t[0]..t[1], or q (t, 1) if `swap`: keeps the corners at which
 * some may have an end of its range. The others are no farther either along both ends of t than
 * one that stays. */
static int keep_corners(dpd_plane_corners *c, const double t[2], bool swap)
{
  const double *x = swap ? c->y : c->x, *y = swap ? c->x : c->y;
  double *a = c->first, *b = c->last;
  int most[2] = {0, 0}, least[2] = {0, 0}, kept = 0;
  for (int k = 0; k < c->size; k++) {
    a[k] = x[k] + t[0] * y[k];
    b[k] = x[k] + t[1] * y[k];
    if (a[k] > a[most[0]] || (a[k] == a[most[0]] && b[k] > b[most[0]])) most[0] = k;
    if (b[k] > b[most[1]] || (b[k] == b[most[1]] && a[k] > a[most[1]])) most[1] = k;
    if (a[k] < a[least[0]] || (a[k] == a[least[0]] && b[k] < b[least[0]])) least[0] = k;
    if (b[k] < b[least[1]] || (b[k] == b[least[1]] && a[k] < a[least[1]])) least[1] = k;
  }
  for (int k = 0; k < c->size; k++) {
    bool high = b[k] > b[most[0]] && a[k] > a[most[1]];
    bool low = b[k] < b[least[0]] && a[k] < a[least[1]];
    if (!high && !low && k != most[0] && k != most[1] && k != least[0] && k != least[1]) continue;
    c->kept_x[kept] = c->x[k];
    c->kept_y[kept++] = c->y[k];
  }
  return kept;
}

/* The same for a block of rows; all corners if rows lie along both axes. */
static int corners_of_block(dpd_plane_corners *c, const double *p, const double *q, int size)
{
  double t[2] = {INFINITY, -INFINITY}, s[2] = {INFINITY, -INFINITY};
  for (int i = 0; i < size; i++) {
    double a = q[i] / p[i], b = p[i] / q[i];
    t[0] = fmin(t[0], a);
    t[1] = fmax(t[1], a);
    s[0] = fmin(s[0], b);
    s[1] = fmax(s[1], b);
  }
  if (t[1] - t[0] < INFINITY) return keep_corners(c, t, false);
  if (s[1] - s[0] < INFINITY) return keep_corners(c, s, true);
  memcpy(c->kept_x, c->x, (size_t)c->size * sizeof *c->x);
  memcpy(c->kept_y, c->y, (size_t)c->size * sizeof *c->y);
  return c->size;
}

/* Ranges of the block's rows over the corners. */
static void set_ranges(dpd_plane_corners *c, const double *p, const double *q, int size,
                       double *min, double *max)
{
  const int corners = corners_of_block(c, p, q, size);
  for (int i = 0; i < size; i++) {
    min[i] = INFINITY;
    max[i] = -INFINITY;
  }
  for (int k = 0; k < corners; k++) {
    const double x = c->kept_x[k], y = c->kept_y[k];
#ifdef _OPENMP
#pragma omp simd
#endif
    for (int i = 0; i < size; i++) {
      double v = p[i] * x + q[i] * y;
      min[i] = v < min[i] ? v : min[i];
      max[i] = v > max[i] ? v : max[i];
    }
  }
}

void dpd_plane_terms_over(dpd_regression_plane *m, const dpd_plane_set *s, int64_t sum[2])
{
  double p[DPD_PLANE_BLOCK], q[DPD_PLANE_BLOCK], min[DPD_PLANE_BLOCK], max[DPD_PLANE_BLOCK];
  sum[0] = s->above;
  sum[1] = s->below;
  for (int from = 0; from < s->size; from += DPD_PLANE_BLOCK) {
    const int size = s->size - from < DPD_PLANE_BLOCK ? s->size - from : DPD_PLANE_BLOCK;
    const int *row = s->row + from, *count = s->count + from;
    for (int i = 0; i < size; i++) {
      p[i] = m->p[row[i]];
      q[i] = m->q[row[i]];
    }
    set_ranges(&m->corners, p, q, size, min, max);
    for (int i = 0; i < size; i++) {
      double top = m->top[row[i]], bottom = m->bottom[row[i]];
      bool above = min[i] <= top, below = max[i] >= bottom;
      m->term[from + i] = term_of(m, count[i], above, below);
      m->open[from + i] = above && below;
      sum[0] += above ? count[i] : 0;
      sum[1] += below ? count[i] : 0;
      if (from + i < 2 * DPD_PLANE_THIN)
        m->off[from + i] = fabs(min[i] + max[i] - top - bottom) / (max[i] - min[i]);
    }
  }
}

void dpd_plane_decide(dpd_regression_plane *m, const dpd_plane_set *s, int row, dpd_plane_sign sign,
                      int64_t sum[2])
{
  const int at = dpd_rows_find(s->row, s->size, row);
  if (at < 0) return;
  int count = s->count[at], term = m->term[at];
  bool above = sign != DPD_PLANE_BELOW, below = sign != DPD_PLANE_ABOVE;
  sum[0] += (above - counts_above(m, term, count)) * count;
  sum[1] += (below - counts_below(m, term, count)) * count;
  m->term[at] = term_of(m, count, above, below);
  m->open[at] = false;
}

int64_t dpd_plane_weight(const dpd_regression_plane *m, const dpd_plane_set *s,
                         const int64_t sum[2])
{
  dpd_passage p = {0, 0, 0};
  for (int i = 0; i < s->size; i++) {
    add_run(s, i, &p);
    p.sum += m->term[i];
  }
  add_run(s, s->size, &p);
  return dpd_passage_weight(&m->weights, sum, p);
}

int64_t dpd_plane_score(dpd_regression_plane *m, const dpd_plane_set *s, const double *z)
{
  int64_t sum[2] = {s->above, s->below};
  for (int i = 0; i < s->size; i++) {
    const dpd_plane_row *r = m->row + s->row[i];
    dpd_i128 v = dpd_plane_value(r, z);
    bool above = v <= r->top, below = v >= r->top - r->gap;
    m->term[i] = term_of(m, s->count[i], above, below);
    sum[0] += above ? s->count[i] : 0;
    sum[1] += below ? s->count[i] : 0;
  }
  return dpd_plane_weight(m, s, sum);
}
