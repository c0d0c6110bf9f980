/* regression_pick.c - a fit of a regression depth region by its number.
 *
 * METHOD: the numbers of the region's fits in the columns up to b are sums over the pieces of lines
 *   that bound it, cut off at b, so that bisection finds the column of the wanted fit, and its
 *   place there. In the column, the depths are walked along from below: at each different intercept
 *   of a line, and between two of them.
 * EXACTNESS: all in integers, as in regression_regions.c.
 * COST: O(pieces log range + n log n).
 * DEGENERATE: lines that cross in the column are passed together.
 */
#include <stdlib.h>
#include <string.h>

#include "depth/regression_signs.h"
#include "median/regression_regions.h"
#include "num/big_integer.h"

enum { LIMBS = DPD_FIT_LIMBS };

/* A row's line in one column. */
typedef struct {
  dpd_i128 v;
  int row;
} passing;

/* The number of fits in the columns up to b. */
static void count_up_to(const dpd_fit_regions *r, const dpd_list *pieces, int64_t b, uint64_t *sum)
{
  uint64_t term[LIMBS];
  const dpd_fit_piece *piece = pieces->item;
  memset(sum, 0, LIMBS * sizeof *sum);
  for (size_t k = 0; k < pieces->count; k++) {
    const dpd_fit_piece *s = &piece[k];
    int64_t to = s->to < b ? s->to : b;
    if (to < s->from) continue;
    dpd_i128 columns = (dpd_i128)to - s->from + 1;
    dpd_i128 slopes = ((dpd_i128)s->from + to) * columns / 2;
    dpd_big_set(term, LIMBS, (s->end * (dpd_i128)r->y[s->row] + s->point) * columns);
    dpd_big_add(sum, term, LIMBS);
    dpd_big_set(term, LIMBS, s->end * r->x[s->row]);
    dpd_big_add_times(sum, term, -slopes, LIMBS);
  }
}

/* The first column with more than `index` fits up to it; `index` becomes the place in it. */
static int64_t find_column(const dpd_fit_regions *r, const dpd_list *pieces, uint64_t *index)
{
  uint64_t sum[LIMBS];
  const dpd_fit_piece *piece = pieces->item;
  int64_t low = piece[0].from, high = piece[0].to;
  for (size_t k = 1; k < pieces->count; k++) {
    if (piece[k].from < low) low = piece[k].from;
    if (piece[k].to > high) high = piece[k].to;
  }
  while (low < high) {
    int64_t middle = low + (high - low) / 2;
    count_up_to(r, pieces, middle, sum);
    dpd_big_subtract(sum, index, LIMBS);
    if (dpd_big_sign(sum, LIMBS) > 0)
      high = middle;
    else
      low = middle + 1;
  }
  count_up_to(r, pieces, low - 1, sum);
  dpd_big_subtract(index, sum, LIMBS);
  return low;
}

static int compare_passing(const void *left, const void *right)
{
  const passing *a = left, *b = right;
  return (a->v > b->v) - (a->v < b->v);
}

/* Intercept number `place` among those of the column that have the level's depth. */
static dpd_i128 find_place(dpd_signs *s, const passing *p, int level, dpd_u128 place)
{
  for (int k = 0, end; k < s->n; k = end) {
    for (end = k; end < s->n && p[end].v == p[k].v; end++)
      dpd_signs_set(s, p[end].row, 0);
    if (dpd_signs_depth(s) >= level) {
      if (place == 0) return p[k].v;
      place--;
    }
    for (int j = k; j < end; j++)
      dpd_signs_set(s, p[j].row, -1);
    if (end == s->n || dpd_signs_depth(s) < level) continue;
    dpd_u128 between = (dpd_u128)(p[end].v - p[k].v - 1);
    if (place < between) return p[k].v + 1 + (dpd_i128)place;
    place -= between;
  }
  return p[0].v; /* not reached: the column has more fits than `place` */
}

size_t dpd_fit_regions_pick_scratch(int n)
{
  return (size_t)n * sizeof(passing) + dpd_signs_scratch(n, n);
}

void dpd_fit_regions_pick(const dpd_fit_regions *r, int level, const dpd_fit_count *index,
                          dpd_i128 *intercept, int64_t *slope)
{
  uint64_t rest[LIMBS];
  dpd_signs signs;
  passing *p = r->picking;
  memcpy(rest, index->limb, sizeof rest);
  *slope = find_column(r, &r->pieces[level], rest);
  dpd_signs_open(&signs, r->group, r->n, r->groups, p + r->n);
  for (int i = 0; i < r->n; i++) {
    p[i] = (passing){r->y[i] - (dpd_i128)*slope * r->x[i], i};
    signs.sign[i] = 1; /* far below all lines */
  }
  dpd_signs_fill(&signs);
  qsort(p, (size_t)r->n, sizeof *p, compare_passing);
  *intercept = find_place(&signs, p, level, (dpd_u128)rest[1] << 64 | rest[0]);
}
