/* row_centre.c - a random centre among rows, for radial steps of Markov chains.
 *
 * METHOD: the mean of 2^k rows, drawn with replacement, k uniform from 0 up to log2 n, 30 at most.
 * COST: O(n d) at most.
 * DEGENERATE: one row, or rows that are all equal: that row.
 */
#include "samp/row_centre.h"

#include <string.h>

#include "samp/rng.h"

enum { MOST_DOUBLINGS = 31 };

dpd_status dpd_row_centre_draw(const dpd_projected *p, dpd_rng *rng, double *centre)
{
  int d = p->d, most = 1;
  while (most < MOST_DOUBLINGS && (p->n >> most) > 0)
    most++;
  uint64_t size, row;
  DPD_TRY(dpd_rng_below(rng, (uint64_t)most, &size));
  size = (uint64_t)1 << size;
  memset(centre, 0, (size_t)d * sizeof *centre);
  for (uint64_t k = 0; k < size; k++) {
    DPD_TRY(dpd_rng_below(rng, (uint64_t)p->n, &row));
    for (int j = 0; j < d; j++)
      centre[j] += p->rows[(size_t)row * (size_t)d + (size_t)j] / (double)size;
  }
  return DPD_OK;
}
