/* angle_sweep.c - walks over directions in order, for the least count between ties.
 *
 * METHOD: few directions are sorted and walked. Many are first shared out by key over equal parts
 *   of their range, which are walked in order: in a part where the count cannot fall below the best
 *   the rows are only counted, and the other parts are treated in the same way. Data near
 *   a line, with crowded directions, so take a few such steps instead of a sort.
 * EXACTNESS: see depth/halfspace_2d.c; directions of equal key are always in the same part.
 * COST: O(n) per level of sharing out, each narrowing the range about n/4 times.
 * DEGENERATE: all keys equal: one group (by cross products in the exact case), not sorted.
 */
#include "plane/angle_sweep.h"

#include <math.h>
#include <string.h>

#include "num/merge_sort.h"

enum { FEW = 32, CROWD = 12, MAX_PARTS = 1024 };

dpd_direction dpd_direction_make(const dpd_walk *s, int row)
{
  dpd_direction r = {.row = row};
  double dx = s->k->q.x[row] - s->k->q.px, dy = s->k->q.y[row] - s->k->q.py;
  double key = dpd_angle_of(dx, dy, &r.sign);
  double error = s->exact ? 0 : dpd_angle_error(dx, dy, dpd_angle_row_error(s->k, row));
  r.lo = key - error;
  r.hi = key + error;
  return r;
}

void dpd_sweep_consider(dpd_walk *s, int f, double key)
{
  int other = s->away - f, lowest = f < other ? f : other;
  if (lowest >= s->best) return;
  s->best = lowest;
  s->best_key = key;
  s->best_opposite = other < f;
}

/* Sign of the angle from one direction to another, exactly: both folded to one half turn. */
static int cross_sign(const dpd_walk *s, const dpd_direction *p, const dpd_direction *q)
{
  const dpd_angle *k = s->k;
  double a = k->q.x[p->row] - k->q.px, b = k->q.y[p->row] - k->q.py;
  double c = k->q.x[q->row] - k->q.px, d = k->q.y[q->row] - k->q.py;
  double ad = a * d, bc = b * c;
  int sign = (ad > bc) - (ad < bc);
  if (ad == bc) {
    double rest = fma(a, d, -ad) - fma(b, c, -bc);
    sign = (rest > 0) - (rest < 0);
  }
  return p->sign == q->sign ? sign : -sign;
}

/* Negative if p comes first, 0 if the two are equal. */
static int compare_directions(const dpd_walk *s, const dpd_direction *p, const dpd_direction *q)
{
  if (p->lo != q->lo) return p->lo < q->lo ? -1 : 1;
  return s->exact ? -cross_sign(s, p, q) : 0;
}

bool dpd_sweep_tied(const dpd_walk *s, const dpd_direction *a, const dpd_direction *b)
{
  return compare_directions(s, a, b) == 0;
}

static inline bool comes_after(const dpd_walk *s, const dpd_direction *p, const dpd_direction *q)
{
  return compare_directions(s, p, q) > 0;
}

DPD_DEFINE_MERGE_SORT(sort_directions, dpd_walk, dpd_direction, comes_after, CROWD)

void dpd_sweep_sort(const dpd_walk *s, dpd_direction *r, dpd_direction *spare, int n)
{
  sort_directions(s, r, spare, n);
}

static int rows_of(const dpd_walk *s, const dpd_direction *r)
{
  return dpd_plane_count(&s->k->q, r->row);
}

static void step(const dpd_walk *s, const dpd_direction *r, dpd_place *at)
{
  at->f += r->sign ? rows_of(s, r) : -rows_of(s, r);
  if (r->hi > at->reach) at->reach = r->hi;
}

static void walk_sorted(dpd_walk *s, const dpd_direction *r, int n, dpd_place *at)
{
  for (int i = 0; i < n; i++) {
    bool apart = r[i].lo > at->reach;
    if (s->exact && i > 0 && !apart) apart = compare_directions(s, &r[i - 1], &r[i]) != 0;
    if (apart) dpd_sweep_consider(s, at->f, 0.5 * (fmax(at->reach, r[i].lo - 1) + r[i].lo));
    step(s, &r[i], at);
  }
}

/* All of one key; in the exact case their cross products decide. */
static void walk_equal(dpd_walk *s, dpd_direction *r, dpd_direction *spare, int n, dpd_place *at)
{
  bool same = true;
  for (int i = 1; i < n && same && s->exact; i++)
    same = compare_directions(s, &r[0], &r[i]) == 0;
  if (!same) dpd_sweep_sort(s, r, spare, n);
  walk_sorted(s, r, n, at);
}

/* Whether the count could fall below the best somewhere among these directions. */
static bool promising(const dpd_walk *s, const dpd_direction *r, int n, int f)
{
  int rise = 0, drop = 0;
  for (int i = 0; i < n; i++) {
    int rows = rows_of(s, &r[i]);
    rise += r[i].sign ? rows : 0;
    drop += r[i].sign ? 0 : rows;
  }
  return f - drop < s->best || s->away - f - rise < s->best;
}

/* Shares the directions out over parts of equal width of [lo, hi], in order. Returns their number;
 * start[k]..start[k + 1] - 1 are those of part k. */
static int share_out(dpd_direction *r, dpd_direction *spare, int n, double lo, double hi,
                     int *start)
{
  int parts = n / 4 < MAX_PARTS ? n / 4 : MAX_PARTS;
  double scale = (parts - 0.5) / (hi - lo);
  memset(start, 0, ((size_t)parts + 1) * sizeof *start);
  for (int i = 0; i < n; i++)
    start[(int)((r[i].lo - lo) * scale) + 1]++;
  for (int k = 1; k <= parts; k++)
    start[k] += start[k - 1];
  memcpy(spare, r, (size_t)n * sizeof *r);
  for (int i = 0; i < n; i++)
    r[start[(int)((spare[i].lo - lo) * scale)]++] = spare[i];
  memmove(start + 1, start, (size_t)parts * sizeof *start);
  start[0] = 0;
  return parts;
}

static void pass_over(dpd_walk *s, const dpd_direction *r, int n, dpd_place *at)
{
  double first = INFINITY;
  for (int i = 0; i < n; i++)
    first = r[i].lo < first ? r[i].lo : first;
  if (first > at->reach) dpd_sweep_consider(s, at->f, 0.5 * (fmax(at->reach, first - 1) + first));
  for (int i = 0; i < n; i++)
    step(s, &r[i], at);
}

void dpd_sweep_over(dpd_walk *s, dpd_direction *r, dpd_direction *spare, int n, dpd_place *at)
{
  if (n <= FEW) {
    dpd_sweep_sort(s, r, spare, n);
    walk_sorted(s, r, n, at);
    return;
  }
  double lo = INFINITY, hi = -INFINITY;
  for (int i = 0; i < n; i++) {
    lo = r[i].lo < lo ? r[i].lo : lo;
    hi = r[i].lo > hi ? r[i].lo : hi;
  }
  if (!(hi - lo > 0x1p-900)) {
    walk_equal(s, r, spare, n, at);
    return;
  }
  int start[MAX_PARTS + 1], parts = share_out(r, spare, n, lo, hi, start);
  for (int k = 0; k < parts; k++) {
    dpd_direction *part = r + start[k];
    int size = start[k + 1] - start[k];
    if (size == 0) continue;
    if (promising(s, part, size, at->f))
      dpd_sweep_over(s, part, spare, size, at);
    else
      pass_over(s, part, size, at);
  }
}
