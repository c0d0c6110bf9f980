/* projection.c - projection outlyingness over a set of directions.
 *
 * METHOD: for each direction rows and points are projected by the same function, location and
 *   scale are selected, and each point's largest ratio is kept. Columns are taken relative to
 *   their medians, so that a shift of the data costs no precision. Directions are shared out over
 *   threads, each with its own maxima; a maximum does not depend on the order.
 * COST: O(count (n + m) d) expected; O(n + m) memory per thread.
 * DEGENERATE: a scale of zero makes every point that is off the location infinitely
 *   outlying, and the others not at all. Zero means not above the rounding error of a
 *   projection of a typical row, and a distance is zero if it is below the rounding errors of the
 *   point's and a typical row's projection: relative to the data's own size, so units
 *   do not matter. Along an axis projections are exact, and so is the test.
 * REFERENCE: Stahel (1981); Donoho (1982); Zuo (2003).
 */
#include "depth/projection.h"

#include <math.h>
#include <string.h>

#include "num/order_stat.h"
#include "num/parallel.h"
#include "num/project_block.h"
#include "num/scratch.h"
#include "num/simd.h"

#define TINY 0x1p-500 /* products of two such do not underflow */

typedef struct {
  double *most; /* m maxima */
  double *rows, *points, *spare;
} scratch;

void dpd_typical(const double *x, size_t n, int d, double *centre, double *magnitude, double *work)
{
  for (int j = 0; j < d; j++, x += n) {
    centre[j] = dpd_order_statistic(x, n, (n + 1) / 2 - 1, work);
    for (size_t i = 0; i < n; i++)
      work[i] = fabs(x[i] - centre[j]);
    magnitude[j] = dpd_order_statistic(work, n, (n + 1) / 2 - 1, work + n);
  }
}

/* Lays out one thread's part of the workspace. */
static scratch lay_out(const dpd_outlyingness *o, dpd_scratch *a)
{
  size_t n = dpd_padded((size_t)o->n), m = dpd_padded((size_t)o->m);
  scratch k;
  k.most = dpd_scratch_take(a, m, sizeof *k.most);
  k.rows = dpd_scratch_take(a, DPD_GROUP * n, sizeof *k.rows);
  k.points = k.rows;
  if (o->rows != o->points) k.points = dpd_scratch_take(a, DPD_GROUP * m, sizeof *k.points);
  k.spare = dpd_scratch_take(a, 2 * n, sizeof *k.spare);
  return k;
}

static size_t share(const dpd_outlyingness *o)
{
  dpd_scratch a = {NULL, 0};
  lay_out(o, &a);
  return a.used;
}

static scratch scratch_of(const dpd_outlyingness *o, int thread)
{
  dpd_scratch a = dpd_scratch_part(o->work, share(o), thread);
  return lay_out(o, &a);
}

size_t dpd_outlyingness_scratch(const dpd_outlyingness *o)
{
  return dpd_scratch_size(share(o), o->threads);
}

void dpd_outlyingness_begin(dpd_outlyingness *o)
{
  for (int t = 0; t < o->threads; t++) {
    scratch k = scratch_of(o, t);
    memset(k.most, 0, (size_t)o->m * sizeof *k.most);
  }
}

/* Bound of the rounding error of u'z for |z_j| <= size[j]; zero if u is an axis. */
static double error_along(const double *u, const double *size, int d)
{
  double sum = 0;
  int parts = 0;
  for (int j = 0; j < d; j++) {
    if (u[j] == 0) continue;
    sum += fabs(u[j]) * size[j];
    parts += fabs(u[j]) == 1 ? 1 : 2;
  }
  return parts > 1 ? parts * 0x1p-52 * sum : 0;
}

double dpd_outlyingness_scale(double scale, const double *u, int d, const double *magnitude)
{
  return scale <= error_along(u, magnitude, d) ? 0 : scale;
}

/* The rare case: which points are at the location? */
static void mark_off(const dpd_outlyingness *o, const double *u, const double *q, double location,
                     double *most)
{
  double base = error_along(u, o->magnitude, o->d);
  for (int i = 0; i < o->m; i++) {
    const double *block = o->points + (size_t)(i / DPD_BLOCK_ROWS) * (size_t)o->d * DPD_BLOCK_ROWS;
    double gap = fabs(q[i] - location);
    if (gap == 0) continue;
    double sum = 0;
    for (int j = 0; j < o->d; j++)
      sum += fabs(u[j] * block[j * DPD_BLOCK_ROWS + i % DPD_BLOCK_ROWS]);
    double error = base > 0 ? base + 2 * (o->d + 1) * 0x1p-52 * sum : 0;
    if (gap > error) most[i] = INFINITY;
  }
}

/* Four numbers side by side, and what a comparison of them gives. */
typedef double lane4 __attribute__((vector_size(32)));
typedef int64_t mask4 __attribute__((vector_size(32)));

static void raise_one(double *most, double q, double location, double scale)
{
  double ratio = fabs(q - location) / scale;
  *most = ratio > *most ? ratio : *most;
}

/* Raises maxima to the ratios. A ratio is no larger than a maximum if the distance is at most 1 -
 * 2^-50 times maximum times scale, unless these are tiny: most are, and need no division. */
static DPD_FORCE_INLINE void raise_most(double *most, const double *q, int m, double location,
                                        double scale)
{
  double bound = scale * (1 - 0x1p-50);
  int i = 0;
  for (; i + 4 <= m && scale > TINY; i += 4) {
    lane4 gap, top;
    memcpy(&gap, q + i, sizeof gap);
    memcpy(&top, most + i, sizeof top);
    gap -= location;
    mask4 above = (gap > top * bound) | (-gap > top * bound) | (top < TINY);
    if ((above[0] | above[1] | above[2] | above[3]) == 0) continue;
    for (int k = i; k < i + 4; k++)
      raise_one(most + k, q[k], location, scale);
  }
  for (; i < m; i++)
    raise_one(most + i, q[i], location, scale);
}

DPD_WIDE static void raise_wide(double *most, const double *q, int m, double location, double scale)
{
  raise_most(most, q, m, location, scale);
}

static void run_one(const dpd_outlyingness *o, scratch *k, int u, const double *y, const double *q)
{
  const double *dir = o->dirs + (size_t)u * (size_t)o->d;
  double location, scale;
  dpd_center_of(&o->center, y, (size_t)o->n, k->spare, &location, &scale);
  scale = dpd_outlyingness_scale(scale, dir, o->d, o->magnitude);
  o->location[u] = location;
  o->scale[u] = scale;
  if (scale == 0) {
    mark_off(o, dir, q, location, k->most);
    return;
  }
  if (DPD_HAS_WIDE)
    raise_wide(k->most, q, o->m, location, scale);
  else
    raise_most(k->most, q, o->m, location, scale);
}

static void run_group(void *context, int thread, int first, int size)
{
  const dpd_outlyingness *o = context;
  scratch k = scratch_of(o, thread);
  const double *dirs = o->dirs + (size_t)first * (size_t)o->d;
  size_t n = (size_t)o->n, m = (size_t)o->m;
  dpd_project_block(o->rows, n, o->d, dirs, size, k.rows);
  if (o->rows != o->points) dpd_project_block(o->points, m, o->d, dirs, size, k.points);
  for (int u = 0; u < size; u++)
    run_one(o, &k, first + u, k.rows + (size_t)u * dpd_padded(n),
            k.points + (size_t)u * dpd_padded(m));
}

void dpd_outlyingness_run(dpd_outlyingness *o, int from, int to)
{
  dpd_parallel_run(from, to, o->threads, run_group, o);
}

void dpd_outlyingness_end(const dpd_outlyingness *o, double *outlyingness)
{
  for (int i = 0; i < o->m; i++) {
    double most = scratch_of(o, 0).most[i];
    for (int t = 1; t < o->threads; t++) {
      double other = scratch_of(o, t).most[i];
      if (other > most) most = other;
    }
    outlyingness[i] = most;
  }
}

void dpd_outlyingness_worst(const dpd_outlyingness *o, int *direction, double *work)
{
  for (int i = 0; i < o->m; i++) {
    if (i % DPD_BLOCK_ROWS == 0)
      dpd_project_block(o->points + (size_t)i * (size_t)o->d, DPD_BLOCK_ROWS, o->d, o->dirs,
                        o->count, work);
    double most = -1;
    direction[i] = -1;
    for (int u = 0; u < o->count; u++) {
      if (o->scale[u] == 0) continue;
      double ratio = fabs(work[(size_t)u * DPD_BLOCK_ROWS + i % DPD_BLOCK_ROWS] - o->location[u]) /
                     o->scale[u];
      if (ratio <= most) continue;
      most = ratio;
      direction[i] = u;
    }
  }
}
