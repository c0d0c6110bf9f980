/* test_rank_fill.c - windows of order statistics of many rows, against sorting all of them. */
#include <stdlib.h>
#include <string.h>

#include "ctest.h"
#include "ctest_memory.h"
#include "num/rank_fill.h"

enum { N = 6007, MOST_N = 12007, MOST_D = 5, U = 19, KINDS = 9, SAMPLED = 6, WINDOWS = 7 };

static uint64_t state = 11;

static uint64_t next(void)
{
  state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return state >> 33;
}

static double bell(double size)
{
  double sum = 0;
  for (int k = 0; k < 6; k++)
    sum += (double)(next() % 2001) - 1000;
  return (double)(int64_t)(sum * size);
}

/* A coordinate of row i: also where the rows that brackets are read off are unlike the others. */
static double coordinate(int kind, int i)
{
  bool sampled = i % SAMPLED == 0;
  switch (kind) {
  case 0: return bell(0x1p18);
  case 1: return (double)(next() % 5) - 2;
  case 2: return 7;
  case 3: return (i % 3 == 0 ? 0x1p33 : -0x1p33) + bell(0.001);
  case 4: return bell(1) + (sampled ? 0x1p20 : 0);
  case 5: return bell(1) - (sampled ? 0x1p20 : 0);
  case 6: return sampled ? bell(0x1p10) : (double)(next() % 3);
  case 7: return (double)i * i;
  default: return i == 77 ? 0x1p33 : bell(0.01);
  }
}

static double rows[MOST_N * MOST_D], dirs[U * MOST_D], sorted[U][MOST_N];

/* By merging halves; twice as fast as qsort(), which took half of the test's time. */
static void sort_slowly(double *x, int n)
{
  static double half[MOST_N];
  int at = 0, left = 0, right = n / 2;
  if (n < 2) return;
  sort_slowly(x, n / 2);
  sort_slowly(x + n / 2, n - n / 2);
  memcpy(half, x, (size_t)(n / 2) * sizeof *x);
  while (left < n / 2)
    x[at++] = right < n && x[right] < half[left] ? x[right++] : half[left++];
}

/* Directions of whole numbers, and some that are not, as those that are added on the way. */
static dpd_projected make_problem(int kind, int d, int n)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < d; j++)
      rows[i * d + j] = coordinate(kind, i);
  for (int u = 0; u < U; u++)
    for (int j = 0; j < d; j++)
      dirs[u * d + j] =
          u % 4 == 3 ? 1 / (double)(1 + next() % 99) : (double)(next() % 131072) - 65536;
  dpd_projected p = {n, d, U, U + 2, rows, dirs, NULL, NULL};
  for (int u = 0; u < U; u++) {
    for (int i = 0; i < n; i++)
      sorted[u][i] = dpd_project(dirs + u * d, rows + i * d, d);
    sort_slowly(sorted[u], n);
  }
  return p;
}

/* The same as projections without rows. */
static dpd_projected known(const dpd_projected *p)
{
  static double value[U][MOST_N];
  static int end[U][MOST_N];
  static dpd_runs along[U];
  for (int u = 0; u < p->count; u++) {
    along[u] = (dpd_runs){0, value[u], end[u]};
    for (int i = 0; i < p->n; i++) {
      if (i == 0 || sorted[u][i] != sorted[u][i - 1]) value[u][along[u].size++] = sorted[u][i];
      end[u][along[u].size - 1] = i + 1;
    }
  }
  dpd_projected q = *p;
  q.rows = NULL;
  q.along = along;
  return q;
}

/* Are all kept ranks the sorted rows', to the last bit? */
static bool fills_right(const dpd_projected *p, const int window[3], int threads)
{
  dpd_rank_window w = {p, window[0], window[1], window[2], 0, NULL};
  w.ranks = (w.high - w.low) / w.stride + 1;
  w.value = ctest_alloc(dpd_rank_window_values(&w), sizeof(double));
  double *work = ctest_alloc(dpd_rank_window_work(p) * (size_t)threads, sizeof *work);
  bool right = true;
  for (size_t i = 0; i < dpd_rank_window_values(&w); i++)
    w.value[i] = 77;
  dpd_rank_window_fill(&w, 0, 2, threads, work);
  dpd_rank_window_fill(&w, 2, U, threads, work);
  for (size_t i = 0; i < dpd_rank_window_values(&w); i++)
    right = right && (i % (U + 2) < U || w.value[i] == 77); /* no directions but those */
  for (int k = 0; k < w.ranks; k++)
    for (int u = 0; u < U; u++) {
      int t = w.low + k * w.stride;
      right =
          right &&
          memcmp(dpd_rank_window_kept(&w, k) + u, &sorted[u][t - 1], sizeof(double)) == 0 &&
          memcmp(dpd_rank_window_kept_mirror(&w, k) + u, &sorted[u][p->n - t], sizeof(double)) == 0;
    }
  return right;
}

static void test_windows(void)
{
  static const int window[WINDOWS][3] = {{1, 1, 1},        {1, N, 1},      {2950, 3060, 1},
                                         {2500, 2900, 50}, {900, 1200, 3}, {5000, 6000, 100},
                                         {2990, 3004, 1}};
  static const int columns[] = {3, 1, 2, MOST_D};
  for (int kind = 0; kind < KINDS; kind++) {
    ctest_memory memory = {NULL, 0};
    dpd_projected p = make_problem(kind, columns[kind % 4], N);
    ctest_pool = &memory;
    for (int k = 0; k < WINDOWS; k++)
      if ((kind + k) % 7 < ctest_some(7)) CHECK(fills_right(&p, window[k], 1 + (kind + k) % 2));
    dpd_projected q = known(&p);
    CHECK(fills_right(&q, window[2], 1));
    ctest_free(&memory);
  }
}

/* Bands that are kept and hold so much that all of it is sorted. */
static void test_broad_window(void)
{
  static const int window[3] = {3900, 8200, 7};
  ctest_memory memory = {NULL, 0};
  dpd_projected p = make_problem(0, 2, MOST_N);
  ctest_pool = &memory;
  CHECK(fills_right(&p, window, 1));
  ctest_free(&memory);
}

/* Depths along directions: any blocks of them. */
static void test_depths(void)
{
  for (int kind = 0; kind < KINDS; kind++) {
    dpd_projected p = make_problem(kind, 1 + kind % 4, N);
    for (int rep = 0; rep < 4; rep++) {
      const double *z = rows + (size_t)(next() % N) * (size_t)p.d;
      int first = (int)(next() % 3), want = N;
      int end = rep < 2 ? U - (int)(next() % 3) : first + 1 + (int)(next() % 2);
      for (int u = first; u < end; u++) {
        int below = 0, above = 0;
        double at = dpd_project(dirs + u * p.d, z, p.d);
        for (int i = 0; i < N; i++) {
          below += sorted[u][i] <= at;
          above += sorted[u][i] >= at;
        }
        want = below < want ? below : want;
        want = above < want ? above : want;
      }
      CHECK(dpd_projected_depth(&p, z, first, end, 1 + rep % 2) == want);
      dpd_projected q = known(&p);
      CHECK(dpd_projected_depth(&q, z, first, end, 1) == want);
    }
  }
}

/* Rows on both sides of numbers at, between and beyond a tally's values: 1, 2 and five of 3. */
static void test_sides(void)
{
  double value[3] = {1, 2, 3};
  int end[3] = {1, 2, 7};
  const dpd_runs r = {3, value, end};
  for (int t = 0; t <= 8; t++) {
    int below, above;
    dpd_runs_sides(&r, t / 2.0, &below, &above);
    CHECK(below == (t < 2 ? 0 : t < 4 ? 1 : t < 6 ? 2 : 7));
    CHECK(above == (t <= 2 ? 7 : t <= 4 ? 6 : t <= 6 ? 5 : 0));
  }
}

int main(void)
{
  test_sides();
  test_windows();
  test_broad_window();
  test_depths();
  return ctest_report("rank_fill");
}
