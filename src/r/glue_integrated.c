/* glue_integrated.c - entries of the depths that average over directions, and their medians. */
#include <R_ext/Utils.h>
#include <string.h>

#include "depth/idd_smooth.h"
#include "median/idd_smooth.h"
#include "depth/integrated.h"
#include "median/integrated.h"
#include "num/project_block.h"
#include "r/glue.h"
#include "r/host.h"
#include "r/projections.h"

/* kind: 0 halfspace, 1 integrated rank-weighted, 2 integrated dual. Returns list(depth, worst): for
 * halfspace depth the direction of each point's least count, one-based, else NULL. */
SEXP ffi_depth_integrated(SEXP points, SEXP data, SEXP directions, SEXP kind)
{
  dpd_task t = task_of(points, data, directions, false);
  dpd_integrated r = {.kind = (dpd_rank_kind)as_count(kind), .rows = t.rows, .points = t.points};
  r.n = t.n;
  r.m = t.m;
  r.d = t.d;
  r.count = t.count;
  r.dirs = t.dirs;
  r.threads = host_threads();
  r.work = host_alloc(dpd_integrated_scratch(&r), 1);
  SEXP out = PROTECT(Rf_allocVector(VECSXP, 2));
  SET_VECTOR_ELT(out, 0, Rf_allocVector(REALSXP, t.m));
  dpd_integrated_begin(&r);
  int block = block_of(((double)t.n + t.m) * (t.d + 20.0), 8, t.count);
  for (int from = 0; from < t.count; from += block) {
    int to = t.count - from < block ? t.count : from + block;
    dpd_integrated_run(&r, from, to);
    host_progress(to, t.count);
  }
  dpd_integrated_end(&r, t.count, REAL(VECTOR_ELT(out, 0)));
  if (r.kind == DPD_RANK_HALFSPACE) {
    SET_VECTOR_ELT(out, 1, Rf_allocVector(INTSXP, t.m));
    int *worst = INTEGER(VECTOR_ELT(out, 1));
    dpd_integrated_worst(&r, worst);
    for (int i = 0; i < t.m; i++)
      worst[i]++;
  }
  UNPROTECT(1);
  return out;
}

SEXP ffi_depth_smooth(SEXP points, SEXP data, SEXP directions, SEXP smooth)
{
  dpd_task t = task_of(points, data, directions, true);
  dpd_smooth k = {.rows = t.rows, .points = t.points, .n = t.n, .m = t.m, .d = t.d};
  k.count = t.count;
  k.dirs = t.dirs;
  k.s = as_number(smooth);
  k.threads = host_threads();
  k.work = host_alloc(dpd_idd_smooth_scratch(&k), 1);
  SEXP out = PROTECT(Rf_allocVector(REALSXP, t.m));
  dpd_smooth_begin(&k);
  int block = block_of(((double)t.n + t.m) * (t.d + 50.0) + 4e5, 8, t.count);
  for (int from = 0; from < t.count; from += block) {
    int to = t.count - from < block ? t.count : from + block;
    dpd_smooth_run(&k, from, to);
    host_progress(to, t.count);
  }
  dpd_smooth_end(&k, t.count, REAL(out));
  UNPROTECT(1);
  return out;
}

/* The tables of all directions. */
static dpd_idd_smooth_median tabulate(const dpd_task *t, double s)
{
  size_t count = (size_t)t->count;
  dpd_idd_smooth_median a = {
      .rows = t->rows, .n = t->n, .d = t->d, .count = t->count, .dirs = t->dirs};
  a.s = s;
  a.threads = host_threads();
  a.nodes = dpd_idd_smooth_median_nodes(t->count);
  a.node = host_alloc(2 * count * (size_t)a.nodes, sizeof(double));
  a.lo = host_alloc(count, sizeof(double));
  a.used = host_alloc(count, sizeof(int));
  a.slow = host_alloc(dpd_padded((size_t)t->n), sizeof(double));
  a.work = host_alloc(dpd_idd_smooth_median_scratch(&a), 1);
  int block = block_of(t->n * (t->d + 50.0), 8, t->count);
  for (int from = 0; from < t->count; from += block) {
    dpd_idd_smooth_median_tabulate(&a, from, t->count - from < block ? t->count : from + block);
    R_CheckUserInterrupt();
  }
  return a;
}

/* Climbs from the first row of `starts` and from the deepest of the others, as far as they are
 * inside of the tables; returns list(point, depth) of the better end. */
SEXP ffi_median_smooth(SEXP data, SEXP directions, SEXP smooth, SEXP starts)
{
  dpd_task t = task_of(starts, data, directions, true);
  dpd_matrix from = as_matrix(starts);
  size_t d = (size_t)t.d;
  dpd_idd_smooth_median a = tabulate(&t, as_number(smooth));
  double *first = host_alloc(d, sizeof *first), *second = host_alloc(d, sizeof *second);
  double *q = host_alloc(d, sizeof *q), *work = host_alloc(d * (d + 4), sizeof *work), best = -1;
  for (int i = from.nrow - 1; i >= 0; i--) {
    for (size_t j = 0; j < d; j++)
      q[j] = from.x[i + j * (size_t)from.nrow] - t.centre[j];
    if (i == 0) break;
    double value =
        dpd_idd_smooth_median_covers(&a, q) ? dpd_idd_smooth_median_value(&a, q, NULL, NULL) : -1;
    if (value <= best) continue;
    best = value;
    memcpy(second, q, d * sizeof *q);
  }
  memcpy(first, q, d * sizeof *q);
  R_CheckUserInterrupt();
  double depth = dpd_idd_smooth_median_climb(&a, first, work);
  R_CheckUserInterrupt();
  if (best >= 0) best = dpd_idd_smooth_median_climb(&a, second, work);
  const double *winner = best > depth ? second : first;
  SEXP out = PROTECT(Rf_allocVector(VECSXP, 2));
  SET_VECTOR_ELT(out, 0, Rf_allocVector(REALSXP, t.d));
  SET_VECTOR_ELT(out, 1, Rf_ScalarReal(best > depth ? best : depth));
  for (size_t j = 0; j < d; j++)
    REAL(VECTOR_ELT(out, 0))[j] = winner[j] + t.centre[j];
  UNPROTECT(1);
  return out;
}

enum { MOST_WINDOWS = 25 };

/* Pattern search from one start (a 1 x d matrix); returns the point reached. */
SEXP ffi_median_ranks(SEXP data, SEXP directions, SEXP kind, SEXP start)
{
  dpd_task t = task_of(start, data, directions, false);
  size_t d = (size_t)t.d, count = (size_t)t.count;
  dpd_integrated_median s = {
      .kind = (dpd_rank_kind)as_count(kind), .rows = t.rows, .n = t.n, .d = t.d};
  s.count = t.count;
  s.dirs = t.dirs;
  s.threads = host_threads();
  s.width = dpd_integrated_median_width(t.n);
  s.centre = host_alloc(d, sizeof(double));
  s.value = host_alloc(count * (size_t)s.width, sizeof(double));
  s.up_to = host_alloc(count * (size_t)s.width, sizeof(int));
  s.below = host_alloc(count, sizeof(int));
  s.kept = host_alloc(count, sizeof(int));
  s.lo = host_alloc(count, sizeof(double));
  s.hi = host_alloc(count, sizeof(double));
  s.work = host_alloc(dpd_integrated_median_scratch(&s), 1);
  double *work = host_alloc(2 * d, sizeof *work);
  SEXP out = PROTECT(Rf_allocVector(REALSXP, t.d));
  double *q = REAL(out);
  memcpy(q, as_matrix(start).x, d * sizeof *q);
  int block = block_of(t.n * (t.d + 20.0), 8, t.count);
  for (int window = 0; window < MOST_WINDOWS; window++) {
    memcpy(s.centre, q, d * sizeof *q);
    for (int from = 0; from < t.count; from += block) {
      dpd_integrated_median_fill(&s, from, t.count - from < block ? t.count : from + block);
      R_CheckUserInterrupt();
    }
    bool blocked = dpd_integrated_median_climb(&s, q, work);
    R_CheckUserInterrupt();
    if (!blocked || memcmp(q, s.centre, d * sizeof *q) == 0) break;
  }
  UNPROTECT(1);
  return out;
}
