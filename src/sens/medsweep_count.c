/* medsweep_count.c - how many rows can lie steeper than t about a centre that may move in a box.
 *
 * METHOD: about the centre c the steep rows are those right of c_v (or at it) with residual above
 *   s, and those left of it with residual below, s the centre's residual: two opposite corners
 *   in the plane of (v, w). Between two neighbouring values of v the rows right and left are the
 *   same, and s ranges over an interval whose ends are known. So c_v sweeps these cells from left
 *   to right; a row that is passed changes sides, and the count as a function of s, a sum of
 *   steps at the residuals, lies in a tree of sums and extreme prefix sums. Residuals beyond all
 *   intervals of s enter a constant. The most is found in the gaps of an interval and the least at
 *   its residuals, unless the interval is a point. The corner of the box is counted by itself,
 *   with its ties.
 * COST: O(n + m log m), m the rows in the box's range of v or of s.
 * DEGENERATE: ties in u, v and both; a box that is a point: O(n).
 * REFERENCE: vignettes/proofs-medsweep.Rmd, section 3.
 */
#include "sens/medsweep_count.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "num/sort.h"

/* Over a range of slots: the sum of steps, and the extreme of its prefix sums (none is 0). */
typedef struct dpd_node {
  int sum, extreme;
} node;

enum { BELOW = -1, ABOVE = -2 }; /* places of residuals beyond all intervals */

typedef struct {
  double v, u;
} row;

typedef struct {
  dpd_medsweep_count *q;
  double t, u_lo, u_hi, low, high; /* of the box, and of all intervals of s */
  bool most;
  int begin, end;   /* rows with the box's least v, and with its largest, begin here */
  int base;         /* steep rows at s = low that have no slot, and the right ones that have */
  int slots, width; /* width: a power of two */
  int from, to;     /* the slots inside the current interval */
} sweep;

/* The store keeps compilers from fusing: every residual is rounded the same way, everywhere. */
static double residual(double u, double v, double t)
{
  volatile double product = t * v;
  return u - product;
}

/* The interval of s for c_v from v to `next`, v < next: closed, though c_v is not v. For t < 0 the
 * most is also looked for just below, where a row at the lower corner counts as it does at the
 * corner, should both lower corners have the same residual. */
static void interval(const sweep *s, double v, double next, double *x, double *y)
{
  *x = residual(s->u_lo, s->t > 0 ? next : v, s->t);
  *y = residual(s->u_hi, s->t > 0 ? v : next, s->t);
  if (s->most && s->t < 0) *x = nextafter(*x, -INFINITY);
}

/* The steep rows about the corner (u_lo, least v) of the box. */
static int corner(const sweep *s, double at)
{
  const dpd_medsweep_count *q = s->q;
  int count = 0, i = 0;
  double v = q->v[s->begin];
  for (; i < s->begin; i++)
    count += q->w[i] < at;
  for (; i < q->n; i++)
    count += q->w[i] > at;
  for (i = s->begin; s->t < 0 && i < q->n && q->v[i] == v; i++)
    count += q->w[i] == at;
  return count;
}

/* At the slot's residual itself neither side counts: the least prefix sum is there. */
static node leaf(const sweep *s, int sum, int right)
{
  if (s->most) return (node){sum, sum > 0 ? sum : 0};
  return (node){sum, -right};
}

static node merged(bool most, node a, node b)
{
  int far = a.sum + b.extreme;
  bool take = most ? far > a.extreme : far < a.extreme;
  return (node){a.sum + b.sum, take ? far : a.extreme};
}

static int slot_of(const sweep *s, double w)
{
  const double *slot = s->q->slot;
  int lo = 0, count = s->slots;
  while (count > 1) {
    int half = count / 2;
    lo = slot[lo + half] <= w ? lo + half : lo;
    count -= half;
  }
  return lo;
}

/* Sorts the residuals inside [low, high] into slots, one a value, and counts the others. */
static void make_slots(sweep *s)
{
  dpd_medsweep_count *q = s->q;
  int inside = 0;
  s->base = 0;
  for (int i = 0; i < q->n; i++) {
    double w = q->w[i];
    int place = w < s->low ? BELOW : w > s->high ? ABOVE : 0;
    q->place[i] = place;
    s->base += i < s->begin ? place == BELOW : place != BELOW;
    if (place == 0) q->slot[inside++] = w;
  }
  dpd_sort_inplace(q->slot, (size_t)inside);
  s->slots = 0;
  for (int i = 0; i < inside; i++)
    if (s->slots == 0 || q->slot[i] > q->slot[s->slots - 1]) q->slot[s->slots++] = q->slot[i];
  s->width = 1; /* more leaves than slots, so that an end of a range is a leaf */
  while (s->width <= s->slots)
    s->width *= 2;
}

static void make_tree(sweep *s)
{
  dpd_medsweep_count *q = s->q;
  node *leaves = q->tree + s->width;
  memset(leaves, 0, (size_t)s->width * sizeof *leaves);
  memset(q->right, 0, (size_t)s->slots * sizeof *q->right);
  for (int i = 0; i < q->n; i++) {
    if (q->place[i] < 0) continue;
    int at = q->place[i] = slot_of(s, q->w[i]);
    leaves[at].sum += i < s->begin ? 1 : -1;
    q->right[at] += i >= s->begin;
  }
  for (int i = 0; i < s->slots; i++)
    leaves[i] = leaf(s, leaves[i].sum, q->right[i]);
  for (int i = s->width - 1; i > 0; i--)
    q->tree[i] = merged(s->most, q->tree[2 * i], q->tree[2 * i + 1]);
}

/* Row i, so far right of the centre, is now left of it. */
static void pass_row(sweep *s, int i)
{
  dpd_medsweep_count *q = s->q;
  int at = q->place[i];
  s->base += at == BELOW ? 1 : -1;
  if (at < 0) return;
  int j = at + s->width;
  q->tree[j] = leaf(s, q->tree[j].sum + 2, --q->right[at]);
  while (j /= 2)
    q->tree[j] = merged(s->most, q->tree[2 * j], q->tree[2 * j + 1]);
}

/* The extreme count over s in [x, y]. */
static int extreme_over(sweep *s, double x, double y)
{
  const double *slot = s->q->slot;
  const node *tree = s->q->tree;
  int a = s->from, b = s->to, slots = s->slots;
  bool gaps = s->most && x < y;
  /* most: the gaps after x and before y; least, or a point: also the residuals x and y */
  double first = gaps ? nextafter(x, INFINITY) : x, last = gaps ? nextafter(y, -INFINITY) : y;
  while (a < slots && slot[a] < first)
    a++;
  while (a > 0 && slot[a - 1] >= first)
    a--;
  while (b < slots && slot[b] <= last)
    b++;
  while (b > 0 && slot[b - 1] > last)
    b--;
  s->from = a;
  s->to = b;
  int before = 0;
  for (int i = a + s->width; i > 1; i /= 2)
    if (i & 1) before += tree[i - 1].sum;
  if (s->most && !gaps) return s->base + before - (a < b ? s->q->right[a] : 0);
  node left = {0, 0}, right = {0, 0};
  for (int i = a + s->width, j = b + s->width; i < j; i /= 2, j /= 2) {
    if (i & 1) left = merged(s->most, left, tree[i++]);
    if (j & 1) right = merged(s->most, tree[--j], right);
  }
  return s->base + before + merged(s->most, left, right).extreme;
}

/* Centres with the least v, and then cell by cell to the largest. */
static bool sweep_cells(sweep *s, int count)
{
  const dpd_medsweep_count *q = s->q;
  const double *v = q->v;
  double x = residual(s->u_lo, v[s->begin], s->t), y = residual(s->u_hi, v[s->begin], s->t);
  int sign = s->most ? 1 : -1, found = corner(s, x);
  if (sign * found >= sign * count) return true;
  if (s->begin == s->end && x == y) return false;
  interval(s, v[s->begin], v[s->end], &s->low, &s->high);
  make_slots(s);
  make_tree(s);
  s->from = s->to = 0;
  if (x < y && sign * extreme_over(s, x, y) >= sign * count) return true;
  for (int i = s->begin; i < s->end;) {
    double here = v[i];
    for (; v[i] == here; i++)
      pass_row(s, i);
    interval(s, here, v[i], &x, &y);
    if (sign * extreme_over(s, x, y) >= sign * count) return true;
  }
  return false;
}

static int by_v(const void *a, const void *b)
{
  double x = ((const row *)a)->v, y = ((const row *)b)->v;
  return (x > y) - (x < y);
}

dpd_medsweep_count dpd_medsweep_count_make(const double *u, const double *v, int n, dpd_alloc alloc)
{
  size_t size = (size_t)n;
  double *x = alloc(5 * size, sizeof *x);
  int *index = alloc(3 * size, sizeof *index);
  row *rows = alloc(size, sizeof *rows);
  for (int i = 0; i < n; i++)
    rows[i] = (row){v[i], u[i]};
  qsort(rows, size, sizeof *rows, by_v);
  for (int i = 0; i < n; i++) {
    x[i] = rows[i].u;
    x[n + i] = rows[i].v;
    x[2 * n + i] = u[i];
    index[i] = i > 0 && rows[i].v == rows[i - 1].v ? index[i - 1] : i;
  }
  dpd_sort_inplace(x + 2 * n, size);
  return (dpd_medsweep_count){.n = n,
                              .p = (n + 1) / 2,
                              .u = x,
                              .v = x + n,
                              .sorted = x + 2 * n,
                              .first = index,
                              .w = x + 3 * n,
                              .slot = x + 4 * n,
                              .place = index + n,
                              .right = index + 2 * n,
                              .tree = alloc(4 * size + 4, sizeof(node))};
}

bool dpd_medsweep_count_reach(dpd_medsweep_count *q, double t, int k, int count, bool most)
{
  if (most ? count <= 0 : count >= q->n) return true;
  int low = q->p - 1 - k, high = q->p - 1 + k;
  if (low < 0 || high >= q->n) return true;
  sweep s = {.q = q, .t = t, .u_lo = q->sorted[low], .u_hi = q->sorted[high], .most = most};
  s.begin = q->first[low];
  s.end = q->first[high];
  for (int i = 0; i < q->n; i++)
    q->w[i] = residual(q->u[i], q->v[i], t);
  return sweep_cells(&s, count);
}
