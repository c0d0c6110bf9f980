/* test_least_deviations.c - fits of least absolute deviations: exact where most rows lie on one. */
#include "ctest.h"
#include "ctest_memory.h"

#include <math.h>
#include <stdlib.h>

#include "num/least_deviations.h"

enum { ROWS = 101, COLUMNS = 4 };

static double uniform(void)
{
  return rand() / ((double)RAND_MAX + 1);
}

static double mean_deviation(const double *x, const int *column, int d, const double *b)
{
  double sum = 0;
  for (int i = 0; i < ROWS; i++) {
    double r = x[i * COLUMNS + column[0]];
    for (int l = 0; l < d; l++)
      r -= b[l] * x[i * COLUMNS + column[l + 1]];
    sum += fabs(r);
  }
  return sum / ROWS;
}

/* No nearby fit is better, but for a little. */
static void check_least(const double *x, const int *column, int d)
{
  double b[COLUMNS], other[COLUMNS];
  dpd_deviations_rows rows = {x, ROWS, COLUMNS};
  double mean = dpd_deviations_fit(rows, column, (size_t)d, b, ctest_alloc);
  CHECK(fabs(mean - mean_deviation(x, column, d, b)) <= 1e-12 * (1 + mean));
  for (int t = 0; t < 200; t++) {
    for (int l = 0; l < d; l++)
      other[l] = b[l] + (uniform() - 0.5) / (1 << (t % 8));
    CHECK(mean_deviation(x, column, d, other) >= mean * 0.94);
  }
}

int main(void)
{
  ctest_memory pool = {NULL, 0};
  ctest_pool = &pool;
  double x[ROWS * COLUMNS], b[COLUMNS];
  const int column[] = {3, 0, 2, 1};
  dpd_deviations_rows rows = {x, ROWS, COLUMNS};
  srand(1);
  for (int i = 0; i < ROWS; i++) {
    x[i * COLUMNS] = 1;
    x[i * COLUMNS + 1] = uniform() - 0.5;
    x[i * COLUMNS + 2] = 6 + uniform();
    x[i * COLUMNS + 3] = x[i * COLUMNS + 2] - 3 * x[i * COLUMNS + 1] + uniform() * uniform();
  }
  for (int d = 1; d < COLUMNS; d++)
    check_least(x, column, d);
  CHECK(dpd_deviations_fit(rows, column, 0, b, ctest_alloc) > 1);
  /* few rows have the column: the others are fitted exactly, and least squares would not be 0 */
  for (int i = 0; i < ROWS; i++)
    x[i * COLUMNS + 3] = i % 4 == 0 ? 1 + 40 * uniform() : 0;
  dpd_deviations_fit(rows, column, 3, b, ctest_alloc);
  CHECK(b[0] == 0 && b[1] == 0 && b[2] == 0);
  /* most rows lie on one fit */
  for (int i = 0; i < ROWS; i++)
    x[i * COLUMNS + 3] = i % 3 == 0 ? 40 * uniform() : 2 - 0.5 * x[i * COLUMNS + 2];
  dpd_deviations_fit(rows, column, 2, b, ctest_alloc);
  CHECK(fabs(b[0] - 2) < 1e-13 && fabs(b[1] + 0.5) < 1e-13);
  /* columns that give each other, a column of zeros, numbers that are not finite */
  for (int i = 0; i < ROWS; i++)
    x[i * COLUMNS + 2] = 2 * x[i * COLUMNS];
  CHECK(isfinite(dpd_deviations_fit(rows, column, 3, b, ctest_alloc)));
  for (int i = 0; i < ROWS; i++)
    x[i * COLUMNS] = 0;
  CHECK(isfinite(dpd_deviations_fit(rows, column, 1, b, ctest_alloc)) && b[0] == 0);
  for (int i = 0; i < ROWS; i++)
    x[i * COLUMNS] = 1e200;
  CHECK(isfinite(dpd_deviations_fit(rows, column, 2, b, ctest_alloc)));
  ctest_free(&pool);
  return ctest_report("least_deviations");
}
