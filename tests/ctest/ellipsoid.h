/* ellipsoid.h - the least largest residual by cutting down an ellipsoid: the slow twin. */
#ifndef ELLIPSOID_H
#define ELLIPSOID_H

#include <math.h>
#include <string.h>

#include "geom/chebyshev.h"

static double ellipsoid_worst(const dpd_equations *e, const double *x, int *row, double *sign)
{
  double most = -1;
  for (int u = 0; u < e->count; u++) {
    double r = -e->b[u];
    for (int j = 0; j < e->d; j++)
      r += e->a[u * e->d + j] * x[j];
    if (fabs(r) <= most) continue;
    most = fabs(r);
    *row = u;
    *sign = r > 0 ? 1 : -1;
  }
  return most;
}

/* Deep cuts by the subgradient at the centre, of a ball about x that holds a minimiser.
 * work: d (d + 1) doubles. */
static void ellipsoid_cut(const dpd_equations *e, double *x, double radius, double gap,
                          double *lower, double *upper, double *work)
{
  int d = e->d, most = 200 + 100 * d * (d + 1);
  double *m = work, *v = m + d * d;
  memset(m, 0, (size_t)(d * d) * sizeof *m);
  for (int j = 0; j < d; j++)
    m[j * d + j] = radius * radius;
  for (int cut = 0; cut < most; cut++) {
    int row = 0;
    double sign = 1, here = ellipsoid_worst(e, x, &row, &sign), norm = 0;
    const double *g = e->a + (size_t)row * (size_t)d;
    for (int i = 0; i < d; i++) {
      v[i] = 0;
      for (int j = 0; j < d; j++)
        v[i] += m[i * d + j] * sign * g[j];
      norm += v[i] * sign * g[i];
    }
    norm = sqrt(norm > 0 ? norm : 0);
    if (here < *upper) *upper = here;
    if (here - norm > *lower) *lower = here - norm;
    if (*upper - *lower <= gap || !(norm > 0)) return;
    double depth = (here - *upper) / norm, n = d; /* better points lie that deep on one side */
    double move = (1 + n * depth) / (n + 1), shrink = 2 * move / (1 + depth);
    double grow = d > 1 ? n * n / (n * n - 1) * (1 - depth * depth) : 1;
    for (int i = 0; i < d; i++)
      x[i] -= move * v[i] / norm;
    /* kept symmetric: rounding that is not would grow from cut to cut */
    for (int i = 0; i < d; i++)
      for (int j = 0; j <= i; j++) {
        double left = m[i * d + j] - shrink * v[i] * v[j] / (norm * norm);
        m[j * d + i] = m[i * d + j] = d > 1 ? grow * left : m[0] * (1 - depth) * (1 - depth) / 4;
      }
  }
}

#endif
