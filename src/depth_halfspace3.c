/* depth_halfspace3.c - exact halfspace depth of a point in space.
 *
 * METHOD: let v_j = x_j - p, rows at p apart. A direction u that is orthogonal to no v_j lies in an
 *   open cell of the arrangement of the great circles v_j^perp; the cell has an edge on some circle
 *   v_i^perp. On that edge u0'v_j is not zero except for multiples of v_i, and u = u0 +- a
 *   little v_i adds the positive or the negative ones. Conversely each such u is a direction. So
 *     h = #(at p) + min over i of [planar open count of the others projected along v_i
 *                                  + min(#positive, #negative multiples of v_i)].
 *   Along v_i the projection is onto the coordinate plane across its largest coordinate c:
 *   (v_ja v_ic - v_jc v_ia, v_jb v_ic - v_jc v_ib), a linear map whose kernel is v_i. The least
 *   count so far caps each planar query, which then hardly ever has anything to sort.
 * EXACTNESS (err = 0): |v| <= 2^26, so products are at most 2^52 and their differences 2^53:
 *   the projected coordinates are exact, and the planar kernel needs no more than that (its
 *   keys are quotients of the coordinates, its cross products are compared by fma()).
 * ROUNDING (err > 0): the projection is divided by v_ic, which makes its error at most
 *   err_a + |v_ia/v_ic| err_c + |v_jc| (err_a + |v_ia/v_ic| err_c)/|v_ic|, the last term the
 *   error of v_i itself; the largest |v_jc| stands for all.
 * COST: O(n^2). DEGENERATE: data on a plane or a line through p: the planar count of no
 *   points is 0 and the multiples of v_i remain. Equal rows give equal planes; runs are skipped.
 * REFERENCE: Rousseeuw and Struyf (1998), Computing location depth and regression depth in higher
 *   dimensions; Dyckerhoff and Mozharovskyi (2016), Exact computation of the halfspace depth.
 */
#include "depth_halfspace.h"

#include <limits.h>
#include <math.h>

typedef struct {
  double *v[3]; /* rows away from p, less p */
  double *a, *b;
  double err[3], most[3];
  void *plane;
  int n;
} space;

size_t dpd_halfspace3_work_size(int n)
{
  return 5 * (size_t)n * sizeof(double) + dpd_halfspace2_work_size(n);
}

static void lay_out(space *s, int n, void *work)
{
  double *at = work;
  for (int k = 0; k < 3; k++)
    s->v[k] = at + (size_t)k * (size_t)n;
  s->a = at + 3 * (size_t)n;
  s->b = at + 4 * (size_t)n;
  s->plane = at + 5 * (size_t)n;
}

/* Differences of the rows that do not coincide with p. */
static void take_differences(space *s, const double *const x[3], int n, const double p[3])
{
  s->n = 0;
  for (int k = 0; k < 3; k++)
    s->most[k] = 0;
  for (int i = 0; i < n; i++) {
    int here = 1;
    for (int k = 0; k < 3; k++) {
      s->v[k][s->n] = x[k][i] - p[k];
      here &= fabs(s->v[k][s->n]) <= s->err[k];
    }
    if (here) continue;
    for (int k = 0; k < 3; k++) {
      double size = fabs(s->v[k][s->n]);
      if (size > s->most[k]) s->most[k] = size;
    }
    s->n++;
  }
}

/* Projects all rows along row i, onto coordinates a and b; `c` is the third. */
static void project(const space *s, int i, int a, int b, int c, double error[2])
{
  const double *va = s->v[a], *vb = s->v[b], *vc = s->v[c];
  double *pa = s->a, *pb = s->b, ia = va[i], ib = vb[i], ic = vc[i];
  if (!(s->err[0] > 0)) {
    for (int j = 0; j < s->n; j++) {
      pa[j] = va[j] * ic - vc[j] * ia;
      pb[j] = vb[j] * ic - vc[j] * ib;
    }
    error[0] = error[1] = 0;
    return;
  }
  double ra = ia / ic, rb = ib / ic, reach = 1 + s->most[c] / fabs(ic);
  for (int j = 0; j < s->n; j++) {
    pa[j] = va[j] - vc[j] * ra;
    pb[j] = vb[j] - vc[j] * rb;
  }
  error[0] = reach * (s->err[a] + fabs(ra) * s->err[c]) + 0x1p-51 * s->most[a];
  error[1] = reach * (s->err[b] + fabs(rb) * s->err[c]) + 0x1p-51 * s->most[b];
}

/* The multiples of row i, itself included: the fewer of the positive and the negative ones. */
static int fewer_multiples(const space *s, int i, int c, const double error[2])
{
  int positive = 0, negative = 0;
  for (int j = 0; j < s->n; j++) {
    int multiple = (fabs(s->a[j]) <= error[0]) & (fabs(s->b[j]) <= error[1]);
    int same = (s->v[c][j] > 0) == (s->v[c][i] > 0);
    positive += multiple & same;
    negative += multiple & !same;
  }
  return positive < negative ? positive : negative;
}

/* Of row i, relative to the spread of the coordinate: not zero, since row i is not. */
static int largest_coordinate(const space *s, int i)
{
  int c = 0;
  double most = 0;
  for (int k = 0; k < 3; k++) {
    double share = s->most[k] > 0 ? fabs(s->v[k][i]) / s->most[k] : 0;
    if (share > most) {
      most = share;
      c = k;
    }
  }
  return c;
}

static int same_row(const space *s, int i, int j)
{
  return s->v[0][i] == s->v[0][j] && s->v[1][i] == s->v[1][j] && s->v[2][i] == s->v[2][j];
}

dpd_status dpd_halfspace3_count(const double *x, const double *y, const double *z, int n,
                                const double p[3], const double err[3], void *work, int *count)
{
  const double *const data[3] = {x, y, z};
  space s;
  lay_out(&s, n, work);
  for (int k = 0; k < 3; k++)
    s.err[k] = err[k];
  take_differences(&s, data, n, p);
  int best = s.n; /* some direction leaves at most half of them inside; n = 0: none */
  for (int i = 0; i < s.n && best > 0; i++) {
    if (i > 0 && same_row(&s, i, i - 1)) continue;
    int c = largest_coordinate(&s, i), multiples;
    double error[2];
    project(&s, i, (c + 1) % 3, (c + 2) % 3, c, error);
    int open =
        dpd_halfspace2_open(s.a, s.b, s.n, 0, 0, error[0], error[1], best, s.plane, &multiples);
    if (open >= best) continue;
    open += multiples > 1 ? fewer_multiples(&s, i, c, error) : 0;
    if (open < best) best = open;
  }
  *count = n - s.n + best;
  return DPD_OK;
}
