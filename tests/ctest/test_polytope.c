/* test_polytope.c - polytopes, contours, spatial medians, tuples and regression walks. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ctest.h"
#include "median/contours.h"
#include "depth/halfspace.h"
#include "median/halfspace_3d.h"
#include "depth/regression_deepest.h"
#include "depth/simplicial.h"
#include "depth/spatial.h"
#include "median/spatial.h"
#include "depth/simplicial_incomplete.h"
#include "geom/polytope.h"

static bool close_to(double a, double b)
{
  return fabs(a - b) <= 1e-12 * (1 + fabs(b));
}

static void check_polytope(void)
{
  double lower[3] = {0, 0, 0}, upper[3] = {1, 1, 1}, z[3], s = 1 / sqrt(3);
  double corner[3] = {s, s, s}, far[3] = {-1, 0, 0}, flat[3] = {1, 0, 0};
  dpd_polytope p;
  CHECK(dpd_polytope_open(&p, lower, upper, 1e-13) == DPD_OK);
  CHECK(close_to(dpd_polytope_volume(&p), 1));
  CHECK(dpd_polytope_cut(&p, corner, 5 * s) == DPD_OK && p.face.count == 6);
  /* cuts the corner at (1, 1, 1) off: a simplex of volume (1/2)^3/6 */
  CHECK(dpd_polytope_cut(&p, corner, 2.5 * s) == DPD_OK && p.face.count == 7);
  CHECK(close_to(dpd_polytope_volume(&p), 1 - 0.125 / 6));
  dpd_polytope_centroid(&p, z);
  CHECK(close_to(z[0], (0.5 - 0.125 / 6 * (1 - 0.125)) / (1 - 0.125 / 6)));
  CHECK(close_to(z[0], z[1]) && close_to(z[1], z[2]));
  /* down to x + y + z <= 1: through three corners */
  CHECK(dpd_polytope_cut(&p, corner, s) == DPD_OK && p.face.count == 4);
  CHECK(close_to(dpd_polytope_volume(&p), 1.0 / 6));
  dpd_polytope_centroid(&p, z);
  CHECK(close_to(z[0], 0.25) && close_to(z[2], 0.25));
  CHECK(dpd_polytope_cut(&p, flat, 0.5) == DPD_OK && p.face.count == 5);
  CHECK(dpd_polytope_cut(&p, far, -2) == DPD_OK && p.face.count == 0);
  CHECK(dpd_polytope_volume(&p) == 0);
  dpd_polytope_close(&p);
}

static void check_contours(void)
{
  /* a square and its centre */
  double x[] = {-1, 1, 1, -1, 0}, y[] = {-1, -1, 1, 1, 0};
  int level[] = {1, 2, 3};
  for (int threads = 1; threads < 4; threads++) {
    dpd_polygon region[3];
    dpd_plane_levels rows = {x, y, 5, 0x1p-49, level, 3, threads};
    void *scratch = malloc(dpd_contours_scratch(&rows));
    CHECK(dpd_contours(&rows, region, scratch) == DPD_OK);
    free(scratch);
    CHECK(region[0].n == 4 && close_to(dpd_polygon_area(&region[0]), 4));
    CHECK(region[1].n == 1 && region[2].n == 1);
    CHECK(fabs(region[2].vertex[0].z[0]) < 1e-12);
    for (int l = 0; l < 3; l++)
      dpd_polygon_close(&region[l]);
  }
}

static void check_spatial(void)
{
  double x[] = {0, 1, 0, 0, 0, 1}, work[64], median[2], norm;
  dpd_spatial_trace trace = {.limit = 100};
  CHECK(dpd_spatial_median_scratch(3, 2) <= sizeof work);
  CHECK(dpd_spatial_median(x, 3, 2, work, median, &trace) == DPD_OK && trace.converged);
  CHECK(close_to(median[0], (3 - sqrt(3)) / 6) && close_to(median[1], median[0]));
  double p[] = {0, 0};
  dpd_points origin = {x, p, NULL, 3, 2, 1};
  void *scratch = malloc(dpd_spatial_norms_scratch(2, 1));
  dpd_spatial_norms(&origin, 1, &norm, scratch);
  free(scratch);
  CHECK(close_to(norm, sqrt(2) / 3));
}

static void check_tuples(void)
{
  int tuples[30], work[7], load;
  dpd_incomplete_draw(5, 7, 3, 10, tuples, work);
  for (int t = 0; t < 10; t++)
    for (int k = 0; k < 3; k++) {
      CHECK(tuples[3 * t + k] >= 0 && tuples[3 * t + k] < 7);
      for (int l = 0; l < k; l++)
        CHECK(tuples[3 * t + k] != tuples[3 * t + l]);
    }
  load = dpd_incomplete_load(tuples, 10, 3, 7, work);
  CHECK(load >= 5 && load <= 5); /* two tuples a round, five rounds */
  int all[12];
  dpd_incomplete_all(4, 3, all);
  CHECK(all[0] == 0 && all[2] == 2 && all[9] == 1 && all[11] == 3);
  /* a triangle, a flat one and its points */
  double x[] = {0, 2, 0, 1, 0, 0, 2, 0}, p[] = {0.5, 1, 1, 0.5, 0, -1}, err[] = {0x1p-50, 0x1p-50};
  int held[3] = {0, 0, 0}, two[] = {0, 1, 2, 0, 1, 3};
  dpd_points three = {x, p, err, 4, 2, 3};
  dpd_tuples both = {two, 0, 2};
  void *scratch = malloc(dpd_incomplete_scratch(2, 2));
  dpd_incomplete_count(&three, &both, 2, held, scratch);
  free(scratch);
  CHECK(held[0] == 1 && held[1] == 2 && held[2] == 0);
}

static int count_vertices(void *context, int i, int j, bool first, int depth)
{
  int *seen = context;
  (void)i;
  (void)j;
  seen[depth] += first;
  return 0;
}

static void check_regression(void)
{
  /* four rows: six lines, of which two are the diagonals of a quadrangle */
  double x[] = {0, 1, 2, 3}, y[] = {0, 5, -5, 1}, b[] = {0, 9, 1.0 / 3, 0}, sort[8];
  int group[4], seen[5] = {0}, depth[2];
  dpd_lines l = {.x = x, .y = y, .n = 4, .group = group};
  dpd_lines_open(&l, sort);
  CHECK(l.groups == 4 && group[3] == 3);
  void *work = malloc(dpd_regression_walk_scratch(4));
  dpd_vertex_visitor visitor = {count_vertices, seen};
  for (int i = 0; i < 4; i++)
    dpd_regression_walk(&l, i, 0, &visitor, work);
  CHECK(seen[0] + seen[1] + seen[2] + seen[3] + seen[4] == 6);
  dpd_residuals r = {x, y, 4, 1, 0x1p-47};
  void *scratch = malloc(dpd_regression_depths_scratch(4, 1));
  dpd_fits two = {b, 2};
  dpd_regression_depths(&l, &r, &two, 1, depth, scratch);
  free(scratch);
  CHECK(depth[1] == 0 && depth[0] >= 2);
  dpd_deepest found = {.depth = 0};
  scratch = malloc(dpd_regression_deepest_scratch(4, 2));
  CHECK(dpd_regression_deepest(&l, &(dpd_deepest_range){0, 4, 2}, &found, scratch) == DPD_OK);
  CHECK(found.rows.count == (size_t)seen[found.depth] && found.depth >= 2);
  dpd_deepest_close(&found);
  free(scratch);
  free(work);
}

/* Rows on the moment curve and their opposites: each direction has half of them above. */
static void check_four(void)
{
  double v[4 * 12], origin[4] = {0, 0, 0, 0}, err[4] = {0, 0, 0, 0};
  const double *x[4] = {v, v + 12, v + 24, v + 36};
  for (int i = 0; i < 6; i++)
    for (int k = 0; k < 4; k++) {
      v[12 * k + i] = pow(i + 1, k + 1);
      v[12 * k + i + 6] = -v[12 * k + i];
    }
  void *work = malloc(dpd_halfspace4_scratch(12));
  int count;
  CHECK(dpd_halfspace4_count(x, 12, origin, err, work, &count) == DPD_OK && count == 6);
  double corner[4] = {6, 36, 216, 1296};
  CHECK(dpd_halfspace4_count(x, 12, corner, err, work, &count) == DPD_OK && count == 1);
  free(work);
}

static void check_median3(void)
{
  double data[3 * 8], err[3] = {0x1p-50, 0x1p-50, 0x1p-50}, centre[3] = {0, 0, 0};
  for (int i = 0; i < 8; i++)
    for (int k = 0; k < 3; k++)
      data[8 * k + i] = (i >> k) & 1;
  for (int threads = 1; threads < 4; threads++) {
    dpd_space_levels levels = {data, err, centre, 8, 2, 6, threads};
    dpd_deepest_3d out;
    dpd_space_search search;
    dpd_status status;
    void *scratch = malloc(dpd_halfspace_3d_median_scratch(8, threads));
    dpd_halfspace_3d_median_open(&search, &levels, scratch);
    int steps = 0;
    while ((status = dpd_halfspace_3d_median(&search, threads, &out)) == DPD_AGAIN)
      steps++;
    CHECK(status == DPD_OK && steps >= 8 / threads + 2);
    dpd_halfspace_3d_median_close(&search);
    /* one that is left in the middle */
    dpd_halfspace_3d_median_open(&search, &levels, scratch);
    CHECK(dpd_halfspace_3d_median(&search, 5, &out) == DPD_AGAIN);
    dpd_halfspace_3d_median_close(&search);
    free(scratch);
    CHECK(out.found && out.level == 4);
    for (int k = 0; k < 3; k++)
      CHECK(close_to(out.z[k], 0.5));
  }
}

/* The point that is found does not depend on how many rows a step takes, and is as deep as it says
 * among planes of the level. */
static void check_blocks(void)
{
  enum { N = 30 };
  double data[3 * N], err[3] = {0, 0, 0}, centre[3] = {0, 0, 0};
  uint64_t state = 5;
  for (int i = 0; i < 3 * N; i++) {
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    data[i] = (double)(state >> 54) - 512;
  }
  dpd_space_levels levels = {data, err, centre, N, 5, 14, 1};
  dpd_deepest_3d out[3];
  void *scratch = malloc(dpd_halfspace_3d_median_scratch(N, 1));
  static const int rows[] = {N, 1, 7};
  for (int k = 0; k < 3; k++) {
    dpd_space_search search;
    dpd_halfspace_3d_median_open(&search, &levels, scratch);
    while (dpd_halfspace_3d_median(&search, rows[k], &out[k]) == DPD_AGAIN)
      continue;
    CHECK(out[k].found && out[k].level == out[0].level);
    CHECK(memcmp(out[k].z, out[0].z, sizeof out->z) == 0);
    dpd_halfspace_3d_median_close(&search);
  }
  free(scratch);
}

int main(void)
{
  check_polytope();
  check_contours();
  check_spatial();
  check_tuples();
  check_regression();
  check_four();
  check_median3();
  check_blocks();
  return ctest_report("polytope");
}
