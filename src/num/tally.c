/* tally.c - rows with repetitions: different rows and their counts.
 *
 * METHOD: order statistics and counts of rows are those of the entries, each counted as often as it
 *   occurs: sorted once, they are found by bisection among the sums of counts, or on the way.
 * EXACT: counts are whole numbers with a sum below 2^31 - 1, so that no partial sum overflows.
 * COST: O(m log m) for m entries and any number of rows; O(log m) per bisection.
 * DEGENERATE: entries with the same number are one run.
 */
#include "num/tally.h"

#include "num/merge_sort.h"

enum { FEW = 12 };

/* The first place whose sum is above i. */
static int place_of(const int *end, int size, int i)
{
  int from = 0, to = size - 1;
  while (from < to) {
    int mid = from + (to - from) / 2;
    if (end[mid] > i)
      to = mid;
    else
      from = mid + 1;
  }
  return from;
}

int dpd_tally_entry(const dpd_tally *t, int i)
{
  return t != NULL ? place_of(t->end, t->size, i) : i;
}

static inline bool comes_after(const void *unused, const dpd_counted *a, const dpd_counted *b)
{
  (void)unused;
  return a->key > b->key;
}

DPD_DEFINE_MERGE_SORT(sort_counted, void, dpd_counted, comes_after, FEW)

void dpd_counted_sort(dpd_counted *x, dpd_counted *room, int n)
{
  sort_counted(NULL, x, room, n);
}

void dpd_runs_set(dpd_runs *r, dpd_counted *x, dpd_counted *room, int n)
{
  int sum = 0;
  dpd_counted_sort(x, room, n);
  r->size = 0;
  for (int i = 0; i < n; i++) {
    sum += x[i].count;
    if (i == 0 || x[i].key != x[i - 1].key) r->value[r->size++] = x[i].key;
    r->end[r->size - 1] = sum;
  }
}

double dpd_runs_row(const dpd_runs *r, int rank)
{
  return r->value[place_of(r->end, r->size, rank - 1)];
}

void dpd_runs_sides(const dpd_runs *r, double t, int *below, int *above)
{
  int from = 0, to = r->size;
  while (from < to) { /* the first value that is not below t */
    int mid = from + (to - from) / 2;
    if (r->value[mid] < t)
      from = mid + 1;
    else
      to = mid;
  }
  int less = from > 0 ? r->end[from - 1] : 0;
  *below = from < r->size && r->value[from] == t ? r->end[from] : less;
  *above = r->end[r->size - 1] - less;
}

void dpd_counted_ranks(const dpd_counted *sorted, dpd_ranks ranks, double *out, ptrdiff_t apart)
{
  int i = 0;
  int64_t sum = sorted[0].count, rank = ranks.first;
  for (int k = 0; k < ranks.size; k++, rank += ranks.stride, out += apart) {
    while (sum < rank)
      sum += sorted[++i].count;
    *out = sorted[i].key;
  }
}
