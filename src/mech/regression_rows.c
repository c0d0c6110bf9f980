/* regression_rows.c - what the private regression prepares of its rows: units, orders, forms.
 *
 * METHOD: theta_j is taken in units of 2^unit_j, the least power of two that no |theta_j| of the
 * lattice exceeds, nor its step where 0 is the only one; fit_ij grows by the same factor. Then row
 * i, its response included, is multiplied by a power of two that takes its largest number to 2^900.
 * Signs of residuals stay as they are, nothing overflows, and what underflows is 2^-1900 of its
 * row. The factors are functions of the prior and of the one row.
 * Row i lies on the fit if |y_i - f_i| <= e_i, e_i = tie sum_j |a_ij|, a_ij = fit_ij step_j: the
 * comparisons are f_i <= y_i + e_i and f_i >= y_i - e_i with both ends rounded once, a function of
 * the prior and of the one row. With tie = 1/2 the lattice point next to any real theta has at
 * least its score, however coarse the lattice is for the data, and the shear's own rounding moves
 * no row off the fit that was on it.
 * As a form of z, f_i = sum_j a_ij (origin_j + z_j). Rounding, u = 2^-53 and R_i = |y_i| + e_i +
 * sum_j |a_ij| (most |origin_j + z_j| + |origin_j|): the computed f_i is off by (k + 3) u R_i
 * (theta itself may be rounded), the target y_i - sum a_ij origin_j by (k + 2) u R_i, e_i and the
 * ends by (k + 3) u R_i, the sums of the range by 2 (k + 2) u R_i besides what dpd_shear_ranges()
 * adds, the two comparisons by 4 u R_i: less than the slack of 16 (k + 2) u R_i + DBL_MIN in all.
 * The DBL_MIN is for underflow: at most 2^-1074 in each a_ij and form, times indexes below 2^48.
 * Of three coefficients the row's whole numbers decide (mech/regression_whole.c): what they are off
 * by over a box, dpd_whole_off() of them, is added to the slack. The doubles that they are made of
 * are off by 3 u R_i, the forms by the above without the terms for f_i and the ends.
 * COST: O(count n log n).
 * DEGENERATE: ties in a projection are marked, and stay together.
 */
#include <float.h>
#include <limits.h>
#include <math.h>

#include "mech/regression_order.h"
#include "mech/regression_state.h"

enum {
  TOP_EXPONENT =
      900 /* of each row's largest number: sums do not overflow, and small numbers stay */
};

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

/* Row i as whole numbers, and their unit where it was divided by 2^top. */
static void set_whole(dpd_regression *m, size_t i, int top)
{
  const dpd_whole w = {.n = dpd_regression_entries(m),
                       .k = m->spec.k,
                       .bits = DPD_WHOLE_BITS,
                       .fit = m->spec.fit,
                       .y = m->spec.y,
                       .tie = m->spec.tie,
                       .reach = dpd_whole_reach(&m->lattice),
                       .lattice = &m->lattice};
  int scale;
  m->all.whole[i] = dpd_whole_row_of(&w, i, &scale);
  m->all.whole_unit[i] = ldexp(1, scale - DPD_WHOLE_BITS - top);
}

void dpd_regression_set_units(dpd_regression *m)
{
  size_t n = dpd_regression_entries(m), k = (size_t)m->spec.k;
  for (size_t j = 0; j < k; j++) {
    double far = farthest(&m->lattice, (int)j);
    m->unit[j] = size_exponent(far > 0 ? far : m->lattice.step[j]);
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
    double y = ldexp(m->spec.y[i], -top), tie = 0;
    for (size_t j = 0; j < k; j++)
      tie += fabs(m->all.fit[i + j * n]) * ldexp(m->lattice.step[j], -m->unit[j]);
    tie *= m->spec.tie;
    m->all.y[i] = y;
    m->all.tie[i] = tie;
    m->all.top[i] = y + tie;
    m->all.bottom[i] = y - tie;
    if (m->all.whole != NULL) set_whole(m, i, top);
  }
}

void dpd_regression_theta(const dpd_regression *m, const double *z, double *theta)
{
  for (int j = 0; j < m->spec.k; j++)
    theta[j] = ldexp(dpd_lattice_value(&m->lattice, j, z[j]), -m->unit[j]);
}

void dpd_regression_set_forms(dpd_regression *m)
{
  size_t n = dpd_regression_entries(m), k = (size_t)m->spec.k;
  double *a = m->lo, *c = m->theta, size[3];
  for (size_t i = 0; i < n; i++) {
    double base = 0, reach = fabs(m->all.y[i]) + m->all.tie[i];
    for (size_t j = 0; j < k; j++) {
      const dpd_lattice *l = &m->lattice;
      double origin = fabs(l->origin[j]);
      double far = fmax(fabs(l->origin[j] + l->lo[j]), fabs(l->origin[j] + l->hi[j]));
      a[j] = m->all.fit[i + j * n] * ldexp(l->step[j], -m->unit[j]);
      base += a[j] * l->origin[j];
      reach += fabs(a[j]) * (far + origin);
    }
    dpd_regression_form(m, a, c, size);
    for (size_t j = 0; j < k; j++)
      m->all.forms[i + j * n] = c[j];
    for (size_t j = 0; j < 3; j++)
      m->all.sizes[i + j * n] = size[j];
    m->all.target[i] = m->all.y[i] - base;
    m->all.slack[i] = DPD_REGRESSION_SLACK(k) * reach + DBL_MIN + m->all.tie[i];
  }
}

/* -- orders
 * ---------------------------------------------------------------------------------------- */

static void set_sides(dpd_regression *m)
{
  size_t size = dpd_regression_entries(m) * (size_t)m->spec.count;
  for (size_t i = 0; i < size; i++)
    m->all.order[i] = (m->spec.projection[i] > 0) - (m->spec.projection[i] < 0);
}

void dpd_regression_set_orders(dpd_regression *m, dpd_alloc alloc)
{
  size_t n = dpd_regression_entries(m);
  if (m->spec.origin) {
    set_sides(m);
    return;
  }
  dpd_keyed_row *x = alloc(n + n / 2 + 1, sizeof *x);
  for (int u = 0; u < m->spec.count; u++) {
    int *order = m->all.order + (size_t)u * n;
    for (size_t i = 0; i < n; i++)
      x[i] = (dpd_keyed_row){m->spec.projection[i + (size_t)u * n], (int)i};
    m->tied[u] = dpd_keyed_rows_order(x, (int)n, order);
  }
}
