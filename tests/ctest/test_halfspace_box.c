/* test_halfspace_box.c - bounds of the planar depth over parallelograms, against all directions. */
#include <math.h>
#include <stdlib.h>

#include "ctest.h"
#include "depth/halfspace.h"
#include "depth/halfspace_box.h"

enum { MOST = 24 };
#define PI 3.14159265358979323846

static uint64_t state = 1;

static int below(int n)
{
  state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (int)((state >> 33) % (unsigned)n);
}

static int compare(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Rows in the widest closed halfspace across direction t that meets the set. */
static int met(const dpd_plane_box *b, double t)
{
  double c = cos(t), s = sin(t), least = INFINITY;
  int count = 0;
  for (int k = 0; k < 4; k++)
    least = fmin(least, c * b->corner[k][0] + s * b->corner[k][1]);
  for (int i = 0; i < b->n; i++)
    count += c * b->x[i] + s * b->y[i] >= least;
  return count;
}

/* The least over all directions: between any two in which a row and a corner change places. */
static int slow_bound(const dpd_plane_box *b)
{
  double angle[8 * MOST + 1];
  int m = 0, best = b->n;
  for (int i = 0; i < b->n; i++)
    for (int k = 0; k < 4; k++)
      for (int side = 0; side < 2; side++) {
        double t = atan2(b->y[i] - b->corner[k][1], b->x[i] - b->corner[k][0]) + PI * (side + 0.5);
        angle[m++] = t - 2 * PI * floor(t / (2 * PI));
      }
  if (m == 0) return 0;
  qsort(angle, (size_t)m, sizeof *angle, compare);
  angle[m] = angle[0] + 2 * PI;
  for (int j = 0; j < m; j++) {
    int here = angle[j + 1] - angle[j] < 1e-9 ? b->n : met(b, (angle[j] + angle[j + 1]) / 2);
    if (here < best) best = here;
  }
  return best;
}

/* A box of w = (0..a) x (0..b) under an integer basis, about a point. */
static void set_corners(dpd_plane_box *b, const int basis[4], const int at[2], const int side[2])
{
  for (int k = 0; k < 4; k++)
    for (int j = 0; j < 2; j++)
      b->corner[k][j] =
          at[j] + (k < 2 ? 0 : basis[2 * j] * side[0]) + (k % 2 ? basis[2 * j + 1] * side[1] : 0);
}

static int depth_at(const dpd_plane_box *b, double px, double py, void *work)
{
  dpd_plane_rows q = {b->x, b->y, b->n, px, py, 0, NULL, NULL, 0};
  int count;
  (void)dpd_halfspace2_count(&q, work, &count);
  return count;
}

static void compare_one(int round, void *work, void *depth_work)
{
  double x[MOST], y[MOST];
  int reach = round % 3 == 0 ? 4 : 40, deepest = 0,
      basis[4] = {1, round % 2 ? below(3) - 1 : -3, 0, 1};
  int at[2] = {below(reach), below(reach)}, side[2] = {below(5), below(3) * below(4)};
  dpd_plane_box b = {.x = x, .y = y, .n = 1 + below(MOST)};
  for (int i = 0; i < b.n; i++) {
    x[i] = below(reach) + (i % 2) * 30 * (round % 2);
    y[i] = below(reach);
  }
  set_corners(&b, basis, at, side);
  int bound = dpd_halfspace2_box(&b, work);
  for (int i = 0; i <= side[0]; i++)
    for (int j = 0; j <= side[1]; j++) {
      int h = depth_at(&b, at[0] + basis[0] * i + basis[1] * j, at[1] + basis[2] * i + basis[3] * j,
                       depth_work);
      if (h > deepest) deepest = h;
    }
  CHECK(bound >= deepest);
  CHECK(bound == slow_bound(&b));
  if (side[0] == 0 && side[1] == 0) CHECK(bound == deepest);
}

int main(void)
{
  void *work = malloc(dpd_halfspace2_box_scratch(MOST)),
       *depth_work = malloc(dpd_halfspace2_scratch(MOST));
  for (int round = 0; round < 2000; round++)
    compare_one(round, work, depth_work);
  dpd_plane_box none = {.n = 0};
  CHECK(dpd_halfspace2_box(&none, work) == 0);
  free(work);
  free(depth_work);
  return ctest_report("halfspace_box");
}
