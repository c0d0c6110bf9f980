/* medsweep.c - the median slope on a lattice, and its smooth sensitivity.
 *
 * METHOD: the median slope is above t if at least n - p + 1 rows are steep at t about the medians
 *   (sens/medsweep_count.h). The lattice value is found by bisection over the thresholds. After K
 *   replacements the centre is in the box of level K and K rows are free, so bisection on "at least
 *   n - p + 1 - K rows are steep about some centre in the box" gives a value H_K that is not below,
 *   and on "at most n - p + K" one, L_K, that is not above. All bisections halve the same
 *   intervals, so that the order of the answers is the order of the results, whatever the rounding.
 *   A^(k) = max(H_{k+1} - L_k, H_k - L_{k+1}); H_K = size, L_K = 0 for K >= p.
 *   H rises and L falls with K. So each bisection bounds its neighbours', and A^(k) at the end of a
 *   range of k bounds exp(-beta k) A^(k) over the range by exp(-beta begin) A^(end). Ranges are
 *   halved until they are points or cannot win, and bisections are carried only as far as that
 *   takes.
 * COST: some hundred counts of O(n log n) each.
 * DEGENERATE: n = 1: p = 1, A^(k) = size. Infinite ratios end at the lattice's ends.
 * REFERENCE: vignettes/proofs-medsweep.Rmd; Nissim, Raskhodnikova and Smith (2007) for S.
 */
#include "sens/medsweep.h"

#include <math.h>

#include "sens/medsweep_count.h"

static const double deepest = 300; /* exp(-deepest) is nothing */

/* The brackets of one side's bisections at K = 0, ..., p - 1. */
typedef struct {
  int64_t *from, *to; /* where each stands */
  int64_t *min, *max; /* what is known of its result, also from the others */
  bool rising;        /* H; otherwise L */
} brackets;

typedef struct {
  dpd_medsweep_count rows;
  dpd_slope slopes;
  brackets h, l;
  double beta, best;
  int at;
} bisections;

static brackets make_brackets(int count, int64_t size, bool rising, dpd_alloc alloc)
{
  int64_t *block = alloc(4 * (size_t)count, sizeof *block);
  brackets a = {block, block + count, block + 2 * count, block + 3 * count, rising};
  for (int k = 0; k < count; k++) {
    a.from[k] = a.min[k] = 0;
    a.to[k] = a.max[k] = size;
  }
  return a;
}

/* The bracket of bisection k bounds the others: results rise in a known order. */
static void propagate(brackets *a, int count, int k)
{
  int step = a->rising ? 1 : -1;
  for (int i = k; i >= 0 && i < count && a->min[i] < a->from[k]; i += step)
    a->min[i] = a->from[k];
  for (int i = k; i >= 0 && i < count && a->max[i] > a->to[k]; i -= step)
    a->max[i] = a->to[k];
}

/* Whether the result is above the middle m. */
static bool is_above(bisections *s, const brackets *a, int k, int64_t m)
{
  dpd_medsweep_count *q = &s->rows;
  double t = (s->slopes.origin + (double)m + 0.5) * s->slopes.step;
  if (a->rising) return dpd_medsweep_count_reach(q, t, k, q->n - q->p + 1 - k, true);
  return !dpd_medsweep_count_reach(q, t, k, q->n - q->p + k, false);
}

/* Carries bisection k on by all comparisons that follow from the others, and by one that needs a
 * count. */
static void refine(bisections *s, brackets *a, int k)
{
  bool counted = false;
  while (a->from[k] < a->to[k]) {
    int64_t m = a->from[k] + (a->to[k] - a->from[k]) / 2;
    bool up = m < a->min[k];
    if (!up && m < a->max[k]) {
      if (counted) break;
      counted = true;
      up = is_above(s, a, k, m);
    }
    if (up)
      a->from[k] = m + 1;
    else
      a->to[k] = m;
  }
  propagate(a, s->rows.p, k);
}

/* Bounds of H_K - L_J. */
static int64_t gap_max(const bisections *s, int k, int j)
{
  int64_t high = k < s->rows.p ? s->h.max[k] : s->slopes.size;
  return high - (j < s->rows.p ? s->l.min[j] : 0);
}

static int64_t gap_min(const bisections *s, int k, int j)
{
  int64_t high = k < s->rows.p ? s->h.min[k] : s->slopes.size;
  return high - (j < s->rows.p ? s->l.max[j] : 0);
}

static int64_t larger(int64_t a, int64_t b)
{
  return a > b ? a : b;
}

static double spread_max(const bisections *s, int k)
{
  return (double)larger(gap_max(s, k + 1, k), gap_max(s, k, k + 1));
}

static double spread_min(const bisections *s, int k)
{
  return (double)larger(gap_min(s, k + 1, k), gap_min(s, k, k + 1));
}

/* Refines the widest bracket of the four results that A^(k) is made of. */
static void refine_widest(bisections *s, int k)
{
  brackets *which = NULL;
  int where = k;
  int64_t widest = 0;
  for (int i = 0; i < 4; i++) {
    brackets *a = i < 2 ? &s->h : &s->l;
    int j = k + i % 2;
    if (j >= s->rows.p || a->max[j] - a->min[j] <= widest) continue;
    widest = a->max[j] - a->min[j];
    which = a;
    where = j;
  }
  if (which != NULL) refine(s, which, where);
}

static double weight(const bisections *s, int k)
{
  return exp(-s->beta * k);
}

static void refine_fully(bisections *s, int k)
{
  while (spread_min(s, k) < spread_max(s, k))
    refine_widest(s, k);
}

/* TRUE if no k in begin..end can beat the best. */
static bool cannot_win(bisections *s, int begin, int end)
{
  double w = weight(s, begin);
  while (w * spread_max(s, end) > s->best) {
    if (w * spread_min(s, end) > s->best) return false;
    refine_widest(s, end);
  }
  return true;
}

static void search_range(bisections *s, int begin, int end)
{
  if (cannot_win(s, begin, end)) return;
  if (begin == end) {
    refine_fully(s, begin);
    s->best = weight(s, begin) * spread_max(s, begin);
    s->at = begin;
    return;
  }
  int middle = begin + (end - begin) / 2;
  search_range(s, middle + 1, end);
  search_range(s, begin, middle);
}

void dpd_sens_medsweep(const dpd_medsweep_query *q, dpd_medsweep_bound *out, dpd_alloc alloc)
{
  const dpd_slope slopes = q->slopes;
  const double beta = q->beta;
  bisections s = {.slopes = slopes, .beta = beta, .best = q->min, .at = -1};
  s.rows = dpd_medsweep_count_make(q->u, q->v, q->n, alloc);
  int p = s.rows.p;
  s.h = make_brackets(p, slopes.size, true, alloc);
  s.l = make_brackets(p, slopes.size, false, alloc);
  while (s.h.from[0] < s.h.to[0])
    refine(&s, &s.h, 0);
  out->centre = s.h.from[0];
  /* the same answers, seen from the other side */
  s.l.from[0] = s.l.to[0] = out->centre;
  propagate(&s.l, p, 0);
  /* the largest of evenly spread data, first, and then what may be larger */
  double typical = 1 / beta;
  int first = typical < p ? (int)typical : p, last = p;
  search_range(&s, first, first);
  if (s.best > 0) {
    double reach = log((double)slopes.size / s.best) / beta + 1;
    if (reach < last) last = reach > 0 ? (int)reach : 0;
  }
  search_range(&s, 0, last);
  double floor = exp(-deepest) * (double)slopes.size;
  if (beta * p > deepest && s.best < floor) s.best = floor;
  out->value = s.best;
  out->at = s.at;
  for (int k = 0; k < out->count; k++) {
    refine_fully(&s, k < p ? k : p);
    out->profile[k] = spread_max(&s, k < p ? k : p);
  }
}
