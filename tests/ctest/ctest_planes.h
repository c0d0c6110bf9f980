/* ctest_planes.h - slow twin of geom/halfspaces.c: all triples of planes, in exact quotients. */
#ifndef CTEST_PLANES_H
#define CTEST_PLANES_H

#include <math.h>
#include <stdlib.h>

#include "geom/halfspaces.h"

enum { MOST = 40 }; /* planes */

typedef struct {
  dpd_i128 x[3], q; /* x/q, q > 0 */
} point;

static dpd_i128 determinant(const int64_t a[3], const int64_t b[3], const int64_t c[3])
{
  return (dpd_i128)a[0] * (b[1] * c[2] - b[2] * c[1]) -
         (dpd_i128)a[1] * (b[0] * c[2] - b[2] * c[0]) +
         (dpd_i128)a[2] * (b[0] * c[1] - b[1] * c[0]);
}

/* Cramer's rule, column by column; false if the planes are dependent. */
static bool meet(const dpd_halfspace *f, const dpd_halfspace *g, const dpd_halfspace *h, point *p)
{
  p->q = determinant(f->a, g->a, h->a);
  if (p->q == 0) return false;
  for (int j = 0; j < 3; j++) {
    int64_t r[3][3];
    const dpd_halfspace *row[3] = {f, g, h};
    for (int i = 0; i < 3; i++)
      for (int k = 0; k < 3; k++)
        r[i][k] = k == j ? row[i]->b : row[i]->a[k];
    p->x[j] = determinant(r[0], r[1], r[2]);
  }
  if (p->q > 0) return true;
  p->q = -p->q;
  for (int j = 0; j < 3; j++)
    p->x[j] = -p->x[j];
  return true;
}

static bool inside(const dpd_halfspace *h, int count, const point *p)
{
  for (int k = 0; k < count; k++)
    if (h[k].a[0] * p->x[0] + h[k].a[1] * p->x[1] + h[k].a[2] * p->x[2] > h[k].b * p->q)
      return false;
  return true;
}

/* All vertices, some of them often; how many. */
static int slow_vertices(const dpd_halfspace *h, int count, point *out)
{
  int n = 0;
  for (int i = 0; i < count; i++)
    for (int j = 0; j < i; j++)
      for (int k = 0; k < j; k++)
        if (meet(&h[i], &h[j], &h[k], &out[n]) && inside(h, count, &out[n])) n++;
  return n;
}

typedef struct {
  double angle, z[3];
} spoke;

static int compare_spokes(const void *a, const void *b)
{
  double x = ((const spoke *)a)->angle, y = ((const spoke *)b)->angle;
  return (x > y) - (x < y);
}

/* Area vector of the convex hull of points on a plane, times two, along its normal. */
static double slow_face(const dpd_halfspace *h, const point *p, int n, const double o[3])
{
  static spoke s[MOST * MOST * MOST / 6];
  double mean[3] = {0, 0, 0}, u[3], e[3], volume = 0;
  int m = 0;
  for (int i = 0; i < n; i++) {
    if (h->a[0] * p[i].x[0] + h->a[1] * p[i].x[1] + h->a[2] * p[i].x[2] != h->b * p[i].q) continue;
    for (int j = 0; j < 3; j++)
      mean[j] += s[m].z[j] = (double)p[i].x[j] / (double)p[i].q;
    m++;
  }
  int k = h->a[0] == 0 ? 0 : h->a[1] == 0 ? 1 : 2;
  double a[3] = {(double)h->a[0], (double)h->a[1], (double)h->a[2]};
  double f[3] = {k == 0, k == 1, k == 2}, square = a[0] * a[0] + a[1] * a[1] + a[2] * a[2];
  for (int j = 0; j < 3; j++)
    u[j] = f[j] - a[k] * a[j] / square;
  for (int j = 0; j < 3; j++)
    e[j] = a[(j + 1) % 3] * u[(j + 2) % 3] - a[(j + 2) % 3] * u[(j + 1) % 3];
  for (int i = 0; i < m; i++) {
    double x = 0, y = 0;
    for (int j = 0; j < 3; j++) {
      x += u[j] * (s[i].z[j] - mean[j] / m);
      y += e[j] * (s[i].z[j] - mean[j] / m) / sqrt(square);
    }
    s[i].angle = atan2(y, x);
  }
  qsort(s, (size_t)m, sizeof *s, compare_spokes);
  for (int i = 0; i < m; i++) {
    double d[3][3];
    for (int j = 0; j < 3; j++) {
      d[0][j] = mean[j] / m - o[j];
      d[1][j] = s[i].z[j] - o[j];
      d[2][j] = s[(i + 1) % m].z[j] - o[j];
    }
    volume += fabs(d[0][0] * (d[1][1] * d[2][2] - d[1][2] * d[2][1]) -
                   d[0][1] * (d[1][0] * d[2][2] - d[1][2] * d[2][0]) +
                   d[0][2] * (d[1][0] * d[2][1] - d[1][1] * d[2][0]));
  }
  return volume / 6;
}

static bool same_plane(const dpd_halfspace *h, const dpd_halfspace *k)
{
  int64_t c[3];
  for (int j = 0; j < 3; j++)
    c[j] = h->a[(j + 1) % 3] * k->a[(j + 2) % 3] - h->a[(j + 2) % 3] * k->a[(j + 1) % 3];
  if (c[0] != 0 || c[1] != 0 || c[2] != 0) return false;
  int64_t along = h->a[0] * k->a[0] + h->a[1] * k->a[1] + h->a[2] * k->a[2];
  int64_t square = h->a[0] * h->a[0] + h->a[1] * h->a[1] + h->a[2] * h->a[2];
  return along > 0 && h->b * along == k->b * square;
}

static double slow_volume(const dpd_halfspace *h, int count, const point *p, int n)
{
  double o[3], volume = 0;
  for (int j = 0; j < 3; j++)
    o[j] = (double)p[0].x[j] / (double)p[0].q;
  for (int k = 0; k < count; k++) {
    bool seen = false;
    for (int i = 0; i < k; i++)
      seen |= same_plane(&h[i], &h[k]);
    if (!seen) volume += slow_face(&h[k], p, n, o);
  }
  return volume;
}

#endif
