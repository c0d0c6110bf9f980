/* glue_least_squares.c - entry of least-squares fits of disjoint batches of rows. */
#include <R_ext/Utils.h>

#include "num/least_squares.h"
#include "r/convert.h"
#include "r/glue.h"
#include "r/host.h"

typedef struct {
  dpd_matrix x;
  const double *y;
  const int *order;
  int count; /* batches */
  double *a, *right, *work;
  const double *constant;
  bool *known; /* NULL: a fit is known as a whole, or not at all */
} batches;

/* The fit of rows order[b], order[b + count], ...: a function of these rows alone. */
static bool fit_batch(const batches *t, int b, double *beta)
{
  int rows = (t->x.nrow - b - 1) / t->count + 1;
  for (int i = 0; i < rows; i++) {
    int row = t->order[b + i * t->count] - 1;
    t->right[i] = t->y[row];
    t->a[i] = 1;
    for (int j = 0; j < t->x.ncol; j++)
      t->a[i + (j + 1) * rows] = t->x.x[row + (R_xlen_t)j * t->x.nrow];
  }
  int columns = t->x.ncol + 1;
  if (rows < columns) return false;
  if (t->known == NULL) return dpd_least_squares(t->a, t->right, rows, columns, beta, t->work);
  dpd_equations e = {t->a, t->right, rows, columns};
  bool fine = dpd_least_squares_known(e, beta, t->known, t->work);
  for (int j = 0; j < columns; j++)
    if (!t->known[j]) beta[j] = t->constant[j];
  return fine;
}

/* Regressors without the intercept, responses, a permutation of the rows from 1 on, the number of
 * batches, what stands for the fit of a batch that has none, and whether it stands for the
 * coefficients alone that the batch does not determine. Value: one fit per row. PRIVATE. */
SEXP ffi_batch_fits(SEXP x, SEXP y, SEXP order, SEXP count, SEXP constant, SEXP partly)
{
  batches t = {.x = as_matrix(x), .y = REAL(y), .order = INTEGER(order), .count = as_count(count)};
  int columns = t.x.ncol + 1;
  size_t most = (size_t)((t.x.nrow - 1) / t.count + 1);
  t.a = host_alloc(most * (size_t)columns, sizeof *t.a);
  t.right = host_alloc(most, sizeof *t.right);
  t.work = host_alloc(dpd_least_squares_scratch(columns), 1);
  t.constant = REAL(constant);
  if (Rf_asLogical(partly) == TRUE) t.known = host_alloc((size_t)columns, sizeof *t.known);
  double *beta = host_alloc((size_t)columns, sizeof *beta);
  SEXP out = PROTECT(Rf_allocMatrix(REALSXP, t.count, columns));
  for (int b = 0; b < t.count; b++) {
    bool fine = fit_batch(&t, b, beta);
    for (int j = 0; j < columns; j++)
      REAL(out)[b + (R_xlen_t)j * t.count] = fine ? beta[j] : REAL(constant)[j];
    if (b % 1024 == 0) R_CheckUserInterrupt();
  }
  UNPROTECT(1);
  return out;
}
