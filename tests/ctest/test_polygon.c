/* test_polygon.c - convex polygons and linear programs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ctest.h"
#include "geom/linear_program.h"
#include "plane/polygon.h"

static uint64_t state = 1;

static double uniform(void)
{
  state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (double)(state >> 20) / 0x1p44;
}

static dpd_halfplane halfplane(double ux, double uy, double ax, double ay)
{
  double length = hypot(ux, uy);
  dpd_halfplane h = {{ux / length, uy / length}, {ax, ay}};
  return h;
}

static int cut(dpd_polygon *p, double ux, double uy, double ax, double ay)
{
  dpd_halfplane h = halfplane(ux, uy, ax, ay);
  bool changed;
  CHECK(dpd_polygon_cut(p, &h, &changed) == DPD_OK);
  return changed;
}

static dpd_polygon rectangle(double x0, double y0, double x1, double y1)
{
  double lower[] = {x0, y0}, upper[] = {x1, y1};
  dpd_polygon p;
  CHECK(dpd_polygon_open(&p, lower, upper, 1e-12) == DPD_OK);
  return p;
}

static int centre_is(const dpd_polygon *p, double x, double y)
{
  double z[2];
  dpd_polygon_centroid(p, z);
  return fabs(z[0] - x) < 1e-11 && fabs(z[1] - y) < 1e-11;
}

static void test_cuts(void)
{
  dpd_polygon p = rectangle(0, 0, 2, 2);
  CHECK(p.n == 4 && dpd_polygon_area(&p) == 4 && centre_is(&p, 1, 1));
  CHECK(!cut(&p, 1, 0, 3, 0)); /* does not reach it */
  CHECK(!cut(&p, 1, 1, 2, 2)); /* touches a corner from outside */
  CHECK(cut(&p, 1, 1, 2, 0));  /* half of it */
  CHECK(p.n == 3 && fabs(dpd_polygon_area(&p) - 2) < 1e-12 && centre_is(&p, 2.0 / 3, 2.0 / 3));
  CHECK(cut(&p, 0, 1, 0, 0)); /* leaves an edge */
  CHECK(p.n == 2 && dpd_polygon_area(&p) == 0 && centre_is(&p, 1, 0));
  CHECK(cut(&p, 1, 0, 0.5, 9));
  CHECK(p.n == 2 && centre_is(&p, 0.25, 0));
  CHECK(cut(&p, 1, 3, 0, 0)); /* leaves a point */
  CHECK(p.n == 1 && centre_is(&p, 0, 0));
  CHECK(!cut(&p, 1, 1, 0, 0));
  CHECK(cut(&p, -1, 0, 1, 0)); /* leaves nothing */
  CHECK(p.n == 0);
  dpd_polygon_close(&p);
}

static void test_flat(void)
{
  dpd_polygon p = rectangle(1, 2, 1, 2);
  CHECK(p.n == 1 && centre_is(&p, 1, 2));
  dpd_polygon_close(&p);
  p = rectangle(1, 2, 5, 2);
  CHECK(p.n == 2 && centre_is(&p, 3, 2));
  CHECK(cut(&p, -1, 0, 2, 0) && p.n == 2 && centre_is(&p, 3.5, 2));
  dpd_polygon_close(&p);
}

/* Many tangents of the unit circle, in random order: a regular polygon around it. */
static void test_circle(void)
{
  enum { SIDES = 60 };
  const double pi = 3.14159265358979323846;
  dpd_polygon p = rectangle(-2, -2, 2, 2);
  for (int i = 0; i < SIDES; i++) {
    double t = 2 * pi * ((i * 23) % SIDES) / SIDES;
    cut(&p, cos(t), sin(t), cos(t), sin(t));
  }
  CHECK(p.n == SIDES && fabs(dpd_polygon_area(&p) - SIDES * tan(pi / SIDES)) < 1e-12);
  CHECK(centre_is(&p, 0, 0));
  for (int k = 0; k < p.n; k++) {
    const dpd_vertex *v = &p.vertex[k], *w = &p.vertex[(k + 1) % p.n];
    CHECK(fabs(dpd_halfplane_distance(&v->edge, v->z)) < 1e-14);
    CHECK(fabs(dpd_halfplane_distance(&v->edge, w->z)) < 1e-14);
  }
  dpd_polygon_close(&p);
}

/* maximise c'z over |z_j| <= 1 and random further constraints around the origin. */
static void test_programs(void)
{
  enum { COLS = 4, ROWS = 200 };
  static double a[ROWS * COLS], b[ROWS];
  double c[COLS], z[COLS];
  void *work = malloc(dpd_lp_scratch(COLS));
  for (int round = 0; round < 50; round++) {
    int basis[COLS];
    memset(a, 0, sizeof a);
    for (int j = 0; j < COLS; j++) {
      c[j] = uniform() - 0.5;
      a[2 * j * COLS + j] = 1;
      a[(2 * j + 1) * COLS + j] = -1;
      b[2 * j] = b[2 * j + 1] = 1;
      basis[j] = 2 * j + (c[j] < 0);
    }
    for (int i = 2 * COLS; i < ROWS; i++) {
      /* few values: parallel and repeated constraints */
      for (int j = 0; j < COLS; j++)
        a[i * COLS + j] = round % 2 ? uniform() - 0.5 : floor(3 * uniform()) - 1;
      b[i] = round % 2 ? 0.05 + uniform() : 1 + floor(2 * uniform());
    }
    dpd_lp lp = {a, b, c, ROWS, COLS, 1e-11};
    bool feasible;
    CHECK(dpd_lp_maximise(&lp, basis, work, z, &feasible) == DPD_OK && feasible);
    /* feasible, and by the dual, c being a nonnegative combination of tight rows, optimal */
    for (int i = 0; i < ROWS; i++) {
      double t = 0;
      for (int j = 0; j < COLS; j++)
        t += a[i * COLS + j] * z[j];
      CHECK(t <= b[i] + 1e-9);
      for (int j = 0; j < COLS; j++)
        if (basis[j] == i) CHECK(fabs(t - b[i]) < 1e-9);
    }
    /* no feasible point of a random search is better */
    double value = 0;
    for (int j = 0; j < COLS; j++)
      value += c[j] * z[j];
    for (int trial = 0; trial < 300; trial++) {
      double w[COLS], most = 0, other = 0;
      for (int j = 0; j < COLS; j++)
        w[j] = z[j] + (trial % 2 ? 0.1 : 1e-3) * (uniform() - 0.5);
      for (int i = 0; i < ROWS; i++) {
        double t = -b[i];
        for (int j = 0; j < COLS; j++)
          t += a[i * COLS + j] * w[j];
        most = fmax(most, t);
      }
      for (int j = 0; j < COLS; j++)
        other += c[j] * w[j];
      CHECK(most > 0 || other <= value + 1e-9);
    }
  }
  free(work);
}

static void test_infeasible(void)
{
  /* x <= 1, -x <= 1, then x <= -2 */
  double a[] = {1, -1, 1}, b[] = {1, 1, -2}, c[] = {1}, z[1];
  int basis[] = {0};
  void *work = malloc(dpd_lp_scratch(1));
  dpd_lp lp = {a, b, c, 3, 1, 1e-12};
  bool feasible;
  CHECK(dpd_lp_maximise(&lp, basis, work, z, &feasible) == DPD_OK && !feasible);
  b[2] = 0.25;
  basis[0] = 0;
  CHECK(dpd_lp_maximise(&lp, basis, work, z, &feasible) == DPD_OK && feasible && z[0] == 0.25);
  free(work);
  /* a basis that is none */
  double flat[] = {1, 0, 2, 0}, two[] = {1, 1}, up[] = {1, 0}, point[2];
  int both[] = {0, 1};
  work = malloc(dpd_lp_scratch(2));
  dpd_lp bad = {flat, two, up, 2, 2, 1e-12};
  CHECK(dpd_lp_maximise(&bad, both, work, point, &feasible) == DPD_ERR_DOMAIN);
  free(work);
}

int main(void)
{
  test_cuts();
  test_flat();
  test_circle();
  test_programs();
  test_infeasible();
  return ctest_report("polygon");
}
