/* test_lattice.c - the public lattice, the shear of Z^d, and windows of order statistics. */
#include "ctest.h"
#include "ctest_memory.h"

#include <float.h>
#include <math.h>

#include "geom/shear.h"
#include "num/lattice.h"
#include "num/rank_fill.h"

static uint64_t seed = 1;

/* A small public generator: these tests need variety, not randomness. */
static uint64_t next(void)
{
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return seed >> 33;
}

static void test_lattice(void)
{
  static const double a[] = {0, -1e-9, 1e15, -1e300, 3, 1},
                      b[] = {120, 1e-9, 1e15 + 1, 1e300, 3.5, 1 + DBL_EPSILON};
  for (int k = 0; k < 6; k++) {
    dpd_lattice l;
    dpd_prior prior = {false, 1, a + k, b + k, NULL, false};
    CHECK(dpd_lattice_open(&l, prior, 34, ctest_alloc) == DPD_OK);
    int e;
    CHECK(frexp(l.step[0], &e) == 0.5);
    CHECK(l.hi[0] - l.lo[0] <= ldexp(1, 33) && l.lo[0] >= -l.clamp / 2 && l.hi[0] <= l.clamp / 2);
    double x = dpd_lattice_value(&l, 0, l.lo[0]), y = dpd_lattice_value(&l, 0, l.hi[0]);
    CHECK(x >= a[k] && x - a[k] < l.step[0] && y <= b[k] && b[k] - y < l.step[0]);
    /* a lattice value is its own nearest lattice point */
    CHECK(dpd_lattice_index(&l, 0, x) == l.lo[0] && dpd_lattice_index(&l, 0, y) == l.hi[0]);
    CHECK(dpd_lattice_index(&l, 0, DBL_MAX) == l.clamp || a[k] == -1e300);
    CHECK(dpd_lattice_index(&l, 0, -DBL_MAX) == -l.clamp || a[k] == -1e300);
    CHECK(dpd_lattice_index(&l, 0, NAN) == -l.clamp);
    /* others go to the nearest */
    CHECK(k > 0 || dpd_lattice_index(&l, 0, x + 0.25 * l.step[0]) == l.lo[0]);
    CHECK(k > 0 || dpd_lattice_index(&l, 0, x + 0.75 * l.step[0]) == l.lo[0] + 1);
  }
  dpd_lattice l;
  double mean = 2, sd = 0.5, z[1], out, bound;
  dpd_prior prior = {true, 1, &mean, &sd, NULL, false};
  CHECK(dpd_lattice_open(&l, prior, 50, ctest_alloc) == DPD_OK);
  z[0] = dpd_lattice_index(&l, 0, 3);
  CHECK(dpd_lattice_log_prior(&l, z, &out) && fabs(out + 2) < 1e-9);
  z[0] = dpd_lattice_index(&l, 0, 21);
  CHECK(!dpd_lattice_log_prior(&l, z, &out));
  double lo = dpd_lattice_index(&l, 0, 3), hi = dpd_lattice_index(&l, 0, 4);
  CHECK(dpd_lattice_bound_prior(&l, &lo, &hi, &bound) && fabs(bound + 2) < 1e-9);
}

enum { N = 500, D = 3, U = 20 };

/* Correlated integer rows. */
/* 2.1 / 0.3 is above 7, and the lattice of 0.3 has 2.1 nevertheless, as its lower end; and its
 * mirror image, as the upper one. */
static void test_ends_are_multiples(void)
{
  const double lower = 2.1, upper = 30, minus[2] = {-30, -2.1}, step = 0.3;
  dpd_lattice l;
  CHECK(lower / step > 7);
  dpd_prior prior = {.d = 1, .a = &lower, .b = &upper, .resolution = &step};
  CHECK(dpd_lattice_open(&l, prior, 50, ctest_alloc) == DPD_OK && l.lo[0] + l.origin[0] == 7);
  prior.a = minus;
  prior.b = minus + 1;
  CHECK(dpd_lattice_open(&l, prior, 50, ctest_alloc) == DPD_OK && l.hi[0] + l.origin[0] == -7);
}

static void fill_rows(double *rows)
{
  for (int i = 0; i < N; i++) {
    double t = (double)(next() % 100000), *z = rows + i * D;
    z[0] = t + (double)(next() % 20000);
    z[1] = 3 * t + (double)(next() % 20000);
    z[2] = z[1] - z[0] + (double)(next() % 500);
  }
}

static void test_shear(void)
{
  static double rows[N * D];
  const double scale[D] = {1e5, 1e5, 1e5};
  dpd_shear s;
  fill_rows(rows);
  dpd_shear_fit(&s, &(dpd_shear_sample){rows, N, D, scale, 0, NULL}, ctest_alloc);
  CHECK(!s.identity);
  CHECK(s.unit[2] < 1000); /* the shear has found that the third column follows the others */
  double lo[D], hi[D], wlo[D], whi[D], c[D], size[3], form[D], w[D], z[D];
  for (int rep = 0; rep < 2000; rep++) {
    for (int k = 0; k < D; k++) {
      lo[k] = (double)(next() % 1000) - 500;
      hi[k] = lo[k] + (double)(next() % 100);
      form[k] = (double)(next() % 65536) - 32768;
      w[k] = lo[k] + (double)(next() % ((uint64_t)(hi[k] - lo[k]) + 1));
    }
    dpd_shear_point(&s, w, z);
    for (int k = 0; k < D; k++)
      CHECK(z[k] == rint(z[k]));
    double least, most, value = dpd_project(form, z, D);
    dpd_shear_form(&s, form, c, size);
    dpd_shear_ranges(&s, &(dpd_shear_forms){c, size, 1, 1}, lo, hi, &least, &most);
    CHECK(least <= value && value <= most);
    /* a bijection: the cover of the box that holds z alone holds w */
    dpd_shear_cover(&s, z, z, wlo, whi);
    for (int k = 0; k < D; k++)
      CHECK(wlo[k] <= w[k] && w[k] <= whi[k] && whi[k] - wlo[k] <= 4);
  }
  /* a reduced basis of the plane: one-to-one, by integers, and forms within their ranges */
  static double thin[2 * N];
  for (int i = 0; i < N; i++) {
    thin[2 * i] = (double)(next() % 100000000);
    thin[2 * i + 1] = rint(0.845 * thin[2 * i]) + (double)(next() % 8);
  }
  dpd_shear_fit(&s, &(dpd_shear_sample){thin, N, 2, scale, 0, NULL}, ctest_alloc);
  dpd_shear_reduce(&s, thin);
  CHECK(s.reduced && fabs(s.basis[0] * s.basis[3] - s.basis[1] * s.basis[2]) == 1);
  for (int rep = 0; rep < 2000; rep++) {
    for (int k = 0; k < 2; k++) {
      lo[k] = (double)(next() % 100000) - 50000;
      hi[k] = lo[k] + (double)(next() % 100);
      form[k] = (double)(next() % 65536) - 32768;
      w[k] = lo[k] + (double)(next() % ((uint64_t)(hi[k] - lo[k]) + 1));
    }
    dpd_shear_point(&s, w, z);
    double least, most, value = dpd_project(form, z, 2);
    dpd_shear_form(&s, form, c, size);
    dpd_shear_ranges(&s, &(dpd_shear_forms){c, size, 1, 1}, lo, hi, &least, &most);
    CHECK(least <= value && value <= most);
    dpd_shear_cover(&s, z, z, wlo, whi);
    CHECK(wlo[0] == w[0] && whi[0] == w[0] && wlo[1] == w[1] && whi[1] == w[1]);
  }
  /* two columns that a shear would have to blow up: refused */
  for (int i = 0; i < N; i++)
    rows[i * D + 1] = rows[i * D] * 1e7;
  dpd_shear_fit(&s, &(dpd_shear_sample){rows, N, D, scale, 0, NULL}, ctest_alloc);
  CHECK(s.identity);
}

/* The directional depth by definition. */
static int slow_depth(const dpd_projected *p, const double *z)
{
  int best = p->n;
  for (int u = 0; u < p->count; u++)
    for (int sign = -1; sign <= 1; sign += 2) {
      int k = 0;
      for (int i = 0; i < p->n; i++) {
        double y = dpd_project(p->dirs + u * p->d, p->rows + i * p->d, p->d);
        k += sign * (y - dpd_project(p->dirs + u * p->d, z, p->d)) >= 0;
      }
      if (k < best) best = k;
    }
  return best;
}

static void test_window(void)
{
  static double rows[N * D], dirs[U * D], work[2 * N];
  for (int i = 0; i < N * D; i++)
    rows[i] = (double)(next() % 12); /* many ties */
  for (int i = 0; i < U * D; i++)
    dirs[i] = (double)(next() % 7) - 3;
  dpd_projected p = {N, D, U, U, rows, dirs, NULL, NULL};
  static const int bands[][3] = {{1, N, 1},     {1, 1, 1},     {40, 90, 1},   {200, 250, 1},
                                 {200, 251, 1}, {120, 400, 1}, {300, 310, 1}, {40, 90, 5},
                                 {3, 483, 16},  {1, 496, 45}};
  for (int b = 0; b < 10; b++) {
    int low = bands[b][0], high = bands[b][1], stride = bands[b][2];
    dpd_rank_window win = {&p, low, high, stride, (high - low) / stride + 1, NULL};
    win.value = ctest_alloc(dpd_rank_window_values(&win), sizeof(double));
    dpd_rank_window_fill(&win, 0, U / 2, 1, work);
    dpd_rank_window_fill(&win, U / 2, U, 1, work);
    for (int rep = 0; rep < ctest_some(30); rep++) {
      double z[D] = {(double)(next() % 12), (double)(next() % 12), (double)(next() % 12)};
      int depth = slow_depth(&p, z), bound = N;
      int first = dpd_projected_depth(&p, z, 0, 7, 1), last = dpd_projected_depth(&p, z, 7, U, 1);
      CHECK((first < last ? first : last) == depth);
      for (int t = 0; t <= N; t += 7) {
        CHECK(dpd_rank_window_at_least(&win, z, t) == (depth >= t));
        CHECK(dpd_rank_window_may_reach(&win, z, t) || depth < t);
        /* below the window depths are not told apart */
        int found = dpd_rank_window_depth(&win, z, t), least = depth < t ? depth : t;
        CHECK(found == least || (found < low && found >= least));
      }
      CHECK(dpd_rank_window_at_least(&win, z, depth) &&
            !dpd_rank_window_at_least(&win, z, depth + 1));
      for (int u = 0; u < U; u++) {
        double y = dpd_project(dirs + u * D, z, D);
        bound = dpd_rank_window_bound(&win, u, y - 1, y + 1, bound);
      }
      CHECK(bound >= depth);
    }
  }
}

int main(void)
{
  ctest_memory pool = {0};
  ctest_pool = &pool;
  test_lattice();
  test_ends_are_multiples();
  test_shear();
  test_window();
  ctest_free(&pool);
  return ctest_report("lattice");
}
