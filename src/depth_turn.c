/* depth_turn.c - the rows of planar data in the order of their directions from a point.
 *
 * METHOD: v = x_i - p is folded to a half turn and gets the key 2 + b/a in [1, 3] where |a| > |b|,
 *   4 - a/b elsewhere (less 4 from 4 on): the keys of depth_keys.c with the fold at the vertical.
 *   Rows are dealt into about n buckets of keys; what is then out of order lies within buckets.
 * EXACTNESS: b/a of exact numbers is correctly rounded, so that keys never contradict angles; rows
 *   of equal key are ordered by the sign of the cross product a d - b c: products that differ
 *   after rounding differ that way before it, and for equal ones the remainders of fma() decide.
 * ROUNDING: a row with error e owns an interval of keys, 2e/max(|a|, |b|) + 2^-48 to each side;
 * rows are sorted by its lower end, and chains of overlapping intervals are groups. COST: O(n)
 * expected; a crowded bucket is merge-sorted, which makes O(n log n) the worst case. DEGENERATE: no
 * rows: no groups. If the intervals leave no gap on the whole half turn, the rounded numbers are
 * taken as exact.
 */
#include "depth_turn.h"

#include <math.h>
#include <string.h>

#include "num_mask.h"

/* More than the rounding error of a key itself. */
#define KEY_EPS 0x1p-48
/* A row so near p that its direction is unknown is not let to hide all others. */
#define KEY_MAX_ERROR 0x1p-8

enum { MIN_BUCKETS = 16, MAX_BUCKETS = 1 << 16, CROWD = 16 };

typedef struct {
  double lo; /* lower end of the row's interval of keys; the key itself if exact */
  int code;
} ray;

typedef struct {
  const double *x, *y, *error;
  double px, py, pad, scale, widest;
  int n, buckets;
  bool tied;          /* whether keys have intervals */
  double *lo, *width; /* by row: lower end of the interval, half its length */
  ray *rays, *spare;
  int *code, *order, *start, *count;
} sorter;

static int bucket_count(int n)
{
  int b = n < MAX_BUCKETS ? 2 * n : MAX_BUCKETS;
  return b < MIN_BUCKETS ? MIN_BUCKETS : b > MAX_BUCKETS ? MAX_BUCKETS : b;
}

size_t dpd_turn_work_size(int n)
{
  size_t rows = (size_t)n, b = (size_t)bucket_count(n);
  return rows * (2 * sizeof(double) + 2 * sizeof(ray)) + (3 * rows + 1 + b + 2) * sizeof(int);
}

static void lay_out(sorter *s, void *work)
{
  size_t n = (size_t)s->n;
  s->rays = work;
  s->spare = s->rays + n;
  s->lo = (double *)(s->spare + n);
  s->width = s->lo + n;
  s->code = (void *)(s->width + n);
  s->order = s->code + n;
  s->start = s->order + n;
  s->count = s->start + n + 1;
}

#if defined(__GNUC__)
#define FORCE_INLINE __attribute__((always_inline)) inline
#else
#define FORCE_INLINE inline
#endif

enum { EXACT, GIVEN, PADDED };

/* Keys, intervals and codes 2 * bucket + side of all rows; rows at p get the bucket after the last.
 * `kind`, of errors, and `tied` are known when it is compiled. */
FORCE_INLINE static void fill_keys(sorter *s, int kind, bool tied)
{
  const double *x = s->x, *y = s->y, *error = s->error;
  const double px = s->px, py = s->py, size_p = fabs(px) + fabs(py), pad = s->pad;
  const double scale = s->scale, at_p = s->buckets;
  double *lo = s->lo, *width = s->width;
  int *code = s->code;
  const int n = s->n;
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
      width[i] = w;
      w = dpd_mask(away, w, 0);
      widest = widest > w ? widest : w;
    }
    lo[i] = key;
    double at = dpd_mask(-(int64_t)(key > 0), key, 0) * scale;
    int64_t side = (past ^ -(int64_t)(lead < 0)) & away;
    code[i] = 2 * (int)dpd_mask(away, at, at_p) + (int)dpd_mask(side, 1, 0);
  }
  s->widest = widest;
}

FORCE_INLINE static void fill_kind(sorter *s)
{
  if (s->error != NULL)
    s->tied ? fill_keys(s, GIVEN, true) : fill_keys(s, GIVEN, false);
  else if (s->pad > 0)
    s->tied ? fill_keys(s, PADDED, true) : fill_keys(s, PADDED, false);
  else
    fill_keys(s, EXACT, false);
}

#if defined(__GNUC__) && defined(__x86_64__)
__attribute__((target("avx2"))) static void fill_wide(sorter *s)
{
  fill_kind(s);
}

static void fill(sorter *s)
{
  if (__builtin_cpu_supports("avx2"))
    fill_wide(s);
  else
    fill_kind(s);
}
#else
static void fill(sorter *s)
{
  fill_kind(s);
}
#endif

/* Sign of the turn from the folded direction of one ray to that of another. */
static int turn_sign(const sorter *s, const ray *p, const ray *q)
{
  int i = p->code >> 1, j = q->code >> 1;
  double a = s->x[i] - s->px, b = s->y[i] - s->py, c = s->x[j] - s->px, d = s->y[j] - s->py;
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
static inline bool comes_after(const sorter *s, const ray *p, const ray *q)
{
  if (p->lo != q->lo) return p->lo > q->lo;
  return !s->tied && turn_sign(s, p, q) < 0;
}

static void insertion_sort(const sorter *s, ray *r, int n)
{
  for (int i = 1; i < n; i++) {
    ray v = r[i];
    int j = i;
    for (; j > 0 && comes_after(s, &r[j - 1], &v); j--)
      r[j] = r[j - 1];
    r[j] = v;
  }
}

static void merge_sort(const sorter *s, ray *r, ray *spare, int n)
{
  if (n <= CROWD) {
    insertion_sort(s, r, n);
    return;
  }
  int half = n / 2;
  merge_sort(s, r, spare, half);
  merge_sort(s, r + half, spare, n - half);
  if (!comes_after(s, &r[half - 1], &r[half])) return;
  memcpy(spare, r, (size_t)half * sizeof *r);
  int i = 0, j = half, k = 0;
  while (i < half && j < n)
    r[k++] = comes_after(s, &spare[i], &r[j]) ? r[j++] : spare[i++];
  while (i < half)
    r[k++] = spare[i++];
}

/* Deals the rows into buckets and sorts them; returns the number of rows away from p. */
static int deal(const sorter *s)
{
  const int n = s->n, buckets = s->buckets;
  int *count = s->count, most = 0, sum = 0;
  memset(count, 0, ((size_t)buckets + 2) * sizeof *count);
  for (int i = 0; i < n; i++)
    count[s->code[i] >> 1]++;
  for (int b = 0; b <= buckets; b++) {
    int c = count[b];
    if (c > most && b < buckets) most = c;
    count[b] = sum;
    sum += c;
  }
  int away = count[buckets];
  for (int i = 0; i < n; i++) {
    ray v = {s->lo[i], 2 * i + (s->code[i] & 1)};
    s->rays[count[s->code[i] >> 1]++] = v;
  }
  if (most <= CROWD) {
    insertion_sort(s, s->rays, away);
    return away;
  }
  for (int b = 0, from = 0; b < buckets; b++) { /* count[b] is now the bucket's end */
    merge_sort(s, s->rays + from, s->spare, count[b] - from);
    from = count[b];
  }
  return away;
}

static double upper_end(const sorter *s, const ray *r)
{
  return r->lo + 2 * s->width[r->code >> 1];
}

/* Moves leading groups that the last one reaches round the half turn to its end, sides changed.
 * Returns false if nothing is left in front of it. */
static bool join_ends(const sorter *s, int away, double reach, int *groups)
{
  int front = 0, g = 0;
  while (g < *groups - 1 && s->rays[front].lo + 4 <= reach) {
    for (; front < s->start[g + 1]; front++)
      reach = fmax(reach, upper_end(s, &s->rays[front]) + 4);
    g++;
  }
  if (g == 0) return true;
  memcpy(s->spare, s->rays, (size_t)front * sizeof *s->rays);
  memmove(s->rays, s->rays + front, (size_t)(away - front) * sizeof *s->rays);
  for (int i = 0; i < front; i++) {
    s->rays[away - front + i] = s->spare[i];
    s->rays[away - front + i].code ^= 1;
  }
  *groups -= g;
  for (int h = 0; h < *groups; h++)
    s->start[h] = s->start[h + g] - front;
  s->start[*groups] = away;
  return *groups > 1 || s->rays[0].lo + 4 > reach;
}

/* Groups of the sorted rays when most are alone: only rays nearer than the widest interval are
 * looked at. Returns their number and, in `reach`, where the last one ends. */
static int make_groups_apart(const sorter *s, int away, double *reach)
{
  const ray *r = s->rays;
  const double gap = 2 * s->widest;
  int g = 0;
  for (int i = 0; i < away; i++) {
    bool apart = true;
    for (int k = i - 1; k >= 0 && apart && r[i].lo - r[k].lo <= gap; k--)
      apart = s->tied ? r[i].lo > upper_end(s, &r[k]) : turn_sign(s, &r[k], &r[i]) != 0;
    s->start[g] = i;
    g += apart;
  }
  *reach = -INFINITY;
  for (int k = away - 1; s->tied && k >= 0 && r[away - 1].lo - r[k].lo <= gap; k--)
    *reach = fmax(*reach, upper_end(s, &r[k]));
  return g;
}

/* The same with each ray looked at once. */
static int make_groups_close(const sorter *s, int away, double *reach)
{
  int g = 0;
  *reach = -INFINITY;
  for (int i = 0; i < away; i++) {
    double end = upper_end(s, &s->rays[i]);
    if (s->rays[i].lo > *reach) s->start[g++] = i;
    if (end > *reach) *reach = end;
  }
  return g;
}

/* Groups of the sorted rays; false if rounding leaves no gap. */
static bool make_groups(const sorter *s, int away, int *groups)
{
  double reach;
  if (s->widest * s->n < 1)
    *groups = make_groups_apart(s, away, &reach);
  else
    *groups = make_groups_close(s, away, &reach);
  s->start[*groups] = away;
  return !s->tied || *groups == 0 || join_ends(s, away, reach, groups);
}

void dpd_turn_sort(const double *x, const double *y, int n, double px, double py, double pad,
                   const double *error, void *work, dpd_turn *out)
{
  sorter s = {.x = x, .y = y, .error = error, .px = px, .py = py, .pad = pad, .n = n};
  s.tied = error != NULL || pad > 0;
  s.buckets = bucket_count(n);
  s.scale = 0.25 * s.buckets * (1 - 0x1p-40);
  lay_out(&s, work);
  fill(&s);
  int away = deal(&s), groups;
  if (!make_groups(&s, away, &groups)) {
    s.tied = false;
    fill(&s);
    away = deal(&s);
    make_groups(&s, away, &groups);
  }
  for (int i = 0; i < n; i++)
    s.order[i] = s.rays[i].code;
  out->away = away;
  out->groups = groups;
  out->code = s.order;
  out->start = s.start;
}
