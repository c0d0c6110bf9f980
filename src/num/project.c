/* project.c - projections of rows on a direction.
 *
 * METHOD: column by column, so that each row sees the same operations in the same order for any
 *   other rows, and the loop over rows runs in vector registers. A BLAS would not
 *   promise the former.
 * COST: n d multiplications; no memory.
 * DEGENERATE: no rows, no work. Sums are rounded in the order of the columns; those that overflow
 *   are infinite or no numbers, in their own row only.
 */
#include "num/project.h"

void dpd_project_rows(const double *x, int n, int d, const double *u, size_t stride, double *out)
{
  for (int i = 0; i < n; i++)
    out[i] = u[0] * x[i];
  for (int j = 1; j < d; j++) {
    const double *column = x + (size_t)j * (size_t)n, w = u[(size_t)j * stride];
    for (int i = 0; i < n; i++)
      out[i] += w * column[i];
  }
}
