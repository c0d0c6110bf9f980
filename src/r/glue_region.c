/* glue_region.c - entries of halfspace depth regions in the plane, and of the deepest in space.
 */
#include <R_ext/Utils.h>
#include <string.h>

#include "median/contours.h"
#include "median/halfspace_3d.h"
#include "median/region.h"
#include "num/parallel_points.h"
#include "num/power_of_two.h"
#include "num/select.h"
#include "r/convert.h"
#include "r/glue.h"
#include "r/host.h"
#include "r/points.h"

typedef struct {
  dpd_problem p;
  int deepest, count, sweep;
  const int *level;
  dpd_polygon *region; /* count of them, of which those of levels above the deepest stay empty */
} task;

/* The vertices in the units of the data. */
static SEXP vertex_matrix(const dpd_polygon *region, const int *exponent)
{
  SEXP out = PROTECT(Rf_allocMatrix(REALSXP, region->n, 2));
  for (int k = 0; k < 2; k++) {
    double *column = REAL(out) + (size_t)k * (size_t)region->n;
    for (int i = 0; i < region->n; i++)
      column[i] = region->vertex[i].z[k];
    dpd_change_unit(column, (size_t)region->n, -exponent[k], column);
  }
  UNPROTECT(1);
  return out;
}

static dpd_region_data region_data(const dpd_problem *p)
{
  return (dpd_region_data){p->data, p->data + p->n, p->n, p->err[0], p->err[1]};
}

typedef struct {
  dpd_region_data rows;
  const int *level;
  dpd_polygon *region;
  bool *failed;
} cut_task;

static void cut_one(void *context, void *work, int i)
{
  const cut_task *t = context;
  t->failed[i] = dpd_region2(&t->rows, t->level[i], &t->region[i], work) != DPD_OK;
}

static void cut_one_by_one(const task *t, int count, int threads)
{
  size_t share = dpd_parallel_points_share(dpd_region2_scratch(t->p.n));
  void *scratch = host_alloc(dpd_scratch_size(share, threads), 1);
  int block = 8 * threads;
  bool *failed = host_alloc((size_t)block, sizeof *failed);
  for (int from = 0; from < count; from += block) {
    int size = count - from < block ? count - from : block;
    cut_task cut = {region_data(&t->p), t->level + from, t->region + from, failed};
    dpd_parallel_points all = {size, threads, 1, share, scratch};
    dpd_parallel_points_run(&all, cut_one, &cut);
    for (int k = 0; k < size; k++)
      if (failed[k]) dpd_raise(DPD_ERR_MEMORY);
    R_CheckUserInterrupt();
  }
}

static SEXP run_task(void *data)
{
  task *t = data;
  const dpd_problem *p = &t->p;
  int threads = host_threads_for(10.0 * p->n * p->n), count = 0;
  dpd_polygon deepest;
  dpd_region_data rows = region_data(p);
  void *scratch = host_alloc(dpd_region2_scratch(p->n), 1);
  dpd_raise(dpd_region2_deepest(&rows, &t->deepest, &deepest, scratch));
  while (count < t->count && t->level[count] < t->deepest)
    count++;
  if (count < t->count && t->level[count] == t->deepest)
    t->region[count] = deepest;
  else
    dpd_polygon_close(&deepest);
  dpd_plane_levels levels = {rows.x, rows.y, rows.n, rows.ex + rows.ey, t->level, count, threads};
  if (t->sweep)
    dpd_raise(dpd_contours(&levels, t->region, host_alloc(dpd_contours_scratch(&levels), 1)));
  else
    cut_one_by_one(t, count, threads);
  SEXP out = PROTECT(Rf_allocVector(VECSXP, 3)), regions = Rf_allocVector(VECSXP, t->count);
  SET_VECTOR_ELT(out, 0, Rf_ScalarInteger(t->deepest));
  SET_VECTOR_ELT(out, 1, regions);
  SEXP area = Rf_allocVector(REALSXP, t->count);
  SET_VECTOR_ELT(out, 2, area);
  for (int l = 0; l < t->count; l++) {
    SET_VECTOR_ELT(regions, l, vertex_matrix(&t->region[l], p->exponent));
    REAL(area)[l] = dpd_polygon_area(&t->region[l]);
  }
  dpd_change_unit(REAL(area), (size_t)t->count, -p->exponent[0] - p->exponent[1], REAL(area));
  UNPROTECT(1);
  return out;
}

static void close_task(void *data)
{
  task *t = data;
  for (int l = 0; l < t->count; l++)
    dpd_polygon_close(&t->region[l]);
}

/* Regions of increasing levels (counts): list(deepest level, vertices, areas). */
SEXP ffi_depth_region(SEXP data, SEXP level, SEXP sweep)
{
  int count = LENGTH(level);
  task t = {.p = make_problem(data, data, 0), .count = count, .sweep = as_flag(sweep)};
  t.level = INTEGER(level);
  t.region = host_alloc((size_t)count, sizeof *t.region);
  memset(t.region, 0, (size_t)count * sizeof *t.region);
  return R_ExecWithCleanup(run_task, &t, close_task, &t);
}

typedef struct {
  dpd_problem p;
  dpd_space_levels levels;
  dpd_space_search search;
} space_task;

static SEXP run_space(void *data)
{
  space_task *t = data;
  double n = t->p.n, total = n * (n - 1) / 2;
  int rows = block_size(30 * n * n, 4 * t->levels.threads);
  dpd_deepest_3d found = {0, {0, 0, 0}, false};
  dpd_status status;
  while ((status = dpd_halfspace_3d_median(&t->search, rows, &found)) == DPD_AGAIN) {
    double left = n - t->search.done; /* rows; pairs tell how far the search is */
    host_progress(total - left * (left - 1) / 2, total);
  }
  dpd_raise(status);
  SEXP out = PROTECT(Rf_allocVector(VECSXP, 2));
  SET_VECTOR_ELT(out, 0, Rf_ScalarInteger(found.level));
  SEXP point = Rf_allocMatrix(REALSXP, found.found, 3);
  SET_VECTOR_ELT(out, 1, point);
  for (int k = 0; k < 3 && found.found; k++)
    dpd_change_unit(found.z + k, 1, -t->p.exponent[k], REAL(point) + k);
  UNPROTECT(1);
  return out;
}

static void close_space(void *data)
{
  dpd_halfspace_3d_median_close(&((space_task *)data)->search);
}

/* The deepest region in space, its level known to be in lo..hi: list(level, centroid as a matrix of
 * one row, or of none if rounding lost it). */
SEXP ffi_deepest_space(SEXP data, SEXP lo, SEXP hi)
{
  space_task t = {.p = make_problem(data, data, 0)};
  size_t n = (size_t)t.p.n, middle = (n + 1) / 2 - 1;
  double centre[3], *work = host_alloc(n, sizeof *work);
  for (size_t k = 0; k < 3; k++) {
    memcpy(work, t.p.data + k * n, n * sizeof *work);
    dpd_select_range(work, n, middle, middle);
    centre[k] = work[middle];
  }
  t.levels = (dpd_space_levels){t.p.data,     t.p.err,      centre,        t.p.n,
                                as_count(lo), as_count(hi), host_threads()};
  void *scratch = host_alloc(dpd_halfspace_3d_median_scratch(t.p.n, t.levels.threads), 1);
  dpd_halfspace_3d_median_open(&t.search, &t.levels, scratch);
  return R_ExecWithCleanup(run_space, &t, close_space, &t);
}
