/* depth_smooth.c - smoothed integrated dual depth of many points.
 *
 * METHOD: for each direction a table of G (num_logistic) over the range of the projections, or,
 *   where that would take too many nodes (s large against the spacing of the data, heavy
 *   tails), over their middle; points outside use the sorted projections near them, and a few
 *   points the plain sum. Terms G (1 - G) are rounded to multiples of 2^-60 and summed as whole
 *   numbers, so that threads and blocks do not show in the bits.
 * COST: O(count ((n + m) d + nodes)), nodes = 16 s times the range, at most 4096 + 2 n; O(n + m)
 *   memory a thread.
 * DEGENERATE: ties, n = 1 and constant columns are nothing special.
 * REFERENCE: Ramsay, Jagannath and Chenouri (2022), definition 10.
 */
#include "depth_smooth.h"

#include <math.h>
#include <string.h>

#include "num_logistic.h"
#include "num_panels.h"
#include "num_sort.h"

#ifdef _OPENMP
#include <omp.h>
#endif

enum { GROUP = 8, UNIT_BITS = 60 };

typedef struct {
  dpd_u128 *total;
  double *rows, *points, *sorted, *node, *table;
} desk;

static int max_nodes(const dpd_smooth *k)
{
  double nodes = 4096 + 2.0 * k->n;
  return nodes < 1 << 22 ? (int)nodes : 1 << 22;
}

static size_t round_up(size_t bytes)
{
  return (bytes + 63) / 64 * 64;
}

/* The next `bytes` of the workspace; only counted if there is none yet. */
static void *place(char *base, size_t *at, size_t bytes)
{
  void *here = base ? base + *at : NULL;
  *at += round_up(bytes);
  return here;
}

/* Lays out one thread's part of the workspace; returns its size. */
static size_t lay_out(const dpd_smooth *k, char *base, desk *v)
{
  size_t n = (size_t)k->n, m = (size_t)k->m, at = 0;
  bool same = k->rows == k->points;
  v->total = place(base, &at, m * sizeof *v->total);
  v->rows = place(base, &at, GROUP * dpd_padded(n) * sizeof(double));
  v->points = v->rows;
  if (!same) v->points = place(base, &at, GROUP * dpd_padded(m) * sizeof(double));
  v->sorted = place(base, &at, 2 * n * sizeof(double));
  v->node = place(base, &at, 2 * (size_t)max_nodes(k) * sizeof(double));
  v->table = place(base, &at, dpd_logistic_work_size(max_nodes(k)) * sizeof(double));
  return at;
}

static desk desk_of(const dpd_smooth *k, int thread)
{
  desk v;
  char *base = (char *)round_up((size_t)(uintptr_t)k->work);
  lay_out(k, base + (size_t)thread * lay_out(k, base, &v), &v);
  return v;
}

size_t dpd_smooth_work_size(const dpd_smooth *k)
{
  desk dummy;
  return (size_t)k->threads * lay_out(k, NULL, &dummy) + 64;
}

void dpd_smooth_begin(dpd_smooth *k)
{
  for (int t = 0; t < k->threads; t++) {
    desk v = desk_of(k, t);
    for (int i = 0; i < k->m; i++)
      v.total[i] = 0;
  }
}

static void add_term(double g, dpd_u128 *total)
{
  double term = g * (1 - g);
  if (term > 0) *total += (uint64_t)(term * (double)((uint64_t)1 << UNIT_BITS) + 0.5);
}

/* The window of the table: everything that is not 0 or 1 to within e^-24, or the middle of a
 * sample if that is too wide. */
static void choose_window(const dpd_smooth *k, const double *y, double *work, double *lo,
                          double *hi)
{
  double least = y[0], most = y[0], margin = 24 / k->s;
  size_t n = (size_t)k->n;
  for (size_t i = 1; i < n; i++) {
    if (y[i] < least) least = y[i];
    if (y[i] > most) most = y[i];
  }
  *lo = least - margin;
  *hi = most + margin;
  double limit = max_nodes(k) - 4;
  if (dpd_logistic_nodes(*hi - *lo, k->s) <= limit) return;
  size_t size = n < 256 ? n : 256;
  for (size_t i = 0; i < size; i++)
    work[i] = y[i * n / size];
  dpd_sort_inplace(work, size);
  double half = limit / dpd_logistic_density(k->s) / 2;
  *lo = work[size / 2] - half;
  *hi = work[size / 2] + half;
}

static void add_direction(const dpd_smooth *k, desk *v, const double *y, const double *q)
{
  size_t n = (size_t)k->n;
  if ((double)k->m * k->n < k->n + 1024.0) {
    for (int i = 0; i < k->m; i++)
      add_term(dpd_logistic_mean(y, n, k->s, q[i], NULL), v->total + i);
    return;
  }
  double lo, hi, g;
  bool sorted = false;
  dpd_logistic_table t = {.node = v->node};
  choose_window(k, y, v->sorted, &lo, &hi);
  bool table = dpd_logistic_nodes(hi - lo, k->s) <= max_nodes(k);
  if (table) dpd_logistic_build(&t, y, n, k->s, lo, hi, v->table);
  for (int i = 0; i < k->m; i++) {
    if (!(table && dpd_logistic_look_up(&t, q[i], &g, NULL))) {
      if (!sorted) {
        memcpy(v->sorted, y, n * sizeof *y);
        dpd_sort_doubles(v->sorted, n, v->sorted + n);
        sorted = true;
      }
      g = dpd_logistic_sorted(v->sorted, n, k->s, q[i]);
    }
    add_term(g, v->total + i);
  }
}

static void run_group(const dpd_smooth *k, desk *v, int from, int size)
{
  const double *dirs = k->dirs + (size_t)from * (size_t)k->d;
  size_t n = (size_t)k->n, m = (size_t)k->m;
  dpd_panels_project(k->rows, n, k->d, dirs, size, v->rows);
  if (k->rows != k->points) dpd_panels_project(k->points, m, k->d, dirs, size, v->points);
  for (int u = 0; u < size; u++)
    add_direction(k, v, v->rows + (size_t)u * dpd_padded(n), v->points + (size_t)u * dpd_padded(m));
}

void dpd_smooth_run(dpd_smooth *k, int from, int to)
{
  int groups = (to - from + GROUP - 1) / GROUP;
#ifdef _OPENMP
#pragma omp parallel for num_threads(k->threads) schedule(dynamic)
#endif
  for (int g = 0; g < groups; g++) {
    int thread = 0, first = from + g * GROUP;
#ifdef _OPENMP
    thread = omp_get_thread_num();
#endif
    desk v = desk_of(k, thread);
    run_group(k, &v, first, to - first < GROUP ? to - first : GROUP);
  }
}

void dpd_smooth_end(const dpd_smooth *k, int count, double *depth)
{
  for (int i = 0; i < k->m; i++) {
    dpd_u128 total = 0;
    for (int t = 0; t < k->threads; t++)
      total += desk_of(k, t).total[i];
    depth[i] = (double)total / (double)((uint64_t)1 << UNIT_BITS) / count;
  }
}
