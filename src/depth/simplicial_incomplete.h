/* simplicial_incomplete.h - simplicial depth over a fixed public set of simplices, in any
 * dimension. */
#ifndef DEPTH_SIMPLICIAL_INCOMPLETE_H
#define DEPTH_SIMPLICIAL_INCOMPLETE_H

#include "dpd.h"
#include "num/points.h"

/* Fills tuples[size * count] with `count` sets of `size` different indexes below n, a function of
 * the arguments alone: blocks of random permutations of 0..n-1, one after the other, so that the
 * numbers of tuples that hold an index differ by little. work: n integers.
 * Requires: 1 <= size <= n. */
void dpd_incomplete_draw(uint64_t seed, int n, int size, int count, int *tuples, int *work);

/* All sets of `size` indexes below n, in order; `tuples` has room for them. */
void dpd_incomplete_all(int n, int size, int *tuples);

/* The largest number of tuples that hold one index. work: n integers. */
int dpd_incomplete_load(const int *tuples, int count, int size, int n, int *work);

/* Adds to held[i] the number of the simplices from..to-1 (convex hulls of d + 1 rows, closed, flat
 * ones included) that hold point i. Data and points are in comparable units; err[j] > 0 is the
 * error of a coordinate as in depth/halfspace.h. OpenMP over points, the same counts for any number
 * of threads. scratch: that many bytes. */
typedef struct {
  const int *index; /* d + 1 rows a simplex */
  int from, to;
} dpd_tuples;
size_t dpd_incomplete_scratch(int d, int threads);
void dpd_incomplete_count(const dpd_points *p, const dpd_tuples *tuples, int threads, int *held,
                          void *scratch);

#endif
