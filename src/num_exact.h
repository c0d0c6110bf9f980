/* num_exact.h - sums of products of doubles without any rounding, for the sign of what is left. */
#ifndef NUM_EXACT_H
#define NUM_EXACT_H

#include "dpd.h"

enum { DPD_EXACT_PARTS = 40 };

/* A number as a sum of doubles, the larger ones last, no two of which overlap. {0} is zero. */
typedef struct {
  int size;
  double part[DPD_EXACT_PARTS];
} dpd_exact;

/* Adds a double, or a product. Requires: finite numbers, no overflow, and products that are zero or
 * above 2^-900; at most DPD_EXACT_PARTS doubles added, where a product counts as two. */
void dpd_exact_add(dpd_exact *s, double v);
void dpd_exact_add_product(dpd_exact *s, double a, double b);

/* a - b, or a b, = return value + *rest exactly, the first part rounded. */
double dpd_exact_minus(double a, double b, double *rest);
double dpd_exact_times(double a, double b, double *rest);

int dpd_exact_sign(const dpd_exact *s);

/* The number, with a relative error below 2^-51. */
double dpd_exact_value(const dpd_exact *s);

#endif
