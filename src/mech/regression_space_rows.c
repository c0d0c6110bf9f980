/* regression_space_rows.c - rows of a private plane as pairs of halfspaces of whole numbers.
 *
 * METHOD: as mech/regression_plane_rows.c, of three coefficients: at the lattice point z the fit of
 *   row i, less its response, is sum a_j z_j - t, a_j = fit_ij step_j and t = y_i - sum a_j
 *   origin_j. The row is multiplied by the power of two that takes the largest |a_j| to
 *   2^(B - 1)..2^B, B = 41, and all are rounded to whole numbers: functions of the prior and of the
 *   one row. With g the whole part of tie sum |a_j| the row counts as r_i >= 0 where a'z <= t + g,
 *   as r_i <= 0 where a'z >= t - g, decided in whole numbers. That is what a row is for this
 *   mechanism; nothing that follows is rounded. Rows with the same numbers and projections are
 *   one.
 * EXACT: |z_j| <= 2^45: a'z below 2^88. t beyond 2^(B + Z + 2) is that: the row has one sign then.
 * COST: O(count n log n).
 * DEGENERATE: a row whose numbers are zero, or nothing beside its response, has the sign of its
 *   response everywhere.
 */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "mech/regression_space_state.h"
#include "num/error_free.h"
#include "num/merge_sort.h"

enum { FEW = 12 };
#define NEGLIGIBLE 0x1p-200 /* of a number that the coefficients are rounded from */

typedef struct {
  double key;
  int row;
} keyed_row;

static inline bool key_after(const void *unused, const keyed_row *a, const keyed_row *b)
{
  (void)unused;
  return a->key > b->key;
}

DPD_DEFINE_MERGE_SORT(sort_keys, void, keyed_row, key_after, FEW)

static size_t entries(const dpd_regression_space *m)
{
  return (size_t)dpd_tally_size(m->spec.tally, m->spec.n);
}

/* Any order in which equal rows are neighbours. */
static int compare_rows(const dpd_regression_space *m, const dpd_space_row *a,
                        const dpd_space_row *b)
{
  const size_t n = entries(m);
  for (int j = 0; j < 3; j++)
    if (a->a[j] != b->a[j]) return a->a[j] > b->a[j] ? 1 : -1;
  if (a->gap != b->gap) return a->gap > b->gap ? 1 : -1;
  if (a->top != b->top) return a->top > b->top ? 1 : -1;
  for (int u = 0; u < m->spec.count; u++) {
    const double *x = m->spec.projection + n * (size_t)u;
    if (x[a->from] != x[b->from]) return x[a->from] > x[b->from] ? 1 : -1;
  }
  return 0;
}

static inline bool row_after(const dpd_regression_space *m, const dpd_space_row *a,
                             const dpd_space_row *b)
{
  return compare_rows(m, a, b) > 0;
}

DPD_DEFINE_MERGE_SORT(sort_rows, dpd_regression_space, dpd_space_row, row_after, FEW)

/* x = mantissa 2^power, the mantissa in [1/2, 1) or 0. */
static double product_parts(double fit, double step, int *power)
{
  int a, b, c;
  double x = frexp(fit, &a) * frexp(step, &b);
  x = frexp(x, &c);
  *power = x == 0 ? INT_MIN / 2 : a + b + c;
  return x;
}

static double clamped(double x, double most)
{
  return fmin(fmax(x, -most), most);
}

static dpd_space_row make_row(const dpd_regression_space *m, size_t i)
{
  const size_t n = entries(m);
  const double beyond = ldexp(m->reach, DPD_HULL_BITS + 2) + ldexp(1, DPD_HULL_BITS + 3);
  double a[3], y = m->spec.y[i], size = 0;
  int power[3], scale = INT_MIN / 2;
  bool moved = false;
  for (size_t j = 0; j < 3; j++) {
    a[j] = product_parts(m->spec.fit[i + j * n], m->lattice.step[j], power + j);
    if (power[j] > scale) scale = power[j];
  }
  bool zero = scale == INT_MIN / 2;
  for (int j = 0; j < 3; j++) {
    a[j] = zero ? 0 : ldexp(a[j], power[j] - scale + DPD_HULL_BITS);
    if (fabs(a[j]) < NEGLIGIBLE) a[j] = 0;
    moved = moved || a[j] * m->lattice.origin[j] != 0;
  }
  /* of a row of zeros the sign is all that counts */
  y = zero ? (y > 0) - (y < 0) : clamped(ldexp(y, DPD_HULL_BITS - scale), 0x1p120);
  if (moved) {
    dpd_error_free sum = {0};
    dpd_error_free_add(&sum, y);
    for (int j = 0; j < 3; j++)
      if (a[j] != 0) dpd_error_free_add_product(&sum, -a[j], m->lattice.origin[j]);
    y = dpd_error_free_value(&sum);
  }
  dpd_space_row r = {.from = (int)i, .count = dpd_tally_count(m->spec.tally, (int)i)};
  for (int j = 0; j < 3; j++) {
    r.a[j] = (int64_t)rint(a[j]);
    size += fabs(rint(a[j]));
  }
  int64_t room = (int64_t)floor(m->spec.tie * size);
  r.top = (dpd_i128)rint(clamped(y, beyond)) + room;
  r.gap = 2 * room;
  return r;
}

/* Rows that are the same become one. */
static void merge_rows(dpd_regression_space *m)
{
  const size_t n = entries(m);
  dpd_space_row *spare = m->alloc(n / 2 + 1, sizeof *spare);
  sort_rows(m, m->row, spare, (int)n);
  m->rows = 1;
  for (size_t i = 1; i < n; i++) {
    dpd_space_row *last = m->row + m->rows - 1;
    if (compare_rows(m, m->row + i, last) == 0)
      last->count += m->row[i].count;
    else
      m->row[m->rows++] = m->row[i];
  }
}

static void set_orders(dpd_regression_space *m)
{
  const size_t n = entries(m), rows = (size_t)m->rows;
  keyed_row *key = m->alloc(rows + rows / 2 + 1, sizeof *key);
  m->order = m->alloc(rows * (size_t)m->spec.count, sizeof *m->order);
  for (int u = 0; u < m->spec.count; u++) {
    int *order = m->order + rows * (size_t)u;
    for (size_t i = 0; i < rows; i++)
      key[i] = (keyed_row){m->spec.projection[(size_t)m->row[i].from + n * (size_t)u], (int)i};
    sort_keys(NULL, key, key + rows, (int)rows);
    for (size_t s = 0; s < rows; s++) {
      bool same = s + 1 < rows && key[s].key == key[s + 1].key;
      order[s] = same ? ~key[s].row : key[s].row;
    }
  }
}

void dpd_space_set_rows(dpd_regression_space *m)
{
  const size_t n = entries(m);
  m->reach = 1;
  for (int j = 0; j < 3; j++)
    m->reach = fmax(m->reach, fmax(fabs(m->lattice.lo[j]), fabs(m->lattice.hi[j])));
  m->row = m->alloc(n, sizeof *m->row);
  for (size_t i = 0; i < n; i++)
    m->row[i] = make_row(m, i);
  merge_rows(m);
  set_orders(m);
}
