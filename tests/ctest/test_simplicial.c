/* test_simplicial.c - simplicial depth in space where rows are orthogonal to the directions that
 * the kernel tries first: the score is that of the rows, whatever their columns' order. */
#include <stdlib.h>

#include "ctest.h"
#include "depth/simplicial_3d.h"
#include "num/binomial.h"

enum { N = 60, TRIED = 16, FLAT = N - TRIED + 1 };

/* Columns in another order are a linear map, which moves no tetrahedron off the origin. */
static uint64_t outside(double row[N][3], int turn)
{
  static double column[3][N];
  const double *const x[3] = {column[turn % 3], column[(turn + 1) % 3], column[(turn + 2) % 3]};
  const double origin[3] = {0, 0, 0};
  void *work = malloc(dpd_simplicial3_scratch(N));
  for (int i = 0; i < N; i++)
    for (int c = 0; c < 3; c++)
      column[c][i] = row[i][c];
  uint64_t count = dpd_simplicial3_outside(x, N, origin, origin, work);
  free(work);
  return count;
}

int main(void)
{
  static double row[N][3];
  uint64_t state = 1;
  for (int t = 0; t < TRIED; t++) { /* the directions of depth/simplicial_3d.c */
    double u[3];
    for (int c = 0; c < 3; c++) {
      state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
      u[c] = (double)((int64_t)(state >> 43 | 1) - (1 << 20));
    }
    for (int i = t == 0 ? 0 : FLAT + t - 1; i < (t == 0 ? FLAT : FLAT + t); i++) {
      int c = 1 + i % 4 / 2, sign = i % 2 == 0 ? 1 : -1; /* four directions of a plane */
      row[i][0] = sign * u[c];
      row[i][c] = -sign * u[0];
      row[i][3 - c] = 0;
    }
  }
  uint64_t blocked = outside(row, 0);
  CHECK(blocked == outside(row, 1) && blocked == outside(row, 2));
  row[N - 1][0] = 7; /* one row replaced: the score moves by no more than its tetrahedra */
  row[N - 1][1] = 5;
  row[N - 1][2] = 3;
  uint64_t clear = outside(row, 0), most = dpd_choose(N - 1, 3);
  CHECK(clear == outside(row, 1) && clear == outside(row, 2));
  CHECK(clear <= blocked + most && blocked <= clear + most);
  return ctest_report("simplicial");
}
