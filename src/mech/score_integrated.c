/* score_integrated.c - depths along directions as integer scores: rank-weighted, dual, halfspace.
 *
 * METHOD: with l = #{u'x_i < u'z} and r = #{u'x_i <= u'z}, the rank-weighted score sums
 *   min(r, n - l) over the directions, the dual score c (2n - c), c = l + r: with closed counts in
 *   place of mid-counts a sample of equal rows would score 0 at its own atom. Halfspace depth along
 *   the directions takes the least of min(r, n - l) in place of the sum. One replaced row
 *   moves l and r by at most one each, so min(r, n - l) by at most one, and c by at most two:
 *   c (2n - c) - c' (2n - c') = (c - c') (2n - c - c') is at most 4 (n - 1) in size, as c + c' lies
 *   in 2..4n - 2 where c differs from c' by two, and in 1..4n - 1, with n >= 1, where by one.
 *   (2n - 1 <= 4 (n - 1) for n >= 2; for n = 1 the sensitivity is 1.) A row more, with g in
 *   {0, 1, 2} of c, moves c (2n - c) / n by g (2 - g) + n / (n + 1) (c / n - g)^2, 0..4.
 *   Over an interval a..b of u'z, with the middle row m of u'x in rank ceil(n / 2), both summands
 *   rise up to m and fall after it: their bound is the value at b if b < m, at a if a > m. Else it
 *   is the value at m, or, of the dual score, which peaks at c = n, the value just beside m, where
 *   c = 2 #{< m} or 2 #{<= m}.
 * COST: O(count n log n) to sort, count n doubles; O(count (d + log n)) per score or bound.
 * DEGENERATE: ties are counted exactly: projections of integers by integers are.
 * REFERENCE: Ramsay, Durocher and Leblanc (2019); Cuevas and Fraiman (2009).
 */
#include <string.h>

#include "mech/depth_score.h"
#include "num/rank_fill.h"
#include "num/sort.h"

typedef struct {
  dpd_score_spec spec;
  size_t size;          /* entries of the rows */
  double *sorted;       /* count x size: their projections along each direction, rising */
  int *end;             /* of a tally, the same: rows up to each; else NULL */
  int *below, *up_to;   /* count: rows below the middle one, and up to it */
  const double *middle; /* count: the middle row */
} integrated;

/* Numbers of x[0..n) below t, or up to it. */
static int count_below(const double *x, int n, double t, bool up_to)
{
  int lo = 0, hi = n;
  while (lo < hi) {
    int mid = lo + (hi - lo) / 2;
    if (up_to ? x[mid] <= t : x[mid] < t)
      lo = mid + 1;
    else
      hi = mid;
  }
  return lo;
}

static uint64_t summand(const integrated *s, int below, int up_to)
{
  int n = s->spec.from->n;
  if (s->spec.kind != DPD_SCORE_IDD) return (uint64_t)(up_to < n - below ? up_to : n - below);
  uint64_t c = (uint64_t)below + (uint64_t)up_to;
  return c * (2 * (uint64_t)n - c);
}

/* Rows of the first entries along direction u. */
static int rows_of(const integrated *s, int u, int entries)
{
  if (s->end == NULL || entries == 0) return entries;
  return s->end[(size_t)u * s->size + (size_t)entries - 1];
}

/* The summand of direction u where its projection is t. */
static uint64_t summand_at(const integrated *s, int u, double t)
{
  int n = (int)s->size;
  const double *x = s->sorted + (size_t)u * s->size;
  int below = count_below(x, n, t, false), up_to = below;
  if (below < n && x[below] == t) up_to = below + count_below(x + below, n - below, t, true);
  return summand(s, rows_of(s, u, below), rows_of(s, u, up_to));
}

static dpd_u128 score_at(void *ctx, const double *z)
{
  const integrated *s = ctx;
  const dpd_projected *p = s->spec.from;
  dpd_u128 sum = 0;
  for (int u = 0; u < p->count; u++)
    sum += summand_at(s, u, dpd_project(p->dirs + (size_t)u * (size_t)p->d, z, p->d));
  return sum;
}

static dpd_u128 score_along(void *ctx, const double *t)
{
  const integrated *s = ctx;
  dpd_u128 sum = 0;
  for (int u = 0; u < s->spec.from->count; u++)
    sum += summand_at(s, u, t[u]);
  return sum;
}

static double summand_along(void *ctx, int u, double t)
{
  return (double)summand_at(ctx, u, t);
}

static double peak_along(void *ctx, int u)
{
  const integrated *s = ctx;
  return s->middle[u];
}

static dpd_u128 min_at(void *ctx, const double *z)
{
  const integrated *s = ctx;
  const dpd_projected *p = s->spec.from;
  uint64_t min = (uint64_t)p->n;
  for (int u = 0; u < p->count && min > 0; u++) {
    uint64_t here = summand_at(s, u, dpd_project(p->dirs + (size_t)u * (size_t)p->d, z, p->d));
    if (here < min) min = here;
  }
  return min;
}

/* The largest summand of direction u over a..b. */
static uint64_t summand_bound(const integrated *s, int u, double a, double b)
{
  double m = s->middle[u];
  if (b < m) return summand_at(s, u, b);
  if (a > m) return summand_at(s, u, a);
  int below = s->below[u], up_to = s->up_to[u];
  uint64_t most = summand(s, below, up_to);
  if (s->spec.kind != DPD_SCORE_IDD) return most;
  uint64_t left = summand(s, below, below), right = summand(s, up_to, up_to);
  if (a < m && left > most) most = left;
  if (b > m && right > most) most = right;
  return most;
}

static dpd_u128 score_bound(void *ctx, const dpd_score_box *box)
{
  const integrated *s = ctx;
  dpd_u128 sum = 0;
  for (int u = 0; u < s->spec.from->count; u++)
    sum += summand_bound(s, u, box->min[u], box->max[u]);
  return sum;
}

static dpd_u128 min_bound(void *ctx, const dpd_score_box *box)
{
  const integrated *s = ctx;
  uint64_t min = (uint64_t)s->spec.from->n;
  for (int u = 0; u < s->spec.from->count && min > 0; u++) {
    uint64_t here = summand_bound(s, u, box->min[u], box->max[u]);
    if (here < min) min = here;
  }
  return min;
}

/* Sorts the projections x of a tally's entries along direction u; the middle row. */
static double sort_counted(integrated *s, int u, double *x, dpd_counted *work)
{
  const dpd_tally *t = s->spec.from->tally;
  int *end = s->end + (size_t)u * s->size, sum = 0;
  double middle;
  for (int i = 0; i < t->size; i++)
    work[i] = (dpd_counted){x[i], t->count[i]};
  dpd_counted_sort(work, work + t->size, t->size);
  dpd_counted_ranks(work, (dpd_ranks){(t->n + 1) / 2, 1, 1}, &middle, 1);
  for (int i = 0; i < t->size; i++) {
    x[i] = work[i].key;
    end[i] = sum += work[i].count;
  }
  return middle;
}

static void sort_projections(integrated *s, double *middle, dpd_alloc alloc)
{
  const dpd_projected *p = s->spec.from;
  size_t n = s->size, d = (size_t)p->d;
  double *work = alloc(dpd_rank_window_work(p), sizeof *work);
  for (int u = 0; u < p->count; u++) {
    double *x = s->sorted + (size_t)u * n;
    for (size_t i = 0; i < n; i++)
      x[i] = dpd_project(p->dirs + (size_t)u * d, p->rows + i * d, p->d);
    if (p->tally != NULL) {
      middle[u] = sort_counted(s, u, x, (dpd_counted *)(void *)work);
    } else {
      dpd_sort_doubles(x, n, work);
      middle[u] = x[(n + 1) / 2 - 1];
    }
    s->below[u] = rows_of(s, u, count_below(x, (int)n, middle[u], false));
    s->up_to[u] = rows_of(s, u, count_below(x, (int)n, middle[u], true));
    if (s->spec.pause != NULL) s->spec.pause();
  }
}

void dpd_score_integrated_open(dpd_depth_score *out, const dpd_score_spec *spec, dpd_alloc alloc)
{
  integrated *s = alloc(1, sizeof *s);
  memset(s, 0, sizeof *s);
  s->spec = *spec;
  size_t n = (size_t)spec->from->n, count = (size_t)spec->from->count;
  double *middle = alloc(count, sizeof *middle);
  s->size = (size_t)dpd_tally_size(spec->from->tally, spec->from->n);
  s->sorted = alloc(count * s->size, sizeof *s->sorted);
  if (spec->from->tally != NULL) s->end = alloc(count * s->size, sizeof *s->end);
  s->below = alloc(2 * count, sizeof *s->below);
  s->up_to = s->below + count;
  s->middle = middle;
  sort_projections(s, middle, alloc);
  *out = (dpd_depth_score){.at = score_at, .bound = score_bound, .ctx = s};
  if (spec->kind == DPD_SCORE_HALFSPACE) {
    *out =
        (dpd_depth_score){.most = n, .sensitivity = 1, .at = min_at, .bound = min_bound, .ctx = s};
    return;
  }
  out->along = (dpd_score_along){score_along, summand_along, peak_along};
  bool irw = spec->kind == DPD_SCORE_IRW;
  out->times = 1;
  out->added = (irw ? 1 : 4 * (dpd_u128)n) * count;
  dpd_u128 each = n > 1 ? 4 * ((dpd_u128)n - 1) : 1;
  out->most = (irw ? (dpd_u128)n : (dpd_u128)n * n) * count;
  out->sensitivity = (irw ? 1 : each) * count;
}
