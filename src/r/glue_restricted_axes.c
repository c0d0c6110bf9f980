/* glue_restricted_axes.c - entries of the median restricted by depth along the axes. */
#include <R_ext/Utils.h>
#include <math.h>
#include <string.h>

#include "margin/restricted_axes.h"
#include "mech/restricted_axes.h"
#include "num/sort.h"
#include "r/convert.h"
#include "r/glue.h"
#include "r/host.h"
#include "samp/bernoulli.h"

/* The columns, each ascending. */
static double *sort_columns(dpd_matrix x)
{
  size_t n = (size_t)x.nrow;
  double *sorted = host_alloc(n * (size_t)x.ncol, sizeof *sorted);
  double *work = host_alloc(n, sizeof *work);
  memcpy(sorted, x.x, n * (size_t)x.ncol * sizeof *sorted);
  for (int j = 0; j < x.ncol; j++) {
    dpd_sort_doubles(sorted + (size_t)j * n, n, work);
    R_CheckUserInterrupt();
  }
  return sorted;
}

static dpd_rate as_rate(SEXP epsilon)
{
  dpd_rate rate;
  dpd_raise(dpd_rate_from_double(as_number(epsilon), &rate));
  return rate;
}

static dpd_restricted_axes_spec as_spec(SEXP rows, SEXP times, SEXP level, SEXP epsilon)
{
  dpd_matrix x = as_matrix(rows);
  return (dpd_restricted_axes_spec){.n = x.nrow,
                                    .d = x.ncol,
                                    .level = as_count(level),
                                    .sorted = sort_columns(x),
                                    .times = as_number(times),
                                    .eps = ldexp((double)as_rate(epsilon).num, -DPD_RATE_BITS)};
}

/* Value: for each level the margin, at most `most`: PRIVATE. `times`: how often each column stands
 * there. limits: log delta, slack, most. */
SEXP ffi_restricted_axes_margin(SEXP rows, SEXP times, SEXP level, SEXP epsilon, SEXP limits)
{
  const double *limit = REAL(limits);
  dpd_restricted_axes_spec s = as_spec(rows, times, level, epsilon);
  return Rf_ScalarInteger(dpd_restricted_axes_margin(&s, limit[0], limit[1], (int)limit[2]));
}

/* Value: log b_k for k = 0..count - 1: for tests, never for a release. */
SEXP ffi_restricted_axes_bounds(SEXP rows, SEXP level, SEXP epsilon, SEXP count)
{
  SEXP one = PROTECT(Rf_ScalarReal(1)), out = PROTECT(Rf_allocVector(REALSXP, as_count(count)));
  dpd_restricted_axes_spec s = as_spec(rows, one, level, epsilon);
  for (int k = 0; k < (int)XLENGTH(out); k++)
    REAL(out)[k] = dpd_restricted_axes_bound(&s, k);
  UNPROTECT(2);
  return out;
}

static dpd_restricted_axes *settle(SEXP rows, SEXP level, SEXP epsilon)
{
  dpd_matrix x = as_matrix(rows);
  dpd_restricted_axes *m = host_alloc(1, sizeof *m);
  m->n = x.nrow;
  m->d = x.ncol;
  m->level = as_count(level);
  m->sorted = sort_columns(x);
  dpd_product *room = host_alloc((size_t)x.nrow, sizeof *room);
  dpd_restricted_axes_settle(m, as_rate(epsilon), room);
  return m;
}

static dpd_status draw(dpd_rng *rng, void *mech, double *x)
{
  return dpd_restricted_axes_draw(mech, rng, x);
}

/* Value: a matrix of draws. */
SEXP ffi_restricted_axes_draw(SEXP source, SEXP rows, SEXP level, SEXP epsilon, SEXP draws)
{
  dpd_restricted_axes *m = settle(rows, level, epsilon);
  return draw_points(source, as_count(draws), m->d, draw, m);
}

/* Value: the bits by which each level's weight is below the heaviest one's, from `level` on: for
 * tests, never for a release. */
SEXP ffi_restricted_axes_levels(SEXP rows, SEXP level, SEXP epsilon)
{
  const dpd_levels *l = &settle(rows, level, epsilon)->levels;
  SEXP out = PROTECT(Rf_allocVector(REALSXP, l->count));
  for (int k = 0; k < l->count; k++)
    REAL(out)[k] = (double)l->level[k].whole + ldexp((double)l->level[k].part, -60);
  UNPROTECT(1);
  return out;
}
