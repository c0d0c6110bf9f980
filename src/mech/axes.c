/* axes.c - the exponential mechanism over depth along the axes: exact in any dimension.
 *
 * METHOD: rows and candidates live on the public lattice of num/lattice. The score of z is
 *   h(z) = min over axes j of min(#{x_j <= z_j}, #{x_j >= z_j}), which one replaced row moves by at
 *   most one. h(z) >= k just where x_j,(k) <= z_j <= x_j,(n+1-k) on every axis, order statistics of
 *   the rows: a box, cut to the prior's support. Its prior mass V_k is a product of integers
 *   (num/prior_mass). A level k is drawn with weight V_0 for k = 0 and (1 - q) q^-k V_k for k >= 1,
 *   q = exp(-eps / 2), then a point of its box by the prior: independent integers, no rejection.
 *   So z has weight prior(z) f(h(z)), f(t) = 1 + (1 - q) (q^-1 + ... + q^-t) = q^-t: levels go as
 *   far as boxes hold a point, with ties beyond n / 2.
 * EXACT: order statistics, masses and draws are integers. V_k is kept to 64 bits, rounded down:
 *   d factors cost less than d 2^-62; samp/level adds 2^-59. The law is off by factors within
 *   exp(+-2^-35) for d <= 2^26, which dpd_rate's slack of 2^-34 pays. The factor 1 - q is a little
 *   too small, which keeps f(t + 1) <= q^-1 f(t): see the proofs.
 * COST: O(n d) with radix sort, O(n) memory beyond the data: two columns and 16 bytes a level.
 *   Of a tally's m entries, O(d m log m): levels between which no box changes are one run, of which
 *   there are at most 2 a value of a column. Memory: 12 bytes a value and 20 a run.
 * DEGENERATE: one row: levels 0 and 1. Constant columns: all n levels, of one point on that axis.
 *   Rows beyond the support are clamped, and end the levels that need them.
 * REFERENCE: McSherry and Talwar (2007), Theorem 6.
 */
#include "mech/axes.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "num/prior_mass.h"
#include "num/select.h"
#include "num/sort.h"
#include "samp/level.h"
#include "samp/rng.h"

/* Lattices of 2^48 steps a half width; coarser for a prior so narrow that doubles end. */
enum { MOST_BITS = 50, MIN_BITS = 20, FEWER_BITS = 6, MOST_AXES = 1 << 26 };

struct dpd_axes {
  dpd_axes_spec spec;
  dpd_lattice lattice;
  dpd_mass mass;
  dpd_product *product;
  dpd_levels levels;
  double *column, *work;
  dpd_runs *of;     /* of a tally: each column's values, */
  int *first, runs; /* and the runs of levels; `product` is one a run */
  int next;         /* the column whose turn it is */
  int count;        /* levels that hold a point so far */
  int level;        /* of the draw that is being made; -1: none */
  int drawn;        /* of the last one */
};

static dpd_status open_lattice(dpd_lattice *l, dpd_prior prior, dpd_alloc alloc)
{
  dpd_status status = DPD_ERR_DOMAIN;
  if (prior.d > MOST_AXES) return status;
  for (int bits = MOST_BITS; status == DPD_ERR_DOMAIN && bits >= MIN_BITS; bits -= FEWER_BITS)
    status = dpd_lattice_open(l, prior, bits, alloc);
  return status;
}

static int by_size(const void *a, const void *b)
{
  return *(const int *)a - *(const int *)b;
}

/* The levels at which a box changes along some axis: those of row k and of row n + 1 - k. */
static void set_first(dpd_axes *m, dpd_alloc alloc)
{
  int n = m->spec.n, size = 0, runs = 0;
  size_t room = 2;
  for (int j = 0; j < m->spec.d; j++)
    room += 2 * (size_t)m->of[j].size;
  m->first = alloc(room, sizeof *m->first);
  m->first[size++] = 0;
  m->first[size++] = 1;
  for (int j = 0; j < m->spec.d; j++)
    for (int i = 0; i + 1 < m->of[j].size; i++) {
      m->first[size++] = m->of[j].end[i] + 1;
      m->first[size++] = n + 1 - m->of[j].end[i];
    }
  qsort(m->first, (size_t)size, sizeof *m->first, by_size);
  for (int i = 0; i < size; i++)
    if (i == 0 || m->first[i] != m->first[i - 1]) m->first[runs++] = m->first[i];
  m->runs = runs;
}

/* The columns of a tally, sorted on the lattice. */
static void set_runs(dpd_axes *m, dpd_alloc alloc)
{
  const dpd_tally *t = m->spec.tally;
  size_t size = (size_t)t->size;
  dpd_counted *x = alloc(size + size / 2 + 1, sizeof *x);
  m->of = alloc((size_t)m->spec.d, sizeof *m->of);
  dpd_runs all = {0, alloc(size, sizeof *all.value), alloc(size, sizeof *all.end)};
  for (int j = 0; j < m->spec.d; j++) {
    for (size_t i = 0; i < size; i++) {
      x[i].key = dpd_lattice_index(&m->lattice, j, m->spec.data[i + (size_t)j * size]);
      x[i].count = t->count[i];
    }
    dpd_runs_set(&all, x, x + size, t->size);
    size_t values = (size_t)all.size;
    m->of[j] = (dpd_runs){all.size, alloc(values, sizeof(double)), alloc(values, sizeof(int))};
    memcpy(m->of[j].value, all.value, values * sizeof(double));
    memcpy(m->of[j].end, all.end, values * sizeof(int));
  }
  set_first(m, alloc);
}

dpd_status dpd_axes_open(dpd_axes **out, const dpd_axes_spec *spec, dpd_alloc alloc)
{
  size_t n = (size_t)spec->n;
  dpd_axes *m = alloc(1, sizeof *m);
  *out = m;
  memset(m, 0, sizeof *m);
  m->spec = *spec;
  if (spec->n < 1 || spec->n == INT_MAX || spec->prior.d != spec->d) return DPD_ERR_DOMAIN;
  DPD_TRY(open_lattice(&m->lattice, spec->prior, alloc));
  dpd_mass_open(&m->mass, alloc);
  m->level = -1;
  m->count = spec->n + 1;
  if (spec->tally != NULL) {
    set_runs(m, alloc);
    m->product = alloc((size_t)m->runs, sizeof *m->product);
    return DPD_OK;
  }
  m->runs = m->count;
  m->column = alloc(2 * n, sizeof *m->column);
  m->work = m->column + n;
  m->product = alloc(n + 1, sizeof *m->product);
  return DPD_OK;
}

/* Column j on the lattice. */
static void set_column(dpd_axes *m, int j)
{
  size_t n = (size_t)m->spec.n;
  const double *x = m->spec.data + (size_t)j * n;
  dpd_mass_set(&m->mass, &m->lattice, j);
  for (size_t i = 0; i < n; i++)
    m->column[i] = dpd_lattice_index(&m->lattice, j, x[i]);
}

/* Makes column j the one whose rows row_at() gives. */
static void sort_column(dpd_axes *m, int j)
{
  if (m->of != NULL) {
    dpd_mass_set(&m->mass, &m->lattice, j);
    return;
  }
  set_column(m, j);
  dpd_sort_doubles(m->column, (size_t)m->spec.n, m->work);
}

/* The row of that rank along axis j, from 1. */
static int64_t row_at(const dpd_axes *m, int j, int rank)
{
  return (int64_t)(m->of != NULL ? dpd_runs_row(m->of + j, rank) : m->column[rank - 1]);
}

/* Multiplies each level's product by the mass of its box along axis j. */
static void add_column(dpd_axes *m, int j)
{
  int n = m->spec.n;
  sort_column(m, j);
  for (int r = 0; r < m->runs; r++) {
    int k = m->first != NULL ? m->first[r] : r;
    int64_t from = k > 0 ? row_at(m, j, k) : m->mass.lo;
    int64_t to = k > 0 ? row_at(m, j, n + 1 - k) : m->mass.hi;
    dpd_u128 mass = dpd_mass_between(&m->mass, from, to);
    if (mass == 0) {
      m->runs = r; /* boxes are nested: none above holds a point */
      m->count = k;
      return;
    }
    if (j == 0) dpd_product_one(m->product + r); /* memory of empty levels is never touched */
    dpd_product_times(m->product + r, mass);
  }
}

dpd_status dpd_axes_prepare(dpd_axes *m)
{
  add_column(m, m->next);
  m->next++;
  if (m->next < m->spec.d) return DPD_AGAIN;
  dpd_u128 step = dpd_level_step(m->spec.eps);
  dpd_level_runs runs = {m->product, m->first, m->runs, m->count};
  dpd_levels_settle_runs(&m->levels, runs, step, dpd_level_offset(step));
  m->next = 0;
  return DPD_OK;
}

/* The ends of the level's box along axis j. */
static void find_ends(dpd_axes *m, int j, int64_t *from, int64_t *to)
{
  size_t n = (size_t)m->spec.n, k = (size_t)m->level;
  if (k == 0) {
    dpd_mass_set(&m->mass, &m->lattice, j);
    *from = m->mass.lo;
    *to = m->mass.hi;
    return;
  }
  if (m->of != NULL) {
    dpd_mass_set(&m->mass, &m->lattice, j);
    *from = row_at(m, j, m->level);
    *to = row_at(m, j, m->spec.n + 1 - m->level);
    return;
  }
  set_column(m, j);
  dpd_select_range(m->column, n, k - 1, k - 1);
  *from = (int64_t)m->column[k - 1];
  dpd_select_range(m->column, n, n - k, n - k);
  *to = (int64_t)m->column[n - k];
}

dpd_status dpd_axes_draw(dpd_axes *m, dpd_rng *rng, double *x)
{
  int64_t from, to;
  dpd_u128 unit;
  if (m->level < 0) DPD_TRY(dpd_levels_draw(&m->levels, rng, &m->level));
  find_ends(m, m->next, &from, &to);
  DPD_TRY(dpd_rng_below_u128(rng, dpd_mass_between(&m->mass, from, to), &unit));
  int64_t z = dpd_mass_point(&m->mass, from, unit);
  x[m->next] = dpd_lattice_value(&m->lattice, m->next, (double)z);
  m->next++;
  if (m->next < m->spec.d) return DPD_AGAIN;
  m->next = 0;
  m->drawn = m->level;
  m->level = -1;
  return DPD_OK;
}

int dpd_axes_width(const dpd_axes *m)
{
  return m->spec.d;
}

int dpd_axes_level(const dpd_axes *m)
{
  return m->drawn;
}

dpd_status dpd_axes_steps(dpd_prior prior, double *step, dpd_alloc alloc)
{
  dpd_lattice lattice;
  DPD_TRY(open_lattice(&lattice, prior, alloc));
  memcpy(step, lattice.step, (size_t)prior.d * sizeof *step);
  return DPD_OK;
}

const dpd_levels *dpd_axes_levels(const dpd_axes *m)
{
  return &m->levels;
}
