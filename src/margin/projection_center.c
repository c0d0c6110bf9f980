/* projection_center.c - is some point near the centre of every data set at a distance?
 *
 * METHOD: the minimum over x of max |a'x - b| over two equations per direction, a = u/least and b =
 *   lower/least or upper/least. Coordinates are taken relative to the middle of the axes' bounds
 *   and by the axes' scales, so that nothing depends on where the data are and how large they are.
 *   geom/chebyshev_exact.c finds the minimum, with a proof, for any data: that it could give up for
 *   some and not for their neighbours would undo the margin's sensitivity. Residuals are computed
 *   to within a multiple of 2^-52 (|b| + sum |a_j x_j|); a bound of that by `lower`, `upper` and
 *   `min` only, which grows as they widen, decides whether this is good enough.
 * COST: about 3 d exchanges of O(count d).
 * DEGENERATE: lower = upper makes one equation of two.
 */
#include "margin/projection_center.h"

#include <math.h>

#include "geom/chebyshev_exact.h"
#include "num/directions.h"
#include "num/scratch.h"

static const double step = DPD_CENTRAL_STEP;

static double size_of(const dpd_projection_center *c, int u)
{
  double a = fabs(c->lower[(size_t)u * c->stride]), b = fabs(c->upper[(size_t)u * c->stride]);
  return a > b ? a : b;
}

typedef struct {
  double *middle, *size, *scale; /* of the axes' bounds; NaN where an axis is missing */
  int *equation;                 /* the first of the axis */
} axes;

/* The workspace. */
typedef struct {
  double *a, *b, *w;
  axes axes;
  void *certified;
} layout;

static size_t lay_out(layout *k, int count, int d, dpd_scratch s)
{
  size_t n = 2 * (size_t)count, size = (size_t)d;
  k->a = dpd_scratch_take(&s, n * size, sizeof *k->a);
  k->b = dpd_scratch_take(&s, n, sizeof *k->b);
  k->w = dpd_scratch_take(&s, size, sizeof *k->w);
  k->axes.middle = dpd_scratch_take(&s, size, sizeof(double));
  k->axes.size = dpd_scratch_take(&s, size, sizeof(double));
  k->axes.scale = dpd_scratch_take(&s, size, sizeof(double));
  k->axes.equation = dpd_scratch_take(&s, size, sizeof(int));
  k->certified = dpd_scratch_take(&s, dpd_certified_scratch(2 * count, d), 1);
  return s.used;
}

size_t dpd_projection_center_scratch(int count, int d)
{
  layout k;
  return lay_out(&k, count, d, (dpd_scratch){NULL, 0});
}

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
      x->scale[axis] = c->min[at];
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
    double at_middle = 0, weight = size_of(c, u), s = c->min[at];
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

void dpd_projection_center_value(const dpd_projection_center *c, double *value, void *scratch)
{
  layout k;
  lay_out(&k, c->count, c->d, (dpd_scratch){scratch, 0});
  dpd_equations e = {.d = c->d, .a = k.a, .b = k.b};
  *value = INFINITY;
  find_axes(c, &k.axes);
  double error = make_equations(c, &k.axes, k.a, k.b, &e.count), lower, upper;
  if (!(error <= step / 4)) return;
  dpd_certified certified = {&e, k.axes.equation, k.certified, c->big, c->alloc};
  if (dpd_chebyshev_certified(&certified, step / 2, k.w, &lower, &upper)) *value = upper;
}
