/* order_stat.c - order statistics of numbers that stay where they are.
 *
 * METHOD: two order statistics of a sample spread over the positions bracket the wanted one
 *   except with small probability; one pass without branches counts what is below the bracket and
 *   copies what is inside, which is narrowed in the same way until it is no more than such a
 *   sample. Ranks of so few are counted, all pairs in vector registers. If a bracket misses,
 *   quickselect takes all. A window of ranks is bracketed likewise, cut out by quickselect at its
 *   ends, and sorted by radix.
 * COST: one pass over n, and as much as one over n / 2 for the rest, expected; O(n log n) at worst.
 *   A window of m ranks: some passes over m beside.
 * DEGENERATE: with many ties the bracket may hold everything: then quickselect takes it.
 * REFERENCE: Floyd and Rivest (1975), Expected time bounds for selection.
 */
#include "num/order_stat.h"

#include <math.h>
#include <string.h>

#include "num/range_scan.h"
#include "num/select.h"
#include "num/simd.h"
#include "num/sort.h"

enum { SHORT = 600, FEW = 64, LANES = 16 };

/* Four numbers side by side, and what a comparison of them gives. */
typedef double lane4 __attribute__((vector_size(32)));
typedef int64_t mask4 __attribute__((vector_size(32)));

/* less[i]: less those of x below x[i]. */
static DPD_FORCE_INLINE void count_less(const double *x, size_t n, int64_t *less)
{
  for (size_t i = 0; i < n; i += LANES) {
    lane4 at[4];
    mask4 count[4] = {{0}};
    memcpy(at, x + i, sizeof at);
    for (size_t j = 0; j < n; j++)
      for (int k = 0; k < 4; k++)
        count[k] += x[j] < at[k];
    memcpy(less + i, count, sizeof count);
  }
}

DPD_WIDE static void count_less_wide(const double *x, size_t n, int64_t *less)
{
  count_less(x, n, less);
}

/* The number of that rank, from 0: no more than that are less, and as many as that may be. */
static double rank_among(const double *x, size_t n, const int64_t *less, size_t rank)
{
  size_t best = 0, most = 0;
  for (size_t i = 0; i < n; i++)
    if ((size_t)-less[i] == rank) return x[i];
  for (size_t i = 0; i < n; i++) { /* one of several that are equal */
    size_t below = (size_t)-less[i];
    if (below < most || below > rank) continue;
    best = i;
    most = below;
  }
  return x[best];
}

/* Numbers of ranks first and last of n <= FEW. Requires: room for FEW; what is beyond n is lost. */
static void few_ranks(double *x, size_t n, size_t first, size_t last, double out[2])
{
  int64_t less[FEW];
  for (size_t i = n; i % LANES != 0; i++)
    x[i] = 0;
  if (DPD_HAS_WIDE)
    count_less_wide(x, n, less);
  else
    count_less(x, n, less);
  out[0] = rank_among(x, n, less, first);
  out[1] = first == last ? out[0] : rank_among(x, n, less, last);
}

/* Numbers that, except with small probability, are not above rank `first`, and not below rank
 * `last`: some standard deviations from these in a sample. */
static void bracket(const double *x, size_t n, size_t first, size_t last, double ends[2])
{
  double sample[FEW], place[2];
  size_t rank[2] = {first, last}, by = n / FEW;
  for (size_t i = 0; i < FEW; i++)
    sample[i] = x[i * by];
  for (int k = 0; k < 2; k++) {
    double p = ((double)rank[k] + 0.5) / (double)n, spread = 2.5 * sqrt(p * (1 - p) * FEW) + 1;
    place[k] = p * FEW + (k == 0 ? -spread : spread);
  }
  bool low = place[0] >= 0, high = place[1] < FEW;
  few_ranks(sample, FEW, low ? (size_t)place[0] : 0, high ? (size_t)place[1] : FEW - 1, ends);
  if (!low) ends[0] = -INFINITY;
  if (!high) ends[1] = INFINITY;
}

/* The number of rank k of x, of which only those near it are left; false: it was lost. */
static bool narrow(double *x, size_t n, size_t k, double *value)
{
  double ends[2], few[FEW];
  while (n > FEW) {
    size_t below, inside;
    bracket(x, n, k, k, ends);
    inside = dpd_range_keep(x, n, ends[0], ends[1], x, &below);
    if (k < below || k >= below + inside) return false;
    bool slow = inside > n - n / 4; /* many ties, say */
    n = inside;
    k -= below;
    if (slow) break;
  }
  if (n > FEW) {
    dpd_select_range(x, n, k, k);
    *value = x[k];
    return true;
  }
  memcpy(few, x, n * sizeof *few);
  few_ranks(few, n, k, k, ends);
  *value = ends[0];
  return true;
}

static double select_copy(const double *x, size_t n, size_t k, double *work)
{
  memcpy(work, x, n * sizeof *work);
  dpd_select_range(work, n, k, k);
  return work[k];
}

double dpd_order_statistic(const double *x, size_t n, size_t k, double *work)
{
  double value, ends[2] = {-INFINITY, INFINITY};
  size_t below, inside;
  if (n > FEW) bracket(x, n, k, k, ends);
  inside = dpd_range_keep(x, n, ends[0], ends[1], work, &below);
  if (k >= below && k < below + inside && narrow(work, inside, k - below, &value)) return value;
  return select_copy(x, n, k, work);
}

/* Copies the numbers of x near ranks first..last to `work`, and counts the ranks among these.
 * Returns how many; 0: some of the ranks were lost. */
static size_t keep_near(const double *x, size_t n, size_t *first, size_t *last, double *work)
{
  const double *from = x;
  while (n >= SHORT || from == x) {
    size_t below, inside;
    double ends[2] = {-INFINITY, INFINITY};
    if (n >= SHORT) bracket(from, n, *first, *last, ends);
    inside = dpd_range_keep(from, n, ends[0], ends[1], work, &below);
    if (*first < below || *last >= below + inside) return 0;
    bool slow = inside > n - n / 4; /* a wide window, or many ties */
    from = work;
    n = inside;
    *first -= below;
    *last -= below;
    if (slow) break;
  }
  return n;
}

/* Ranks first..last (zero-based), sorted. */
static void copy_window(const double *x, size_t n, size_t first, size_t last, double *out,
                        double *work)
{
  size_t width = last - first + 1, low = first, high = last;
  if (width == n) {
    memcpy(out, x, n * sizeof *out);
  } else {
    size_t kept = keep_near(x, n, &low, &high, work);
    if (kept == 0) {
      memcpy(work, x, n * sizeof *work);
      kept = n;
      low = first;
      high = last;
    }
    dpd_select_range(work, kept, low, low);
    if (high > low)
      dpd_select_range(work + low + 1, kept - low - 1, high - low - 1, high - low - 1);
    memcpy(out, work + low, width * sizeof *out);
  }
  dpd_sort_doubles(out, width, work);
}

void dpd_order_window(const double *x, size_t n, ptrdiff_t from, ptrdiff_t to, double *out,
                      double *work)
{
  for (; from <= to && from < 1; from++)
    *out++ = -INFINITY;
  for (; to >= from && to > (ptrdiff_t)n; to--)
    out[to - from] = INFINITY;
  if (to >= from) copy_window(x, n, (size_t)from - 1, (size_t)to - 1, out, work);
}
