/* glue_slab_scan.c - entries of the scans of slabs by regression depth. */
#include "mech/slab_scan.h"
#include "r/convert.h"
#include "r/glue.h"
#include "r/host.h"

#include <R_ext/Utils.h>

#include <limits.h>

/* rows: y, v, a column of u for each slope, one that rows are split by for each direction, and room
 * of y; for a quantile other than the median its two weights. */
static dpd_slab_rows as_rows(SEXP rows)
{
  if (TYPEOF(rows) != VECSXP || XLENGTH(rows) < 5) Rf_error("internal: expected a list of rows");
  dpd_matrix y = as_matrix(VECTOR_ELT(rows, 0)), v = as_matrix(VECTOR_ELT(rows, 1));
  dpd_matrix u = as_matrix(VECTOR_ELT(rows, 2)), along = as_matrix(VECTOR_ELT(rows, 3));
  dpd_matrix room = as_matrix(VECTOR_ELT(rows, 4));
  if (y.nrow < 1 || v.nrow != y.nrow || u.nrow != y.nrow || along.nrow != y.nrow || u.ncol < 1 ||
      u.ncol > DPD_SLAB_SLOPES || along.ncol < 1 || room.nrow != y.nrow)
    Rf_error("internal: expected rows of numbers");
  dpd_slab_rows out = {y.nrow, y.x, v.x, u.ncol, u.x, along.ncol, along.x, room.x, 0, 0};
  if (XLENGTH(rows) == 5) return out;
  SEXP weights = VECTOR_ELT(rows, 5);
  if (TYPEOF(weights) != INTSXP || XLENGTH(weights) != 2) Rf_error("internal: expected weights");
  out.above = INTEGER(weights)[0];
  out.below = INTEGER(weights)[1];
  return out;
}

/* left, right: edges towards the centre; least: what each maximum must reach for the scan to halt
 * there; low, high: ranges of the other slopes. Value: where it halts, from 1 on, or one more than
 * there are; and how many scores it took, for tests. PRIVATE until the caller's noise is in
 * `min`. */
SEXP ffi_slab_scan(SEXP rows, SEXP edges, SEXP parts, SEXP min, SEXP ranges)
{
  dpd_slab_rows r = as_rows(rows);
  dpd_matrix edge = as_matrix(edges), range = as_matrix(ranges);
  int count = (int)XLENGTH(min), halt = 0;
  if (edge.nrow != count + 1 || edge.ncol != 2 || TYPEOF(min) != INTSXP ||
      range.nrow != r.slopes - 1 || range.ncol != 2)
    Rf_error("internal: expected edges and thresholds");
  dpd_slab_cells cells = {{edge.x, edge.x + edge.nrow}, count,       as_count(parts), range.x,
                          range.x + range.nrow,         INTEGER(min)};
  dpd_slab_scan *m;
  dpd_slab_open(&m, &r, &cells, host_alloc);
  dpd_status status;
  while ((status = dpd_slab_advance(m, &halt)) == DPD_AGAIN)
    R_CheckUserInterrupt();
  dpd_raise(status);
  SEXP out = PROTECT(Rf_allocVector(REALSXP, 2));
  REAL(out)[0] = halt + 1;
  REAL(out)[1] = (double)dpd_slab_bounds(m);
  UNPROTECT(1);
  return out;
}

/* The scores of boxes, a row of lo and hi each, none beyond `reach`. Not for release. */
SEXP ffi_slab_bounds(SEXP rows, SEXP lo, SEXP hi, SEXP reach)
{
  dpd_slab_rows r = as_rows(rows);
  dpd_matrix l = as_matrix(lo), h = as_matrix(hi);
  if (l.ncol != r.slopes || h.ncol != r.slopes || h.nrow != l.nrow || XLENGTH(reach) != r.slopes)
    Rf_error("internal: expected boxes");
  dpd_slab_bound *m;
  dpd_slab_bound_open(&m, &r, REAL(reach), host_alloc);
  SEXP out = PROTECT(Rf_allocVector(INTSXP, l.nrow));
  for (int i = 0; i < l.nrow; i++) {
    dpd_slab_box box;
    for (int k = 0; k < r.slopes; k++) {
      box.lo[k] = l.x[i + k * l.nrow];
      box.hi[k] = h.x[i + k * l.nrow];
    }
    INTEGER(out)[i] = dpd_slab_bound_of(m, &box, INT_MAX);
  }
  UNPROTECT(1);
  return out;
}
