/* glue_concordance.c - entry of Kendall's K of all pairs of variables. */
#include "num/concordance.h"
#include "r/convert.h"
#include "r/glue.h"
#include "r/host.h"

/* floor(k / 2^bits), which a double holds. */
static double in_units(int64_t k, int bits)
{
  int64_t unit = (int64_t)1 << bits, rest = ((k % unit) + unit) % unit;
  int64_t whole = (k - rest) / unit;
  if (whole > (int64_t)1 << 53 || whole < -((int64_t)1 << 53)) dpd_raise(DPD_ERR_LIMIT);
  return (double)whole;
}

static dpd_ranked *ranked_columns(const dpd_counted_rows *x)
{
  dpd_ranked *r = host_alloc((size_t)x->ncol, sizeof *r);
  dpd_ranked_item *items = host_alloc((size_t)x->size + (size_t)x->size / 2 + 1, sizeof *items);
  for (int j = 0; j < x->ncol; j++) {
    r[j] = (dpd_ranked){.size = x->size};
    r[j].order = host_alloc((size_t)x->size, sizeof(int));
    r[j].rank = host_alloc((size_t)x->size, sizeof(int));
    dpd_ranked_set(&r[j], x->x + (size_t)j * (size_t)x->size, items);
    R_CheckUserInterrupt();
  }
  return r;
}

/* data: rows or a tally. bits: K is counted in units of 2^bits[0], and, of two variables with a
 * second number, the rows' squared sums in units of 2^bits[1], rounded down. Value: K of the pairs
 * (1, 2), (1, 3), ..., (2, 3), ...; then that sum. */
SEXP ffi_concordance(SEXP data, SEXP bits)
{
  dpd_counted_rows x = as_counted(data);
  bool squared = TYPEOF(bits) == INTSXP && XLENGTH(bits) == 2;
  if (x.size < 1 || TYPEOF(bits) != INTSXP || (squared && x.ncol != 2)) dpd_raise(DPD_ERR_DOMAIN);
  const dpd_ranked *r = ranked_columns(&x);
  int *tree = host_alloc((size_t)x.size + 1, sizeof *tree);
  int64_t *row = squared ? host_alloc((size_t)x.size, sizeof *row) : NULL;
  dpd_u128 squares = 0;
  R_xlen_t pairs = (R_xlen_t)x.ncol * (x.ncol - 1) / 2, at = 0;
  SEXP out = PROTECT(Rf_allocVector(REALSXP, pairs + squared));
  for (int j = 0; j < x.ncol; j++)
    for (int k = j + 1; k < x.ncol; k++) {
      int64_t sum = dpd_concordance(&r[j], &r[k], x.tally, tree, row, &squares);
      REAL(out)[at++] = in_units(sum, INTEGER(bits)[0]);
      R_CheckUserInterrupt();
    }
  if (squared) REAL(out)[at] = in_units((int64_t)(squares >> INTEGER(bits)[1]), 0);
  UNPROTECT(1);
  return out;
}
