/* idd_smooth.c - the ascent to the deepest point of the smoothed integrated dual depth.
 *
 * METHOD: D(q) = mean of G_u (1 - G_u) has gradient mean of (1 - 2 G_u) G_u' u. Near the deepest
 *   point its second derivative is about -2 mean of G_u'^2 u u', and this matrix, positive
 *   definite wherever slopes do not vanish, turns the gradient into a step of
 *   Newton's kind. The step is halved until the depth rises enough (Armijo); where the matrix
 *   is singular, or the step does not help, the gradient itself is the direction. G comes from
 *   tables over the middle nine tenths of each projection; outside of them, by the plain sum.
 * COST: tables: O(count n d) once; a value or gradient O(count d), the matrix O(count d^2).
 * DEGENERATE: if all slopes vanish (s large, q between the data) q is left where it is: the
 *   caller starts from several points. Sums run in one order, so the bits do not depend on
 *   the number of threads.
 * REFERENCE: Ramsay, Jagannath and Chenouri (2022), section 2.2 (gradient ascent).
 */
#include <math.h>
#include <string.h>

#include "median/idd_smooth.h"
#include "num/logistic.h"
#include "num/parallel.h"
#include "num/project_block.h"
#include "num/sort.h"

enum { SAMPLE = 512, MOST_NODES = 1024, STEPS = 200, HALVINGS = 40 };

int dpd_idd_smooth_median_nodes(int count)
{
  double nodes = 0x1p25 / count; /* 512 MB of tables in all */
  return nodes > MOST_NODES ? MOST_NODES : nodes < 64 ? 64 : (int)nodes;
}

/* Bytes of one thread. */
static size_t share(const dpd_idd_smooth_median *a)
{
  return DPD_GROUP * dpd_padded((size_t)a->n) * sizeof(double) + dpd_logistic_scratch(a->nodes);
}

size_t dpd_idd_smooth_median_scratch(const dpd_idd_smooth_median *a)
{
  return (size_t)a->threads * share(a);
}

/* The middle nine tenths of a sample, as much of them as the table can hold. */
static void choose_window(const dpd_idd_smooth_median *a, const double *y, double *lo, double *hi)
{
  double sample[SAMPLE];
  size_t n = (size_t)a->n, size = n < SAMPLE ? n : SAMPLE;
  for (size_t i = 0; i < size; i++)
    sample[i] = y[i * n / size];
  dpd_sort_inplace(sample, size);
  double middle = sample[size / 2], most = (a->nodes - 4) / dpd_logistic_density(a->s) / 2;
  double left = middle - sample[size / 20], right = sample[size - 1 - size / 20] - middle;
  *lo = middle - (left < most ? left : most);
  *hi = middle + (right < most ? right : most);
}

static void tabulate_group(void *context, int thread, int from, int size)
{
  dpd_idd_smooth_median *a = context;
  size_t n = (size_t)a->n;
  double *rows = (double *)(void *)((unsigned char *)a->work + (size_t)thread * share(a)),
         *spare = rows + DPD_GROUP * dpd_padded(n);
  dpd_project_block(a->rows, n, a->d, a->dirs + (size_t)from * (size_t)a->d, size, rows);
  for (int u = 0; u < size; u++) {
    const double *y = rows + (size_t)u * dpd_padded(n);
    double lo, hi;
    dpd_logistic_table t = {.node = a->node + 2 * (size_t)(from + u) * (size_t)a->nodes};
    choose_window(a, y, &lo, &hi);
    a->lo[from + u] = lo;
    a->used[from + u] = 0;
    if (!(dpd_logistic_nodes(hi - lo, a->s) <= a->nodes)) continue;
    dpd_logistic_build(&t, y, n, (dpd_logistic_window){a->s, lo, hi}, spare);
    a->used[from + u] = t.nodes;
  }
}

void dpd_idd_smooth_median_tabulate(dpd_idd_smooth_median *a, int from, int to)
{
  dpd_parallel_run(from, to, a->threads, tabulate_group, a);
}

static double dot(const double *a, const double *b, size_t d)
{
  double sum = 0;
  for (size_t j = 0; j < d; j++)
    sum += a[j] * b[j];
  return sum;
}

/* G and its slope at t in direction u. */
static double look_up(const dpd_idd_smooth_median *a, int u, double t, double *slope)
{
  double value;
  dpd_logistic_table table = {.lo = a->lo[u],
                              .inv = dpd_logistic_density(a->s),
                              .nodes = a->used[u],
                              .node = a->node + 2 * (size_t)u * (size_t)a->nodes};
  if (dpd_logistic_look_up(&table, t, &value, slope)) return value;
  dpd_project_block(a->rows, (size_t)a->n, a->d, a->dirs + (size_t)u * (size_t)a->d, 1, a->slow);
  return dpd_logistic_mean(a->slow, (size_t)a->n, a->s, t, slope);
}

bool dpd_idd_smooth_median_covers(const dpd_idd_smooth_median *a, const double *q)
{
  double density = dpd_logistic_density(a->s);
  for (int u = 0; u < a->count; u++) {
    double at = (dot(a->dirs + (size_t)u * (size_t)a->d, q, (size_t)a->d) - a->lo[u]) * density;
    if (!(at >= 0 && at < a->used[u] - 1)) return false;
  }
  return true;
}

double dpd_idd_smooth_median_value(const dpd_idd_smooth_median *a, const double *q,
                                   double *gradient, double *metric)
{
  size_t d = (size_t)a->d;
  double sum = 0;
  if (gradient) memset(gradient, 0, d * sizeof *gradient);
  if (metric) memset(metric, 0, d * d * sizeof *metric);
  for (int u = 0; u < a->count; u++) {
    const double *dir = a->dirs + (size_t)u * d;
    double slope, g = look_up(a, u, dot(dir, q, d), &slope), pull = (1 - 2 * g) * slope / a->count;
    sum += g * (1 - g);
    for (size_t j = 0; gradient && j < d; j++)
      gradient[j] += pull * dir[j];
    double weight = slope * slope / a->count;
    for (size_t j = 0; metric && j < d; j++) {
      double w = weight * dir[j], *row = metric + j * d;
      for (size_t k = 0; k <= j; k++)
        row[k] += w * dir[k];
    }
  }
  return sum / a->count;
}

/* Cholesky factor in the lower triangle, in place; false if the matrix is (nearly) singular. */
static bool factorise(double *m, size_t d)
{
  for (size_t j = 0; j < d; j++) {
    double whole = m[j * d + j], left = whole;
    for (size_t k = 0; k < j; k++)
      left -= m[j * d + k] * m[j * d + k];
    if (!(left > 1e-12 * whole)) return false;
    double pivot = m[j * d + j] = sqrt(left);
    for (size_t i = j + 1; i < d; i++) {
      double v = m[i * d + j];
      for (size_t k = 0; k < j; k++)
        v -= m[i * d + k] * m[j * d + k];
      m[i * d + j] = v / pivot;
    }
  }
  return true;
}

static void solve(const double *m, size_t d, double *b)
{
  for (size_t i = 0; i < d; i++) {
    for (size_t k = 0; k < i; k++)
      b[i] -= m[i * d + k] * b[k];
    b[i] /= m[i * d + i];
  }
  for (size_t i = d; i-- > 0;) {
    for (size_t k = i + 1; k < d; k++)
      b[i] -= m[k * d + i] * b[k];
    b[i] /= m[i * d + i];
  }
}

/* Halves the step until the depth rises by a share of what the slope promises. */
static bool backtrack(const dpd_idd_smooth_median *a, double *q, const double *step, double promise,
                      double *next, double *depth)
{
  size_t d = (size_t)a->d;
  for (double scale = 1; scale > ldexp(1, -HALVINGS); scale /= 2) {
    bool changed = false;
    for (size_t j = 0; j < d; j++) {
      next[j] = q[j] + scale * step[j];
      changed |= next[j] != q[j];
    }
    if (!changed) return false;
    double value = dpd_idd_smooth_median_value(a, next, NULL, NULL);
    if (value > *depth && value >= *depth + 1e-4 * scale * promise) {
      memcpy(q, next, d * sizeof *q);
      *depth = value;
      return true;
    }
  }
  return false;
}

double dpd_idd_smooth_median_climb(const dpd_idd_smooth_median *a, double *q, double *work)
{
  size_t d = (size_t)a->d;
  double *gradient = work, *step = work + d, *next = step + d, *metric = next + d;
  double depth = dpd_idd_smooth_median_value(a, q, NULL, NULL);
  for (int k = 0; k < STEPS; k++) {
    dpd_idd_smooth_median_value(a, q, gradient, metric);
    double size = dot(gradient, gradient, d), trace = 0;
    if (!(size > 0)) break;
    for (size_t j = 0; j < d; j++)
      trace += metric[j * d + j];
    memcpy(step, gradient, d * sizeof *step);
    if (factorise(metric, d)) {
      solve(metric, d, step);
      for (size_t j = 0; j < d; j++)
        step[j] /= 2;
      double promise = dot(step, gradient, d);
      /* beyond this the rise is below the tables' error */
      if (promise < 1e-13) break;
      if (backtrack(a, q, step, promise, next, &depth)) continue;
    }
    /* a gradient step as long as the slopes allow */
    for (size_t j = 0; j < d; j++)
      step[j] = gradient[j] / (trace > 0 ? trace : 1);
    if (!backtrack(a, q, step, size / (trace > 0 ? trace : 1), next, &depth)) break;
  }
  return depth;
}
