/* halfspace_4d.c - exact halfspace depth of a point in four dimensions.
 *
 * METHOD: as in space, one dimension on. Let v_k = x_k - p, rows at p apart. A cell of directions
 *   that are orthogonal to no v_k has an edge on which u0 is orthogonal to two of them and to the
 *   plane P that they span, but to no v_k outside P; and u = u0 + a little w, w in P, adds those of
 *   P with w'v_k > 0. So
 *     h = #(at p) + min over planes P of two rows of [planar open count of the others projected
 *         along P + planar open count of the rows in P].
 *   Along P = span(v_i, v_j) row k is projected to two of the 3 x 3 minors of (v_i, v_j, v_k),
 *   those with the two coordinates c in which the minor of v_i and v_j is largest. Rows in P are
 *   seen in those coordinates. If all rows are parallel, the fewer of the two directions' rows are
 *   the count.
 * EXACTNESS (err = 0): |v| <= 2^16, so the minors are below 6 2^48 and exact in doubles.
 * ROUNDING (err > 0): minors are divided by that of v_i and v_j, the largest, m: row k's error is
 *   3 e_k + 4 (|v_kc| + |v_kc'|) (e_i |v_j| + e_j |v_i|)/|m|, sizes in the largest coordinate.
 *   Pairs with m within its own error are parallel.
 * COST: O(n^3).
 * DEGENERATE: data on a line, plane or space through p: some counts are those of no rows, 0.
 * REFERENCE: Dyckerhoff and Mozharovskyi (2016), Exact computation of the halfspace depth.
 */
#include <limits.h>
#include <math.h>

#include "depth/halfspace.h"
#include "plane/center.h"

typedef struct {
  double *v[4]; /* rows away from p, less p */
  double *e;    /* their errors; unused when all are exact */
  double *size; /* largest coordinates */
  double *a, *b, *error;
  bool exact;
  void *plane;
  int n;
} space;

/* The plane of two rows: coordinates a, b to project to, c0 and c1 to look along, and minors. */
typedef struct {
  int a, b, c0, c1;
  double minor, slack; /* of c0, c1; and its error */
} pair;

size_t dpd_halfspace4_scratch(int n)
{
  return 9 * (size_t)n * sizeof(double) + dpd_halfspace2_scratch(n);
}

static void lay_out(space *s, int n, void *work)
{
  double *at = work;
  size_t rows = (size_t)n;
  for (int k = 0; k < 4; k++)
    s->v[k] = at + (size_t)k * rows;
  s->e = at + 4 * rows;
  s->size = at + 5 * rows;
  s->a = at + 6 * rows;
  s->b = at + 7 * rows;
  s->error = at + 8 * rows;
  s->plane = at + 9 * rows;
}

static inline double minor_of(const space *s, int i, int j, int p, int q)
{
  return s->v[p][i] * s->v[q][j] - s->v[q][i] * s->v[p][j];
}

/* The coordinates with the largest minor; false if rows i and j are parallel. */
static bool open_pair(const space *s, int i, int j, pair *w)
{
  static const int split[6][4] = {{2, 3, 0, 1}, {1, 3, 0, 2}, {1, 2, 0, 3},
                                  {0, 3, 1, 2}, {0, 2, 1, 3}, {0, 1, 2, 3}};
  *w = (pair){0};
  for (int k = 0; k < 6; k++) {
    const int *t = split[k];
    double minor = minor_of(s, i, j, t[2], t[3]);
    if (fabs(minor) <= fabs(w->minor)) continue;
    *w = (pair){t[0], t[1], t[2], t[3], minor, 0};
  }
  if (!s->exact) w->slack = 2 * (s->e[i] * s->size[j] + s->e[j] * s->size[i]);
  return fabs(w->minor) > w->slack;
}

/* Minors of rows i, j and each row, with coordinates c0, c1 and one more. */
static void project(const space *s, int i, int j, const pair *w)
{
  const double *va = s->v[w->a], *vb = s->v[w->b], *v0 = s->v[w->c0], *v1 = s->v[w->c1];
  const double *e = s->e, unit = s->exact ? 1 : w->minor, m = w->minor / unit;
  double a0 = minor_of(s, i, j, w->a, w->c0) / unit, a1 = minor_of(s, i, j, w->a, w->c1) / unit;
  double b0 = minor_of(s, i, j, w->b, w->c0) / unit, b1 = minor_of(s, i, j, w->b, w->c1) / unit;
  double share = 2 * w->slack / fabs(w->minor), *pa = s->a, *pb = s->b, *error = s->error;
  const int n = s->n;
#ifdef _OPENMP
#pragma omp simd
#endif
  for (int k = 0; k < n; k++) {
    pa[k] = va[k] * m - v0[k] * a1 + v1[k] * a0;
    pb[k] = vb[k] * m - v0[k] * b1 + v1[k] * b0;
    error[k] = 3 * e[k] + share * (fabs(v0[k]) + fabs(v1[k]));
  }
}

/* Planar open count of the rows in the plane of the pair; those of lower index come first, in
 * the projections' own memory. */
static int count_within(space *s, const pair *w)
{
  int n = 0, at;
  for (int k = 0; k < s->n; k++) {
    double error = s->exact ? 0 : s->error[k];
    if (fabs(s->a[k]) > error || fabs(s->b[k]) > error) continue;
    s->a[n] = s->v[w->c0][k];
    s->b[n] = s->v[w->c1][k];
    s->error[n++] = s->e[k];
  }
  dpd_plane_rows q = {s->a, s->b, n, 0, 0, 0, s->exact ? NULL : s->error, NULL, 0};
  return dpd_halfspace2_open(&q, INT_MAX, s->plane, &at);
}

/* All rows parallel to the first: the fewer on one side. */
static int count_on_line(const space *s)
{
  int same = 0, c = 0;
  for (int k = 1; k < 4; k++)
    if (fabs(s->v[k][0]) > fabs(s->v[c][0])) c = k;
  for (int k = 0; k < s->n; k++)
    same += (s->v[c][k] > 0) == (s->v[c][0] > 0);
  return same < s->n - same ? same : s->n - same;
}

dpd_status dpd_halfspace4_count(const double *const x[4], int n, const double p[4],
                                const double err[4], void *work, int *count)
{
  space s;
  lay_out(&s, n, work);
  s.exact = dpd_center_exact(err, 4);
  s.n = dpd_center_rows(x, n, 4, p, err, &(dpd_centered){s.v, s.e, s.size, NULL});
  dpd_plane_rows q = {s.a, s.b, s.n, 0, 0, 0, s.exact ? NULL : s.error, NULL, 0};
  int best = s.n;
  bool line = s.n > 0;
  for (int i = 0; i < s.n && best > 0; i++)
    for (int j = i + 1; j < s.n && best > 0; j++) {
      pair w = {0, 0, 0, 0, 0, 0};
      int within;
      if (!open_pair(&s, i, j, &w)) continue;
      line = false;
      project(&s, i, j, &w);
      int open = dpd_halfspace2_open(&q, best, s.plane, &within);
      if (open < best && within > 2) open += count_within(&s, &w);
      if (open < best) best = open;
    }
  *count = n - s.n + (line ? count_on_line(&s) : best);
  return DPD_OK;
}
