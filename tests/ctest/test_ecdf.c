/* test_ecdf.c - counts without sorting, and single order statistics, against plain loops. */
#include "num/ecdf.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ctest.h"
#include "num/order_stat.h"
#include "num/sort.h"

enum { N = 3000 };

static uint64_t state = 1;

static double next(void)
{
  state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (double)(state >> 11) * 0x1p-53;
}

/* Sets of numbers: smooth, tied, heavy tailed, constant, clustered, extreme. */
static void fill(double *y, size_t n, int kind)
{
  for (size_t i = 0; i < n; i++) {
    double u = next();
    switch (kind) {
    case 0: y[i] = u; break;
    case 1: y[i] = floor(6 * u); break;
    case 2: y[i] = tan(3.14159 * (u - 0.5)); break;
    case 3: y[i] = -2.5; break;
    case 4: y[i] = (next() < 0.5 ? 1e9 : -1e9) + u; break;
    case 5: y[i] = ldexp(u - 0.5, (int)(2000 * next()) - 1000); break;
    default: y[i] = (u < 0.5 ? -1.7e308 : 1.7e308) * next(); break;
    }
  }
}

static void counts_are_right(const double *y, size_t n, void *scratch)
{
  dpd_ecdf e;
  dpd_ecdf_open(&e, n, scratch);
  dpd_ecdf_build(&e, y);
  for (int k = 0; k < 300; k++) {
    double a = y[(size_t)(next() * (double)n)], q = k % 3 == 0   ? a
                                                    : k % 3 == 1 ? a * 1.001
                                                                 : next();
    int lt = 0, le = 0, below, up_to;
    for (size_t i = 0; i < n; i++) {
      lt += y[i] < q;
      le += y[i] <= q;
    }
    dpd_ecdf_count(&e, q, &below, &up_to);
    CHECK(below == lt && up_to == le);
  }
}

static void order_statistics_are_right(const double *y, size_t n, double *sorted, double *work)
{
  memcpy(sorted, y, n * sizeof *y);
  dpd_sort_inplace(sorted, n);
  for (int k = 0; k < 30; k++) {
    size_t rank = k == 0   ? 0
                  : k == 1 ? n - 1
                  : k == 2 ? (n + 1) / 2 - 1
                           : (size_t)(next() * (double)n);
    CHECK(dpd_order_statistic(y, n, rank, work) == sorted[rank]);
  }
}

/* What a sample of every 16th number makes of the whole may miss the ranks by one: numbers 0, 1,
 * ..., of which those are s, s + 1, ... */
static void missed_ranks_are_found(double *y, double *work)
{
  enum { MANY = 1024, EVERY = 16, SAMPLED = MANY / EVERY, RANK = 500, AROUND = 3 };
  bool found = true;
  for (int s = RANK - SAMPLED - AROUND - 2; s <= RANK + AROUND + 2; s++) {
    double out[2 * AROUND + 1];
    int other = 0;
    for (int i = 0; i < MANY; i++) {
      if (other == s) other += SAMPLED;
      y[i] = i % EVERY == 0 ? s + i / EVERY : other++;
    }
    found = found && dpd_order_statistic(y, MANY, RANK, work) == RANK;
    dpd_order_window(y, MANY, RANK + 1 - AROUND, RANK + 1 + AROUND, out, work);
    for (int k = 0; k <= 2 * AROUND; k++)
      found = found && out[k] == RANK + k - AROUND;
  }
  CHECK(found);
}

/* Windows of all widths, of distinct numbers and of few values. */
static void windows_are_sorted_ranks(double *y, double *work)
{
  enum { MANY = 3000 };
  static double sorted[MANY], out[MANY];
  for (int values = 3; values <= MANY; values += MANY - 3) {
    for (int i = 0; i < MANY; i++)
      y[i] = floor(values * next());
    memcpy(sorted, y, sizeof sorted);
    dpd_sort_inplace(sorted, MANY);
    for (int from = 1; from <= MANY; from += 450)
      for (int to = from; to <= MANY; to = to < MANY ? (2 * to < MANY ? 2 * to : MANY) : MANY + 1) {
        size_t width = (size_t)(to - from) + 1;
        dpd_order_window(y, MANY, from, to, out, work);
        CHECK(memcmp(out, sorted + from - 1, width * sizeof *out) == 0);
      }
    dpd_order_window(y, MANY, 1, MANY - 1, out, work);
    CHECK(memcmp(out, sorted, (MANY - 1) * sizeof *out) == 0);
  }
}

/* The same for samples of what was kept: sets of numbers, found by search, where these miss the
 * rank by one on either side. */
static void ranks_are_found_in_what_is_kept(double *y, double *work)
{
  enum { MANY = 800, RANK = 400 };
  static const uint64_t begin[] = {UINT64_C(13258652790396870530), UINT64_C(16891668077896701634),
                                   UINT64_C(7043104685467886402), UINT64_C(7384402178871057762)};
  for (size_t set = 0; set < sizeof begin / sizeof *begin; set++) {
    int below = 0;
    state = begin[set];
    for (int i = 0; i < MANY; i++)
      y[i] = next();
    double at = dpd_order_statistic(y, MANY, RANK, work);
    for (int i = 0; i < MANY; i++)
      below += y[i] < at;
    CHECK(below == RANK);
  }
}

int main(void)
{
  static const size_t sizes[] = {1, 2, 7, 16, 400, 700, N};
  double *y = malloc(N * sizeof *y), *sorted = malloc(N * sizeof *y), *work = malloc(N * sizeof *y);
  void *scratch = malloc(dpd_ecdf_scratch(N));
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
    for (int kind = 0; kind < 7; kind++) {
      fill(y, sizes[s], kind);
      counts_are_right(y, sizes[s], scratch);
      order_statistics_are_right(y, sizes[s], sorted, work);
    }
  }
  missed_ranks_are_found(y, work);
  windows_are_sorted_ranks(y, work);
  ranks_are_found_in_what_is_kept(y, work);
  free(y);
  free(sorted);
  free(work);
  free(scratch);
  return ctest_report("ecdf");
}
