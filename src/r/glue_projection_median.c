/* glue_projection_median.c - entries of the private projection median. */
#include <string.h>

#include "mech/projection.h"
#include "r/convert.h"
#include "r/glue.h"
#include "r/host.h"

typedef struct {
  dpd_projection *mech;
  int chains, steps;
  const char *sampler;
  double *trace;
} draw_task;

static dpd_status draw(dpd_rng *rng, void *data, double *x)
{
  const draw_task *t = data;
  if (strcmp(t->sampler, "exact") == 0) return dpd_projection_exact(t->mech, rng, x);
  dpd_projection_kind kind = strcmp(t->sampler, "langevin") == 0 ? DPD_LANGEVIN : DPD_HITRUN;
  dpd_projection_chains c = {kind, t->chains, t->steps, t->trace};
  return dpd_projection_chain(t->mech, rng, &c, x);
}

/* directions: d x count, one direction per column; spec: list(location, spread, rate, step);
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
                           .rate = as_number(VECTOR_ELT(spec, 2)),
                           .step = as_number(VECTOR_ELT(spec, 3)),
                           .chain = strcmp(CHAR(STRING_ELT(sampler, 0)), "exact") != 0};
  const int *sizes = INTEGER(size);
  draw_task task = {NULL, sizes[1], sizes[2], CHAR(STRING_ELT(sampler, 0)), NULL};
  dpd_raise(dpd_projection_open(&task.mech, &s, host_alloc));
  const char *names[] = {"draws", "trace", "proposals", ""};
  SEXP out = PROTECT(Rf_mkNamed(VECSXP, names));
  task.trace = chain_trace(keep_trace, out, 1, (const int[]){task.steps, task.chains, s.d});
  SET_VECTOR_ELT(out, 0, draw_points(source, sizes[0], s.d, draw, &task));
  SET_VECTOR_ELT(out, 2, Rf_ScalarReal(dpd_projection_proposals(task.mech)));
  UNPROTECT(1);
  return out;
}
