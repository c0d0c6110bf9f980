/* idd_smooth.c - smoothed integrated dual depth of many points.
 *
 * METHOD: for each direction a table of G (num/logistic) over the range of the projections, or,
 *   where that would take too many nodes (s large against the spacing of the data, heavy
 *   tails), over their middle; points outside use the sorted projections near them, and a few
 *   points the plain sum. Terms G (1 - G) are rounded to multiples of 2^-60 and summed as whole
 *   numbers, so that threads and blocks do not show in the bits.
 * COST: O(count ((n + m) d + nodes)), nodes = 16 s times the range, at most 4096 + 2 n; O(n + m)
 *   memory per thread.
 * DEGENERATE: ties, n = 1 and constant columns are no exceptions.
 * REFERENCE: Ramsay, Jagannath and Chenouri (2022), definition 10.
 */
#include "depth/idd_smooth.h"

#include <math.h>
#include <string.h>

#include "num/logistic.h"
#include "num/parallel.h"
#include "num/project_block.h"
#include "num/scratch.h"
#include "num/sort.h"

enum { UNIT_BITS = 60 };

typedef struct {
  dpd_u128 *total;
  double *rows, *points, *sorted, *node, *table;
} scratch;

static int max_nodes(const dpd_smooth *k)
{
  double nodes = 4096 + 2.0 * k->n;
  return nodes < 1 << 22 ? (int)nodes : 1 << 22;
}

/* Lays out one thread's part of the workspace. */
static scratch lay_out(const dpd_smooth *k, dpd_scratch *a)
{
  size_t n = (size_t)k->n, nodes = (size_t)max_nodes(k);
  scratch v;
  v.total = dpd_scratch_take(a, (size_t)k->m, sizeof *v.total);
  v.rows = dpd_scratch_take(a, DPD_GROUP * dpd_padded(n), sizeof *v.rows);
  v.points = v.rows;
  if (k->rows != k->points)
    v.points = dpd_scratch_take(a, DPD_GROUP * dpd_padded((size_t)k->m), sizeof *v.points);
  v.sorted = dpd_scratch_take(a, 2 * n, sizeof *v.sorted);
  v.node = dpd_scratch_take(a, 2 * nodes, sizeof *v.node);
  v.table = dpd_scratch_take(a, dpd_logistic_scratch(max_nodes(k)), 1);
  return v;
}

static size_t share(const dpd_smooth *k)
{
  dpd_scratch a = {NULL, 0};
  lay_out(k, &a);
  return a.used;
}

static scratch scratch_of(const dpd_smooth *k, int thread)
{
  dpd_scratch a = dpd_scratch_part(k->work, share(k), thread);
  return lay_out(k, &a);
}

size_t dpd_idd_smooth_scratch(const dpd_smooth *k)
{
  return dpd_scratch_size(share(k), k->threads);
}

void dpd_smooth_begin(dpd_smooth *k)
{
  for (int t = 0; t < k->threads; t++) {
    scratch v = scratch_of(k, t);
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
  double lowest = y[0], highest = y[0], margin = 24 / k->s;
  size_t n = (size_t)k->n;
  for (size_t i = 1; i < n; i++) {
    if (y[i] < lowest) lowest = y[i];
    if (y[i] > highest) highest = y[i];
  }
  *lo = lowest - margin;
  *hi = highest + margin;
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

static void add_direction(const dpd_smooth *k, scratch *v, const double *y, const double *q)
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
  if (table) dpd_logistic_build(&t, y, n, (dpd_logistic_window){k->s, lo, hi}, v->table);
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

static void run_group(void *context, int thread, int from, int size)
{
  const dpd_smooth *k = context;
  scratch v = scratch_of(k, thread);
  const double *dirs = k->dirs + (size_t)from * (size_t)k->d;
  size_t n = (size_t)k->n, m = (size_t)k->m;
  dpd_project_block(k->rows, n, k->d, dirs, size, v.rows);
  if (k->rows != k->points) dpd_project_block(k->points, m, k->d, dirs, size, v.points);
  for (int u = 0; u < size; u++)
    add_direction(k, &v, v.rows + (size_t)u * dpd_padded(n), v.points + (size_t)u * dpd_padded(m));
}

void dpd_smooth_run(dpd_smooth *k, int from, int to)
{
  dpd_parallel_run(from, to, k->threads, run_group, k);
}

void dpd_smooth_end(const dpd_smooth *k, int count, double *depth)
{
  for (int i = 0; i < k->m; i++) {
    dpd_u128 total = 0;
    for (int t = 0; t < k->threads; t++)
      total += scratch_of(k, t).total[i];
    depth[i] = (double)total / (double)((uint64_t)1 << UNIT_BITS) / count;
  }
}
