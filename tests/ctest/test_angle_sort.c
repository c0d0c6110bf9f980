/* test_angle_sort.c - directions in order, and the counts that are made from them. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "ctest.h"
#include "depth/simplicial.h"
#include "num/binomial.h"
#include "plane/angle_sort.h"

static uint64_t state = 1;

/* A whole number in -most..most. */
static double draw(int most)
{
  state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (double)((int)((state >> 33) % (uint64_t)(2 * most + 1)) - most);
}

static double cross(double ax, double ay, double bx, double by)
{
  return ax * by - ay * bx;
}

/* Whether the sorted rays are in order from straight down on, and groups are whole directions. */
static void check_order(const double *x, const double *y, int n, double px, double py, double unit,
                        double pad)
{
  static char work[1 << 16];
  dpd_angle_order r;
  int at = 0, seen[64] = {0};
  CHECK(dpd_angle_sort_scratch(n) <= sizeof work);
  double *ux = malloc(2 * (size_t)n * sizeof *ux), *uy = ux + n;
  for (int i = 0; i < n; i++) {
    ux[i] = x[i] * unit;
    uy[i] = y[i] * unit;
    at += x[i] == px && y[i] == py;
  }
  dpd_plane_rows q = {ux, uy, n, px * unit, py * unit, pad * unit, NULL, NULL, 0};
  dpd_angle_sort(&q, work, &r);
  CHECK(r.away == n - at);
  for (int k = 0; k < n; k++)
    seen[r.code[k] >> 1]++;
  for (int i = 0; i < n; i++)
    CHECK(seen[i] == 1);
  CHECK(r.groups == 0 || r.start[0] == 0);
  CHECK(r.start[r.groups] == r.away);
  for (int k = 1, g = 0; k < r.away; k++) {
    int i = r.code[k - 1] >> 1, j = r.code[k] >> 1, si = r.code[k - 1] & 1 ? -1 : 1;
    int sj = r.code[k] & 1 ? -1 : 1;
    double turn = cross(si * (x[i] - px), si * (y[i] - py), sj * (x[j] - px), sj * (y[j] - py));
    while (r.start[g + 1] < k)
      g++;
    bool apart = r.start[g + 1] == k;
    CHECK(apart ? turn > 0 : turn == 0);
  }
  free(ux);
}

/* Triples beside p, one by one. */
static uint64_t beside(const double *x, const double *y, int n, double px, double py)
{
  uint64_t count = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++)
      for (int k = 0; k < j; k++) {
        double ax = x[i] - px, ay = y[i] - py, bx = x[j] - px, by = y[j] - py, cx = x[k] - px,
               cy = y[k] - py;
        double ab = cross(ax, ay, bx, by), bc = cross(bx, by, cx, cy), ca = cross(cx, cy, ax, ay);
        bool in = (ab >= 0 && bc >= 0 && ca >= 0) || (ab <= 0 && bc <= 0 && ca <= 0);
        if (in && ab == 0 && bc == 0 && ca == 0) {
          /* flat: p is inside if two rows are on opposite sides, or one is at p */
          double d[3] = {ax * bx + ay * by, bx * cx + by * cy, cx * ax + cy * ay};
          in = d[0] <= 0 || d[1] <= 0 || d[2] <= 0;
        }
        count += !in;
      }
  return count;
}

static void check_random(void)
{
  static char work[1 << 16];
  double x[40], y[40];
  for (int trial = 0; trial < 400; trial++) {
    int most = 1 + trial % 9, n = 1 + trial % 40;
    for (int i = 0; i < n; i++) {
      x[i] = draw(most);
      y[i] = draw(most);
    }
    double px = draw(most), py = draw(most);
    check_order(x, y, n, px, py, 1, 0);
    check_order(x, y, n, px, py, 0.1, 0x1p-49);
    check_order(x, y, n, px, py, 1.0 / 3 * 1e-9, 0x1p-49);
    if (n > 20) continue;
    uint64_t count = beside(x, y, n, px, py);
    CHECK(dpd_simplicial2_outside(&(dpd_plane_rows){x, y, n, px, py, 0, NULL, NULL, 0}, work) ==
          count);
    for (int i = 0; i < n; i++) {
      x[i] /= 10;
      y[i] /= 10;
    }
    dpd_plane_rows tenth = {x, y, n, px / 10, py / 10, 0x1p-49, NULL, NULL, 0};
    CHECK(dpd_simplicial2_outside(&tenth, work) == count);
  }
}

static void check_choose(void)
{
  CHECK(dpd_choose(5, 2) == 10);
  CHECK(dpd_choose(2, 3) == 0);
  CHECK(dpd_choose(0, 0) == 1);
  CHECK(dpd_choose(1 << 21, 3) == UINT64_C(1537226473786572800));
  CHECK(dpd_choose(UINT64_MAX, 4) == UINT64_MAX);
}

static void check_line(void)
{
  double sorted[] = {0.1, 0.2, 0.1 + 0.2, 0.4};
  CHECK(dpd_simplicial1_outside(sorted, 4, 0.3, 0x1p-50) == 1); /* the two below */
  CHECK(dpd_simplicial1_outside(sorted, 4, 0.25, 0x1p-50) == 2);
  CHECK(dpd_simplicial1_outside(sorted, 4, 9, 0) == 6);
}

int main(void)
{
  check_random();
  check_choose();
  check_line();
  return ctest_report("angle_sort");
}
