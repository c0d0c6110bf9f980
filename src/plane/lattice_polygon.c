/* lattice_polygon.c - the lattice points of a convex polygon, counted and drawn exactly.
 *
 * METHOD: the polygon is {x in [from, to], -L(x) <= y <= U(x)}, U and L the least of linear
 * functions of rational slope. Bounds are sorted by slope, and a stack keeps those that are
 * least at some whole x, each from the first whole x where it is. Between two changes of either
 * bound a strip of columns has one bound on each side; U + L >= 0 holds on a range of it. A
 * column with U + L >= 0 has floor(U) + floor(L) + 1 lattice points (none where no integer lies
 * between), and sums of floors along a line are found as in Euclid's algorithm. A point is drawn
 * by its number: strip, then column by bisection of the sums, then place in the column.
 *
 * EXACTNESS: all in integers. With |dx|, |dy| <= 2^B and |c| <= 2^(B + Z + 2) two bounds meet at a
 * quotient of numbers up to 2^(2 B + Z + 3) <= 2^125. Where a strip is open its bounds are within
 * the range of y, so that what sums of floors are made of is below 2^(2 Z + 2) 2^B, and the sums of
 * columns below 2^(2 Z + 4).
 *
 * COST: O(k log k) for k bounds, and O(log) divisions a strip.
 *
 * DEGENERATE: parallel and equal bounds; polygons without interior, without lattice points or
 * empty.
 *
 * REFERENCE: Graham, Knuth and Patashnik (1994), Concrete Mathematics, section 3.5 (sums of
 * floors); Andrew (1979), Another efficient algorithm for convex hulls in two dimensions.
 */
#include "plane/lattice_polygon.h"

#include <stdlib.h>

static dpd_i128 floor_div(dpd_i128 a, dpd_i128 b)
{
  dpd_i128 q = a / b, rest = a - q * b;
  return rest != 0 && (rest < 0) != (b < 0) ? q - 1 : q;
}

static dpd_i128 ceil_div(dpd_i128 a, dpd_i128 b)
{
  return -floor_div(-a, b);
}

/* All of a, b < m. */
static dpd_u128 floor_sum_small(dpd_u128 n, uint64_t m, uint64_t a, uint64_t b)
{
  dpd_u128 sum = 0;
  for (;;) {
    if (a >= m) {
      sum += n * (n - 1) / 2 * (a / m);
      a %= m;
    }
    if (b >= m) {
      sum += n * (b / m);
      b %= m;
    }
    dpd_u128 top = (dpd_u128)a * n + b;
    if (top < m) return sum;
    n = top / m;
    b = (uint64_t)(top - n * m);
    uint64_t swap = m;
    m = a;
    a = swap;
  }
}

dpd_i128 dpd_floor_sum(int64_t n, dpd_i128 v, dpd_i128 s, int64_t m)
{
  if (n <= 0) return 0;
  dpd_i128 whole = floor_div(v, m), steps = floor_div(s, m);
  dpd_i128 pairs = (dpd_i128)n * (n - 1) / 2;
  dpd_u128 rest = floor_sum_small((dpd_u128)n, (uint64_t)m, (uint64_t)(s - steps * m),
                                  (uint64_t)(v - whole * m));
  return (dpd_i128)rest + whole * n + steps * pairs;
}

void dpd_bounds_add(dpd_bounds *b, int64_t p, int64_t q, dpd_i128 c)
{
  if (q > 0)
    b->above[b->n_above++] = (dpd_bound){c, q, -p};
  else if (q < 0)
    b->below[b->n_below++] = (dpd_bound){c, -q, -p};
  else if (p > 0)
    b->to = floor_div(c, p) < b->to ? (int64_t)floor_div(c, p) : b->to;
  else if (p < 0)
    b->from = ceil_div(c, p) > b->from ? (int64_t)ceil_div(c, p) : b->from;
  else if (c < 0)
    b->to = b->from - 1;
}

void dpd_bounds_add_side(dpd_bounds *b, int64_t x, int64_t y, int64_t dx, int64_t dy)
{
  dpd_bounds_add(b, -dy, dx, (dpd_i128)y * dx - (dpd_i128)x * dy);
}

static int64_t floor_at(const dpd_bound *b, int64_t x)
{
  return (int64_t)floor_div(b->c + (dpd_i128)b->dy * x, b->dx);
}

static dpd_i128 sum_over(const dpd_bound *b, int64_t from, int64_t to)
{
  return dpd_floor_sum(to - from + 1, b->c + (dpd_i128)b->dy * from, b->dy, b->dx);
}

dpd_u128 dpd_strip_count(const dpd_strip *s, int64_t from, int64_t to)
{
  if (to < from) return 0;
  return (dpd_u128)(sum_over(&s->above, from, to) + sum_over(&s->below, from, to) +
                    (to - from + 1));
}

/* By falling slope; of parallel bounds the least first. */
static int compare_bounds(const void *left, const void *right)
{
  const dpd_bound *a = left, *b = right;
  dpd_i128 cross = (dpd_i128)a->dy * b->dx - (dpd_i128)b->dy * a->dx;
  if (cross != 0) return cross > 0 ? -1 : 1;
  dpd_i128 ca = a->c * b->dx, cb = b->c * a->dx;
  return (ca > cb) - (ca < cb);
}

/* The first whole x at which b, of smaller slope, is at most a: within from..to + 1. */
static int64_t first_below(const dpd_bound *a, const dpd_bound *b, int64_t from, int64_t to)
{
  dpd_i128 slope = (dpd_i128)a->dy * b->dx - (dpd_i128)b->dy * a->dx;
  dpd_i128 x = ceil_div(b->c * a->dx - a->c * b->dx, slope);
  return x < from ? from : x > to ? to + 1 : (int64_t)x;
}

/* Keeps the bounds that are least somewhere in from..to; start[k] is where bound k begins to be.
 * Returns how many there are. */
static int lower_envelope(dpd_bound *b, int n, int64_t from, int64_t to, int64_t *start)
{
  int kept = 0;
  qsort(b, (size_t)n, sizeof *b, compare_bounds);
  for (int k = 0; k < n; k++) {
    int64_t at = from;
    if (kept > 0 && (dpd_i128)b[kept - 1].dy * b[k].dx == (dpd_i128)b[k].dy * b[kept - 1].dx)
      continue;
    while (kept > 0) {
      at = first_below(&b[kept - 1], &b[k], from, to);
      if (at > start[kept - 1]) break;
      kept--;
      at = from;
    }
    if (at > to) continue;
    start[kept] = at;
    b[kept++] = b[k];
  }
  return kept;
}

/* The part of from..to where above + below >= 0; false if there is none. */
static bool open_part(const dpd_bound *above, const dpd_bound *below, int64_t *from, int64_t *to)
{
  dpd_i128 slope = (dpd_i128)above->dy * below->dx + (dpd_i128)below->dy * above->dx;
  dpd_i128 c = above->c * below->dx + below->c * above->dx;
  if (slope == 0) return c >= 0;
  dpd_i128 x = slope > 0 ? ceil_div(-c, slope) : floor_div(c, -slope);
  if (slope > 0 ? x > *to : x < *from) return false;
  if (slope > 0 && x > *from) *from = (int64_t)x;
  if (slope < 0 && x < *to) *to = (int64_t)x;
  return true;
}

static dpd_status add_strip(dpd_lattice_polygon *c, const dpd_bound *above, const dpd_bound *below,
                            int64_t from, int64_t to)
{
  if (!open_part(above, below, &from, &to)) return DPD_OK;
  dpd_strip s = {*above, *below, from, to, 0};
  s.count = dpd_strip_count(&s, from, to);
  c->total += s.count;
  if (s.count == 0) return DPD_OK;
  dpd_strip *room = dpd_list_add(&c->strip, sizeof *room);
  if (room != NULL) *room = s;
  return dpd_list_status(&c->strip);
}

dpd_status dpd_lattice_polygon_fill(dpd_lattice_polygon *c, dpd_bounds *b, int64_t *work)
{
  const int64_t from = b->from, to = b->to;
  c->strip.count = 0;
  c->total = 0;
  if (from > to) return DPD_OK;
  int64_t *start = work, *other = start + b->n_above;
  int n_above = lower_envelope(b->above, b->n_above, from, to, start);
  int n_below = lower_envelope(b->below, b->n_below, from, to, other);
  b->n_above = n_above;
  b->n_below = n_below;
  dpd_status status = DPD_OK;
  int i = 0, j = 0;
  for (int64_t x = from; x <= to && status == DPD_OK;) {
    int64_t end = to;
    if (i + 1 < n_above && start[i + 1] - 1 < end) end = start[i + 1] - 1;
    if (j + 1 < n_below && other[j + 1] - 1 < end) end = other[j + 1] - 1;
    status = add_strip(c, &b->above[i], &b->below[j], x, end);
    x = end + 1;
    if (i + 1 < n_above && start[i + 1] == x) i++;
    if (j + 1 < n_below && other[j + 1] == x) j++;
  }
  return status;
}

void dpd_lattice_polygon_close(dpd_lattice_polygon *c)
{
  dpd_list_close(&c->strip);
  c->total = 0;
}

void dpd_strip_range(const dpd_strip *s, int64_t from, int64_t to, double y[2])
{
  int64_t below[2] = {floor_at(&s->below, from), floor_at(&s->below, to)},
          above[2] = {floor_at(&s->above, from), floor_at(&s->above, to)};
  y[0] = -(double)(below[0] > below[1] ? below[0] : below[1]);
  y[1] = (double)(above[0] > above[1] ? above[0] : above[1]);
}

void dpd_lattice_polygon_pick(const dpd_lattice_polygon *c, dpd_u128 index, int64_t z[2])
{
  const dpd_strip *s = c->strip.item;
  for (; index >= s->count; s++)
    index -= s->count;
  int64_t low = s->from, high = s->to;
  while (low < high) { /* the first column with more than `index` points up to it */
    int64_t mid = low + (high - low) / 2;
    if (dpd_strip_count(s, s->from, mid) > index)
      high = mid;
    else
      low = mid + 1;
  }
  z[0] = low;
  z[1] = (int64_t)(index - dpd_strip_count(s, s->from, low - 1)) - floor_at(&s->below, low);
}
