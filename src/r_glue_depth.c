/* r_glue_depth.c - entries of halfspace depth. */
#include <R_ext/Utils.h>
#include <string.h>

#include "depth_directional.h"
#include "depth_halfspace.h"
#include "depth_keys.h"
#include "num_units.h"
#include "r_convert.h"
#include "r_glue.h"
#include "r_host.h"

/* Largest integers that the exact kernels take, by dimension. */
static const double integer_limit[] = {0, 0x1p53, 0x1p50, 0x1p25};

/* Data and points in units that make their coordinates comparable, and the errors of rounding. */
typedef struct {
  const double *data, *points;
  double *err;
  int n, m, d;
} problem;

/* Integers are left as they are, when `limit` > 0, and are free of error. */
static problem make_problem(SEXP points_, SEXP data_, double limit)
{
  dpd_matrix data = as_matrix(data_), points = as_matrix(points_);
  problem p = {data.x, points.x, NULL, data.nrow, points.nrow, data.ncol};
  size_t n = (size_t)p.n, m = (size_t)p.m, d = (size_t)p.d;
  p.err = host_alloc(d, sizeof *p.err);
  memset(p.err, 0, d * sizeof *p.err);
  if (limit > 0 && dpd_all_integers(data.x, n * d, limit) &&
      dpd_all_integers(points.x, m * d, limit))
    return p;
  double *rows = host_alloc(n * d, sizeof *rows), *queries = host_alloc(m * d, sizeof *queries);
  double *work = host_alloc(n, sizeof *work);
  for (size_t j = 0; j < d; j++) {
    double spread = dpd_spread(data.x + j * n, n, work);
    int exponent = spread > 0 ? dpd_unit_exponent(spread) : 0;
    dpd_change_unit(data.x + j * n, n, exponent, rows + j * n);
    dpd_change_unit(points.x + j * m, m, exponent, queries + j * m);
    /* a constant column's numbers have their own sizes to be compared by */
    p.err[j] = spread > 0 ? DPD_COORDINATE_EPS : 0x1p-1000;
  }
  p.data = rows;
  p.points = queries;
  return p;
}

/* Units of work in a block between two checks for an interrupt, of about 10^7 steps. */
static int block_size(double steps, int least)
{
  double size = 2e7 / (steps > 1 ? steps : 1);
  return size > 1e9 ? 1000000000 : size > least ? (int)size : least;
}

/* Closed counts at the rows of `points`, exact; one to three columns. */
SEXP ffi_halfspace_exact(SEXP points, SEXP data)
{
  int d = as_matrix(data).ncol, threads = host_threads();
  problem p = make_problem(points, data, integer_limit[d <= 3 ? d : 0]);
  SEXP out = PROTECT(Rf_allocVector(INTSXP, p.m));
  double steps = d == 1 ? 0 : d == 2 ? p.n : (double)p.n * p.n;
  int block = block_size(steps, 8 * threads);
  double *some = host_alloc((size_t)(p.m < block ? p.m : block) * (size_t)d, sizeof *some);
  for (int from = 0; from < p.m; from += block) {
    int m = p.m - from < block ? p.m - from : block;
    for (int j = 0; j < d; j++)
      memcpy(some + (size_t)j * (size_t)m, p.points + (size_t)j * (size_t)p.m + from,
             (size_t)m * sizeof *some);
    dpd_raise(dpd_halfspace_many(p.data, p.n, d, some, m, p.err, threads, INTEGER(out) + from));
    R_CheckUserInterrupt();
  }
  UNPROTECT(1);
  return out;
}

/* Closed counts over the rows of `directions` and their opposites. */
SEXP ffi_halfspace_directional(SEXP points, SEXP data, SEXP directions)
{
  dpd_matrix u = as_matrix(directions), x = as_matrix(data), q = as_matrix(points);
  int threads = host_threads(), n = x.nrow, m = q.nrow, d = x.ncol;
  SEXP out = PROTECT(Rf_allocVector(INTSXP, m));
  double *err = host_alloc((size_t)d, sizeof *err), *work = host_alloc((size_t)n, sizeof *work);
  for (int j = 0; j < d; j++)
    err[j] = DPD_COORDINATE_EPS * dpd_spread(x.x + (size_t)j * (size_t)n, (size_t)n, work);
  for (int i = 0; i < m; i++)
    INTEGER(out)[i] = n;
  int block = block_size(((double)n + m) * (d + 20.0), threads);
  for (int from = 0; from < u.nrow; from += block) {
    int to = u.nrow - from < block ? u.nrow : from + block;
    dpd_raise(dpd_halfspace_directional(x.x, n, d, q.x, m, u.x, u.nrow, from, to, err, threads,
                                        INTEGER(out)));
    R_CheckUserInterrupt();
  }
  UNPROTECT(1);
  return out;
}
