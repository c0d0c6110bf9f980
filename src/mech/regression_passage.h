/* regression_passage.h - a passage over rows along a direction: what sides of splits weigh. */
#ifndef MECH_REGRESSION_PASSAGE_H
#define MECH_REGRESSION_PASSAGE_H

#include <limits.h>

#include "mech/regression.h"

/* The sum of the terms so far, its largest and its smallest at a split. Of a run of rows without a
 * split these are -+DPD_NO_SPLIT, which no sum makes the largest or the smallest. */
typedef struct {
  int sum, top, bottom;
} dpd_passage;

enum { DPD_NO_SPLIT = INT_MAX / 2 };

static const dpd_passage dpd_passage_empty = {0, -DPD_NO_SPLIT, DPD_NO_SPLIT};

/* Over a run. */
static inline void dpd_passage_add(dpd_passage *p, dpd_passage run)
{
  int top = p->sum + run.top, bottom = p->sum + run.bottom;
  p->top = top > p->top ? top : p->top;
  p->bottom = bottom < p->bottom ? bottom : p->bottom;
  p->sum += run.sum;
}

static inline void dpd_passage_split(dpd_passage *p)
{
  p->top = p->sum > p->top ? p->sum : p->top;
  p->bottom = p->sum < p->bottom ? p->sum : p->bottom;
}

/* Through the origin there is one split, at a projection of 0: `side` is the sign of the row's.
 * Rows there weigh the larger of two: what the sums of all rows have besides is taken off one side
 * and added to the other. */
static inline void dpd_passage_side(dpd_passage *p, int side, int term)
{
  if (side > 0) return;
  p->top += side < 0 || term < 0 ? term : 0;
  p->bottom += side < 0 || term > 0 ? term : 0;
}

/* The least weight at a split; sum: rows with r >= 0 and r <= 0. */
static inline int64_t dpd_passage_weight(const dpd_regression_weights *w, const int64_t sum[2],
                                         dpd_passage p)
{
  int64_t above = sum[0] * w->up - p.top + w->base[0];
  int64_t below = sum[1] * w->down + p.bottom + w->base[1];
  return above < below ? above : below;
}

#endif
