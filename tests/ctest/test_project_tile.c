/* test_project_tile.c - projections counted and kept by tiles, against plain loops. */
#include <string.h>

#include "ctest.h"
#include "num/project_tile.h"

enum { MOST = 700, MOST_D = 240 };

static uint64_t state = 3;
static double rows[MOST * MOST_D], dirs[DPD_TILE_DIRECTIONS * MOST_D], want[MOST];

static double next(void)
{
  state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (double)(state >> 60) - 7.3; /* sums that round, and ties */
}

static void project(const dpd_tiled *x, int u)
{
  for (size_t i = 0; i < x->n; i++) {
    want[i] = 0;
    for (int j = 0; j < x->d; j++)
      want[i] += dirs[u * x->d + j] * rows[i * (size_t)x->d + (size_t)j];
  }
}

static bool counts_right(const dpd_tiled *x, int count)
{
  dpd_tiled_sides side[DPD_TILE_DIRECTIONS];
  bool right = true;
  for (int u = 0; u < count; u++) {
    project(x, u);
    side[u].at = x->n > 0 ? want[x->n / 2] : 0;
  }
  dpd_tiled_count(x, dirs, count, side);
  for (int u = 0; u < count; u++) {
    size_t below = 0, above = 0;
    project(x, u);
    for (size_t i = 0; i < x->n; i++) {
      below += want[i] <= side[u].at;
      above += want[i] >= side[u].at;
    }
    right = right && side[u].below == below && side[u].above == above;
  }
  return right;
}

/* Two bands for each direction; the second has room for less than it may have to keep. */
static bool keeps_right(const dpd_tiled *x, int count)
{
  static double out[2 * DPD_TILE_DIRECTIONS][2 * MOST];
  dpd_tiled_band band[2 * DPD_TILE_DIRECTIONS];
  size_t spare = dpd_tiled_spare(x->d), little = spare + x->n / 3;
  bool right = true;
  for (int k = 0; k < 2 * count; k++) {
    double lo = 10 * next(), hi = lo + 200;
    band[k] = (dpd_tiled_band){lo, hi, out[k], k % 2 == 0 ? x->n + spare : little, 0, 0, false};
    out[k][band[k].room] = 77;
  }
  dpd_tiled_keep(x, dirs, count, band, 2);
  for (int k = 0; k < 2 * count; k++) {
    size_t kept = 0, below = 0;
    project(x, k / 2);
    for (size_t i = 0; i < x->n; i++) {
      below += want[i] < band[k].lo;
      if (!band[k].lost && want[i] >= band[k].lo && want[i] <= band[k].hi)
        right = right && memcmp(&want[i], &out[k][kept++], sizeof *want) == 0;
    }
    right = right && out[k][band[k].room] == 77 && (k % 2 == 1 || !band[k].lost);
    right = right && (band[k].lost || (band[k].kept == kept && band[k].below == below));
  }
  return right;
}

int main(void)
{
  static const int columns[] = {1, 2, 3, 4, 7, 20, MOST_D};
  static const size_t sizes[] = {0, 1, 7, 8, 128, 129, 383, MOST};
  for (int c = 0; c < 7; c++)
    for (int s = 0; s < 8; s++) {
      dpd_tiled x = {rows, sizes[s], columns[c]};
      int count = 1 + (3 * s + 5 * c) % DPD_TILE_DIRECTIONS;
      CHECK(dpd_tiled_fits(x.d));
      for (size_t i = 0; i < x.n * (size_t)x.d; i++)
        rows[i] = next();
      for (int i = 0; i < DPD_TILE_DIRECTIONS * x.d; i++)
        dirs[i] = next();
      CHECK(counts_right(&x, count));
      CHECK(keeps_right(&x, count));
    }
  CHECK(!dpd_tiled_fits(1000));
  return ctest_report("project_tile");
}
