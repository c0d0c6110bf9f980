/* test_deviation.c - the bounds of a trimmed deviation hold for the deviations as computed. */
#include "margin/location.h"

#include <math.h>
#include <string.h>

#include "ctest.h"
#include "num/location.h"
#include "num/sort.h"

enum { N = 26, TIES = 6, MOST = 3, SETS = 400 };

static const dpd_center center = {.location = DPD_MEDIAN, .scale = DPD_TRIMMED_MAD, .trim = 0.2};

static double uniform(void)
{
  return (double)rand() / ((double)RAND_MAX + 1);
}

/* Numbers to both sides of some that are equal, which are the first and hold the median. */
static void fill(double *y)
{
  double tie = 1e-3 * uniform();
  for (int i = 0; i < N; i++) {
    double away = exp(3 * uniform() - 2); /* of several binades: sums round */
    y[i] = i < TIES ? tie : i % 2 ? tie + away : tie - away;
  }
}

/* The bounds of y's deviation, the median's being known. */
static void bound(const double *y, double scale, double *least, double *shift)
{
  double sorted[N], lower[MOST], upper[MOST], moves[MOST], work[6 * (MOST + 1)];
  dpd_reach r = {MOST, lower, upper, moves, least, shift};
  dpd_deviation v = {.y = y, .n = N, .cut = (int)dpd_trim_count(center.trim, N)};
  memcpy(sorted, y, sizeof sorted);
  dpd_sort_inplace(sorted, N);
  v.low = sorted + v.cut;
  v.high = sorted + N - 1 - v.cut;
  v.middle = sorted + (N + 1) / 2 - 1;
  v.scale = scale;
  v.work = work;
  dpd_reach_order(&r, v.middle);
  dpd_reach_deviation(&r, &v);
}

/* One of the equal numbers goes far out: the median stays, and the deviation moves by as much as
 * one number can move it. So only the allowance for rounding is between the move and its bound. */
static void check_tight_moves(void)
{
  double y[N], work[2 * N], location, before, after, least[MOST], shift[MOST];
  int rounded = 0;
  for (int s = 0; s < SETS; s++) {
    fill(y);
    dpd_center_of(&center, y, N, work, &location, &before);
    bound(y, before, least, shift);
    y[0] += s % 2 ? 100 : -100;
    dpd_center_of(&center, y, N, work, &location, &after);
    CHECK(fabs(after - before) <= shift[0]);
    CHECK(after >= least[0]);
    rounded += fabs(after - before) > shift[0] * (1 - 0x1p-36);
    bound(y, after, least, shift);
    CHECK(fabs(after - before) <= shift[0]);
    CHECK(before >= least[0]);
  }
  CHECK(rounded > SETS / 8); /* what rounding does can be seen */
}

/* The largest number, or the least, comes to the median: what is kept loses the end that is farther
 * out, and the deviation is the least that there may be. */
static void check_tight_least(void)
{
  double y[N], sorted[N], work[2 * N], location, before, after, least[MOST], shift[MOST];
  int rounded = 0, cut = (int)dpd_trim_count(center.trim, N);
  for (int s = 0; s < SETS; s++) {
    fill(y);
    dpd_center_of(&center, y, N, work, &location, &before);
    bound(y, before, least, shift);
    memcpy(sorted, y, sizeof sorted);
    dpd_sort_inplace(sorted, N);
    bool top = sorted[N - 1 - cut] - location > location - sorted[cut];
    for (int i = 0; i < N; i++)
      if (y[i] == sorted[top ? N - 1 : 0]) y[i] = location;
    dpd_center_of(&center, y, N, work, &location, &after);
    CHECK(after >= least[0]);
    rounded += after < least[0] * (1 + 0x1p-36);
  }
  CHECK(rounded > SETS / 2);
}

int main(void)
{
  srand(5);
  check_tight_moves();
  check_tight_least();
  return ctest_report("deviation");
}
