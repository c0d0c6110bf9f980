/* glue_sens.c - entries for smooth sensitivities. */
#include "r/convert.h"
#include "r/glue.h"
#include "r/host.h"
#include "sens/median.h"
#include "sens/order_stat.h"
#include "sens/tukey.h"

/* `ends`: the bound, sorted clipped data, the bound. list(value, k, profile of `count` levels). */
SEXP ffi_sens_median(SEXP ends, SEXP rank, SEXP beta, SEXP min, SEXP count)
{
  static const char *const names[] = {"value", "k", "profile", ""};
  int n = as_matrix(ends).nrow - 2, p = as_count(rank), at = -1;
  const double *c = as_matrix(ends).x;
  double value = 0;
  SEXP profile = PROTECT(Rf_allocVector(REALSXP, as_count(count)));
  dpd_median_windows q = {c, n, p, as_number(beta), as_number(min)};
  dpd_sens_median(&q, &value, &at);
  dpd_sens_median_profile(c, n, p, as_count(count), REAL(profile));
  SEXP out = PROTECT(Rf_mkNamed(VECSXP, (const char **)names));
  SET_VECTOR_ELT(out, 0, Rf_ScalarReal(value));
  SET_VECTOR_ELT(out, 1, Rf_ScalarInteger(at));
  SET_VECTOR_ELT(out, 2, profile);
  UNPROTECT(2);
  return out;
}

/* list(found, 8 x levels matrix of reaches, centre): parts of it to be filled in. Protected. */
static SEXP open_tukey(int count, dpd_tukey_reaches *r)
{
  static const char *const names[] = {"found", "reach", "centre", ""};
  SEXP out = PROTECT(Rf_mkNamed(VECSXP, (const char **)names));
  SET_VECTOR_ELT(out, 0, Rf_allocVector(LGLSXP, count));
  SET_VECTOR_ELT(out, 1, Rf_allocMatrix(REALSXP, DPD_TUKEY_REACHES, count));
  SET_VECTOR_ELT(out, 2, Rf_allocVector(REALSXP, 2));
  r->found = LOGICAL(VECTOR_ELT(out, 0));
  r->reach = REAL(VECTOR_ELT(out, 1));
  r->centre = REAL(VECTOR_ELT(out, 2));
  for (R_xlen_t k = 0; k < (R_xlen_t)DPD_TUKEY_REACHES * count; k++)
    r->reach[k] = NA_REAL;
  r->centre[0] = r->centre[1] = NA_REAL;
  return out;
}

/* Regions of planar integer data; `at`: the place of the level whose centre is wanted, from 1. */
SEXP ffi_tukey_reach(SEXP data, SEXP level, SEXP at)
{
  dpd_matrix x = as_matrix(data);
  int threads = host_threads_for((double)x.nrow * x.nrow);
  dpd_plane_levels t = {x.x, x.x + x.nrow, x.nrow, 0, INTEGER(level), LENGTH(level), threads};
  dpd_tukey_reaches r;
  SEXP out = open_tukey(t.count, &r);
  void *scratch = host_alloc(dpd_tukey_reach_scratch(&t), 1);
  dpd_raise(dpd_tukey_reach(&t, as_count(at) - 1, &r, scratch));
  UNPROTECT(1);
  return out;
}

/* The same along the rows of `sides`; value: sorted projections, one column per side. */
SEXP ffi_tukey_sides(SEXP value, SEXP sides, SEXP level, SEXP at)
{
  dpd_matrix v = as_matrix(value), u = as_matrix(sides);
  dpd_tukey_sides t = {v.x, u.x, v.nrow, u.nrow, INTEGER(level), LENGTH(level)};
  dpd_tukey_reaches r;
  SEXP out = open_tukey(t.count, &r);
  dpd_tukey_sides_reach(&t, as_count(at) - 1, &r, host_alloc(dpd_tukey_sides_scratch(&t), 1));
  UNPROTECT(1);
  return out;
}

/* value: a column of sorted numbers each; ends: lower and upper of each, in columns. */
SEXP ffi_rank_windows(SEXP value, SEXP ends, SEXP deepest, SEXP min, SEXP count)
{
  dpd_matrix v = as_matrix(value);
  const double *end = as_matrix(ends).x;
  int k = as_count(count);
  SEXP out = PROTECT(Rf_allocMatrix(REALSXP, k, v.ncol));
  for (int s = 0; s < v.ncol; s++) {
    dpd_rank_windows_spec w = {v.x + (size_t)v.nrow * (size_t)s,
                               end[s],
                               end[s + v.ncol],
                               v.nrow,
                               as_count(deepest),
                               as_count(min)};
    dpd_rank_windows(&w, k, REAL(out) + (size_t)k * (size_t)s);
  }
  UNPROTECT(1);
  return out;
}
