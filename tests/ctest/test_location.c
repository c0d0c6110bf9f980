/* test_location.c - univariate locations and scales: cases worked by hand, and roots; how far they
 * move, beside all data sets at distance 1 and 2. */
#include "num/location.h"

#include <math.h>
#include <string.h>

#include "margin/location.h"
#include "num/sort.h"

#include "ctest.h"

static void both(dpd_location location, dpd_scale scale, const double *y, size_t n, double *t,
                 double *s)
{
  double work[64];
  dpd_center c = {location, scale, 0.25, 1.345, n < 3 ? 1 : 3};
  dpd_center_of(&c, y, n, work, t, s);
}

static void worked_by_hand(void)
{
  const double y[8] = {1, 2, 4, 8, 16, 32, 64, 128};
  double t, s;
  both(DPD_MEDIAN, DPD_MAD, y, 8, &t, &s);
  CHECK(t == 8 && s == 7); /* the lower median; distances 0 4 6 7 8 24 56 120 */
  both(DPD_MEDIAN, DPD_MAD, y, 7, &t, &s);
  CHECK(t == 8 && s == 7); /* 0 4 6 7 8 24 56 */
  both(DPD_TRIMMED, DPD_TRIMMED_MAD, y, 8, &t, &s);
  CHECK(t == 15 && s == 9); /* 4 8 16 32: distances 11 7 1 17 */
  both(DPD_MEDIAN, DPD_IQR, y, 8, &t, &s);
  CHECK(s == 62); /* y_(7) - y_(2) */
  both(DPD_MOM, DPD_MAD, y, 8, &t, &s);
  CHECK(fabs(t - 28.0 / 3) < 1e-14); /* blocks of 2, 3, 3 rows: 1.5, 28/3, 224/3 */
  both(DPD_MEDIAN, DPD_IQR, y, 1, &t, &s);
  CHECK(t == 1 && s == 0);
}

static void huber_solves_its_equation(void)
{
  double y[21], t, s, sum = 0;
  for (int i = 0; i < 21; i++)
    y[i] = tan(0.14 * (i - 10)) + 0.3 * (i % 4);
  both(DPD_HUBER, DPD_MAD, y, 21, &t, &s);
  double c = 1.345 * 1.482602218505602 * s;
  for (int i = 0; i < 21; i++)
    sum += fmax(-1, fmin(1, (y[i] - t) / c));
  CHECK(fabs(sum) < 1e-12);
  const double flat[5] = {3, 3, 3, 8, 9};
  both(DPD_HUBER, DPD_MAD, flat, 5, &t, &s);
  CHECK(t == 3 && s == 0);
}

/* -- bounds over all data sets near by -------------------------------------------------------- */

enum { N = 8, MOST = 2, VALUES = N + 2 };
static const double far_out = 1e6;

typedef struct {
  double lower, upper, shift, min, scale_shift;
} moves;

/* T is the order statistic of rank 4, or the mean of the numbers 3 to 6; S is y_(7) - y_(2). */
static void measure(const double *y, bool trimmed, double *t, double *s)
{
  double z[N], work[N];
  memcpy(z, y, sizeof z);
  dpd_sort_doubles(z, N, work);
  *t = trimmed ? (z[2] + z[3] + z[4] + z[5]) / 4 : z[3];
  *s = z[6] - z[1];
}

static void look(const double *y, const double *to, bool trimmed, int left, moves *m)
{
  double z[N], t, s, t_too, s_too;
  measure(y, trimmed, &t, &s);
  m->lower = fmin(m->lower, t);
  m->upper = fmax(m->upper, t);
  m->min = fmin(m->min, s);
  for (int i = 0; i < N && left > 0; i++)
    for (int v = 0; v < VALUES; v++) {
      memcpy(z, y, sizeof z);
      z[i] = to[v];
      measure(z, trimmed, &t_too, &s_too);
      m->shift = fmax(m->shift, fabs(t - t_too));
      m->scale_shift = fmax(m->scale_shift, fabs(s - s_too));
      look(z, to, trimmed, left - 1, m);
    }
}

static void window(const double *y, int rank, double *w)
{
  for (int k = -MOST; k <= MOST; k++)
    w[k + MOST] = rank + k < 1 ? -INFINITY : rank + k > N ? INFINITY : y[rank + k - 1];
}

/* No bound is nearer than what there is, nor wider where nothing is rounded. */
static void bounds_are_tight(const double *y)
{
  double part[5][MOST], order[2 * MOST + 1], low[2 * MOST + 1], high[2 * MOST + 1], to[VALUES];
  dpd_reach r = {MOST, part[0], part[1], part[2], part[3], part[4]};
  memcpy(to, y, N * sizeof *to);
  to[N] = -far_out;
  to[N + 1] = far_out;
  window(y, 4, order);
  window(y, 2, low);
  window(y, 7, high);
  dpd_reach_order(&r, order + MOST);
  dpd_reach_gap(&r, low + MOST, high + MOST, 5);
  for (int K = 1; K <= MOST; K++) {
    moves m = {INFINITY, -INFINITY, 0, INFINITY, 0};
    look(y, to, false, K, &m);
    CHECK(r.lower[K - 1] == m.lower && r.upper[K - 1] == m.upper);
    CHECK(r.shift[K - 1] == m.shift && r.min[K - 1] == m.min);
    /* y_(0) and y_(9) are infinite, and as far out as one likes */
    CHECK(K < 2 ? r.scale_shift[K - 1] == m.scale_shift : r.scale_shift[K - 1] == INFINITY);
  }
  window(y, 3, low);
  window(y, 6, high);
  dpd_reach_trimmed(&r, low + MOST, high + MOST, 4, (y[2] + y[3] + y[4] + y[5]) / 4);
  for (int K = 1; K <= MOST; K++) {
    moves m = {INFINITY, -INFINITY, 0, INFINITY, 0};
    look(y, to, true, K, &m);
    CHECK(r.lower[K - 1] <= m.lower && r.lower[K - 1] > m.lower - 1e-9);
    CHECK(r.upper[K - 1] >= m.upper && r.upper[K - 1] < m.upper + 1e-9);
    CHECK(r.shift[K - 1] >= m.shift && r.shift[K - 1] < m.shift + 1e-9);
  }
}

static void bounds_hold_near_by(void)
{
  /* longer tails above, below, with ties, and alike */
  const double y[4][N] = {{0, 1, 2, 4, 8, 16, 32, 64},
                          {-64, -32, -16, -8, -4, -2, -1, 0},
                          {3, 3, 3, 5, 5, 6, 6, 9},
                          {-7, -5, -3, -1, 1, 3, 5, 7}};
  for (int i = 0; i < 4; i++)
    bounds_are_tight(y[i]);
}

int main(void)
{
  worked_by_hand();
  huber_solves_its_equation();
  bounds_hold_near_by();
  return ctest_report("location");
}
