/* deepest.c - how far apart fits of a given regression depth lie, at every depth.
 *
 * METHOD: the fits of depth l or more are a union of closed faces of the arrangement of the rows'
 *   dual lines, a face having the depth of its inside and its closure no less. A bounded face is
 *   the hull of its vertices, so where no unbounded edge has depth l the ends along any direction
 *   are those of vertices. All vertices are visited with their depths (depth/regression_deepest.c),
 *   each on the line of its first row. Far along the line of row i the rows to one side of x_i are
 *   above the fit and those to the other side below, which leaves the rows of the same x to count:
 *   the depth of an unbounded edge is the closed count of y_i among the y of that x.
 * EXACTNESS: rows are in the exact order of slopes (plane/slope_sort.c), so depths are exact. A
 *   vertex value p a + q b is (p (y_i x_j - y_j x_i) + q (y_j - y_i))/(x_j - x_i). Its floor is
 *   taken from doubles where errors of rounding cannot change it, else by the sign of the value
 *   less a whole number without rounding. So the ends are functions of the set of fits: they can
 *   only widen when the set does.
 * COST: O(n^2 log n) for all lines, O(n) memory a thread.
 * DEGENERATE: ties as in depth/regression_deepest.c; all x equal: no vertices, every depth is
 *   unbounded.
 * REFERENCE: Rousseeuw and Hubert (1999), Regression depth, section 3; proofs-regression.Rmd.
 */
#include "sens/deepest.h"

#include <math.h>
#include <string.h>

#include "depth/regression_deepest.h"
#include "num/error_free.h"
#include "num/scratch.h"
#include "num/sort.h"
#include "plane/slope_sort.h"

size_t dpd_spreads_scratch(int n)
{
  return 2 * DPD_SIDES * ((size_t)n + 1) * sizeof(double);
}

void dpd_spreads_open(dpd_spreads *s, int n, double *memory)
{
  size_t levels = (size_t)n + 1;
  *s = (dpd_spreads){.n = n};
  for (size_t k = 0; k < DPD_SIDES; k++) {
    s->lo[k] = memory + 2 * k * levels;
    s->hi[k] = s->lo[k] + levels;
    for (size_t d = 0; d < levels; d++) {
      s->lo[k][d] = INFINITY;
      s->hi[k][d] = -INFINITY;
    }
  }
}

/* A vertex: the crossing of the dual lines of two rows of different x. */
typedef struct {
  double xi, yi, xj, yj;
  double value[DPD_SIDES], error;
} vertex;

static const int weight_a[DPD_SIDES] = {1, 0, 1, 1}, weight_b[DPD_SIDES] = {0, 1, 1, -1};

static vertex make_vertex(const dpd_lines *l, int i, int j)
{
  if (fabs(l->x[j]) < fabs(l->x[i])) { /* the nearer row leaves the smaller error */
    int k = i;
    i = j;
    j = k;
  }
  vertex v = {l->x[i], l->y[i], l->x[j], l->y[j], {0}, 0};
  double b = (v.yj - v.yi) / (v.xj - v.xi), rise = b * v.xi, a = v.yi - rise;
  v.value[0] = a;
  v.value[1] = b;
  v.value[2] = a + b;
  v.value[3] = a - b;
  v.error = 0x1p-49 * (fabs(v.yi) + fabs(rise) + fabs(b));
  return v;
}

/* The value's numerator, and its denominator as two parts. */
static double numerator(const vertex *v, int side, dpd_error_free *top, double *rest)
{
  double dy, less;
  *top = (dpd_error_free){0};
  if (weight_a[side] != 0) {
    dpd_error_free_add_product(top, v->yi, v->xj);
    dpd_error_free_add_product(top, -v->yj, v->xi);
  }
  if (weight_b[side] != 0) {
    dy = dpd_error_free_minus(v->yj, v->yi, &less);
    dpd_error_free_add(top, weight_b[side] * less);
    dpd_error_free_add(top, weight_b[side] * dy);
  }
  return dpd_error_free_minus(v->xj, v->xi, rest);
}

/* The value with a relative error below 2^-50. */
static double precise_value(const vertex *v, int side)
{
  dpd_error_free top;
  double rest, bottom = numerator(v, side, &top, &rest);
  return dpd_error_free_value(&top) / bottom;
}

static double within(double v, double max)
{
  return v > max ? max : v < -max ? -max : v;
}

/* The sign of value - t, for a whole number |t| <= 2^49. */
static int sign_from(const vertex *v, int side, double t)
{
  dpd_error_free top;
  double rest, bottom = numerator(v, side, &top, &rest);
  dpd_error_free_add_product(&top, -t, rest);
  dpd_error_free_add_product(&top, -t, bottom);
  return bottom > 0 ? dpd_error_free_sign(&top) : -dpd_error_free_sign(&top);
}

/* floor() or, with up, ceil() of the value, to within -+DPD_SIDE_MOST. */
static double whole_end(const vertex *v, int side, bool up)
{
  double lo = v->value[side] - v->error, hi = v->value[side] + v->error;
  if (fabs(v->value[side]) < DPD_SIDE_MOST && floor(lo) == floor(hi) && ceil(lo) == ceil(hi))
    return up ? ceil(lo) : floor(lo);
  double t = rint(within(precise_value(v, side), 2 * DPD_SIDE_MOST)); /* off by less than 3/4 */
  int sign = sign_from(v, side, t);
  if (up ? sign > 0 : sign < 0) t += sign;
  return within(t, DPD_SIDE_MOST);
}

/* What one thread collects. */
typedef struct {
  const dpd_lines *l;
  dpd_spreads found;
  int floor;
} collector;

static void add_to_mean(dpd_spreads *s, const vertex *v)
{
  for (int k = 0; k < 2; k++) {
    double value = v->error < DPD_MEAN_UNIT / 4 ? v->value[k] : precise_value(v, k);
    s->sum[k] += (int64_t)rint(within(value, DPD_MEAN_MOST) / DPD_MEAN_UNIT);
  }
  s->count++;
}

static int collect_vertex(void *context, int i, int j, bool first, int depth)
{
  collector *s = context;
  dpd_spreads *f = &s->found;
  if (!first) return s->floor;
  vertex v = make_vertex(s->l, i, j);
  for (int k = 0; k < DPD_SIDES; k++) {
    double *lo = f->lo[k] + depth, *hi = f->hi[k] + depth;
    if (v.value[k] - v.error < *lo) {
      double end = whole_end(&v, k, false);
      if (end < *lo) *lo = end;
    }
    if (v.value[k] + v.error > *hi) {
      double end = whole_end(&v, k, true);
      if (end > *hi) *hi = end;
    }
  }
  if (depth > f->deepest) {
    f->deepest = depth;
    f->count = 0;
    f->sum[0] = f->sum[1] = 0;
  }
  if (depth == f->deepest) add_to_mean(f, &v);
  return s->floor;
}

static void merge_spreads(dpd_spreads *s, const dpd_spreads *t)
{
  for (int k = 0; k < DPD_SIDES; k++)
    for (int d = 0; d <= s->n; d++) {
      s->lo[k][d] = fmin(s->lo[k][d], t->lo[k][d]);
      s->hi[k][d] = fmax(s->hi[k][d], t->hi[k][d]);
    }
  if (t->deepest > s->deepest) {
    s->deepest = t->deepest;
    s->count = 0;
    s->sum[0] = s->sum[1] = 0;
  }
  if (t->deepest < s->deepest) return;
  s->count += t->count;
  s->sum[0] += t->sum[0];
  s->sum[1] += t->sum[1];
}

/* One thread's memory. */
typedef struct {
  collector *own;
  double *found;
  void *slopes, *tree;
} worker;

static size_t lay_out(worker *w, int n, dpd_scratch a)
{
  w->own = dpd_scratch_take(&a, 1, sizeof *w->own);
  w->found = dpd_scratch_take(&a, dpd_spreads_scratch(n), 1);
  w->slopes = dpd_scratch_take(&a, dpd_slope_sort_scratch(n), 1);
  w->tree = dpd_scratch_take(&a, dpd_regression_follow_scratch(n), 1);
  return a.used;
}

static size_t share(int n)
{
  worker w;
  return lay_out(&w, n, (dpd_scratch){NULL, 0});
}

size_t dpd_spreads_add_scratch(int n, int threads)
{
  return dpd_scratch_size(share(n), threads);
}

void dpd_spreads_add(dpd_spreads *s, const dpd_lines *l, const dpd_spreads_range *r, void *scratch)
{
  const int n = l->n, lines = r->last > r->first ? r->last - r->first : 1;
  const int threads = r->threads < lines ? r->threads : lines;
  const size_t size = share(n);
  /* extremes and whole sums are the same in any order */
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) schedule(static, 1)
#endif
  for (int t = 0; t < threads; t++) {
    worker w;
    lay_out(&w, n, dpd_scratch_part(scratch, size, t));
    *w.own = (collector){.l = l, .floor = r->floor};
    dpd_spreads_open(&w.own->found, n, w.found);
    dpd_vertex_visitor visitor = {collect_vertex, w.own};
    for (int i = r->first + t; i < r->last; i += threads) {
      dpd_angle_order order;
      dpd_slope_sort(l->x, l->y, n, i, w.slopes, &order);
      dpd_regression_follow(l, i, &order, r->floor, &visitor, w.tree);
    }
  }
  for (int t = 0; t < threads; t++) {
    worker w;
    lay_out(&w, n, dpd_scratch_part(scratch, size, t));
    merge_spreads(s, &w.own->found);
  }
}

void dpd_spreads_nest(dpd_spreads *s)
{
  for (int k = 0; k < DPD_SIDES; k++)
    for (int d = s->n - 1; d >= 0; d--) {
      s->lo[k][d] = fmin(s->lo[k][d], s->lo[k][d + 1]);
      s->hi[k][d] = fmax(s->hi[k][d], s->hi[k][d + 1]);
    }
}

/* The largest closed count of a value from below or above, whichever is less. */
static int deepest_of(const double *sorted, int n)
{
  int max = 0;
  for (int from = 0, to; from < n; from = to) {
    for (to = from + 1; to < n && sorted[to] == sorted[from]; to++) {
    }
    int min = to < n - from ? to : n - from;
    if (min > max) max = min;
  }
  return max;
}

int dpd_unbounded_depth(const dpd_lines *l, double *work)
{
  double *place = work + l->n; /* where each group begins, then ends */
  int max = 0, sum = 0;
  memset(place, 0, (size_t)l->n * sizeof *place);
  for (int i = 0; i < l->n; i++)
    place[l->group[i]]++;
  for (int g = 0; g < l->groups; g++) {
    int size = (int)place[g];
    place[g] = sum;
    sum += size;
  }
  for (int i = 0; i < l->n; i++)
    work[(int)place[l->group[i]]++] = l->y[i];
  for (int g = 0, from = 0; g < l->groups; g++) {
    int to = (int)place[g];
    dpd_sort_inplace(work + from, (size_t)(to - from));
    int here = deepest_of(work + from, to - from);
    if (here > max) max = here;
    from = to;
  }
  return max;
}
