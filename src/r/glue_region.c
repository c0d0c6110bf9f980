/* glue_region.c - entries of halfspace depth regions in the plane, and of the deepest in space.
 */
#include <R_ext/Utils.h>
#include <string.h>

#include "median/contours.h"
#include "median/halfspace_3d.h"
#include "median/region.h"
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

static void cut_one_by_one(const task *t, int count, int threads)
{
  const dpd_problem *p = &t->p;
  int block = 8 * threads;
  for (int from = 0; from < count; from += block) {
    int to = count - from < block ? count : from + block, failed = 0;
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1) reduction(| : failed)
#endif
    for (int l = from; l < to; l++)
      failed |= dpd_region2(p->data, p->data + p->n, p->n, t->level[l], p->err[0], p->err[1],
                            &t->region[l]) != DPD_OK;
    if (failed) dpd_raise(DPD_ERR_MEMORY);
    R_CheckUserInterrupt();
  }
}

static SEXP run_task(void *data)
{
  task *t = data;
  const dpd_problem *p = &t->p;
  int threads = host_threads_for(10.0 * p->n * p->n), count = 0;
  dpd_polygon deepest;
  dpd_raise(dpd_region2_deepest(p->data, p->data + p->n, p->n, p->err[0], p->err[1], &t->deepest,
                                &deepest));
  while (count < t->count && t->level[count] < t->deepest)
    count++;
  if (count < t->count && t->level[count] == t->deepest)
    t->region[count] = deepest;
  else
    dpd_polygon_close(&deepest);
  if (t->sweep)
    dpd_raise(dpd_contours(p->data, p->data + p->n, p->n, p->err[0], p->err[1], t->level, count,
                           threads, t->region));
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

/* The deepest region in space, its level known to be in lo..hi: list(level, centroid as a matrix of
 * one row, or of none if rounding lost it). */
SEXP ffi_deepest_space(SEXP data, SEXP lo, SEXP hi)
{
  dpd_problem p = make_problem(data, data, 0);
  size_t n = (size_t)p.n, middle = (n + 1) / 2 - 1;
  double centre[3], z[3] = {0, 0, 0}, *work = host_alloc(n, sizeof *work);
  int level = 0;
  bool found = false;
  for (size_t k = 0; k < 3; k++) {
    memcpy(work, p.data + k * n, n * sizeof *work);
    dpd_select_range(work, n, middle, middle);
    centre[k] = work[middle];
  }
  dpd_raise(dpd_halfspace_3d_median(p.data, p.n, p.err, centre, as_count(lo), as_count(hi),
                                    host_threads(), &level, z, &found));
  SEXP out = PROTECT(Rf_allocVector(VECSXP, 2));
  SET_VECTOR_ELT(out, 0, Rf_ScalarInteger(level));
  SEXP point = Rf_allocMatrix(REALSXP, found, 3);
  SET_VECTOR_ELT(out, 1, point);
  for (int k = 0; k < 3 && found; k++)
    dpd_change_unit(z + k, 1, -p.exponent[k], REAL(point) + k);
  UNPROTECT(1);
  return out;
}
