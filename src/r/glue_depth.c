/* glue_depth.c - entries of halfspace depth and its medians. */
#include <R_ext/Utils.h>
#include <math.h>
#include <string.h>

#include "depth/halfspace.h"
#include "depth/halfspace_directional.h"
#include "median/halfspace_directional.h"
#include "median/region.h"
#include "num/power_of_two.h"
#include "num/select.h"
#include "plane/angle.h"
#include "r/convert.h"
#include "r/glue.h"
#include "r/host.h"
#include "r/points.h"

static dpd_status count_points(const dpd_problem *p, const double *points, int from, int m,
                               void *out)
{
  int threads = host_threads_for(pow(p->n, p->d > 1 ? p->d - 1 : 1) * m);
  dpd_points q = {p->data, points, p->err, p->n, p->d, m};
  void *top = vmaxget(), *scratch = host_alloc(dpd_halfspace_many_scratch(p->n, p->d, threads), 1);
  dpd_status status = dpd_halfspace_many(&q, threads, (int *)out + from, scratch);
  vmaxset(top);
  return status;
}

/* Closed counts at the rows of `points`, exact; one to four columns. */
SEXP ffi_halfspace_exact(SEXP points, SEXP data)
{
  dpd_problem p = make_exact_problem(points, data, 4);
  int d = p.d, threads = host_threads();
  SEXP out = PROTECT(Rf_allocVector(INTSXP, p.m));
  double steps = d == 1 ? 0 : pow(p.n, d - 1);
  int block = block_size(steps, (d < 4 ? 8 : 1) * threads);
  over_points(&p, block, count_points, INTEGER(out));
  UNPROTECT(1);
  return out;
}

/* The columns' spreads; 0 for those that are constant. */
static void column_spreads(dpd_matrix data, double *spread)
{
  size_t n = (size_t)data.nrow;
  double *work = host_alloc(n, sizeof *work);
  for (size_t j = 0; j < (size_t)data.ncol; j++)
    spread[j] = dpd_spread(data.x + j * n, n, work);
}

/* What to divide the columns by: their spreads, or 1. */
SEXP ffi_column_spread(SEXP data_)
{
  dpd_matrix data = as_matrix(data_);
  SEXP out = PROTECT(Rf_allocVector(REALSXP, data.ncol));
  column_spreads(data, REAL(out));
  for (int j = 0; j < data.ncol; j++)
    if (REAL(out)[j] == 0) REAL(out)[j] = 1;
  UNPROTECT(1);
  return out;
}

/* Data and directions of a directional depth. */
typedef struct {
  dpd_matrix data, dirs;
  double *scale, *err; /* a column's spread, or 1 if it is constant, and error of rounding */
} directed;

/* Directions are for the data as they are or, `by_spread`, for columns divided by their spreads. */
static directed make_directed(SEXP data_, SEXP directions, SEXP by_spread)
{
  directed p = {.data = as_matrix(data_), .dirs = as_matrix(directions)};
  size_t d = (size_t)p.data.ncol, count = (size_t)p.dirs.nrow;
  p.scale = host_alloc(d, sizeof *p.scale);
  p.err = host_alloc(d, sizeof *p.err);
  column_spreads(p.data, p.scale);
  for (size_t j = 0; j < d; j++) {
    p.err[j] = DPD_COORDINATE_EPS * p.scale[j];
    if (p.scale[j] == 0) p.scale[j] = 1;
  }
  if (!as_flag(by_spread)) return p;
  double *u = host_alloc(count * d, sizeof *u);
  for (size_t j = 0; j < d; j++)
    for (size_t k = 0; k < count; k++)
      u[k + j * count] = p.dirs.x[k + j * count] / p.scale[j];
  p.dirs.x = u;
  return p;
}

/* Closed counts over the rows of `directions` and their opposites. */
SEXP ffi_halfspace_directional(SEXP points, SEXP data, SEXP directions, SEXP by_spread)
{
  directed p = make_directed(data, directions, by_spread);
  dpd_matrix q = as_matrix(points);
  int threads = host_threads(), n = p.data.nrow, m = q.nrow, d = p.data.ncol;
  SEXP out = PROTECT(Rf_allocVector(INTSXP, m));
  for (int i = 0; i < m; i++)
    INTEGER(out)[i] = n;
  dpd_points all = {p.data.x, q.x, p.err, n, d, m};
  void *scratch = host_alloc(dpd_halfspace_directional_scratch(&all, threads), 1);
  int block = block_size(((double)n + m) * (d + 20.0) / 8, 8 * threads);
  for (int from = 0; from < p.dirs.nrow; from += block) {
    int to = p.dirs.nrow - from < block ? p.dirs.nrow : from + block;
    dpd_direction_range dirs = {p.dirs.x, p.dirs.nrow, from, to};
    dpd_halfspace_directional(&all, &dirs, threads, INTEGER(out), scratch);
    host_progress(to, p.dirs.nrow);
  }
  UNPROTECT(1);
  return out;
}

static SEXP named_list(const char *const *names, SEXP first, SEXP second)
{
  SEXP out = PROTECT(Rf_mkNamed(VECSXP, (const char **)names));
  SET_VECTOR_ELT(out, 0, first);
  SET_VECTOR_ELT(out, 1, second);
  UNPROTECT(1);
  return out;
}

/* The vertices as a matrix, below the centroid, in the units of the data. */
static SEXP region_matrix(const dpd_polygon *region, const int exponent[2])
{
  int rows = region->n + 1;
  SEXP out = PROTECT(Rf_allocMatrix(REALSXP, rows, 2));
  double centroid[2];
  dpd_polygon_centroid(region, centroid);
  for (int k = 0; k < 2; k++) {
    double *column = REAL(out) + (size_t)k * (size_t)rows;
    column[0] = centroid[k];
    for (int i = 0; i < region->n; i++)
      column[i + 1] = region->vertex[i].z[k];
    dpd_change_unit(column, (size_t)rows, -exponent[k], column);
  }
  UNPROTECT(1);
  return out;
}

typedef struct {
  dpd_polygon *region;
  const int *exponent;
} polygon_task;

static SEXP polygon_body(void *data)
{
  polygon_task *task = data;
  return region_matrix(task->region, task->exponent);
}

static void polygon_finish(void *data)
{
  dpd_polygon_close(((polygon_task *)data)->region);
}

/* The deepest region in the plane: list(level, points), the centroid and the vertices. */
SEXP ffi_deepest_plane(SEXP data)
{
  static const char *const names[] = {"level", "points", ""};
  dpd_problem p = make_problem(data, data, 0);
  int level = 0;
  dpd_polygon region;
  dpd_region_data rows = {p.data, p.data + p.n, p.n, p.err[0], p.err[1]};
  void *scratch = host_alloc(dpd_region2_scratch(p.n), 1);
  dpd_raise(dpd_region2_deepest(&rows, &level, &region, scratch));
  polygon_task task = {&region, p.exponent};
  SEXP points = PROTECT(R_ExecWithCleanup(polygon_body, &task, polygon_finish, &task));
  SEXP out = named_list(names, PROTECT(Rf_ScalarInteger(level)), points);
  UNPROTECT(2);
  return out;
}

/* A deepest point along directions: list(level, points), a matrix of one row. */
SEXP ffi_deepest_directional(SEXP data, SEXP directions, SEXP by_spread, SEXP axes)
{
  static const char *const names[] = {"level", "points", ""};
  directed p = make_directed(data, directions, by_spread);
  int n = p.data.nrow, d = p.data.ncol;
  size_t middle = ((size_t)n + 1) / 2 - 1;
  double *centre = host_alloc((size_t)d, sizeof *centre),
         *work = host_alloc((size_t)n, sizeof *work);
  for (int j = 0; j < d; j++) {
    memcpy(work, p.data.x + (size_t)j * (size_t)n, (size_t)n * sizeof *work);
    dpd_select_range(work, (size_t)n, middle, middle);
    centre[j] = work[middle];
  }
  SEXP points = PROTECT(Rf_allocMatrix(REALSXP, 1, d));
  int block = block_size((double)n * (d + 40.0) / 8, 2 * host_threads());
  dpd_directional m = {p.data.x, p.dirs.x, INTEGER(axes), centre,        p.scale, p.err,
                       n,        d,        p.dirs.nrow,   host_threads()};
  void *scratch = host_alloc(dpd_median_directional_scratch(&m), 1);
  dpd_directional_search s;
  dpd_status status;
  dpd_median_directional_open(&s, &m, REAL(points), scratch);
  double shown = 0;
  while ((status = dpd_median_directional(&s, block, REAL(points))) == DPD_AGAIN) {
    R_CheckUserInterrupt();
    if (s.done > shown) host_progress(s.done, s.total);
    shown = s.done;
  }
  dpd_raise(status);
  SEXP out = named_list(names, PROTECT(Rf_ScalarInteger(s.level)), points);
  UNPROTECT(2);
  return out;
}
