/* projection_center.c - is some point near the centre of every data set at a distance?
 *
 * METHOD: the minimum over x of max |a'x - b| over two equations a direction, a = u/least and b =
 *   lower/least or upper/least. Coordinates are taken relative to the middle of the axes' bounds
 *   and by the axes' scales, so that nothing depends on where the data are and how large they are.
 *   geom/chebyshev_exact.c finds the minimum, with a proof, for any data: that it could give up for
 *   some and not for their neighbours would undo the margin's sensitivity. Residuals are computed
 *   to within a multiple of 2^-52 (|b| + sum |a_j x_j|); a bound of that by `lower`, `upper` and
 *   `least` only, which grows as they widen, decides whether this is good enough.
 * COST: about 3 d exchanges of O(count d).
 * DEGENERATE: lower = upper makes one equation of two.
 */
#include "margin/projection_center.h"

#include <math.h>

#include "geom/chebyshev_exact.h"
#include "num/directions.h"

static const double step = DPD_CENTRAL_STEP;

size_t dpd_projection_center_doubles(int count, int d)
{
  size_t n = 2 * (size_t)count, k = (size_t)d;
  return n * (k + 1) + 4 * k + dpd_certified_doubles(2 * count, d);
}

size_t dpd_projection_center_ints(int d)
{
  return dpd_certified_ints(d) + (size_t)d;
}

static double size_of(const dpd_projection_center *c, int u)
{
  double a = fabs(c->lower[(size_t)u * c->stride]), b = fabs(c->upper[(size_t)u * c->stride]);
  return a > b ? a : b;
}

typedef struct {
  double *middle, *size, *scale; /* of the axes' bounds; NaN where an axis is missing */
  int *equation;                 /* the first of the axis */
} axes;

static void find_axes(const dpd_projection_center *c, axes *x)
{
  int equations = 0;
  for (int j = 0; j < c->d; j++) {
    x->middle[j] = x->size[j] = x->scale[j] = NAN;
    x->equation[j] = 0;
  }
  for (int u = 0; u < c->count; u++) {
    const double *dir = c->dirs + (size_t)u * (size_t)c->d;
    int axis = dpd_axis_of(dir, c->d);
    size_t at = (size_t)u * c->stride;
    if (axis >= 0 && fabs(dir[axis]) == 1) {
      x->middle[axis] = dir[axis] * (0.5 * c->lower[at] + 0.5 * c->upper[at]);
      x->size[axis] = size_of(c, u);
      x->scale[axis] = c->least[at];
      x->equation[axis] = equations;
    }
    equations += c->lower[at] == c->upper[at] ? 1 : 2;
  }
}

/* The equations; returns a bound of what rounding does to a residual. */
static double make_equations(const dpd_projection_center *c, const axes *x, double *a, double *b,
                             int *count)
{
  double error = 0;
  *count = 0;
  for (int u = 0; u < c->count; u++) {
    const double *dir = c->dirs + (size_t)u * (size_t)c->d;
    size_t at = (size_t)u * c->stride;
    double at_middle = 0, weight = size_of(c, u), s = c->least[at];
    for (int j = 0; j < c->d; j++) {
      at_middle += dir[j] * x->middle[j];
      weight += fabs(dir[j]) * x->size[j];
    }
    if (!(weight / s <= error)) error = weight / s;
    for (int side = 0; side < 2; side++) {
      double bound = side == 0 ? c->lower[at] : c->upper[at];
      if (side == 1 && bound == c->lower[at]) continue;
      for (int j = 0; j < c->d; j++)
        a[(size_t)*count * (size_t)c->d + (size_t)j] = dir[j] * (x->scale[j] / s);
      b[(*count)++] = (bound - at_middle) / s;
    }
  }
  return error * (c->d + 4) * 0x1p-50;
}

void dpd_projection_center_value(const dpd_projection_center *c, double *value, double *work,
                                 int *ints)
{
  int d = c->d;
  double *a = work, *b = a + 2 * (size_t)c->count * (size_t)d, *w = b + 2 * (size_t)c->count;
  axes x = {w + d, w + 2 * d, w + 3 * d, ints};
  dpd_equations e = {.d = d, .a = a, .b = b};
  *value = INFINITY;
  find_axes(c, &x);
  double error = make_equations(c, &x, a, b, &e.count), lower, upper;
  if (!(error <= step / 4)) return;
  dpd_certified certified = {&e, x.equation, w + 4 * d, ints + d, c->big, c->alloc};
  if (dpd_chebyshev_certified(&certified, step / 2, w, &lower, &upper)) *value = upper;
}
