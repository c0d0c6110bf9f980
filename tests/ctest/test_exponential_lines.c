/* test_exponential_lines.c - bounds over boxes of the plane, by lines and by all directions. */
#include "ctest.h"
#include "ctest_memory.h"

#include <math.h>
#include <string.h>

#include "mech/exponential_state.h"
#include "num/directions.h"
#include "samp/bernoulli.h"

enum { N = 90, DIRECTIONS = 20, HALF = 400, ROUNDS = 20 };

static uint64_t seed = 3;

static double uniform(void)
{
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(seed >> 11) * 0x1p-53;
}

/* Rows at a few points, and some beside them; correlated, or near a line, in some rounds. In the
 * last ones four of the points are the ends of a cross: lines along the axes and across them, with
 * lattice points in between. */
static void fill_rows(int round, double *x)
{
  double atom[5][2];
  for (int k = 0; k < 5; k++)
    for (int j = 0; j < 2; j++)
      atom[k][j] = rint((uniform() - 0.5) * HALF);
  for (int k = 0; k < 4 && round >= ROUNDS / 2; k++)
    for (int j = 0; j < 2; j++)
      atom[k][j] = rint(atom[4][j] / 4) + (k / 2 == j) * (k % 2 ? 20 : -20) * ceil(4 * uniform());
  for (int i = 0; i < N; i++) {
    double common = (uniform() - 0.5) * HALF, own = (uniform() - 0.5) * HALF;
    bool beside = round % 3 == 0 ? i % 9 == 0 : i % 9 > 0;
    x[i] = rint(beside ? common : atom[i % 5][0]);
    x[i + N] = rint(!beside          ? atom[i % 5][1]
                    : round % 3 == 0 ? own
                    : round % 3 == 1 ? 0.7 * common + 0.1 * own
                                     : 0.7 * common + 0.005 * own);
  }
}

/* The tree's coordinates of z. */
static void find_w(const dpd_shear *s, const double *z, double *w)
{
  for (int j = 0; j < 2; j++)
    w[j] = s->reduced
               ? s->back[2 * j] * (z[0] - s->centre[0]) + s->back[2 * j + 1] * (z[1] - s->centre[1])
               : z[j] - (j == 1 ? rint(s->coef[2] * z[0]) : 0);
}

/* A box about a point between two rows. */
static void pick_box(const dpd_exponential *m, bool between, double *lo, double *hi)
{
  double share = uniform(), z[2];
  int a = (int)(N * uniform()), b = (int)(N * uniform());
  if (between) share = floor(20 * share) / 20;
  for (int j = 0; j < 2; j++)
    z[j] = rint(share * m->column[j][a] + (1 - share) * m->column[j][b]);
  find_w(&m->shear, z, lo);
  for (int j = 0; j < 2; j++) {
    lo[j] -= floor(4 * uniform());
    hi[j] = lo[j] + floor(6 * uniform());
  }
}

/* Depths of the candidates in some boxes of the tree against their bounds. Returns how many boxes a
 * line tells more of than all directions do. */
static int check_boxes(const dpd_exponential *m, bool between)
{
  int told = 0, over_lines = 0, over_plane = 0;
  for (int round = 0; round < ctest_some(300); round++) {
    double lo[2], hi[2], w[2], z[2], least[2] = {INFINITY, INFINITY}, most[2];
    int deepest = 0;
    most[0] = most[1] = -INFINITY;
    pick_box(m, between, lo, hi);
    for (w[0] = lo[0]; w[0] <= hi[0]; w[0]++)
      for (w[1] = lo[1]; w[1] <= hi[1]; w[1]++) {
        dpd_shear_point(&m->shear, w, z);
        int score = dpd_exponential_score(m, z);
        deepest = score > deepest ? score : deepest;
        for (int j = 0; j < 2; j++) {
          least[j] = fmin(least[j], z[j]);
          most[j] = fmax(most[j], z[j]);
        }
      }
    int lines = dpd_exponential_lines_bound(m, least, most, N);
    int plane = dpd_exponential_plane_bound(m, lo, hi);
    over_lines += deepest > lines;
    over_plane += deepest > plane;
    told += lines < plane;
  }
  CHECK(over_lines == 0);
  CHECK(over_plane == 0);
  return told;
}

static void check_line(const dpd_exponential *m, int k)
{
  const dpd_exponential_line *line = m->through + k;
  int side[2] = {0, 0};
  for (int i = 0; i < N; i++) {
    double x = m->column[0][i] - (double)line->at[0], y = m->column[1][i] - (double)line->at[1];
    double cross = (double)line->step[0] * y - (double)line->step[1] * x;
    side[0] += cross > 0;
    side[1] += cross < 0;
  }
  CHECK(line->beside == (side[0] > side[1] ? side[0] : side[1]));
}

int main(void)
{
  double x[2 * N], dirs[2 * DIRECTIONS], work[1000], a[2] = {-HALF, -HALF}, b[2] = {HALF, HALF};
  const double one[2] = {1, 1};
  int told = 0, kinds[3] = {0};
  dpd_directions(1, true, DIRECTIONS, 2, dirs, work);
  for (int round = 0; round < ROUNDS; round++) {
    fill_rows(round, x);
    dpd_exponential_spec spec = {.n = N,
                                 .d = 2,
                                 .data = x,
                                 .prior = {false, 2, a, b, round % 3 == 1 ? NULL : one, false},
                                 .exact_depth = true,
                                 .count = DIRECTIONS,
                                 .dirs = dirs,
                                 .threads = 1};
    CHECK(dpd_rate_from_double(0.5, &spec.eps) == DPD_OK);
    dpd_exponential *m;
    ctest_memory pool = {0};
    ctest_pool = &pool;
    CHECK(dpd_exponential_open(&m, &spec, ctest_alloc) == DPD_OK);
    kinds[m->shear.reduced ? 2 : m->shear.identity ? 0 : 1]++;
    dpd_exponential_lines_open(m);
    CHECK(m->lines > 0 || round % 3 > 0);
    for (int k = 0; k < m->lines; k++)
      check_line(m, k);
    told += check_boxes(m, round >= ROUNDS / 2);
    ctest_free(&pool);
  }
  CHECK(told > 0);
  for (int k = 0; k < 3; k++)
    CHECK(kinds[k] > 0); /* the axes, a shear and a reduced basis */
  return ctest_report("exponential_lines");
}
