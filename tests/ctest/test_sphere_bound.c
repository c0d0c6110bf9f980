/* test_sphere_bound.c - bounds of open counts over great circles, against directions on them. */
#include <math.h>
#include <stdlib.h>

#include "ctest.h"
#include "depth/halfspace.h"
#include "depth/sphere_bound.h"

enum { N = 150, TURNS = 60 };

static uint64_t state = 1;

/* Whole, of -most..most. */
static double next_number(int most)
{
  state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (double)((state >> 33) % (uint64_t)(2 * most + 1)) - most;
}

/* Rows about a point that is off their middle; at 1, on few directions; at 2, on a plane. */
static void fill(double v[3][N], int kind)
{
  for (int i = 0; i < N; i++) {
    for (int k = 0; k < 3; k++)
      v[k][i] = next_number(kind == 1 ? 1 : 1000);
    v[0][i] += kind == 1 ? 0 : 900;
    if (kind == 2) v[2][i] = v[0][i] + v[1][i];
    if (v[0][i] == 0 && v[1][i] == 0 && v[2][i] == 0) v[2][i] = 1;
  }
}

/* Rows on the positive side of u, and on the other one: the fewer of them. */
static int fewer(double v[3][N], const double u[3])
{
  int positive = 0, negative = 0;
  for (int i = 0; i < N; i++) {
    double at = u[0] * v[0][i] + u[1] * v[1][i] + u[2] * v[2][i];
    positive += at > 0;
    negative += at < 0;
  }
  return positive < negative ? positive : negative;
}

static bool bounds_hold(double v[3][N], const int *bound)
{
  for (int i = 0; i < N; i++)
    for (int turn = 0; turn < ctest_some(TURNS); turn++) {
      double w[3] = {next_number(50), next_number(50), next_number(50)}, u[3];
      for (int k = 0; k < 3; k++) {
        int a = (k + 1) % 3, b = (k + 2) % 3;
        u[k] = v[a][i] * w[b] - v[b][i] * w[a];
      }
      if ((u[0] != 0 || u[1] != 0 || u[2] != 0) && fewer(v, u) < bound[i]) return false;
    }
  return true;
}

/* Counts, by the bounds, are those that the witness has without. */
static bool counts_agree(const double *const x[3])
{
  static const double exact[3] = {0, 0, 0}, err[3] = {0x1p-42, 0x1p-42, 0x1p-42};
  static double decimal[3][N];
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < N; i++)
      decimal[k][i] = 0.1 * x[k][i] + 0.3;
  void *work = malloc(dpd_halfspace3_scratch(N));
  bool good = true;
  for (int i = 0; i < N; i += 10) {
    double p[3] = {rint(x[0][i] / 2), rint(x[1][i] / 2), rint(x[2][i] / 2)}, normal[3];
    int count, want;
    (void)dpd_halfspace3_count(x, N, p, exact, work, &count);
    (void)dpd_halfspace3_witness(x, N, p, work, &want, normal);
    good = good && count == want;
    /* the same in decimals */
    for (int k = 0; k < 3; k++)
      p[k] = 0.1 * p[k] + 0.3;
    (void)dpd_halfspace3_count((const double *[]){decimal[0], decimal[1], decimal[2]}, N, p, err,
                               work, &count);
    good = good && count == want;
  }
  free(work);
  return good;
}

/* Rows whose sums overflow have no bounds, or true ones. */
static bool huge_bounds_hold(double v[3][N], const double *e, void *work, int *bound)
{
  static double huge[3][N];
  const double *const column[3] = {huge[0], huge[1], huge[2]};
  for (int power = 1013; power > 1008; power--) {
    for (int k = 0; k < 3; k++)
      for (int i = 0; i < N; i++)
        huge[k][i] = ldexp(v[k][i], power);
    dpd_sphere_rows r = {column, e, N};
    if (dpd_sphere_bound(&r, work, bound) && !bounds_hold(v, bound)) return false;
  }
  return true;
}

int main(void)
{
  static double v[3][N], e[N];
  static int bound[N];
  const double *const column[3] = {v[0], v[1], v[2]};
  void *work = malloc(dpd_sphere_bound_scratch(N));
  for (int kind = 0; kind < 3; kind++)
    for (int rounded = 0; rounded < 2; rounded++) {
      fill(v, kind);
      for (int i = 0; i < N; i++)
        e[i] = 0x1p-40;
      dpd_sphere_rows r = {column, rounded ? e : NULL, N};
      CHECK(dpd_sphere_bound(&r, work, bound));
      CHECK(bounds_hold(v, bound));
      int most = 0;
      for (int i = 0; i < N; i++)
        most = bound[i] > most ? bound[i] : most;
      CHECK(kind > 0 || most > 0);
      CHECK(counts_agree(column));
      CHECK(!rounded || huge_bounds_hold(v, e, work, bound));
    }
  e[N / 2] = 1;
  CHECK(!dpd_sphere_bound(&(dpd_sphere_rows){column, e, N}, work, bound));
  CHECK(!dpd_sphere_bound(&(dpd_sphere_rows){column, e, 3}, work, bound));
  free(work);
  return ctest_report("sphere_bound");
}
