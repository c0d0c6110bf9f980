/* shear.c - a one-to-one map of Z^d that straightens correlated data.
 *
 * METHOD: w_j = z_j - rint(sum_{k<j} B_jk z_k) with B the regressions of each column on the
 *   earlier ones (the LDL' factor of a trimmed covariance). Unit triangular: it keeps the
 *   number of lattice points of every box, so boxes in w need no volume correction.
 *   With e the rounding, z = M (w + e), M = (I - B)^{-1}, hence a'z = c'w + c'e, c = M'a, and
 *   |e_j| <= 1/2 plus the error of the sum inside rint(), u d |B| |z| <= u d 2^12 2^35.
 * ROUNDING: M and B are rounded, (I - B) M = I - E with |E| <= 2 d u |I - B| |M| (u = 2^-53), so
 *   the true inverse is M + M E + ...: a'z is off by at most sum_k (|a||M|)_k |E|_inf max |w|.
 *   The sums of c, and of the middle and the half length of c'w, are off by d u and (d + 2) u
 *   each of (|a||M|)_k max |w|. `error` holds four times a bound of their sum; a form's second
 *   size is sum_k (|a||M|)_k. For the identity, integer forms on integer boxes have sums of half
 *   integers below 2^52: exact.
 * REDUCED: rounding moves z by up to half a step in every coordinate but the first. Where the
 *   rows are thin this is as much as they are wide: scores then jump from point to point along
 *   the rows, and no box of more than one point has a useful bound. A basis of Z^2 that is
 *   reduced (Lagrange) in the metric of the rows makes them round instead, by integers: z =
 *   centre + basis w. Entries are at most 2^16 and |w| at most 2^51. Forms are taken about the
 *   centre, which keeps the errors of doubles, below 2^-49 of the form's size at the box's reach,
 *   small where it matters: among the rows, even if these are beyond the candidates.
 * COST: a fit O(m d (log m + d) + d^3), m <= 4000 rows; a point, a cover or a form O(d^2); a range
 *   O(d) per form. Memory 3 d^2 + 4 d doubles, and (d + 2) m to fit.
 * DEGENERATE: constant or too few central rows, or slopes above 2^12, give the identity.
 */
#include "geom/shear.h"

#include <math.h>
#include <string.h>

#include "geom/central_moments.h"
#include "num/sort.h"

enum { SHEAR_ROWS = 4000 }; /* rows looked at, evenly spaced */
#define MIN_PIVOT 1e-15     /* of a column's second moment: below, only rounding is left */
#define SHEAR_LIMIT 0x1p12  /* sum of a row's |coefficients|: keeps sheared indexes exact */
#define THIN_UNIT 0x1p24    /* rows wider than this many steps are not thin */
#define BASIS_LIMIT 0x1p16
#define FAR_UNITS 64.0     /* a centre that far from the rows is none */
#define SHEAR_REACH 0x1p35 /* no index is larger */

static void set_identity(dpd_shear *s, const double *scale)
{
  s->reduced = false;
  size_t d = (size_t)s->d;
  memset(s->coef, 0, d * d * sizeof *s->coef);
  memset(s->inverse, 0, d * d * sizeof *s->inverse);
  for (size_t j = 0; j < d; j++)
    s->inverse[j * d + j] = 1;
  if (scale != s->unit) memcpy(s->unit, scale, d * sizeof *scale);
  s->identity = true;
}

/* cov = L D L' in place of its lower triangle (D on the diagonal); false if not positive. */
static bool factor_ldl(double *cov, int d)
{
  for (int j = 0; j < d; j++) {
    double pivot = cov[j * d + j];
    for (int k = 0; k < j; k++)
      pivot -= cov[j * d + k] * cov[j * d + k] * cov[k * d + k];
    /* in the plane what is left is measured again, by rows */
    if (d == 2 && j == 1) pivot = fmax(pivot, MIN_PIVOT * cov[j * d + j]);
    if (!(pivot >= MIN_PIVOT * cov[j * d + j])) return false;
    cov[j * d + j] = pivot;
    for (int i = j + 1; i < d; i++) {
      double sum = cov[i * d + j];
      for (int k = 0; k < j; k++)
        sum -= cov[i * d + k] * cov[j * d + k] * cov[k * d + k];
      cov[i * d + j] = sum / pivot;
    }
  }
  return true;
}

/* Sum of absolute coefficients of the steepest row; infinite if one is no number, as of rows whose
 * sums overflow: no index is to become one. */
static double steepest(const dpd_shear *s)
{
  double top = 0;
  for (int j = 0; j < s->d; j++) {
    double sum = 0;
    for (int k = 0; k < j; k++)
      sum += fabs(s->coef[j * s->d + k]);
    if (isnan(sum)) return INFINITY;
    top = fmax(top, sum);
  }
  return top;
}

/* B = I - M^{-1}, from M in `inverse`. */
static void set_inverse(dpd_shear *s)
{
  int d = s->d;
  /* (I - B) M = I by rows: B_jk = M_jk - sum_{k<i<j} B_ji M_ik */
  for (int j = 0; j < d; j++)
    for (int k = j - 1; k >= 0; k--) {
      double sum = s->inverse[j * d + k];
      for (int i = k + 1; i < j; i++)
        sum -= s->coef[j * d + i] * s->inverse[i * d + k];
      s->coef[j * d + k] = sum;
    }
  s->identity = false;
}

/* From z = L u (u uncorrelated): M = L in lattice units. */
static void set_coefficients(dpd_shear *s, const double *ldl, const double *spread, int used)
{
  int d = s->d;
  for (int j = 0; j < d; j++) {
    for (int k = 0; k < j; k++)
      s->inverse[j * d + k] = ldl[j * d + k] * spread[j] / spread[k];
    s->unit[j] = fmax(1, sqrt(ldl[j * d + j] / used) * spread[j]);
  }
  set_inverse(s);
}

/* In the plane: the scale of the second coordinate from the middle three quarters of the
 * residuals, since the pivot of thin rows is lost in rounding; a row in their middle. work: 2 m
 * doubles. */
static void measure_residuals(dpd_shear *s, const double *rows, int m, double *work)
{
  for (int i = 0; i < m; i++)
    work[i] = rows[2 * i + 1] - s->coef[2] * rows[2 * i];
  dpd_sort_doubles(work, (size_t)m, work + m);
  double spread = (work[m - 1 - m / 8] - work[m / 8]) / 2.3, mid = work[m / 2];
  for (int i = 0; i < m; i++)
    if (rows[2 * i + 1] - s->coef[2] * rows[2 * i] == mid)
      memcpy(s->middle, rows + 2 * (size_t)i, sizeof s->middle);
  if (spread < s->unit[1]) s->unit[1] = fmax(1, spread);
}

/* The bounds of what rounding does to forms: see ROUNDING above. */
static void set_errors(dpd_shear *s)
{
  int d = s->d;
  double norm = 0;
  for (int j = 0; j < d; j++) {
    double sum = 0;
    for (int k = 0; k <= j; k++)
      for (int i = k; i <= j; i++)
        sum += (i == j ? 1 : fabs(s->coef[j * d + i])) * fabs(s->inverse[i * d + k]);
    norm = fmax(norm, sum);
  }
  s->error = 4 * d * 0x1p-53 * (3 + 2 * norm);
  s->rounding = 0.5 + 2 * d * 0x1p-53 * SHEAR_LIMIT * SHEAR_REACH;
}

static double *open_shear(dpd_shear *s, const dpd_shear_sample *from, dpd_alloc alloc)
{
  size_t d = (size_t)from->d, sq = d * d;
  double *block = alloc(3 * sq + 4 * d, sizeof *block);
  s->d = from->d;
  s->coef = block;
  s->inverse = block + sq;
  s->unit = block + 2 * sq;
  s->error = s->rounding = 0;
  s->middle[0] = s->middle[1] = NAN;
  set_identity(s, from->scale);
  return block + 2 * sq + d;
}

void dpd_shear_none(dpd_shear *s, const dpd_shear_sample *from, dpd_alloc alloc)
{
  (void)open_shear(s, from, alloc);
}

void dpd_shear_fit(dpd_shear *s, const dpd_shear_sample *from, dpd_alloc alloc)
{
  int n = from->n, d = from->d, m = n < SHEAR_ROWS ? n : SHEAR_ROWS;
  double *cov = open_shear(s, from, alloc);
  if (d == 1 || m < 10 * d) return;
  dpd_columns c = {.mid = cov + (size_t)d * (size_t)d, .sheared = alloc((size_t)d, sizeof(bool))};
  c.spread = c.mid + d;
  c.v = c.spread + d;
  double *sample = alloc((size_t)m * (size_t)(d + 2), sizeof *sample);
  double *work = sample + (size_t)m * (size_t)d;
  for (int i = 0; i < m; i++) {
    size_t at = (size_t)dpd_tally_entry(from->tally, (int)((double)i * n / m));
    memcpy(sample + (size_t)i * (size_t)d, from->rows + at * (size_t)d, (size_t)d * sizeof *sample);
  }
  int sheared = dpd_columns_center(sample, m, d, from->thin, &c, work);
  memcpy(s->unit, c.spread, (size_t)d * sizeof *s->unit);
  if (sheared < 2) return;
  int used = dpd_columns_moments(sample, m, d, &c, cov);
  if (used < 5 * d || !factor_ldl(cov, d)) return;
  set_coefficients(s, cov, c.spread, used);
  if (d == 2) measure_residuals(s, sample, m, work);
  if (!(steepest(s) <= SHEAR_LIMIT)) {
    set_identity(s, from->scale);
    memcpy(s->unit, c.spread, (size_t)d * sizeof *s->unit);
  }
  set_errors(s);
}

void dpd_shear_set(dpd_shear *s, int d, const double *matrix, const double *unit, double limit,
                   dpd_alloc alloc)
{
  size_t sq = (size_t)(d * d);
  double *block = alloc(2 * sq + (size_t)d, sizeof *block);
  s->d = d;
  s->coef = block;
  s->inverse = block + sq;
  s->unit = block + 2 * sq;
  s->error = s->rounding = 0;
  s->middle[0] = s->middle[1] = NAN;
  set_identity(s, unit);
  if (matrix == NULL || d == 1) return;
  memcpy(s->inverse, matrix, sq * sizeof *matrix);
  set_inverse(s);
  if (!(steepest(s) <= limit)) set_identity(s, s->unit);
  set_errors(s);
}

/* Squared length of a vector of the plane in the metric of the rows. */
static double metric(const dpd_shear *s, const double *a, const double *b)
{
  double across_a = a[1] - s->inverse[2] * a[0], across_b = b[1] - s->inverse[2] * b[0];
  double u0 = s->unit[0], u1 = s->unit[1];
  return a[0] / u0 * (b[0] / u0) + across_a / u1 * (across_b / u1);
}

/* z = centre + a w_0 + b w_1, where a and b are a basis of Z^2 with small entries. */
static bool set_basis(dpd_shear *s, const double *a, const double *b, const double *centre,
                      const double *unit)
{
  double det = a[0] * b[1] - a[1] * b[0];
  for (int k = 0; k < 2; k++)
    if (!(fabs(a[k]) <= BASIS_LIMIT && fabs(b[k]) <= BASIS_LIMIT)) return false;
  if (fabs(det) != 1) return false;
  double basis[4] = {a[0], b[0], a[1], b[1]};
  double back[4] = {b[1] / det, -b[0] / det, -a[1] / det, a[0] / det};
  memcpy(s->basis, basis, sizeof basis);
  memcpy(s->back, back, sizeof back);
  memcpy(s->centre, centre, sizeof s->centre);
  memcpy(s->unit, unit, 2 * sizeof *unit);
  s->reduced = true;
  return true;
}

void dpd_shear_reduce(dpd_shear *s, const double *centre)
{
  double a[2] = {1, 0}, b[2] = {0, 1};
  if (s->d != 2 || s->identity || s->reduced || s->unit[1] > THIN_UNIT) return;
  double off[2] = {centre[0] - s->middle[0], centre[1] - s->middle[1]};
  if (fabs(off[1] - s->coef[2] * off[0]) > FAR_UNITS * s->unit[1]) centre = s->middle;
  for (int step = 0; step < 100; step++) {
    if (metric(s, b, b) < metric(s, a, a)) {
      double t[2] = {a[0], a[1]};
      memcpy(a, b, sizeof a);
      memcpy(b, t, sizeof b);
    }
    double size = fmax(fabs(a[0]), fabs(a[1])), room = BASIS_LIMIT - fmax(fabs(b[0]), fabs(b[1]));
    double times = rint(metric(s, a, b) / metric(s, a, a)), max = floor(fmax(0, room) / size);
    times = fmin(fmax(times, -max), max); /* entries stay small: less reduced, as valid */
    if (times == 0) break;
    for (int k = 0; k < 2; k++)
      b[k] -= times * a[k];
  }
  double unit[2] = {1 / sqrt(metric(s, a, a)), 1 / sqrt(metric(s, b, b))};
  (void)set_basis(s, a, b, centre, unit);
}

bool dpd_shear_along(dpd_shear *s, const int64_t *step, const double *centre)
{
  int64_t p = step[0], q = step[1], x = 1, y = 0, next_x = 0, next_y = 1;
  if (s->d != 2 || !(fabs((double)p) <= BASIS_LIMIT && fabs((double)q) <= BASIS_LIMIT))
    return false;
  while (q != 0) { /* Euclid: x step[0] + y step[1] = p */
    int64_t times = p / q, rest = p - times * q, u = x - times * next_x, v = y - times * next_y;
    p = q;
    q = rest;
    x = next_x;
    y = next_y;
    next_x = u;
    next_y = v;
  }
  double a[2] = {(double)step[0], (double)step[1]}, b[2] = {(double)-y, (double)x};
  double along = fmax(1, fmin(s->unit[0] / fmax(1, fabs(a[0])), s->unit[1] / fmax(1, fabs(a[1]))));
  double unit[2] = {along, 1};
  if (!set_basis(s, a, b, centre, unit)) return false;
  s->identity = false;
  return true;
}

static void reduced_cover(const dpd_shear *s, const double *lo, const double *hi, double *wlo,
                          double *whi)
{
  for (int k = 0; k < 2; k++) {
    wlo[k] = whi[k] = 0;
    for (int j = 0; j < 2; j++) {
      double b = s->back[2 * k + j], p = b * (lo[j] - s->centre[j]), q = b * (hi[j] - s->centre[j]);
      wlo[k] += fmin(p, q);
      whi[k] += fmax(p, q);
    }
  }
}

/* Points far outside every support are put at one that is, too. */
static void reduced_point(const dpd_shear *s, const double *w, double *z)
{
  for (int j = 0; j < 2; j++) {
    dpd_i128 at = (dpd_i128)s->basis[2 * j] * (int64_t)w[0] +
                  (dpd_i128)s->basis[2 * j + 1] * (int64_t)w[1] + (int64_t)s->centre[j];
    dpd_i128 far = (dpd_i128)1 << 40;
    z[j] = (double)(at > far ? far : at < -far ? -far : at);
  }
}

void dpd_shear_cover(const dpd_shear *s, const double *lo, const double *hi, double *wlo,
                     double *whi)
{
  if (s->reduced) {
    reduced_cover(s, lo, hi, wlo, whi);
    return;
  }
  for (int j = 0; j < s->d; j++) {
    double min = 0, max = 0;
    for (int k = 0; k < j; k++) {
      double b = s->coef[j * s->d + k];
      min += b * (b > 0 ? lo[k] : hi[k]);
      max += b * (b > 0 ? hi[k] : lo[k]);
    }
    wlo[j] = lo[j] - ceil(max) - (s->identity ? 0 : 1);
    whi[j] = hi[j] - floor(min) + (s->identity ? 0 : 1);
  }
}

void dpd_shear_point(const dpd_shear *s, const double *w, double *z)
{
  if (s->reduced) {
    reduced_point(s, w, z);
    return;
  }
  for (int j = 0; j < s->d; j++) {
    double sum = 0;
    for (int k = 0; k < j; k++)
      sum += s->coef[j * s->d + k] * z[k];
    z[j] = w[j] + rint(sum);
  }
}

/* Is w_j = z_j? */
static bool keeps_axis(const dpd_shear *s, int j)
{
  for (int k = 0; k < j; k++)
    if (s->coef[j * s->d + k] != 0) return false;
  return true;
}

void dpd_shear_coordinate(const dpd_shear *s, int j, const double *at, double *form,
                          double *constant, double *off)
{
  int d = s->d;
  double sum = 0, size = 0;
  for (int k = 0; k < d; k++) {
    form[k] = s->reduced ? s->back[j * d + k] : k == j ? 1 : k < j ? -s->coef[j * d + k] : 0;
    double part = form[k] * (s->reduced ? at[k] - s->centre[k] : at[k]);
    sum += part;
    size += fabs(part);
  }
  bool whole = s->reduced || keeps_axis(s, j); /* integers all the way */
  *constant = sum;
  *off = whole ? 0 : s->rounding + (d + 2) * 0x1p-52 * size;
}

static void reduced_form(const dpd_shear *s, const double *a, double *c, double size[3])
{
  for (int k = 0; k < 2; k++) {
    c[k] = a[0] * s->basis[k] + a[1] * s->basis[2 + k];
    size[1] += (fabs(a[0] * s->basis[k]) + fabs(a[1] * s->basis[2 + k])) * s->unit[k];
  }
  size[0] = 0x1p-50 * (fabs(a[0] * s->centre[0]) + fabs(a[1] * s->centre[1]));
  size[2] = a[0] * s->centre[0] + a[1] * s->centre[1];
}

void dpd_shear_form(const dpd_shear *s, const double *a, double *c, double size[3])
{
  size[0] = size[1] = size[2] = 0;
  if (s->reduced) {
    reduced_form(s, a, c, size);
    return;
  }
  for (int k = 0; k < s->d; k++) {
    c[k] = 0;
    for (int j = k; j < s->d; j++) {
      c[k] += a[j] * s->inverse[j * s->d + k];
      size[1] += fabs(a[j] * s->inverse[j * s->d + k]);
    }
    if (!keeps_axis(s, k)) size[0] += fabs(c[k]) * s->rounding;
  }
}
