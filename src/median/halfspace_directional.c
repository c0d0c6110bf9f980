/* halfspace_directional.c - a deepest point of the directional halfspace depth.
 *
 * METHOD: {h_U >= l} is the polytope {z : u'z <= q_u(l), u in +-U}, q_u(l) the l-th largest
 *   projection. It is not empty iff the linear program "maximise r subject to u'z + |u| r <=
 *   q_u(l)" has r >= 0, and its solution is then the centre of a largest ball. The deepest level is
 *   found by bisection. It is at least ceil(n/(d + 1)) (centrepoint theorem; h_U >= h) and at least
 *   the depth of the coordinatewise median; it is at most floor((n + 1)/2), unless more than half
 *   of the rows tie in every coordinate, when the coordinatewise median is the only candidate. Only
 *   order statistics between these levels are kept, from one pass over the directions; while they
 *   are too many, the bisection goes by one level a pass.
 * COST: O(N n d) a pass, then log2(n) programs with d + 1 variables and 2 N constraints.
 * ROUNDING: r above -2^-40 counts as 0, in units of `scale`. The caller checks the depth reached.
 * DEGENERATE: regions without interior have r = 0, and any of their points may be returned.
 * REFERENCE: Dyckerhoff and Mozharovskyi (2016); Amenta et al. (2000), Regression depth and center
 *   points.
 */
#include "median/halfspace_directional.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "depth/halfspace_directional.h"
#include "geom/linear_program.h"
#include "num/project.h"
#include "num/select.h"

/* Most order statistics kept, in doubles: 128 MB. */
#define MAX_KEPT 0x1p24

typedef struct {
  const double *data, *dirs, *centre, *scale;
  const int *axes;
  int n, d, count, threads;
  int lo, hi;        /* levels whose order statistics are kept */
  double *kept;      /* direction k: ranks lo..hi, then n + 1 - hi..n + 1 - lo */
  double *a, *b, *c; /* the program */
  int *basis;
  void *work;
} bisection;

/* Order statistics of levels lo..hi, in every direction. */
static dpd_status keep_levels(bisection *s, int lo, int hi)
{
  size_t width = (size_t)(hi - lo + 1), n = (size_t)s->n;
  double *kept = malloc(2 * width * (size_t)s->count * sizeof *kept);
  if (kept == NULL) return DPD_ERR_MEMORY;
  free(s->kept);
  s->kept = kept;
  s->lo = lo;
  s->hi = hi;
  int failed = 0;
#ifdef _OPENMP
#pragma omp parallel num_threads(s->threads) reduction(| : failed)
#endif
  {
    double *t = malloc(n * sizeof *t);
    failed = t == NULL;
#ifdef _OPENMP
#pragma omp for schedule(dynamic, 4)
#endif
    for (int k = 0; k < s->count; k++) {
      if (failed) continue;
      double *low = kept + 2 * width * (size_t)k, *high = low + width;
      size_t first = (size_t)lo - 1, other = n - (size_t)hi;
      dpd_project_rows(s->data, s->n, s->d, s->dirs + k, (size_t)s->count, t);
      dpd_select_range(t, n, first, first + width - 1);
      memcpy(low, t + first, width * sizeof *t);
      dpd_select_range(t, n, other, other + width - 1);
      memcpy(high, t + other, width * sizeof *t);
    }
    free(t);
  }
  return failed ? DPD_ERR_MEMORY : DPD_OK;
}

/* Rows u'z + r <= ..., in coordinates (x - centre)/scale, where u becomes a unit vector. */
static void set_constraints(bisection *s, int level)
{
  size_t q = (size_t)s->d + 1, width = (size_t)(s->hi - s->lo + 1);
  for (int k = 0; k < s->count; k++) {
    double *up = s->a + 2 * (size_t)k * q, *down = up + q, norm = 0, at_centre = 0;
    for (int j = 0; j < s->d; j++) {
      double u = s->dirs[(size_t)k + (size_t)j * (size_t)s->count];
      at_centre += u * s->centre[j];
      up[j] = u * s->scale[j];
      norm = hypot(norm, up[j]);
    }
    for (int j = 0; j < s->d; j++) {
      up[j] /= norm;
      down[j] = -up[j];
    }
    up[s->d] = down[s->d] = 1;
    const double *low = s->kept + 2 * width * (size_t)k, *high = low + width;
    s->b[2 * k] = (high[s->hi - level] - at_centre) / norm;
    s->b[2 * k + 1] = -(low[level - s->lo] - at_centre) / norm;
  }
}

/* Two opposite constraints of the first axis carry the objective, the other axes complete them. */
static void first_basis(bisection *s)
{
  s->basis[0] = 2 * s->axes[0];
  s->basis[1] = 2 * s->axes[0] + 1;
  for (int j = 1; j < s->d; j++)
    s->basis[j + 1] = 2 * s->axes[j];
}

/* Whether the region of a level has a point; then z is one. */
static dpd_status try_level(bisection *s, int level, double *z, bool *found)
{
  dpd_lp lp = {s->a, s->b, s->c, 2 * s->count, s->d + 1, 0x1p-45};
  double solution[64];
  double *point = s->d < 64 ? solution : malloc(((size_t)s->d + 1) * sizeof *point);
  if (point == NULL) return DPD_ERR_MEMORY;
  set_constraints(s, level);
  first_basis(s);
  dpd_status status = dpd_lp_maximise(&lp, s->basis, s->work, point, found);
  if (status == DPD_OK) {
    *found = *found && point[s->d] >= -0x1p-40;
    for (int j = 0; j < s->d && *found; j++)
      z[j] = s->centre[j] + s->scale[j] * point[j];
  }
  if (point != solution) free(point);
  return status;
}

static dpd_status bisect(bisection *s, int lo, int hi, int *level, double *z)
{
  bool have_point = false;
  while (lo < hi || !have_point) {
    /* the lowest level is not empty, but no point of it is known when nothing above is found */
    int mid = lo < hi ? lo + (hi - lo + 1) / 2 : lo;
    double needed = 2.0 * s->count * (hi - lo + 1.0);
    if (s->kept == NULL || mid < s->lo || mid > s->hi)
      DPD_TRY(needed <= MAX_KEPT ? keep_levels(s, lo, hi) : keep_levels(s, mid, mid));
    bool found;
    DPD_TRY(try_level(s, mid, z, &found));
    if (found) {
      lo = mid;
      have_point = true;
    } else if (lo == hi) {
      break; /* lost by rounding: z stays the coordinatewise median */
    } else {
      hi = mid - 1;
    }
  }
  *level = lo;
  return DPD_OK;
}

static dpd_status open_bisection(bisection *s)
{
  size_t q = (size_t)s->d + 1, rows = 2 * (size_t)s->count;
  s->a = malloc(rows * q * sizeof *s->a);
  s->b = malloc(rows * sizeof *s->b);
  s->c = calloc(q, sizeof *s->c);
  s->basis = malloc(q * sizeof *s->basis);
  s->work = malloc(dpd_lp_work_size((int)q));
  if (s->a == NULL || s->b == NULL || s->c == NULL || s->basis == NULL || s->work == NULL)
    return DPD_ERR_MEMORY;
  s->c[s->d] = 1;
  return DPD_OK;
}

static void close_bisection(bisection *s)
{
  free(s->kept);
  free(s->a);
  free(s->b);
  free(s->c);
  free(s->basis);
  free(s->work);
}

dpd_status dpd_median_directional(const double *data, int n, int d, const double *dirs, int count,
                                  const int *axes, const double *centre, const double *scale,
                                  const double *err, int threads, int *level, double *z)
{
  bisection s = {data, dirs, centre, scale, axes, n,    d,    count, threads,
                 0,    0,    NULL,   NULL,  NULL, NULL, NULL, NULL};
  int lo = (n + d) / (d + 1), at_centre = n;
  memcpy(z, centre, (size_t)d * sizeof *z);
  DPD_TRY(dpd_halfspace_directional(data, n, d, centre, 1, dirs, count, 0, count, err, threads,
                                    &at_centre));
  if (at_centre > lo) lo = at_centre;
  *level = lo;
  int hi = (n + 1) / 2;
  if (lo > hi) return DPD_OK;
  dpd_status status = open_bisection(&s);
  if (status == DPD_OK) status = bisect(&s, lo, hi, level, z);
  close_bisection(&s);
  return status;
}
