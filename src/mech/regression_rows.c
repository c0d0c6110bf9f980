/* regression_rows.c - what the private regression prepares of its rows: units, orders, forms, a
 * shear.
 *
 * METHOD: theta_j is taken in units of 2^unit_j, the least power of two that no |theta_j| of the
 * lattice exceeds; fit_ij grows by the same factor. Then row i, its response included, is
 * multiplied by a power of two that takes its largest number to 2^900. Signs of residuals stay as
 * they are, nothing overflows, and what underflows is 2^-1900 of its row. The factors are functions
 * of the prior and of the one row.
 * As a form of z, f_i = sum_j a_ij (origin_j + z_j), a_ij = fit_ij
 * step_j. Rounding, u = 2^-53 and R_i = |y_i| + sum_j |a_ij| (most |origin_j + z_j| + |origin_j|):
 * the computed f_i is off by (k + 3) u R_i (theta itself may be rounded), the target y_i - sum a_ij
 * origin_j by (k + 2) u R_i, the sums of the range by 2 (k + 2) u R_i besides what
 * dpd_shear_ranges() adds, the two comparisons by 3 u R_i: less than the slack of 16 (k + 2) u R_i
 * + DBL_MIN in all. The DBL_MIN is for underflow: at most 2^-1074 in each a_ij and form, times
 * indexes below 2^48.
 * The shear follows (F'F)^-1 of the central rows: the shape of fits of equal
 * depth. It steers speed only.
 * COST: O(count n log n).
 * DEGENERATE: constant or dependent columns
 * give no shear.
 */
#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "mech/regression_state.h"
#include "num/inverse.h"
#include "num/sort.h"

enum {
  SHAPE_ROWS = 4000, /* rows that the shear is fitted to */
  TOP_EXPONENT =
      900 /* of each row's largest number: sums do not overflow, and small numbers stay */
};

/* Sheared indexes stay exact: 2^47 / 2^DPD_REGRESSION_BITS. */
#define SHEAR_LIMIT 0x1p7
#define LOG_SIZE_MOST 60.0
#define RIDGE 1e-9 /* dependent columns have a shape, too: long where they cancel */

static double farthest(const dpd_lattice *l, int j)
{
  return fmax(fabs(dpd_lattice_value(l, j, l->lo[j])), fabs(dpd_lattice_value(l, j, l->hi[j])));
}

/* Exponent e with |x| < 2^e; INT_MIN / 2 for 0. */
static int size_exponent(double x)
{
  int e;
  if (x == 0) return INT_MIN / 2;
  (void)frexp(x, &e);
  return e;
}

void dpd_regression_set_units(dpd_regression *m)
{
  size_t n = (size_t)m->spec.n, k = (size_t)m->spec.k;
  for (size_t j = 0; j < k; j++) {
    double far = farthest(&m->lattice, (int)j);
    m->unit[j] = far > 0 ? size_exponent(far) : 0;
  }
  for (size_t i = 0; i < n; i++) {
    int top = size_exponent(m->spec.y[i]);
    for (size_t j = 0; j < k; j++) {
      int e = size_exponent(m->spec.fit[i + j * n]) + m->unit[j];
      if (e > top) top = e;
    }
    top = top < INT_MIN / 4 ? 0 : top - TOP_EXPONENT; /* 0: a row of zeros */
    for (size_t j = 0; j < k; j++)
      m->all.fit[i + j * n] = ldexp(m->spec.fit[i + j * n], m->unit[j] - top);
    m->all.y[i] = ldexp(m->spec.y[i], -top);
  }
}

void dpd_regression_theta(const dpd_regression *m, const double *z, double *theta)
{
  for (int j = 0; j < m->spec.k; j++)
    theta[j] = ldexp(dpd_lattice_value(&m->lattice, j, z[j]), -m->unit[j]);
}

void dpd_regression_set_forms(dpd_regression *m)
{
  size_t n = (size_t)m->spec.n, k = (size_t)m->spec.k;
  double *a = m->lo, *c = m->theta, size[3];
  for (size_t i = 0; i < n; i++) {
    double base = 0, reach = fabs(m->all.y[i]);
    for (size_t j = 0; j < k; j++) {
      const dpd_lattice *l = &m->lattice;
      double origin = fabs(l->origin[j]);
      double far = fmax(fabs(l->origin[j] + l->lo[j]), fabs(l->origin[j] + l->hi[j]));
      a[j] = m->all.fit[i + j * n] * ldexp(l->step[j], -m->unit[j]);
      base += a[j] * l->origin[j];
      reach += fabs(a[j]) * (far + origin);
    }
    dpd_shear_form(&m->shear, a, c, size);
    for (size_t j = 0; j < k; j++)
      m->all.forms[i + j * n] = c[j];
    for (size_t j = 0; j < 3; j++)
      m->all.sizes[i + j * n] = size[j];
    m->all.target[i] = m->all.y[i] - base;
    m->all.slack[i] = DPD_REGRESSION_SLACK(k) * reach + DBL_MIN;
  }
}

/* -- orders
 * ---------------------------------------------------------------------------------------- */

typedef struct {
  double key;
  int row;
} keyed_row;

static void sort_keyed(keyed_row *x, keyed_row *spare, size_t n)
{
  for (size_t width = 1; width < n; width *= 2) {
    for (size_t from = 0; from < n; from += 2 * width) {
      size_t a = from, mid = from + width < n ? from + width : n, b = mid;
      size_t end = mid + width < n ? mid + width : n;
      for (size_t k = from; k < end; k++)
        spare[k] = a < mid && (b >= end || x[a].key <= x[b].key) ? x[a++] : x[b++];
    }
    memcpy(x, spare, n * sizeof *x);
  }
}

void dpd_regression_set_orders(dpd_regression *m, dpd_alloc alloc)
{
  size_t n = (size_t)m->spec.n;
  keyed_row *x = alloc(2 * n, sizeof *x);
  for (int u = 0; u < m->spec.count; u++) {
    int *order = m->all.order + (size_t)u * n;
    for (size_t i = 0; i < n; i++)
      x[i] = (keyed_row){m->spec.projection[i + (size_t)u * n], (int)i};
    sort_keyed(x, x + n, n);
    m->tied[u] = false;
    for (size_t s = 0; s < n; s++) {
      bool same = s + 1 < n && x[s].key == x[s + 1].key;
      order[s] = same ? ~x[s].row : x[s].row;
      m->tied[u] |= same;
    }
  }
}

/* -- the shear
 * ------------------------------------------------------------------------------------- */

/* The columns of every `by`-th row, each in a power of two near its middle size (exponent[j]). */
typedef struct {
  size_t rows, k;
  double *x, *mid, *spread; /* rows x k, row-major; medians and distances of the quartiles */
  int *exponent;
} sample;

static void take_sample(const dpd_regression *m, sample *s, dpd_alloc alloc)
{
  size_t n = (size_t)m->spec.n, k = s->k = (size_t)m->spec.k, by = n / SHAPE_ROWS + 1;
  s->rows = (n + by - 1) / by;
  s->x = alloc(s->rows * k, sizeof *s->x);
  s->mid = alloc(2 * k, sizeof *s->mid);
  s->spread = s->mid + k;
  s->exponent = alloc(k, sizeof *s->exponent);
  double *work = alloc(s->rows, sizeof *work);
  for (size_t j = 0; j < k; j++) {
    const double *from = m->spec.fit + j * n;
    for (size_t i = 0; i < s->rows; i++)
      work[i] = fabs(from[i * by]);
    dpd_sort_inplace(work, s->rows);
    double middle = work[s->rows / 2] > 0 ? work[s->rows / 2] : work[s->rows - 1];
    s->exponent[j] = middle > 0 ? size_exponent(middle) : 0;
    for (size_t i = 0; i < s->rows; i++)
      work[i] = s->x[i * k + j] = ldexp(from[i * by], -s->exponent[j]);
    dpd_sort_inplace(work, s->rows);
    s->mid[j] = work[s->rows / 2];
    s->spread[j] = work[3 * s->rows / 4] - work[s->rows / 4];
  }
}

/* Is row i within 3 spreads of the median in every column that has a spread? */
static bool is_central(const sample *s, const double *x)
{
  for (size_t j = 0; j < s->k; j++) {
    if (s->spread[j] > 0 ? !(fabs(x[j] - s->mid[j]) <= 3 * s->spread[j]) : !(fabs(x[j]) <= 0x1p20))
      return false;
  }
  return true;
}

/* cov = the inverse, apart from a factor, of the moments about 0 of the central rows, in steps of
 * the lattice; zeros where there is none. gram: k x k to work in. */
static void invert_moments(const dpd_regression *m, const sample *s, double *gram, double *cov,
                           double *log_size)
{
  size_t k = s->k;
  memset(gram, 0, k * k * sizeof *gram);
  memset(cov, 0, k * k * sizeof *cov);
  for (size_t i = 0; i < s->rows; i++) {
    const double *x = s->x + i * k;
    if (!is_central(s, x)) continue;
    for (size_t j = 0; j < k; j++)
      for (size_t l = 0; l < k; l++)
        gram[j * k + l] += x[j] * x[l];
  }
  for (size_t j = 0; j < k; j++) {
    /* a column of zeros says nothing: its axis is as good as endless */
    log_size[j] = gram[j * k + j] > 0 ? 0.5 * log2(gram[j * k + j]) : -200;
  }
  for (size_t j = 0; j < k; j++) {
    cov[j * k + j] = 1;
    for (size_t l = 0; l < k; l++)
      gram[j * k + l] *= exp2(-log_size[j] - log_size[l]);
    gram[j * k + j] += RIDGE;
  }
  if (!dpd_invert(gram, cov, (int)k, RIDGE / 100)) memset(cov, 0, k * k * sizeof *cov);
  /* in steps; relative to the widest axis, so that sides are compared in full precision */
  double top = -INFINITY;
  for (size_t j = 0; j < k; j++) {
    log_size[j] = -log_size[j] - s->exponent[j] - log2(m->lattice.step[j]);
    top = fmax(top, log_size[j] + 0.5 * log2(fabs(cov[j * k + j])) - log2(m->lattice.scale[j]));
  }
  /* an axis of less than a step at the widest one's full length is as good as one of a step */
  for (size_t j = 0; j < k; j++)
    log_size[j] = fmin(fmax(log_size[j] - top, -LOG_SIZE_MOST), LOG_SIZE_MOST);
  for (size_t j = 0; j < k; j++)
    for (size_t l = 0; l < k; l++)
      cov[j * k + l] *= exp2(log_size[j]) * exp2(log_size[l]);
}

void dpd_regression_set_shear(dpd_regression *m, dpd_alloc alloc)
{
  size_t k = (size_t)m->spec.k;
  double *gram = alloc(2 * k * k + k, sizeof *gram), *cov = gram + k * k;
  sample s;
  take_sample(m, &s, alloc);
  invert_moments(m, &s, gram, cov, cov + k * k);
  dpd_shear_shape(&m->shear, (int)k, cov, SHEAR_LIMIT, m->lattice.scale, alloc);
}
