/* rank_window.h - order statistics of projections of integer rows, for a window of ranks. */
#ifndef NUM_RANK_WINDOW_H
#define NUM_RANK_WINDOW_H

#include "dpd.h"
#include "num/tally.h"

/* Integer rows and integer directions, held in doubles; every projection is below 2^53 in
 * size, so that it is exact whatever the order of the sum. */
typedef struct {
  int n, d;               /* rows, columns */
  int count;              /* directions in use */
  int room;               /* directions that there is room for, at least count */
  const double *rows;     /* n x d, a row after the other; of a tally, its entries */
  const double *dirs;     /* count x d, a direction after the other */
  const dpd_tally *tally; /* NULL: every row is an entry */
  const dpd_runs *along;  /* NULL, or the projections of n rows that are not at hand, a direction
                             each; the first d directions are the axes */
} dpd_projected;

/* The order statistics of every projection for the ranks low, low + stride, ..., high and,
 * mirrored, n + 1 - those: what it takes to see whether a point's depth is at least t, for t
 * in low..high. Rank by rank: value[k * room + u] for direction u, first the ranks from low up,
 * then the mirrored ones, from n + 1 - low down. 1 <= low <= high <= n; stride >= 1 divides
 * high - low. Between two kept ranks a point's depth is bounded, and found by a look at rows. */
typedef struct {
  const dpd_projected *from;
  int low, high, stride;
  int ranks; /* kept: (high - low) / stride + 1 */
  double *value;
} dpd_rank_window;

/* u'z for one direction and one point. */
static inline double dpd_project(const double *dir, const double *z, int d)
{
  double sum = 0;
  for (int j = 0; j < d; j++)
    sum += dir[j] * z[j];
  return sum;
}

/* Order statistics of rank low + k stride, and of its mirror image, of all directions. */
static inline const double *dpd_rank_window_kept(const dpd_rank_window *w, int k)
{
  return w->value + (size_t)k * (size_t)w->from->room;
}

static inline const double *dpd_rank_window_kept_mirror(const dpd_rank_window *w, int k)
{
  return dpd_rank_window_kept(w, w->ranks + k);
}

/* The same for rank t, which is kept. */
static inline const double *dpd_rank_window_at(const dpd_rank_window *w, int t)
{
  return dpd_rank_window_kept(w, (t - w->low) / w->stride);
}

static inline const double *dpd_rank_window_mirror(const dpd_rank_window *w, int t)
{
  return dpd_rank_window_kept_mirror(w, (t - w->low) / w->stride);
}

/* The place of the kept rank at or below t; -1: none. */
static inline int dpd_rank_window_place(const dpd_rank_window *w, int t)
{
  if (t < w->low) return -1;
  return t >= w->high ? w->ranks - 1 : (t - w->low) / w->stride;
}

/* False only if some direction's kept ranks say that the depth of z is below t. */
bool dpd_rank_window_may_reach(const dpd_rank_window *w, const double *z, int t);

/* Is the closed directional depth count of z at least t? Scans the rows along directions
 * for which the kept ranks do not decide. */
bool dpd_rank_window_at_least(const dpd_rank_window *w, const double *z, int t);

/* The lesser of `cap` and the depth count of z along all directions, at most cap. Ranks
 * below `low` are not distinguished: then the value is an upper bound below low. */
int dpd_rank_window_depth(const dpd_rank_window *w, const double *z, int cap);

/* An upper bound, at most cap, of the depth of points whose projection on direction u lies in
 * a..b. */
int dpd_rank_window_bound(const dpd_rank_window *w, int u, double a, double b, int cap);

/* Directional depth count of z by a scan of the rows, O(n count d), along the directions
 * first..end - 1. */
int dpd_projected_depth(const dpd_projected *p, const double *z, int first, int end, int threads);

/* Number of doubles that a window holds. */
size_t dpd_rank_window_values(const dpd_rank_window *w);

#endif
