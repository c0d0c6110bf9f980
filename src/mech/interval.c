/* interval.c - a private confidence interval of a quantile: two one-sided scans of public grids.
 *
 * METHOD: rows live on the public lattice of num/lattice. The first scan goes down a public grid
 *   from the upper bound and stops at the first point g with
 *     #{rows >= g} + nu_g > t + rho,
 *   rho and all nu_g independent, P(rho >= k) = e^(-eps_2 k), P(nu_g >= k) = 2^(-s k) with
 *   2^-s = e^-eps_3 but for rounding of s, eps_3 one of two, by the scan. The upper limit is the
 *   grid point before g: a quantile above it means that the scan passed a point at or below the
 *   quantile. The second scan goes up to where the first one ended, over points whose distance from
 *   there shrinks by a twentieth each time, with a rho, noises and a threshold of its own.
 *   Mirrored: the same of minus the rows.
 *   While the count of rows stays the same so does the chance to stop, and samp/waiting draws how
 *   many grid points are passed.
 * PRIVATE: replacing a row moves the counts of one scan by at most one, all of them up or all down,
 *   and those of the other scan the other way. Counts that go up cost eps_2 + eps_3 (rho and the
 *   last nu one higher), counts that go down eps_3: together eps_2 and both eps_3, which are
 *   public shares of eps. One-sided noises suffice: they are only shifted upward.
 * EXACT: rows, grids, counts and thresholds are integers, noises exact. rho ends at 2^40, which it
 *   exceeds with a probability below e^-300000; see the proofs.
 * COST: O(n) to open (radix sort, 20 bytes a row). A draw: O(n + cells) steps, and random numbers
 *   only for each stretch of grid points with one count.
 * DEGENERATE: a threshold below 0 stops at the first point: an infinite limit. Fewer lattice points
 *   than cells: the grid is all of them. Scans that cross give one limit twice.
 * REFERENCE: Dwork and Roth (2014), section 3.6 (sparse vector); Lyu, Su and Li (2017) for counts
 *   that move one way.
 */
#include "mech/interval.h"

#include <limits.h>
#include <math.h>

#include "num/sort.h"
#include "samp/bernoulli.h"
#include "samp/level.h"
#include "samp/waiting.h"

/* Lattices of 2^48 steps a half width; coarser for a prior so narrow that doubles end. */
enum { FINEST_BITS = 50, COARSEST_BITS = 20, BITS_LESS = 6 };
enum { SHRINK = 20, MOST_NOISE_BITS = 40 };

struct dpd_interval {
  dpd_interval_spec spec;
  dpd_lattice lattice;
  dpd_runs rows;      /* the different indexes, sorted */
  int64_t *grid;      /* of the scan that is made */
  uint64_t eps_2;     /* in units of 2^-DPD_RATE_BITS */
  dpd_u128 step_3[2]; /* eps_3 of either scan in bits: units of 2^-DPD_WAITING_BITS */
};

static dpd_status find_lattice(dpd_lattice *l, dpd_prior prior, dpd_alloc alloc)
{
  dpd_status status = DPD_ERR_DOMAIN;
  if (prior.d != 1 || prior.dyadic) return status;
  for (int bits = FINEST_BITS; status == DPD_ERR_DOMAIN && bits >= COARSEST_BITS; bits -= BITS_LESS)
    status = dpd_lattice_open(l, prior, bits, alloc);
  return status;
}

dpd_status dpd_interval_step(dpd_prior prior, double *step, dpd_alloc alloc)
{
  dpd_lattice lattice;
  DPD_TRY(find_lattice(&lattice, prior, alloc));
  *step = lattice.step[0];
  return DPD_OK;
}

/* A share of eps in units of 2^-DPD_RATE_BITS, rounded down. */
static uint64_t part_of(const dpd_interval_spec *spec, int k)
{
  return (uint64_t)((dpd_u128)spec->eps.num * (unsigned)spec->shares[k] / DPD_INTERVAL_SHARES);
}

static bool shares_add_up(const int *s)
{
  const int all = DPD_INTERVAL_SHARES;
  for (int k = 0; k < 3; k++)
    if (s[k] < 1 || s[k] > all) return false;
  return s[0] + s[1] + s[2] == all;
}

static void set_rows(dpd_interval *m, dpd_alloc alloc)
{
  const dpd_tally *t = m->spec.tally;
  size_t size = (size_t)dpd_tally_size(t, m->spec.n);
  dpd_runs *r = &m->rows;
  r->value = alloc(size, sizeof *r->value);
  r->end = alloc(size, sizeof *r->end);
  if (t != NULL) {
    dpd_counted *x = alloc(size + size / 2 + 1, sizeof *x);
    for (size_t i = 0; i < size; i++)
      x[i] = (dpd_counted){dpd_lattice_index(&m->lattice, 0, m->spec.data[i]), t->count[i]};
    dpd_runs_set(r, x, x + size, t->size);
    return;
  }
  for (size_t i = 0; i < size; i++)
    r->value[i] = dpd_lattice_index(&m->lattice, 0, m->spec.data[i]);
  dpd_sort_doubles(r->value, size, alloc(size, sizeof(double)));
  for (size_t i = 0; i < size; i++)
    r->end[i] = (int)i + 1;
  r->size = (int)size;
}

dpd_status dpd_interval_open(dpd_interval **out, const dpd_interval_spec *spec, dpd_alloc alloc)
{
  int n = spec->n;
  dpd_interval *m = alloc(1, sizeof *m);
  *out = m;
  m->spec = *spec;
  if (n < 1 || n == INT_MAX || spec->cells < 1 || spec->cells > DPD_INTERVAL_CELLS)
    return DPD_ERR_DOMAIN;
  if (spec->first < -n || spec->first > n || spec->second < -n || spec->second > n)
    return DPD_ERR_DOMAIN;
  if (!shares_add_up(spec->shares)) return DPD_ERR_DOMAIN;
  DPD_TRY(find_lattice(&m->lattice, spec->prior, alloc));
  /* the second grid has at most some 700 points */
  m->grid = alloc((size_t)spec->cells + 1024, sizeof *m->grid);
  set_rows(m, alloc);
  m->eps_2 = part_of(spec, 0);
  for (int k = 0; k < 2; k++)
    m->step_3[k] = dpd_level_step((dpd_rate){2 * part_of(spec, 1 + k)}); /* which halves it */
  return m->eps_2 > 0 && m->step_3[0] > 0 && m->step_3[1] > 0 ? DPD_OK : DPD_ERR_DOMAIN;
}

/* The value that comes as number k when scanning down (sign 1), or down minus the rows (-1), and
 * how many rows there are up to it. */
static int64_t value_at(const dpd_interval *m, int sign, int k)
{
  const dpd_runs *r = &m->rows;
  return sign > 0 ? (int64_t)r->value[r->size - 1 - k] : -(int64_t)r->value[k];
}

static int rows_to(const dpd_interval *m, int sign, int k)
{
  const dpd_runs *r = &m->rows;
  if (sign < 0) return r->end[k];
  return m->spec.n - (k + 1 < r->size ? r->end[r->size - 2 - k] : 0);
}

/* The first place from `from` on whose grid point is at most y, or `count`. */
static int first_at_most(const int64_t *grid, int from, int count, int64_t y)
{
  int to = count;
  while (from < to) {
    int mid = from + (to - from) / 2;
    if (grid[mid] <= y)
      to = mid;
    else
      from = mid + 1;
  }
  return to;
}

/* Scans down the grid's `count` points, with the first scan's noise or the second's; *stop is the
 * place where it stops, or `count`. */
static dpd_status scan(const dpd_interval *m, bool second, int count, dpd_rng *rng, int *stop)
{
  const int sign = m->spec.mirrored == second ? 1 : -1;
  const int threshold = second ? m->spec.second : m->spec.first;
  const uint64_t most = (uint64_t)1 << MOST_NOISE_BITS;
  uint64_t rho;
  DPD_TRY(dpd_geometric_exp(rng, m->eps_2, (uint64_t)1 << DPD_RATE_BITS, &rho));
  int64_t level = threshold + (int64_t)(rho < most ? rho : most);
  int at = 0, above = 0, next = 0;
  while (at < count) {
    for (; next < m->rows.size && value_at(m, sign, next) >= m->grid[at]; next++)
      above = rows_to(m, sign, next);
    if (above > level) break;
    int end = count;
    if (next < m->rows.size) end = first_at_most(m->grid, at + 1, count, value_at(m, sign, next));
    /* it stops where nu > level - above */
    dpd_u128 bits = m->step_3[second] * (dpd_u128)(level - above + 1);
    uint64_t passed, stretch = (uint64_t)(end - at);
    DPD_TRY(dpd_waiting_draw(rng, bits, stretch, &passed));
    at += (int)passed;
    if (passed < stretch) break;
  }
  *stop = at;
  return DPD_OK;
}

/* From hi down to lo, both included: `cells` cells that are equal but for rounding. */
static int even_grid(int64_t *grid, int64_t lo, int64_t hi, int cells)
{
  int64_t width = hi - lo;
  if (width < cells) cells = (int)width;
  if (cells == 0) cells = 1; /* one point, then counted once */
  int64_t whole = width / cells, rest = width % cells;
  for (int i = 0; i <= cells; i++)
    grid[i] = hi - i * whole - i * rest / cells;
  return width > 0 ? cells + 1 : 1;
}

/* Points -end + d, d = width and then less by a twentieth each time, down to 0. */
static int shrinking_grid(int64_t *grid, int64_t end, int64_t width)
{
  int count = 0;
  for (int64_t d = width;; d -= (d + SHRINK - 1) / SHRINK) {
    grid[count++] = d - end;
    if (d == 0) return count;
  }
}

dpd_status dpd_interval_draw(dpd_interval *m, dpd_rng *rng, double limits[2])
{
  const dpd_lattice *l = &m->lattice;
  int sign = m->spec.mirrored ? -1 : 1, stop;
  int64_t lo = (int64_t)(sign > 0 ? l->lo[0] : -l->hi[0]);
  int64_t hi = (int64_t)(sign > 0 ? l->hi[0] : -l->lo[0]);
  /* with a resolution the point itself is excluded, else the edge is kept */
  int64_t inner = m->spec.prior.resolution != NULL && m->spec.prior.resolution[0] > 0;
  int count = even_grid(m->grid, lo, hi, m->spec.cells);
  DPD_TRY(scan(m, false, count, rng, &stop));
  bool bounded = stop > 0;
  int64_t end = bounded ? m->grid[stop - 1] : hi, upper = end - inner;

  count = shrinking_grid(m->grid, end, end - lo);
  DPD_TRY(scan(m, true, count, rng, &stop));
  bool bounded_too = stop > 0;
  int64_t lower = bounded_too ? -m->grid[stop - 1] + inner : lo;
  if (bounded && bounded_too && lower > upper) lower = upper;

  double far = bounded ? dpd_lattice_value(l, 0, (double)(sign * upper)) : sign * INFINITY;
  double near = bounded_too ? dpd_lattice_value(l, 0, (double)(sign * lower)) : -sign * INFINITY;
  limits[0] = sign > 0 ? near : far;
  limits[1] = sign > 0 ? far : near;
  return DPD_OK;
}
