/* test_restricted.c - bounds and cells of depth regions in space: brute force, neighbours,
 * extremes; the law of the draw on the line. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ctest.h"
#include "ctest_law.h"
#include "ctest_memory.h"
#include "margin/restricted.h"
#include "mech/restricted.h"

enum { MOST_ROWS = 64, DIRECTIONS = 9 };

static const double dirs[3 * DIRECTIONS] = {0,  64, 0,  64, 64,  0,   192, 100,  -1023, /* x */
                                            0,  0,  64, 64, -64, 64,  -64, 17,   511,   /* y */
                                            64, 0,  0,  0,  64,  128, 64,  -991, 888};  /* z */

static uint64_t state = 7;

static int64_t whole(int64_t low, int64_t high)
{
  state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return low + (int64_t)((state >> 24) % (uint64_t)(high - low + 1));
}

typedef struct {
  int level, levels, cells;
  double upper[MOST_ROWS], lower[MOST_ROWS];
  dpd_space space;
  void *memory;
  dpd_restricted_bounds_cell cell[MOST_ROWS];
  dpd_cell_column column[MOST_ROWS * DPD_CELL_COLUMNS];
} law;

static void open_law(law *w, const double *rows, int n, int level, bool cells)
{
  w->space = (dpd_space){.n = n, .count = DIRECTIONS, .threads = 1, .rows = rows};
  w->memory = malloc(dpd_restricted_bounds_scratch(n, DIRECTIONS, 1));
  dpd_restricted_bounds_open(&w->space, dirs, w->memory);
  while (dpd_restricted_bounds_project(&w->space) == DPD_AGAIN) {
  }
  dpd_restricted_bounds_bounds b = {.level = level, .upper = w->upper, .lower = w->lower};
  dpd_status status;
  while ((status = dpd_restricted_bounds_bound(&w->space, &b)) == DPD_AGAIN) {
  }
  CHECK(status == DPD_OK && b.next == level);
  dpd_restricted_bounds_cells c = {.level = level, .cell = w->cell, .column = w->column};
  while (cells && (status = dpd_restricted_bounds_find_cells(&w->space, &c)) == DPD_AGAIN) {
  }
  CHECK(status == DPD_OK);
  w->level = level;
  w->levels = b.levels;
  w->cells = c.cells;
}

/* Depth along the directions, from the rows themselves. */
static int slow_depth(const double *rows, int n, const int64_t z[3])
{
  int least = n;
  for (int u = 0; u < DIRECTIONS; u++) {
    int below = 0, above = 0;
    for (int i = 0; i < n; i++) {
      double p = 0;
      for (int k = 0; k < 3; k++)
        p += dirs[u + k * DIRECTIONS] * (rows[i + k * n] - (double)z[k]);
      below += p <= 0;
      above += p >= 0;
    }
    least = below < least ? below : least;
    least = above < least ? above : least;
  }
  return least;
}

/* Number of z with the depth or more that a cell has; whether each is in its box. */
static void check_cell(const law *w, int k, const int *count)
{
  const dpd_restricted_bounds_cell *c = &w->cell[k];
  CHECK(c->cell.count >= (double)count[w->level + k]);
  CHECK(!c->cell.counted || c->cell.count == (double)count[w->level + k]);
  CHECK(!c->certain || count[w->level + k] > 0);
  for (int64_t i = 0; c->cell.counted && i < (int64_t)c->cell.count; i++) {
    int64_t z[3];
    dpd_cell_pick(&c->cell, (uint64_t)i, z);
    for (int j = 0; j < 3; j++)
      z[j] += c->centre[j];
    CHECK(dpd_restricted_bounds_holds(&w->space, w->level + k, z));
  }
}

/* The bounds and cells of some rows, within `reach` of 0, against all lattice points. */
static void check_counts(const double *rows, int n, int level, int reach)
{
  static law w;
  int count[MOST_ROWS + 1] = {0};
  int64_t z[3];
  open_law(&w, rows, n, level, true);
  for (z[0] = -reach; z[0] <= reach; z[0]++)
    for (z[1] = -reach; z[1] <= reach; z[1]++)
      for (z[2] = -reach; z[2] <= reach; z[2]++) {
        int depth = slow_depth(rows, n, z);
        CHECK(depth == 0 || dpd_restricted_bounds_holds(&w.space, depth, z));
        CHECK(depth == n || !dpd_restricted_bounds_holds(&w.space, depth + 1, z));
        for (int l = 0; l <= depth; l++)
          count[l]++;
      }
  for (int l = 1; l <= w.level; l++)
    CHECK(count[l] == 0 || exp(w.upper[l - 1]) >= count[l] * (1 - 1e-9));
  for (int l = w.level; l <= n; l++)
    CHECK(l < w.level + w.levels ? exp(w.lower[l - w.level]) <= count[l] * (1 + 1e-9) : true);
  for (int k = 0; k < w.cells; k++)
    check_cell(&w, k, count);
  for (int l = w.level + w.cells; l <= n; l++)
    CHECK(count[l] == 0);
  free(w.memory);
}

static void test_counts(void)
{
  double rows[3 * MOST_ROWS];
  for (int round = 0; round < ctest_some(32); round++) {
    int n = (int)whole(1, 30), size = round % 4 == 0 ? 1 : 7;
    for (int i = 0; i < 3 * n; i++)
      rows[i] = (double)(whole(-size, size) + whole(-size, size)) / 2 * (round % 4 == 1 ? 2 : 1);
    for (int i = 0; i < 3 * n; i++)
      rows[i] = round % 4 == 1 ? rows[i] : trunc(rows[i]);
    check_counts(rows, n, (int)whole(1, n), 2 * size);
  }
}

/* Regions of more volume than they have lattice points. */
static void test_thin(void)
{
  static const double rows[][15] = {{0, -4, 1, -2, 1, 0},
                                    {1, -1, 3, -1, -2, 2, -3, 2, 3, -1, 1, 0, -3, 0, 2},
                                    {1, 1, -1, 3, 0, -2, 1, -3, 0, 0, -1, 1, -1, 0, -1}};
  check_counts(rows[0], 2, 1, 4);
  check_counts(rows[1], 5, 1, 4);
  check_counts(rows[2], 5, 2, 4);
}

/* Rows of many kinds: fat, on a plane, on a line, in one point, near a line, in the corners. */
static void draw_row(double *row, int stride, int kind, int64_t size)
{
  int64_t z[3], a = whole(-size, size), b = whole(-size, size);
  for (int k = 0; k < 3; k++)
    z[k] = whole(-size, size);
  if (kind % 5 == 1) z[2] = z[0] + z[1];
  if (kind % 5 == 2) z[0] = z[1] = z[2] = a;
  if (kind % 5 == 3)
    for (int k = 0; k < 3; k++)
      z[k] = a % 2 ? 5 : -7 * k;
  if (kind % 5 == 4)
    for (int k = 0; k < 3; k++)
      z[k] = a / 2 * (k - 1) + b % 8;
  if (whole(0, 5) == 0)
    for (int k = 0; k < 3; k++)
      z[k] = whole(0, 1) ? size : -size;
  for (int k = 0; k < 3; k++)
    row[k * stride] = (double)z[k];
}

/* Nested as computed: volumes one level further in are no larger, but for the promised error. */
static void check_nested(const law *a, const law *b)
{
  const double room = 0x1p-36;
  for (int l = 1; l < a->level; l++)
    CHECK(a->upper[l] <= b->upper[l - 1] + room);
  CHECK(a->levels <= b->levels + 1 && a->cells <= b->cells + 1);
  for (int k = 1; k < a->levels; k++)
    CHECK(a->lower[k] <= b->lower[k - 1] + room);
}

static void test_neighbours(void)
{
  static law a, b;
  double rows[3 * MOST_ROWS], other[3 * MOST_ROWS];
  for (int round = 0; round < ctest_some(600); round++) {
    int n = (int)whole(4, 40), kind = (int)whole(0, 4), level = (int)whole(1, n / 2);
    int64_t size = round % 3 == 0 ? INT64_C(1) << 35 : INT64_C(1) << whole(1, 35);
    for (int i = 0; i < n; i++)
      draw_row(rows + i, n, kind, size);
    memcpy(other, rows, sizeof rows);
    draw_row(other + whole(0, n - 1), n, round % 2 ? kind : 0, size);
    open_law(&a, rows, n, level, round % 4 == 0);
    open_law(&b, other, n, level, round % 4 == 0);
    check_nested(&a, &b);
    check_nested(&b, &a);
    for (int k = 0; k < a.levels; k++)
      CHECK(k > 0 || a.lower[0] <= a.upper[level - 1] + 0x1p-36);
    free(a.memory);
    free(b.memory);
  }
}

/* All rows in one point, at the edge of what is allowed: each region is that point. */
static void test_edge(void)
{
  static law w;
  double rows[3 * 8];
  for (int corner = 0; corner < 8; corner++) {
    int64_t z[3];
    for (int k = 0; k < 3; k++)
      for (int i = 0; i < 8; i++)
        rows[i + 8 * k] = (corner >> k & 1 ? 1 : -1) * 0x1p35;
    open_law(&w, rows, 8, 3, true);
    CHECK(w.levels == 0 && w.cells == 6);
    for (int k = 0; k < w.cells; k++) {
      CHECK(w.cell[k].cell.counted && w.cell[k].cell.count == 1 && w.cell[k].certain);
      dpd_cell_pick(&w.cell[k].cell, 0, z);
      for (int j = 0; j < 3; j++)
        CHECK((double)(z[j] + w.cell[k].centre[j]) == rows[8 * j]);
    }
    free(w.memory);
  }
}

/* Points of depth h have probabilities in proportion to exp(eps h / 2), whichever level is the
 * heaviest: the base for a small eps, and the deepest for a large one. */
static void test_law_of_draw(void)
{
  enum { ROWS = 8, DEPTHS = ROWS / 2, DRAWS = 20000 };
  static const double rows[ROWS] = {0, 10, 20, 30, 40, 50, 60, 70}, rates[] = {0.3, 1.2, 3};
  double work[ROWS];
  int64_t z;
  ctest_memory memory = {NULL, 0};
  ctest_pool = &memory;
  dpd_lattice_regions r;
  CHECK(dpd_lattice_regions_open(&r, rows, ROWS, 1, 1, ctest_alloc) == DPD_OK);
  start(17);
  for (int level = 1; level < DEPTHS; level++)
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
      double law[DEPTHS] = {0};
      long count[DEPTHS] = {0};
      for (int h = level; h <= DEPTHS; h++)
        law[h - 1] = (h < DEPTHS ? 20 : 11) * exp(rates[i] * h / 2);
      for (int k = 0; k < DRAWS; k++) {
        CHECK(dpd_restricted_draw(&source, &r, level, rates[i], work, &z) == DPD_OK);
        int64_t side = z < 70 - z ? z : 70 - z;
        count[side / 10]++;
      }
      CHECK(law_holds(count, law, DEPTHS, DRAWS));
    }
  dpd_lattice_regions_close(&r);
  ctest_free(&memory);
}

int main(void)
{
  test_law_of_draw();
  test_counts();
  test_thin();
  test_neighbours();
  test_edge();
  return ctest_report("restricted");
}
