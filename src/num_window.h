/* num_window.h - projected order statistics of integer rows, for the ranks that matter. */
#ifndef NUM_WINDOW_H
#define NUM_WINDOW_H

#include "dpd.h"

/* Integer rows and integer directions, held in doubles; every projection is below 2^53 in
 * size, so that it is exact whatever the order of the sum. */
typedef struct {
  int n, d;           /* rows, columns */
  int count;          /* directions in use */
  int room;           /* directions that there is room for, at least count */
  const double *rows; /* n x d, a row after the other */
  const double *dirs; /* count x d, a direction after the other */
} dpd_projected;

/* The order statistics of ranks level..n + 1 - level of every projection, rank by rank:
 * value[(r - level) * room + u] is the r-th smallest of direction u. */
typedef struct {
  const dpd_projected *from;
  int level;
  double *value;
} dpd_window;

/* u'z for one direction and one point. */
static inline double dpd_project(const double *dir, const double *z, int d)
{
  double sum = 0;
  for (int j = 0; j < d; j++)
    sum += dir[j] * z[j];
  return sum;
}

/* Order statistic of rank r, level <= r <= n + 1 - level, of all directions. */
static inline const double *dpd_window_rank(const dpd_window *w, int r)
{
  return w->value + (size_t)(r - w->level) * (size_t)w->from->room;
}

/* Is the closed directional depth count of z at least t? Scans the rows where t lies
 * outside the window's ranks. `proj`: u'z for every direction. */
bool dpd_window_at_least(const dpd_window *w, const double *proj, int t);

/* Directional depth count of z by a scan of the rows, O(n count d). */
int dpd_projected_depth(const dpd_projected *p, const double *z, int threads);

/* Number of doubles that a window from `level` holds. */
size_t dpd_window_size(const dpd_projected *p, int level);

/* Fills in the order statistics of directions first..count - 1. work: threads * n doubles. Requires
 * 1 <= level <= (n + 1) / 2. */
void dpd_window_fill(dpd_window *w, int first, int threads, double *work);

#endif
