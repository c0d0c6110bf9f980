/* quantile.c - one quantile of one variable by the exponential mechanism: exact.
 *
 * METHOD: rows and candidates live on the public lattice. The score of z is
 *   s(z) = min(#{x <= z} - a, #{x >= z} - b), a = ceil(n p), b = ceil(n (1 - p)): one replaced row
 *   moves each count by at most one, so s by at most one; at least 0 just at the p-quantiles, and
 *   larger in an atom that reaches beyond them. s is cut to -K..K for a public K, which moves it by
 *   no more. s(z) >= k just where x_(a+k) <= z <= x_(n+1-b-k), order statistics; a rank below 1 or
 *   above n is no limit on that side, or an empty interval. Intervals are nested, and the draw is
 *   that of mech/axes: level 0 has the weight V_0 of the support, level t >= 1, where s >= t - K,
 *   (1 - q) q^-t V_t, V_t the prior mass of its interval, q = exp(-eps / 2).
 * K: what is beyond 2 * 85 / eps ranks of the quantile has weight below exp(-85), 2^-122, of an
 *   equal mass within: the cut saves time and memory, and costs no accuracy.
 * EXACT: as mech/axes.c.
 * COST: O(n) expected: one selection of the 2 K + 2 order statistics about the quantile. Of a
 *   tally's m entries, O(m log m + K).
 * DEGENERATE: n = 1; all rows equal: levels of one point up to K. Rows beyond the support are moved
 *   to its ends, so that a quantile beyond it is an end.
 * REFERENCE: McSherry and Talwar (2007), Theorem 6; Smith (2011).
 */
#include "mech/quantile.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "num/fine_lattice.h"
#include "num/select.h"
#include "samp/rng.h"

struct dpd_quantile {
  dpd_fine fine;
  int down;            /* levels below 0 */
  int64_t *low, *high; /* ends of the levels' intervals */
  dpd_product *product;
  dpd_levels levels;
};

#define REACH 170.0

int dpd_quantile_reach(int n, dpd_rate eps)
{
  double k = ceil(ldexp(REACH, DPD_RATE_BITS) / (double)eps.num);
  return k < n ? (int)k : n;
}

/* The order statistics from rank `least` on, from 1. */
typedef struct {
  const double *x;
  int min;
} ranked;

/* The order statistics that limit level t; false: it holds no point of the support. */
static bool set_level(dpd_quantile *m, const dpd_quantile_spec *s, ranked rows, int t, int k)
{
  int from = s->below + k, to = s->n + 1 - s->above - k;
  const double *x = rows.x;
  if (t > 0 && (from > s->n || to < 1)) return false;
  m->low[t] = t > 0 && from >= 1 ? dpd_fine_nearest(&m->fine, x[from - rows.min]) : m->fine.first;
  m->high[t] = t > 0 && to <= s->n ? dpd_fine_nearest(&m->fine, x[to - rows.min]) : m->fine.last;
  dpd_u128 mass = dpd_fine_between(&m->fine, m->low[t], m->high[t]);
  if (mass == 0) return false;
  dpd_product_one(m->product + t);
  dpd_product_times(m->product + t, mass);
  return true;
}

/* The order statistics of ranks lo..hi. Rounding to the lattice keeps the order, so that it can
 * wait until they are known. */
static ranked take_ranks(const dpd_quantile_spec *s, int lo, int hi, dpd_alloc alloc)
{
  const dpd_tally *t = s->tally;
  size_t n = (size_t)s->n;
  if (t == NULL) {
    double *x = alloc(n, sizeof *x);
    memcpy(x, s->data, n * sizeof *x);
    dpd_select_range(x, n, (size_t)lo - 1, (size_t)hi - 1);
    return (ranked){x, 1};
  }
  dpd_counted *entry = alloc((size_t)t->size + (size_t)t->size / 2 + 1, sizeof *entry);
  double *x = alloc((size_t)(hi - lo) + 1, sizeof *x);
  for (int i = 0; i < t->size; i++)
    entry[i] = (dpd_counted){s->data[i], t->count[i]};
  dpd_counted_sort(entry, entry + t->size, t->size);
  dpd_counted_ranks(entry, (dpd_ranks){lo, 1, hi - lo + 1}, x, 1);
  return (ranked){x, lo};
}

dpd_status dpd_quantile_open(dpd_quantile **out, const dpd_quantile_spec *spec, dpd_alloc alloc)
{
  int n = spec->n, min = spec->below < spec->above ? spec->above : spec->below;
  if (n < 1 || n == INT_MAX || spec->below < 0 || spec->above < 0 || min > n) return DPD_ERR_DOMAIN;
  int64_t both = (int64_t)spec->below + spec->above;
  if (both < n || both > (int64_t)n + 1) return DPD_ERR_DOMAIN;
  dpd_quantile *m = alloc(1, sizeof *m);
  *out = m;
  memset(m, 0, sizeof *m);
  DPD_TRY(dpd_fine_open(&m->fine, spec->prior, 0, alloc));
  int reach = dpd_quantile_reach(n, spec->eps), down = min < reach ? min : reach;
  int up = n - min < reach ? n - min : reach;
  int lo = spec->below - down, hi = spec->below + up + 1;
  if (n + 1 - spec->above - up < lo) lo = n + 1 - spec->above - up;
  if (n + 1 - spec->above + down > hi) hi = n + 1 - spec->above + down;
  lo = lo < 1 ? 1 : lo;
  hi = hi > n ? n : hi;
  ranked rows = take_ranks(spec, lo, hi, alloc);
  m->down = down;
  size_t room = (size_t)down + (size_t)up + 1;
  m->low = alloc(2 * room, sizeof *m->low);
  m->high = m->low + room;
  m->product = alloc(room, sizeof *m->product);
  int count = 0;
  while (count <= down + up && set_level(m, spec, rows, count, count - down))
    count++;
  dpd_u128 step = dpd_level_step(spec->eps);
  dpd_levels_settle(&m->levels, m->product, count, step, dpd_level_offset(step));
  return DPD_OK;
}

dpd_status dpd_quantile_draw(const dpd_quantile *m, dpd_rng *rng, double *x)
{
  int level;
  return dpd_quantile_draw_level(m, rng, x, &level);
}

dpd_status dpd_quantile_draw_level(const dpd_quantile *m, dpd_rng *rng, double *x, int *level)
{
  int k = 0;
  dpd_u128 unit;
  DPD_TRY(dpd_levels_draw(&m->levels, rng, &k));
  int64_t from = m->low[k];
  DPD_TRY(dpd_rng_below_u128(rng, dpd_fine_between(&m->fine, from, m->high[k]), &unit));
  *x = dpd_fine_value(&m->fine, dpd_fine_point(&m->fine, from, unit));
  *level = k > 0 ? k - m->down : INT_MIN;
  return DPD_OK;
}

const dpd_levels *dpd_quantile_levels(const dpd_quantile *m)
{
  return &m->levels;
}
