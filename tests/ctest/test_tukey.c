/* test_tukey.c - linear programs in whole numbers and rank windows against enumeration. */
#include <math.h>
#include <stdlib.h>

#include "ctest.h"
#include "plane/halfplanes.h"
#include "sens/tukey.h"
#include "sens/order_stat.h"

enum { MOST = 24 };

static uint64_t state = 11;

static int64_t next_int(int64_t reach)
{
  state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (int64_t)((state >> 20) % (uint64_t)(2 * reach + 1)) - reach;
}

/* Small numbers: every vertex is a crossing of two edges. Largest w'z, or -1e9 if there is none. */
static double slow_maximum(const dpd_line *l, int count, int w1, int w2)
{
  double most = -1e9;
  for (int i = 0; i < count; i++)
    for (int j = 0; j < i; j++) {
      double det = (double)(l[i].a * l[j].b - l[i].b * l[j].a);
      if (det == 0) continue;
      double x = (double)(l[i].c * l[j].b - l[j].c * l[i].b) / det;
      double y = (double)(l[i].a * l[j].c - l[j].a * l[i].c) / det;
      bool inside = true;
      for (int k = 0; k < count; k++)
        inside &= (double)l[k].a * x + (double)l[k].b * y <= (double)l[k].c + 1e-7;
      if (inside) most = fmax(most, w1 * x + w2 * y);
    }
  return most;
}

static void check_small(void)
{
  for (int round = 0; round < 20000; round++) {
    dpd_line l[MOST] = {{1, 0, 9}, {-1, 0, 9}, {0, 1, 9}, {0, -1, 9}};
    int count = 4 + round % 9, w1 = (int)next_int(1), w2 = (int)next_int(1);
    for (int k = 4; k < count; k++) {
      do {
        l[k].a = next_int(3);
        l[k].b = next_int(3);
      } while (l[k].a == 0 && l[k].b == 0);
      l[k].c = next_int(6) + (round % 3 == 0 ? 3 : 0);
    }
    dpd_crossing best;
    double want = slow_maximum(l, count, w1, w2);
    bool found = dpd_halfplanes_maximum(l, (size_t)count, w1, w2, &best);
    CHECK(found == (want > -1e8));
    if (!found) continue;
    CHECK(fabs((double)(w1 * best.x + w2 * best.y) / (double)best.q - want) < 1e-6);
    CHECK(dpd_crossing_ceiling(&best, w1, w2) == (int64_t)ceil(want - 1e-7));
    for (int k = 0; k < count; k++)
      CHECK(l[k].a * best.x + l[k].b * best.y <= (dpd_i128)l[k].c * best.q);
  }
}

/* The largest numbers allowed, under the sanitizers: nothing overflows, and nearly parallel edges
 * whose crossings doubles cannot place are told apart. */
static void check_large(void)
{
  const int64_t big = INT64_C(1) << 30, half = big / 2;
  for (int round = 0; round < 2000; round++) {
    dpd_line l[MOST] = {{1, 0, half}, {-1, 0, half}, {0, 1, half}, {0, -1, half}};
    for (int k = 4; k < MOST; k++) {
      int64_t x = round % 2 ? next_int(half) : next_int(1) * half, y = next_int(half);
      l[k].a = big - (round % 3 ? 0 : next_int(1) + 1);
      l[k].b = next_int(1) * big + next_int(3) * (round % 2);
      if (l[k].b > big) l[k].b = big;
      if (l[k].b < -big) l[k].b = -big;
      if (k % 2) l[k].a = -l[k].a;
      l[k].c = l[k].a * x + l[k].b * y;
    }
    for (int s = 0; s < 4; s++) {
      dpd_crossing best;
      if (!dpd_halfplanes_maximum(l, MOST, s < 2 ? 1 : -big, s % 2 ? big : -1, &best)) continue;
      for (int k = 0; k < MOST; k++)
        CHECK(l[k].a * best.x + l[k].b * best.y <= (dpd_i128)l[k].c * best.q);
    }
  }
  /* a sliver: two edges through the origin that differ by one part in 2^30, and one that cuts it */
  dpd_line l[7] = {{1, 0, half},   {-1, 0, half},     {0, 1, half}, {0, -1, half},
                   {big, -big, 0}, {1 - big, big, 0}, {-1, 0, -1}};
  dpd_crossing best;
  CHECK(dpd_halfplanes_maximum(l, 6, 1, 0, &best) && best.x == 0 && best.y == 0);
  CHECK(!dpd_halfplanes_maximum(l, 7, 1, 0, &best));
}

static void check_windows(void)
{
  double y[9], width[9];
  for (int round = 0; round < 500; round++) {
    int n = 1 + round % 9, least = (n + 2) / 3, deepest = least + round / 9 % 7;
    if (deepest > n) deepest = n;
    y[0] = (double)next_int(3);
    for (int i = 1; i < n; i++)
      y[i] = y[i - 1] + (double)llabs(next_int(2));
    dpd_rank_windows(&(dpd_rank_windows_spec){y, -50, 50, n, deepest, least}, 9, width);
    for (int k = 0; k < 9; k++) {
      int mu = deepest - k > least ? deepest - k : least,
          nu = (mu - 1 > least ? mu - 1 : least) - 1;
      double most = -1e9;
      for (int side = 0; side < 2; side++)
        for (int p = 0; p <= k; p++) {
          int high = n - (side ? nu : mu) + 1 + p, low = (side ? mu : nu) - (k - p);
          double up = high > n ? 50 : high < 1 ? -50 : y[high - 1];
          double down = low > n ? 50 : low < 1 ? -50 : y[low - 1];
          most = fmax(most, up - down);
        }
      CHECK(width[k] == most);
      CHECK(k == 0 || width[k] >= width[k - 1]);
    }
  }
}

static void check_stride(void)
{
  for (size_t n = 1; n < 300; n++) {
    size_t at = 0, steps = 0, stride = dpd_halfplanes_stride(n);
    do {
      at = (at + stride) % n;
      steps++;
    } while (at != 0 && steps <= n);
    CHECK(steps == n);
  }
}

/* All rows on a line through two corners: a segment, whose middle is the centre. */
static void check_segment(void)
{
  const double x[] = {-0x1p29, 0, 0x1p29, 0x1p28, -0x1p28},
               y[] = {-0x1p29, 0, 0x1p29, 0x1p28, -0x1p28};
  const int level[] = {1, 2, 3, 4, 5};
  int found[5];
  double reach[5 * DPD_TUKEY_REACHES], centre[2];
  dpd_plane_levels t = {x, y, 5, 0, level, 5, 2};
  dpd_tukey_reaches out = {found, reach, centre};
  void *scratch = malloc(dpd_tukey_reach_scratch(&t));
  CHECK(dpd_tukey_reach(&t, 1, &out, scratch) == DPD_OK);
  free(scratch);
  CHECK(found[0] && found[1] && found[2] && !found[3] && !found[4]);
  CHECK(reach[0] == 0x1p29 && reach[DPD_TUKEY_REACHES] == 0x1p28);
  CHECK(reach[4] == 0x1p30 && reach[6] == 0 && reach[7] == 0);
  CHECK(centre[0] == 0 && centre[1] == 0);
}

int main(void)
{
  check_small();
  check_large();
  check_windows();
  check_stride();
  check_segment();
  return ctest_report("tukey");
}
