/* glue_restricted.c - entries of the restricted exponential mechanism. */
#include <R_ext/Utils.h>

#include "mech/restricted.h"
#include "median/lattice_regions.h"
#include "r/convert.h"
#include "r/glue.h"
#include "r/host.h"

typedef struct {
  SEXP source;
  dpd_matrix rows;
  int level, draws;
  double eps, *work;
  dpd_lattice_regions regions;
} task;

static dpd_status draw(dpd_rng *rng, void *data, double *x)
{
  const task *t = data;
  int64_t z[2];
  DPD_TRY(dpd_restricted_draw(rng, &t->regions, t->level, t->eps, t->work, z));
  for (int j = 0; j < t->rows.ncol; j++)
    x[j] = (double)z[j];
  return DPD_OK;
}

static SEXP run(void *data)
{
  task *t = data;
  int threads = host_threads_for((double)t->rows.nrow * t->rows.nrow);
  dpd_raise(dpd_lattice_regions_open(&t->regions, t->rows.x, t->rows.nrow, t->rows.ncol, threads,
                                     host_alloc));
  SEXP out = PROTECT(Rf_allocVector(VECSXP, 2));
  SEXP counts = Rf_allocVector(REALSXP, t->regions.levels);
  SET_VECTOR_ELT(out, 0, counts);
  for (int l = 0; l < t->regions.levels; l++)
    REAL(counts)[l] = (double)t->regions.count[l];
  t->work = host_alloc((size_t)t->regions.levels, sizeof *t->work);
  int draws = t->level <= t->regions.levels ? t->draws : 0;
  SET_VECTOR_ELT(out, 1, draw_points(t->source, draws, t->rows.ncol, draw, t));
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

typedef struct {
  SEXP source;
  dpd_matrix rows, dirs;
  int draws;
  double eps, *work;
  dpd_space space;
  dpd_restricted_bounds_bounds bounds;
  dpd_restricted_bounds_cells cells;
} space_task;

enum { BLOCK_ROUNDS = 20000 };

/* Whether a resumable step is to be run again; looks for an interrupt. */
static bool again(dpd_status status)
{
  R_CheckUserInterrupt();
  if (status != DPD_AGAIN) dpd_raise(status);
  return status == DPD_AGAIN;
}

static void open_space(space_task *t)
{
  int n = t->rows.nrow, count = t->dirs.nrow, threads = host_threads();
  t->space = (dpd_space){.n = n, .count = count, .threads = threads, .rows = t->rows.x};
  dpd_restricted_bounds_open(&t->space, t->dirs.x,
                             host_alloc(dpd_restricted_bounds_scratch(n, count, threads), 1));
  while (again(dpd_restricted_bounds_project(&t->space))) {
  }
}

static SEXP copy_numbers(const double *x, int n)
{
  SEXP out = Rf_allocVector(REALSXP, n);
  for (int i = 0; i < n; i++)
    REAL(out)[i] = x[i];
  return out;
}

static SEXP run_bounds(space_task *t)
{
  open_space(t);
  while (again(dpd_restricted_bounds_bound(&t->space, &t->bounds))) {
  }
  SEXP out = PROTECT(Rf_allocVector(VECSXP, 2));
  SET_VECTOR_ELT(out, 0, copy_numbers(t->bounds.upper, t->bounds.level));
  SET_VECTOR_ELT(out, 1, copy_numbers(t->bounds.lower, t->bounds.levels));
  UNPROTECT(1);
  return out;
}

static dpd_status draw_in_space(dpd_rng *rng, void *data, double *x)
{
  const space_task *t = data;
  int64_t z[3];
  dpd_restricted_proposals p = {&t->space, &t->cells, t->eps, BLOCK_ROUNDS, t->work};
  DPD_TRY(dpd_restricted_draw3(rng, &p, z));
  for (int j = 0; j < 3; j++)
    x[j] = (double)z[j];
  return DPD_OK;
}

static SEXP run_draws(space_task *t)
{
  if (t->draws > 0) open_space(t);
  while (t->draws > 0 && again(dpd_restricted_bounds_find_cells(&t->space, &t->cells))) {
  }
  t->work = host_alloc((size_t)t->cells.cells, sizeof *t->work);
  return draw_points(t->source, t->draws, 3, draw_in_space, t);
}

/* Rows and directions of whole numbers in three columns: list(log upper bounds of the number of
 * lattice points of levels 1..level, log lower bounds of those of `level` and up). */
SEXP ffi_restricted_space(SEXP rows, SEXP directions, SEXP level)
{
  space_task t = {.rows = as_matrix(rows), .dirs = as_matrix(directions)};
  t.bounds.level = as_count(level);
  t.bounds.upper = host_alloc((size_t)t.bounds.level, sizeof(double));
  t.bounds.lower = host_alloc((size_t)t.rows.nrow, sizeof(double));
  return run_bounds(&t);
}

/* The same: `draws` points of the mechanism, one a row. Requires: draws = 0, or a lower bound of
 * `level`. */
SEXP ffi_restricted_space_draw(SEXP source, SEXP rows, SEXP directions, SEXP level, SEXP eps,
                               SEXP draws)
{
  space_task t = {.source = source,
                  .rows = as_matrix(rows),
                  .dirs = as_matrix(directions),
                  .draws = as_count(draws),
                  .eps = as_number(eps)};
  size_t n = (size_t)t.rows.nrow;
  t.cells.level = as_count(level);
  t.cells.cell = host_alloc(n, sizeof *t.cells.cell);
  t.cells.column = host_alloc(DPD_CELL_COLUMNS * n, sizeof *t.cells.column);
  return run_draws(&t);
}
