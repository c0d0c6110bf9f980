/* angle_sort.c - the rows of planar data in the order of their directions from a point.
 *
 * METHOD: v = x_i - p is folded to a half turn and gets the key 2 + b/a in [1, 3] where |a| > |b|,
 *   and 4 - a/b elsewhere (less 4 from 4 on): the keys of plane/angle.c with the fold at the
 *   vertical. Keys in units of 2^-38 and rows are packed into one integer each, and these are
 *   sorted: distributed to n to 2n buckets by leading bits, then put in order where buckets hold
 *   several. Rows with keys so near that rounding may matter are then compared again, with
 *   full keys.
 * EXACTNESS: b/a of exact numbers is correctly rounded, so that keys never contradict angles; rows
 *   of equal key are ordered by the sign of the cross product a d - b c: products that differ
 *   after rounding differ that way before it, and for equal ones the remainders of fma() decide.
 * ROUNDING: a row with error e owns an interval of keys, 2e/max(|a|, |b|) + 2^-48 to each side;
 *   rows are sorted by its lower end, and chains of overlapping intervals are groups.
 * COST: O(n) expected; crowded buckets and rows with near keys are merge-sorted, which makes O(n
 *   log n) the worst case.
 * DEGENERATE: no rows: no groups. If the intervals leave no gap on the whole half turn, the rounded
 *   numbers are taken as exact.
 */
#include "plane/angle_sort.h"

#include <math.h>
#include <string.h>

#include "num/branchless.h"
#include "num/insertion_sort.h"
#include "num/merge_sort.h"
#include "num/simd.h"

/* More than the rounding error of a key itself. */
#define KEY_EPS 0x1p-48
/* A row so near p that its direction is unknown is not let to hide all others. */
#define KEY_MAX_ERROR 0x1p-8
/* Adding it to a key leaves the key in units of 2^-38 in the last bits. */
#define KEY_SHIFT 0x1p14
#define KEY_UNIT 0x1p-38

enum { MIN_BITS = 4, MAX_BITS = 17, CROWD = 16, KEY_BITS = 41, CODE_BITS = 23 };

static const uint64_t key_mask = (UINT64_C(1) << KEY_BITS) - 1;
static const uint64_t code_mask = (UINT64_C(1) << CODE_BITS) - 1;

/* A row whose key has near neighbours: its interval of keys, or the key twice if it is exact. */
typedef struct {
  double lo, hi;
  int code;
} direction;

typedef struct {
  dpd_plane_rows q;
  double widest;
  int bits;
  bool tied; /* whether keys have intervals */
  uint64_t *packed, *sorted;
  direction *directions, *spare;
  int *order, *start, *count;
} sorter;

/* 2^bits buckets, one or two per row; the key 4 that rounding may make has a bucket of its own. */
static int bucket_bits(int n)
{
  int bits = MIN_BITS;
  while (bits < MAX_BITS && (1 << bits) < n)
    bits++;
  return bits;
}

size_t dpd_angle_sort_scratch(int n)
{
  size_t rows = (size_t)n, buckets = (size_t)1 << bucket_bits(n);
  return rows * (2 * sizeof(uint64_t) + 2 * sizeof(direction)) +
         (2 * rows + buckets + 4) * sizeof(int);
}

static void lay_out(sorter *s, void *work)
{
  size_t n = (size_t)s->q.n;
  s->packed = work;
  s->sorted = s->packed + n;
  s->directions = (void *)(s->sorted + n);
  s->spare = s->directions + n;
  s->order = (void *)(s->spare + n);
  s->start = s->order + n;
  s->count = s->start + n + 1;
}

enum { EXACT, GIVEN, PADDED };

/* Packed keys and codes 2 * row + side; rows at p get the largest key. `kind`, of errors, and
 * `tied` are known when it is compiled. */
DPD_FORCE_INLINE static void pack_keys(sorter *s, int kind, bool tied)
{
  const double *x = s->q.x, *y = s->q.y, *error = s->q.error;
  const double px = s->q.px, py = s->q.py, size_p = fabs(px) + fabs(py), pad = s->q.pad;
  uint64_t *packed = s->packed;
  const int n = s->q.n;
  double widest = 0;
#ifdef _OPENMP
#pragma omp simd reduction(max : widest)
#endif
  for (int i = 0; i < n; i++) {
    double xi = x[i], yi = y[i], dx = xi - px, dy = yi - py, ax = fabs(dx), ay = fabs(dy);
    int64_t wide = -(int64_t)(ax > ay);
    double lead = dpd_mask(wide, dx, dy), size = fabs(lead), e = 0, w = 0;
    if (kind == GIVEN) e = error[i];
    if (kind == PADDED) e = pad + DPD_COORDINATE_EPS * (fabs(xi) + fabs(yi) + size_p);
    double q = dpd_mask(wide, dy, dx) / lead, key = dpd_mask(wide, q, 2 - q) + 2;
    int64_t away = -(int64_t)(size > e), past = -(int64_t)(key >= 4);
    key -= dpd_mask(past, 4, 0);
    if (tied) {
      w = 2 * e / size + KEY_EPS;
      w = dpd_mask(-(int64_t)(w < KEY_MAX_ERROR), w, KEY_MAX_ERROR);
      key -= w;
      w = dpd_mask(away, w, 0);
      widest = widest > w ? widest : w;
    }
    key = dpd_mask(-(int64_t)(key > 0), key, 0);
    uint64_t side = (uint64_t)((past ^ -(int64_t)(lead < 0)) & away & 1);
    uint64_t high = ((uint64_t)dpd_bits(key + KEY_SHIFT) | (uint64_t)~away) & key_mask;
    packed[i] = high << CODE_BITS | (2 * (uint64_t)i + side);
  }
  s->widest = widest;
}

DPD_FORCE_INLINE static void pack_kind(sorter *s)
{
  if (s->q.error != NULL)
    s->tied ? pack_keys(s, GIVEN, true) : pack_keys(s, GIVEN, false);
  else if (s->q.pad > 0)
    s->tied ? pack_keys(s, PADDED, true) : pack_keys(s, PADDED, false);
  else
    pack_keys(s, EXACT, false);
}

DPD_WIDE static void pack_wide(sorter *s)
{
  pack_kind(s);
}

static void pack(sorter *s)
{
  if (DPD_HAS_WIDE)
    pack_wide(s);
  else
    pack_kind(s);
}

/* The full key of a row away from p, by the operations of pack_keys(). */
static direction make_direction(const sorter *s, int code)
{
  int i = code >> 1;
  double dx = s->q.x[i] - s->q.px, dy = s->q.y[i] - s->q.py;
  bool wide = fabs(dx) > fabs(dy);
  double key = (wide ? dy / dx : 2 - dx / dy) + 2, size = wide ? fabs(dx) : fabs(dy), w = 0;
  if (key >= 4) key -= 4;
  if (s->tied) {
    double e = s->q.error != NULL
                   ? s->q.error[i]
                   : s->q.pad + DPD_COORDINATE_EPS * (fabs(s->q.x[i]) + fabs(s->q.y[i]) +
                                                      (fabs(s->q.px) + fabs(s->q.py)));
    w = 2 * e / size + KEY_EPS;
    if (!(w < KEY_MAX_ERROR)) w = KEY_MAX_ERROR;
  }
  direction r = {key - w, key + w, code};
  return r;
}

/* Sign of the angle from one folded direction to another. */
static int angle_order(const sorter *s, const direction *p, const direction *q)
{
  int i = p->code >> 1, j = q->code >> 1;
  double a = s->q.x[i] - s->q.px, b = s->q.y[i] - s->q.py, c = s->q.x[j] - s->q.px,
         d = s->q.y[j] - s->q.py;
  double ad = a * d, bc = b * c, rest;
  int sign;
  if (ad == bc) {
    rest = fma(a, d, -ad) - fma(b, c, -bc);
    sign = (rest > 0) - (rest < 0);
  } else {
    sign = ad > bc ? 1 : -1;
  }
  return ((p->code ^ q->code) & 1) ? -sign : sign;
}

/* Whether p comes strictly after q. */
static inline bool comes_after(const sorter *s, const direction *p, const direction *q)
{
  if (p->lo != q->lo) return p->lo > q->lo;
  return !s->tied && angle_order(s, p, q) < 0;
}

DPD_DEFINE_MERGE_SORT(sort_directions, sorter, direction, comes_after, CROWD)

DPD_DEFINE_INSERTION_SORT(insertion_sort, uint64_t, int)

static void merge_sort(uint64_t *x, uint64_t *spare, int n)
{
  if (n <= CROWD) {
    insertion_sort(x, n);
    return;
  }
  int half = n / 2;
  merge_sort(x, spare, half);
  merge_sort(x + half, spare, n - half);
  memcpy(spare, x, (size_t)half * sizeof *x);
  int i = 0, j = half, k = 0;
  while (i < half && j < n)
    x[k++] = spare[i] > x[j] ? x[j++] : spare[i++];
  while (i < half)
    x[k++] = spare[i++];
}

/* Sorts the packed keys. Returns the number of rows away from p. */
static int deal(const sorter *s)
{
  const int n = s->q.n, buckets = 2 << s->bits, shift = CODE_BITS + KEY_BITS - 1 - s->bits;
  int *count = s->count, most = 0, sum = 0;
  /* keys below 4 are in the first half of the buckets, keys of rows at p in the last one */
  memset(count, 0, ((size_t)buckets / 2 + 2) * sizeof *count);
  const int last = buckets / 2 + 1;
  for (int i = 0; i < n; i++) {
    int b = (int)(s->packed[i] >> shift);
    count[b < last ? b : last]++;
  }
  for (int b = 0; b <= last; b++) {
    int c = count[b];
    if (c > most && b < last) most = c;
    count[b] = sum;
    sum += c;
  }
  int away = count[last];
  for (int i = 0; i < n; i++) {
    int b = (int)(s->packed[i] >> shift);
    s->sorted[count[b < last ? b : last]++] = s->packed[i];
  }
  if (most <= CROWD) {
    insertion_sort(s->sorted, away);
    return away;
  }
  for (int b = 0, from = 0; b < last; b++) { /* count[b] is now the bucket's end */
    merge_sort(s->sorted + from, s->packed, count[b] - from);
    from = count[b];
  }
  return away;
}

/* Groups of the rows from..to-1, whose keys are near each other; g groups were before. */
static int split_near(const sorter *s, int from, int to, int g)
{
  double reach = -INFINITY;
  for (int i = from; i < to; i++)
    s->directions[i - from] = make_direction(s, (int)(s->sorted[i] & code_mask));
  sort_directions(s, s->directions, s->spare, to - from);
  for (int i = from; i < to; i++) {
    const direction *r = s->directions + (i - from);
    bool apart = i == from;
    if (i > from)
      apart = s->tied ? r->lo > reach : r[-1].lo != r->lo || angle_order(s, r - 1, r) != 0;
    if (apart) s->start[g++] = i;
    if (r->hi > reach) reach = r->hi;
    s->order[i] = r->code;
  }
  return g;
}

/* Moves leading groups that the last one reaches round the half turn to its end, sides changed.
 * Returns false if nothing is left in front of it. */
static bool join_ends(const sorter *s, int away, int *groups)
{
  int front = 0, g = 0;
  double reach = -INFINITY;
  for (int i = s->start[*groups - 1]; i < away; i++)
    reach = fmax(reach, make_direction(s, s->order[i]).hi);
  while (g < *groups - 1 && make_direction(s, s->order[front]).lo + 4 <= reach) {
    for (; front < s->start[g + 1]; front++)
      reach = fmax(reach, make_direction(s, s->order[front]).hi + 4);
    g++;
  }
  bool gap = make_direction(s, s->order[front]).lo + 4 > reach || *groups - g > 1;
  if (g == 0) return gap;
  int *copy = (int *)(void *)s->spare;
  memcpy(copy, s->order, (size_t)front * sizeof *copy);
  memmove(s->order, s->order + front, (size_t)(away - front) * sizeof *s->order);
  for (int i = 0; i < front; i++)
    s->order[away - front + i] = copy[i] ^ 1;
  *groups -= g;
  for (int h = 0; h < *groups; h++)
    s->start[h] = s->start[h + g] - front;
  s->start[*groups] = away;
  return gap;
}

/* Groups of the sorted rows; false if rounding leaves no gap. */
static bool make_groups(const sorter *s, int away, int *groups)
{
  const uint64_t near = s->tied ? (uint64_t)(2 * s->widest / KEY_UNIT) + 2 : 0;
  int g = 0;
  for (int i = 0, end; i < away; i = end) {
    for (end = i + 1; end < away; end++)
      if ((s->sorted[end] >> CODE_BITS) - (s->sorted[end - 1] >> CODE_BITS) > near) break;
    if (end == i + 1) {
      s->order[i] = (int)(s->sorted[i] & code_mask);
      s->start[g++] = i;
    } else {
      g = split_near(s, i, end, g);
    }
  }
  for (int i = away; i < s->q.n; i++)
    s->order[i] = (int)(s->sorted[i] & code_mask);
  s->start[g] = away;
  *groups = g;
  return !s->tied || g == 0 || join_ends(s, away, groups);
}

void dpd_angle_sort(const dpd_plane_rows *q, void *work, dpd_angle_order *out)
{
  sorter s = {.q = *q, .tied = q->error != NULL || q->pad > 0, .bits = bucket_bits(q->n)};
  lay_out(&s, work);
  pack(&s);
  int away = deal(&s), groups;
  if (!make_groups(&s, away, &groups)) {
    s.tied = false;
    pack(&s);
    away = deal(&s);
    make_groups(&s, away, &groups);
  }
  out->away = away;
  out->groups = groups;
  out->code = s.order;
  out->start = s.start;
}
