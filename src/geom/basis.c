/* basis.c - coordinates in which a set of vectors is of unit size and well conditioned.
 *
 * METHOD: d of the vectors, such that no exchange of one vector increases the determinant by more
 *   than SWAP_GAIN. The entries of the others' coefficients are the ratios of determinants of
 *   such exchanges, so all are at most SWAP_GAIN in size. Begun with the greedy choice (the
 *   longest residual, in columns of equal size); each exchange updates the coefficients by rank
 *   one, and at the end they are recomputed.
 * COST: O(count d) per exchange, a few times d of them.
 * DEGENERATE: repeated vectors are harmless; the exchanges stop after MAX_SWAPS d.
 * REFERENCE: Goreinov, Oseledets, Savostyanov, Tyrtyshnikov and Zamarashkin (2010), How to find a
 *   good submatrix.
 */
#include "geom/basis.h"

#include <math.h>
#include <string.h>

#include "num/inverse.h"

#define SWAP_GAIN 1.02
enum { MAX_SWAPS = 50 };

/* Takes the part along v (of square `size`) out of each of the count vectors. */
static void deflate(double *left, int count, int d, const double *v, double size)
{
  for (int i = 0; i < count; i++) {
    double *row = left + (size_t)i * (size_t)d, part = 0;
    for (int j = 0; j < d; j++)
      part += row[j] * v[j];
    part /= size;
    for (int j = 0; j < d; j++)
      row[j] -= part * v[j];
  }
}

/* The greedy choice. left: count x d numbers, v: d, own: count. What is left of a vector is
 * compared with the vector's own size, so that axes, of whatever size, never fail. */
static bool choose_greedily(dpd_basis *f, const double *a, double *left, double *v, double *own)
{
  int count = f->count, d = f->d;
  for (int j = 0; j < d; j++) {
    double top = 0;
    for (int i = 0; i < count; i++)
      top = fmax(top, fabs(a[(size_t)i * (size_t)d + (size_t)j]));
    if (!(top > 0)) return false;
    for (int i = 0; i < count; i++)
      left[(size_t)i * (size_t)d + (size_t)j] = a[(size_t)i * (size_t)d + (size_t)j] / top;
  }
  for (int k = 0; k < d; k++) {
    double most = 0;
    for (int i = 0; i < count; i++) {
      const double *row = left + (size_t)i * (size_t)d;
      double size = 0;
      for (int j = 0; j < d; j++)
        size += row[j] * row[j];
      if (k == 0) own[i] = size;
      if (size <= most) continue;
      most = size;
      f->row[k] = i;
    }
    if (!(most > 1e-24 * own[f->row[k]])) return false;
    memcpy(v, left + (size_t)f->row[k] * (size_t)d, (size_t)d * sizeof *v);
    deflate(left, count, d, v, most);
  }
  return true;
}

/* Rows are first made of equal size, by powers of two; m is used up. */
static bool invert(double *m, double *inverse, int d)
{
  memset(inverse, 0, (size_t)(d * d) * sizeof *inverse);
  for (int k = 0; k < d; k++) {
    double top = 0;
    int power;
    for (int j = 0; j < d; j++)
      top = fmax(top, fabs(m[k * d + j]));
    if (!(top > 0) || !isfinite(top)) return false;
    frexp(top, &power);
    for (int j = 0; j < d; j++)
      m[k * d + j] = ldexp(m[k * d + j], -power);
    inverse[k * d + k] = ldexp(1, -power);
  }
  return dpd_invert(m, inverse, d, 0);
}

/* The inverse of the chosen vectors' matrix, and all vectors' coefficients. */
static bool set_coefficients(dpd_basis *f, const double *a, double *square)
{
  int d = f->d;
  for (int j = 0; j < d; j++)
    memcpy(square + j * d, a + (size_t)f->row[j] * (size_t)d, (size_t)d * sizeof *square);
  if (!invert(square, f->inverse, d)) return false;
  for (int i = 0; i < f->count; i++) {
    const double *row = a + (size_t)i * (size_t)d;
    double *coef = f->coef + (size_t)i * (size_t)d;
    for (int k = 0; k < d; k++) {
      coef[k] = 0;
      for (int j = 0; j < d; j++)
        coef[k] += row[j] * f->inverse[j * d + k];
      if (!isfinite(coef[k])) return false;
    }
  }
  return true;
}

/* Vector `in` becomes coordinate `out`. */
static void swap(dpd_basis *f, int in, int out, double *v)
{
  int d = f->d;
  memcpy(v, f->coef + (size_t)in * (size_t)d, (size_t)d * sizeof *v);
  double pivot = v[out];
  v[out] -= 1;
  for (int i = 0; i < f->count; i++) {
    double *coef = f->coef + (size_t)i * (size_t)d, share = coef[out] / pivot;
    if (share == 0) continue;
    for (int j = 0; j < d; j++)
      coef[j] -= share * v[j];
  }
  f->row[out] = in;
}

dpd_status dpd_basis_fit(dpd_basis *f, const double *a, int count, int d, dpd_alloc alloc)
{
  size_t size = (size_t)count * (size_t)d;
  f->count = count;
  f->d = d;
  f->row = alloc((size_t)d, sizeof *f->row);
  f->coef = alloc(size, sizeof *f->coef);
  f->inverse = alloc((size_t)(d * d), sizeof *f->inverse);
  double *square = alloc((size_t)(d * d), sizeof *square), *v = alloc((size_t)d, sizeof *v);
  double *own = alloc((size_t)count, sizeof *own);
  if (!choose_greedily(f, a, f->coef, v, own)) return DPD_ERR_DOMAIN;
  if (!set_coefficients(f, a, square)) return DPD_ERR_DOMAIN;
  for (int step = 0; step < MAX_SWAPS * d; step++) {
    size_t most = 0;
    for (size_t k = 1; k < size; k++)
      if (fabs(f->coef[k]) > fabs(f->coef[most])) most = k;
    if (fabs(f->coef[most]) <= SWAP_GAIN) break;
    swap(f, (int)(most / (size_t)d), (int)(most % (size_t)d), v);
  }
  return set_coefficients(f, a, square) ? DPD_OK : DPD_ERR_DOMAIN;
}
