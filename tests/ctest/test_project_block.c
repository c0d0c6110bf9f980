/* test_project_block.c - depths over directions: plain loops, any blocks and threads. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ctest.h"
#include "depth/halfspace_directional.h"
#include "depth/projection.h"
#include "depth/integrated.h"
#include "depth/idd_smooth.h"
#include "num/directions.h"
#include "num/project_block.h"

enum { N = 61, M = 19, D = 3, U = 21 };

static uint64_t state = 5;

static double next(void)
{
  state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (double)(state >> 11) * 0x1p-53;
}

static double x[N * D], q[M * D], rows[(N + 8) * D], points[(M + 8) * D], dirs[U * D];

static double project(const double *u, const double *v, int n, int i)
{
  double sum = 0;
  for (int j = 0; j < D; j++)
    sum += u[j] * v[i + j * n];
  return sum;
}

static void set_up(void)
{
  double column[U * D], work[64];
  for (int i = 0; i < N * D; i++)
    x[i] = i % 3 == 0 ? floor(5 * next()) : 4 * next();
  for (int j = 0; j < D; j++) { /* rows that are equal, and points that are rows */
    x[1 + j * N] = x[2 + j * N] = x[j * N];
    for (int i = 0; i < M; i++)
      q[i + j * M] = i % 2 ? x[i + j * N] : 6 * next() - 1;
  }
  dpd_directions(3, true, U, D, column, work);
  for (int u = 0; u < U; u++)
    for (int j = 0; j < D; j++)
      dirs[u * D + j] = column[u + j * U];
  dpd_pack_rows(x, N, D, NULL, rows);
  dpd_pack_rows(q, M, D, NULL, points);
}

static void projections_have_the_bits_of_a_loop(void)
{
  double out[U * (N + 8)];
  for (int from = 0; from < U; from++) {
    int count = U - from;
    dpd_project_block(rows, N, D, dirs + from * D, count, out);
    for (int u = 0; u < count; u++)
      for (int i = 0; i < N; i++)
        CHECK(out[(size_t)u * dpd_padded(N) + (size_t)i] ==
              project(dirs + (from + u) * D, x, N, i));
  }
}

static double counted(dpd_rank_kind kind, int i, int *worst)
{
  double sum = 0, least = N;
  for (int u = 0; u < U; u++) {
    int lt = 0, le = 0;
    double t = project(dirs + u * D, q, M, i);
    for (int k = 0; k < N; k++) {
      double y = project(dirs + u * D, x, N, k);
      lt += y < t;
      le += y <= t;
    }
    int both = le < N - lt ? le : N - lt;
    sum += kind == DPD_RANK_IDD ? le * (double)(N - le) : both;
    if (both < least) {
      least = both;
      *worst = u;
    }
  }
  if (kind == DPD_RANK_HALFSPACE) return least / N;
  return kind == DPD_RANK_IRW ? 2 * (sum / (N * (double)U)) : sum / U / (N * (double)N);
}

static void ranks(dpd_rank_kind kind, int threads, int block)
{
  double depth[M];
  int worst[M], expected = 0;
  dpd_integrated r = {kind, rows, points, N, M, D, U, dirs, threads, NULL};
  r.work = malloc(dpd_integrated_scratch(&r));
  dpd_integrated_begin(&r);
  for (int from = 0; from < U; from += block)
    dpd_integrated_run(&r, from, from + block < U ? from + block : U);
  dpd_integrated_end(&r, U, depth);
  if (kind == DPD_RANK_HALFSPACE) dpd_integrated_worst(&r, worst);
  for (int i = 0; i < M; i++) {
    CHECK(depth[i] == counted(kind, i, &expected));
    if (kind == DPD_RANK_HALFSPACE) CHECK(worst[i] == expected || depth[i] == 1);
  }
  free(r.work);
}

static void smooth(double s, int threads, int block, double *depth)
{
  dpd_smooth k = {rows, points, N, M, D, U, dirs, s, threads, NULL};
  k.work = malloc(dpd_idd_smooth_scratch(&k));
  dpd_smooth_begin(&k);
  for (int from = 0; from < U; from += block)
    dpd_smooth_run(&k, from, from + block < U ? from + block : U);
  dpd_smooth_end(&k, U, depth);
  free(k.work);
}

static void smoothed_is_right(double s)
{
  double depth[M], again[M];
  smooth(s, 1, U, depth);
  smooth(s, 3, 5, again);
  CHECK(memcmp(depth, again, sizeof depth) == 0);
  for (int i = 0; i < M; i++) {
    double sum = 0;
    for (int u = 0; u < U; u++) {
      double g = 0, t = project(dirs + u * D, q, M, i);
      for (int k = 0; k < N; k++)
        g += 1 / (1 + exp(s * (project(dirs + u * D, x, N, k) - t))) / N;
      sum += g * (1 - g) / U;
    }
    CHECK(fabs(depth[i] - sum) < 1e-8);
  }
}

static void outlyingness_has_the_same_bits(void)
{
  double out[2][M], location[U], scale[U], magnitude[D] = {1, 1, 1};
  for (int k = 0; k < 2; k++) {
    int block = k ? 4 : U;
    dpd_outlyingness o = {.center = {DPD_HUBER, DPD_IQR, 0.25, 1.345, 7}, .rows = rows};
    o.points = points;
    o.n = N;
    o.m = M;
    o.d = D;
    o.count = U;
    o.dirs = dirs;
    o.magnitude = magnitude;
    o.threads = 1 + 2 * k;
    o.location = location;
    o.scale = scale;
    o.work = malloc(dpd_outlyingness_scratch(&o));
    dpd_outlyingness_begin(&o);
    for (int from = 0; from < U; from += block)
      dpd_outlyingness_run(&o, from, from + block < U ? from + block : U);
    dpd_outlyingness_end(&o, out[k]);
    free(o.work);
  }
  CHECK(memcmp(out[0], out[1], sizeof out[0]) == 0);
  CHECK(out[0][0] > 0);
}

/* Whole numbers, so that ties are exact: a row on the boundary counts, whatever n. */
static void halfspace_counts_are_closed(void)
{
  enum { MOST = 300, COUNT = 40, SIDES = 4 };
  static const double side[SIDES * D] = {1, 0, 1, 1, 0, 1, 1, -1, 0, 0, 0, 2}, err[D] = {0, 0, 0};
  static double data[MOST * D], at[COUNT * D];
  for (int n = 1; n <= MOST; n += n < 20 ? 1 : 56) {
    int count[COUNT], spread = n % 3 == 0 ? 2 : 12;
    for (int i = 0; i < n * D; i++)
      data[i] = floor(spread * next());
    for (int i = 0; i < COUNT * D; i++)
      at[i] = floor(spread * next());
    for (int i = 0; i < COUNT; i++)
      count[i] = n;
    dpd_points p = {data, at, err, n, D, COUNT};
    dpd_direction_range range = {side, SIDES, 0, SIDES};
    void *scratch = malloc(dpd_halfspace_directional_scratch(&p, 1));
    dpd_halfspace_directional(&p, &range, 1, count, scratch);
    free(scratch);
    for (int i = 0; i < COUNT; i++) {
      int least = n;
      for (int u = 0; u < SIDES; u++) {
        int below = 0, above = 0;
        for (int k = 0; k < n; k++) {
          double gap = 0;
          for (int j = 0; j < D; j++)
            gap += side[u + j * SIDES] * (data[k + j * n] - at[i + j * COUNT]);
          below += gap <= 0;
          above += gap >= 0;
        }
        if (below < least) least = below;
        if (above < least) least = above;
      }
      CHECK(count[i] == least);
    }
  }
}

int main(void)
{
  halfspace_counts_are_closed();
  set_up();
  projections_have_the_bits_of_a_loop();
  for (int threads = 1; threads <= 3; threads++)
    for (int kind = 0; kind < 3; kind++)
      for (int block = 3; block <= U; block += 9)
        ranks((dpd_rank_kind)kind, threads, block);
  smoothed_is_right(0.01);
  smoothed_is_right(3);
  smoothed_is_right(1e5);
  outlyingness_has_the_same_bits();
  return ctest_report("project_block");
}
