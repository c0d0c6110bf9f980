/* sens_projection_center.c - is some point near the centre of every data set at a distance?
 *
 * METHOD: the minimum over x of max |a'x - b| over two equations a direction, a = u/least and b =
 *   lower/least or upper/least, by Stiefel's exchange; coordinates are taken relative to the
 *   middle of the axes' bounds. The point found is certified by its residuals, which are its
 *   value, and by a lower bound of everybody's. Residuals are computed to within a multiple of
 *   2^-52 (|b| + sum |a_j x_j|); a bound of that by `lower`, `upper` and `least` only, which grows
 *   as they widen, decides whether this is good enough.
 * COST: about 3 d exchanges of O(count d).
 * DEGENERATE: lower = upper makes one equation of two. Should the exchange not arrive (cycling), an
 *   ellipsoid that holds the minimisers is cut down, which is slow but sure.
 * REFERENCE: see geom_minimax.c; Bland, Goldfarb and Todd (1981), The ellipsoid method.
 */
#include "sens_projection_center.h"

#include <math.h>
#include <string.h>

#include "geom_minimax.h"
#include "num_directions.h"

static const double step = DPD_CENTRAL_STEP;

size_t dpd_central_doubles(int count, int d)
{
  size_t n = 2 * (size_t)count, k = (size_t)d;
  return n * (k + 1) + 2 * k + dpd_minimax_doubles(2 * count, d) + k * k + 3 * k;
}

size_t dpd_central_ints(int d)
{
  return dpd_minimax_ints(d);
}

static double size_of(const dpd_central *c, int u)
{
  double a = fabs(c->lower[(size_t)u * c->stride]), b = fabs(c->upper[(size_t)u * c->stride]);
  return a > b ? a : b;
}

/* Middles and sizes of the axes' bounds; NaN where an axis is missing. */
static void find_axes(const dpd_central *c, double *middle, double *size)
{
  for (int j = 0; j < c->d; j++)
    middle[j] = size[j] = NAN;
  for (int u = 0; u < c->count; u++) {
    const double *dir = c->dirs + (size_t)u * (size_t)c->d;
    int axis = dpd_axis_of(dir, c->d);
    if (axis < 0 || fabs(dir[axis]) != 1) continue;
    size_t at = (size_t)u * c->stride;
    middle[axis] = dir[axis] * (0.5 * c->lower[at] + 0.5 * c->upper[at]);
    size[axis] = size_of(c, u);
  }
}

/* The equations; returns a bound of what rounding does to a residual. */
static double make_equations(const dpd_central *c, const double *middle, const double *size,
                             double *a, double *b, int *count)
{
  double error = 0;
  *count = 0;
  for (int u = 0; u < c->count; u++) {
    const double *dir = c->dirs + (size_t)u * (size_t)c->d;
    size_t at = (size_t)u * c->stride;
    double at_middle = 0, weight = size_of(c, u), s = c->least[at];
    for (int j = 0; j < c->d; j++) {
      at_middle += dir[j] * middle[j];
      weight += fabs(dir[j]) * size[j];
    }
    if (!(weight / s <= error)) error = weight / s;
    for (int side = 0; side < 2; side++) {
      double bound = side == 0 ? c->lower[at] : c->upper[at];
      if (side == 1 && bound == c->lower[at]) continue;
      for (int j = 0; j < c->d; j++)
        a[(size_t)*count * (size_t)c->d + (size_t)j] = dir[j] / s;
      b[(*count)++] = (bound - at_middle) / s;
    }
  }
  return error * (c->d + 4) * 0x1p-50;
}

/* The largest residual at x, and which equation has it. */
static double worst(const dpd_equations *e, const double *x, int *row, double *sign)
{
  double most = -1;
  for (int u = 0; u < e->count; u++) {
    double r = -e->b[u];
    for (int j = 0; j < e->d; j++)
      r += e->a[(size_t)u * (size_t)e->d + (size_t)j] * x[j];
    if (fabs(r) <= most) continue;
    most = fabs(r);
    *row = u;
    *sign = r > 0 ? 1 : -1;
  }
  return most;
}

/* Deep cuts of an ellipsoid by the subgradient at its centre. */
void dpd_central_cut(const dpd_equations *e, double *x, double radius, double gap, double *lower,
                     double *upper, double *work)
{
  int d = e->d, most = 200 + 100 * d * (d + 1);
  double *m = work, *v = m + d * d;
  memset(m, 0, (size_t)(d * d) * sizeof *m);
  for (int j = 0; j < d; j++)
    m[j * d + j] = radius * radius;
  for (int cut = 0; cut < most; cut++) {
    int row = 0;
    double sign = 1, here = worst(e, x, &row, &sign), norm = 0;
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

void dpd_central_value(const dpd_central *c, double *value, double *work, int *ints)
{
  int d = c->d;
  double *a = work, *b = a + 2 * (size_t)c->count * (size_t)d, *middle = b + 2 * (size_t)c->count;
  double *size = middle + d, *x = size + d, *spare = x + d, lower, upper;
  dpd_equations e = {.d = d, .a = a, .b = b};
  *value = INFINITY;
  find_axes(c, middle, size);
  double error = make_equations(c, middle, size, a, b, &e.count);
  if (!(error <= step / 4)) return;
  dpd_minimax(&e, x, &lower, &upper, spare, ints);
  if (upper - lower > step / 2) {
    /* the axes' equations bound the minimisers: |x_j| <= (value + |b|) least */
    double radius = 0;
    for (int j = 0; j < d; j++)
      x[j] = 0;
    int row = 0;
    double sign = 1, here = worst(&e, x, &row, &sign);
    for (int u = 0; u < c->count; u++)
      if (c->least[(size_t)u * c->stride] > radius) radius = c->least[(size_t)u * c->stride];
    upper = here;
    lower = 0;
    dpd_central_cut(&e, x, 2 * here * radius * sqrt(d), step / 2, &lower, &upper, spare);
  }
  *value = upper;
}
