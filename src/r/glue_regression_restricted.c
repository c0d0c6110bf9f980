/* glue_regression_restricted.c - the entry of the restricted regression. */
#include <R_ext/Utils.h>
#include <math.h>

#include "mech/regression_restricted.h"
#include "num/big_integer.h"
#include "r/convert.h"
#include "r/glue.h"
#include "r/host.h"

typedef struct {
  SEXP source;
  dpd_matrix rows;
  int level, draws;
  dpd_rate eps;
  dpd_fit_regions regions;
  dpd_fit_mechanism mechanism;
} task;

static dpd_status draw(dpd_rng *rng, void *data, double *fit)
{
  task *t = data;
  dpd_i128 intercept;
  int64_t slope;
  DPD_TRY(dpd_fit_mechanism_draw(&t->mechanism, rng, &intercept, &slope));
  fit[0] = (double)intercept;
  fit[1] = (double)slope;
  return DPD_OK;
}

/* Numbers of fits of the levels 1, ...: infinite for regions without a bound. */
static SEXP copy_counts(const dpd_fit_regions *r)
{
  SEXP out = Rf_allocVector(REALSXP, r->levels);
  for (int l = 1; l <= r->levels; l++) {
    int power = 0;
    double value = l > r->unbounded ? dpd_big_value(r->count[l].limb, DPD_FIT_LIMBS, &power) : 0;
    REAL(out)[l - 1] = l > r->unbounded ? ldexp(value, power) : R_PosInf;
  }
  return out;
}

static SEXP run(void *data)
{
  task *t = data;
  dpd_fit_regions *r = &t->regions;
  const double *x = t->rows.x, *y = x + t->rows.nrow;
  int threads = host_threads_for((double)t->rows.nrow * t->rows.nrow);
  dpd_raise(dpd_fit_regions_open(r, x, y, t->rows.nrow, threads, host_alloc));
  dpd_status status;
  while ((status = dpd_fit_regions_count(r)) == DPD_AGAIN)
    R_CheckUserInterrupt();
  dpd_raise(status);
  SEXP out = PROTECT(Rf_allocVector(VECSXP, 2));
  SET_VECTOR_ELT(out, 0, copy_counts(r));
  bool lawful = t->level > r->unbounded && t->level <= r->levels;
  if (lawful) {
    size_t count = (size_t)(r->levels - t->level + 1);
    dpd_product *product = host_alloc(count, sizeof *product);
    dpd_fit_mechanism_open(&t->mechanism, r, t->level, t->eps, product);
  }
  SET_VECTOR_ELT(out, 1, draw_points(t->source, lawful ? t->draws : 0, 2, draw, t));
  UNPROTECT(1);
  return out;
}

static void finish(void *data)
{
  task *t = data;
  dpd_fit_regions_close(&t->regions);
}

/* Rows (x, y) of whole numbers: list(number of lattice fits of each depth region, `draws` fits of
 * the mechanism, one a row, or none if the region of `level` is empty or unbounded).
 * rate: a multiple of 2^-40, as restricted_rate() makes it. */
SEXP ffi_regression_restricted(SEXP source, SEXP rows, SEXP level, SEXP rate, SEXP draws)
{
  task t = {.source = source,
            .rows = as_matrix(rows),
            .level = as_count(level),
            .draws = as_count(draws),
            .eps = {(uint64_t)ldexp(as_number(rate), DPD_RATE_BITS)}};
  return R_ExecWithCleanup(run, &t, finish, &t);
}
