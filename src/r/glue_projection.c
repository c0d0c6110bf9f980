/* glue_projection.c - entries of projection depth and of the refined directional depths. */
#include <R_ext/Utils.h>
#include <math.h>
#include <string.h>

#include "depth/projection.h"
#include "depth/refined.h"
#include "geom/chebyshev.h"
#include "num/project_block.h"
#include "r/glue.h"
#include "r/host.h"
#include "r/projections.h"

/* Locations, scales and the outlyingness of the points. */
static void run(dpd_outlyingness *o, const dpd_task *t, double *out)
{
  o->rows = t->rows;
  o->points = t->points;
  o->n = t->n;
  o->m = t->m;
  o->d = t->d;
  o->count = t->count;
  o->dirs = t->dirs;
  o->magnitude = t->magnitude;
  o->threads = host_threads();
  o->location = host_alloc((size_t)t->count, sizeof(double));
  o->scale = host_alloc((size_t)t->count, sizeof(double));
  o->work = host_alloc(dpd_outlyingness_scratch(o), 1);
  dpd_outlyingness_begin(o);
  int block = block_of(((double)t->n + t->m) * (t->d + 20.0), 8, t->count);
  for (int from = 0; from < t->count; from += block) {
    int to = t->count - from < block ? t->count : from + block;
    dpd_outlyingness_run(o, from, to);
    host_progress(to, t->count);
  }
  dpd_outlyingness_end(o, out);
}

/* The outlyingness of the points; with `worst`, list(outlyingness, the first direction that reaches
 * it, one-based, zero for none). */
SEXP ffi_outlyingness(SEXP points, SEXP data, SEXP directions, SEXP center, SEXP worst)
{
  dpd_task t = task_of(points, data, directions, true);
  dpd_outlyingness o = {.center = center_of(center)};
  SEXP out = PROTECT(Rf_allocVector(REALSXP, t.m));
  run(&o, &t, REAL(out));
  if (as_flag(worst)) {
    SEXP both = PROTECT(Rf_allocVector(VECSXP, 2));
    SET_VECTOR_ELT(both, 0, out);
    SET_VECTOR_ELT(both, 1, Rf_allocVector(INTSXP, t.m));
    int *direction = INTEGER(VECTOR_ELT(both, 1));
    double *work = host_alloc(DPD_BLOCK_ROWS * (size_t)t.count, sizeof *work);
    dpd_outlyingness_worst(&o, direction, work);
    for (int i = 0; i < t.m; i++)
      direction[i]++;
    out = both;
    UNPROTECT(1);
  }
  UNPROTECT(1);
  return out;
}

/* Takes the part along each of the `rank` orthonormal rows of `span` out of v. */
static void leave_span(double *v, const double *span, int rank, int d)
{
  for (int k = 0; k < rank; k++) {
    double part = 0;
    for (int j = 0; j < d; j++)
      part += v[j] * span[k * d + j];
    for (int j = 0; j < d; j++)
      v[j] -= part * span[k * d + j];
  }
}

/* Equations u'w/S = T/S of the directions of positive scale, with the coordinates that those of
 * zero scale fix taken out: w = fixed + free part. Returns how many there are. */
static int make_equations(const dpd_outlyingness *o, const double *fixed, const double *span,
                          int rank, double *a, double *b)
{
  int count = 0, d = o->d;
  for (int u = 0; u < o->count; u++) {
    if (!(o->scale[u] > 0)) continue;
    const double *dir = o->dirs + (size_t)u * (size_t)d;
    double *row = a + (size_t)count * (size_t)d, known = 0;
    for (int j = 0; j < d; j++)
      known += dir[j] * fixed[j];
    memcpy(row, dir, (size_t)d * sizeof *row);
    leave_span(row, span, rank, d);
    for (int j = 0; j < d; j++)
      row[j] /= o->scale[u];
    b[count++] = (o->location[u] - known) / o->scale[u];
  }
  return count;
}

/* Directions of zero scale: the orthonormal vectors they span, and the point in that span whose
 * projections are the locations. What contradicts earlier ones is left out. */
static int fix_flat(const dpd_outlyingness *o, double *fixed, double *span)
{
  int rank = 0, d = o->d;
  memset(fixed, 0, (size_t)d * sizeof *fixed);
  for (int u = 0; u < o->count && rank < d; u++) {
    if (o->scale[u] > 0) continue;
    const double *dir = o->dirs + (size_t)u * (size_t)d;
    double *v = span + rank * d, left = 0, gap = o->location[u];
    memcpy(v, dir, (size_t)d * sizeof *v);
    leave_span(v, span, rank, d);
    for (int j = 0; j < d; j++) {
      left += v[j] * v[j];
      gap -= dir[j] * fixed[j];
    }
    if (left < 1e-16) continue;
    for (int j = 0; j < d; j++)
      fixed[j] += gap * v[j] / left;
    left = sqrt(left);
    for (int j = 0; j < d; j++)
      v[j] /= left;
    rank++;
  }
  return rank;
}

/* list(point, bounds): the least outlying point and bounds of the least outlyingness. */
SEXP ffi_median_projection(SEXP data, SEXP directions, SEXP center)
{
  dpd_task t = task_of(data, data, directions, true);
  dpd_outlyingness o = {.center = center_of(center)};
  t.m = 0; /* the points' outlyingness is not wanted */
  run(&o, &t, NULL);
  size_t d = (size_t)t.d, count = (size_t)t.count;
  double *fixed = host_alloc(d, sizeof *fixed), *span = host_alloc(d * d, sizeof *span);
  double *a = host_alloc(count * d, sizeof *a), *b = host_alloc(count, sizeof *b);
  int rank = fix_flat(&o, fixed, span);
  dpd_equations e = {
      .count = make_equations(&o, fixed, span, rank, a, b), .d = t.d, .a = a, .b = b};
  SEXP out = PROTECT(Rf_allocVector(VECSXP, 2));
  SEXP point = Rf_allocVector(REALSXP, t.d);
  SET_VECTOR_ELT(out, 0, point);
  SEXP bounds = Rf_allocVector(REALSXP, 2);
  SET_VECTOR_ELT(out, 1, bounds);
  double *w = REAL(point), *bound = REAL(bounds);
  memset(w, 0, d * sizeof *w);
  memset(bound, 0, 2 * sizeof *bound);
  if (e.count > 0)
    dpd_chebyshev(&e, w, bound, bound + 1, host_alloc(dpd_chebyshev_scratch(e.count, t.d), 1));
  for (size_t j = 0; j < d; j++)
    w[j] += fixed[j] + t.centre[j];
  UNPROTECT(1);
  return out;
}

/* Refined depths. start: a double vector, d numbers per start, `starts` starts per point. Returns
 * list(value, direction): counts or outlyingness, and d numbers per point. */
SEXP ffi_refine(SEXP points, SEXP data, SEXP start, SEXP center)
{
  bool projection = center != R_NilValue;
  dpd_task t = task_of(points, data, R_NilValue, projection);
  dpd_center c = {.trim = 0};
  if (projection) c = center_of(center);
  dpd_refine r = {.rows = t.rows, .points = t.points, .n = t.n, .m = t.m, .d = t.d};
  r.start = REAL(start);
  r.starts = t.m > 0 ? (int)((double)XLENGTH(start) / ((double)t.m * t.d)) : 0;
  r.center = &c;
  r.magnitude = t.magnitude;
  r.threads = host_threads();
  r.work = host_alloc(dpd_refine_scratch(&r), 1);
  SEXP out = PROTECT(Rf_allocVector(VECSXP, 2));
  SEXP value = Rf_allocVector(projection ? REALSXP : INTSXP, t.m);
  SET_VECTOR_ELT(out, 0, value);
  SEXP direction = Rf_allocMatrix(REALSXP, t.d, t.m);
  SET_VECTOR_ELT(out, 1, direction);
  int block = block_of(200.0 * t.n * (t.d + 10.0), 4, t.m);
  for (int from = 0; from < t.m; from += block) {
    int to = t.m - from < block ? t.m : from + block;
    if (projection)
      dpd_refine_projection(&r, from, to, REAL(value), REAL(direction));
    else
      dpd_refine_halfspace(&r, from, to, INTEGER(value), REAL(direction));
    R_CheckUserInterrupt();
  }
  UNPROTECT(1);
  return out;
}
