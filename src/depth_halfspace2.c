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
  int away; /* rows not at p */
  int best; /* the least count so far, and where it was found */
  double best_key;
  bool best_opposite, exact;
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

/* Fills tally and balance, and counts the rows away from p. */
static void count_buckets(plane *s)
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
  s->away = s->k.n - tally[2 * buckets];
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
static int compare_rays(const plane *s, const ray *p, const ray *q)
{
  if (p->lo != q->lo) return p->lo < q->lo ? -1 : 1;
  return s->exact ? -cross_sign(s, p, q) : 0;
}

static void sort_rays(const plane *s, ray *r, ray *spare, int n)
{
  if (n <= 12) {
    for (int i = 1; i < n; i++) {
      ray v = r[i];
      int j = i;
      for (; j > 0 && compare_rays(s, &r[j - 1], &v) > 0; j--)
        r[j] = r[j - 1];
      r[j] = v;
    }
    return;
  }
  int half = n / 2;
  sort_rays(s, r, spare, half);
  sort_rays(s, r + half, spare, n - half);
  if (compare_rays(s, &r[half - 1], &r[half]) <= 0) return;
  memcpy(spare, r, (size_t)half * sizeof *r);
  int i = 0, j = half, k = 0;
  while (i < half && j < n)
    r[k++] = compare_rays(s, &spare[i], &r[j]) <= 0 ? spare[i++] : r[j++];
  while (i < half)
    r[k++] = spare[i++];
}

static ray make_ray(const plane *s, int row)
{
  ray r;
  double dx = s->k.x[row] - s->k.px, dy = s->k.y[row] - s->k.py;
  double key = dpd_keys_of(dx, dy, &r.sign);
  double error = s->exact ? 0 : dpd_keys_error(dx, dy, dpd_keys_row_error(&s->k, row));
  r.lo = key - error;
  r.hi = key + error;
  r.row = row;
  r.bucket = s->code[row] >> 1;
  return r;
}

/* Takes the count f at a key, or that of the opposite direction, if it is the least so far. */
static void consider(plane *s, int f, double key)
{
  int other = s->away - f, least = f < other ? f : other;
  if (least >= s->best) return;
  s->best = least;
  s->best_key = key;
  s->best_opposite = other < f;
}

/* Walks sorted rays from count f and considers F between groups of tied rays, the start excepted.
 * The end of the last group is not looked at: it is a boundary, or the caller's. */
static void walk(plane *s, const ray *r, int n, int f)
{
  double reach = -INFINITY;
  for (int i = 0; i < n; i++) {
    bool apart = i > 0 && (s->exact ? compare_rays(s, &r[i - 1], &r[i]) != 0 : r[i].lo > reach);
    if (apart) consider(s, f, 0.5 * (reach + r[i].lo));
    f += r[i].sign ? 1 : -1;
    if (r[i].hi > reach) reach = r[i].hi;
  }
}

/* All rows sorted: when an interval holds the end of the half turn. The arc there is looked at
 * from both ends, an interval before the start reaching in from the end and vice versa. */
static void full_walk(plane *s)
{
  int n = 0, before = s->best;
  double tail = -INFINITY;
  for (int i = 0; i < s->k.n; i++) {
    if (s->code[i] == 2 * s->k.buckets) continue;
    s->rays[n] = make_ray(s, i);
    if (s->rays[n].hi > tail) tail = s->rays[n].hi;
    n++;
  }
  sort_rays(s, s->rays, s->spare, n);
  bool any = false;
  int f = s->balance[0];
  double head = s->rays[0].lo, reach = tail - 4;
  for (int i = 0; i <= n; i++) {
    double next = i < n && s->rays[i].lo < head + 4 ? s->rays[i].lo : head + 4;
    bool tied = s->exact && i > 0 && i < n && compare_rays(s, &s->rays[i - 1], &s->rays[i]) == 0;
    if (next > reach || (s->exact && !tied)) {
      consider(s, f, 0.5 * (reach + next));
      any = true;
    }
    if (i == n) break;
    f += s->rays[i].sign ? 1 : -1;
    if (s->rays[i].hi > reach) reach = s->rays[i].hi;
  }
  if (any || s->exact) return;
  s->exact = true; /* everything is tied with everything: no better than to believe the numbers */
  s->best = before;
  full_walk(s);
}

/* Considers the free boundaries; marks the buckets that may hold something better and returns how
 * many rows they have. */
static int scan_boundaries(plane *s)
{
  const int buckets = s->k.buckets;
  for (int b = 0; b < buckets; b++)
    if (!(s->mark[b] & 1)) consider(s, s->balance[b], b / s->k.scale);
  int todo = 0;
  for (int b = 0, end; b < buckets; b = end) {
    int fall = 0, rise = 0, f = s->balance[b];
    for (end = b; end == b || (end < buckets && (s->mark[end] & 1)); end++) {
      fall += s->tally[2 * end];
      rise += s->tally[2 * end + 1];
    }
    if ((f - fall >= s->best && s->away - f - rise >= s->best) || fall + rise < 2) continue;
    todo += fall + rise;
    for (int i = b; i < end; i++)
      s->mark[i] |= 2;
  }
  return todo;
}

/* Sorts and walks the marked buckets; joined buckets are walked as one. */
static void walk_marked(plane *s)
{
  int n = 0;
  for (int i = 0; i < s->k.n; i++)
    if (s->mark[s->code[i] >> 1] & 2) s->rays[n++] = make_ray(s, i);
  sort_rays(s, s->rays, s->spare, n);
  for (int i = 0, end; i < n; i = end) {
    int first = s->rays[i].bucket, last = first;
    while (s->mark[first] & 1)
      first--;
    while (last + 1 < s->k.buckets && (s->mark[last + 1] & 1))
      last++;
    for (end = i; end < n && s->rays[end].bucket <= last;)
      end++;
    walk(s, s->rays + i, end - i, s->balance[first]);
  }
}

/* Fills in the least open count; s->best is the cap before. */
static void find_least(plane *s)
{
  bool astride = dpd_keys_code(&s->k, s->code);
  count_buckets(s);
  if (s->away == 0) {
    if (s->best > 0) s->best = 0;
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
  s->k.buckets = bucket_count(s->k.n);
  s->k.scale = 0.25 * s->k.buckets * (1 - 0x1p-40);
  s->exact = s->k.error == NULL && !(s->k.pad > 0);
  s->best = cap;
  s->best_key = NAN;
  lay_out(s, work);
}

int dpd_halfspace2_open(const double *x, const double *y, int n, double px, double py, double pad,
                        const double *error, int cap, void *work, int *at)
{
  plane s = {.k = {.x = x, .y = y, .px = px, .py = py, .pad = pad, .error = error, .n = n}};
  set_up(&s, cap, work);
  find_least(&s);
  *at = n - s.away;
  return s.best;
}

dpd_status dpd_halfspace2_count(const double *x, const double *y, int n, double px, double py,
                                double ex, double ey, void *work, int *count)
{
  int at, open = dpd_halfspace2_open(x, y, n, px, py, ex + ey, NULL, INT_MAX, work, &at);
  *count = at + open;
  return DPD_OK;
}

dpd_status dpd_halfspace2_witness(const double *x, const double *y, int n, double px, double py,
                                  double ex, double ey, void *work, int *count, double normal[2])
{
  plane s = {.k = {.x = x, .y = y, .px = px, .py = py, .pad = ex + ey, .n = n}};
  set_up(&s, INT_MAX, work);
  find_least(&s);
  *count = n - s.away + s.best;
  double line[2] = {1, 0};
  if (!isnan(s.best_key)) dpd_keys_direction(s.best_key, line);
  normal[0] = s.best_opposite ? line[1] : -line[1];
  normal[1] = s.best_opposite ? -line[0] : line[0];
  return DPD_OK;
}
