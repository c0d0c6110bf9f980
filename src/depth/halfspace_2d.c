/* halfspace_2d.c - exact halfspace depth of a point in the plane.
 *
 * METHOD: let v_i = x_i - p, rows at p apart (they are in every closed halfspace). The least
 *   closed count is reached on an open arc of directions that are orthogonal to no v_i, so
 *   h = #(at p) + min over those arcs of F, the number of v_i strictly inside.
 *   Each v_i is folded to a half turn, with sign 0 if it was already there and 1 if it had to be
 *   negated. As the direction turns through the half turn, F falls by one at a row of
 *   sign 0 and rises by one at a row of sign 1; the other half turn has the counts N - F. Rows
 *   are put into buckets by angle, without sorting: prefix sums give F at bucket boundaries, and F
 *   inside a bucket is at least F at its start less its rows of sign 0 (N - F likewise).
 *   Only buckets that can still beat the best boundary are walked (plane/angle_sweep.c).
 *   Angles are the keys of plane/angle.c.
 * EXACTNESS (pad = 0): equal directions have equal keys and keys never contradict angles, so
 *   buckets are unions of whole directions in order. Rows of equal key are ordered by the sign of
 *   the cross product a d - b c: fl(ad) < fl(bc) implies ad < bc, and when they are equal the
 *   remainders fma(a, d, -fl(ad)), which are exact, decide.
 * ROUNDING (pad > 0): each row owns an interval of keys. Rows whose intervals overlap are
 *   tied, and the count between them is never used; up to a constant factor, their cross
 *   product is within the bound of its rounding error. A bucket edge inside an interval is no
 *   boundary: the buckets beside it are joined.
 * COST: O(n) per query plus the sorting of the buckets left, a few in all but contrived data.
 * DEGENERATE: n = 0 gives 0; all rows at p give n; collinear rows are one or two keys. If
 *   the intervals leave no arc at all the rounded numbers are taken as exact.
 * REFERENCE: Rousseeuw and Ruts (1996), Algorithm AS 307: bivariate location depth.
 */
#include "depth/halfspace.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "plane/angle_sweep.h"

enum { MIN_BUCKETS = 16, MAX_BUCKETS = 4096 };

typedef struct {
  dpd_angle k;
  int *code;           /* a row: 2 * bucket + sign; the last bucket holds the rows at p */
  int *tally;          /* a code: its rows; those of sign 0 lower F, those of sign 1 raise it;
                          from walk_marked() on: its entries */
  int *balance;        /* a bucket: F at its start */
  unsigned char *mark; /* a bucket: bit 0, its start is inside an interval; bit 1, to be walked */
  dpd_direction *directions, *spare;
  dpd_walk w;
} plane;

static int bucket_count(int n)
{
  int b = n / 8;
  return b < MIN_BUCKETS ? MIN_BUCKETS : b > MAX_BUCKETS ? MAX_BUCKETS : b;
}

size_t dpd_halfspace2_scratch_of(int entries, int n)
{
  size_t b = (size_t)bucket_count(n) + 1, m = (size_t)entries;
  return 2 * m * sizeof(dpd_direction) + (m + 3 * b) * sizeof(int) + b;
}

size_t dpd_halfspace2_scratch(int n)
{
  return dpd_halfspace2_scratch_of(n, n);
}

static void lay_out(plane *s, void *work)
{
  size_t b = (size_t)s->k.buckets + 1;
  s->directions = work;
  s->spare = s->directions + s->k.q.n;
  s->code = (int *)(s->spare + s->k.q.n);
  s->tally = s->code + s->k.q.n;
  s->balance = s->tally + 2 * b;
  s->mark = (unsigned char *)(s->balance + b);
}

/* Marks the bucket edges that lie inside a row's interval. */
static void mark_edges(plane *s)
{
  const int b = s->k.buckets;
  for (int i = 0; i < s->k.q.n; i++) {
    if (s->code[i] == 2 * b) continue;
    int sign, first, last;
    double dx = s->k.q.x[i] - s->k.q.px, dy = s->k.q.y[i] - s->k.q.py;
    double error = dpd_angle_error(dx, dy, dpd_angle_row_error(&s->k, i));
    dpd_angle_reach(&s->k, dpd_angle_of(dx, dy, &sign), error, &first, &last);
    for (int edge = first + 1; edge <= last; edge++)
      s->mark[(edge + b) % b] |= 1;
  }
}

/* Fills tally and balance, and counts the rows away from p. */
static void count_buckets(plane *s)
{
  const int buckets = s->k.buckets;
  int *tally = s->tally, f = 0;
  memset(tally, 0, 2 * ((size_t)buckets + 1) * sizeof *tally);
  for (int i = 0; i < s->k.q.n; i++)
    tally[s->code[i]] += dpd_plane_count(&s->k.q, i);
  for (int b = 0; b < buckets; b++)
    f += tally[2 * b];
  for (int b = 0; b < buckets; b++) {
    s->balance[b] = f;
    f += tally[2 * b + 1] - tally[2 * b];
  }
  s->w.away = dpd_plane_size(&s->k.q) - tally[2 * buckets];
}

/* All rows sorted: when an interval holds the end of the half turn. The arc there is looked at
 * from both ends, an interval before the start reaching in from the end and vice versa. */
static void full_walk(plane *s)
{
  int n = 0, before = s->w.best;
  double tail = -INFINITY;
  for (int i = 0; i < s->k.q.n; i++) {
    if (s->code[i] == 2 * s->k.buckets) continue;
    s->directions[n] = dpd_direction_make(&s->w, i);
    if (s->directions[n].hi > tail) tail = s->directions[n].hi;
    n++;
  }
  dpd_sweep_sort(&s->w, s->directions, s->spare, n);
  bool any = false;
  int f = s->balance[0];
  double head = s->directions[0].lo, reach = tail - 4;
  for (int i = 0; i <= n; i++) {
    double next = i < n && s->directions[i].lo < head + 4 ? s->directions[i].lo : head + 4;
    bool tied = s->w.exact && i > 0 && i < n &&
                dpd_sweep_tied(&s->w, &s->directions[i - 1], &s->directions[i]);
    if (next > reach || (s->w.exact && !tied)) {
      dpd_sweep_consider(&s->w, f, 0.5 * (reach + next));
      any = true;
    }
    if (i == n) break;
    int rows = dpd_plane_count(&s->k.q, s->directions[i].row);
    f += s->directions[i].sign ? rows : -rows;
    if (s->directions[i].hi > reach) reach = s->directions[i].hi;
  }
  if (any || s->w.exact) return;
  s->w.exact = true; /* everything is tied with everything: no better than to believe the numbers */
  s->w.best = before;
  full_walk(s);
}

/* Considers the free boundaries; marks the buckets that may hold something better and returns how
 * many rows they have. */
static int scan_boundaries(plane *s)
{
  const int buckets = s->k.buckets;
  for (int b = 0; b < buckets; b++)
    if (!(s->mark[b] & 1)) dpd_sweep_consider(&s->w, s->balance[b], b / s->k.scale);
  int todo = 0;
  for (int b = 0, end; b < buckets; b = end) {
    int drop = 0, rise = 0, f = s->balance[b];
    for (end = b; end == b || (end < buckets && (s->mark[end] & 1)); end++) {
      drop += s->tally[2 * end];
      rise += s->tally[2 * end + 1];
    }
    if ((f - drop >= s->w.best && s->w.away - f - rise >= s->w.best) || drop + rise < 2) continue;
    todo += drop + rise;
    for (int i = b; i < end; i++)
      s->mark[i] |= 2;
  }
  return todo;
}

/* Walks the marked buckets; joined buckets are walked as one. Their rows are brought together in
 * the order of buckets, the tally of sign 0 becoming the place to put the next one. */
static void walk_marked(plane *s)
{
  int sum = 0, *place = s->tally;
  if (s->k.q.count != NULL) {
    memset(place, 0, 2 * ((size_t)s->k.buckets + 1) * sizeof *place);
    for (int i = 0; i < s->k.q.n; i++)
      place[s->code[i]]++;
  }
  for (int b = 0; b < s->k.buckets; b++) {
    if (!(s->mark[b] & 2)) continue;
    int size = place[2 * b] + place[2 * b + 1];
    place[2 * b] = sum;
    sum += size;
  }
  for (int i = 0; i < s->k.q.n; i++) {
    int b = s->code[i] >> 1;
    if (s->mark[b] & 2) s->directions[place[2 * b]++] = dpd_direction_make(&s->w, i);
  }
  int from = 0;
  for (int b = 0, end; b < s->k.buckets; b = end) {
    for (end = b + 1; end < s->k.buckets && (s->mark[end] & 1);)
      end++;
    if (!(s->mark[b] & 2)) continue;
    int to = place[2 * (end - 1)];
    dpd_place at = {s->balance[b], -INFINITY};
    dpd_sweep_over(&s->w, s->directions + from, s->spare, to - from, &at);
    from = to;
  }
}

/* Fills in the least open count; s->w.best is the cap before. */
static void find_minimum(plane *s)
{
  bool astride = dpd_angle_code(&s->k, s->code);
  count_buckets(s);
  if (s->w.away == 0) {
    if (s->w.best > 0) s->w.best = 0;
    return;
  }
  memset(s->mark, 0, (size_t)s->k.buckets + 1);
  if (astride) mark_edges(s);
  if (s->mark[0] & 1)
    full_walk(s);
  else if (scan_boundaries(s) > 0)
    walk_marked(s);
}

static void set_up(plane *s, int cap, void *work)
{
  s->k.buckets = bucket_count(dpd_plane_size(&s->k.q));
  s->k.scale = 0.25 * s->k.buckets * (1 - 0x1p-40);
  s->w.exact = s->k.q.error == NULL && !(s->k.q.pad > 0);
  s->w.best = cap;
  s->w.best_key = NAN;
  s->w.k = &s->k;
  lay_out(s, work);
}

int dpd_halfspace2_open(const dpd_plane_rows *q, int cap, void *work, int *at)
{
  plane s = {.k = {.q = *q}};
  set_up(&s, cap, work);
  find_minimum(&s);
  *at = dpd_plane_size(q) - s.w.away;
  return s.w.best;
}

dpd_status dpd_halfspace2_count(const dpd_plane_rows *q, void *work, int *count)
{
  int at, open = dpd_halfspace2_open(q, INT_MAX, work, &at);
  *count = at + open;
  return DPD_OK;
}

dpd_status dpd_halfspace2_witness(const dpd_plane_rows *q, void *work, int *count, double normal[2])
{
  plane s = {.k = {.q = *q}};
  set_up(&s, INT_MAX, work);
  find_minimum(&s);
  *count = dpd_plane_size(q) - s.w.away + s.w.best;
  double line[2] = {1, 0};
  if (!isnan(s.w.best_key)) dpd_angle_direction(s.w.best_key, line);
  normal[0] = s.w.best_opposite ? line[1] : -line[1];
  normal[1] = s.w.best_opposite ? -line[0] : line[0];
  return DPD_OK;
}
