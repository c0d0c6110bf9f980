/* integrated.c - depths made of the ranks of projections: directional halfspace, integrated
 * rank-weighted and integrated dual depth.
 *
 * METHOD: for each direction rows and points are projected by the same function, the rows are
 *   put into buckets (num/ecdf), and each point's two counts are looked up. A few points are
 *   compared with all rows instead. Directions are shared out over threads, each with its
 *   own whole-number totals, which are added or minimised at the end: exact in any order.
 * COST: O(count ((n + m) d)) expected, with O(n + m) memory per thread.
 * DEGENERATE: equal rows have equal projections to the last bit, so ties are counted as ties;
 *   rows that differ may tie in exact arithmetic and not in the projections, unless the direction
 *   is an axis. n < d + 1, constant columns and d = 1 are no exceptions.
 * REFERENCE: Dyckerhoff (2004), halfspace; Ramsay, Durocher and Leblanc (2019), integrated
 *   rank-weighted; Cuevas and Fraiman (2009), integrated dual.
 */
#include "depth/integrated.h"

#include <string.h>

#include "num/ecdf.h"
#include "num/parallel.h"
#include "num/project_block.h"
#include "num/scratch.h"

enum { FEW = 8 }; /* up to that many points are compared with all rows */

typedef struct {
  dpd_u128 *total; /* a point: minimum or sum */
  double *rows;    /* DPD_GROUP x padded n */
  double *points;  /* DPD_GROUP x padded m */
  void *counts;    /* of dpd_ecdf */
} scratch;

/* Lays out one thread's part of the workspace. */
static scratch lay_out(const dpd_integrated *r, dpd_scratch *a)
{
  size_t n = (size_t)r->n, m = (size_t)r->m;
  scratch k;
  k.total = dpd_scratch_take(a, m, sizeof *k.total);
  k.rows = dpd_scratch_take(a, DPD_GROUP * dpd_padded(n), sizeof *k.rows);
  k.points = k.rows;
  if (r->rows != r->points)
    k.points = dpd_scratch_take(a, DPD_GROUP * dpd_padded(m), sizeof *k.points);
  k.counts = dpd_scratch_take(a, dpd_ecdf_scratch(n), 1);
  return k;
}

static size_t share(const dpd_integrated *r)
{
  dpd_scratch a = {NULL, 0};
  lay_out(r, &a);
  return a.used;
}

static scratch scratch_of(const dpd_integrated *r, int thread)
{
  dpd_scratch a = dpd_scratch_part(r->work, share(r), thread);
  return lay_out(r, &a);
}

size_t dpd_integrated_scratch(const dpd_integrated *r)
{
  return dpd_scratch_size(share(r), r->threads);
}

void dpd_integrated_begin(dpd_integrated *r)
{
  for (int t = 0; t < r->threads; t++) {
    scratch k = scratch_of(r, t);
    for (int i = 0; i < r->m; i++)
      k.total[i] = r->kind == DPD_RANK_HALFSPACE ? (dpd_u128)r->n << 32 : 0;
  }
}

/* The minimum carries its direction in the low bits: the first one wins a tie. */
static inline void add_counts(dpd_rank_kind kind, int n, int u, int lt, int le, dpd_u128 *total)
{
  int lowest = le < n - lt ? le : n - lt;
  if (kind == DPD_RANK_IRW)
    *total += (dpd_u128)lowest;
  else if (kind == DPD_RANK_IDD)
    *total += (dpd_u128)((uint64_t)le * (uint64_t)(n - le));
  else if (((uint64_t)lowest << 32 | (uint32_t)u) < (uint64_t)*total)
    *total = (uint64_t)lowest << 32 | (uint32_t)u;
}

static void add_few(const dpd_integrated *r, int u, const double *y, const double *q,
                    dpd_u128 *total)
{
  for (int i = 0; i < r->m; i++) {
    int lt = 0, le = 0;
    for (int k = 0; k < r->n; k++) {
      lt += y[k] < q[i];
      le += y[k] <= q[i];
    }
    add_counts(r->kind, r->n, u, lt, le, total + i);
  }
}

/* One kind at a time, so that the choice is made outside the loop. */
#define ADD_ALL(KIND)                                                                              \
  for (int i = 0; i < r->m; i++) {                                                                 \
    int b = same ? e->code[i] : dpd_ecdf_bucket(e, q[i]), lt, le;                                  \
    dpd_ecdf_count_in(e, b, q[i], &lt, &le);                                                       \
    add_counts(KIND, r->n, u, lt, le, total + i);                                                  \
  }

static void add_many(const dpd_integrated *r, int u, const dpd_ecdf *e, const double *q,
                     dpd_u128 *total)
{
  bool same = r->rows == r->points;
  switch (r->kind) {
  case DPD_RANK_HALFSPACE: ADD_ALL(DPD_RANK_HALFSPACE) break;
  case DPD_RANK_IRW: ADD_ALL(DPD_RANK_IRW) break;
  default: ADD_ALL(DPD_RANK_IDD) break;
  }
}

static void run_group(void *context, int thread, int from, int size)
{
  const dpd_integrated *r = context;
  scratch k = scratch_of(r, thread);
  const double *dirs = r->dirs + (size_t)from * (size_t)r->d;
  size_t n = (size_t)r->n, m = (size_t)r->m;
  bool same = r->rows == r->points;
  dpd_ecdf e;
  dpd_ecdf_open(&e, n, k.counts);
  dpd_project_block(r->rows, n, r->d, dirs, size, k.rows);
  if (!same) dpd_project_block(r->points, m, r->d, dirs, size, k.points);
  for (int u = 0; u < size; u++) {
    const double *y = k.rows + (size_t)u * dpd_padded(n);
    const double *q = k.points + (size_t)u * dpd_padded(m);
    if (r->m <= FEW) {
      add_few(r, from + u, y, q, k.total);
    } else {
      dpd_ecdf_build(&e, y);
      add_many(r, from + u, &e, q, k.total);
    }
  }
}

void dpd_integrated_run(dpd_integrated *r, int from, int to)
{
  dpd_parallel_run(from, to, r->threads, run_group, r);
}

static dpd_u128 total_of(const dpd_integrated *r, int i)
{
  dpd_u128 total = scratch_of(r, 0).total[i];
  for (int t = 1; t < r->threads; t++) {
    dpd_u128 other = scratch_of(r, t).total[i];
    if (r->kind != DPD_RANK_HALFSPACE)
      total += other;
    else if (other < total)
      total = other;
  }
  return total;
}

void dpd_integrated_end(const dpd_integrated *r, int count, double *depth)
{
  double n = r->n;
  for (int i = 0; i < r->m; i++) {
    dpd_u128 total = total_of(r, i);
    if (r->kind == DPD_RANK_HALFSPACE)
      depth[i] = (double)(total >> 32) / n;
    else if (r->kind == DPD_RANK_IRW)
      depth[i] = 2 * ((double)total / (n * count));
    else
      depth[i] = (double)total / count / (n * n);
  }
}

void dpd_integrated_worst(const dpd_integrated *r, int *direction)
{
  for (int i = 0; i < r->m; i++)
    direction[i] = (int)(uint32_t)total_of(r, i);
}
