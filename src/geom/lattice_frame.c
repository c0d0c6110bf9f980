/* lattice_frame.c - sheared boxes of lattice points about polytopes in space.
 *
 * METHOD: w is a bijection of z, so that a box of w has as many points as whole numbers. The last
 *   coordinate is taken along the face, and the axis, over which the corners are least wide; the
 *   second along the slope by which the other two coordinates are. Which these are is found in
 *   doubles; the ranges of the forms 2^bits z_b + s z_a and 2^bits z_c + t z_a + u z_b over all
 *   points of the faces are proved (geom/lattice_hull.h), and give those of w: w_1 = floor((form +
 *   2^(bits - 1)) / 2^bits), which is monotone in the form.
 * COST: O(faces x corners).
 * DEGENERATE: polytopes without width along an axis have no slope.
 */
#include "geom/lattice_frame.h"

#include <math.h>

enum { SLOPE_BITS = 40, STEPS = 8 };
#define STEEP 16.0 /* slopes, at most */

void dpd_lattice_frame_set_box(dpd_lattice_frame *f, const double lo[3], const double hi[3])
{
  *f = (dpd_lattice_frame){.axis = {0, 1, 2}, .bits = {SLOPE_BITS, SLOPE_BITS}};
  for (int j = 0; j < 3; j++) {
    f->lo[j] = lo[j];
    f->hi[j] = hi[j];
  }
}

/* Width of the corners along y + s x, and the ends' difference in x. */
static double width_at(const dpd_hull *h, int a, int b, double s, double *tilt)
{
  const double *x = h->x[a], *y = h->x[b];
  double most = -INFINITY, least = INFINITY;
  int high = 0, low = 0;
  for (int k = 0; k < h->corners; k++) {
    double v = y[k] + s * x[k];
    if (v > most) {
      most = v;
      high = k;
    }
    if (v < least) {
      least = v;
      low = k;
    }
  }
  *tilt = x[high] - x[low];
  return most - least;
}

/* The slope of least width, a convex function of it with kinks: where the lines at the ends of a
 * range that holds it meet. */
static double best_slope(const dpd_hull *h, int a, int b, double *width)
{
  double s[2] = {-STEEP, STEEP}, v[2], tilt[2], best = 0, t;
  *width = width_at(h, a, b, 0, &t);
  for (int e = 0; e < 2; e++)
    v[e] = width_at(h, a, b, s[e], tilt + e);
  for (int i = 0; i < STEPS; i++) {
    if (!(tilt[0] < 0 && tilt[1] > 0)) break;
    double at = (v[1] - v[0] + tilt[0] * s[0] - tilt[1] * s[1]) / (tilt[0] - tilt[1]);
    if (!(at > s[0] && at < s[1])) break;
    double w = width_at(h, a, b, at, &t);
    if (w < *width) {
      *width = w;
      best = at;
    }
    int e = t > 0;
    s[e] = at;
    v[e] = w;
    tilt[e] = t;
  }
  return best;
}

/* The face along which the corners are least wide, in units of each axis; -1: the axis itself. */
static void best_faces(const dpd_hull *h, int face[3], double width[3])
{
  for (int j = 0; j < 3; j++) {
    double most = -INFINITY, least = INFINITY;
    for (int k = 0; k < h->corners; k++) {
      most = fmax(most, h->x[j][k]);
      least = fmin(least, h->x[j][k]);
    }
    face[j] = -1;
    width[j] = most - least;
  }
  for (int f = 0; f < DPD_HULL_FACES; f++) {
    if ((h->faces >> f & 1) == 0) continue;
    const int64_t *a = h->face[f].a;
    const double p = (double)a[0], q = (double)a[1], r = (double)a[2];
    double most = -INFINITY, least = INFINITY;
    for (int k = 0; k < h->corners; k++) {
      double v = p * h->x[0][k] + q * h->x[1][k] + r * h->x[2][k];
      most = v > most ? v : most;
      least = v < least ? v : least;
    }
    for (int j = 0; j < 3; j++) {
      double own = fabs((double)a[j]);
      if (own * STEEP < fabs(p) || own * STEEP < fabs(q) || own * STEEP < fabs(r)) continue;
      if ((most - least) / own < width[j]) {
        width[j] = (most - least) / own;
        face[j] = f;
      }
    }
  }
}

/* Slopes as whole numbers over a power of two. */
static int whole_slopes(const double *slope, int count, int64_t *out)
{
  double most = 0;
  int e;
  for (int i = 0; i < count; i++)
    most = fmax(most, fabs(slope[i]));
  (void)frexp(most, &e);
  int bits = SLOPE_BITS - (e > 0 ? e : 0);
  for (int i = 0; i < count; i++)
    out[i] = (int64_t)rint(ldexp(slope[i], bits));
  return bits;
}

/* The range of a form over the points, proved. */
static bool range_of(dpd_hull_proofs *p, const int64_t a[3], double *lo, double *hi)
{
  const int64_t back[3] = {-a[0], -a[1], -a[2]};
  if (!dpd_hull_most(p, a, dpd_hull_highest(p->hull, a), hi)) return false;
  if (!dpd_hull_most(p, back, dpd_hull_highest(p->hull, back), lo)) return false;
  *lo = -*lo;
  return true;
}

static bool range_scaled(dpd_hull_proofs *p, const int64_t a[3], int bits, double *lo, double *hi)
{
  if (!range_of(p, a, lo, hi)) return false;
  *lo = floor(ldexp(*lo, -bits) + 0.5);
  *hi = floor(ldexp(*hi, -bits) + 0.5);
  return true;
}

bool dpd_lattice_frame_about(dpd_lattice_frame *f, dpd_hull_proofs *p)
{
  const dpd_hull *h = p->hull;
  int face[3], last = 0;
  double width[3], least = INFINITY, slope[3] = {0, 0, 0}, extent[3], unused;
  uint8_t order[3] = {0, 1, 2};
  for (int j = 0; j < 3; j++)
    extent[j] = width_at(h, j, j, 0, &unused);
  best_faces(h, face, width);
  for (int c = 0; c < 3; c++) {
    int a = (c + 1) % 3, b = (c + 2) % 3;
    if (extent[b] > extent[a]) {
      int other = a;
      a = b;
      b = other;
    }
    double wide, s = best_slope(h, a, b, &wide);
    double volume = (extent[a] + 1) * (wide + 1) * (width[c] + 1);
    if (volume >= least) continue;
    least = volume;
    last = c;
    slope[0] = s;
    order[0] = (uint8_t)a;
    order[1] = (uint8_t)b;
    order[2] = (uint8_t)c;
  }
  if (face[last] >= 0) {
    const int64_t *a = h->face[face[last]].a;
    slope[1] = (double)a[order[0]] / (double)a[last];
    slope[2] = (double)a[order[1]] / (double)a[last];
  }
  int64_t whole[2], forms[3][3] = {{0}};
  f->bits[0] = (uint8_t)whole_slopes(slope, 1, &f->s);
  f->bits[1] = (uint8_t)whole_slopes(slope + 1, 2, whole);
  f->t = whole[0];
  f->u = whole[1];
  for (int j = 0; j < 3; j++)
    f->axis[j] = order[j];
  forms[0][order[0]] = 1;
  forms[1][order[0]] = f->s;
  forms[1][order[1]] = (int64_t)1 << f->bits[0];
  forms[2][order[0]] = f->t;
  forms[2][order[1]] = f->u;
  forms[2][order[2]] = (int64_t)1 << f->bits[1];
  if (!range_of(p, forms[0], f->lo, f->hi)) return false;
  f->lo[0] = ceil(f->lo[0]);
  f->hi[0] = floor(f->hi[0]);
  return range_scaled(p, forms[1], f->bits[0], f->lo + 1, f->hi + 1) &&
         range_scaled(p, forms[2], f->bits[1], f->lo + 2, f->hi + 2);
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

/* Sum / 2^bits, rounded. */
static int64_t rounded(dpd_i128 sum, int bits)
{
  return (int64_t)((sum + ((dpd_i128)1 << (bits - 1))) >> bits);
}

void dpd_lattice_frame_point(const dpd_lattice_frame *f, const double w[3], double z[3])
{
  int64_t a = (int64_t)w[0], b = (int64_t)w[1] - rounded((dpd_i128)f->s * a, f->bits[0]);
  z[f->axis[0]] = (double)a;
  z[f->axis[1]] = (double)b;
  z[f->axis[2]] =
      (double)((int64_t)w[2] - rounded((dpd_i128)f->t * a + (dpd_i128)f->u * b, f->bits[1]));
}

void dpd_lattice_frame_sides(const dpd_lattice_frame *f, double middle[3], double side[3][3])
{
  const int a = f->axis[0], b = f->axis[1], c = f->axis[2];
  const double s = ldexp((double)f->s, -f->bits[0]);
  const double t = ldexp((double)f->t, -f->bits[1]), u = ldexp((double)f->u, -f->bits[1]);
  double mid[3], half[3];
  for (int j = 0; j < 3; j++) {
    mid[j] = f->lo[j] / 2 + f->hi[j] / 2;
    half[j] = (f->hi[j] - f->lo[j]) / 2 + (j > 0 ? 0.5 : 0); /* what r() rounds by */
  }
  middle[a] = mid[0];
  middle[b] = mid[1] - s * mid[0];
  middle[c] = mid[2] - t * middle[a] - u * middle[b];
  side[0][a] = half[0];
  side[0][b] = -s * half[0];
  side[0][c] = (u * s - t) * half[0];
  side[1][a] = 0;
  side[1][b] = half[1];
  side[1][c] = -u * half[1];
  side[2][a] = side[2][b] = 0;
  side[2][c] = half[2];
}
