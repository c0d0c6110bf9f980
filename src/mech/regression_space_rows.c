/* regression_space_rows.c - rows of a private plane as pairs of halfspaces of whole numbers.
 *
 * METHOD: a'z <= t + g and a'z >= t - g at the lattice point z, whole numbers that are functions of
 *   the prior and of the one row: see mech/regression_whole.c. Rows with the same numbers and
 *   projections are one.
 * EXACT: |a_j| <= 2^41, |z_j| <= 2^45: a'z below 2^88.
 * COST: O(count n log n).
 * DEGENERATE: a row without coefficients has one sign everywhere.
 */
#include <math.h>

#include "mech/regression_order.h"
#include "mech/regression_space_state.h"
#include "num/merge_sort.h"

enum { FEW = 12 };

static size_t entries(const dpd_regression_space *m)
{
  return (size_t)dpd_tally_size(m->spec.tally, m->spec.n);
}

/* Any order in which equal rows are neighbours. */
static int compare_rows(const dpd_regression_space *m, const dpd_space_row *a,
                        const dpd_space_row *b)
{
  const size_t n = entries(m);
  const dpd_whole_row *p = &a->whole, *q = &b->whole;
  for (int j = 0; j < 3; j++)
    if (p->a[j] != q->a[j]) return p->a[j] > q->a[j] ? 1 : -1;
  if (p->gap != q->gap) return p->gap > q->gap ? 1 : -1;
  if (p->top != q->top) return p->top > q->top ? 1 : -1;
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
  dpd_keyed_row *key = m->alloc(rows + rows / 2 + 1, sizeof *key);
  m->order = m->alloc(rows * (size_t)m->spec.count, sizeof *m->order);
  for (int u = 0; u < m->spec.count; u++) {
    int *order = m->order + rows * (size_t)u;
    for (size_t i = 0; i < rows; i++)
      key[i] = (dpd_keyed_row){m->spec.projection[(size_t)m->row[i].from + n * (size_t)u], (int)i};
    (void)dpd_keyed_rows_order(key, (int)rows, order);
  }
}

void dpd_space_set_rows(dpd_regression_space *m)
{
  const size_t n = entries(m);
  m->reach = dpd_whole_reach(&m->prior.lattice);
  const dpd_whole whole = {.n = n,
                           .k = m->spec.k,
                           .bits = DPD_WHOLE_BITS,
                           .fit = m->spec.fit,
                           .y = m->spec.y,
                           .tie = m->spec.tie,
                           .reach = m->reach,
                           .lattice = &m->prior.lattice};
  m->row = m->alloc(n, sizeof *m->row);
  for (size_t i = 0; i < n; i++) {
    int scale;
    m->row[i] = (dpd_space_row){.whole = dpd_whole_row_of(&whole, i, &scale),
                                .count = dpd_tally_count(m->spec.tally, (int)i),
                                .from = (int)i};
  }
  merge_rows(m);
  if (!m->spec.origin) set_orders(m);
}
