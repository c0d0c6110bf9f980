/* test_concordance.c - Kendall's K and the rows' own sums against all pairs, with ties. */
#include "num/concordance.h"

#include <math.h>

#include "ctest.h"

enum { MOST = 40 };

static uint64_t seed = 7;

static int pick(int below)
{
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (int)((seed >> 33) % (uint64_t)below);
}

/* Tied, far out, tiny and infinite values. */
static double value(int kind)
{
  const double odd[9] = {0, 1, -1, 1e-300, -1e300, 1e300, INFINITY, -INFINITY, 2e-300};
  if (kind == 0) return pick(4);
  if (kind == 1) return odd[pick(9)];
  return pick(1000) - 500;
}

typedef struct {
  int order[2][MOST], rank[2][MOST], tree[MOST + 1];
  dpd_ranked_item items[2 * MOST];
  dpd_ranked r[2];
  int64_t row[MOST];
} work;

static void rank_both(work *w, const double *x, const double *y, int m)
{
  for (int j = 0; j < 2; j++) {
    w->r[j] = (dpd_ranked){w->order[j], w->rank[j], m, 0};
    dpd_ranked_set(&w->r[j], j == 0 ? x : y, w->items);
  }
}

/* Entries of several rows: what a row of each has with all rows. */
static void pairs_are_counted(int m, int kind, bool counted)
{
  static work w;
  double x[MOST], y[MOST];
  int count[MOST], end[MOST], n = 0;
  for (int i = 0; i < m; i++) {
    x[i] = value(kind);
    y[i] = value(pick(3));
    count[i] = counted ? 1 + pick(5) : 1;
    end[i] = n += count[i];
  }
  dpd_tally tally = {n, m, count, end};
  int64_t k = 0, squares = 0;
  dpd_u128 found;
  rank_both(&w, x, y, m);
  int64_t sum = dpd_concordance(&w.r[0], &w.r[1], counted ? &tally : NULL, w.tree, w.row, &found);
  for (int i = 0; i < m; i++) {
    int64_t own = 0;
    for (int j = 0; j < m; j++) {
      /* infinite values have no difference */
      int dx = (x[i] > x[j]) - (x[i] < x[j]), dy = (y[i] > y[j]) - (y[i] < y[j]);
      own += (int64_t)count[j] * dx * dy;
    }
    CHECK(w.row[i] == own);
    k += count[i] * own;
    squares += count[i] * own * own;
  }
  CHECK(sum == k / 2 && found == (dpd_u128)squares);
  CHECK(sum == dpd_concordance(&w.r[1], &w.r[0], counted ? &tally : NULL, w.tree, NULL, NULL));
}

static void sizes_are_wide(void)
{
  static work w;
  const double x[3] = {1, 2, 3};
  const int count[3] = {700000000, 700000000, 700000000};
  const int end[3] = {700000000, 1400000000, 2100000000};
  dpd_tally tally = {2100000000, 3, count, end};
  dpd_u128 squares, c = 700000000;
  rank_both(&w, x, x, 3);
  int64_t k = dpd_concordance(&w.r[0], &w.r[1], &tally, w.tree, w.row, &squares);
  CHECK(k == (int64_t)3 * 700000000 * 700000000);
  CHECK(squares == 3 * c * (2 * c) * (2 * c));
}

static void few_rows(void)
{
  static work w;
  const double x[2] = {0.0, -0.0}, y[2] = {1, 2};
  rank_both(&w, x, y, 2);
  CHECK(w.r[0].distinct == 1 && w.r[1].distinct == 2);
  CHECK(dpd_concordance(&w.r[0], &w.r[1], NULL, w.tree, NULL, NULL) == 0);
  rank_both(&w, y, y, 2);
  CHECK(dpd_concordance(&w.r[0], &w.r[1], NULL, w.tree, NULL, NULL) == 1);
  rank_both(&w, y, y, 1);
  CHECK(dpd_concordance(&w.r[0], &w.r[1], NULL, w.tree, NULL, NULL) == 0);
}

int main(void)
{
  for (int round = 0; round < 400; round++)
    pairs_are_counted(1 + pick(MOST), round % 3, round % 2 == 0);
  sizes_are_wide();
  few_rows();
  return ctest_report("concordance");
}
