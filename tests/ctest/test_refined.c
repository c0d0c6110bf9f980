/* test_refined.c - searches: exact totals near a centre, ascents that stop at the top, refined
 * directions that count what they say. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ctest.h"
#include "depth/refined.h"
#include "median/integrated.h"
#include "median/idd_smooth.h"
#include "num/directions.h"
#include "num/project_block.h"

enum { N = 300, D = 3, U = 25 };

static uint64_t state = 11;

static double next(void)
{
  state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (double)(state >> 11) * 0x1p-53;
}

static double x[N * D], rows[(N + 8) * D], dirs[U * D];

static void set_up(bool tied)
{
  double column[U * D], work[64];
  for (int i = 0; i < N * D; i++)
    x[i] = tied ? floor(4 * next()) : next() + next() + next() - 1.5;
  dpd_directions(3, true, U, D, column, work);
  for (int u = 0; u < U; u++)
    for (int j = 0; j < D; j++)
      dirs[u * D + j] = column[u + j * U];
  dpd_pack_rows(x, N, D, NULL, rows);
}

static double project(const double *u, const double *q)
{
  double sum = 0;
  for (int j = 0; j < D; j++)
    sum += u[j] * q[j];
  return sum;
}

static dpd_u128 counted(dpd_rank_kind kind, const double *q)
{
  dpd_u128 sum = 0;
  for (int u = 0; u < U; u++) {
    double t = project(dirs + u * D, q), row[D];
    int lt = 0, le = 0;
    for (int i = 0; i < N; i++) {
      for (int j = 0; j < D; j++)
        row[j] = x[i + j * N];
      double y = project(dirs + u * D, row);
      lt += y < t;
      le += y <= t;
    }
    int least = le < N - lt ? le : N - lt;
    sum += kind == DPD_RANK_IRW ? (uint64_t)least : (uint64_t)(le * (N - le));
  }
  return sum;
}

static void totals_near_a_centre(dpd_rank_kind kind, bool tied)
{
  int width = dpd_integrated_median_width(N);
  double centre[D] = {tied ? 1 : 0.1, tied ? 2 : 0, tied ? 1 : -0.1}, q[D], work[2 * D];
  dpd_integrated_median s = {.kind = kind, .rows = rows, .n = N, .d = D, .count = U, .dirs = dirs};
  s.threads = 2;
  s.width = width;
  s.centre = centre;
  s.value = malloc((size_t)(U * width) * sizeof(double));
  s.up_to = malloc((size_t)(U * width) * sizeof(int));
  s.below = malloc(U * sizeof(int));
  s.kept = malloc(U * sizeof(int));
  s.lo = malloc(U * sizeof(double));
  s.hi = malloc(U * sizeof(double));
  s.work = malloc(dpd_integrated_median_scratch(&s));
  dpd_integrated_median_fill(&s, 0, U);
  int inside = 0;
  for (int k = 0; k < 300; k++) {
    dpd_u128 total;
    double reach = ldexp(1, -(k % 8));
    for (int j = 0; j < D; j++)
      q[j] = centre[j] + (k ? reach * (next() - 0.5) : 0);
    if (!dpd_integrated_median_total(&s, q, &total)) continue;
    inside++;
    CHECK(total == counted(kind, q));
  }
  CHECK(inside > 100);
  dpd_integrated_median_climb(&s, q, work);
  CHECK(counted(kind, q) >= counted(kind, centre));
  free(s.value);
  free(s.up_to);
  free(s.below);
  free(s.kept);
  free(s.lo);
  free(s.hi);
  free(s.work);
}

static void ascent_stops_at_the_top(double slope)
{
  double q[D] = {0.3, -0.2, 0.2}, work[D * (D + 4)], gradient[D];
  dpd_idd_smooth_median a = {
      .rows = rows, .n = N, .d = D, .count = U, .dirs = dirs, .s = slope, .threads = 2};
  a.nodes = dpd_idd_smooth_median_nodes(U);
  a.node = malloc(2 * (size_t)(U * a.nodes) * sizeof(double));
  a.lo = malloc(U * sizeof(double));
  a.used = malloc(U * sizeof(int));
  a.slow = malloc(dpd_padded(N) * sizeof(double));
  a.work = malloc(dpd_idd_smooth_median_scratch(&a));
  dpd_idd_smooth_median_tabulate(&a, 0, U);
  double start = dpd_idd_smooth_median_value(&a, q, NULL, NULL),
         top = dpd_idd_smooth_median_climb(&a, q, work);
  CHECK(top > start && top <= 0.25);
  CHECK(fabs(dpd_idd_smooth_median_value(&a, q, gradient, NULL) - top) < 1e-15);
  CHECK(fabs(gradient[0]) + fabs(gradient[1]) + fabs(gradient[2]) < 1e-5);
  CHECK(dpd_idd_smooth_median_covers(&a, q));
  /* far outside of the tables the plain sum is taken */
  q[0] = 50;
  CHECK(!dpd_idd_smooth_median_covers(&a, q));
  CHECK(dpd_idd_smooth_median_value(&a, q, NULL, NULL) < top);
  free(a.node);
  free(a.lo);
  free(a.used);
  free(a.slow);
  free(a.work);
}

static void refined_counts_are_counts(void)
{
  enum { M = 10 };
  double q[M * D], points[(M + 8) * D], start[M * D], found[M * D], direction[M * D];
  double magnitude[D] = {1, 1, 1};
  int count[M];
  for (int i = 0; i < M * D; i++) {
    q[i] = 2 * next() - 1;
    start[i] = i % D == i / D % D;
  }
  dpd_pack_rows(q, M, D, NULL, points);
  dpd_center c = {DPD_MEDIAN, DPD_MAD, 0, 0, 1};
  dpd_refine r = {rows, points, N, M, D, 1, start, &c, magnitude, 2, NULL};
  r.work = malloc(dpd_refine_scratch(&r));
  dpd_refine_halfspace(&r, 0, M, count, direction);
  for (int i = 0; i < M; i++) {
    double point[D], row[D];
    int sum = 0, axis = 0;
    for (int j = 0; j < D; j++)
      point[j] = q[i + j * M];
    for (int k = 0; k < N; k++) {
      for (int j = 0; j < D; j++)
        row[j] = x[k + j * N];
      sum += project(direction + i * D, row) >= project(direction + i * D, point);
      axis += project(start + i * D, row) >= project(start + i * D, point);
    }
    CHECK(sum == count[i]);
    CHECK(count[i] <= (axis < N - axis ? axis : N - axis));
  }
  dpd_refine_projection(&r, 0, M, found, direction);
  for (int i = 0; i < M; i++)
    CHECK(found[i] >= 0 && fabs(project(direction + i * D, direction + i * D) - 1) < 1e-12);
  free(r.work);
}

int main(void)
{
  set_up(false);
  totals_near_a_centre(DPD_RANK_IRW, false);
  totals_near_a_centre(DPD_RANK_IDD, false);
  ascent_stops_at_the_top(8);
  ascent_stops_at_the_top(60);
  refined_counts_are_counts();
  set_up(true);
  totals_near_a_centre(DPD_RANK_IRW, true);
  totals_near_a_centre(DPD_RANK_IDD, true);
  return ctest_report("refined");
}
