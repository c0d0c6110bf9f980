/* regression_order.c - rows of a private regression by projection, by number and by how central.
 *
 * METHOD: a stable merge sort; halving; insertion.
 * COST: O(n log n), O(log n), O(n most).
 * DEGENERATE: rows with tied keys keep their order.
 */
#include "mech/regression_order.h"

#include "num/merge_sort.h"

enum { FEW = 12 };
#define FARTHEST 1e300

static inline bool key_after(const void *unused, const dpd_keyed_row *a, const dpd_keyed_row *b)
{
  (void)unused;
  return a->key > b->key;
}

DPD_DEFINE_MERGE_SORT(sort_keys, void, dpd_keyed_row, key_after, FEW)

void dpd_keyed_rows_sort(dpd_keyed_row *x, int n)
{
  sort_keys(NULL, x, x + n, n);
}

bool dpd_keyed_rows_order(dpd_keyed_row *x, int n, int *order)
{
  bool tied = false;
  dpd_keyed_rows_sort(x, n);
  for (int s = 0; s < n; s++) {
    bool same = s + 1 < n && x[s].key == x[s + 1].key;
    order[s] = same ? ~x[s].row : x[s].row;
    tied |= same;
  }
  return tied;
}

int dpd_rows_find(const int *row, int size, int wanted)
{
  int from = 0, to = size - 1;
  while (from < to) {
    int mid = from + (to - from) / 2;
    if (row[mid] < wanted)
      from = mid + 1;
    else
      to = mid;
  }
  return size > 0 && row[from] == wanted ? from : -1;
}

int dpd_rows_central(const double *off, const bool *open, int size, int most, int *at)
{
  double least[DPD_ROWS_CENTRAL_MOST];
  int found = 0;
  for (int i = 0; i < size; i++) {
    if (open != NULL && !open[i]) continue;
    double away = off[i] < FARTHEST ? off[i] : FARTHEST;
    int to = found < most ? found++ : most;
    for (; to > 0 && away < least[to - 1]; to--)
      if (to < most) {
        least[to] = least[to - 1];
        at[to] = at[to - 1];
      }
    if (to == most) continue;
    least[to] = away;
    at[to] = i;
  }
  return found;
}
