/* ecdf.h - exact counts of numbers below and up to a point, without sorting. */
#ifndef NUM_ECDF_H
#define NUM_ECDF_H

#include <string.h>

#include "dpd.h"

enum { DPD_ECDF_SHORT = 8 }; /* numbers that a bucket may hold unsorted */

/* n numbers in buckets of increasing value: value[start[b]..start[b + 1] - 1] is bucket b,
 * followed by DPD_ECDF_SHORT infinities. Longer buckets are sorted. */
typedef struct {
  size_t n;
  int buckets;
  double lo, scale;
  double *value;
  int *start;
  int *code; /* bucket of each number, in the order given */
} dpd_ecdf;

/* Bytes that the arrays take. */
size_t dpd_ecdf_scratch(size_t n);

/* Sets up the arrays in `scratch`; any number of builds may follow. */
void dpd_ecdf_open(dpd_ecdf *e, size_t n, void *scratch);

/* Requires: n finite numbers, as many as it was opened for, n >= 1. */
void dpd_ecdf_build(dpd_ecdf *e, const double *y);

/* #{y < q} and #{y <= q} for a point of bucket b with more than DPD_ECDF_SHORT numbers. */
void dpd_ecdf_count_long(const dpd_ecdf *e, int b, double q, int *below, int *up_to);

/* The bucket of a point: a weakly increasing function of it. */
static inline int dpd_ecdf_bucket(const dpd_ecdf *e, double q)
{
  double v = (q - e->lo) * e->scale;
  /* in this order, a NaN (an infinity times a scale of zero) is bucket zero */
  if (!(v > 0)) return 0;
  return v < (double)(e->buckets - 1) ? (int)v : e->buckets - 1;
}

/* Two numbers side by side, and what comparing them gives: 0 or -1. */
typedef double dpd_lane2 __attribute__((vector_size(16)));
typedef int64_t dpd_mask2 __attribute__((vector_size(16)));

/* #{y < q} and #{y <= q}, given the bucket of q. What follows a bucket is larger than q, so that
 * a short bucket is read in one go whatever its length: the counts gather in the lower
 * and in the upper halves of the sums, with a minus sign. */
static inline void dpd_ecdf_count_in(const dpd_ecdf *e, int b, double q, int *below, int *up_to)
{
  int from = e->start[b];
  if (e->start[b + 1] - from > DPD_ECDF_SHORT) {
    dpd_ecdf_count_long(e, b, q, below, up_to);
    return;
  }
  const dpd_lane2 point = {q, q};
  const dpd_mask2 upper = {-INT64_C(0x100000000), -INT64_C(0x100000000)};
  dpd_mask2 sum = {0, 0};
  for (int k = 0; k < DPD_ECDF_SHORT; k += 2) {
    dpd_lane2 y;
    memcpy(&y, e->value + from + k, sizeof y);
    sum += (y < point) + ((y <= point) & upper);
  }
  uint64_t both = -(uint64_t)(sum[0] + sum[1]);
  *below = from + (int)(uint32_t)both;
  *up_to = from + (int)(both >> 32);
}

static inline void dpd_ecdf_count(const dpd_ecdf *e, double q, int *below, int *up_to)
{
  dpd_ecdf_count_in(e, dpd_ecdf_bucket(e, q), q, below, up_to);
}

#endif
