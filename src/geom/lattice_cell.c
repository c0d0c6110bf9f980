/* lattice_cell.c - lattice points of a polytope: a narrow box that holds them, or all of them.
 *
 * METHOD: the coordinates k_i = w_i'z of a basis of Z^3, and its dual basis w, which is that of the
 *   axes at first, are reduced pairwise (Gauss) by the covariance of the polytope's vertices, so
 *   that a needle along a diagonal has a box of about its own volume. If few columns along the
 *   widest coordinate are left, each one's points are found from the halfspaces of the faces.
 * EXACTNESS: whatever the basis, ranges and columns are exact; only the choice of the basis is
 *   made in doubles, and it decides about nothing but time. |w| <= 2^40 and |base| <= 2^50; if a
 *   w'z is beyond 2^60, or the box is no smaller, the basis is that of the axes. So along a column
 *   a'base < 2^63, and b - a'z is below 2^126.
 * COST: O(vertices) a step of the reduction, of MAX_STEPS at most; O(faces) a column.
 * DEGENERATE: polytopes without interior; boxes without points have size 0 and count 0.
 * REFERENCE: Semaev (2001), A 3-dimensional lattice reduction algorithm, CaLC 2001.
 */
#include "geom/lattice_cell.h"

#include <math.h>
#include <stdlib.h>

enum { MAX_STEPS = 200 };
#define MOST_VALUE 0x1p60
#define MOST_FORM (INT64_C(1) << 40)
#define MOST_BASE (INT64_C(1) << 50)
#define MOST_POINT (INT64_C(1) << 39)

/* Covariances of w_i'x over the vertices, times their number. */
static void find_covariance(const dpd_solid *s, int64_t w[3][3], double q[3][3])
{
  double mean[3] = {0, 0, 0};
  for (int i = 0; i < 3; i++)
    for (int v = 0; v < s->n; v++)
      mean[i] += dpd_corner_form(&s->corner[v], w[i]) / s->n;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      q[i][j] = 0;
  for (int v = 0; v < s->n; v++) {
    double f[3];
    for (int i = 0; i < 3; i++)
      f[i] = dpd_corner_form(&s->corner[v], w[i]) - mean[i];
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++)
        q[i][j] += f[i] * f[j];
  }
}

/* Whether w_i - m w_j and base_j + m base_i are as small as they have to be. */
static bool can_step(int64_t w[3][3], int64_t base[3][3], int i, int j, int64_t m)
{
  for (int k = 0; k < 3; k++)
    if (llabs(w[i][k] - m * w[j][k]) > MOST_FORM ||
        (dpd_i128)llabs(m) * llabs(base[i][k]) + llabs(base[j][k]) > MOST_BASE)
      return false;
  return true;
}

/* The best step of the reduction; false if there is none. */
static bool reduce_once(const dpd_solid *s, int64_t w[3][3], int64_t base[3][3])
{
  double q[3][3], best = 0.999;
  int from = -1, by = -1;
  int64_t step = 0;
  find_covariance(s, w, q);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      if (i == j || !(q[j][j] > 0) || !(q[i][i] > 0)) continue;
      double m = rint(q[i][j] / q[j][j]);
      double left = (q[i][i] - 2 * m * q[i][j] + m * m * q[j][j]) / q[i][i];
      if (m == 0 || !(fabs(m) <= 0x1p20) || !(left < best)) continue;
      if (!can_step(w, base, i, j, (int64_t)m)) continue;
      best = left;
      from = i;
      by = j;
      step = (int64_t)m;
    }
  for (int k = 0; k < 3 && from >= 0; k++) {
    w[from][k] -= step * w[by][k];
    base[by][k] += step * base[from][k];
  }
  return from >= 0;
}

/* The widest coordinate last. */
static void put_widest_last(dpd_cell *c)
{
  int last = 2;
  for (int i = 0; i < 2; i++)
    if (c->size[i] > c->size[last]) last = i;
  dpd_cell old = *c;
  int order[3] = {last == 0 ? 2 : 0, last == 1 ? 2 : 1, last};
  for (int i = 0; i < 3; i++) {
    c->low[i] = old.low[order[i]];
    c->size[i] = old.size[order[i]];
    for (int k = 0; k < 3; k++)
      c->base[i][k] = old.base[order[i]][k];
  }
}

static dpd_i128 floor_div(dpd_i128 a, dpd_i128 b)
{
  dpd_i128 q = a / b;
  return q * b > a ? q - 1 : q;
}

/* Narrows low <= x <= high to where slope x <= room; low > high if it is empty. */
static void narrow(dpd_i128 slope, dpd_i128 room, dpd_i128 *low, dpd_i128 *high)
{
  if (slope == 0 && room < 0) *high = *low - 1;
  if (slope > 0) {
    dpd_i128 max = floor_div(room, slope);
    *high = max < *high ? max : *high;
  } else if (slope < 0) {
    dpd_i128 min = -floor_div(room, -slope);
    *low = min > *low ? min : *low;
  }
}

/* The polytope's points in column k; false if there are none. */
static bool fill_column(const dpd_solid *s, const dpd_cell *c, dpd_cell_column *column)
{
  dpd_i128 low = c->low[2], high = low + c->size[2] - 1, z[3];
  for (int j = 0; j < 3; j++)
    z[j] = (dpd_i128)c->base[0][j] * column->k[0] + (dpd_i128)c->base[1][j] * column->k[1];
  for (int f = 0; f < s->count && low <= high; f++) {
    const dpd_halfspace *h = &s->h[f];
    if (s->face[f] < 0) continue;
    dpd_i128 slope = 0, room = h->b;
    for (int j = 0; j < 3; j++) {
      slope += (dpd_i128)h->a[j] * c->base[2][j];
      room -= h->a[j] * z[j];
    }
    narrow(slope, room, &low, &high);
  }
  column->low = (int64_t)low;
  column->count = low <= high ? (int64_t)(high - low + 1) : 0;
  return low <= high;
}

static void count_columns(const dpd_solid *s, dpd_cell *c)
{
  c->counted = true;
  c->count = 0;
  for (int64_t k = 0; k < c->size[0]; k++)
    for (int64_t m = 0; m < c->size[1]; m++) {
      dpd_cell_column *column = &c->column[c->columns];
      column->k[0] = c->low[0] + k;
      column->k[1] = c->low[1] + m;
      if (!fill_column(s, c, column)) continue;
      c->count += (double)column->count;
      c->columns++;
    }
}

/* Whether all w_i'x at vertices are small enough. */
static bool has_small_values(const dpd_solid *s, int64_t w[3][3])
{
  for (int i = 0; i < 3; i++)
    for (int v = 0; v < s->n; v++)
      if (fabs(dpd_corner_form(&s->corner[v], w[i])) > MOST_VALUE) return false;
  return true;
}

/* The box of the basis whose dual is w. */
static void fit_box(const dpd_solid *solid, int64_t w[3][3], dpd_cell *cell)
{
  cell->count = 1;
  for (int i = 0; i < 3; i++) {
    int64_t range[2];
    dpd_solid_range(solid, w[i], range);
    cell->low[i] = range[0];
    cell->size[i] = range[0] <= range[1] ? range[1] - range[0] + 1 : 0;
    cell->count *= (double)cell->size[i];
  }
}

void dpd_cell_fit(const dpd_solid *solid, dpd_cell_column *column, dpd_cell *cell)
{
  int64_t w[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  dpd_cell axes = {.base = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, .column = column};
  *cell = axes;
  fit_box(solid, w, &axes);
  for (int k = 0; k < MAX_STEPS && reduce_once(solid, w, cell->base); k++) {
  }
  if (has_small_values(solid, w)) fit_box(solid, w, cell);
  if (!has_small_values(solid, w) || !(cell->count < axes.count)) *cell = axes;
  put_widest_last(cell);
  if ((dpd_i128)cell->size[0] * cell->size[1] <= DPD_CELL_COLUMNS) count_columns(solid, cell);
}

bool dpd_cell_point(const dpd_cell *cell, const int64_t k[3], int64_t z[3])
{
  for (int j = 0; j < 3; j++) {
    dpd_i128 at = 0;
    for (int i = 0; i < 3; i++)
      at += (dpd_i128)cell->base[i][j] * k[i];
    if (at > MOST_POINT || at < -MOST_POINT) return false;
    z[j] = (int64_t)at;
  }
  return true;
}

void dpd_cell_pick(const dpd_cell *cell, uint64_t index, int64_t z[3])
{
  const dpd_cell_column *c = cell->column;
  for (; index >= (uint64_t)c->count; c++)
    index -= (uint64_t)c->count;
  int64_t k[3] = {c->k[0], c->k[1], c->low + (int64_t)index};
  dpd_cell_point(cell, k, z);
}
