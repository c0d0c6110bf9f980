/* glue_regression.c - entries of regression depth. */
#include <R_ext/Utils.h>
#include <string.h>

#include "depth/regression_deepest.h"
#include "depth/regression_directional.h"
#include "plane/angle.h"
#include "r/convert.h"
#include "r/glue.h"
#include "r/host.h"
#include "r/points.h"

/* A residual of less than 64 units of the last place of its terms is zero. */
#define RESIDUAL_EPS 0x1p-47

/* Rows as lines of dual space; xy is an n x 2 matrix. */
static dpd_lines make_lines(SEXP xy)
{
  dpd_problem p = make_problem(xy, xy, 0x1p50);
  size_t n = (size_t)p.n;
  dpd_lines l = {.x = p.data, .y = p.data + n, .n = p.n, .pad = p.err[0] + p.err[1]};
  l.group = host_alloc(n, sizeof(int));
  dpd_lines_open(&l, host_alloc(2 * n, sizeof(double)));
  return l;
}

static dpd_regression_weights weights_of(SEXP weights)
{
  return (dpd_regression_weights){INTEGER(weights)[0], INTEGER(weights)[1]};
}

/* Regressors and response in the units of the fits. */
static dpd_residuals residuals_of(dpd_matrix x, const double *y)
{
  return (dpd_residuals){x.x, y, x.nrow, x.ncol, RESIDUAL_EPS};
}

/* Of `all` rows of so many steps each, how many make a block between checks for an interrupt. */
static int rows_a_block(double steps, int fewest, int all)
{
  int size = block_size(steps, fewest);
  return size < all ? size : all;
}

/* Rows from .. from + m - 1 of a matrix. */
static const double *rows_of(dpd_matrix b, int from, int m, double *out)
{
  for (int j = 0; j < b.ncol; j++)
    memcpy(out + (size_t)j * (size_t)m, b.x + (size_t)j * (size_t)b.nrow + from,
           (size_t)m * sizeof *out);
  return out;
}

/* Depths of the fits, rows of a matrix with columns intercept and slope; weights: of rows above and
 * below. */
SEXP ffi_regression_depth(SEXP fits_, SEXP xy_, SEXP weights)
{
  dpd_matrix fits = as_matrix(fits_), xy = as_matrix(xy_);
  dpd_lines l = make_lines(xy_);
  l.weights = weights_of(weights);
  dpd_residuals r = residuals_of((dpd_matrix){xy.x, xy.nrow, 1}, xy.x + xy.nrow);
  SEXP out = PROTECT(Rf_allocVector(INTSXP, fits.nrow));
  int threads = host_threads(), block = rows_a_block(4.0 * l.n, 16, fits.nrow);
  double *b = host_alloc(2 * (size_t)block, sizeof *b);
  void *scratch = host_alloc(dpd_regression_depths_scratch(l.n, threads), 1);
  for (int from = 0; from < fits.nrow; from += block) {
    int m = fits.nrow - from < block ? fits.nrow - from : block,
        used = host_threads_for(4.0 * l.n * m);
    dpd_fits some = {rows_of(fits, from, m, b), m};
    dpd_regression_depths(&l, &r, &some, used, INTEGER(out) + from, scratch);
    R_CheckUserInterrupt();
  }
  UNPROTECT(1);
  return out;
}

/* Signs of the residuals: one column a fit. Fits have one column more than x. */
SEXP ffi_residual_signs(SEXP fits_, SEXP x_, SEXP y)
{
  dpd_matrix fits = as_matrix(fits_), x = as_matrix(x_);
  dpd_residuals r = residuals_of(x, REAL(y));
  size_t n = (size_t)x.nrow;
  SEXP out = PROTECT(Rf_allocMatrix(INTSXP, x.nrow, fits.nrow));
  signed char *sign = host_alloc(n, 1);
  for (int k = 0; k < fits.nrow; k++) {
    dpd_residual_signs(&r, fits.x + k, (size_t)fits.nrow, sign);
    for (size_t i = 0; i < n; i++)
      INTEGER(out)[i + (size_t)k * n] = sign[i];
  }
  UNPROTECT(1);
  return out;
}

/* list(group, groups): the rows' ranks along the directions (rows), n x count, and how many
 * different ones there are. */
SEXP ffi_regression_splits(SEXP x_, SEXP directions)
{
  static const char *const names[] = {"group", "groups", ""};
  dpd_matrix x = as_matrix(x_), u = as_matrix(directions);
  int threads = host_threads_for(100.0 * x.nrow * u.nrow),
      block = rows_a_block(100.0 * x.nrow, threads, u.nrow);
  void *scratch = host_alloc(dpd_regression_splits_scratch(x.nrow, threads), 1);
  SEXP out = PROTECT(Rf_mkNamed(VECSXP, (const char **)names));
  SEXP group = Rf_allocMatrix(INTSXP, x.nrow, u.nrow);
  SET_VECTOR_ELT(out, 0, group);
  SEXP groups = Rf_allocVector(INTSXP, u.nrow);
  SET_VECTOR_ELT(out, 1, groups);
  double *some = host_alloc((size_t)block * (size_t)u.ncol, sizeof *some);
  for (int from = 0; from < u.nrow; from += block) {
    int count = u.nrow - from < block ? u.nrow - from : block;
    dpd_regression_splits s = {x.nrow, count, INTEGER(group) + (size_t)from * (size_t)x.nrow,
                               INTEGER(groups) + from};
    dpd_regression_splits_open(&s, x.x, x.ncol, rows_of(u, from, count, some), threads, scratch);
    R_CheckUserInterrupt();
  }
  UNPROTECT(1);
  return out;
}

/* Depths of the fits along the directions of `splits`, made by ffi_regression_splits(); -1 where
 * below `floor`. */
SEXP ffi_regression_directional(SEXP fits_, SEXP x_, SEXP y, SEXP splits, SEXP weights, SEXP floor)
{
  dpd_matrix fits = as_matrix(fits_), x = as_matrix(x_);
  SEXP group = VECTOR_ELT(splits, 0), groups = VECTOR_ELT(splits, 1);
  int count = (int)XLENGTH(groups), n = x.nrow;
  double steps = 4.0 * n * (count + x.ncol);
  dpd_regression_splits s = {n, count, INTEGER(group), INTEGER(groups)};
  dpd_residuals r = residuals_of(x, REAL(y));
  dpd_regression_along a = {&s, &r, weights_of(weights), as_count(floor),
                            host_threads_for(steps * fits.nrow)};
  int block = rows_a_block(steps, a.threads, fits.nrow);
  double *b = host_alloc((size_t)block * (size_t)fits.ncol, sizeof *b);
  void *scratch = host_alloc(dpd_regression_directional_scratch(n, count, a.threads), 1);
  SEXP out = PROTECT(Rf_allocVector(INTSXP, fits.nrow));
  for (int from = 0; from < fits.nrow; from += block) {
    int m = fits.nrow - from < block ? fits.nrow - from : block;
    dpd_fits some = {rows_of(fits, from, m, b), m};
    dpd_regression_directional(&a, &some, INTEGER(out) + from, scratch);
    R_CheckUserInterrupt();
  }
  UNPROTECT(1);
  return out;
}

typedef struct {
  dpd_lines lines;
  dpd_deepest found;
} deepest_task;

static SEXP run_deepest(void *data)
{
  deepest_task *s = data;
  int n = s->lines.n, threads = host_threads_for(60.0 * n * n);
  int block = block_size(60.0 * n, 4 * threads);
  void *scratch = host_alloc(dpd_regression_deepest_scratch(n, threads), 1);
  for (int from = 0; from < n; from += block) {
    dpd_deepest_range lines = {from, n - from < block ? n : from + block, threads};
    dpd_raise(dpd_regression_deepest(&s->lines, &lines, &s->found, scratch));
    host_progress(lines.last, n);
  }
  SEXP out = PROTECT(Rf_allocVector(VECSXP, 2));
  SET_VECTOR_ELT(out, 0, Rf_ScalarInteger(s->found.depth));
  int count = (int)s->found.rows.count;
  const dpd_vertex_rows *found = s->found.rows.item;
  SEXP rows = Rf_allocMatrix(INTSXP, count, 2);
  SET_VECTOR_ELT(out, 1, rows);
  for (int k = 0; k < count; k++) {
    INTEGER(rows)[k] = found[k].i + 1;
    INTEGER(rows)[(size_t)k + (size_t)count] = found[k].j + 1;
  }
  UNPROTECT(1);
  return out;
}

static void close_deepest(void *data)
{
  dpd_deepest_close(&((deepest_task *)data)->found);
}

/* list(depth, pairs of rows on the deepest fits) */
SEXP ffi_regression_deepest(SEXP xy, SEXP weights)
{
  deepest_task s = {.lines = make_lines(xy)};
  s.lines.weights = weights_of(weights);
  return R_ExecWithCleanup(run_deepest, &s, close_deepest, &s);
}
