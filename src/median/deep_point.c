/* deep_point.c - a deep point of projected rows, found quickly: a start, not an estimate.
 *
 * METHOD: from the coordinate-wise median, on up to 2000 evenly spaced rows and 200 directions:
 *   find the direction along which the point is shallowest, move it towards the median of that
 *   projection by a falling share of the way, and keep the deepest point met.
 * COST: O(rows directions (d + steps)) of the parts used; n d for the median.
 * DEGENERATE: fewer rows or directions are all used.
 * REFERENCE: in the manner of Chan (2004) and of relaxation for linear inequalities (Agmon, 1954).
 */
#include "median/deep_point.h"

#include <math.h>
#include <string.h>

#include "num/rank_fill.h"
#include "num/select.h"

enum { DEEP_ROWS = 2000, DEEP_DIRECTIONS = 200, DEEP_STEPS = 120 };

static int fewer(int a, int b)
{
  return a < b ? a : b;
}

size_t dpd_deep_point_scratch(const dpd_projected *p)
{
  size_t rows = (size_t)fewer(p->n, DEEP_ROWS), dirs = (size_t)fewer(p->count, DEEP_DIRECTIONS);
  size_t sorted = rows * dirs + 3 * (size_t)p->d;
  size_t column = dpd_rank_window_work(p);
  return (sorted > column ? sorted : column) * sizeof(double);
}

/* The order statistic of rank mid, from 0, of a tally's column j. */
static double counted_rank(const dpd_projected *p, int j, int mid, dpd_counted *x)
{
  double out;
  int size = p->tally->size;
  for (int i = 0; i < size; i++)
    x[i] = (dpd_counted){p->rows[(size_t)i * (size_t)p->d + (size_t)j], p->tally->count[i]};
  dpd_counted_sort(x, x + size, size);
  dpd_counted_ranks(x, (dpd_ranks){mid + 1, 1, 1}, &out, 1);
  return out;
}

void dpd_deep_point_coordinatewise(const dpd_projected *p, double *work, double *z)
{
  size_t n = (size_t)p->n, d = (size_t)p->d, mid = (n - 1) / 2;
  for (size_t j = 0; j < d; j++) {
    if (p->along != NULL) {
      z[j] = dpd_runs_row(p->along + j, (int)mid + 1);
      continue;
    }
    if (p->tally != NULL) {
      z[j] = counted_rank(p, (int)j, (int)mid, (dpd_counted *)(void *)work);
      continue;
    }
    for (size_t i = 0; i < n; i++)
      work[i] = p->rows[i * d + j];
    dpd_select_range(work, n, mid, mid);
    z[j] = work[mid];
  }
}

/* Rows with y <= t in sorted y, by bisection. */
static int rank_of(const double *y, int n, double t)
{
  int low = 0, high = n;
  while (low < high) {
    int mid = low + (high - low) / 2;
    if (y[mid] <= t)
      low = mid + 1;
    else
      high = mid;
  }
  return low;
}

/* The direction along which z is shallowest among those looked at; its depth goes to *depth. */
static int shallowest(const dpd_projected *p, const double *sorted, int rows, int dirs,
                      const double *z, int *depth)
{
  int worst = 0;
  *depth = rows + 1;
  for (int u = 0; u < dirs; u++) {
    double t = dpd_project(p->dirs + (size_t)u * (size_t)p->d, z, p->d);
    int below = rank_of(sorted + (size_t)u * (size_t)rows, rows, t);
    int here = fewer(below, rows - below);
    if (here < *depth) worst = u;
    if (here < *depth) *depth = here;
  }
  return worst;
}

void dpd_deep_point_find(const dpd_projected *p, double *work, double *z)
{
  int rows = fewer(p->n, DEEP_ROWS), dirs = fewer(p->count, DEEP_DIRECTIONS), d = p->d;
  double *sorted = work, *at = work + (size_t)rows * (size_t)dirs;
  if (p->along != NULL) return; /* there are no rows to look at */
  int deepest = -1, depth;
  for (int u = 0; u < dirs; u++) {
    double *y = sorted + (size_t)u * (size_t)rows;
    for (int i = 0; i < rows; i++) {
      size_t from = (size_t)dpd_tally_entry(p->tally, (int)((double)i * p->n / rows));
      y[i] = dpd_project(p->dirs + (size_t)u * (size_t)d, p->rows + from * (size_t)d, d);
    }
    dpd_select_range(y, (size_t)rows, 0, (size_t)rows - 1);
  }
  memcpy(at, z, (size_t)d * sizeof *z);
  for (int step = 0; step < DEEP_STEPS; step++) {
    int u = shallowest(p, sorted, rows, dirs, at, &depth);
    if (depth > deepest) memcpy(z, at, (size_t)d * sizeof *z);
    if (depth > deepest) deepest = depth;
    const double *dir = p->dirs + (size_t)u * (size_t)d;
    double size = dpd_project(dir, dir, d), share = 1.0 / (1 + step / 8);
    double shift = sorted[(size_t)u * (size_t)rows + (size_t)rows / 2] - dpd_project(dir, at, d);
    for (int j = 0; j < d && size > 0; j++)
      at[j] += share * shift * dir[j] / size;
  }
}
