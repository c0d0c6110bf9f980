/* lattice_frame.c - boxes of lattice points about polytopes in space, along a reduced basis.
 *
 * METHOD: z = o + V w, V a whole matrix of determinant 1, is a bijection of w and z, so that a box
 *   of w has as many points as whole numbers. w_j is the value of a whole form at z - o, row j of
 *   the inverse of V. Forms are reduced so that the corners are narrow along each: of two the
 *   longer is moved by multiples of the shorter (Lagrange), then the longest by multiples of both
 *   (Semaev), as long as that helps; a form's length is the spread of its values at the corners.
 *   That is done in doubles, with whole multiples; the ranges of the forms over all points of the
 *   faces are proved (geom/lattice_hull.h). Thin hulls of any direction have narrow boxes so, or
 *   are seen to have no points, since a range ends at whole numbers.
 * EXACT: forms are below 2^FORM_BITS, so that four times one may be a hull's face; o + V w and w
 *   are at most 2^51.
 * COST: O(corners) a step.
 * DEGENERATE: of hulls without width along a form the size of its coefficients counts.
 * REFERENCE: Semaev (2001), A 3-dimensional lattice reduction algorithm; Lenstra (1983), Integer
 *   programming with a fixed number of variables.
 */
#include "geom/lattice_frame.h"

#include <math.h>

enum { STEPS = 100, FORM_BITS = 38 };
#define RIDGE 0x1p-74 /* of the square of a form's coefficients, in its squared length */
#define SHORTER 0.999 /* of a squared length: else a step does not help */
#define MOST_SHIFT 0x1p40
#define MOST_MIDDLE 0x1p60 /* of a range, times a vector: exact */
#define WITHIN 0x1p51      /* o + V w, by sizes, and so w: doubles are whole there */

void dpd_lattice_frame_set_box(dpd_lattice_frame *f, const double lo[3], const double hi[3])
{
  *f = (dpd_lattice_frame){.v = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  for (int j = 0; j < 3; j++) {
    f->lo[j] = lo[j];
    f->hi[j] = hi[j];
  }
}

void dpd_lattice_frame_form(const dpd_lattice_frame *f, int j, int64_t a[3])
{
  const int64_t *p = f->v[(j + 1) % 3], *q = f->v[(j + 2) % 3];
  for (int i = 0; i < 3; i++) {
    const int k = (i + 1) % 3, l = (i + 2) % 3;
    a[i] = (int64_t)((dpd_i128)p[k] * q[l] - (dpd_i128)p[l] * q[k]);
  }
}

dpd_i128 dpd_lattice_frame_index(const dpd_lattice_frame *f, int j, const double z[3])
{
  int64_t a[3];
  dpd_i128 w = 0;
  dpd_lattice_frame_form(f, j, a);
  for (int i = 0; i < 3; i++)
    w += (dpd_i128)a[i] * ((int64_t)z[i] - (int64_t)f->o[i]);
  return w;
}

/* Values of form a at the corners, less that at o. */
static void set_values(const dpd_hull *h, const double o[3], const int64_t a[3], double *value)
{
  for (int k = 0; k < h->corners; k++) {
    dpd_i128 whole = 0;
    double rest = 0;
    for (int i = 0; i < 3; i++) {
      whole += (dpd_i128)a[i] * (int64_t)(h->z[i][k] - o[i]);
      rest += (double)a[i] * h->rest[i][k];
    }
    value[k] = (double)whole + rest;
  }
}

void dpd_lattice_frame_corners(const dpd_lattice_frame *f, const dpd_hull *h,
                               double w[3][DPD_HULL_CORNERS])
{
  int64_t a[3];
  for (int j = 0; j < 3; j++) {
    dpd_lattice_frame_form(f, j, a);
    set_values(h, f->o, a, w[j]);
  }
}

/* Forms, the dual basis, and the products of their values at the corners. */
typedef struct {
  const dpd_hull *hull;
  double o[3];
  int64_t a[3][3], v[3][3];
  double value[3][DPD_HULL_CORNERS], product[3][3];
} forms;

/* The values of form j, less their mean, and their products with those of all forms. */
static void update_form(forms *f, int j)
{
  const int corners = f->hull->corners;
  double mean = 0;
  set_values(f->hull, f->o, f->a[j], f->value[j]);
  for (int k = 0; k < corners; k++)
    mean += f->value[j][k] / corners;
  for (int k = 0; k < corners; k++)
    f->value[j][k] -= mean;
  for (int i = 0; i < 3; i++) {
    double sum = 0, size = 0;
    for (int k = 0; k < corners; k++)
      sum += f->value[i][k] * f->value[j][k];
    for (int k = 0; k < 3; k++)
      size += (double)f->a[i][k] * (double)f->a[j][k];
    f->product[i][j] = f->product[j][i] = sum + RIDGE * size;
  }
}

/* Takes q times form i off form j; false: numbers get too large. */
static bool shift_form(forms *f, int i, int j, double q)
{
  if (!(fabs(q) <= MOST_SHIFT)) return false;
  for (int k = 0; k < 3; k++)
    if (!(fabs((double)f->a[j][k] - q * (double)f->a[i][k]) < ldexp(1, FORM_BITS)) ||
        !(fabs((double)f->v[i][k] + q * (double)f->v[j][k]) < 0x1p60))
      return false;
  for (int k = 0; k < 3; k++) {
    f->a[j][k] -= (int64_t)q * f->a[i][k];
    f->v[i][k] += (int64_t)q * f->v[j][k];
  }
  return true;
}

/* One step; false: none helps. */
static bool reduce_once(forms *f)
{
  int at[3] = {0, 1, 2};
  double(*g)[3] = f->product;
  for (int i = 1; i < 3; i++)
    for (int j = i; j > 0 && g[at[j]][at[j]] < g[at[j - 1]][at[j - 1]]; j--) {
      int other = at[j];
      at[j] = at[j - 1];
      at[j - 1] = other;
    }
  const int a = at[0], b = at[1], c = at[2];
  double q = rint(g[a][b] / g[a][a]);
  if (q != 0 && g[b][b] - q * (2 * g[a][b] - q * g[a][a]) < SHORTER * g[b][b]) {
    if (!shift_form(f, a, b, q)) return false;
    update_form(f, b);
    return true;
  }
  const double det = g[a][a] * g[b][b] - g[a][b] * g[a][b];
  double r = rint((g[a][a] * g[b][c] - g[a][b] * g[a][c]) / det);
  q = rint((g[b][b] * g[a][c] - g[a][b] * g[b][c]) / det);
  if (!(det > 0) || (q == 0 && r == 0)) return false;
  const double less =
      2 * (q * g[a][c] + r * g[b][c]) - (q * q * g[a][a] + 2 * q * r * g[a][b] + r * r * g[b][b]);
  if (!(g[c][c] - less < SHORTER * g[c][c])) return false;
  const bool moved = shift_form(f, a, c, q) && shift_form(f, b, c, r);
  update_form(f, c);
  return moved;
}

/* The range of form j over the points, less its value at o. */
static bool range_of(dpd_hull_proofs *p, const forms *f, int j, dpd_i128 *lo, dpd_i128 *hi)
{
  for (int s = -1; s < 2; s += 2) {
    int64_t a[3];
    dpd_i128 most, at_o = 0;
    for (int k = 0; k < 3; k++) {
      a[k] = s * f->a[j][k];
      at_o += (dpd_i128)a[k] * (int64_t)f->o[k];
    }
    if (!dpd_hull_most(p, a, dpd_hull_highest(p->hull, a), &most)) return false;
    *(s < 0 ? lo : hi) = s * (most - at_o);
  }
  return true;
}

/* At least the size of coordinates of o + V w and of its terms. */
static double extent_of(const dpd_lattice_frame *f)
{
  double most = 0;
  for (int i = 0; i < 3; i++) {
    double sum = fabs(f->o[i]);
    for (int j = 0; j < 3; j++)
      sum += fabs((double)f->v[j][i]) * fmax(fabs(f->lo[j]), fabs(f->hi[j]));
    most = fmax(most, sum);
  }
  return most;
}

bool dpd_lattice_frame_about(dpd_lattice_frame *f, dpd_hull_proofs *p)
{
  const dpd_hull *h = p->hull;
  forms b = {.hull = h};
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < h->corners; k++)
      b.o[i] += h->x[i][k] / h->corners;
    b.o[i] = rint(b.o[i]);
    for (int j = 0; j < 3; j++)
      b.v[i][j] = f->v[i][j];
    dpd_lattice_frame_form(f, i, b.a[i]);
  }
  for (int j = 0; j < 3; j++)
    update_form(&b, j);
  for (int s = 0; s < STEPS && reduce_once(&b); s++)
    ;
  /* o moves to the middle: of flat hulls it is far off in steps of w, though next to them */
  dpd_lattice_frame out;
  dpd_i128 o[3] = {(int64_t)b.o[0], (int64_t)b.o[1], (int64_t)b.o[2]}, lo, hi;
  for (int j = 0; j < 3; j++) {
    if (!range_of(p, &b, j, &lo, &hi)) return false;
    const dpd_i128 middle = lo + (hi - lo) / 2;
    if (!(fabs((double)middle) < MOST_MIDDLE)) return false;
    out.lo[j] = (double)(lo - middle);
    out.hi[j] = (double)(hi - middle);
    for (int i = 0; i < 3; i++) {
      out.v[j][i] = b.v[j][i];
      o[i] += middle * b.v[j][i];
    }
  }
  for (int i = 0; i < 3; i++)
    out.o[i] = (double)o[i];
  if (!(extent_of(&out) <= WITHIN)) return false;
  *f = out;
  return true;
}

double dpd_lattice_frame_log_count(const dpd_lattice_frame *f)
{
  double sum = 0;
  for (int j = 0; j < 3; j++) {
    if (f->hi[j] < f->lo[j]) return -INFINITY;
    sum += log(f->hi[j] - f->lo[j] + 1);
  }
  return sum;
}

void dpd_lattice_frame_point(const dpd_lattice_frame *f, const double w[3], double z[3])
{
  for (int i = 0; i < 3; i++) {
    int64_t sum = (int64_t)f->o[i];
    for (int j = 0; j < 3; j++)
      sum += f->v[j][i] * (int64_t)w[j];
    z[i] = (double)sum;
  }
}

double dpd_lattice_frame_sides(const dpd_lattice_frame *f, double middle[3], double side[3][3])
{
  for (int i = 0; i < 3; i++) {
    middle[i] = f->o[i];
    for (int j = 0; j < 3; j++) {
      middle[i] += (double)f->v[j][i] * (f->lo[j] / 2 + f->hi[j] / 2);
      side[j][i] = (double)f->v[j][i] * ((f->hi[j] - f->lo[j]) / 2);
    }
  }
  return 0x1p-48 * extent_of(f);
}
