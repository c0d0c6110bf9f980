/* halfspace_directional.c - halfspace depth over a finite set of directions, as counts.
 *
 * METHOD: along each direction the data's projections are put into buckets (num/ecdf), not sorted.
 *   A point with a count of c so far is skipped if there are c numbers or more in the buckets
 *   before its own, and after it; only the others, few after some directions, are compared with the
 *   numbers of their bucket. Data and points are projected by the same operations, so a point that
 *   is a row is tied with it. Each thread keeps its own counts, and the least are taken at the
 *   end: integers, in any order.
 * COST: O(N (n + m) d), expected.
 * ROUNDING: projections s and t are tied within sum_j |u_j| err_j + 2^-50 (|s| + |t|).
 * DEGENERATE: n = 0 gives 0; m = 0 does nothing.
 * REFERENCE: Dyckerhoff (2004), Data depths satisfying the projection property.
 */
#include "depth/halfspace_directional.h"

#include <math.h>
#include <string.h>

#include "depth/halfspace.h"
#include "num/ecdf.h"
#include "num/project_block.h"
#include "num/scratch.h"
#include "plane/angle.h"

enum { GROUP = 8 }; /* directions projected at a time */

typedef struct {
  const double *data, *points; /* packed; the same if they are */
  const double *err;
  int n, d, m;
  dpd_direction_range dirs;
} task;

/* A thread's workspace. */
typedef struct {
  double *dirs, *rows, *points;
  void *counts; /* of dpd_ecdf */
  int *count;
} workspace;

/* Room for points of their own is there also when they turn out to be the rows. */
static size_t lay_out(workspace *k, const dpd_points *p, dpd_scratch a)
{
  size_t n = (size_t)p->n, m = (size_t)p->m;
  k->dirs = dpd_scratch_take(&a, GROUP * (size_t)p->d, sizeof *k->dirs);
  k->rows = dpd_scratch_take(&a, GROUP * dpd_padded(n), sizeof *k->rows);
  k->points = dpd_scratch_take(&a, GROUP * dpd_padded(m), sizeof *k->points);
  k->counts = dpd_scratch_take(&a, dpd_ecdf_scratch(n), 1);
  k->count = dpd_scratch_take(&a, m, sizeof *k->count);
  return a.used;
}

static size_t thread_size(const dpd_points *p)
{
  workspace k;
  return lay_out(&k, p, (dpd_scratch){NULL, 0});
}

/* What the threads share: data and points, packed. */
static size_t lay_out_task(task *t, const dpd_points *p, dpd_scratch a)
{
  size_t d = (size_t)p->d;
  t->data = dpd_scratch_take(&a, dpd_padded((size_t)p->n) * d, sizeof *t->data);
  t->points = dpd_scratch_take(&a, dpd_padded((size_t)p->m) * d, sizeof *t->points);
  return a.used;
}

size_t dpd_halfspace_directional_scratch(const dpd_points *p, int threads)
{
  task t;
  size_t shared = lay_out_task(&t, p, (dpd_scratch){NULL, 0});
  return dpd_scratch_size(shared, 1) + dpd_scratch_size(thread_size(p), threads);
}

static double tolerance(const task *t, const double *u)
{
  double e = 0;
  for (int j = 0; j < t->d; j++)
    e += fabs(u[j]) * t->err[j];
  return e;
}

/* The least closed count at p, rows within rounding of p being on both sides. */
static int count_at(const dpd_ecdf *c, int n, double p, double e)
{
  double reach = e > 0 ? 1.5 * e + 3 * DPD_COORDINATE_EPS * fabs(p) : 0;
  int first = dpd_ecdf_bucket(c, p - reach), last = dpd_ecdf_bucket(c, p + reach);
  int from = c->start[first], to = c->start[last + 1], below, above;
  if (first == last && to - from > DPD_ECDF_SHORT)
    dpd_halfspace1_sides(c->value + from, to - from, p, e, &below, &above);
  else
    dpd_halfspace1_scan(c->value + from, to - from, p, e, &below, &above);
  int up_to = to - above, not_below = n - from - below;
  return up_to < not_below ? up_to : not_below;
}

static void one_direction(const task *t, const dpd_ecdf *c, const double *point, double e,
                          int *count)
{
  const int n = t->n;
  bool same = t->data == t->points;
  for (int i = 0; i < t->m; i++) {
    int b = same ? c->code[i] : dpd_ecdf_bucket(c, point[i]), so_far = count[i];
    if (c->start[b] >= so_far && n - c->start[b + 1] >= so_far) continue;
    int here = count_at(c, n, point[i], e);
    if (here < so_far) count[i] = here;
  }
}

/* Directions from..from + size - 1. */
static void one_group(const task *t, workspace *k, int from, int size)
{
  size_t n = (size_t)t->n, m = (size_t)t->m, d = (size_t)t->d;
  dpd_ecdf c;
  for (int u = 0; u < size; u++)
    for (size_t j = 0; j < d; j++)
      k->dirs[(size_t)u * d + j] = t->dirs.u[(size_t)(from + u) + j * (size_t)t->dirs.count];
  dpd_project_block(t->data, n, t->d, k->dirs, size, k->rows);
  if (t->data == t->points)
    k->points = k->rows;
  else
    dpd_project_block(t->points, m, t->d, k->dirs, size, k->points);
  dpd_ecdf_open(&c, n, k->counts);
  for (int u = 0; u < size; u++) {
    dpd_ecdf_build(&c, k->rows + (size_t)u * dpd_padded(n));
    one_direction(t, &c, k->points + (size_t)u * dpd_padded(m),
                  tolerance(t, k->dirs + (size_t)u * d), k->count);
  }
}

static void take_minimum(int *count, const int *other, int m)
{
  for (int i = 0; i < m; i++)
    if (other[i] < count[i]) count[i] = other[i];
}

/* A thread's groups; what is known already spares comparisons. */
static void run_thread(const task *t, workspace *k, int thread, int threads, int *count)
{
  int from = t->dirs.from, to = t->dirs.to, groups = (to - from + GROUP - 1) / GROUP;
#ifdef _OPENMP
#pragma omp critical(dpd_halfspace_directional_counts)
#endif
  memcpy(k->count, count, (size_t)t->m * sizeof *count);
  for (int g = thread; g < groups; g += threads) {
    int first = from + g * GROUP;
    one_group(t, k, first, to - first < GROUP ? to - first : GROUP);
  }
#ifdef _OPENMP
#pragma omp critical(dpd_halfspace_directional_counts)
#endif
  take_minimum(count, k->count, t->m);
}

void dpd_halfspace_directional(const dpd_points *p, const dpd_direction_range *dirs, int threads,
                               int *count, void *scratch)
{
  if (p->m == 0 || dirs->from >= dirs->to) return;
  if (p->n == 0) {
    memset(count, 0, (size_t)p->m * sizeof *count);
    return;
  }
  task t = {NULL, NULL, p->err, p->n, p->d, p->m, *dirs};
  size_t shared = lay_out_task(&t, p, (dpd_scratch){NULL, 0});
  dpd_scratch own = dpd_scratch_part(scratch, shared, 0);
  lay_out_task(&t, p, own);
  size_t size = (size_t)p->n * (size_t)p->d * sizeof *p->data;
  bool same = p->points == p->data || (p->m == p->n && memcmp(p->points, p->data, size) == 0);
  dpd_pack_rows(p->data, (size_t)p->n, p->d, NULL, (double *)t.data);
  if (same)
    t.points = t.data;
  else
    dpd_pack_rows(p->points, (size_t)p->m, p->d, NULL, (double *)t.points);
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) schedule(static, 1)
#endif
  for (int k = 0; k < threads; k++) {
    workspace w;
    lay_out(&w, p, dpd_scratch_part(own.base + shared, thread_size(p), k));
    run_thread(&t, &w, k, threads, count);
  }
}
