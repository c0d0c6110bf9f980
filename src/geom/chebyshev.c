/* chebyshev.c - the point whose largest residual in linear equations is least.
 *
 * METHOD: Stiefel's exchange, that is the dual simplex method. First an orthonormal basis of the
 *   span of the equations is made, of k vectors. A reference is k + 1 equations with signs for
 *   which nonnegative weights, summing to one, make the signed sum of their vectors vanish; the
 *   point at which all its signed residuals agree has the least largest residual over the
 *   reference, a lower bound of the least over all. The equation with the largest residual
 *   enters, the ratio test on the weights chooses the one that leaves, and the bound rises, until
 *   no residual is above it. The inverse of the reference's matrix is updated, and recomputed at
 *   times.
 * COST: O(count k + k^2) an exchange, O(count k^2) to begin with; about 3 k exchanges.
 * DEGENERATE: dependent equations, fewer equations than unknowns: k is the rank. Should exchanges
 *   stall (zero weights), the best point so far is returned with its gap. Coefficients and right
 *   sides are multiplied by powers of two first, so that no square overflows or vanishes.
 * REFERENCE: Stiefel (1960), Note on Jordan elimination, linear programming and Tchebycheff
 *   approximation; Cheney (1966), Introduction to approximation theory, chapter 2.
 */
#include "geom/chebyshev.h"

#include <math.h>
#include <string.h>

#include "num/scratch.h"

enum { REFRESH = 40 };

typedef struct {
  int count, k, size; /* size = k + 1 */
  double *a;          /* count x k: the equations in the basis */
  double *b;          /* count */
  double *inverse;    /* size x size, of the matrix whose rows are (sign a, -1) */
  double *matrix;     /* 2 size x size, for making the inverse afresh */
  double *point;      /* w, then the level t */
  double *column;     /* of the ratio test */
  int *row, *sign;    /* the reference */
} task;

/* The workspace: the reference, and what the rank of the equations divides further. */
typedef struct {
  double *weight, *rest;
  int *row, *sign, *size;
} layout;

static size_t lay_out(layout *k, int count, int d, dpd_scratch a)
{
  size_t n = (size_t)count, s = (size_t)d + 1;
  k->weight = dpd_scratch_take(&a, s, sizeof *k->weight);
  k->rest = dpd_scratch_take(&a, n * (s + 1) + 4 * s * s + 5 * s, sizeof *k->rest);
  k->row = dpd_scratch_take(&a, s, sizeof *k->row);
  k->sign = dpd_scratch_take(&a, s, sizeof *k->sign);
  k->size = dpd_scratch_take(&a, 1, sizeof *k->size);
  return a.used;
}

size_t dpd_chebyshev_scratch(int count, int d)
{
  layout k;
  return lay_out(&k, count, d, (dpd_scratch){NULL, 0});
}

dpd_reference dpd_chebyshev_reference(int count, int d, void *scratch)
{
  layout k;
  lay_out(&k, count, d, (dpd_scratch){scratch, 0});
  return (dpd_reference){*k.size, k.row, k.sign, k.weight};
}

/* The power of two that makes the largest of these numbers at least 1 and below 2. */
static int power_of(const double *v, size_t count)
{
  double max = 0;
  for (size_t i = 0; i < count; i++)
    max = fmax(max, fabs(v[i]));
  return max > 0 ? -ilogb(max) : 0;
}

static double dot(const double *a, const double *b, int d)
{
  double sum = 0;
  for (int j = 0; j < d; j++)
    sum += a[j] * b[j];
  return sum;
}

/* v less its parts along the basis, twice for accuracy; returns what is left of its square. */
static double reduce(double *v, int d, const double *basis, int k)
{
  for (int pass = 0; pass < 2; pass++) {
    for (int i = 0; i < k; i++) {
      double part = dot(v, basis + i * d, d);
      for (int j = 0; j < d; j++)
        v[j] -= part * basis[i * d + j];
    }
  }
  return dot(v, v, d);
}

/* Orthonormal basis of the equations' span, and the equations it was made from. */
static int make_basis(const dpd_equations *e, int power, double *basis, int *row)
{
  int k = 0;
  for (int u = 0; u < e->count && k < e->d; u++) {
    const double *a = e->a + (size_t)u * (size_t)e->d;
    double *v = basis + k * e->d;
    for (int j = 0; j < e->d; j++)
      v[j] = ldexp(a[j], power);
    double before = dot(v, v, e->d);
    double after = reduce(v, e->d, basis, k);
    if (!(after > 1e-16 * before)) continue;
    after = sqrt(after);
    for (int j = 0; j < e->d; j++)
      v[j] /= after;
    row[k++] = u;
  }
  return k;
}

/* Gauss-Jordan with row pivoting of the s x w matrix m; false if its first s columns are singular.
 */
static bool reduce_rows(double *m, int s, int w)
{
  for (int c = 0; c < s; c++) {
    int best = c;
    for (int i = c + 1; i < s; i++)
      if (fabs(m[i * w + c]) > fabs(m[best * w + c])) best = i;
    double pivot = m[best * w + c];
    if (pivot == 0) return false;
    for (int j = c; j < w; j++) {
      double v = m[best * w + j];
      m[best * w + j] = m[c * w + j];
      m[c * w + j] = v / pivot;
    }
    for (int i = 0; i < s; i++) {
      double f = m[i * w + c];
      if (i == c || f == 0) continue;
      for (int j = c; j < w; j++)
        m[i * w + j] -= f * m[c * w + j];
    }
  }
  return true;
}

/* Solves s equations whose right-hand sides are the last of w = s + 1 columns. */
static bool eliminate(double *m, int s, int w, double *out)
{
  if (!reduce_rows(m, s, w)) return false;
  for (int i = 0; i < s; i++)
    out[i] = m[i * w + s];
  return true;
}

static bool invert(task *t)
{
  int s = t->size, w = 2 * s;
  double *m = t->matrix;
  memset(m, 0, (size_t)s * (size_t)w * sizeof *m);
  for (int i = 0; i < s; i++) {
    const double *a = t->a + (size_t)t->row[i] * (size_t)t->k;
    for (int j = 0; j < t->k; j++)
      m[i * w + j] = t->sign[i] * a[j];
    m[i * w + t->k] = -1;
    m[i * w + s + i] = 1;
  }
  if (!reduce_rows(m, s, w)) return false;
  for (int i = 0; i < s; i++)
    memcpy(t->inverse + i * s, m + i * w + s, (size_t)s * sizeof *m);
  return true;
}

/* point = inverse times the signed right-hand sides. */
static void level(task *t)
{
  for (int i = 0; i < t->size; i++) {
    double sum = 0;
    for (int j = 0; j < t->size; j++)
      sum += t->inverse[i * t->size + j] * t->sign[j] * t->b[t->row[j]];
    t->point[i] = sum;
  }
}

/* The coefficients of equation `other` in the k equations of the basis, by elimination. */
static bool expand(task *t, int other, double *out)
{
  int k = t->k, w = k + 1;
  double *m = t->matrix;
  for (int i = 0; i < k; i++) {
    for (int j = 0; j < k; j++)
      m[i * w + j] = t->a[(size_t)t->row[j] * (size_t)k + (size_t)i];
    m[i * w + k] = t->a[(size_t)other * (size_t)k + (size_t)i];
  }
  return eliminate(m, k, w, out);
}

/* The first reference: the basis equations and one more, with the signs of its expansion. */
static bool open_reference(task *t)
{
  int k = t->k, other = 0;
  while (other < k && t->row[other] == other) /* their numbers increase */
    other++;
  if (!expand(t, other, t->column)) return false;
  for (int i = 0; i < k; i++)
    t->sign[i] = t->column[i] > 0 ? -1 : 1;
  t->row[k] = other;
  t->sign[k] = 1;
  return invert(t);
}

/* As many equations as unknowns: all of them hold. */
static bool solve_square(task *t)
{
  int k = t->k, w = k + 1;
  for (int i = 0; i < k; i++) {
    memcpy(t->matrix + i * w, t->a + (size_t)i * (size_t)k, (size_t)k * sizeof(double));
    t->matrix[i * w + k] = t->b[i];
  }
  return eliminate(t->matrix, k, w, t->point);
}

/* The largest residual at the point. */
static double worst(const task *t, int *row, int *sign)
{
  double max = -1;
  for (int u = 0; u < t->count; u++) {
    double r = dot(t->a + (size_t)u * (size_t)t->k, t->point, t->k) - t->b[u];
    if (fabs(r) <= max) continue;
    max = fabs(r);
    *row = u;
    *sign = r > 0 ? 1 : -1;
  }
  return max;
}

/* Brings equation `row` in; false if no weight limits it (all is rounding then). */
static bool exchange(task *t, int row, int sign)
{
  int s = t->size, k = t->k, out = -1;
  const double *a = t->a + (size_t)row * (size_t)k;
  double min = INFINITY, *y = t->column;
  for (int j = 0; j < s; j++) {
    double sum = -t->inverse[k * s + j], weight = sum > 0 ? sum : 0;
    for (int i = 0; i < k; i++)
      sum += sign * a[i] * t->inverse[i * s + j];
    y[j] = sum;
    if (sum > 1e-11 && weight / sum < min) {
      min = weight / sum;
      out = j;
    }
  }
  if (out < 0) return false;
  for (int i = 0; i < s; i++) {
    double *line = t->inverse + i * s, v = line[out] / y[out];
    for (int j = 0; j < s; j++)
      line[j] -= v * y[j];
    line[out] = v;
  }
  t->row[out] = row;
  t->sign[out] = sign;
  return true;
}

/* Exchanges until the level is the largest residual; the best point goes to `best`. */
static void iterate(task *t, double *best, double *lower, double *upper)
{
  int row = 0, sign = 1, max = 100 * t->size + 200;
  for (int step = 1; step <= max; step++) {
    level(t);
    double here = worst(t, &row, &sign), t_level = t->point[t->k];
    if (t_level > *lower) *lower = t_level;
    if (here < *upper) {
      *upper = here;
      memcpy(best, t->point, (size_t)t->k * sizeof *best);
    }
    if (*upper <= *lower * (1 + 1e-13)) break;
    if (!exchange(t, row, sign)) break;
    if (step % REFRESH == 0 && !invert(t)) break;
  }
  if (*lower > *upper) *lower = *upper; /* rounding */
}

/* The equations, times powers of two, in the basis. */
static void fill(task *t, const dpd_equations *e, int power, int side_power, const double *basis)
{
  for (int u = 0; u < t->count; u++) {
    const double *a = e->a + (size_t)u * (size_t)e->d;
    for (int i = 0; i < t->k; i++) {
      double sum = 0;
      for (int j = 0; j < e->d; j++)
        sum += ldexp(a[j], power) * basis[i * e->d + j];
      t->a[(size_t)u * (size_t)t->k + (size_t)i] = sum;
    }
    t->b[u] = ldexp(e->b[u], side_power);
  }
}

/* The weights of the last reference: the last row of the inverse, made afresh. */
static void set_weights(task *t, double *weight, int *size)
{
  *size = invert(t) ? t->size : 0;
  for (int j = 0; j < *size; j++)
    weight[j] = -t->inverse[t->k * t->size + j];
}

void dpd_chebyshev(const dpd_equations *e, double *w, double *lower, double *upper, void *scratch)
{
  layout own;
  int d = e->d;
  lay_out(&own, e->count, d, (dpd_scratch){scratch, 0});
  int power = power_of(e->a, (size_t)e->count * (size_t)d);
  int side_power = power_of(e->b, (size_t)e->count);
  double *basis = own.rest, *best = basis + d * d;
  task t = {.count = e->count, .row = own.row, .sign = own.sign};
  t.k = make_basis(e, power, basis, t.row);
  t.size = t.k + 1;
  size_t s = (size_t)t.size;
  t.point = best + d + 1;
  t.column = t.point + s;
  t.inverse = t.column + s;
  t.matrix = t.inverse + s * s;
  t.b = t.matrix + 2 * s * s;
  t.a = t.b + e->count;
  fill(&t, e, power, side_power, basis);
  memset(best, 0, (size_t)t.size * sizeof *best);
  memset(t.point, 0, s * sizeof *best);
  *lower = 0;
  *own.size = 0;
  int row, sign;
  *upper = worst(&t, &row, &sign);
  if (t.k == t.count && t.k > 0 && solve_square(&t)) {
    *upper = worst(&t, &row, &sign);
    memcpy(best, t.point, (size_t)t.k * sizeof *best);
  } else if (t.k > 0 && t.k < t.count && open_reference(&t)) {
    iterate(&t, best, lower, upper);
    set_weights(&t, own.weight, own.size);
  }
  *lower = ldexp(*lower, -side_power);
  *upper = ldexp(*upper, -side_power);
  for (int j = 0; j < d; j++) {
    w[j] = 0;
    for (int i = 0; i < t.k; i++)
      w[j] += best[i] * basis[i * d + j];
    w[j] = ldexp(w[j], power - side_power);
  }
}
