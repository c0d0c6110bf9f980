/* test_halfspace.c - halfspace counts, regions and medians, against slow twins on integers. */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ctest.h"
#include "depth/halfspace_directional.h"
#include "depth/halfspace.h"
#include "plane/angle.h"
#include "median/halfspace_directional.h"
#include "median/region.h"

enum { MOST = 40 };

static uint64_t state = 1;

static int below(int n)
{
  state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (int)((state >> 33) % (unsigned)n);
}

static double sides(const double *u, const double *v)
{
  return u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
}

/* u plus a little of e plus much less of w: how many rows strictly inside. */
static int inside(double v[][3], int n, const double *u, const double *e, const double *w)
{
  int count = 0;
  for (int i = 0; i < n; i++) {
    double t = sides(u, v[i]);
    if (t == 0) t = sides(e, v[i]);
    if (t == 0) t = sides(w, v[i]);
    count += t > 0;
  }
  return count;
}

static void cross(const double *a, const double *b, double *out)
{
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}

/* All cells next to the crossings of the great circles of the rows and the axes. */
static int slow_count(const double *x, const double *y, const double *z, int n, const double *p)
{
  double v[MOST + 3][3];
  int m = 0, best = INT_MAX;
  for (int i = 0; i < n; i++) {
    v[m][0] = x[i] - p[0];
    v[m][1] = y[i] - p[1];
    v[m][2] = z[i] - p[2];
    m += v[m][0] != 0 || v[m][1] != 0 || v[m][2] != 0;
  }
  for (int k = 0; k < 3; k++)
    for (int j = 0; j < 3; j++)
      v[m + k][j] = j == k;
  for (int i = 0; i < m + 3; i++)
    for (int j = 0; j < m + 3; j++) {
      double u[3], e[3], w[3];
      cross(v[i], v[j], u);
      if (sides(u, u) == 0) continue;
      for (int s = 0; s < 8; s++) {
        for (int k = 0; k < 3; k++) {
          u[k] = s & 1 ? -u[k] : u[k];
          w[k] = s & 2 ? -v[i][k] : v[i][k];
        }
        cross(u, v[i], e);
        for (int k = 0; k < 3; k++)
          e[k] = s & 4 ? -e[k] : e[k];
        int count = inside(v, m, u, e, w);
        if (count < best) best = count;
      }
    }
  return n - m + best;
}

/* Grids with ties; all on a plane, on a line, in two values. */
static void fill(double *x, double *y, double *z, int n, int kind)
{
  int values = kind == 4 ? 2 : 5;
  for (int i = 0; i < n; i++) {
    x[i] = below(values);
    y[i] = kind == 2 ? 2 * x[i] : below(values);
    z[i] = kind == 1 ? x[i] + y[i] : kind == 2 ? 3 * x[i] : kind == 3 ? 0 : below(values);
  }
}

static void test_counts(void)
{
  double x[MOST], y[MOST], z[MOST], xs[MOST], ys[MOST], zs[MOST];
  const double zero[3] = {0, 0, 0}, err[3] = {0x1p-50, 0x1p-50, 0x1p-50};
  void *work = malloc(dpd_halfspace3_scratch(MOST));
  for (int round = 0; round < ctest_some(1500); round++) {
    int n = below(round % 50 == 0 ? 25 : 8), kind = round % 5, count;
    fill(x, y, z, n, kind);
    double p[3] = {below(5), below(5), below(5)}, q[3];
    if (n > 0 && below(2)) {
      p[0] = x[0];
      p[1] = y[0];
      p[2] = z[0];
    }
    int want = slow_count(x, y, z, n, p);
    dpd_halfspace3_count((const double *[]){x, y, z}, n, p, zero, work, &count);
    CHECK(count == want);
    /* the same in decimals */
    for (int i = 0; i < n; i++) {
      xs[i] = 0.1 * x[i] + 0.3;
      ys[i] = 0.7 * y[i];
      zs[i] = (z[i] + 3) / 10;
    }
    q[0] = 0.1 * p[0] + 0.3;
    q[1] = 0.7 * p[1];
    q[2] = (p[2] + 3) / 10;
    dpd_halfspace3_count((const double *[]){xs, ys, zs}, n, q, err, work, &count);
    CHECK(count == want);
    /* the plane: a third coordinate that is the same for all adds nothing */
    memset(zs, 0, sizeof zs);
    q[2] = p[2];
    p[2] = 0;
    want = slow_count(x, y, zs, n, p);
    dpd_halfspace2_count(&(dpd_plane_rows){x, y, n, p[0], p[1], 0, NULL, NULL, 0}, work, &count);
    CHECK(count == want);
    dpd_halfspace2_count(&(dpd_plane_rows){xs, ys, n, q[0], q[1], err[0] + err[1], NULL, NULL, 0},
                         work, &count);
    CHECK(count == want);
  }
  free(work);
}

/* The witness's own count is the count; large n, so that buckets are used. */
static void test_witness(void)
{
  enum { N = 3000 };
  static double x[N], y[N];
  void *work = malloc(dpd_halfspace2_scratch(N));
  for (int round = 0; round < ctest_some(40); round++) {
    for (int i = 0; i < N; i++) {
      x[i] = below(1 << 20) + below(1 << 20);
      y[i] = below(1 << 20) + (round % 2 ? x[i] : 0);
    }
    double px = (1 << 20) + below(1 << 18), py = x[1] / 2, u[2];
    int count, other, plain, c = 0;
    dpd_halfspace2_count(&(dpd_plane_rows){x, y, N, px, py, 0, NULL, NULL, 0}, work, &plain);
    dpd_halfspace2_witness(&(dpd_plane_rows){x, y, N, px, py, 0, NULL, NULL, 0}, work, &count, u);
    for (int i = 0; i < N; i++)
      c += u[0] * (x[i] - px) + u[1] * (y[i] - py) >= 0;
    CHECK(count == plain && c == plain);
    dpd_halfspace2_witness(&(dpd_plane_rows){x, y, N, px, py, 0x1p-40 + 0x1p-40, NULL, NULL, 0},
                           work, &other, u);
    CHECK(other == plain);
  }
  free(work);
}

/* Rows inside the halfplane left of row i's direction, turned a little to one side or the other. */
static int slow_plane(const double *x, const double *y, int n, double px, double py)
{
  int at = 0, best = INT_MAX;
  for (int i = 0; i < n; i++) {
    dpd_i128 a = (dpd_i128)(x[i] - px), b = (dpd_i128)(y[i] - py);
    at += a == 0 && b == 0;
    if (a == 0 && b == 0) continue;
    int left = 0, right = 0, ahead = 0, behind = 0;
    for (int j = 0; j < n; j++) {
      dpd_i128 c = (dpd_i128)(x[j] - px), d = (dpd_i128)(y[j] - py);
      dpd_i128 turn = a * d - b * c, along = a * c + b * d;
      left += turn > 0;
      right += turn < 0;
      ahead += turn == 0 && along > 0;
      behind += turn == 0 && along < 0;
    }
    int least = (left < right ? left : right) + (ahead < behind ? ahead : behind);
    if (least < best) best = least;
  }
  return at == n ? n : at + best;
}

/* Directions that crowd together, down to below the resolution of keys; ties among them. */
static void test_crowded(void)
{
  enum { N = 400 };
  double x[N], y[N];
  void *work = malloc(dpd_halfspace2_scratch(N));
  for (int round = 0; round < 60; round++) {
    double slope = ldexp(1, round % 6 * 5), spread = 1 << (round % 5 * 5);
    for (int i = 0; i < N; i++) {
      x[i] = below(1 << 24) - (1 << 23);
      y[i] = slope * x[i] + below((int)spread);
      if (i > 0 && below(3) == 0) {
        x[i] = -x[i - 1];
        y[i] = -y[i - 1];
      }
    }
    double px = round % 2 ? 0 : x[0], py = round % 2 ? 0 : y[0];
    int count;
    dpd_halfspace2_count(&(dpd_plane_rows){x, y, N, px, py, 0, NULL, NULL, 0}, work, &count);
    CHECK(count == slow_plane(x, y, N, px, py));
  }
  free(work);
}

/* An interval of keys around the end of the half turn, and rows that tie with everything. */
static void test_ends_of_keys(void)
{
  double v[2], x[6], y[6];
  int count, sign;
  void *work = malloc(dpd_halfspace2_scratch(6));
  for (int k = 0; k <= 400; k++) {
    double key = k / 100.0;
    dpd_angle_direction(key, v);
    double back = dpd_angle_of(v[0], v[1], &sign);
    CHECK(fabs(back - key) < 1e-14 || fabs(fabs(back - key) - 4) < 1e-14);
  }
  /* three directions at the very end, in both senses: p lies between opposite rows */
  dpd_angle_direction(0, v);
  for (int i = 0; i < 6; i++) {
    double size = (i % 3 + 1) * (i < 3 ? 1 : -1);
    x[i] = size * v[0];
    y[i] = size * v[1];
  }
  dpd_halfspace2_count(&(dpd_plane_rows){x, y, 6, 0, 0, 1e-15 + 1e-15, NULL, NULL, 0}, work,
                       &count);
  CHECK(count == 3);
  for (int i = 0; i < 6; i++)
    x[i] += 1e-16 * (i - 3);
  dpd_halfspace2_count(&(dpd_plane_rows){x, y, 6, 0, 0, 1e-15 + 1e-15, NULL, NULL, 0}, work,
                       &count);
  CHECK(count == 3);
  /* errors larger than the data: all rows are at p */
  dpd_halfspace2_count(&(dpd_plane_rows){x, y, 6, 0, 0, 100 + 100, NULL, NULL, 0}, work, &count);
  CHECK(count == 6);
  free(work);
}

static void test_line(void)
{
  double y[] = {1, 2, 2, 5};
  CHECK(dpd_halfspace1_count(y, 4, 2, 0) == 3);
  CHECK(dpd_halfspace1_count(y, 4, 0, 0) == 0);
  CHECK(dpd_halfspace1_count(y, 4, 5, 0) == 1);
  CHECK(dpd_halfspace1_count(y, 4, 2 + 0x1p-51, 0) == 1);
  CHECK(dpd_halfspace1_count(y, 4, 2 + 0x1p-51, 0x1p-50) == 3);
  CHECK(dpd_halfspace1_count(y, 0, 2, 0) == 0);
}

static void test_many(void)
{
  double x[MOST], points[3 * 7], u[3 * 5];
  const double err[3] = {0, 0, 0};
  int one[7], three[7];
  for (int d = 1; d <= 3; d++) {
    for (int i = 0; i < 12 * d; i++)
      x[i] = below(4);
    for (int i = 0; i < 7 * d; i++)
      points[i] = below(4);
    for (int i = 0; i < 5 * d; i++)
      u[i] = below(9) - 4;
    dpd_points p = {x, points, err, 12, d, 7};
    void *scratch = malloc(dpd_halfspace_many_scratch(12, d, 3));
    CHECK(dpd_halfspace_many(&p, 1, one, scratch) == DPD_OK);
    CHECK(dpd_halfspace_many(&p, 3, three, scratch) == DPD_OK);
    free(scratch);
    CHECK(memcmp(one, three, sizeof one) == 0);
    for (int i = 0; i < 7; i++)
      one[i] = three[i] = 12;
    scratch = malloc(dpd_halfspace_directional_scratch(&p, 2));
    dpd_direction_range all = {u, 5, 0, 5}, first = {u, 5, 0, 2}, rest = {u, 5, 2, 5};
    dpd_halfspace_directional(&p, &all, 1, one, scratch);
    dpd_halfspace_directional(&p, &first, 2, three, scratch);
    dpd_halfspace_directional(&p, &rest, 2, three, scratch);
    free(scratch);
    CHECK(memcmp(one, three, sizeof one) == 0);
  }
  dpd_points five = {x, points, err, 1, 5, 1};
  CHECK(dpd_halfspace_many(&five, 1, one, NULL) == DPD_ERR_DOMAIN);
}

/* Regions hold the points of their level and no others; the deepest has the largest level. */
static void test_regions(void)
{
  double x[MOST], y[MOST], z[MOST];
  const double e = 0x1p-50;
  void *work = malloc(dpd_halfspace2_scratch(MOST)), *scratch = malloc(dpd_region2_scratch(MOST));
  for (int round = 0; round < ctest_some(200); round++) {
    int n = 1 + below(12), level, deepest, count;
    dpd_region_data rows = {x, y, n, e, e};
    fill(x, y, z, n, round % 2 ? 2 : 0);
    dpd_polygon p;
    CHECK(dpd_region2_deepest(&rows, &deepest, &p, scratch) == DPD_OK && p.n > 0);
    CHECK(3 * deepest >= n);
    dpd_polygon_close(&p);
    CHECK(dpd_region2(&rows, deepest < n ? deepest + 1 : n, &p, scratch) == DPD_OK);
    CHECK(deepest == n ? p.n == 1 : p.n == 0);
    dpd_polygon_close(&p);
    level = 1 + below(deepest);
    CHECK(dpd_region2(&rows, level, &p, scratch) == DPD_OK && p.n > 0);
    for (int i = 0; i < 81; i++) {
      double q[2] = {0.5 * (i % 9), i / 9};
      bool within = true;
      for (int k = 0; k < p.n && p.n > 2; k++)
        within &= dpd_halfplane_distance(&p.vertex[k].edge, q) <= 1e-9;
      dpd_halfspace2_count(&(dpd_plane_rows){x, y, n, q[0], q[1], e + e, NULL, NULL, 0}, work,
                           &count);
      CHECK(p.n <= 2 || within == (count >= level));
    }
    dpd_polygon_close(&p);
  }
  free(work);
  free(scratch);
}

static void test_median(void)
{
  /* the corners of a cube and its middle, along the axes and two more directions */
  double x[27], u[15] = {1, 0, 0, 1, 1, 0, 1, 0, 1, -1, 0, 0, 1, 1, 2}, z[3];
  const double centre[3] = {1, 1, 1}, scale[3] = {1, 1, 1}, err[3] = {0x1p-50, 0x1p-50, 0x1p-50};
  const int axes[3] = {0, 1, 2};
  for (int i = 0; i < 9; i++)
    for (int j = 0; j < 3; j++)
      x[i + 9 * j] = i == 8 ? 1 : 2 * ((i >> j) & 1);
  dpd_directional m = {x, u, axes, centre, scale, err, 9, 3, 5, 2};
  void *scratch = malloc(dpd_median_directional_scratch(&m));
  /* in one block of directions, or in several: as many more steps, and the same */
  int steps[3] = {0, 0, 0}, blocks[3] = {5, 2, 1};
  for (int k = 0; k < 3; k++) {
    dpd_directional_search s;
    dpd_median_directional_open(&s, &m, z, scratch);
    dpd_status status;
    while ((status = dpd_median_directional(&s, blocks[k], z)) == DPD_AGAIN) {
      steps[k]++;
      CHECK(s.done <= s.total);
    }
    CHECK(status == DPD_OK);
    CHECK(s.level == 5);
    CHECK(s.done == 10 && s.total == 10);
    for (int j = 0; j < 3; j++)
      CHECK(fabs(z[j] - 1) < 1e-12);
  }
  free(scratch);
  CHECK(steps[1] == steps[0] + 4 && steps[2] == steps[0] + 8);
}

int main(void)
{
  test_line();
  test_counts();
  test_witness();
  test_crowded();
  test_ends_of_keys();
  test_many();
  test_regions();
  test_median();
  return ctest_report("halfspace");
}
