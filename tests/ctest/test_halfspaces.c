/* test_halfspaces.c - polytopes with exact vertices, and their lattice points, by brute force. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ctest.h"
#include "ctest_planes.h"
#include "geom/lattice_cell.h"
#include "geom/halfspaces.h"

static uint64_t state = 1;

static int64_t whole(int64_t low, int64_t high)
{
  state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return low + (int64_t)((state >> 24) % (uint64_t)(high - low + 1));
}

static void put_box(dpd_halfspace *h, const int64_t low[3], const int64_t high[3])
{
  memset(h, 0, 6 * sizeof *h);
  for (int j = 0; j < 3; j++) {
    h[2 * j].a[j] = 1;
    h[2 * j].b = high[j];
    h[2 * j + 1].a[j] = -1;
    h[2 * j + 1].b = -low[j];
  }
}

static void *workspace(int count)
{
  void *work = malloc(dpd_halfspaces_scratch(count));
  if (work == NULL) abort();
  return work;
}

/* -- comparisons ----------------------------------------------------------------------------- */

static void check_range(const dpd_solid *s, const point *p, int n)
{
  int64_t w[3] = {whole(-9, 9), whole(-9, 9), whole(-9, 9)}, range[2];
  double least = INFINITY, most = -INFINITY;
  for (int i = 0; i < n; i++) {
    dpd_i128 at = w[0] * p[i].x[0] + w[1] * p[i].x[1] + w[2] * p[i].x[2];
    least = fmin(least, (double)at / (double)p[i].q);
    most = fmax(most, (double)at / (double)p[i].q);
  }
  dpd_solid_range(s, w, range);
  CHECK(range[0] == (int64_t)ceil(least - 1e-9) && range[1] == (int64_t)floor(most + 1e-9));
}

static bool holds(const dpd_halfspace *h, int count, const int64_t z[3])
{
  for (int k = 0; k < count; k++)
    if (h[k].a[0] * z[0] + h[k].a[1] * z[1] + h[k].a[2] * z[2] > h[k].b) return false;
  return true;
}

/* The lattice points of a small polytope: all are in the cell's box, or counted and picked once. */
static void check_cell(const dpd_halfspace *h, int count, const dpd_solid *s, int64_t reach)
{
  static dpd_cell_column column[DPD_CELL_COLUMNS];
  dpd_cell c;
  int64_t z[3], points = 0, found = 0, seen = 0;
  dpd_cell_fit(s, column, &c);
  for (z[0] = -reach; z[0] <= reach; z[0]++)
    for (z[1] = -reach; z[1] <= reach; z[1]++)
      for (z[2] = -reach; z[2] <= reach; z[2]++)
        points += holds(h, count, z);
  if (c.counted) {
    CHECK(c.count == (double)points);
    for (int64_t i = 0; i < points; i++) {
      int64_t last[3] = {z[0], z[1], z[2]};
      dpd_cell_pick(&c, (uint64_t)i, z);
      found += holds(h, count, z) && (i == 0 || memcmp(z, last, sizeof z) != 0);
    }
    CHECK(found == points);
    return;
  }
  int64_t k[3];
  for (k[0] = c.low[0]; k[0] < c.low[0] + c.size[0]; k[0]++)
    for (k[1] = c.low[1]; k[1] < c.low[1] + c.size[1]; k[1]++)
      for (k[2] = c.low[2]; k[2] < c.low[2] + c.size[2]; k[2]++) {
        seen++;
        found += dpd_cell_point(&c, k, z) && holds(h, count, z);
      }
  CHECK(found == points && c.count == (double)seen);
}

/* A halfspace with small numbers; `apex`: on whose edge this point is, so that many planes meet. */
static void draw_halfspace(dpd_halfspace *h, int64_t least, int64_t most, const int64_t *apex)
{
  h->b = whole(least, most);
  do
    for (int j = 0; j < 3; j++)
      h->a[j] = whole(-3, 3);
  while (h->a[0] == 0 && h->a[1] == 0 && h->a[2] == 0);
  if (apex != NULL) h->b = h->a[0] * apex[0] + h->a[1] * apex[1] + h->a[2] * apex[2];
}

/* Small numbers: parallel and equal planes, many through a point, flat and empty polytopes. */
static void test_small(void)
{
  static point p[MOST * MOST * MOST / 6];
  dpd_halfspace h[MOST];
  void *work = workspace(MOST);
  int empty = 0, flat = 0;
  for (int round = 0; round < 2000; round++) {
    int64_t low[3], high[3], size = round % 3 == 0 ? 1 : round % 3 == 1 ? 3 : 8;
    int count = (int)whole(6, round % 10 == 0 ? 24 : 14);
    for (int j = 0; j < 3; j++) {
      low[j] = whole(-size, 1);
      high[j] = whole(-1, size);
    }
    put_box(h, low, high);
    int64_t apex[2][3] = {{low[0], high[1], low[2]}, {0, 0, 0}};
    for (int k = 6; k < count; k++) {
      bool on = round % 3 == 2 || (round % 3 == 1 && k % 2 == 0);
      draw_halfspace(&h[k], round % 4 == 0 ? -1 : 0, 2 * size,
                     on ? apex[whole(0, round % 2)] : NULL);
      /* towards the middle of the box, mostly */
      int64_t side = h[k].a[0] * (low[0] + high[0]) + h[k].a[1] * (low[1] + high[1]) +
                     h[k].a[2] * (low[2] + high[2]) - 2 * h[k].b;
      for (int j = 0; j < 3 && on && side > 0 && k % 7 != 0; j++)
        h[k].a[j] *= -1;
      if (on && side > 0 && k % 7 != 0) h[k].b *= -1;
    }
    dpd_solid s;
    bool found = dpd_halfspaces_meet(h, count, work, &s);
    int n = slow_vertices(h, count, p);
    CHECK(found == (n > 0));
    empty += !found;
    if (!found || n == 0) continue;
    double fast = dpd_solid_volume(&s), slow = slow_volume(h, count, p, n);
    CHECK(fabs(fast - slow) <= 1e-9 * (1 + slow));
    CHECK((fast == 0) == (slow < 1e-9));
    flat += fast == 0;
    check_range(&s, p, n);
    check_cell(h, count, &s, size);
  }
  CHECK(empty > 200 && flat > 60);
  free(work);
}

/* -- large numbers --------------------------------------------------------------------------- */

/* A parallelepiped in a basis of small determinant, moved far out, of widths from 1 to 2^30: its
 * volume is known; with all planes once more, in any order, and tangents at its corners. */
static void test_thin(void)
{
  dpd_halfspace h[MOST];
  void *work = workspace(MOST);
  for (int round = 0; round < ctest_some(300); round++) {
    int64_t w[3][3], far[3], size = round % 2 ? 2047 : 30;
    dpd_i128 det;
    for (int j = 0; j < 3; j++)
      far[j] = whole(-1, 1) * (INT64_C(1) << 34) + whole(-9, 9);
    do {
      for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
          w[i][j] = whole(-size, size);
      det = determinant(w[0], w[1], w[2]);
    } while (det == 0);
    const int64_t edge = INT64_C(1) << 37, low[3] = {-edge, -edge, -edge},
                  high[3] = {edge, edge, edge};
    int count = 12;
    double volume = 1 / fabs((double)det);
    put_box(h, low, high);
    for (int i = 0; i < 3; i++) {
      int64_t at = 0, width = INT64_C(1) << whole(0, 20);
      for (int j = 0; j < 3; j++)
        at += w[i][j] * far[j];
      volume *= (double)width;
      for (int side = 0; side < 2; side++) {
        h[6 + 2 * i + side].b = side ? -at : at + width;
        for (int j = 0; j < 3; j++)
          h[6 + 2 * i + side].a[j] = side ? -w[i][j] : w[i][j];
      }
    }
    for (int k = 6; k < 12; k++)
      h[count++] = h[k];
    for (int i = 0; i < 3; i++) { /* tangents at the corner `far` */
      for (int j = 0; j < 3; j++)
        h[count].a[j] = -(w[i][j] + w[(i + 1) % 3][j]) / 2;
      if ((w[i][0] + w[(i + 1) % 3][0]) % 2 != 0 || (w[i][1] + w[(i + 1) % 3][1]) % 2 != 0 ||
          (w[i][2] + w[(i + 1) % 3][2]) % 2 != 0)
        continue;
      h[count].b = 0;
      for (int j = 0; j < 3; j++)
        h[count].b += h[count].a[j] * far[j];
      if (h[count].a[0] != 0 || h[count].a[1] != 0 || h[count].a[2] != 0) count++;
    }
    for (int k = count - 1; k > 6; k--) {
      int to = (int)whole(6, k);
      dpd_halfspace swap = h[k];
      h[k] = h[to];
      h[to] = swap;
    }
    dpd_solid s;
    CHECK(dpd_halfspaces_meet(h, count, work, &s));
    CHECK(s.n > 0 && fabs(dpd_solid_volume(&s) / volume - 1) < 0x1p-38);
    /* one halfspace that leaves the corner, and one that takes it away as well */
    for (int j = 0; j < 3; j++)
      h[count].a[j] = w[0][j];
    h[count].b = 0;
    for (int j = 0; j < 3; j++)
      h[count].b += w[0][j] * far[j];
    CHECK(dpd_halfspaces_meet(h, count + 1, work, &s) && dpd_solid_volume(&s) == 0);
    h[count].b--;
    CHECK(!dpd_halfspaces_meet(h, count + 1, work, &s));
  }
  free(work);
}

/* Coefficients and right sides of any size that is allowed: nothing overflows (UBSan). */
static void test_extreme(void)
{
  enum { COUNT = 400 };
  static dpd_halfspace h[COUNT];
  void *work = workspace(COUNT);
  const int64_t most = INT64_C(1) << 52, edge = INT64_C(1) << 11;
  for (int round = 0; round < ctest_some(15); round++) {
    int64_t side = round % 3 == 0 ? most : INT64_C(1) << 37;
    int64_t low[3] = {-side, -side, -side}, high[3] = {side, side, side};
    put_box(h, low, high);
    for (int k = 6; k < COUNT; k++) {
      for (int j = 0; j < 3; j++)
        h[k].a[j] = round % 2 ? whole(-edge, edge) : whole(0, 1) * 2 * edge - edge;
      if (h[k].a[0] == 0) h[k].a[0] = edge;
      h[k].b = round % 5 == 0 ? most : round % 5 == 1 ? whole(most / 2, most) : whole(0, most);
    }
    dpd_solid s;
    CHECK(dpd_halfspaces_meet(h, COUNT, work, &s) && s.n >= 4 && s.n <= 2 * COUNT - 4);
    double volume = dpd_solid_volume(&s);
    CHECK(volume > 0 && volume <= pow(2.0 * (double)side, 3));
    h[COUNT - 1].b = -most;
    if (dpd_halfspaces_meet(h, COUNT, work, &s)) CHECK(dpd_solid_volume(&s) <= volume);
  }
  free(work);
}

/* More halfspaces, less volume: as computed, to within what is promised. */
static void test_nested(void)
{
  enum { COUNT = 300 };
  static dpd_halfspace h[COUNT];
  void *work = workspace(COUNT);
  for (int round = 0; round < 2; round++) {
    int64_t r = INT64_C(1) << whole(4, 37), low[3] = {-r, -r, -r}, high[3] = {r, r, r};
    double last = INFINITY;
    put_box(h, low, high);
    for (int k = 6; k < COUNT; k++) {
      double size = 0;
      for (int j = 0; j < 3; j++) {
        h[k].a[j] = whole(-1024, 1024);
        size += (double)(h[k].a[j] * h[k].a[j]);
      }
      h[k].b = (int64_t)(sqrt(size) * (double)r / 2) + whole(-r, r);
      dpd_solid s;
      double volume = dpd_halfspaces_meet(h, k + 1, work, &s) ? dpd_solid_volume(&s) : 0;
      CHECK(volume <= last * (1 + 0x1p-37));
      last = volume;
    }
  }
  free(work);
}

/* Needles and sheets along diagonals: the box has about their volume. */
static void test_cells(void)
{
  dpd_halfspace h[MOST];
  void *work = workspace(MOST);
  static dpd_cell_column column[DPD_CELL_COLUMNS];
  for (int round = 0; round < ctest_some(200); round++) {
    const int64_t r = INT64_C(1) << 36, low[3] = {-r, -r, -r}, high[3] = {r, r, r};
    int count = 6, planes = round % 2 ? 1 : 2;
    put_box(h, low, high);
    for (int i = 0; i < planes; i++) {
      int64_t a[3] = {whole(1, 1024), whole(1, 1024), whole(-1024, -1)},
              thick = whole(1, 99) * 2000;
      for (int side = -1; side <= 1; side += 2) {
        for (int j = 0; j < 3; j++)
          h[count].a[j] = side * a[j];
        h[count++].b = thick;
      }
    }
    dpd_solid s;
    dpd_cell c;
    CHECK(dpd_halfspaces_meet(h, count, work, &s));
    dpd_cell_fit(&s, column, &c);
    double volume = dpd_solid_volume(&s);
    CHECK(c.counted ? fabs(c.count / volume - 1) < 0.9 : c.count < 400 * volume);
  }
  free(work);
}

int main(void)
{
  test_small();
  test_thin();
  test_extreme();
  test_nested();
  test_cells();
  return ctest_report("halfspaces");
}
