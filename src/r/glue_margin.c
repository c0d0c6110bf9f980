/* glue_margin.c - entry of the projection median's safety margin. */
#include <R_ext/Utils.h>

#include "margin/projection.h"
#include "r/glue.h"
#include "r/host.h"
#include "r/projections.h"

/* list(number of the pair of tau and room, levels safe by (1) with it, by (2), locations, scales,
 * if `profile`, bounds (levels x 5 x directions: lower, upper, shift, min, scale_shift) and the
 * left sides of (2)). eta: c(eta, floor). limits: columns tau and room. */
SEXP ffi_projection_margin(SEXP data, SEXP directions, SEXP center, SEXP eta, SEXP limits,
                           SEXP levels, SEXP profile)
{
  static const char *const names[] = {"which",  "sensitivity", "central", "center",
                                      "spread", "bounds",      "value",   ""};
  /* nothing is taken off the columns: a row's projections depend on that row only */
  dpd_task t = task_of(data, data, directions, false);
  dpd_matrix pairs = as_matrix(limits);
  dpd_margin m = {.center = center_of(center), .rows = t.rows, .n = t.n, .d = t.d};
  m.count = t.count;
  m.dirs = t.dirs;
  m.threads = host_threads_for((double)t.n * t.count);
  m.levels = as_count(levels);
  if (!Rf_isReal(eta) || Rf_length(eta) != 2) dpd_raise(DPD_ERR_DOMAIN);
  m.eta = REAL(eta)[0];
  m.floor = REAL(eta)[1];
  m.alloc = host_alloc;
  m.taus = pairs.nrow;
  m.tau = pairs.x;
  m.room = pairs.x + pairs.nrow;
  SEXP out = PROTECT(Rf_mkNamed(VECSXP, (const char **)names));
  SET_VECTOR_ELT(out, 3, Rf_allocVector(REALSXP, t.count));
  SET_VECTOR_ELT(out, 4, Rf_allocVector(REALSXP, t.count));
  m.location = REAL(VECTOR_ELT(out, 3));
  m.scale = REAL(VECTOR_ELT(out, 4));
  if (as_flag(profile)) {
    SET_VECTOR_ELT(out, 5, Rf_alloc3DArray(REALSXP, m.levels, 5, t.count));
    SET_VECTOR_ELT(out, 6, Rf_allocVector(REALSXP, m.levels));
    m.bounds = REAL(VECTOR_ELT(out, 5));
    m.central = REAL(VECTOR_ELT(out, 6));
  }
  m.work = host_alloc(dpd_margin_scratch(&m), 1);
  dpd_margin_begin(&m);
  int block = block_of((double)t.n * (t.d + 20.0), 8, t.count), which = 0, sensitivity = 0,
      central = 0;
  for (int from = 0; from < t.count; from += block) {
    dpd_margin_run(&m, from, t.count - from < block ? t.count : from + block);
    R_CheckUserInterrupt();
  }
  dpd_margin_end(&m, &which, &sensitivity, &central);
  SET_VECTOR_ELT(out, 0, Rf_ScalarInteger(which + 1));
  SET_VECTOR_ELT(out, 1, Rf_ScalarInteger(sensitivity));
  SET_VECTOR_ELT(out, 2, Rf_ScalarInteger(central));
  UNPROTECT(1);
  return out;
}
