/* halfspace_3d.c - exact halfspace depth of a point in space.
 *
 * METHOD: let v_j = x_j - p, rows at p apart. A direction u that is orthogonal to no v_j lies in an
 *   open cell of the arrangement of the great circles v_j^perp; the cell has an edge on some circle
 *   v_i^perp. On that edge u0'v_j is not zero except for multiples of v_i, and u = u0 +- a
 *   little v_i adds the positive or the negative ones. Conversely each such u is a direction. So
 *     h = #(at p) + min over i of [planar open count of the others projected along v_i
 *                                  + min(#positive, #negative multiples of v_i)].
 *   Along v_i the projection is onto the coordinate plane across its largest coordinate c:
 *   (v_ja v_ic - v_jc v_ia, v_jb v_ic - v_jc v_ib), a linear map whose kernel is v_i. The least
 *   count so far caps each planar query, which then hardly ever has anything to sort.
 * EXACTNESS (err = 0): |v| <= 2^26, so products are at most 2^52 and their differences 2^53:
 *   the projected coordinates are exact, and the planar kernel needs no more than that (its
 *   keys are quotients of the coordinates, its cross products are compared by fma()).
 * ROUNDING (err > 0): the projection is divided by v_ic, the largest coordinate, which makes row
 *   j's error at most k (e_j + e_i |v_jc|/|v_ic|), k = 1 + max(|v_ia|, |v_ib|)/|v_ic| <= 2, with
 *   e_j the pooled error of v_j.
 *   Counts alone take the circles in the order of lower bounds (depth/sphere_bound.c), and end
 *   where these are no better than the least count: most are far from where a point is shallow.
 * COST: O(n^2), and O(n) for each circle examined.
 * DEGENERATE: data on a plane or a line through p: the planar count of no points is 0 and the
 *   multiples of v_i remain. Equal rows give equal planes; runs are skipped.
 * REFERENCE: Rousseeuw and Struyf (1998), Computing location depth and regression depth in higher
 *   dimensions; Dyckerhoff and Mozharovskyi (2016), Exact computation of the halfspace depth.
 */
#include "depth/halfspace.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "depth/sphere_bound.h"
#include "num/simd.h"
#include "plane/center.h"

typedef struct {
  double *v[3]; /* rows away from p, less p */
  double *e;    /* their errors; unused when all are exact */
  double *a, *b, *error;
  bool exact;
  void *plane, *search;
  int n;
  int *count;         /* rows of each entry; NULL: one */
  int away;           /* rows in all */
  int *bound, *order; /* of each entry; NULL: no bounds */
} space;

size_t dpd_halfspace3_scratch_of(int entries, int n)
{
  size_t m = (size_t)entries, search = dpd_sphere_bound_scratch(entries);
  search += 2 * (m + 1) * sizeof(double); /* and three whole numbers an entry */
  return 8 * m * sizeof(double) + dpd_halfspace2_scratch_of(entries, n) + search;
}

size_t dpd_halfspace3_scratch(int n)
{
  return dpd_halfspace3_scratch_of(n, n);
}

static int rows_of(const space *s, int j)
{
  return s->count != NULL ? s->count[j] : 1;
}

static void lay_out(space *s, int n, void *work)
{
  double **part[] = {&s->v[0], &s->v[1], &s->v[2], &s->e, &s->a, &s->b, &s->error}, *at = work;
  for (int k = 0; k < 7; k++, at += n)
    *part[k] = at;
  s->count = (int *)(void *)at;
  s->bound = (int *)(void *)(at + n);
  s->search = at + 3 * (size_t)n + 2;
  s->plane = (char *)s->search + dpd_sphere_bound_scratch(n);
}

/* The largest coordinate of row i. */
static int largest_coordinate(const space *s, int i)
{
  int c = 0;
  for (int k = 1; k < 3; k++)
    if (fabs(s->v[k][i]) > fabs(s->v[c][i])) c = k;
  return c;
}

/* Projects all rows along row i, whose largest coordinate is c, onto the other two. */
static DPD_FORCE_INLINE void project_rows(const space *s, int i, int c)
{
  const double *va = s->v[(c + 1) % 3], *vb = s->v[(c + 2) % 3], *vc = s->v[c], *e = s->e;
  double *restrict pa = s->a, *restrict pb = s->b, *restrict error = s->error;
  double ia = va[i], ib = vb[i], ic = vc[i];
  const int n = s->n;
  if (s->exact) {
#ifdef _OPENMP
#pragma omp simd
#endif
    for (int j = 0; j < n; j++) {
      pa[j] = va[j] * ic - vc[j] * ia;
      pb[j] = vb[j] * ic - vc[j] * ib;
    }
    return;
  }
  double ra = ia / ic, rb = ib / ic, k = 1 + fmax(fabs(ra), fabs(rb)), share = k * e[i] / fabs(ic);
#ifdef _OPENMP
#pragma omp simd
#endif
  for (int j = 0; j < n; j++) {
    pa[j] = va[j] - vc[j] * ra;
    pb[j] = vb[j] - vc[j] * rb;
    error[j] = k * e[j] + share * fabs(vc[j]);
  }
}

DPD_WIDE static void project_wide(const space *s, int i, int c)
{
  project_rows(s, i, c);
}

static void project(const space *s, int i, int c)
{
  if (DPD_HAS_WIDE)
    project_wide(s, i, c);
  else
    project_rows(s, i, c);
}

/* The multiples of row i, itself included: the fewer of the positive and the negative ones. */
static int fewer_multiples(const space *s, int i, int c)
{
  int positive = 0, negative = 0;
  for (int j = 0; j < s->n; j++) {
    double error = s->exact ? 0 : s->error[j];
    bool multiple = (fabs(s->a[j]) <= error) & (fabs(s->b[j]) <= error);
    bool same = (s->v[c][j] > 0) == (s->v[c][i] > 0);
    positive += (multiple & same) ? rows_of(s, j) : 0;
    negative += (multiple & !same) ? rows_of(s, j) : 0;
  }
  return positive < negative ? positive : negative;
}

static int same_row(const space *s, int i, int j)
{
  return s->v[0][i] == s->v[0][j] && s->v[1][i] == s->v[1][j] && s->v[2][i] == s->v[2][j];
}

/* The entries in the order of their bounds, which are below the number of rows. */
static void order_by_bound(const space *s, int *start)
{
  memset(start, 0, ((size_t)s->n + 1) * sizeof *start);
  for (int i = 0; i < s->n; i++)
    start[s->bound[i]]++;
  for (int b = 0, sum = 0; b <= s->n; b++) {
    int size = start[b];
    start[b] = sum;
    sum += size;
  }
  for (int i = 0; i < s->n; i++)
    s->order[start[s->bound[i]]++] = i;
}

/* The least open count over all rows' circles, and on whose circle it is reached; rows that are not
 * among the s->away lie at the point. */
static int find_minimum(space *s, int *where)
{
  int best = s->away; /* some direction leaves at most half of them inside; n = 0: none */
  *where = 0;
  for (int at = 0; at < s->n && best > 0; at++) {
    int i = s->bound != NULL ? s->order[at] : at;
    if (s->bound != NULL && s->bound[i] >= best) break;
    if (i > 0 && same_row(s, i, i - 1)) continue;
    int c = largest_coordinate(s, i), multiples;
    project(s, i, c);
    const double *error = s->exact ? NULL : s->error;
    dpd_plane_rows q = {s->a, s->b, s->n, 0, 0, 0, error, s->count, s->away};
    int open = dpd_halfspace2_open(&q, best, s->plane, &multiples);
    if (open >= best) continue;
    open += multiples > 1 ? fewer_multiples(s, i, c) : 0;
    if (open >= best) continue;
    best = open;
    *where = i;
  }
  return best;
}

dpd_status dpd_halfspace3_count(const double *const x[3], int n, const double p[3],
                                const double err[3], void *work, int *count)
{
  space s;
  int where;
  lay_out(&s, n, work);
  s.exact = dpd_center_exact(err, 3);
  s.count = NULL;
  s.n = s.away = dpd_center_rows(x, n, 3, p, err, &(dpd_centered){s.v, s.e, NULL, NULL});
  s.order = s.bound + s.n;
  dpd_sphere_rows rows = {(const double *const *)s.v, s.exact ? NULL : s.e, s.n};
  if (dpd_sphere_bound(&rows, s.search, s.bound))
    order_by_bound(&s, s.order + s.n);
  else
    s.bound = NULL;
  *count = n - s.n + find_minimum(&s, &where);
  return DPD_OK;
}

/* u += tau v_i: off the circle of row i towards the side that leaves out more of its multiples, by
 * less than would bring another row across. */
static void leave_circle(const space *s, int i, int c, double *u)
{
  int positive = 0, negative = 0;
  double tau = INFINITY;
  for (int j = 0; j < s->n; j++) {
    double along = 0, across = 0;
    for (int k = 0; k < 3; k++) {
      along += s->v[k][i] * s->v[k][j];
      across += u[k] * s->v[k][j];
    }
    bool multiple = s->a[j] == 0 && s->b[j] == 0, same = (s->v[c][j] > 0) == (s->v[c][i] > 0);
    positive += (multiple & same) ? rows_of(s, j) : 0;
    negative += (multiple & !same) ? rows_of(s, j) : 0;
    if (!multiple && along != 0) tau = fmin(tau, fabs(across / along) / 4);
  }
  if (!(tau < INFINITY)) tau = 1;
  for (int k = 0; k < 3; k++)
    u[k] += (positive <= negative ? tau : -tau) * s->v[k][i];
}

/* Of integers: the rows away from p, `size` entries of n rows. */
static void set_rows(space *s, const double *const x[3], const dpd_tally *t, int n,
                     const double p[3])
{
  static const double exact[3] = {0, 0, 0};
  int *row = s->count;
  s->exact = true;
  s->n =
      dpd_center_rows(x, dpd_tally_size(t, n), 3, p, exact, &(dpd_centered){s->v, s->e, NULL, row});
  s->away = s->n;
  s->count = NULL;
  if (t == NULL) return;
  s->count = row;
  s->away = 0;
  for (int j = 0; j < s->n; j++) {
    s->count[j] = t->count[row[j]];
    s->away += s->count[j];
  }
}

static dpd_status find_witness(space *s, int n, int *count, double normal[3])
{
  int i, ignored;
  double plane[2];
  *count = n - s->away + find_minimum(s, &i);
  normal[0] = normal[1] = 0;
  normal[2] = 1;
  if (s->n == 0) return DPD_OK;
  int c = largest_coordinate(s, i), a = (c + 1) % 3, b = (c + 2) % 3;
  project(s, i, c);
  dpd_plane_rows q = {s->a, s->b, s->n, 0, 0, 0, NULL, s->count, s->away};
  (void)dpd_halfspace2_witness(&q, s->plane, &ignored, plane);
  normal[a] = plane[0];
  normal[b] = plane[1];
  normal[c] = -(plane[0] * s->v[a][i] + plane[1] * s->v[b][i]) / s->v[c][i];
  leave_circle(s, i, c, normal);
  return DPD_OK;
}

dpd_status dpd_halfspace3_witness(const double *const x[3], int n, const double p[3], void *work,
                                  int *count, double normal[3])
{
  space s;
  lay_out(&s, n, work);
  s.bound = NULL;
  set_rows(&s, x, NULL, n, p);
  return find_witness(&s, n, count, normal);
}

dpd_status dpd_halfspace3_witness_of(const double *const x[3], const dpd_tally *t,
                                     const double p[3], void *work, int *count, double normal[3])
{
  space s;
  lay_out(&s, t->size, work);
  s.bound = NULL;
  set_rows(&s, x, t, t->n, p);
  return find_witness(&s, t->n, count, normal);
}
