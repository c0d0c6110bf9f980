/* simplicial_incomplete.c - simplicial depth over a fixed public set of simplices, in any
 * dimension.
 *
 * METHOD: the barycentric coordinates of p in a simplex solve sum_k l_k (v_k - v_0) = p - v_0; p is
 *   inside if none is below minus its rounding error, and l_0 = 1 - sum l_k is not either. The
 *   inverse of the edge matrix (Gauss-Jordan, full pivoting) is made once for all points. A flat
 *   simplex (a pivot that rounding could have made) has many solutions or none; whether one is
 *   nonnegative is a small linear programme: phase one of the simplex method on the d + 1
 *   equations, with Bland's rule. The indexes are those of splitmix64, by multiplication without
 *   rejection: a bias below 2^-32.
 * COST: O(d^3) per simplex and O(d^2) for it at each point.
 * DEGENERATE: equal rows, flat simplices, p at a vertex: closed hulls all.
 * REFERENCE: Liu (1990); Afshani, Sheehy and Stein (2016), Approximating the simplicial depth.
 */
#include "depth/simplicial_incomplete.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "num/scratch.h"
#include "num/splitmix.h"

/* Relative rounding error of a coordinate. */
#define COORDINATE_EPS 0x1p-50
/* A pivot this much below the first, in errors of the coordinates, is zero. */
#define FLAT 64.0

void dpd_incomplete_draw(uint64_t seed, int n, int size, int count, int *tuples, int *work)
{
  uint64_t state = seed;
  int per_round = n / size;
  for (int i = 0; i < n; i++)
    work[i] = i;
  for (int t = 0; t < count; t++) {
    int at = t % per_round * size;
    /* the next `size` places of a Fisher-Yates shuffle, which goes on from block to block */
    for (int k = at; k < at + size; k++) {
      uint64_t span = (uint64_t)(n - k);
      int j = k + (int)(((dpd_splitmix_next(&state) >> 32) * span) >> 32), swap = work[k];
      work[k] = work[j];
      work[j] = swap;
    }
    memcpy(tuples + (size_t)t * (size_t)size, work + at, (size_t)size * sizeof *tuples);
  }
}

void dpd_incomplete_all(int n, int size, int *tuples)
{
  for (int k = 0; k < size; k++)
    tuples[k] = k;
  for (int *last = tuples;; last += size) {
    int k = size - 1;
    while (k >= 0 && last[k] == n - size + k)
      k--;
    if (k < 0) return;
    memcpy(last + size, last, (size_t)size * sizeof *last);
    last[size + k]++;
    for (int j = k + 1; j < size; j++)
      last[size + j] = last[size + j - 1] + 1;
  }
}

int dpd_incomplete_load(const int *tuples, int count, int size, int n, int *work)
{
  int most = 0;
  memset(work, 0, (size_t)n * sizeof *work);
  for (size_t i = 0; i < (size_t)count * (size_t)size; i++)
    if (++work[tuples[i]] > most) most = work[tuples[i]];
  return most;
}

/* One simplex: vertex v_0, the inverse of its edges (if it is not flat) and the rounding errors. */
typedef struct {
  int d;
  bool flat;
  const int *rows;
  double *origin, *inverse, *work; /* d; d x d row-major; (d + 1)(d + 4) and more */
  double *reach, *point;           /* sums of |inverse| over rows; p less v_0 */
  double size, pad;                /* largest coordinate; absolute error */
  int *basis, *column;             /* d + 1 each */
} simplex;

static size_t simplex_work_size(int d)
{
  size_t m = (size_t)d + 1;
  return 3 * m + 2 * m * m + (m + 1) * (m + 1);
}

static void lay_out(simplex *s, int d, double *work, int *index)
{
  size_t m = (size_t)d + 1;
  s->d = d;
  s->origin = work;
  s->inverse = s->origin + m;
  s->reach = s->inverse + 2 * m * m;
  s->point = s->reach + m;
  s->work = s->point + m;
  s->basis = index;
  s->column = index + m;
}

static void swap_doubles(double *a, double *b)
{
  double t = *a;
  *a = *b;
  *b = t;
}

/* Inverts the d x d matrix `a` (row-major) into `inv`, full pivoting; false if it is flat. */
static bool invert(double *a, double *inv, int d, double error, int *column)
{
  for (int i = 0; i < d * d; i++)
    inv[i] = i % (d + 1) == 0;
  for (int k = 0; k < d; k++) {
    int r = k, c = k;
    for (int i = k; i < d; i++)
      for (int j = k; j < d; j++)
        if (fabs(a[i * d + j]) > fabs(a[r * d + c])) {
          r = i;
          c = j;
        }
    double pivot = a[r * d + c];
    if (!(fabs(pivot) > FLAT * error)) return false;
    column[k] = c;
    for (int j = 0; j < d; j++) {
      swap_doubles(&a[k * d + j], &a[r * d + j]);
      swap_doubles(&inv[k * d + j], &inv[r * d + j]);
    }
    for (int i = 0; i < d; i++)
      swap_doubles(&a[i * d + k], &a[i * d + c]);
    for (int j = 0; j < d; j++) {
      a[k * d + j] /= pivot;
      inv[k * d + j] /= pivot;
    }
    for (int i = 0; i < d; i++) {
      double f = a[i * d + k];
      if (i == k || f == 0) continue;
      for (int j = 0; j < d; j++) {
        a[i * d + j] -= f * a[k * d + j];
        inv[i * d + j] -= f * inv[k * d + j];
      }
    }
  }
  for (int k = d - 1; k >= 0; k--)
    if (column[k] != k)
      for (int j = 0; j < d; j++)
        swap_doubles(&inv[k * d + j], &inv[column[k] * d + j]);
  return true;
}

static void open_simplex(simplex *s, const double *data, int n, const int *rows, const double *err)
{
  const int d = s->d;
  double *edges = s->inverse + (d + 1) * (d + 1);
  s->rows = rows;
  s->size = s->pad = 0;
  for (int j = 0; j < d; j++) {
    const double *x = data + (size_t)j * (size_t)n;
    s->origin[j] = x[rows[0]];
    s->pad += err[j];
    for (int k = 0; k <= d; k++)
      s->size = fmax(s->size, fabs(x[rows[k]]));
    for (int k = 1; k <= d; k++)
      edges[j * d + k - 1] = x[rows[k]] - x[rows[0]];
  }
  s->flat = !invert(edges, s->inverse, d, s->pad + COORDINATE_EPS * s->size, s->column);
  if (s->flat) return;
  for (int k = 0; k < d; k++) {
    s->reach[k] = 0;
    for (int j = 0; j < d; j++)
      s->reach[k] += fabs(s->inverse[k * d + j]);
  }
}

/* p in a simplex that is not flat; p[j] are its coordinates less those of v_0. */
static bool holds_solid(const simplex *s, const double *p, double error)
{
  const int d = s->d;
  double rest = 1, slack = 0;
  for (int k = 0; k < d; k++) {
    double l = 0;
    for (int j = 0; j < d; j++)
      l += s->inverse[k * d + j] * p[j];
    /* the error of the edges acts on l as that of p does, times the coordinates' sum */
    double off = s->reach[k] * error * (1 + fabs(l));
    if (l < -off) return false;
    rest -= l;
    slack += off;
  }
  return rest >= -slack;
}

/* One pivot of the tableau t, rows x cols; the last row holds the costs. */
static void pivot_at(double *t, int rows, int cols, int r, int c)
{
  double pivot = t[r * cols + c];
  for (int j = 0; j < cols; j++)
    t[r * cols + j] /= pivot;
  for (int i = 0; i < rows; i++) {
    double f = t[i * cols + c];
    if (i == r || f == 0) continue;
    for (int j = 0; j < cols; j++)
      t[i * cols + j] -= f * t[r * cols + j];
  }
}

/* The equation whose variable leaves for variable c: misses first, then the lowest (Bland). */
static int leaving(const double *t, int m, int c, const int *basis, double error)
{
  const int cols = m + 1;
  int leave = -1;
  double lowest = INFINITY;
  for (int i = 0; i < m; i++) {
    if (!(t[i * cols + c] > error)) continue;
    double ratio = t[i * cols + m] / t[i * cols + c];
    if (ratio > lowest || (ratio == lowest && basis[i] > basis[leave])) continue;
    lowest = ratio;
    leave = i;
  }
  return leave;
}

/* Phase one: whether sum_k l_k (v_k - p) = 0, sum_k l_k = 1 has a solution l >= 0. The tableau has
 * a row an equation, and the sum of the equations' misses to minimise below; misses (variables -1)
 * leave for ever. */
static bool feasible(double *t, int m, double error, int *basis)
{
  const int cols = m + 1;
  for (int i = 0; i < m; i++)
    basis[i] = -1;
  for (int j = 0; j < cols; j++) {
    t[m * cols + j] = 0;
    for (int i = 0; i < m; i++)
      t[m * cols + j] += t[i * cols + j];
  }
  for (int step = 0; step < 1000 * m; step++) {
    int enter = 0;
    while (enter < m && !(t[m * cols + enter] > error))
      enter++;
    if (t[m * cols + m] <= error || enter == m) break;
    int leave = leaving(t, m, enter, basis, error);
    if (leave < 0) break;
    pivot_at(t, m + 1, cols, leave, enter);
    basis[leave] = enter;
  }
  return t[m * cols + m] <= error;
}

/* p in a flat simplex; p as its coordinates less those of v_0. */
static bool holds_flat(const simplex *s, const double *data, int n, const double *p, double error)
{
  const int d = s->d, m = d + 1, cols = m + 1;
  double *t = s->work, size = 0;
  for (int j = 0; j < d; j++)
    for (int k = 0; k < m; k++) {
      t[j * cols + k] = (data[(size_t)s->rows[k] + (size_t)j * (size_t)n] - s->origin[j]) - p[j];
      size = fmax(size, fabs(t[j * cols + k]));
    }
  if (!(size > error)) return true; /* p and all vertices coincide */
  for (int j = 0; j < d; j++) {
    t[j * cols + m] = 0;
    for (int k = 0; k < m; k++)
      t[j * cols + k] /= size;
  }
  for (int k = 0; k <= m; k++)
    t[d * cols + k] = 1;
  return feasible(t, m, 16 * m * (error / size + 0x1p-50), s->basis);
}

static bool holds(const simplex *s, const dpd_points *q, int i)
{
  double size = s->size, *p = s->point;
  for (int j = 0; j < s->d; j++) {
    double at = q->points[(size_t)i + (size_t)j * (size_t)q->m];
    p[j] = at - s->origin[j];
    size = fmax(size, fabs(at));
  }
  double error = s->pad + COORDINATE_EPS * size;
  return s->flat ? holds_flat(s, q->data, q->n, p, error) : holds_solid(s, p, 4 * error);
}

static dpd_scratch lay_out_thread(simplex *s, int d, dpd_scratch a)
{
  double *work = dpd_scratch_take(&a, simplex_work_size(d), sizeof *work);
  int *index = dpd_scratch_take(&a, 2 * ((size_t)d + 1), sizeof *index);
  if (a.base != NULL) lay_out(s, d, work, index);
  return a;
}

static size_t thread_size(int d)
{
  return lay_out_thread(NULL, d, (dpd_scratch){NULL, 0}).used;
}

size_t dpd_incomplete_scratch(int d, int threads)
{
  return dpd_scratch_size(thread_size(d), threads);
}

void dpd_incomplete_count(const dpd_points *p, const dpd_tuples *tuples, int threads, int *held,
                          void *scratch)
{
  /* every thread makes all simplices, for its own share of the points */
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) schedule(static, 1)
#endif
  for (int k = 0; k < threads; k++) {
    int first = (int)((int64_t)p->m * k / threads), last = (int)((int64_t)p->m * (k + 1) / threads);
    simplex s = {0};
    lay_out_thread(&s, p->d, dpd_scratch_part(scratch, thread_size(p->d), k));
    for (int t = tuples->from; t < tuples->to && first < last; t++) {
      open_simplex(&s, p->data, p->n, tuples->index + (size_t)t * ((size_t)p->d + 1), p->err);
      for (int i = first; i < last; i++)
        held[i] += holds(&s, p, i);
    }
  }
}
