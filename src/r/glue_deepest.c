/* glue_deepest.c - entry for the smooth sensitivity of the deepest regression. */
#include <R_ext/Utils.h>

#include "r/convert.h"
#include "r/glue.h"
#include "r/host.h"
#include "r/points.h"
#include "sens/deepest.h"

static const char *const names[] = {"depth", "unbounded", "centre", "lo", "hi", ""};

static SEXP make_result(const dpd_spreads *s, int unbounded)
{
  SEXP out = PROTECT(Rf_mkNamed(VECSXP, (const char **)names));
  SEXP centre = Rf_allocVector(REALSXP, 2);
  SET_VECTOR_ELT(out, 2, centre);
  SEXP lo = Rf_allocMatrix(REALSXP, s->deepest, DPD_SIDES);
  SET_VECTOR_ELT(out, 3, lo);
  SEXP hi = Rf_allocMatrix(REALSXP, s->deepest, DPD_SIDES);
  SET_VECTOR_ELT(out, 4, hi);
  SET_VECTOR_ELT(out, 0, Rf_ScalarInteger(s->deepest));
  SET_VECTOR_ELT(out, 1, Rf_ScalarInteger(unbounded));
  for (int k = 0; k < 2; k++)
    REAL(centre)[k] = s->count > 0 ? (double)s->sum[k] / (double)s->count * DPD_MEAN_UNIT : 0;
  for (int k = 0; k < DPD_SIDES; k++)
    for (int d = 1; d <= s->deepest; d++) {
      REAL(lo)[(d - 1) + k * s->deepest] = s->lo[k][d];
      REAL(hi)[(d - 1) + k * s->deepest] = s->hi[k][d];
    }
  UNPROTECT(1);
  return out;
}

/* xy: an n x 2 matrix as plane/slope_sort.h asks for. list(depth, unbounded, centre, lo, hi): lo
 * and hi have a row for each depth from 1 on and a column for each side. */
SEXP ffi_sens_deepest(SEXP xy_)
{
  dpd_matrix xy = as_matrix(xy_);
  int n = xy.nrow, threads = host_threads_for(2.5 * n * n);
  int block = block_size(60.0 * n, 4 * threads);
  double *work = host_alloc(2 * (size_t)n, sizeof *work);
  void *scratch = host_alloc(dpd_spreads_add_scratch(n, threads), 1);
  dpd_lines l = {.x = xy.x, .y = xy.x + n, .n = n, .group = host_alloc((size_t)n, sizeof(int))};
  dpd_lines_open(&l, work);
  int unbounded = dpd_unbounded_depth(&l, work);
  dpd_spreads s;
  dpd_spreads_open(&s, n, host_alloc(dpd_spreads_scratch(n), 1));
  for (int from = 0; from < n; from += block) {
    int to = n - from < block ? n : from + block;
    dpd_spreads_range lines = {from, to, unbounded + 1, threads};
    dpd_spreads_add(&s, &l, &lines, scratch);
    R_CheckUserInterrupt();
  }
  dpd_spreads_nest(&s);
  return make_result(&s, unbounded);
}
