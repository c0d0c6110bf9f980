/* slope_sort.c - the rows of planar data in the exact order of their slopes from one of them.
 *
 * METHOD: a slope in doubles has three errors of rounding, so that slopes whose bits, read as
 *   integers, are more than NEAR apart are in order. Rows are distributed by the leading bits of
 *   their slopes (radix sort); where leading bits are next to each other, rows are merge-sorted
 *   by a comparison that for near slopes takes the sign of the cross product: from doubles if the
 *   errors of rounding cannot change it, else without rounding (num/error_free.c).
 * EXACTNESS: the comparison agrees with the order of the real slopes always, so the order is a
 *   true one, and rows of equal slope, and only these, are a group.
 * COST: O(n), O(n log n) where slopes crowd.
 * DEGENERATE: rows with the x of row i have no slope and are one group at the end; copies of row i
 *   come after.
 * REFERENCE: Shewchuk (1997), as in num/error_free.c.
 */
#include "plane/slope_sort.h"

#include <math.h>
#include <string.h>

#include "num/error_free.h"
#include "num/merge_sort.h"

/* LOW bits are left to the comparison, the others are dealt in DEALS rounds of DIGIT bits. */
enum { NEAR = 16, CROWD = 16, DIGIT = 11, DEALS = 3, LOW = 64 - DIGIT * DEALS, FEW = 192 };

typedef struct {
  uint64_t key; /* the slope's bits, turned to an integer of the same order */
  int row;
} item;

typedef struct {
  const double *x, *y;
  double px, py;
  item *items, *spare;
  int *order, *start;
} sorter;

size_t dpd_slope_sort_scratch(int n)
{
  return (size_t)n * 2 * sizeof(item) + (2 * (size_t)n + 2) * sizeof(int);
}

static inline uint64_t key_of(double slope)
{
  uint64_t bits, sign = UINT64_C(1) << 63;
  memcpy(&bits, &slope, sizeof bits);
  return bits & sign ? ~bits : bits | sign;
}

/* Adds (a + e)(b + f). */
static void add_product(dpd_error_free *s, double a, double e, double b, double f)
{
  dpd_error_free_add_product(s, e, f);
  dpd_error_free_add_product(s, e, b);
  dpd_error_free_add_product(s, a, f);
  dpd_error_free_add_product(s, a, b);
}

/* Sign of the difference of the slopes of two rows, the first's less the second's. */
static int slope_sign(const sorter *s, int j, int k)
{
  double ej, fj, ek, fk;
  double xj = dpd_error_free_minus(s->x[j], s->px, &ej),
         yj = dpd_error_free_minus(s->y[j], s->py, &fj);
  double xk = dpd_error_free_minus(s->x[k], s->px, &ek),
         yk = dpd_error_free_minus(s->y[k], s->py, &fk);
  double p = yj * xk, q = yk * xj;
  int flip = (xj > 0) == (xk > 0) ? 1 : -1;
  if (fabs(p - q) > 0x1p-49 * (fabs(p) + fabs(q))) return p > q ? flip : -flip;
  dpd_error_free sum = {0};
  add_product(&sum, yj, fj, xk, ek);
  add_product(&sum, -yk, -fk, xj, ej);
  return flip * dpd_error_free_sign(&sum);
}

/* Whether p comes strictly after q. */
static inline bool comes_after(const sorter *s, const item *p, const item *q)
{
  uint64_t off = p->key > q->key ? p->key - q->key : q->key - p->key;
  return off > NEAR ? p->key > q->key : slope_sign(s, p->row, q->row) > 0;
}

DPD_DEFINE_MERGE_SORT(sort_items, sorter, item, comes_after, CROWD)

/* Sorts by all but the LOW bits of the keys. */
static void deal_items(sorter *s, int n)
{
  int count[DEALS][1 << DIGIT];
  const uint64_t mask = (1 << DIGIT) - 1;
  memset(count, 0, sizeof count);
  for (int k = 0; k < n; k++)
    for (int d = 0; d < DEALS; d++)
      count[d][s->items[k].key >> (LOW + d * DIGIT) & mask]++;
  for (int d = 0; d < DEALS; d++) {
    int sum = 0;
    for (int b = 0; b < 1 << DIGIT; b++) {
      int c = count[d][b];
      count[d][b] = sum;
      sum += c;
    }
    for (int k = 0; k < n; k++)
      s->spare[count[d][s->items[k].key >> (LOW + d * DIGIT) & mask]++] = s->items[k];
    item *t = s->items;
    s->items = s->spare;
    s->spare = t;
  }
}

/* Puts runs of leading bits that are next to each other in order. */
static void sort_runs(sorter *s, int n)
{
  for (int from = 0, to; from < n; from = to) {
    uint64_t last = s->items[from].key >> LOW;
    for (to = from + 1; to < n && (s->items[to].key >> LOW) - last <= 1; to++)
      last = s->items[to].key >> LOW;
    if (to - from > 1) sort_items(s, s->items + from, s->spare, to - from);
  }
}

static bool same_slope(const sorter *s, const item *p, const item *q)
{
  uint64_t off = p->key > q->key ? p->key - q->key : q->key - p->key;
  return off <= NEAR && slope_sign(s, p->row, q->row) == 0;
}

/* The rows with a slope as items, those with none to the order's end. Returns the numbers of rows
 * with a slope and of those that are away from row i. */
static int split_rows(sorter *s, int n, int *away)
{
  int sloped = 0, end = n, level = 0;
  for (int j = 0; j < n; j++) {
    double dx = s->x[j] - s->px, dy = s->y[j] - s->py;
    if (dx != 0)
      s->items[sloped++] = (item){key_of(dy / dx + 0.0), j};
    else if (dy == 0)
      s->order[--end] = 2 * j;
    else
      s->spare[level++].row = j;
  }
  for (int k = 0; k < level; k++)
    s->order[sloped + k] = 2 * s->spare[k].row;
  *away = end;
  return sloped;
}

void dpd_slope_sort(const double *x, const double *y, int n, int i, void *work,
                    dpd_angle_order *out)
{
  sorter s = {x, y, x[i], y[i], work, NULL, NULL, NULL};
  int away, groups = 0;
  s.spare = s.items + n;
  s.order = (int *)(void *)(s.spare + n);
  s.start = s.order + n;
  int sloped = split_rows(&s, n, &away);
  if (sloped > FEW) {
    deal_items(&s, sloped);
    sort_runs(&s, sloped);
  } else {
    sort_items(&s, s.items, s.spare, sloped);
  }
  for (int k = 0; k < sloped; k++) {
    if (k == 0 || !same_slope(&s, &s.items[k - 1], &s.items[k])) s.start[groups++] = k;
    s.order[k] = 2 * s.items[k].row;
  }
  if (away > sloped) s.start[groups++] = sloped;
  s.start[groups] = away;
  *out = (dpd_angle_order){away, groups, s.order, s.start};
}
