/* glue_slab_scan.c - entries of the scans of slabs by regression depth. */
#include "mech/slab_scan.h"
#include "r/convert.h"
#include "r/glue.h"
#include "r/host.h"

#include <R_ext/Utils.h>

/* rows: columns y, u, v and x. */
static dpd_slab_rows as_rows(SEXP rows)
{
  dpd_matrix r = as_matrix(rows);
  if (r.ncol != 4 || r.nrow < 1) Rf_error("internal: expected rows of four numbers");
  size_t n = (size_t)r.nrow;
  return (dpd_slab_rows){r.nrow, r.x, r.x + n, r.x + 2 * n, r.x + 3 * n};
}

/* left, right: edges towards the centre; least: what each maximum must reach for the scan to halt
 * there. Value: where it halts, from 1 on, or one more than there are. PRIVATE until the caller's
 * noise is in `least`. */
SEXP ffi_slab_scan(SEXP rows, SEXP left, SEXP right, SEXP parts, SEXP least)
{
  dpd_slab_rows r = as_rows(rows);
  int count = (int)XLENGTH(least), halt = 0;
  if (XLENGTH(left) != count + 1 || XLENGTH(right) != count + 1 || TYPEOF(least) != INTSXP)
    Rf_error("internal: expected edges and thresholds");
  dpd_slab_cells cells = {{REAL(left), REAL(right)}, count, as_count(parts), INTEGER(least)};
  dpd_slab_scan *m;
  dpd_slab_open(&m, &r, &cells, host_alloc);
  dpd_status status;
  while ((status = dpd_slab_advance(m, &halt)) == DPD_AGAIN)
    R_CheckUserInterrupt();
  dpd_raise(status);
  return Rf_ScalarInteger(halt + 1);
}

/* The scores of cells lo..hi. Not for release. */
SEXP ffi_slab_bounds(SEXP rows, SEXP lo, SEXP hi)
{
  dpd_slab_rows r = as_rows(rows);
  dpd_slab_cells none = {{REAL(lo), REAL(hi)}, 0, 0, NULL};
  dpd_slab_scan *m;
  dpd_slab_open(&m, &r, &none, host_alloc);
  SEXP out = PROTECT(Rf_allocVector(INTSXP, XLENGTH(lo)));
  for (R_xlen_t i = 0; i < XLENGTH(lo); i++)
    INTEGER(out)[i] = dpd_slab_bound(m, REAL(lo)[i], REAL(hi)[i]);
  UNPROTECT(1);
  return out;
}
