/* projection.c - the safety margin of the projection median.
 *
 * METHOD: each direction's bounds of margin/location.c and margin/mad.c, for all levels, come from
 *   few order statistics. (1) grows with the level: each direction's first unsafe level is bisected
 *   below the smallest so far. Then (2), which also grows, by linear programmes.
 * DECISIONS: rounding cannot break the margin's sensitivity. (1) is monotone as computed, with eta
 *   a little smaller; (2) has an error below 3/4 + 1/4 step, and its limit falls by one step per
 *   level.
 * COST: O(n (d + 10)) per direction; memory O(n) per thread and O(count levels).
 * DEGENERATE: bounds of scales that reach zero, and ranks that leave the sample, are unsafe.
 * REFERENCE: Brown, Gaboardi, Smith, Ullman and Zakynthinou (2021), Covariance-aware private mean
 *   estimation without private covariance estimation (safety); Ramsay and Spicker (2024).
 */
#include "margin/projection.h"

#include <math.h>

#include "margin/huber.h"
#include "margin/location.h"
#include "margin/mad.h"
#include "margin/projection_center.h"
#include "num/directions.h"
#include "num/order_stat.h"
#include "num/parallel.h"
#include "num/project_block.h"
#include "num/scratch.h"

/* What one thread works on. */
typedef struct {
  int *safe; /* for each tau: levels that all its directions so far find safe by (1) */
  double *projections, *spare, *windows;
  double *shift, *scale_shift;
  dpd_mad_ends ends;
} scratch;

/* What all threads share: bounds of every direction, for (2). */
typedef struct {
  double *lower, *upper, *min;
  double *largest; /* bounds from above of the scales along the axes, 0 for other directions */
  double *central; /* the left sides of (2), NaN where not yet known */
  uint64_t **big;  /* of geom/chebyshev_exact.h */
  void *center;    /* of margin/projection_center.h */
} shared;

/* The highest K that is looked at. */
static int most_of(const dpd_margin *m)
{
  int p = (m->n + 1) / 2;
  return m->levels < p - 1 ? m->levels : p - 1;
}

static scratch lay_scratch(const dpd_margin *m, dpd_scratch *a)
{
  size_t n = dpd_padded((size_t)m->n), most = (size_t)most_of(m);
  scratch k;
  k.safe = dpd_scratch_take(a, (size_t)m->taus, sizeof *k.safe);
  k.projections = dpd_scratch_take(a, DPD_GROUP * n, sizeof(double));
  k.spare = dpd_scratch_take(a, dpd_huber_scratch(m->n, (int)most), 1);
  k.windows = dpd_scratch_take(a, 3 * (2 * most + 3), sizeof(double));
  k.shift = dpd_scratch_take(a, most + 1, sizeof(double));
  k.scale_shift = dpd_scratch_take(a, most + 1, sizeof(double));
  k.ends.low = dpd_scratch_take(a, dpd_mad_scratch(m->n, m->levels), 1);
  k.ends.high = dpd_scratch_take(a, dpd_mad_scratch(m->n, m->levels), 1);
  return k;
}

static size_t share(const dpd_margin *m)
{
  dpd_scratch a = {NULL, 0};
  lay_scratch(m, &a);
  return a.used;
}

static scratch scratch_of(const dpd_margin *m, int thread)
{
  dpd_scratch a = dpd_scratch_part(m->work, share(m), thread);
  return lay_scratch(m, &a);
}

static shared lay_shared(const dpd_margin *m, dpd_scratch *a)
{
  size_t cells = (size_t)m->count * (size_t)(most_of(m) + 1);
  shared t;
  t.lower = dpd_scratch_take(a, cells, sizeof(double));
  t.upper = dpd_scratch_take(a, cells, sizeof(double));
  t.min = dpd_scratch_take(a, cells, sizeof(double));
  t.largest = dpd_scratch_take(a, cells, sizeof(double));
  t.central = dpd_scratch_take(a, (size_t)most_of(m) + 1, sizeof(double));
  t.center = dpd_scratch_take(a, dpd_projection_center_scratch(m->count, m->d), 1);
  t.big = dpd_scratch_take(a, 1, sizeof *t.big);
  return t;
}

/* After the threads' parts. */
static shared shared_of(const dpd_margin *m)
{
  dpd_scratch a =
      dpd_scratch_part((unsigned char *)m->work + dpd_scratch_size(share(m), m->threads), 0, 0);
  return lay_shared(m, &a);
}

size_t dpd_margin_scratch(const dpd_margin *m)
{
  dpd_scratch a = {NULL, 0};
  lay_shared(m, &a);
  return dpd_scratch_size(share(m), m->threads) + dpd_scratch_size(a.used, 1);
}

void dpd_margin_begin(dpd_margin *m)
{
  for (int t = 0; t < m->threads; t++)
    for (int j = 0; j < m->taus; j++)
      scratch_of(m, t).safe[j] = most_of(m);
}

/* eta less what rounding may have hidden: relative errors of (1), and those of S in |u'x - T|/S. */
static double limit_of(const dpd_margin *m, double tau)
{
  return m->eta * (1 - 0x1p-30) - tau * 0x1p-48;
}

typedef struct {
  const dpd_margin *m;
  scratch *k;
  dpd_reach reach;
  bool mad;
  double *largest; /* NULL but for axes */
} direction;

/* Order statistics around a rank; the middle of the window. */
static double *window_about(direction *at, const double *y, int rank, int which)
{
  int n = at->m->n, most = at->reach.most;
  double *w = at->k->windows + (size_t)which * (2 * (size_t)most + 3);
  dpd_order_window(y, (size_t)n, rank - most, rank + most, w, at->k->spare);
  return w + most;
}

static bool reach_location(direction *at, const double *y, double location, const double *middle)
{
  const dpd_center *c = &at->m->center;
  int n = at->m->n, most = at->reach.most;
  if (c->location == DPD_MEDIAN) {
    dpd_reach_order(&at->reach, middle);
  } else if (c->location == DPD_MOM) {
    double *means = at->k->spare, *w = at->k->windows;
    int rank = (c->blocks + 1) / 2;
    dpd_block_means(y, (size_t)n, c->blocks, means);
    dpd_order_window(means, (size_t)c->blocks, rank - most, rank + most, w, means + n);
    dpd_reach_order(&at->reach, w + most);
  } else if (c->location == DPD_TRIMMED) {
    int cut = (int)dpd_trim_count(c->trim, (size_t)n);
    const double *low = window_about(at, y, cut + 1, 0), *high = window_about(at, y, n - cut, 1);
    dpd_reach_trimmed(&at->reach, low, high, n - 2 * cut, location);
  } else {
    return dpd_huber_reach(&at->reach, &at->k->ends, y, c->huber * DPD_MAD_NORMAL, location,
                           at->k->spare);
  }
  return true;
}

static void reach_scale(direction *at, const double *y, double scale)
{
  const dpd_center *c = &at->m->center;
  int n = at->m->n;
  if (c->scale == DPD_IQR) {
    int q = (n + 3) / 4, h = n + 1 - q;
    const double *low = window_about(at, y, q, 0), *high = window_about(at, y, h, 1);
    dpd_reach_gap(&at->reach, low, high, h - q);
  } else {
    int cut = (int)dpd_trim_count(c->trim, (size_t)n);
    dpd_deviation v = {.y = y, .n = n, .cut = cut, .scale = scale, .work = at->k->spare};
    v.low = window_about(at, y, cut + 1, 0);
    v.high = window_about(at, y, n - cut, 1);
    v.middle = at->k->ends.middle + at->reach.most;
    dpd_reach_deviation(&at->reach, &v);
  }
}

/* Whether the left side of (1) at K is finite whatever tau. */
static bool bounded_at(const dpd_reach *r, double floor, int K)
{
  return r->min[K - 1] >= floor && r->shift[K - 1] < INFINITY;
}

/* Makes the scale's shift at K known, if it counts; false if more order statistics are needed. */
static bool find_scale_shift(direction *at, int K)
{
  double *scale_shift = &at->reach.scale_shift[K - 1];
  if (!at->mad || !isnan(*scale_shift) || !bounded_at(&at->reach, at->m->floor, K)) return true;
  const dpd_mad_ends *e = &at->k->ends;
  double change, shift = dpd_reach_span(e->middle + e->most, e->middle + e->most, K);
  if (!dpd_mad_change(e, K, shift, &change)) return false;
  *scale_shift = change;
  return true;
}

/* Whether (1) holds at K; false if more order statistics are needed. The scale's shift grows with
 * K: that of a larger K, if small enough, saves finding this one's. */
static bool check_level(direction *at, int K, double tau, bool *holds)
{
  const dpd_reach *r = &at->reach;
  double limit = limit_of(at->m, tau), shift = r->shift[K - 1], min = r->min[K - 1];
  *holds = false;
  if (!bounded_at(r, at->m->floor, K)) return true;
  int known = K;
  while (known < r->most && isnan(r->scale_shift[known - 1]))
    known++;
  *holds = (shift + tau * r->scale_shift[known - 1]) / min <= limit; /* no, if none is known */
  if (*holds || !isnan(r->scale_shift[K - 1])) return true;
  if (!find_scale_shift(at, K)) return false;
  *holds = (shift + tau * r->scale_shift[K - 1]) / min <= limit;
  return true;
}

/* Lowers safe[j] to the number of levels that are safe for this direction with tau j. */
static bool search_levels(direction *at, int *safe)
{
  for (int j = 0; j < at->m->taus; j++) {
    /* K = good is safe (0: always), K = bad is not, or is not checked */
    int good = 0, bad = safe[j] + 1;
    for (int K = safe[j]; bad - good > 1; K = good + (bad - good) / 2) {
      bool holds;
      if (!check_level(at, K, at->m->tau[j], &holds)) return false;
      if (holds)
        good = K;
      else
        bad = K;
    }
    safe[j] = good;
  }
  return true;
}

/* All bounds of this direction; unbounded beyond the levels that the sample has. */
static bool copy_bounds(direction *at, double *out)
{
  const dpd_reach *r = &at->reach;
  int levels = at->m->levels;
  for (int k = 0; k < levels; k++) {
    const double none[] = {-INFINITY, INFINITY, INFINITY, 0, INFINITY};
    if (k < r->most && !find_scale_shift(at, k + 1)) return false;
    for (int b = 0; b < 5; b++) {
      const double *from[] = {r->lower, r->upper, r->shift, r->min, r->scale_shift};
      double value = k < r->most ? from[b][k] : none[b];
      out[b * levels + k] = isnan(value) ? INFINITY : value;
    }
  }
  return true;
}

/* The MAD's bounds for all levels; false if more order statistics are needed. */
static bool reach_mad(direction *at)
{
  for (int K = 1; K <= at->reach.most; K++)
    if (!dpd_mad_smallest(&at->k->ends, K, &at->reach.min[K - 1])) return false;
  return true;
}

/* Bounds from above of an axis' scale: the MAD's own, or S and what each replacement may add. */
static bool reach_largest(direction *at, double scale, double *largest)
{
  double sum = scale;
  for (int K = 1; K <= at->reach.most; K++) {
    sum += at->mad ? 0 : at->reach.scale_shift[K - 1];
    largest[K - 1] = sum;
    if (at->mad && !dpd_mad_largest(&at->k->ends, K, &largest[K - 1])) return false;
  }
  return true;
}

static bool bound_direction(direction *at, int u, const double *y, double location, double scale)
{
  const double *middle = at->k->ends.middle + at->reach.most;
  for (int k = 0; k < at->reach.most && at->mad; k++)
    at->reach.scale_shift[k] = NAN;
  if (at->mad && !reach_mad(at)) return false;
  if (!reach_location(at, y, location, middle)) return false;
  if (!at->mad) reach_scale(at, y, scale);
  if (at->largest != NULL && !reach_largest(at, scale, at->largest)) return false;
  double *bounds = at->m->bounds;
  if (bounds != NULL && !copy_bounds(at, bounds + 5 * (size_t)u * (size_t)at->m->levels))
    return false;
  return search_levels(at, at->k->safe);
}

static void run_one(const dpd_margin *m, scratch *k, int u, const double *y)
{
  shared t = shared_of(m);
  int most = most_of(m), n = m->n, p = (n + 1) / 2;
  size_t row = (size_t)u * (size_t)most;
  dpd_reach reach = {most, t.lower + row, t.upper + row, k->shift, t.min + row, k->scale_shift};
  direction at = {.m = m, .k = k, .reach = reach};
  at.mad = m->center.scale == DPD_MAD;
  at.largest = dpd_axis_of(m->dirs + (size_t)u * (size_t)m->d, m->d) < 0 ? NULL : t.largest + row;
  for (int i = 0; i < most; i++)
    t.largest[row + (size_t)i] = 0;
  double *middle = window_about(&at, y, p, 2);
  k->ends.n = n;
  k->ends.p = p;
  k->ends.most = most;
  k->ends.middle = middle - most;
  bool huber = m->center.location == DPD_HUBER;
  if (!at.mad || m->center.location != DPD_MEDIAN)
    dpd_center_of(&m->center, y, (size_t)n, k->spare, &m->location[u], &m->scale[u]);
  for (int width = 4 * most + 32;; width = width < n / 4 ? 4 * width : n) {
    if (at.mad || huber) dpd_mad_gather(&k->ends, y, width, k->spare);
    if (at.mad && m->center.location == DPD_MEDIAN) {
      m->location[u] = *middle;
      m->scale[u] = k->ends.mad;
    }
    if (bound_direction(&at, u, y, m->location[u], m->scale[u])) return;
  }
}

static void run_group(void *context, int thread, int first, int size)
{
  const dpd_margin *m = context;
  scratch k = scratch_of(m, thread);
  size_t n = (size_t)m->n;
  dpd_project_block(m->rows, n, m->d, m->dirs + (size_t)first * (size_t)m->d, size, k.projections);
  for (int u = 0; u < size; u++)
    run_one(m, &k, first + u, k.projections + (size_t)u * dpd_padded(n));
}

void dpd_margin_run(dpd_margin *m, int from, int to)
{
  dpd_parallel_run(from, to, m->threads, run_group, m);
}

/* The left side of (2) at K; infinite for data that are nearly flat. */
static void central_at(const dpd_margin *m, const shared *t, int K, double *value)
{
  size_t most = (size_t)most_of(m), off = (size_t)K - 1;
  dpd_projection_center c = {.count = m->count,
                             .d = m->d,
                             .dirs = m->dirs,
                             .lower = t->lower + off,
                             .upper = t->upper + off,
                             .min = t->min + off,
                             .stride = most,
                             .big = t->big,
                             .alloc = m->alloc};
  double top = 0, bottom = INFINITY;
  *value = INFINITY;
  for (int u = 0; u < m->count; u++) {
    size_t i = (size_t)u * most;
    if (!(c.min[i] >= m->floor) || !(c.upper[i] - c.lower[i] < INFINITY)) return;
    bottom = fmin(bottom, c.min[i]);
    top = fmax(top, t->largest[i + off]);
  }
  /* the draw's arithmetic is paid for up to this shape; stricter with K than rounding is */
  if (!(top <= DPD_MARGIN_SHAPE * (1 - K * 0x1p-30) * bottom)) return;
  dpd_projection_center_value(&c, value, t->center);
}

/* The number of levels before the first that fails (2) with this room, at most `most`. */
static int central_levels(const dpd_margin *m, const shared *t, double room, int most)
{
  int good = 0, bad = most + 1;
  for (int K = most; bad - good > 1; K = good + (bad - good) / 2) {
    if (isnan(t->central[K])) central_at(m, t, K, &t->central[K]);
    if (t->central[K] <= fmin(room, DPD_CENTRAL_MOST) - (K + 1) * DPD_CENTRAL_STEP)
      good = K;
    else
      bad = K;
  }
  return good;
}

void dpd_margin_end(const dpd_margin *m, int *which, int *sensitivity, int *centre)
{
  shared t = shared_of(m);
  int most = most_of(m), best = -1;
  *t.big = NULL;
  for (int K = 0; K <= most; K++)
    t.central[K] = NAN;
  for (int K = 1; m->central != NULL && K <= m->levels; K++) {
    m->central[K - 1] = INFINITY;
    if (K > most) continue;
    central_at(m, &t, K, &t.central[K]);
    m->central[K - 1] = t.central[K];
  }
  for (int j = 0; j < m->taus; j++) {
    int safe = most;
    for (int thread = 0; thread < m->threads; thread++) {
      int here = scratch_of(m, thread).safe[j];
      safe = here < safe ? here : safe;
    }
    if (safe <= best) continue;
    int central = central_levels(m, &t, m->room[j], m->central != NULL ? most : safe);
    int margin = safe < central ? safe : central;
    if (margin <= best) continue;
    best = margin;
    *which = j;
    *sensitivity = safe;
    *centre = central;
  }
}
