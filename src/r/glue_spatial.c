/* glue_spatial.c - entries of spatial depth and the spatial median. */
#include <R_ext/Utils.h>
#include <math.h>
#include <string.h>

#include "depth/spatial.h"
#include "median/spatial.h"
#include "num/power_of_two.h"
#include "r/convert.h"
#include "r/glue.h"
#include "r/host.h"
#include "r/points.h"

/* The power of two that brings the widest column's spread (or else the largest number) to about
 * one: one unit for all columns, since distances are to stay in proportion. */
static int common_exponent(dpd_matrix data)
{
  size_t n = (size_t)data.nrow, d = (size_t)data.ncol;
  double *work = host_alloc(n, sizeof *work), most = 0, size = 0;
  for (size_t j = 0; j < d; j++)
    most = fmax(most, dpd_spread(data.x + j * n, n, work));
  for (size_t i = 0; i < n * d && most == 0; i++)
    size = fmax(size, fabs(data.x[i]));
  return most + size > 0 ? dpd_unit_exponent(most + size) : 0;
}

static double *in_unit(dpd_matrix m, int exponent)
{
  size_t size = (size_t)m.nrow * (size_t)m.ncol;
  double *out = host_alloc(size, sizeof *out);
  dpd_change_unit(m.x, size, exponent, out);
  return out;
}

/* Norms of the mean unit vectors at the rows of `points`. */
SEXP ffi_spatial_norms(SEXP points_, SEXP data_)
{
  dpd_matrix data = as_matrix(data_), points = as_matrix(points_);
  int d = data.ncol, threads = host_threads(), exponent = common_exponent(data);
  const double *rows = in_unit(data, exponent), *queries = in_unit(points, exponent);
  SEXP out = PROTECT(Rf_allocVector(REALSXP, points.nrow));
  int block = block_size(0.5 * data.nrow * (d + 3.0), 16 * threads);
  void *scratch = host_alloc(dpd_spatial_norms_scratch(d, threads), 1);
  double *some =
      host_alloc((size_t)(points.nrow < block ? points.nrow : block) * (size_t)d, sizeof *some);
  for (int from = 0; from < points.nrow; from += block) {
    int m = points.nrow - from < block ? points.nrow - from : block;
    for (int k = 0; k < d; k++)
      memcpy(some + (size_t)k * (size_t)m, queries + (size_t)k * (size_t)points.nrow + from,
             (size_t)m * sizeof *some);
    dpd_points p = {rows, some, NULL, data.nrow, d, m};
    dpd_spatial_norms(&p, threads, REAL(out) + from, scratch);
    host_progress(from + m, points.nrow);
  }
  UNPROTECT(1);
  return out;
}

/* list(median, iterations, gradient, converged) */
SEXP ffi_spatial_median(SEXP data_, SEXP limit)
{
  dpd_matrix data = as_matrix(data_);
  int d = data.ncol, exponent = common_exponent(data);
  const double *rows = in_unit(data, exponent);
  double *work = host_alloc(dpd_spatial_median_scratch(data.nrow, d), 1);
  SEXP out = PROTECT(Rf_allocVector(VECSXP, 4)), median = Rf_allocVector(REALSXP, d);
  SET_VECTOR_ELT(out, 0, median);
  dpd_spatial_trace trace = {.limit = as_count(limit)};
  dpd_raise(dpd_spatial_median(rows, data.nrow, d, work, REAL(median), &trace));
  for (int k = 0; k < d; k++)
    REAL(median)[k] = ldexp(REAL(median)[k], exponent);
  SET_VECTOR_ELT(out, 1, Rf_ScalarInteger(trace.iterations));
  SET_VECTOR_ELT(out, 2, Rf_ScalarReal(trace.gradient));
  SET_VECTOR_ELT(out, 3, Rf_ScalarLogical(trace.converged));
  UNPROTECT(1);
  return out;
}
