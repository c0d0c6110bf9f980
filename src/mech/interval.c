/* interval.c - a private confidence interval of a quantile: two one-sided scans of a public grid.
 *
 * METHOD: rows live on the public lattice of num/fine_lattice. A centre c is drawn by the
 *   exponential mechanism over ranks, mech/axes. The grid, public given c, is the two ends of
 *   the support and, on both sides of c, points whose distances from c grow by a public ratio from
 *   one step on: some hundred points however wide the support is.
 *   The first scan goes down the grid from the upper end and stops at the first point g with
 *     #{rows >= g} + nu_g > t + rho,
 *   rho and all nu_g independent, P(rho >= k) = e^(-eps_2 k), P(nu_g >= k) = 2^(-s k) with
 *   2^-s = e^-eps_3 but for rounding of s, eps_3 one of two, by the scan. The upper limit is the
 *   last point passed: a quantile at or above it means that the scan passed a point at or below the
 *   quantile. The second scan goes up from the lower end, over rows at or below, with a rho, noises
 *   and a threshold of its own.
 *   Without a share for the centre: the first scan's grid is even, and where it ended is the second
 *   scan's c. Without a share for the second scan there is none. Mirrored: the same of minus the
 *   rows.
 *   While the count of rows stays the same so does the chance to stop, and samp/first_success
 *   draws how many grid points are passed.
 * PRIVATE: c costs eps_c. Given the grid, replacing a row moves the counts of one scan by at most
 *   one, all of them up or all down, and those of the other scan the other way. Counts that go up
 *   cost eps_2 + eps_3 (rho and the last nu one higher), counts that go down eps_3: together eps_2
 *   and both eps_3. All are public shares of eps. One-sided noises suffice: they are only shifted
 *   upward. Each scan needs a rho of its own.
 * EXACT: rows, grids, counts and thresholds are integers, noises exact. rho ends at 2^40, which it
 *   exceeds with a probability below e^-300000; see the proofs.
 * COST: O(n) to open (radix sort, 20 bytes per row). A draw: O(n + points) steps, and random
 *   numbers only for each stretch of grid points with one count.
 * DEGENERATE: a threshold below 0 stops at the first point: an infinite limit. Fewer lattice points
 *   than cells: the even grid is all of them. Scans that cross: the limits change places.
 * REFERENCE: Dwork and Roth (2014), section 3.6 (sparse vector); Lyu, Su and Li (2017) for counts
 *   that move one way.
 */
#include "mech/interval.h"

#include <limits.h>
#include <math.h>

#include "mech/axes.h"
#include "num/fine_lattice.h"
#include "num/sort.h"
#include "samp/bernoulli.h"
#include "samp/level.h"
#include "samp/first_success.h"

/* A grid about a centre has at most 2 * 16 * (53 log 2 + log 16) points for the least ratio. */
enum { MOST_GROWTH = 32, MOST_CENTRED = 4096, MOST_NOISE_BITS = 40 };

struct dpd_interval {
  dpd_interval_spec spec;
  dpd_fine fine;
  dpd_boxes *centre; /* or NULL */
  dpd_runs rows;     /* the different positions, sorted */
  int64_t *grid;     /* of the scan that is made, and how many */
  int points;
  uint64_t eps_2;     /* in units of 2^-DPD_RATE_BITS */
  dpd_u128 step_3[2]; /* eps_3 of either scan in bits: units of 2^-DPD_SUCCESS_BITS */
};

/* A share of eps in units of 2^-DPD_RATE_BITS, rounded down. */
static uint64_t part_of(const dpd_interval_spec *spec, int k)
{
  return (uint64_t)((dpd_u128)spec->eps.num * (unsigned)spec->shares[k] / DPD_INTERVAL_SHARES);
}

static bool shares_add_up(const int *s)
{
  const int all = DPD_INTERVAL_SHARES;
  for (int k = 0; k < 4; k++)
    if (s[k] < (k == 1 || k == 2) || s[k] > all) return false;
  return s[0] + s[1] + s[2] + s[3] == all;
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
      x[i] = (dpd_counted){(double)dpd_fine_index(&m->fine, m->spec.data[i]), t->count[i]};
    dpd_runs_set(r, x, x + size, t->size);
    return;
  }
  for (size_t i = 0; i < size; i++)
    r->value[i] = (double)dpd_fine_index(&m->fine, m->spec.data[i]);
  dpd_sort_doubles(r->value, size, alloc(size, sizeof(double)));
  for (size_t i = 0; i < size; i++)
    r->end[i] = (int)i + 1;
  r->size = (int)size;
}

static dpd_status open_centre(dpd_interval *m, dpd_alloc alloc)
{
  const dpd_interval_spec *s = &m->spec;
  dpd_axes_spec centre = {.n = s->n,
                          .d = 1,
                          .data = s->data,
                          .tally = s->tally,
                          .prior = s->prior,
                          .eps = {part_of(s, 0)},
                          .below = s->below,
                          .above = s->above,
                          .cut = true,
                          .to_ends = true};
  if (centre.eps.num == 0) return DPD_ERR_DOMAIN;
  DPD_TRY(dpd_axes_open(&m->centre, &centre, alloc));
  return dpd_boxes_prepare(m->centre);
}

dpd_status dpd_interval_open(dpd_interval **out, const dpd_interval_spec *spec, dpd_alloc alloc)
{
  int n = spec->n;
  dpd_interval *m = alloc(1, sizeof *m);
  *out = m;
  m->spec = *spec;
  m->centre = NULL;
  if (n < 1 || n == INT_MAX || spec->cells < 1 || spec->cells > DPD_INTERVAL_CELLS)
    return DPD_ERR_DOMAIN;
  if (spec->growth < 1 || spec->growth > MOST_GROWTH) return DPD_ERR_DOMAIN;
  if (spec->first < -n || spec->first > n || spec->second < -n || spec->second > n)
    return DPD_ERR_DOMAIN;
  if (!shares_add_up(spec->shares)) return DPD_ERR_DOMAIN;
  DPD_TRY(dpd_fine_open(&m->fine, spec->prior, 0, alloc));
  if (spec->shares[0] > 0) DPD_TRY(open_centre(m, alloc));
  size_t even = spec->shares[0] > 0 ? 0 : (size_t)spec->cells + 1;
  m->grid = alloc(even < MOST_CENTRED ? MOST_CENTRED : even, sizeof *m->grid);
  set_rows(m, alloc);
  m->eps_2 = part_of(spec, 1);
  for (int k = 0; k < 2; k++)
    m->step_3[k] = dpd_level_step((dpd_rate){2 * part_of(spec, 2 + k)}); /* which halves it */
  bool drawn = m->step_3[1] > 0 || spec->shares[3] == 0;
  return m->eps_2 > 0 && m->step_3[0] > 0 && drawn ? DPD_OK : DPD_ERR_DOMAIN;
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

/* Scans down the grid with the first scan's noise or the second's, which sees minus the grid and
 * minus the rows; *stop is the place where it stops, or the number of points. */
static dpd_status scan(const dpd_interval *m, bool second, dpd_rng *rng, int *stop)
{
  const int sign = m->spec.mirrored == second ? 1 : -1;
  const int threshold = second ? m->spec.second : m->spec.first, count = m->points;
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
    DPD_TRY(dpd_first_success(rng, bits, stretch, &passed));
    at += (int)passed;
    if (passed < stretch) break;
  }
  *stop = at;
  return DPD_OK;
}

/* From hi down to lo, both included: `cells` cells that are equal but for rounding. */
static void even_grid(dpd_interval *m, int64_t lo, int64_t hi)
{
  int64_t width = hi - lo, cells = m->spec.cells;
  if (width < cells) cells = width;
  m->points = 0;
  for (int64_t i = 0; i < cells; i++)
    m->grid[m->points++] = hi - i * (width / cells) - i * (width % cells) / cells;
  m->grid[m->points++] = lo;
}

/* The next distance from the centre: a part of 1 / growth more, and one step at least. */
static int64_t next_distance(const dpd_interval *m, int64_t d)
{
  return d + (d >= m->spec.growth ? d / m->spec.growth : 1);
}

/* From hi down to lo, both included, about c between them. */
static void grid_about(dpd_interval *m, int64_t c, int64_t lo, int64_t hi)
{
  int down = 0;
  m->points = 0;
  if (hi > c) m->grid[m->points++] = hi;
  /* outwards, then turned round */
  int up = m->points;
  for (int64_t d = 1; d < hi - c; d = next_distance(m, d))
    m->grid[m->points++] = c + d;
  for (int i = up, j = m->points - 1; i < j; i++, j--) {
    int64_t kept = m->grid[i];
    m->grid[i] = m->grid[j];
    m->grid[j] = kept;
  }
  m->grid[m->points++] = c;
  for (int64_t d = 1; d < c - lo; d = next_distance(m, d), down++)
    m->grid[m->points++] = c - d;
  if (c > lo) m->grid[m->points++] = lo;
}

/* Minus the grid, still from above downwards. */
static void turn_grid(dpd_interval *m)
{
  for (int i = 0, j = m->points - 1; i <= j; i++, j--) {
    int64_t kept = -m->grid[i];
    m->grid[i] = -m->grid[j];
    m->grid[j] = kept;
  }
}

/* The last point passed, or what lies a step inside it, at or above `end`. */
static int64_t last_passed(const dpd_interval *m, int stop, int64_t end)
{
  /* with a resolution the point itself is excluded, else the edge is kept */
  bool inner =
      m->spec.prior.dyadic || (m->spec.prior.resolution != NULL && m->spec.prior.resolution[0] > 0);
  int64_t z = m->grid[stop - 1] - inner;
  return z > end ? z : end;
}

static dpd_status draw_centre(const dpd_interval *m, dpd_rng *rng, int64_t *c)
{
  double x;
  DPD_TRY(dpd_boxes_draw(m->centre, rng, &x));
  *c = dpd_fine_nearest(&m->fine, x);
  if (m->spec.mirrored) *c = -*c;
  return DPD_OK;
}

dpd_status dpd_interval_draw(dpd_interval *m, dpd_rng *rng, double drawn[3])
{
  const dpd_fine *f = &m->fine;
  int sign = m->spec.mirrored ? -1 : 1, stop, stop_too;
  int64_t lo = sign > 0 ? f->first : -f->last, hi = sign > 0 ? f->last : -f->first, c = hi;
  if (m->centre != NULL) {
    DPD_TRY(draw_centre(m, rng, &c));
    grid_about(m, c, lo, hi);
  } else {
    even_grid(m, lo, hi);
  }
  DPD_TRY(scan(m, false, rng, &stop));
  int64_t far = stop > 0 ? last_passed(m, stop, lo) : hi;
  if (m->centre == NULL) grid_about(m, stop > 0 ? m->grid[stop - 1] : hi, lo, hi);
  turn_grid(m);
  stop_too = 0;
  if (m->spec.shares[3] > 0) DPD_TRY(scan(m, true, rng, &stop_too));
  int64_t near = stop_too > 0 ? -last_passed(m, stop_too, -hi) : lo;
  if (near > far) {
    int64_t kept = near;
    near = far;
    far = kept;
  }
  double up = stop > 0 ? dpd_fine_value(f, sign * far) : sign * INFINITY;
  double down = stop_too > 0 ? dpd_fine_value(f, sign * near) : -sign * INFINITY;
  drawn[0] = sign > 0 ? down : up;
  drawn[1] = sign > 0 ? up : down;
  drawn[2] = m->centre != NULL ? dpd_fine_value(f, sign * c) : NAN;
  return DPD_OK;
}
