/* test_depth_score.c - scores of depths on a 5 x 5 grid: all neighbours of up to 2 rows (of
 * simplicial depth 3), of up to 4 if the environment has DPDEPTH_SLOW (30 seconds), against the
 * sensitivity, and how much of it they reach; and what a row more does where n is private. */
#include "ctest.h"
#include "ctest_memory.h"

#include <math.h>

#include "mech/depth_median.h"
#include "mech/depth_median_state.h"
#include "samp/bernoulli.h"

enum { SIDE = 5, CELLS = SIDE * SIDE, DIRS = 5, MOST = 4 };

static const double dirs[2 * DIRS] = {1, 0, 0.6, 0.8, -0.28, 0, 1, 0.8, -0.6, 0.96};

static bool has_directions(dpd_score_kind kind)
{
  return kind != DPD_SCORE_SPATIAL && kind != DPD_SCORE_SPATIAL_MODIFIED &&
         kind != DPD_SCORE_SIMPLICIAL;
}

/* The scores of these rows at all cells; what a unit has of parts. */
static int scores_of(dpd_score_kind kind, bool private_size, int n, const int *cell, int *score)
{
  static const double a[2] = {-2, -2}, b[2] = {2, 2}, step[2] = {1, 1};
  double data[2 * MOST];
  int parts = 1;
  ctest_memory pool = {0};
  ctest_pool = &pool;
  for (int i = 0; i < n; i++) {
    data[i] = cell[i] % SIDE - 2;
    data[i + n] = cell[i] / SIDE - 2;
  }
  dpd_depth_median_spec spec = {.kind = kind,
                                .private_size = private_size,
                                .n = n,
                                .d = 2,
                                .data = data,
                                .prior = {false, 2, a, b, step, false},
                                .count = has_directions(kind) ? DIRS : 0,
                                .dirs = dirs,
                                .smooth = kind == DPD_SCORE_IDD_SMOOTH ? 2 : 0};
  dpd_depth_median *m;
  CHECK(dpd_depth_median_open(&m, &spec, ctest_alloc) == DPD_OK);
  for (int c = 0; c < CELLS; c++) {
    double z[2] = {c % SIDE - 2, c / SIDE - 2};
    score[c] = (int)dpd_depth_median_score(m, z, &parts);
  }
  ctest_free(&pool);
  return parts;
}

/* Raises `most` and lowers `least` to the scores of these rows. */
static int see_scores(dpd_score_kind kind, int n, const int *cell, int *least, int *most)
{
  int score[CELLS], parts = scores_of(kind, false, n, cell, score);
  for (int c = 0; c < CELLS; c++) {
    least[c] = score[c] < least[c] ? score[c] : least[c];
    most[c] = score[c] > most[c] ? score[c] : most[c];
  }
  return parts;
}

/* The largest change of a score by one row, in sensitivities: over all n - 1 rows in some order,
 * the scores with each other row. */
static double largest_change(dpd_score_kind kind, int n)
{
  int cell[MOST] = {0};
  double largest = 0;
  for (;;) {
    int least[CELLS], most[CELLS], parts = 1, i = n - 2;
    for (int c = 0; c < CELLS; c++) {
      least[c] = INT32_MAX;
      most[c] = 0;
    }
    for (cell[n - 1] = 0; cell[n - 1] < CELLS; cell[n - 1]++)
      parts = see_scores(kind, n, cell, least, most);
    for (int c = 0; c < CELLS; c++)
      largest = fmax(largest, (double)(most[c] - least[c]) / parts);
    while (i >= 0 && cell[i] == CELLS - 1)
      i--;
    if (i < 0) return largest;
    for (int next = cell[i] + 1; i < n - 1; i++)
      cell[i] = next;
  }
}

/* With n rows, in some order, of which the first is in the middle as a public row is, and one more:
 * the largest difference between two cells in how their scores move, in units; the largest move. */
static double widest_move(dpd_score_kind kind, int n, double *move)
{
  int cell[MOST + 1] = {CELLS / 2}, before[CELLS], after[CELLS];
  double widest = 0;
  *move = 0;
  for (;;) {
    int i = n - 1, parts = scores_of(kind, true, n, cell, before);
    CHECK(parts == 256); /* whatever n is */
    for (cell[n] = 0; cell[n] < CELLS; cell[n]++) {
      int low = INT32_MAX, high = INT32_MIN;
      CHECK(scores_of(kind, true, n + 1, cell, after) == parts);
      for (int c = 0; c < CELLS; c++) {
        low = after[c] - before[c] < low ? after[c] - before[c] : low;
        high = after[c] - before[c] > high ? after[c] - before[c] : high;
      }
      widest = fmax(widest, (double)(high - low) / parts);
      *move = fmax(*move, fmax(high, -low) / parts);
    }
    while (i > 0 && cell[i] == CELLS - 1)
      i--;
    if (i <= 0) return widest;
    for (int next = cell[i] + 1; i < n; i++)
      cell[i] = next;
  }
}

/* The numbers of rows that are looked at. */
static int most_rows(dpd_score_kind kind)
{
  if (getenv("DPDEPTH_SLOW") != NULL) return 4;
  return kind == DPD_SCORE_SIMPLICIAL ? 3 : 2;
}

static dpd_u128 many_rows(void *ctx, const double *z)
{
  (void)ctx;
  (void)z;
  return (dpd_u128)1 << 31;
}

/* Where n is private scores are cut at 2^30 parts, below what an int holds. */
static void test_cut(void)
{
  dpd_depth_median m = {.parts = 8, .score = {.added = 1, .times = 1, .sensitivity = 1}};
  m.spec.private_size = true;
  CHECK(dpd_depth_median_parts(&m, (1 << 22) - 1) == (1 << 30) - 256);
  CHECK(dpd_depth_median_parts(&m, (1 << 22) + 1) == 1 << 30);
  CHECK(dpd_depth_median_parts(&m, (dpd_u128)1 << 60) == 1 << 30);
  /* for draws: where the depth itself is wanted nothing is cut */
  int parts;
  m.score.at = many_rows;
  CHECK(dpd_depth_median_score(&m, NULL, &parts) >= 0x1p39 && parts == 256);
  CHECK(dpd_depth_median_score(&m, NULL, &parts) <= 0x1p39);
}

int main(void)
{
  test_cut();
  for (dpd_score_kind kind = 0; kind <= DPD_SCORE_HALFSPACE_EXACT; kind++)
    for (int n = kind == DPD_SCORE_SIMPLICIAL ? 3 : 1; n <= most_rows(kind); n++) {
      double change = largest_change(kind, n);
      /* A single row's unit vector is there or not, but the sensitivity is that of two that are
       * opposite; slopes of 2 take steps of one only in part. */
      bool whole = kind != DPD_SCORE_IDD_SMOOTH && (kind != DPD_SCORE_SPATIAL || n > 1);
      CHECK(change <= 1);
      CHECK(whole ? change == 1 : change >= 0.5);
    }
  for (dpd_score_kind kind = 0; kind <= DPD_SCORE_SIMPLICIAL; kind++) {
    bool corners = kind == DPD_SCORE_SIMPLICIAL;
    for (int n = corners ? 3 : 1; n <= (corners ? 3 : 2); n++) {
      double move, widest = widest_move(kind, n, &move);
      CHECK(widest <= 1 && move <= 1);
      CHECK(widest >= (kind == DPD_SCORE_IDD_SMOOTH ? 0.37 : 0.5)); /* slopes of 2, as above */
    }
  }
  return ctest_report("depth_score");
}
