/* spatial.c - the spatial median: the point with the least sum of distances.
 *
 * METHOD: Let g be the mean of the unit vectors from m to the rows that are not at m, and h the
 *   share of rows that are. m is the median if and only if norm(g) <= h. From any other point
 *   the step of Vardi and Zhang goes downhill: Weiszfeld's weighted mean of the other rows, damped
 *   by 1 - h/norm(g). Where no row is at m Newton's step is tried first and kept if it
 *   goes down far enough (the sum of distances is convex, and smooth off the rows): that makes the
 *   end fast. Close to the end the nearest row is tested for being the median itself, because
 *   steps towards a row grow small without ever reaching it.
 * STOPPING: norm(g) <= 2^-44, a number without unit, or a step below 2^-48 of the harmonic mean of
 *   the distances.
 * COST: O(n d^2) per iteration with Newton's steps (d <= NEWTON_MOST), O(n d) else; some ten
 *   iterations.
 * DEGENERATE: rows on a line, to within rounding: the middle of the one or two middle rows on it,
 *   since all points between these are medians. More than half of the rows at one point: that
 *   point.
 * REFERENCE: Weiszfeld (1937); Vardi and Zhang (2000), The multivariate L1-median and associated
 *   data depth; on the uniqueness off lines, Milasevic and Ducharme (1987).
 */
#include <math.h>
#include <string.h>

#include "median/spatial.h"
#include "num/select.h"

enum { NEWTON_MOST = 64, HALVINGS = 8 };

#define ENOUGH 0x1p-44
#define SHORT_STEP 0x1p-48
/* Off a line by no more than this share of its length is on it. */
#define LINE_EPS 0x1p-44

typedef struct {
  const double *x;
  int n, d;
  double *m, *g, *step, *trial, *hessian, *distance, *spare;
  double at;     /* share of rows at m */
  double weight; /* mean of 1 / distance of the others */
  int nearest;   /* row not at m */
} descent;

size_t dpd_spatial_median_scratch(int n, int d)
{
  size_t k = (size_t)d, square = d <= NEWTON_MOST ? k * k : 0;
  return (4 * k + square + 2 * (size_t)n) * sizeof(double);
}

static void lay_out(descent *s, double *work)
{
  size_t d = (size_t)s->d;
  s->m = work;
  s->g = work + d;
  s->step = work + 2 * d;
  s->trial = work + 3 * d;
  s->distance = work + 4 * d;
  s->spare = s->distance + s->n;
  s->hessian = s->spare + s->n;
}

static const double *column(const descent *s, int k)
{
  return s->x + (size_t)k * (size_t)s->n;
}

/* Distances of all rows to m; returns their mean. */
static double take_distances(const descent *s, const double *m, double *distance)
{
  double total = 0;
  memset(distance, 0, (size_t)s->n * sizeof *distance);
  for (int k = 0; k < s->d; k++) {
    const double *x = column(s, k);
    for (int i = 0; i < s->n; i++)
      distance[i] += (x[i] - m[k]) * (x[i] - m[k]);
  }
  for (int i = 0; i < s->n; i++) {
    distance[i] = sqrt(distance[i]);
    total += distance[i];
  }
  return total / s->n;
}

/* g, at, weight and nearest, from the distances. */
static double take_gradient(descent *s)
{
  double square = 0, weight = 0;
  int at = 0;
  s->nearest = -1;
  for (int i = 0; i < s->n; i++) {
    if (s->distance[i] == 0) {
      at++;
      continue;
    }
    weight += 1 / s->distance[i];
    if (s->nearest < 0 || s->distance[i] < s->distance[s->nearest]) s->nearest = i;
  }
  for (int k = 0; k < s->d; k++) {
    const double *x = column(s, k);
    double sum = 0;
    for (int i = 0; i < s->n; i++)
      if (s->distance[i] > 0) sum += (x[i] - s->m[k]) / s->distance[i];
    s->g[k] = sum / s->n;
    square += s->g[k] * s->g[k];
  }
  s->at = (double)at / s->n;
  s->weight = weight / s->n;
  return sqrt(square);
}

/* Moves m to a row if that row is the median; needs g to be that of m on failure. */
static bool settle_at_row(descent *s, int row)
{
  double *old = s->trial;
  memcpy(old, s->m, (size_t)s->d * sizeof *old);
  for (int k = 0; k < s->d; k++)
    s->m[k] = column(s, k)[row];
  take_distances(s, s->m, s->distance);
  if (take_gradient(s) <= s->at * (1 + ENOUGH)) return true;
  memcpy(s->m, old, (size_t)s->d * sizeof *old);
  take_distances(s, s->m, s->distance);
  take_gradient(s);
  return false;
}

/* The mean Hessian (I - s s')/distance as its Cholesky factor; false if it is not positive. */
static bool factor_hessian(descent *s)
{
  const int d = s->d;
  double *h = s->hessian;
  for (int k = 0; k < d; k++)
    for (int l = 0; l <= k; l++) {
      const double *x = column(s, k), *y = column(s, l);
      double sum = 0;
      for (int i = 0; i < s->n; i++) {
        double r = s->distance[i];
        sum += (x[i] - s->m[k]) * (y[i] - s->m[l]) / (r * r * r);
      }
      h[k * d + l] = (k == l ? s->weight : 0) - sum / s->n;
    }
  for (int k = 0; k < d; k++)
    for (int l = 0; l <= k; l++) {
      double sum = h[k * d + l];
      for (int j = 0; j < l; j++)
        sum -= h[k * d + j] * h[l * d + j];
      if (k > l)
        h[k * d + l] = sum / h[l * d + l];
      else if (sum > 1e-12 * s->weight)
        h[k * d + k] = sqrt(sum);
      else
        return false;
    }
  return true;
}

static void solve_newton(descent *s)
{
  const int d = s->d;
  for (int k = 0; k < d; k++) {
    double sum = s->g[k];
    for (int j = 0; j < k; j++)
      sum -= s->hessian[k * d + j] * s->step[j];
    s->step[k] = sum / s->hessian[k * d + k];
  }
  for (int k = d - 1; k >= 0; k--) {
    double sum = s->step[k];
    for (int j = k + 1; j < d; j++)
      sum -= s->hessian[j * d + k] * s->step[j];
    s->step[k] = sum / s->hessian[k * d + k];
  }
}

static double length(const double *v, int d)
{
  double square = 0;
  for (int k = 0; k < d; k++)
    square += v[k] * v[k];
  return sqrt(square);
}

/* Newton's step, halved until it goes down by a share of what its slope promises; moves m. */
static bool try_newton(descent *s, double mean_distance)
{
  if (s->d > NEWTON_MOST || s->at > 0 || !factor_hessian(s)) return false;
  solve_newton(s);
  double slope = 0;
  for (int k = 0; k < s->d; k++)
    slope += s->g[k] * s->step[k];
  double share = 1, noise = 0x1p-50 * mean_distance;
  for (int half = 0; half < HALVINGS; half++, share /= 2) {
    for (int k = 0; k < s->d; k++)
      s->trial[k] = s->m[k] + share * s->step[k];
    if (take_distances(s, s->trial, s->spare) <= mean_distance - 0.1 * share * slope + noise) {
      for (int k = 0; k < s->d; k++)
        s->step[k] *= share;
      memcpy(s->m, s->trial, (size_t)s->d * sizeof *s->m);
      return true;
    }
  }
  return false;
}

static void step_weiszfeld(descent *s, double gradient)
{
  double share = (1 - s->at / gradient) / s->weight;
  for (int k = 0; k < s->d; k++) {
    s->step[k] = share * s->g[k];
    s->m[k] += s->step[k];
  }
}

static void descend(descent *s, int limit, dpd_spatial_trace *trace)
{
  int asked = -1; /* the last row that was not the median, so as not to ask again */
  trace->converged = false;
  for (trace->iterations = 0; trace->iterations < limit; trace->iterations++) {
    double mean = take_distances(s, s->m, s->distance), gradient = take_gradient(s);
    trace->gradient = gradient - s->at;
    if (gradient <= s->at + ENOUGH) {
      trace->converged = true;
      return;
    }
    int row = s->nearest;
    bool close = s->at == 0 && s->distance[row] * s->weight < 0.25;
    if (close && row != asked) {
      asked = row;
      if (settle_at_row(s, row)) {
        trace->gradient = 0;
        trace->converged = true;
        return;
      }
    }
    if (!try_newton(s, mean)) step_weiszfeld(s, gradient);
    if (length(s->step, s->d) * s->weight <= SHORT_STEP) {
      trace->converged = true;
      return;
    }
  }
}

/* The middle order statistics of the n numbers in v, halfway between two. */
static double middle(double *v, int n, double *other)
{
  size_t lo = (size_t)(n - 1) / 2, hi = (size_t)n / 2;
  dpd_select_range(v, (size_t)n, lo, hi);
  *other = v[hi];
  return v[lo];
}

/* If all rows are on a line: the middle of the one or two middle rows. `far` is a row at the
 * greatest distance from m, which is on the line only if it is a row. */
static bool median_on_line(descent *s)
{
  const int n = s->n, d = s->d;
  int far = 0;
  for (int k = 0; k < d; k++)
    s->m[k] = column(s, k)[0];
  take_distances(s, s->m, s->distance);
  for (int i = 1; i < n; i++)
    if (s->distance[i] > s->distance[far]) far = i;
  double size = s->distance[far];
  if (size == 0) return true;
  for (int k = 0; k < d; k++)
    s->step[k] = (column(s, k)[far] - s->m[k]) / size;
  for (int i = 0; i < n; i++) {
    double along = 0, off = 0;
    for (int k = 0; k < d; k++)
      along += (column(s, k)[i] - s->m[k]) * s->step[k];
    for (int k = 0; k < d; k++)
      off = fmax(off, fabs(column(s, k)[i] - s->m[k] - along * s->step[k]));
    if (off > LINE_EPS * size) return false;
    s->distance[i] = s->spare[i] = along;
  }
  double hi, lo = middle(s->spare, n, &hi);
  int first = 0, second = 0;
  for (int i = 0; i < n; i++) {
    if (s->distance[i] == lo) first = i;
    if (s->distance[i] == hi) second = i;
  }
  for (int k = 0; k < d; k++)
    s->m[k] = 0.5 * column(s, k)[first] + 0.5 * column(s, k)[second];
  return true;
}

dpd_status dpd_spatial_median(const double *data, int n, int d, double *work, double *median,
                              dpd_spatial_trace *trace)
{
  descent s = {.x = data, .n = n, .d = d};
  lay_out(&s, work);
  trace->iterations = 0;
  trace->gradient = 0;
  trace->converged = true;
  if (!median_on_line(&s)) {
    for (int k = 0; k < d; k++) {
      double hi;
      memcpy(s.spare, column(&s, k), (size_t)n * sizeof *s.spare);
      s.m[k] = middle(s.spare, n, &hi);
    }
    descend(&s, trace->limit, trace);
  }
  memcpy(median, s.m, (size_t)d * sizeof *median);
  return DPD_OK;
}
