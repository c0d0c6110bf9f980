/* glue_regression.c - entries of regression depth. */
#include <R_ext/Utils.h>
#include <string.h>

#include "depth/regression.h"
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
  dpd_lines l;
  dpd_lines_open(&l, p.data, p.data + n, p.n, p.err[0] + p.err[1], host_alloc(n, sizeof(int)),
                 host_alloc(2 * n, sizeof(double)));
  return l;
}

/* Depths of the fits, rows of a matrix with columns intercept and slope. */
SEXP ffi_regression_depth(SEXP fits_, SEXP xy_)
{
  dpd_matrix fits = as_matrix(fits_), xy = as_matrix(xy_);
  dpd_lines l = make_lines(xy_);
  l.x = xy.x; /* in the units of the fits */
  l.y = xy.x + xy.nrow;
  SEXP out = PROTECT(Rf_allocVector(INTSXP, fits.nrow));
  int block = block_size(4.0 * l.n, 16);
  for (int from = 0; from < fits.nrow; from += block) {
    int m = fits.nrow - from < block ? fits.nrow - from : block;
    dpd_raise(dpd_regression_depths(&l, fits.x + from, fits.x + fits.nrow + from, m, RESIDUAL_EPS,
                                    host_threads_for(4.0 * l.n * m), INTEGER(out) + from));
    R_CheckUserInterrupt();
  }
  UNPROTECT(1);
  return out;
}

/* Signs of the residuals: one column a fit. Fits have one column more than x. */
SEXP ffi_residual_signs(SEXP fits_, SEXP x_, SEXP y)
{
  dpd_matrix fits = as_matrix(fits_), x = as_matrix(x_);
  size_t n = (size_t)x.nrow;
  SEXP out = PROTECT(Rf_allocMatrix(INTSXP, x.nrow, fits.nrow));
  signed char *sign = host_alloc(n, 1);
  for (int k = 0; k < fits.nrow; k++) {
    dpd_residual_signs(x.x, REAL(y), x.nrow, x.ncol, fits.x + k, fits.nrow, RESIDUAL_EPS, sign);
    for (size_t i = 0; i < n; i++)
      INTEGER(out)[i + (size_t)k * n] = sign[i];
  }
  UNPROTECT(1);
  return out;
}

typedef struct {
  dpd_lines lines;
  dpd_deepest found;
} search;

static SEXP run_search(void *data)
{
  search *s = data;
  int n = s->lines.n, threads = host_threads_for(60.0 * n * n);
  int block = block_size(60.0 * n, 4 * threads);
  for (int from = 0; from < n; from += block) {
    int to = n - from < block ? n : from + block;
    dpd_raise(dpd_regression_deepest(&s->lines, from, to, threads, &s->found));
    R_CheckUserInterrupt();
  }
  SEXP out = PROTECT(Rf_allocVector(VECSXP, 2));
  SET_VECTOR_ELT(out, 0, Rf_ScalarInteger(s->found.depth));
  int count = (int)s->found.count;
  SEXP rows = Rf_allocMatrix(INTSXP, count, 2);
  SET_VECTOR_ELT(out, 1, rows);
  for (size_t k = 0; k < 2 * (size_t)count; k++)
    INTEGER(rows)[k / 2 + k % 2 * (size_t)count] = s->found.row[k] + 1;
  UNPROTECT(1);
  return out;
}

static void close_search(void *data)
{
  dpd_deepest_close(&((search *)data)->found);
}

/* list(depth, pairs of rows on the deepest fits) */
SEXP ffi_regression_deepest(SEXP xy)
{
  search s = {make_lines(xy), {0, 0, NULL}};
  return R_ExecWithCleanup(run_search, &s, close_search, &s);
}
