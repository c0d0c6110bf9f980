/* halfspace_directional.c - halfspace depth over a finite set of directions, as counts.
 *
 * METHOD: along each direction the data's projections are put into buckets (num/ecdf), not sorted.
 *   A point whose count is c so far is left alone if there are c numbers or more in the buckets
 *   before its own, and after it; only the others, few after some directions, are compared with the
 *   numbers of their bucket. Data and points are projected by the same operations, so a point that
 *   is a row is tied with it. Each thread keeps counts of its own and the least are taken at the
 *   end: integers, in any order.
 * COST: O(N (n + m) d), expected.
 * ROUNDING: projections s and t are tied within sum_j |u_j| err_j + 2^-50 (|s| + |t|).
 * DEGENERATE: n = 0 gives 0; m = 0 does nothing.
 * REFERENCE: Dyckerhoff (2004), Data depths satisfying the projection property.
 */
#include "depth/halfspace_directional.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "depth/halfspace.h"
#include "num/ecdf.h"
#include "num/project_block.h"
#include "plane/angle.h"

enum { GROUP = 8 }; /* directions projected at a time */

typedef struct {
  const double *data, *points, *dirs, *err; /* data and points packed; the same if they are */
  int n, d, m, dirs_count;
} task;

/* A thread's workspace. */
typedef struct {
  double *dirs, *rows, *points, *value;
  int *ints, *count;
} scratch;

static bool open_scratch(const task *t, scratch *k)
{
  size_t n = dpd_padded((size_t)t->n), m = dpd_padded((size_t)t->m), d = (size_t)t->d;
  bool same = t->data == t->points;
  size_t doubles = GROUP * (d + n + (same ? 0 : m)) + dpd_ecdf_doubles((size_t)t->n);
  k->dirs = malloc(doubles * sizeof(double));
  k->ints = malloc((dpd_ecdf_ints((size_t)t->n) + m) * sizeof(int));
  if (k->dirs == NULL || k->ints == NULL) return false;
  k->rows = k->dirs + GROUP * d;
  k->points = same ? k->rows : k->rows + GROUP * n;
  k->value = k->rows + GROUP * (n + (same ? 0 : m));
  k->count = k->ints + dpd_ecdf_ints((size_t)t->n);
  return true;
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
static void one_group(const task *t, const scratch *k, int from, int size)
{
  size_t n = (size_t)t->n, m = (size_t)t->m, d = (size_t)t->d;
  dpd_ecdf c;
  for (int u = 0; u < size; u++)
    for (size_t j = 0; j < d; j++)
      k->dirs[(size_t)u * d + j] = t->dirs[(size_t)(from + u) + j * (size_t)t->dirs_count];
  dpd_project_block_project(t->data, n, t->d, k->dirs, size, k->rows);
  if (t->data != t->points) dpd_project_block_project(t->points, m, t->d, k->dirs, size, k->points);
  dpd_ecdf_open(&c, n, k->value, k->ints);
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

/* All groups of directions, shared out over threads. */
static bool run(const task *t, int from, int to, int threads, int *count)
{
  int failed = 0, groups = (to - from + GROUP - 1) / GROUP;
  if (threads > groups) threads = groups;
#ifdef _OPENMP
#pragma omp parallel num_threads(threads) reduction(| : failed)
#endif
  {
    scratch k;
    failed = !open_scratch(t, &k);
    if (!failed) {
      /* what is known already spares comparisons */
#ifdef _OPENMP
#pragma omp critical(dpd_halfspace_directional_counts)
#endif
      memcpy(k.count, count, (size_t)t->m * sizeof *count);
    }
#ifdef _OPENMP
#pragma omp for schedule(dynamic, 1)
#endif
    for (int g = 0; g < groups; g++) {
      int first = from + g * GROUP;
      if (!failed) one_group(t, &k, first, to - first < GROUP ? to - first : GROUP);
    }
    if (!failed) {
#ifdef _OPENMP
#pragma omp critical(dpd_halfspace_directional_counts)
#endif
      take_minimum(count, k.count, t->m);
    }
    free(k.dirs);
    free(k.ints);
  }
  (void)threads;
  return !failed;
}

dpd_status dpd_halfspace_directional(const double *data, int n, int d, const double *points, int m,
                                     const double *dirs, int dirs_count, int from, int to,
                                     const double *err, int threads, int *count)
{
  if (m == 0 || from >= to) return DPD_OK;
  if (n == 0) {
    memset(count, 0, (size_t)m * sizeof *count);
    return DPD_OK;
  }
  size_t size = (size_t)n * (size_t)d * sizeof *data;
  bool same = points == data || (m == n && memcmp(points, data, size) == 0);
  double *rows = malloc(dpd_padded((size_t)n) * (size_t)d * sizeof *rows);
  double *others = rows;
  if (!same) others = malloc(dpd_padded((size_t)m) * (size_t)d * sizeof *others);
  bool done = false;
  if (rows != NULL && others != NULL) {
    dpd_pack_rows(data, (size_t)n, d, NULL, rows);
    if (!same) dpd_pack_rows(points, (size_t)m, d, NULL, others);
    task t = {rows, others, dirs, err, n, d, m, dirs_count};
    done = run(&t, from, to, threads, count);
  }
  if (!same) free(others);
  free(rows);
  return done ? DPD_OK : DPD_ERR_MEMORY;
}
