/* concordance.c - concordant less discordant pairs of rows: Kendall's K of two variables, exactly.
 *
 * METHOD: rows are taken in the order of x, those of one x together. Of the rows before, a tree of
 *   partial sums over the ranks of y says how many lie below a row's y and how many above: the
 *   difference, summed over rows, is K. The same from the other end completes each row's own sum.
 * EXACT: whole numbers only. With n < 2^31 rows a row's sum is below 2^31 in size, K below 2^61 and
 *   the sum of squares below 2^93. So the order of rows and the number of their entries have no
 *   influence on any bit.
 * COST: O(m log m) for m entries, and one sort a variable, whatever the number of pairs of
 *   variables.
 * DEGENERATE: ties in x or y count 0; one row, or a constant variable, gives 0.
 * REFERENCE: Kendall (1938), A new measure of rank correlation; Knight (1966), A computer method
 *   for calculating Kendall's tau with ungrouped data; Fenwick (1994), A new data structure for
 *   cumulative frequency tables.
 */
#include "num/concordance.h"

#include <string.h>

#include "num/merge_sort.h"

enum { FEW = 12 };

static inline bool comes_after(const void *unused, const dpd_ranked_item *a,
                               const dpd_ranked_item *b)
{
  (void)unused;
  return a->value > b->value;
}

DPD_DEFINE_MERGE_SORT(sort_items, void, dpd_ranked_item, comes_after, FEW)

void dpd_ranked_set(dpd_ranked *r, const double *x, dpd_ranked_item *items)
{
  for (int e = 0; e < r->size; e++)
    items[e] = (dpd_ranked_item){x[e], e};
  sort_items(NULL, items, items + r->size, r->size);
  r->distinct = 0;
  for (int i = 0; i < r->size; i++) {
    if (i == 0 || items[i].value != items[i - 1].value) r->distinct++;
    r->order[i] = items[i].entry;
    r->rank[items[i].entry] = r->distinct - 1;
  }
}

/* The sum of what was added at ranks below `rank`. */
static inline int sum_below(const int *tree, int rank)
{
  int sum = 0;
  for (; rank > 0; rank &= rank - 1)
    sum += tree[rank];
  return sum;
}

static inline void add_at(int *tree, int distinct, int rank, int count)
{
  for (unsigned i = (unsigned)rank + 1; i <= (unsigned)distinct; i += i & -i)
    tree[i] += count;
}

/* Adds to row[e] the signs of its pairs with the rows of smaller x, or of larger x if `down`.
 * Returns the sum over all rows. */
static int64_t sweep(const dpd_ranked *x, const dpd_ranked *y, const dpd_tally *tally, int *tree,
                     bool down, int64_t *row)
{
  int64_t total = 0;
  int seen = 0, size = x->size, from = 0;
  memset(tree, 0, ((size_t)y->distinct + 1) * sizeof *tree);
  while (from < size) {
    int end = from;
    for (; end < size; end++) {
      int e = x->order[down ? size - 1 - end : end];
      if (x->rank[e] != x->rank[x->order[down ? size - 1 - from : from]]) break;
      int below = sum_below(tree, y->rank[e]), above = seen - sum_below(tree, y->rank[e] + 1);
      int64_t signs = down ? (int64_t)above - below : (int64_t)below - above;
      total += signs * dpd_tally_count(tally, e);
      if (row != NULL) row[e] += signs;
    }
    for (; from < end; from++) {
      int e = x->order[down ? size - 1 - from : from], count = dpd_tally_count(tally, e);
      add_at(tree, y->distinct, y->rank[e], count);
      seen += count;
    }
  }
  return total;
}

int64_t dpd_concordance(const dpd_ranked *x, const dpd_ranked *y, const dpd_tally *tally, int *tree,
                        int64_t *row, dpd_u128 *squares)
{
  if (row == NULL) return sweep(x, y, tally, tree, false, NULL);
  memset(row, 0, (size_t)x->size * sizeof *row);
  int64_t k = sweep(x, y, tally, tree, false, row);
  sweep(x, y, tally, tree, true, row);
  *squares = 0;
  for (int e = 0; e < x->size; e++) {
    uint64_t size = (uint64_t)(row[e] < 0 ? -row[e] : row[e]);
    *squares += (dpd_u128)(size * size) * (unsigned)dpd_tally_count(tally, e);
  }
  return k;
}
