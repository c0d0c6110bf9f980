/* concordance.h - concordant less discordant pairs of rows: Kendall's K of two variables, exactly.
 *
 * Rows may be a tally's entries, see num/tally.h. No value is NaN; infinite ones are in order.
 */
#ifndef NUM_CONCORDANCE_H
#define NUM_CONCORDANCE_H

#include "dpd.h"
#include "num/tally.h"

/* A column in order: order[i] is the entry with the i-th value, rank[e] the place of entry e's
 * value among the `distinct` different ones, from 0. Both hold `size` numbers. */
typedef struct {
  int *order, *rank, size, distinct;
} dpd_ranked;

typedef struct {
  double value;
  int entry;
} dpd_ranked_item;

/* Requires: r->size entries x; items holds 3 size / 2 + 1 of them. */
void dpd_ranked_set(dpd_ranked *r, const double *x, dpd_ranked_item *items);

/* K, the sum over pairs of rows of sign(dx) sign(dy): ties count 0.
 * Requires: tree holds y->distinct + 1 numbers. row: NULL, or room for R_e of each entry e, the sum
 * of these signs over the pairs with a row of it; then *squares = the sum of R^2 over rows. */
int64_t dpd_concordance(const dpd_ranked *x, const dpd_ranked *y, const dpd_tally *tally, int *tree,
                        int64_t *row, dpd_u128 *squares);

#endif
