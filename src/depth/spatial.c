/* spatial.c - spatial depth of many points.
 *
 * METHOD: D(p) = 1 - norm(mean_i s(p - x_i)), s(v) = v / norm(v), s(0) = 0. Rows are taken in
 *   blocks whose columns stay in the first-level cache: squared distances, one inverse square
 *   root per row, then one sum per column. Each sum is kept in LANES partial sums that are added
 *   in a fixed order, so that the width of the vector registers does not show in the bits.
 * COST: O(n d) per point.
 * DEGENERATE: rows that equal p add nothing, to the last bit. A distance whose square is lost to
 *   underflow is taken again in its own unit. d = 1: the norm is |#{x < p} - #{x > p}| / n.
 * REFERENCE: Chaudhuri (1996), On a geometric notion of quantiles for multivariate data; Vardi and
 *   Zhang (2000), The multivariate L1-median and associated data depth.
 */
#include "depth/spatial.h"

#include <math.h>
#include <string.h>

#include "num/parallel_points.h"
#include "num/scratch.h"
#include "num/simd.h"

enum { BLOCK = 256, LANES = 8 };

/* Below it a squared distance may have lost digits to underflow. */
#define TINY_SQUARE 0x1p-900

/* 1 / sqrt(s) to within two units of the last place: a first guess from the halved exponent,
 * good to 3.5%, and four steps of Newton's method, each of which squares the error. Unlike
 * sqrt(), which may set errno, it leaves the loop around it to vector registers. */
DPD_FORCE_INLINE static double inverse_root(double s)
{
  int64_t bits;
  double y, half = 0.5 * s;
  memcpy(&bits, &s, sizeof bits);
  bits = INT64_C(0x5fe6eb50c7b537a9) - (bits >> 1);
  memcpy(&y, &bits, sizeof y);
  y *= 1.5 - half * y * y; /* not as a loop: compilers would not see through it */
  y *= 1.5 - half * y * y;
  y *= 1.5 - half * y * y;
  return y * (1.5 - half * y * y);
}

/* inverse[j] = 1 / norm(p - x_j), or 0 where the square is tiny, for `rows` rows (a multiple of
 * LANES: rows past the end are at p); returns how many are tiny. */
DPD_FORCE_INLINE static int inverse_distances(const double *const *column, const double *p, int d,
                                              int rows, double *inverse)
{
  double square[BLOCK], tiny = 0;
  for (int j = 0; j < rows; j++)
    square[j] = 0;
  for (int k = 0; k < d; k++) {
    const double *x = column[k];
    const double pk = p[k];
#ifdef _OPENMP
#pragma omp simd
#endif
    for (int j = 0; j < rows; j++) {
      double t = pk - x[j];
      square[j] += t * t;
    }
  }
#ifdef _OPENMP
#pragma omp simd reduction(+ : tiny)
#endif
  for (int j = 0; j < rows; j++) {
    double low = square[j] < TINY_SQUARE ? 1 : 0;
    tiny += low;
    inverse[j] = (1 - low) * inverse_root(square[j] + low);
  }
  return (int)tiny;
}

/* sum_j (p - x_j) inverse_j of one column. */
DPD_FORCE_INLINE static double weighted_sum(const double *x, double p, const double *inverse,
                                            int rows)
{
  double part[LANES] = {0};
  for (int j = 0; j < rows; j += LANES)
#ifdef _OPENMP
#pragma omp simd
#endif
    for (int l = 0; l < LANES; l++)
      part[l] += (p - x[j + l]) * inverse[j + l];
  for (int half = LANES / 2; half > 0; half /= 2)
    for (int l = 0; l < half; l++)
      part[l] += part[l + half];
  return part[0];
}

/* Adds the unit vector to p from a row so near that its square is tiny; nothing if it is p. */
static void add_near_row(const double *const *column, const double *p, int d, int j, double *sum)
{
  double size = 0, square = 0;
  for (int k = 0; k < d; k++)
    size = fmax(size, fabs(p[k] - column[k][j]));
  if (size == 0) return;
  for (int k = 0; k < d; k++) {
    double t = (p[k] - column[k][j]) / size;
    square += t * t;
  }
  for (int k = 0; k < d; k++)
    sum[k] += (p[k] - column[k][j]) / size / sqrt(square);
}

/* Adds the unit vectors of one block to sum[0..d-1]. */
DPD_FORCE_INLINE static void add_block(const double *const *column, const double *p, int d,
                                       int rows, double *sum)
{
  double inverse[BLOCK];
  int tiny = inverse_distances(column, p, d, rows, inverse);
  for (int k = 0; k < d; k++)
    sum[k] += weighted_sum(column[k], p[k], inverse, rows);
  for (int j = 0; j < rows && tiny > 0; j++) {
    if (inverse[j] != 0) continue;
    add_near_row(column, p, d, j, sum);
    tiny--;
  }
}

DPD_WIDE static void add_block_wide(const double *const *column, const double *p, int d, int rows,
                                    double *sum)
{
  add_block(column, p, d, rows, sum);
}

static void add_rows(const double *const *column, const double *p, int d, int rows, double *sum)
{
  if (DPD_HAS_WIDE)
    add_block_wide(column, p, d, rows, sum);
  else
    add_block(column, p, d, rows, sum);
}

typedef struct {
  double *p, *sum, *pad;
  const double **column;
} workspace;

static size_t lay_out(workspace *w, int d, dpd_scratch a)
{
  size_t k = (size_t)d;
  w->p = dpd_scratch_take(&a, k, sizeof *w->p);
  w->sum = dpd_scratch_take(&a, k, sizeof *w->sum);
  w->pad = dpd_scratch_take(&a, k * BLOCK, sizeof *w->pad);
  w->column = dpd_scratch_take(&a, 2 * k, sizeof *w->column);
  return a.used;
}

/* The last block, with copies of p to fill it up. */
static void add_rest(const workspace *w, int d, int rows)
{
  const double **padded = w->column + d;
  int full = (rows + LANES - 1) / LANES * LANES;
  for (int k = 0; k < d; k++) {
    double *x = w->pad + (size_t)k * BLOCK;
    for (int j = 0; j < full; j++)
      x[j] = j < rows ? w->column[k][j] : w->p[k];
    padded[k] = x;
  }
  add_rows(padded, w->p, d, full, w->sum);
}

static double one_norm(const dpd_points *q, int i, workspace *w)
{
  const int n = q->n, d = q->d;
  double square = 0;
  for (int k = 0; k < d; k++) {
    w->p[k] = q->points[(size_t)i + (size_t)k * (size_t)q->m];
    w->sum[k] = 0;
  }
  for (int from = 0; from < n; from += BLOCK) {
    int rows = n - from < BLOCK ? n - from : BLOCK;
    for (int k = 0; k < d; k++)
      w->column[k] = q->data + (size_t)k * (size_t)n + from;
    if (rows % LANES == 0)
      add_rows(w->column, w->p, d, rows, w->sum);
    else
      add_rest(w, d, rows);
  }
  for (int k = 0; k < d; k++)
    square += (w->sum[k] / n) * (w->sum[k] / n);
  return fmin(sqrt(square), 1);
}

typedef struct {
  const dpd_points *points;
  double *norm;
} task;

static void norm_of(void *context, void *work, int i)
{
  const task *t = context;
  workspace w;
  lay_out(&w, t->points->d, (dpd_scratch){work, 0});
  t->norm[i] = one_norm(t->points, i, &w);
}

static size_t thread_size(int d)
{
  workspace w;
  return lay_out(&w, d, (dpd_scratch){NULL, 0});
}

size_t dpd_spatial_norms_scratch(int d, int threads)
{
  return dpd_scratch_size(thread_size(d), threads);
}

void dpd_spatial_norms(const dpd_points *p, int threads, double *norm, void *scratch)
{
  task t = {p, norm};
  dpd_parallel_points all = {p->m, threads, 8, thread_size(p->d), scratch};
  dpd_parallel_points_run(&all, norm_of, &t);
}
