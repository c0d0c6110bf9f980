/* depth_halfspace2.c - exact halfspace depth of a point in the plane.
 *
 * METHOD: let v_i = x_i - p, rows at p apart (they are in every closed halfspace). The least
 *   closed count is reached on an open arc of directions that are orthogonal to no v_i, so
 *   h = #(at p) + min over those arcs of F, the number of v_i strictly inside.
 *   Each v_i is folded to a half turn, with sign 0 if it was already there and 1 if it had to be
 *   negated. As the direction turns through the half turn, F falls by one at a row of
 *   sign 0 and rises by one at a row of sign 1; the other half turn has the counts N - F. Rows
 *   are put into buckets by angle, without sorting: prefix sums give F at bucket boundaries, and F
 *   inside a bucket is at least F at its start less its rows of sign 0 (N - F likewise).
 *   Only buckets that can still beat the best boundary are sorted and walked.
 *   Angles are the keys of depth_keys.c.
 * EXACTNESS (ex = ey = 0): equal directions have equal keys and keys never contradict angles, so
 *   buckets are unions of whole directions in order. Rows of equal key are ordered by the sign of
 *   the cross product a d - b c: fl(ad) < fl(bc) implies ad < bc, and when they are equal the
 *   remainders fma(a, d, -fl(ad)), which are exact, decide.
 * ROUNDING (ex, ey > 0): each row owns an interval of keys. Rows whose intervals overlap are
 *   tied, and the count between them is never used; up to a constant factor, their cross
 *   product is within the bound of its rounding error. A bucket edge inside an interval is no
 *   boundary: the buckets beside it are joined.
 * COST: O(n) a query plus the sorting of the buckets left, a few in all but contrived data.
 * DEGENERATE: n = 0 gives 0; all rows at p give n; collinear rows are one or two keys. If
 *   the intervals leave no arc at all the rounded numbers are taken as exact.
 * REFERENCE: Rousseeuw and Ruts (1996), Algorithm AS 307: bivariate location depth.
 */
#include "depth_halfspace.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "depth_keys.h"

enum { MIN_BUCKETS = 16, MAX_BUCKETS = 4096 };

typedef struct {
  double lo, hi; /* the interval of keys */
  int row, sign, bucket;
} ray;

typedef struct {
  dpd_keys k;
  int *code;           /* a row: 2 * bucket + sign; the last bucket holds the rows at p */
  int *tally;          /* a code: its rows; those of sign 0 lower F, those of sign 1 raise it */
  int *balance;        /* a bucket: F at its start */
  unsigned char *mark; /* a bucket: bit 0, its start is inside an interval; bit 1, to be walked */
  ray *rays, *spare;
} plane;

static int bucket_count(int n)
{
  int b = n / 8;
  return b < MIN_BUCKETS ? MIN_BUCKETS : b > MAX_BUCKETS ? MAX_BUCKETS : b;
}

size_t dpd_halfspace2_work_size(int n)
{
  size_t b = (size_t)bucket_count(n) + 1;
  return 2 * (size_t)n * sizeof(ray) + ((size_t)n + 3 * b) * sizeof(int) + b;
}

static void lay_out(plane *s, void *work)
{
  size_t b = (size_t)s->k.buckets + 1;
  s->rays = work;
  s->spare = s->rays + s->k.n;
  s->code = (int *)(s->spare + s->k.n);
  s->tally = s->code + s->k.n;
  s->balance = s->tally + 2 * b;
  s->mark = (unsigned char *)(s->balance + b);
}

/* Marks the bucket edges that lie inside a row's interval. */
static void mark_edges(plane *s)
{
  const int b = s->k.buckets;
  for (int i = 0; i < s->k.n; i++) {
    if (s->code[i] == 2 * b) continue;
    int sign, first, last;
    double dx = s->k.x[i] - s->k.px, dy = s->k.y[i] - s->k.py;
    double error = dpd_keys_error(dx, dy, dpd_keys_row_error(&s->k, i));
    dpd_keys_reach(&s->k, dpd_keys_of(dx, dy, &sign), error, &first, &last);
    for (int edge = first + 1; edge <= last; edge++)
      s->mark[(edge + b) % b] |= 1;
  }
}

static int smaller(int a, int b)
{
  return a < b ? a : b;
}

/* Fills tally and balance; returns the number of rows away from p. */
static int count_buckets(plane *s)
{
  const int buckets = s->k.buckets;
  int *tally = s->tally, f = 0;
  memset(tally, 0, 2 * ((size_t)buckets + 1) * sizeof *tally);
  for (int i = 0; i < s->k.n; i++)
    tally[s->code[i]]++;
  for (int b = 0; b < buckets; b++)
    f += tally[2 * b];
  for (int b = 0; b < buckets; b++) {
    s->balance[b] = f;
    f += tally[2 * b + 1] - tally[2 * b];
  }
  return s->k.n - tally[2 * buckets];
}

/* Sign of the angle from one direction to another, exactly: both folded to one half turn. */
static int cross_sign(const plane *s, const ray *p, const ray *q)
{
  double a = s->k.x[p->row] - s->k.px, b = s->k.y[p->row] - s->k.py;
  double c = s->k.x[q->row] - s->k.px, d = s->k.y[q->row] - s->k.py;
  double ad = a * d, bc = b * c, rest = 0;
  int sign;
  if (ad == bc) {
    rest = fma(a, d, -ad) - fma(b, c, -bc);
    sign = (rest > 0) - (rest < 0);
  } else {
    sign = ad > bc ? 1 : -1;
  }
  return p->sign == q->sign ? sign : -sign;
}

/* Negative if p comes first, 0 if the two directions are equal. */
static int compare_rays(const plane *s, const ray *p, const ray *q, int exact)
{
  if (p->lo != q->lo) return p->lo < q->lo ? -1 : 1;
  return exact ? -cross_sign(s, p, q) : 0;
}

static void sort_rays(const plane *s, ray *r, ray *spare, int n, int exact)
{
  if (n <= 12) {
    for (int i = 1; i < n; i++) {
      ray v = r[i];
      int j = i;
      for (; j > 0 && compare_rays(s, &r[j - 1], &v, exact) > 0; j--)
        r[j] = r[j - 1];
      r[j] = v;
    }
    return;
  }
  int half = n / 2;
  sort_rays(s, r, spare, half, exact);
  sort_rays(s, r + half, spare, n - half, exact);
  if (compare_rays(s, &r[half - 1], &r[half], exact) <= 0) return;
  memcpy(spare, r, (size_t)half * sizeof *r);
  int i = 0, j = half, k = 0;
  while (i < half && j < n)
    r[k++] = compare_rays(s, &spare[i], &r[j], exact) <= 0 ? spare[i++] : r[j++];
  while (i < half)
    r[k++] = spare[i++];
}

static ray make_ray(const plane *s, int row, int exact)
{
  ray r;
  double dx = s->k.x[row] - s->k.px, dy = s->k.y[row] - s->k.py;
  double key = dpd_keys_of(dx, dy, &r.sign);
  double error = exact ? 0 : dpd_keys_error(dx, dy, dpd_keys_row_error(&s->k, row));
  r.lo = key - error;
  r.hi = key + error;
  r.row = row;
  r.bucket = s->code[row] >> 1;
  return r;
}

/* Walks sorted rays from count f: the least of F and N - F between groups of tied rays, the
 * start excepted. The end of the last group is not looked at: a boundary, or the caller's. */
static int walk(const plane *s, const ray *r, int n, int f, int away, int best, int exact)
{
  double reach = -INFINITY;
  for (int i = 0; i < n; i++) {
    int apart = exact ? i > 0 && compare_rays(s, &r[i - 1], &r[i], 1) != 0 : r[i].lo > reach;
    if (i > 0 && apart) best = smaller(best, smaller(f, away - f));
    f += r[i].sign ? 1 : -1;
    if (r[i].hi > reach) reach = r[i].hi;
  }
  return best;
}

/* All rows sorted: when an interval holds the turning point of the fold, or no edge is free.
 * Two half turns, the second with signs and counts mirrored, leave every free arc once whole. */
static int full_walk(plane *s, int away, int best, int exact)
{
  int n = 0;
  for (int i = 0; i < s->k.n; i++)
    if (s->code[i] != 2 * s->k.buckets) s->rays[n++] = make_ray(s, i, exact);
  sort_rays(s, s->rays, s->spare, n, exact);
  double head = n > 0 ? s->rays[0].lo : 0, tail = -INFINITY;
  for (int i = 0; i < n; i++)
    if (s->rays[i].hi > tail) tail = s->rays[i].hi;
  int f = s->balance[0], found = INT_MAX;
  double reach = tail - 4; /* intervals that come round from the end of the half turn */
  for (int i = 0; i <= n; i++) {
    double next = i < n && s->rays[i].lo < head + 4 ? s->rays[i].lo : head + 4;
    int apart = i > 0 && i < n && exact ? compare_rays(s, &s->rays[i - 1], &s->rays[i], 1) != 0
                                        : next > reach;
    if (apart) found = smaller(found, smaller(f, away - f));
    if (i == n) break;
    f += s->rays[i].sign ? 1 : -1;
    if (s->rays[i].hi > reach) reach = s->rays[i].hi;
  }
  if (found == INT_MAX) return exact ? best : full_walk(s, away, best, 1);
  return smaller(best, found);
}

/* Best count at the free boundaries; marks the buckets that may hold a better one. */
static int scan_boundaries(plane *s, int away, int best, int *todo)
{
  const int buckets = s->k.buckets;
  for (int b = 0; b < buckets; b++)
    if (!(s->mark[b] & 1)) best = smaller(best, smaller(s->balance[b], away - s->balance[b]));
  *todo = 0;
  for (int b = 0, end; b < buckets; b = end) {
    int fall = 0, rise = 0, f = s->balance[b];
    for (end = b; end == b || (end < buckets && (s->mark[end] & 1)); end++) {
      fall += s->tally[2 * end];
      rise += s->tally[2 * end + 1];
    }
    if (smaller(f - fall, away - f - rise) >= best || fall + rise < 2) continue;
    *todo += fall + rise;
    for (int i = b; i < end; i++)
      s->mark[i] |= 2;
  }
  return best;
}

/* Sorts and walks the marked buckets; joined buckets are walked as one. */
static int walk_marked(plane *s, int away, int best, int exact)
{
  int n = 0;
  for (int i = 0; i < s->k.n; i++) {
    int b = s->code[i] >> 1;
    if (s->mark[b] & 2) s->rays[n++] = make_ray(s, i, exact);
  }
  sort_rays(s, s->rays, s->spare, n, exact);
  for (int i = 0, end; i < n; i = end) {
    int first = s->rays[i].bucket, last = first;
    while (s->mark[first] & 1)
      first--;
    while (last + 1 < s->k.buckets && (s->mark[last + 1] & 1))
      last++;
    for (end = i; end < n && s->rays[end].bucket <= last;)
      end++;
    best = walk(s, s->rays + i, end - i, s->balance[first], away, best, exact);
  }
  return best;
}

int dpd_halfspace2_open(const double *x, const double *y, int n, double px, double py, double pad,
                        const double *error, int cap, void *work, int *at)
{
  plane s = {.k = {.x = x, .y = y, .px = px, .py = py, .pad = pad, .error = error, .n = n}};
  s.k.buckets = bucket_count(n);
  s.k.scale = 0.25 * s.k.buckets * (1 - 0x1p-40);
  lay_out(&s, work);
  int exact = error == NULL && !(pad > 0), todo;
  bool astride = dpd_keys_code(&s.k, s.code);
  int away = count_buckets(&s);
  *at = n - away;
  if (away == 0) return smaller(cap, 0);
  memset(s.mark, 0, (size_t)s.k.buckets + 1);
  if (astride) {
    mark_edges(&s);
    if (s.mark[0] & 1) return full_walk(&s, away, cap, exact);
  }
  int best = scan_boundaries(&s, away, cap, &todo);
  return todo > 0 ? walk_marked(&s, away, best, exact) : best;
}

dpd_status dpd_halfspace2_count(const double *x, const double *y, int n, double px, double py,
                                double ex, double ey, void *work, int *count)
{
  int at, open = dpd_halfspace2_open(x, y, n, px, py, ex + ey, NULL, INT_MAX, work, &at);
  *count = at + open;
  return DPD_OK;
}
