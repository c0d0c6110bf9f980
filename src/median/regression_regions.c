/* regression_regions.c - the lattice fits of all regression depth regions, counted and drawn
 * exactly.
 *
 * METHOD: in the plane of fits (b, a) row i is the line a = y_i - b x_i, which has a lattice point
 *   in each column, a whole slope b. In a column the depth h is constant between lines next to each
 *   other; it is at most g there and on every line if b is far out. So for l > g the number of a
 *   with h >= l is, by Green's formula, a sum over the different intercepts v at which lines meet
 *   the column:
 *     [h(v) >= l] + v ([h(v-) >= l] - [h(v+) >= l]) - [h(v+) >= l],
 *   h(v-) and h(v+) the depths just below and above. Along the line of row i the signs of all
 *   residuals change at its crossings with other lines only, b = (y_j - y_i) / (x_j - x_i). So it
 *   is walked in the order of these (of their whole parts: only whole b count), with the signs and
 *   the depth in depth/regression_signs.c, and terms of columns between two crossings are added
 *   as an arithmetic series. Where lines cross in a column, the first of them counts.
 *   A fit is drawn by its number. The pieces of lines that bound the region give the number of its
 *   fits in the columns up to any b, so the column is found by bisection, and the intercept from
 *   the depths along the column.
 * EXACTNESS: all in integers. Crossings are below 2^61, intercepts below 2^102, their sums over
 *   columns below 2^165, and 256 bits hold all partial sums of n^2 of them. Sums of integers do
 *   not depend on the order, so nothing depends on the number of threads.
 * COST: O(n^2 log n) for all counts, the same for a level's pieces; O(n) memory, and the pieces.
 * DEGENERATE: equal rows are one line; equal x are parallel lines. Vertical infinity has depth 0;
 *   the ends of lines have the depth of y among the rows of one x, at most g. One x only: every
 *   level that has fits is unbounded.
 * REFERENCE: Rousseeuw and Hubert (1999), Regression depth; Edelsbrunner (1987), Algorithms in
 *   Combinatorial Geometry (walks in arrangements).
 */
#include "median/regression_regions.h"

#include <stdlib.h>
#include <string.h>

#include "depth/regression_signs.h"
#include "num/big_integer.h"

#ifdef _OPENMP
#include <omp.h>
#endif

enum { LIMBS = DPD_FIT_LIMBS, BLOCK_LINES = 64 };

/* Where a line crosses that of `row`: at the slope key / 2, or, if key is odd, between two. */
typedef struct {
  int64_t key;
  int row;
} crossing;

struct dpd_fit_walker {
  dpd_signs signs;
  crossing *at;
  dpd_fit_count *gain; /* gain[h]: what a depth of h adds; 0..n */
  int unbounded;
  dpd_list found; /* of dpd_fit_piece */
};

/* Depths on the fits from..to of a line, and just above and below. */
typedef struct {
  int row, on, above, below;
  int64_t from, to;
} stretch;

/* -- rows ----------------------------------------------------------------------------------- */

typedef struct {
  int64_t x, y;
} point;

static int compare_points(const void *left, const void *right)
{
  const point *a = left, *b = right;
  if (a->x != b->x) return a->x < b->x ? -1 : 1;
  return (a->y > b->y) - (a->y < b->y);
}

/* p: room for n points. */
static void sort_rows(const double *x, const double *y, int n, point *p, int64_t *to)
{
  for (int i = 0; i < n; i++)
    p[i] = (point){(int64_t)x[i], (int64_t)y[i]};
  qsort(p, (size_t)n, sizeof *p, compare_points);
  for (int i = 0; i < n; i++) {
    to[i] = p[i].x;
    to[i + n] = p[i].y;
  }
}

static bool same_row(const dpd_fit_regions *r, int i, int j)
{
  return r->x[i] == r->x[j] && r->y[i] == r->y[j];
}

/* -- a walk along one line -------------------------------------------------------------------- */

static int compare_crossings(const void *left, const void *right)
{
  const crossing *a = left, *b = right;
  if (a->key != b->key) return a->key < b->key ? -1 : 1;
  return (a->row > b->row) - (a->row < b->row);
}

static int64_t crossing_key(int64_t dx, int64_t dy)
{
  int64_t whole = dy / dx, rest = dy - whole * dx;
  if (rest == 0) return 2 * whole;
  if ((rest < 0) != (dx < 0)) whole--;
  return 2 * whole + 1;
}

/* The signs at slopes far down, and the crossings in order. Returns how many. */
static int start_line(const dpd_fit_regions *r, dpd_fit_walker *w, int i)
{
  int count = 0;
  for (int j = 0; j < r->n; j++) {
    int64_t dx = r->x[j] - r->x[i], dy = r->y[j] - r->y[i];
    int sign = dx != 0 ? (dx > 0) - (dx < 0) : (dy > 0) - (dy < 0);
    w->signs.sign[j] = (signed char)sign;
    if (dx != 0) w->at[count++] = (crossing){crossing_key(dx, dy), j};
  }
  dpd_signs_fill(&w->signs);
  qsort(w->at, (size_t)count, sizeof *w->at, compare_crossings);
  return count;
}

/* The depth with this sign for the rows i..last - 1 and those of the crossings c..end - 1. */
static int depth_with(dpd_fit_walker *w, int i, int last, int c, int end, int sign)
{
  for (int j = i; j < last; j++)
    dpd_signs_set(&w->signs, j, sign);
  for (int k = c; k < end; k++)
    dpd_signs_set(&w->signs, w->at[k].row, sign);
  return dpd_signs_depth(&w->signs);
}

/* Depths at the fits that these rows are on, and next to them. Leaves their signs at 0. */
static void measure(dpd_fit_walker *w, int i, int last, int c, int end, stretch *s)
{
  s->above = depth_with(w, i, last, c, end, -1);
  s->below = depth_with(w, i, last, c, end, 1);
  s->on = depth_with(w, i, last, c, end, 0);
}

typedef void visit_stretch(const dpd_fit_regions *r, dpd_fit_walker *w, const stretch *s);

/* Tells of all columns of the line of row i, but for ends without a bound, whose depths go into
 * w->unbounded. */
static void walk_line(const dpd_fit_regions *r, dpd_fit_walker *w, int i, visit_stretch *visit)
{
  int last = i + 1, count = start_line(r, w, i), end;
  stretch s = {.row = i};
  while (last < r->n && same_row(r, i, last))
    last++;
  for (int c = 0; c < count; c = end) {
    int64_t key = w->at[c].key, odd = key & 1, column = (key - odd) / 2;
    for (end = c + 1; end < count && w->at[end].key == key; end++) {
    }
    s.to = odd ? column : column - 1;
    if (c == 0 || s.from <= s.to) {
      measure(w, i, last, c, c, &s);
      if (c > 0) visit(r, w, &s);
    }
    if (c == 0 && s.on > w->unbounded) w->unbounded = s.on;
    /* rows of one crossing are in order, so that the first tells whether i is before them */
    if (!odd && w->at[c].row > i) {
      measure(w, i, last, c, end, &s);
      s.from = s.to = column;
      visit(r, w, &s);
    }
    for (int k = c; k < end; k++)
      dpd_signs_set(&w->signs, w->at[k].row, w->at[k].row < i ? 1 : -1);
    s.from = column + 1;
  }
  measure(w, i, last, 0, 0, &s);
  if (s.on > w->unbounded) w->unbounded = s.on;
}

/* -- what is done with it ------------------------------------------------------------------- */

/* Sum of the intercepts over the columns from..to. */
static void add_series(uint64_t *sum, int64_t x, int64_t y, int64_t from, int64_t to)
{
  dpd_i128 columns = (dpd_i128)to - from + 1, slopes = ((dpd_i128)from + to) * columns / 2;
  uint64_t term[LIMBS];
  dpd_big_set(term, LIMBS, y * columns);
  dpd_big_add(sum, term, LIMBS);
  dpd_big_set(term, LIMBS, x);
  dpd_big_add_times(sum, term, -slopes, LIMBS);
}

static void tally(const dpd_fit_regions *r, dpd_fit_walker *w, const stretch *s)
{
  uint64_t columns[LIMBS], sum[LIMBS] = {0};
  if (s->on != s->above) {
    dpd_big_set(columns, LIMBS, (dpd_i128)s->to - s->from + 1);
    dpd_big_add(w->gain[s->on].limb, columns, LIMBS);
    dpd_big_subtract(w->gain[s->above].limb, columns, LIMBS);
  }
  if (s->above != s->below) {
    add_series(sum, r->x[s->row], r->y[s->row], s->from, s->to);
    dpd_big_add(w->gain[s->below].limb, sum, LIMBS);
    dpd_big_subtract(w->gain[s->above].limb, sum, LIMBS);
  }
}

static void collect(const dpd_fit_regions *r, dpd_fit_walker *w, const stretch *s)
{
  int l = r->wanted, end = (s->below >= l) - (s->above >= l);
  int inside = (s->on >= l) - (s->above >= l);
  if (w->found.failed || (end == 0 && inside == 0)) return;
  dpd_fit_piece *last = w->found.item;
  last = w->found.count > 0 ? last + (w->found.count - 1) : NULL;
  if (last != NULL && last->row == s->row && last->end == end && last->point == inside &&
      last->to == s->from - 1) {
    last->to = s->to;
    return;
  }
  dpd_fit_piece *piece = dpd_list_add(&w->found, sizeof *piece);
  if (piece != NULL) *piece = (dpd_fit_piece){s->from, s->to, s->row, end, inside};
}

/* Some more lines. */
static dpd_status walk_lines(dpd_fit_regions *r, visit_stretch *visit)
{
  int last = r->next + BLOCK_LINES < r->n ? r->next + BLOCK_LINES : r->n;
#ifdef _OPENMP
#pragma omp parallel for num_threads(r->threads) schedule(dynamic, 1)
#endif
  for (int i = r->next; i < last; i++) {
#ifdef _OPENMP
    dpd_fit_walker *w = &r->walker[omp_get_thread_num()];
#else
    dpd_fit_walker *w = &r->walker[0];
#endif
    if (i == 0 || !same_row(r, i, i - 1)) walk_line(r, w, i, visit);
  }
  r->next = last;
  for (int t = 0; t < r->threads; t++)
    DPD_TRY(dpd_list_status(&r->walker[t].found));
  return last < r->n ? DPD_AGAIN : DPD_OK;
}

/* Z(l) from what the depths add: count[l] is the sum over h >= l. */
static void settle_counts(dpd_fit_regions *r)
{
  for (int t = 0; t < r->threads; t++) {
    const dpd_fit_walker *w = &r->walker[t];
    if (w->unbounded > r->unbounded) r->unbounded = w->unbounded;
    for (int h = 0; h <= r->n; h++)
      dpd_big_add(r->count[h].limb, w->gain[h].limb, LIMBS);
  }
  for (int h = r->n - 1; h > r->unbounded; h--)
    dpd_big_add(r->count[h].limb, r->count[h + 1].limb, LIMBS);
  r->levels = r->unbounded;
  while (r->levels < r->n && dpd_big_sign(r->count[r->levels + 1].limb, LIMBS) != 0)
    r->levels++;
}

dpd_status dpd_fit_regions_count(dpd_fit_regions *r)
{
  DPD_TRY(walk_lines(r, tally));
  settle_counts(r);
  r->next = 0;
  return DPD_OK;
}

dpd_status dpd_fit_regions_find(dpd_fit_regions *r, int level)
{
  dpd_list *to = &r->pieces[level];
  if (r->found[level]) return DPD_OK;
  r->wanted = level;
  DPD_TRY(walk_lines(r, collect));
  r->next = 0;
  size_t count = 0;
  for (int t = 0; t < r->threads; t++)
    count += r->walker[t].found.count;
  DPD_TRY(dpd_list_reserve(to, count, sizeof(dpd_fit_piece)));
  for (int t = 0; t < r->threads; t++) {
    dpd_list *from = &r->walker[t].found;
    dpd_fit_piece *end = to->item;
    if (from->count > 0) memcpy(end + to->count, from->item, from->count * sizeof *end);
    to->count += from->count;
    from->count = 0;
  }
  r->found[level] = true;
  return DPD_OK;
}

/* -- memory --------------------------------------------------------------------------------- */

static void open_walker(const dpd_fit_regions *r, dpd_fit_walker *w, dpd_alloc alloc)
{
  size_t n = (size_t)r->n;
  dpd_signs_open(&w->signs, r->group, r->n, r->groups,
                 alloc(dpd_signs_scratch(r->n, r->groups), 1));
  w->at = alloc(n, sizeof *w->at);
  w->gain = alloc(n + 1, sizeof *w->gain);
  memset(w->gain, 0, (n + 1) * sizeof *w->gain);
}

dpd_status dpd_fit_regions_open(dpd_fit_regions *r, const double *x, const double *y, int n,
                                int threads, dpd_alloc alloc)
{
  size_t size = (size_t)n;
  *r = (dpd_fit_regions){.n = n, .threads = threads};
  if (n < 1) return DPD_ERR_DOMAIN;
  int64_t *rows = alloc(2 * size, sizeof *rows);
  int *group = alloc(size, sizeof *group);
  dpd_list *pieces = alloc(size + 1, sizeof *pieces);
  dpd_fit_walker *walker = alloc((size_t)threads, sizeof *walker);
  memset(pieces, 0, (size + 1) * sizeof *pieces);
  memset(walker, 0, (size_t)threads * sizeof *walker);
  r->pieces = pieces;
  r->walker = walker;
  r->x = rows;
  r->y = rows + size;
  r->group = group;
  r->count = alloc(size + 2, sizeof *r->count);
  memset(r->count, 0, (size + 2) * sizeof *r->count);
  r->found = alloc(size + 1, sizeof *r->found);
  memset(r->found, 0, (size + 1) * sizeof *r->found);
  r->picking = alloc(dpd_fit_regions_pick_scratch(n), 1);
  sort_rows(x, y, n, alloc(size, sizeof(point)), rows);
  for (int i = 0; i < n; i++) {
    if (i == 0 || rows[i] != rows[i - 1]) r->groups++;
    group[i] = r->groups - 1;
  }
  for (int t = 0; t < threads; t++)
    open_walker(r, &walker[t], alloc);
  return DPD_OK;
}

void dpd_fit_regions_close(dpd_fit_regions *r)
{
  for (int t = 0; t < r->threads && r->walker != NULL; t++)
    dpd_list_close(&r->walker[t].found);
  for (int l = 0; l <= r->n && r->pieces != NULL; l++)
    dpd_list_close(&r->pieces[l]);
  *r = (dpd_fit_regions){.n = 0};
}
