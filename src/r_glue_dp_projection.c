/* r_glue_dp_projection.c - entries of the private projection median. */
#include <R_ext/Utils.h>
#include <string.h>

#include "mech_projection.h"
#include "r_convert.h"
#include "r_glue.h"
#include "r_host.h"

typedef struct {
  dpd_projection *mech;
  int d, draws, chains, steps;
  const char *sampler;
  double *trace;
} draw_task;

static SEXP draw_body(dpd_rng *rng, void *data)
{
  draw_task *task = data;
  int d = task->d;
  SEXP out = PROTECT(Rf_allocMatrix(REALSXP, task->draws, d));
  double *x = host_alloc((size_t)d, sizeof *x);
  dpd_projection_kind kind = strcmp(task->sampler, "langevin") == 0 ? DPD_LANGEVIN : DPD_HITRUN;
  for (int i = 0; i < task->draws; i++) {
    dpd_status status;
    for (;;) {
      status = strcmp(task->sampler, "exact") == 0
                   ? dpd_projection_exact(task->mech, rng, x)
                   : dpd_projection_chain(task->mech, rng, kind, task->chains, task->steps,
                                          task->trace, x);
      if (status != DPD_AGAIN) break;
      R_CheckUserInterrupt();
    }
    dpd_raise(status);
    for (int j = 0; j < d; j++)
      REAL(out)[i + (R_xlen_t)j * task->draws] = x[j];
  }
  UNPROTECT(1);
  return out;
}

/* directions: d x count, a direction a column; spec: list(location, spread, origin, rate, step);
 * size: c(draws, chains, steps). Value: list(draws, trace, proposals); the last two are not for
 * release. */
SEXP ffi_draw_projection(SEXP source, SEXP directions, SEXP spec, SEXP sampler, SEXP size,
                         SEXP keep_trace)
{
  dpd_matrix u = as_matrix(directions);
  dpd_projection_spec s = {.count = u.ncol,
                           .d = u.nrow,
                           .dirs = u.x,
                           .location = REAL(VECTOR_ELT(spec, 0)),
                           .spread = REAL(VECTOR_ELT(spec, 1)),
                           .origin = REAL(VECTOR_ELT(spec, 2)),
                           .rate = as_number(VECTOR_ELT(spec, 3)),
                           .step = as_number(VECTOR_ELT(spec, 4)),
                           .chain = strcmp(CHAR(STRING_ELT(sampler, 0)), "exact") != 0};
  const int *sizes = INTEGER(size);
  draw_task task = {NULL, s.d, sizes[0], sizes[1], sizes[2], CHAR(STRING_ELT(sampler, 0)), NULL};
  dpd_raise(dpd_projection_open(&task.mech, &s, host_alloc));
  const char *names[] = {"draws", "trace", "proposals", ""};
  SEXP out = PROTECT(Rf_mkNamed(VECSXP, names));
  if (as_flag(keep_trace)) {
    SEXP trace = Rf_alloc3DArray(REALSXP, task.steps, task.chains, task.d);
    SET_VECTOR_ELT(out, 1, trace);
    task.trace = REAL(trace);
  }
  SET_VECTOR_ELT(out, 0, with_rng(source, draw_body, &task));
  SET_VECTOR_ELT(out, 2, Rf_ScalarReal(dpd_projection_proposals(task.mech)));
  UNPROTECT(1);
  return out;
}
