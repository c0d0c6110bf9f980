/* regression_atoms.c - coordinates of the private regression's boxes where many rows are the same.
 *
 * METHOD: the fits through a row that many are equal to are deeper than those beside it: a slab, a
 *   step thin. Boxes that lie across it hold it almost everywhere, and are cut without end. So an
 *   axis is laid across it: z_J = w_J - rint(sum_k a_k z_k / a_J), a the row in steps and a_J its
 *   largest part: the fit at the row is that of w_J alone, but for a rounding that the tolerance of
 *   rows allows for. So for each of up to k such rows, in the axes that are left.
 *   Private: it steers speed only.
 * COST: O(rows (log rows + k^2)), rows at most SAMPLE_ROWS.
 * DEGENERATE: rows that others give are passed over; no heavy row: no frame. Rows whose hashes meet
 *   are taken for one, which costs time only.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mech/regression_state.h"
#include "num/branchless.h"
#include "num/splitmix.h"

enum {
  SAMPLE_ROWS = 4000,
  HEAVY_SHARE = 4, /* one row in so many, or more of them, are the same */
  MIN_HEAVY = 4
};
#define ROW_SCALE (-900) /* what mech/regression_rows.c multiplies rows by, undone */
#define SHEAR_LIMIT 0x1p7
#define SHELL_LIMIT 0x1p3
#define DEPENDENT 1e-9 /* what earlier rows leave of one that they give, in parts of it */
#define LONGEST 0x1p100

typedef struct {
  uint64_t hash;
  int row, count;
} heavy_row;

static int by_hash(const void *a, const void *b)
{
  uint64_t x = ((const heavy_row *)a)->hash, y = ((const heavy_row *)b)->hash;
  return (x > y) - (x < y);
}

static int by_count(const void *a, const void *b)
{
  const heavy_row *x = a, *y = b;
  return x->count != y->count ? (x->count < y->count) - (x->count > y->count) : by_hash(a, b);
}

static uint64_t hash_row(const dpd_regression *m, size_t i)
{
  uint64_t state = (uint64_t)dpd_bits(m->spec.y[i]);
  for (int j = 0; j < m->spec.k; j++) {
    double x = m->spec.fit[i + (size_t)j * dpd_regression_entries(m)];
    state = dpd_splitmix_next(&state) ^ (uint64_t)dpd_bits(x);
  }
  return dpd_splitmix_next(&state);
}

/* The heavy rows among every `by`-th, the heaviest first; how many there are. */
static int find_heavy(const dpd_regression *m, heavy_row *x, size_t rows, size_t by)
{
  int size = 0;
  for (size_t i = 0; i < rows; i++) {
    int entry = dpd_tally_entry(m->spec.tally, (int)(i * by));
    x[i] = (heavy_row){hash_row(m, (size_t)entry), entry, 0};
  }
  qsort(x, rows, sizeof *x, by_hash);
  for (size_t i = 0, next; i < rows; i = next) {
    for (next = i + 1; next < rows && x[next].hash == x[i].hash;)
      next++;
    if (next - i < MIN_HEAVY || (next - i) * HEAVY_SHARE < rows) continue;
    x[size] = x[i];
    x[size++].count = (int)(next - i);
  }
  qsort(x, (size_t)size, sizeof *x, by_count);
  return size;
}

/* Row i in steps of the axes, but for a factor. */
static void row_in_steps(const dpd_regression *m, size_t i, double *a)
{
  for (int j = 0; j < m->spec.k; j++) {
    double x = ldexp(m->all.fit[i + (size_t)j * dpd_regression_entries(m)], ROW_SCALE);
    a[j] = x * ldexp(m->lattice.step[j], -m->unit[j]);
  }
}

/* Takes from a what the rows before it give; each is 1 at its pivot and 0 at earlier ones. The
 * pivot of a, which is scaled to be 1 there; -1 if nothing is left. */
static int reduce_row(double *a, const double *before, const int *pivot, int found, int k)
{
  double whole = 0, left = 0;
  int at = -1;
  for (int j = 0; j < k; j++)
    whole = fmax(whole, fabs(a[j]));
  for (int l = 0; l < found; l++) {
    double times = a[pivot[l]];
    for (int j = 0; j < k; j++)
      a[j] -= times * before[l * k + j];
    a[pivot[l]] = 0;
  }
  for (int j = 0; j < k; j++)
    if (fabs(a[j]) > left) {
      left = fabs(a[j]);
      at = j;
    }
  if (!(left > DEPENDENT * whole)) return -1;
  double by = a[at];
  for (int j = 0; j < k; j++)
    a[j] = j == at ? 1 : a[j] / by;
  return at;
}

/* M, unit lower, of z = M w: axes without a row first, then the pivots, the first row's last. */
static void set_matrix(dpd_regression *m, const double *row, const int *pivot, int found,
                       double *matrix)
{
  int k = m->spec.k, free = 0;
  bool taken[64] = {false};
  for (int l = 0; l < found; l++) {
    taken[pivot[l]] = true;
    m->axis[k - 1 - l] = pivot[l];
  }
  for (int j = 0; j < k; j++)
    if (!taken[j]) m->axis[free++] = j;
  memset(matrix, 0, (size_t)(k * k) * sizeof *matrix);
  for (int j = 0; j < k; j++) {
    matrix[j * k + j] = 1;
    if (j < k - found) continue;
    const double *a = row + (k - 1 - j) * k;
    for (int l = 0; l < j; l++)
      for (int h = 0; h <= l; h++)
        matrix[j * k + h] -= a[m->axis[l]] * matrix[l * k + h];
  }
}

/* Sides to cut by: how far w must go for fits to change as much, relative to the longest. */
static void set_unit(const dpd_regression *m, const double *matrix, size_t rows, size_t by,
                     double *a, double *unit)
{
  int k = m->spec.k;
  double longest = 0;
  memset(unit, 0, (size_t)k * sizeof *unit);
  for (size_t i = 0; i < rows; i++) {
    row_in_steps(m, (size_t)dpd_tally_entry(m->spec.tally, (int)(i * by)), a);
    for (int h = 0; h < k; h++) {
      double c = 0;
      for (int j = h; j < k; j++)
        c += a[m->axis[j]] * matrix[j * k + h];
      unit[h] += fabs(c) / (double)rows;
    }
  }
  for (int h = 0; h < k; h++) {
    unit[h] = unit[h] > 0 ? 1 / unit[h] : INFINITY;
    if (isfinite(unit[h])) longest = fmax(longest, unit[h]);
  }
  for (int h = 0; h < k; h++)
    unit[h] = isfinite(unit[h]) ? fmax(unit[h] / longest, 1 / LONGEST) : LONGEST;
}

bool dpd_regression_set_atom_frame(dpd_regression *m, dpd_alloc alloc)
{
  size_t n = (size_t)m->spec.n, k = (size_t)m->spec.k, by = n / SAMPLE_ROWS + 1;
  size_t rows = (n + by - 1) / by;
  if (k < 2) return false;
  heavy_row *x = alloc(rows, sizeof *x);
  int heavy = find_heavy(m, x, rows, by), found = 0;
  if (heavy == 0) return false;
  double *row = alloc(2 * k * k + 2 * k, sizeof *row), *matrix = row + k * k;
  double *a = matrix + k * k, *unit = a + k;
  int *pivot = alloc(k, sizeof *pivot);
  for (int i = 0; i < heavy && found < (int)k; i++) {
    double *next = row + (size_t)found * k;
    row_in_steps(m, (size_t)x[i].row, next);
    pivot[found] = reduce_row(next, row, pivot, found, (int)k);
    m->heavy[found] = x[i].row;
    found += pivot[found] >= 0;
  }
  if (found == 0) return false;
  set_matrix(m, row, pivot, found, matrix);
  set_unit(m, matrix, rows, by, a, unit);
  dpd_shear_set(&m->shear, (int)k, matrix, unit, m->mass != NULL ? SHELL_LIMIT : SHEAR_LIMIT,
                alloc);
  m->heavy_count = m->shear.identity ? 0 : found;
  return true;
}
