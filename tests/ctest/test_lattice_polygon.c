/* test_lattice_polygon.c - lattice points of polygons: counts and numbers, against enumeration. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "ctest.h"
#include "plane/lattice_polygon.h"

static uint64_t state = 1;

static int64_t draw(int64_t most)
{
  state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (int64_t)((state >> 20) % (uint64_t)(2 * most + 1)) - most;
}

static dpd_i128 slow_floor(dpd_i128 a, dpd_i128 b)
{
  return a / b - (a % b < 0);
}

static void check_sums(void)
{
  for (int i = 0; i < 3000; i++) {
    int64_t n = draw(20) + 20, m = draw(30) + 31, v = draw(2000), s = draw(200);
    dpd_i128 sum = 0;
    for (int64_t k = 0; k < n; k++)
      sum += slow_floor((dpd_i128)v + (dpd_i128)s * k, m);
    CHECK(sum == dpd_floor_sum(n, v, s, m));
  }
  /* 0, 1, ..., n - 1 by the largest numbers there are */
  dpd_i128 n = (dpd_i128)1 << 41;
  CHECK(dpd_floor_sum((int64_t)n, 0, n, (int64_t)n) == n * (n - 1) / 2);
  CHECK(dpd_floor_sum((int64_t)n, 0, n - 1, (int64_t)n) == (n - 1) * (n - 2) / 2);
}

static bool meets(const dpd_bound *b, int64_t x, int64_t y)
{
  return (dpd_i128)y * b->dx <= b->c + (dpd_i128)b->dy * x;
}

/* A random polygon in -size..size, its points counted one by one, and each hit by one number. */
static void check_polygon(int64_t size)
{
  enum { MOST = 9 };
  dpd_bound above[MOST + 1] = {{size, 1, 0}}, below[MOST + 1] = {{size, 1, 0}};
  dpd_bound all[2 * MOST];
  int n = (int)(draw(4) + 4), n_above = 1, n_below = 1;
  for (int k = 0; k < n; k++) {
    int64_t x = draw(size), y = draw(size), dx = draw(size) + size + 1, dy = draw(2 * size);
    dpd_bound b = {y * dx - dy * x, dx, dy};
    all[k] = b;
    if (k % 2 == 0)
      above[n_above++] = b;
    else
      below[n_below++] = b;
  }
  dpd_lattice_polygon c = {.total = 0};
  dpd_bounds bounds = {above, below, n_above, n_below, -size, size - 1};
  int64_t work[2 * MOST + 2];
  CHECK(dpd_lattice_polygon_fill(&c, &bounds, work) == DPD_OK);
  char *hit = calloc((size_t)((2 * size + 1) * (2 * size + 1)), 1);
  for (dpd_u128 i = 0; i < c.total; i++) {
    int64_t z[2];
    dpd_lattice_polygon_pick(&c, i, z);
    CHECK(z[0] >= -size && z[0] < size && z[1] >= -size && z[1] <= size);
    hit[(z[0] + size) * (2 * size + 1) + z[1] + size]++;
  }
  for (int64_t x = -size; x <= size; x++)
    for (int64_t y = -size; y <= size; y++) {
      bool in = x < size;
      for (int k = 0; k < n; k++)
        in = in && meets(&all[k], x, k % 2 == 0 ? y : -y);
      CHECK(hit[(x + size) * (2 * size + 1) + y + size] == in);
    }
  free(hit);
  dpd_lattice_polygon_close(&c);
}

/* Lattice points of the triangle of three rows, from the three lines through two of them. */
static dpd_u128 count_triangle(const int64_t x[3], const int64_t y[3])
{
  const int64_t edge = (int64_t)1 << DPD_COLUMN_BITS;
  dpd_bound above[4], below[4];
  dpd_bounds b = {above, below, 0, 0, -edge, edge};
  dpd_i128 turn = (dpd_i128)(x[1] - x[0]) * (y[2] - y[0]) - (dpd_i128)(y[1] - y[0]) * (x[2] - x[0]);
  dpd_lattice_polygon c = {.total = 0};
  int64_t work[8], z[2];
  dpd_bounds_add(&b, 0, 1, edge);
  dpd_bounds_add(&b, 0, -1, edge);
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, from = turn < 0 ? i : j, to = turn < 0 ? j : i;
    dpd_bounds_add_side(&b, x[from], y[from], x[to] - x[from], y[to] - y[from]);
  }
  CHECK(dpd_lattice_polygon_fill(&c, &b, work) == DPD_OK);
  dpd_u128 total = c.total;
  CHECK(total >= 3);
  dpd_lattice_polygon_pick(&c, total - 1, z);
  CHECK(z[0] >= -edge && z[0] <= edge && z[1] >= -edge && z[1] <= edge);
  dpd_lattice_polygon_close(&c);
  return total;
}

/* Triangles that reach far out: nothing overflows, and turning by a quarter changes no count, which
 * is Pick's. */
static void check_far(int64_t spread)
{
  const int64_t edge = (int64_t)1 << DPD_COLUMN_BITS;
  int64_t x[3], y[3], turned[3];
  for (int i = 0; i < 3; i++) {
    x[i] = i > 0 ? edge - spread + draw(spread) : -edge;
    y[i] = i == 1 ? draw(edge) : draw(spread);
    turned[i] = -y[i];
  }
  dpd_u128 count = count_triangle(x, y);
  CHECK(count == count_triangle(turned, x));
  dpd_i128 area = (dpd_i128)(x[1] - x[0]) * (y[2] - y[0]) - (dpd_i128)(y[1] - y[0]) * (x[2] - x[0]);
  int64_t border = 0;
  for (int i = 0; i < 3; i++) {
    int64_t a = llabs(x[(i + 1) % 3] - x[i]), b = llabs(y[(i + 1) % 3] - y[i]);
    while (b > 0) {
      int64_t rest = a % b;
      a = b;
      b = rest;
    }
    border += a;
  }
  CHECK(2 * count == (dpd_u128)((area < 0 ? -area : area) + border + 2));
}

int main(void)
{
  check_sums();
  for (int i = 0; i < 400; i++)
    check_polygon(1 + i % 12);
  for (int i = 0; i < 40; i++)
    check_far(i % 2 ? 1 : (int64_t)1 << 30);
  return ctest_report("lattice_polygon");
}
