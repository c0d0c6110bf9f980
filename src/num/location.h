/* location.h - univariate locations and scales by order statistics. */
#ifndef NUM_LOCATION_H
#define NUM_LOCATION_H

#include "dpd.h"
#include "num/constants.h"

typedef enum { DPD_MEDIAN, DPD_TRIMMED, DPD_HUBER, DPD_MOM } dpd_location;
typedef enum { DPD_MAD, DPD_IQR, DPD_TRIMMED_MAD } dpd_scale;

typedef struct {
  dpd_location location;
  dpd_scale scale;
  double trim;  /* share cut off at each end, in [0, 1/2): DPD_TRIMMED, DPD_TRIMMED_MAD */
  double huber; /* bend of psi in units of DPD_MAD_NORMAL MAD: DPD_HUBER */
  int blocks;   /* blocks of consecutive numbers, 1..n: DPD_MOM */
} dpd_center;

/* Location and scale of y[0..n-1]; work: 2 n doubles. The scale may be zero.
 * Requires: n >= 1, finite numbers. */
void dpd_center_of(const dpd_center *c, const double *y, size_t n, double *work, double *location,
                   double *scale);

/* Numbers cut off at each end of n. */
size_t dpd_trim_count(double trim, size_t n);

/* out[b] = the mean of block b of consecutive numbers: a function of the numbers in it only. */
void dpd_block_means(const double *y, size_t n, int blocks, double *out);

#endif
