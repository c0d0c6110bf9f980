/* regression_plane_rows.c - rows of a private line as pairs of halfplanes of whole numbers.
 *
 * METHOD: p z_0 + q z_1 <= r + g and >= r - g at the lattice point z, whole numbers that are
 *   functions of the prior and of the one row: see mech/regression_whole.c. Rounding moves a fit by
 *   at most 2^-B (|z_0| + |z_1| + 1) steps of the coordinate that it depends on most: less than a
 *   quarter of a step where the support is 2^39 steps wide. Rows are sorted by projection, and
 *   those that are the same are one.
 * EXACT: |z_j| <= 2^Z and 2 B + Z <= 122, as plane/lattice_polygon.h has it; r beyond 2^(B + Z + 1)
 *   + 2^(B + 2) is that, where the row has one sign everywhere.
 * COST: O(n log n).
 * DEGENERATE: a row without coefficients has one sign everywhere.
 */
#include <math.h>

#include "mech/regression_order.h"
#include "mech/regression_plane_state.h"
#include "num/merge_sort.h"

enum {
  MOST_BITS = 52,  /* of p and q */
  SUM_BITS = 122,  /* 2 B + Z */
  LEAST_REACH = 4, /* Z, at least */
  FEW = 12
};

/* Any order in which equal rows are neighbours. */
static inline int compare_rows(const dpd_plane_row *a, const dpd_plane_row *b)
{
  if (a->p != b->p) return a->p > b->p ? 1 : -1;
  if (a->q != b->q) return a->q > b->q ? 1 : -1;
  if (a->gap != b->gap) return a->gap > b->gap ? 1 : -1;
  return (a->top > b->top) - (a->top < b->top);
}

static inline bool row_after(const void *unused, const dpd_plane_row *a, const dpd_plane_row *b)
{
  (void)unused;
  return compare_rows(a, b) > 0;
}

DPD_DEFINE_MERGE_SORT(sort_rows, void, dpd_plane_row, row_after, FEW)

static dpd_plane_row make_row(const dpd_regression_plane *m, size_t i)
{
  const dpd_whole whole = {.n = (size_t)dpd_tally_size(m->spec.tally, m->spec.n),
                           .k = m->spec.k,
                           .bits = m->bits,
                           .fit = m->spec.fit,
                           .y = m->spec.y,
                           .tie = m->spec.tie,
                           .reach = m->reach,
                           .lattice = &m->prior.lattice};
  int scale;
  const dpd_whole_row w = dpd_whole_row_of(&whole, i, &scale);
  return (dpd_plane_row){.top = w.top,
                         .p = w.a[0],
                         .q = w.a[1],
                         .gap = w.gap,
                         .count = dpd_tally_count(m->spec.tally, (int)i)};
}

/* Rows from .. to - 1 have the same projection: equal ones become one. Returns where they end. */
static int merge_equal(dpd_plane_row *row, dpd_plane_row *spare, int from, int to)
{
  int end = from + 1;
  sort_rows(NULL, row + from, spare, to - from);
  for (int i = from + 1; i < to; i++) {
    if (compare_rows(row + i, row + end - 1) == 0)
      row[end - 1].count += row[i].count;
    else
      row[end++] = row[i];
  }
  return end;
}

/* How many bits the numbers of rows have, by the support. */
static void set_bits(dpd_regression_plane *m)
{
  int z;
  double far = dpd_whole_reach(&m->prior.lattice);
  (void)frexp(far, &z);
  if (z < LEAST_REACH) z = LEAST_REACH;
  m->reach = ldexp(1, z);
  m->bits = (SUM_BITS - z) / 2 < MOST_BITS ? (SUM_BITS - z) / 2 : MOST_BITS;
}

/* What ranges over polygons are compared with: see dpd_plane_terms_over(). */
static void set_doubles(dpd_regression_plane *m)
{
  size_t rows = (size_t)m->rows;
  m->p = m->alloc(4 * rows, sizeof *m->p);
  m->q = m->p + rows;
  m->top = m->q + rows;
  m->bottom = m->top + rows;
  for (size_t i = 0; i < rows; i++) {
    const dpd_plane_row *r = m->row + i;
    double room = (fabs((double)r->p) + fabs((double)r->q) + 1) * m->reach * 0x1p-48;
    m->p[i] = (double)r->p;
    m->q[i] = (double)r->q;
    m->top[i] = (double)r->top + room;
    m->bottom[i] = (double)(r->top - r->gap) - room;
  }
}

void dpd_plane_set_rows(dpd_regression_plane *m)
{
  int n = dpd_tally_size(m->spec.tally, m->spec.n);
  dpd_keyed_row *key = m->alloc((size_t)n + (size_t)n / 2 + 1, sizeof *key);
  dpd_plane_row *spare = NULL;
  int room = 0;
  set_bits(m);
  m->row = m->alloc((size_t)n, sizeof *m->row);
  m->first = m->alloc((size_t)n, sizeof *m->first);
  for (int i = 0; i < n; i++)
    key[i] = (dpd_keyed_row){m->spec.projection[i], i};
  dpd_keyed_rows_sort(key, n);
  m->rows = 0;
  for (int from = 0, to; from < n; from = to) {
    int first = m->rows;
    for (to = from; to < n && key[to].key == key[from].key; to++)
      m->row[m->rows++] = make_row(m, (size_t)key[to].row);
    if (to - from > 1) {
      if (to - from > room) {
        room = 2 * (to - from);
        spare = m->alloc((size_t)room, sizeof *spare);
      }
      m->rows = merge_equal(m->row, spare, first, m->rows);
    }
    for (int i = first; i < m->rows; i++)
      m->first[i] = i == first;
  }
  set_doubles(m);
}
