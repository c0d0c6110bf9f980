/* r_glue_restricted.c - entry of the restricted exponential mechanism. */
#include "depth_lattice.h"
#include "mech_restricted.h"
#include "r_convert.h"
#include "r_glue.h"
#include "r_host.h"

typedef struct {
  SEXP source;
  dpd_matrix rows;
  int level, draws;
  double eps;
  dpd_lattice_regions regions;
} task;

static SEXP draw_body(dpd_rng *rng, void *data)
{
  const task *t = data;
  int d = t->rows.ncol, count = t->level <= t->regions.levels ? t->draws : 0;
  SEXP out = PROTECT(Rf_allocMatrix(REALSXP, count, d));
  double *work = host_alloc((size_t)t->regions.levels, sizeof *work);
  for (int i = 0; i < count; i++) {
    int64_t z[2];
    dpd_raise(dpd_restricted_draw(rng, &t->regions, t->level, t->eps, work, z));
    for (int j = 0; j < d; j++)
      REAL(out)[i + (R_xlen_t)j * count] = (double)z[j];
  }
  UNPROTECT(1);
  return out;
}

static SEXP run(void *data)
{
  task *t = data;
  dpd_raise(
      dpd_lattice_regions_open(&t->regions, t->rows.x, t->rows.nrow, t->rows.ncol, host_threads()));
  SEXP out = PROTECT(Rf_allocVector(VECSXP, 2));
  SEXP counts = Rf_allocVector(REALSXP, t->regions.levels);
  SET_VECTOR_ELT(out, 0, counts);
  for (int l = 0; l < t->regions.levels; l++)
    REAL(counts)[l] = (double)t->regions.count[l];
  SET_VECTOR_ELT(out, 1, with_rng(t->source, draw_body, t));
  UNPROTECT(1);
  return out;
}

static void finish(void *data)
{
  task *t = data;
  dpd_lattice_regions_close(&t->regions);
}

/* Rows of whole numbers, one or two columns: list(number of lattice points of each depth region,
 * `draws` points of the mechanism, one a row, or none if the region of `level` is empty). */
SEXP ffi_restricted(SEXP source, SEXP rows, SEXP level, SEXP eps, SEXP draws)
{
  task t = {.source = source,
            .rows = as_matrix(rows),
            .level = as_count(level),
            .draws = as_count(draws),
            .eps = as_number(eps)};
  return R_ExecWithCleanup(run, &t, finish, &t);
}
