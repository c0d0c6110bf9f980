/* quantile_node.c - ordered points of a stretch of one axis by their rank score: an exact draw.
 *
 * METHOD: the score v is the variation of the path S_0 = 0, S_j = c(z_j) - G_j, S_(k+1) = e, G the
 *   sums of gaps, e = rows - G_(k+1). It is twice the rank score N. Its cut at `cut` moves it by no
 *   more than it moves. The distribution is a sum of two:
 *     q^v - q^cut where v < cut, and q^cut for all ordered vectors.
 *   Second part: k points by the prior, sorted: mass V^k / k!, V the prior mass of the stretch.
 *   First part: with v < cut, |S_j| + |S_j - e| < cut: each S_j lies in a window. Rows cut the
 *   stretch into intervals 0..rows on which c is constant; w_i is the mass of interval i. Points
 *   that share an interval are a run. With the run's last point z_j in interval i,
 *     B_j(i) = sum over i' > i of q^|i' - i - gap_(j+1)| A_(j+1)(i'), B_k(i) = q^|rows - i - gap|,
 *     A_j(i) = sum over lengths r of q^(gap_(j+1) + ... + gap_(j+r-1)) w_i^r / r! B_(j+r-1)(i)
 *   are the weights of all that may follow. Then runs are drawn from the left, each by these
 *   weights, its points by the prior within the interval, sorted: r iid points sorted have
 *   probability r! / (product of multiplicities!) prod prior / w^r, which is why the distribution
 *   has multiplicities in it. A vector with v >= cut is refused, others are accepted with
 *   1 - q^(cut - v).
 *   Sums in O(1) per place: i' >= i + gap is a suffix sum with factor q per step. i < i' < i + gap
 *   is a moving sum of gap - 1 terms: places are cut into chunks of that length, and it is the end
 *   of one chunk and the beginning of the next (van Herk). No differences: all terms are positive.
 * EXACT: weights have 64 bits and round down (samp/weight). From the weights of one step to those
 *   of the step before, a term passes at most 4 `cut` + 128 roundings, and `cut` more in a choice;
 *   k steps are chosen, and cut <= 2^20, 2^24 / k^2: the distribution is off by factors within
 *   exp(+-2^-36).
 *   Powers of q beyond `cut` are left out, of vectors with v >= cut alone. See the proofs.
 * COST: O(k^2 cut) once per node, O(k cut) per draw. What is refused of the first part weighs no
 *   more than the second: two draws are expected at most, whatever the data.
 * DEGENERATE: no rows; one position; e beyond the cut: the second part alone.
 * REFERENCE: McSherry and Talwar (2007), Theorem 6; van Herk (1992) for moving sums.
 */
#include "mech/quantile_node.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "num/sort.h"
#include "samp/bernoulli.h"
#include "samp/rng.h"
#include "samp/weight.h"

enum { MOST_PLACES = 1 << 24, MOST_CUT = 1 << 20 };

struct dpd_quantile_work {
  int64_t room;       /* places of a window */
  dpd_product *power; /* q^0 .. q^cut */
  dpd_product *a, *b; /* k windows each: A_j, B_j */
  dpd_product *w, *choice, *prefix, *suffix;
  int64_t powers;
  int64_t lo[DPD_QUANTILE_SPLITS + 1], hi[DPD_QUANTILE_SPLITS + 1]; /* windows, j = 1..k */
};

dpd_quantile_rate dpd_quantile_rate_of(dpd_rate eps, int k, int n, int bits)
{
  double h = ldexp((double)eps.num, -DPD_RATE_BITS - 2);
  double q = exp(-h) * (1 + 0x1p-50), places = (double)MOST_PLACES / ((double)k * k);
  dpd_quantile_rate rate = {.q = q < 1 - 0x1p-53 ? q : 1 - 0x1p-53, .cut = 2 * (int64_t)n + 1};
  if (rate.q < DBL_MIN) rate.q = DBL_MIN;
  /* 45: the mass of a stretch over that of an interval, in nats; 40: what is left is rare */
  double cut = ceil((45.0 * k + 40) / h);
  /* the least v is at most k times the rows of a cell: so many where all rows share a point */
  cut += ceil(k * (40 + ldexp(1.25 * n, -bits)));
  cut = fmin(fmin(cut, floor(places)), MOST_CUT);
  if (cut < (double)rate.cut) rate.cut = (int64_t)cut;
  return rate;
}

dpd_quantile_work *dpd_quantile_work_open(int k, int64_t cut, int64_t n, dpd_alloc alloc)
{
  dpd_quantile_work *m = alloc(1, sizeof *m);
  size_t room = (size_t)(cut < n ? cut : n) + 2;
  m->room = (int64_t)room;
  m->power = alloc((size_t)cut + 1, sizeof *m->power);
  m->a = alloc((2 * (size_t)k + 4) * room, sizeof *m->a);
  m->b = m->a + (size_t)k * room;
  m->w = m->b + (size_t)k * room;
  m->choice = m->w + room;
  m->prefix = m->choice + room;
  m->suffix = m->prefix + room;
  return m;
}

static void set_powers(dpd_quantile_work *m, dpd_quantile_rate rate)
{
  dpd_product q = dpd_weight_double(rate.q);
  dpd_product_one(m->power);
  for (int64_t x = 1; x <= rate.cut; x++)
    m->power[x] = dpd_weight_times(m->power[x - 1], q);
  m->powers = rate.cut;
}

static dpd_product power_of(const dpd_quantile_work *m, int64_t x)
{
  return x <= m->powers ? m->power[x] : dpd_weight_zero();
}

static dpd_product *row_of(dpd_product *all, const dpd_quantile_work *m, int j)
{
  return all + (size_t)(j - 1) * (size_t)m->room - m->lo[j];
}

/* The windows of c(z_j); false: no vector is below the cut. */
static bool set_windows(const dpd_quantile_node *d, dpd_quantile_work *m)
{
  int64_t total = 0, sum = 0;
  for (int j = 0; j <= d->k; j++)
    total += d->gap[j];
  int64_t e = d->rows - total, spare = d->rate.cut - 1 - llabs(e);
  if (spare < 0) return false;
  for (int j = 1; j <= d->k; j++) {
    sum += d->gap[j - 1];
    int64_t lo = sum + (e < 0 ? e : 0) - spare / 2, hi = sum + (e > 0 ? e : 0) + spare / 2;
    m->lo[j] = lo > 0 ? lo : 0;
    m->hi[j] = hi < d->rows ? hi : d->rows;
    if (m->lo[j] > m->hi[j]) return false;
  }
  return true;
}

/* The positions of interval i: where exactly i rows are at or below. May be none. */
static void interval_ends(const dpd_quantile_node *d, int64_t i, int64_t *from, int64_t *to)
{
  *from = i > 0 && d->row[i - 1] > d->from ? d->row[i - 1] : d->from;
  *to = i < d->rows && d->row[i] <= d->to ? d->row[i] - 1 : d->to;
}

static dpd_u128 interval_mass(const dpd_quantile_node *d, int64_t i)
{
  int64_t from, to;
  interval_ends(d, i, &from, &to);
  return dpd_fine_between(d->fine, from, to);
}

/* The moving sums' parts for A = a[lo..hi]: chunks of `length` places, counted from lo. */
static void set_chunks(dpd_quantile_work *m, const dpd_product *a, int64_t lo, int64_t hi,
                       int64_t length)
{
  dpd_product q = m->power[1];
  for (int64_t x = lo; x <= hi; x++) {
    dpd_product v = a[x];
    if ((x - lo) % length != 0) v = dpd_weight_add(v, dpd_weight_times(q, m->prefix[x - 1 - lo]));
    m->prefix[x - lo] = v;
  }
  for (int64_t x = hi; x >= lo; x--) {
    int64_t end = lo + ((x - lo) / length + 1) * length - 1;
    dpd_product v = dpd_weight_times(power_of(m, end - x), a[x]);
    if (x < hi && x < end) v = dpd_weight_add(v, m->suffix[x + 1 - lo]);
    m->suffix[x - lo] = v;
  }
}

/* sum of q^(s + length - x) a[x] over x = s .. s + length - 1. */
static dpd_product moving_sum(const dpd_quantile_work *m, int64_t lo, int64_t hi, int64_t s,
                              int64_t length)
{
  dpd_product sum = dpd_weight_zero();
  int64_t last = s + length - 1;
  if (last < lo || s > hi) return sum;
  int64_t chunk = lo + (last - lo) / length * length; /* where the chunk of `last` begins */
  if (chunk <= hi) {
    int64_t x = last < hi ? last : hi;
    sum = dpd_weight_times(power_of(m, last + 1 - x), m->prefix[x - lo]);
  }
  if (s >= lo && s < chunk)
    sum = dpd_weight_add(
        sum, dpd_weight_times(power_of(m, s + length - (chunk - 1)), m->suffix[s - lo]));
  return sum;
}

/* B_j on its window, of A_(j+1). */
static void set_after(const dpd_quantile_node *d, dpd_quantile_work *m, int j)
{
  dpd_product *b = row_of(m->b, m, j);
  if (j == d->k) {
    for (int64_t i = m->lo[j]; i <= m->hi[j]; i++)
      b[i] = power_of(m, llabs(d->rows - i - d->gap[j]));
    return;
  }
  const dpd_product *a = row_of(m->a, m, j + 1);
  int64_t lo = m->lo[j + 1], hi = m->hi[j + 1], gap = d->gap[j], length = gap - 1;
  dpd_product *beyond = m->choice; /* sums of q^(x' - x) a[x'] over x' >= x */
  for (int64_t x = hi; x >= lo; x--) {
    dpd_product v = a[x];
    if (x < hi) v = dpd_weight_add(v, dpd_weight_times(m->power[1], beyond[x + 1 - lo]));
    beyond[x - lo] = v;
  }
  if (length > 0) set_chunks(m, a, lo, hi, length);
  for (int64_t i = m->lo[j]; i <= m->hi[j]; i++) {
    int64_t x = gap > 0 ? i + gap : i + 1, at = x > lo ? x : lo;
    dpd_product sum = dpd_weight_zero();
    if (at <= hi) sum = dpd_weight_times(power_of(m, at - i - gap), beyond[at - lo]);
    if (length > 0) sum = dpd_weight_add(sum, moving_sum(m, lo, hi, i + 1, length));
    b[i] = sum;
  }
}

/* The weights of runs of 1, 2, ... points that begin with point j, in interval i. Returns how many
 * lengths there are. */
static int run_weights(const dpd_quantile_node *d, const dpd_quantile_work *m, int j, int64_t i,
                       dpd_product w, dpd_product *out)
{
  dpd_product run = w;
  int64_t held = 0;
  int count = 0;
  for (int r = 1; j + r - 1 <= d->k; r++) {
    int last = j + r - 1;
    if (i < m->lo[last] || i > m->hi[last] || held > m->powers) break;
    const dpd_product *b = m->b + (size_t)(last - 1) * (size_t)m->room;
    out[count++] = dpd_weight_times(dpd_weight_times(run, power_of(m, held)), b[i - m->lo[last]]);
    held += d->gap[last]; /* the gap after z_last, which a longer run leaves empty */
    run = dpd_weight_over(dpd_weight_times(run, w), (uint32_t)r + 1);
  }
  return count;
}

static void set_before(const dpd_quantile_node *d, dpd_quantile_work *m, int j)
{
  dpd_product *a = row_of(m->a, m, j), run[DPD_QUANTILE_SPLITS];
  for (int64_t i = m->lo[j]; i <= m->hi[j]; i++) {
    int count = run_weights(d, m, j, i, dpd_weight_whole(interval_mass(d, i)), run);
    a[i] = dpd_weight_zero();
    for (int r = 0; r < count; r++)
      a[i] = dpd_weight_add(a[i], run[r]);
  }
}

/* The weights of the first place of the run that begins with point j, after interval `before` (-1:
 * none), into m->choice. */
static size_t set_choice(const dpd_quantile_node *d, dpd_quantile_work *m, int j, int64_t before)
{
  const dpd_product *a = row_of(m->a, m, j);
  int64_t held = before < 0 ? 0 : before;
  for (int64_t i = m->lo[j]; i <= m->hi[j]; i++) {
    dpd_product v = dpd_weight_zero();
    if (i > before) v = dpd_weight_times(power_of(m, llabs(i - held - d->gap[j - 1])), a[i]);
    m->choice[i - m->lo[j]] = v;
  }
  return (size_t)(m->hi[j] - m->lo[j] + 1);
}

static int by_size(const void *a, const void *b)
{
  int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x > y) - (x < y);
}

/* `count` positions of from..to by the prior, sorted. */
static dpd_status draw_sorted(const dpd_quantile_node *d, dpd_rng *rng, const int64_t ends[2],
                              int count, int64_t *z)
{
  dpd_u128 mass = dpd_fine_between(d->fine, ends[0], ends[1]), unit;
  for (int r = 0; r < count; r++) {
    DPD_TRY(dpd_rng_below_u128(rng, mass, &unit));
    z[r] = dpd_fine_point(d->fine, ends[0], unit);
  }
  qsort(z, (size_t)count, sizeof *z, by_size);
  return DPD_OK;
}

/* A vector in proportion to the weights of the first part. */
static dpd_status draw_runs(const dpd_quantile_node *d, dpd_quantile_work *m, dpd_rng *rng,
                            int64_t *z)
{
  int64_t before = -1;
  for (int j = 1; j <= d->k;) {
    dpd_product run[DPD_QUANTILE_SPLITS];
    int64_t ends[2];
    size_t at = 0, length = 0;
    DPD_TRY(dpd_weight_draw(m->choice, set_choice(d, m, j, before), rng, &at));
    before = m->lo[j] + (int64_t)at;
    int count = run_weights(d, m, j, before, dpd_weight_whole(interval_mass(d, before)), run);
    DPD_TRY(dpd_weight_draw(run, (size_t)count, rng, &length));
    interval_ends(d, before, ends, ends + 1);
    DPD_TRY(draw_sorted(d, rng, ends, (int)length + 1, z + j - 1));
    j += (int)length + 1;
  }
  return DPD_OK;
}

int64_t dpd_quantile_score(const dpd_quantile_node *d, const int64_t *z)
{
  int64_t v = 0, before = 0;
  for (int j = 0; j <= d->k; j++) {
    int64_t at = j < d->k ? dpd_positions_to(d->row, d->rows, z[j]) : d->rows;
    v += llabs(at - before - d->gap[j]);
    before = at;
  }
  return v;
}

/* True with probability 1 - q^x, x >= 1. */
static dpd_status not_power(dpd_rng *rng, double q, int64_t x, bool *out)
{
  bool heads = true;
  for (; heads && x > 0; x--)
    DPD_TRY(dpd_bernoulli_double(rng, q, &heads));
  *out = !heads;
  return DPD_OK;
}

/* The weights of the two parts: the first one as it is proposed. */
static void set_parts(const dpd_quantile_node *d, dpd_quantile_work *m, dpd_product part[2])
{
  dpd_product whole = dpd_weight_whole(dpd_fine_between(d->fine, d->from, d->to));
  int64_t most = d->rows; /* v is at most the rows and all gaps */
  for (int j = 0; j <= d->k; j++)
    most += d->gap[j];
  part[0] = dpd_weight_zero();
  part[1] = d->rate.cut > most ? dpd_weight_zero() : power_of(m, d->rate.cut);
  for (int j = 1; j <= d->k; j++)
    part[1] = dpd_weight_over(dpd_weight_times(part[1], whole), (uint32_t)j);
  if (!set_windows(d, m)) return;
  for (int j = d->k; j >= 1; j--) {
    set_after(d, m, j);
    set_before(d, m, j);
  }
  size_t count = set_choice(d, m, 1, -1);
  for (size_t i = 0; i < count; i++)
    part[0] = dpd_weight_add(part[0], m->choice[i]);
}

dpd_status dpd_quantile_node_draw(const dpd_quantile_node *d, dpd_quantile_work *m, dpd_rng *rng,
                                  int64_t *z)
{
  dpd_product part[2];
  const int64_t ends[2] = {d->from, d->to};
  if (d->k < 1 || d->k > DPD_QUANTILE_SPLITS || d->from > d->to) return DPD_ERR_DOMAIN;
  set_powers(m, d->rate);
  set_parts(d, m, part);
  for (;;) {
    size_t which = 0;
    DPD_TRY(dpd_weight_draw(part, 2, rng, &which));
    if (which == 1) return draw_sorted(d, rng, ends, d->k, z);
    DPD_TRY(draw_runs(d, m, rng, z));
    bool ok = part[1].part == 0;
    int64_t spare = d->rate.cut - dpd_quantile_score(d, z);
    if (!ok && spare > 0) DPD_TRY(not_power(rng, d->rate.q, spare, &ok));
    if (ok) return DPD_OK;
  }
}
