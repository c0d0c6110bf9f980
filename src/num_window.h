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

/* The order statistics of every projection for the ranks low..high and, mirrored,
 * n + 1 - high..n + 1 - low: what it takes to see whether a point's depth is at least t, for t
 * in low..high. Rank by rank: value[k * room + u] for direction u, first the ranks from low up,
 * then the mirrored ones, from n + 1 - low down. 1 <= low <= high <= n. */
typedef struct {
  const dpd_projected *from;
  int low, high;
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

/* Order statistics of rank t, and of rank n + 1 - t, of all directions; low <= t <= high. */
static inline const double *dpd_window_rank(const dpd_window *w, int t)
{
  return w->value + (size_t)(t - w->low) * (size_t)w->from->room;
}

static inline const double *dpd_window_mirror(const dpd_window *w, int t)
{
  return w->value + (size_t)(w->high + 1 - w->low + t - w->low) * (size_t)w->from->room;
}

/* Is the closed directional depth count of z at least t? Scans the rows where t lies
 * outside the window's ranks. `proj`: u'z for every direction. */
bool dpd_window_at_least(const dpd_window *w, const double *proj, int t);

/* Directional depth count of z by a scan of the rows, O(n count d). */
int dpd_projected_depth(const dpd_projected *p, const double *z, int threads);

/* Number of doubles that a window holds. */
size_t dpd_window_size(const dpd_projected *p, int low, int high);

/* Fills in the order statistics of directions first..count - 1. work: threads * n doubles. */
void dpd_window_fill(dpd_window *w, int first, int threads, double *work);

#endif
