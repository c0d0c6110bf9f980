/* range_scan.c - passes over numbers, four at a time where the processor can.
 *
 * METHOD: comparisons give masks. Kept numbers are moved to the front of their four by a
 *   permutation that a table holds for each of the sixteen masks, and written as four, the
 *   next four over what is too much; without wide registers each is written, and the next one over
 *   it unless it is kept. Both write the same numbers in the same order.
 * COST: O(n), without branches that depend on the numbers.
 * DEGENERATE: n = 0 keeps and counts none; lo > hi keeps none. Infinite ends are allowed.
 */
#include "num/range_scan.h"

#include <math.h>
#include <string.h>

#include "num/simd.h"

/* Four numbers side by side, and what a comparison of them gives. */
typedef double lane4 __attribute__((vector_size(32)));
typedef int64_t mask4 __attribute__((vector_size(32)));

/* One by one. */
static size_t keep_plain(const double *x, size_t n, double lo, double hi, double *out,
                         size_t *below)
{
  size_t kept = 0;
  *below = 0;
  for (size_t i = 0; i < n; i++) {
    double v = x[i];
    out[kept] = v; /* overwritten unless it is kept; never past i */
    *below += v < lo;
    kept += (v >= lo) & (v <= hi);
  }
  return kept;
}

static size_t total(const mask4 *count)
{
  const mask4 c = *count;
  int64_t sum = c[0] + c[1] + c[2] + c[3];
  return (size_t)-sum;
}

#ifdef DPD_AVX2
/* Of each mask of four numbers: their halves of 32 bits, those of the kept ones first. */
typedef int32_t halves __attribute__((vector_size(32)));
#define PAIR(i) 2 * (i), 2 * (i) + 1
#define FOUR(a, b, c, d)                                                                           \
  {                                                                                                \
    PAIR(a), PAIR(b), PAIR(c), PAIR(d)                                                             \
  }
static const int32_t front[16][8] = {
    FOUR(0, 1, 2, 3), FOUR(0, 1, 2, 3), FOUR(1, 0, 2, 3), FOUR(0, 1, 2, 3),
    FOUR(2, 0, 1, 3), FOUR(0, 2, 1, 3), FOUR(1, 2, 0, 3), FOUR(0, 1, 2, 3),
    FOUR(3, 0, 1, 2), FOUR(0, 3, 1, 2), FOUR(1, 3, 0, 2), FOUR(0, 1, 3, 2),
    FOUR(2, 3, 0, 1), FOUR(0, 2, 3, 1), FOUR(1, 2, 3, 0), FOUR(0, 1, 2, 3)};

DPD_WIDE static size_t keep_wide(const double *x, size_t n, double lo, double hi, double *out,
                                 size_t *below)
{
  mask4 less = {0};
  size_t kept = 0, rest, i = 0;
  for (; i + 4 <= n; i += 4) {
    lane4 v;
    halves order, moved;
    memcpy(&v, x + i, sizeof v);
    less += v < lo;
    unsigned mask = (unsigned)__builtin_ia32_movmskpd256((lane4)((v >= lo) & (v <= hi)));
    memcpy(&order, front[mask], sizeof order);
    moved = __builtin_ia32_permvarsi256((halves)v, order);
    memcpy(out + kept, &moved, sizeof moved); /* never past i + 3 */
    kept += (size_t)__builtin_popcount(mask);
  }
  kept += keep_plain(x + i, n - i, lo, hi, out + kept, &rest);
  *below = total(&less) + rest;
  return kept;
}
#else
#define keep_wide keep_plain
#endif

static DPD_FORCE_INLINE void count_sides(const double *x, size_t n, double t, size_t *below,
                                         size_t *above)
{
  mask4 le = {0}, ge = {0};
  size_t i = 0;
  for (; i + 4 <= n; i += 4) {
    lane4 v;
    memcpy(&v, x + i, sizeof v);
    le += v <= t;
    ge += v >= t;
  }
  *below = total(&le);
  *above = total(&ge);
  for (; i < n; i++) {
    *below += x[i] <= t;
    *above += x[i] >= t;
  }
}

DPD_WIDE static void count_sides_wide(const double *x, size_t n, double t, size_t *below,
                                      size_t *above)
{
  count_sides(x, n, t, below, above);
}

static DPD_FORCE_INLINE void find_distances(const double *x, size_t n, double t, double *out)
{
  const mask4 size = {INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX};
  size_t i = 0;
  for (; i + 4 <= n; i += 4) {
    lane4 v;
    memcpy(&v, x + i, sizeof v);
    v = (lane4)((mask4)(v - t) & size);
    memcpy(out + i, &v, sizeof v);
  }
  for (; i < n; i++)
    out[i] = fabs(x[i] - t);
}

DPD_WIDE static void find_distances_wide(const double *x, size_t n, double t, double *out)
{
  find_distances(x, n, t, out);
}

size_t dpd_range_keep(const double *x, size_t n, double lo, double hi, double *out, size_t *below)
{
  return DPD_HAS_WIDE ? keep_wide(x, n, lo, hi, out, below) : keep_plain(x, n, lo, hi, out, below);
}

void dpd_range_sides(const double *x, size_t n, double t, size_t *below, size_t *above)
{
  if (DPD_HAS_WIDE)
    count_sides_wide(x, n, t, below, above);
  else
    count_sides(x, n, t, below, above);
}

void dpd_range_distances(const double *x, size_t n, double t, double *out)
{
  if (DPD_HAS_WIDE)
    find_distances_wide(x, n, t, out);
  else
    find_distances(x, n, t, out);
}
