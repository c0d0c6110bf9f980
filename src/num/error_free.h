/* error_free.h - sums of products of doubles without any rounding, for the sign of what is left. */
#ifndef NUM_ERROR_FREE_H
#define NUM_ERROR_FREE_H

#include "dpd.h"

enum { DPD_EXACT_PARTS = 40 };

/* A number as a sum of doubles, the larger ones last, no two of which overlap. {0} is zero. */
typedef struct {
  int size;
  double part[DPD_EXACT_PARTS];
} dpd_error_free;

/* Adds a double, or a product. Requires: finite numbers, no overflow, and products that are zero or
 * above 2^-900; at most DPD_EXACT_PARTS doubles added, where a product counts as two. */
void dpd_error_free_add(dpd_error_free *s, double v);
void dpd_error_free_add_product(dpd_error_free *s, double a, double b);

/* a - b, or a b, = return value + *rest exactly, the first part rounded. */
double dpd_error_free_minus(double a, double b, double *rest);
double dpd_error_free_times(double a, double b, double *rest);

int dpd_error_free_sign(const dpd_error_free *s);

/* The number, with a relative error below 2^-51. */
double dpd_error_free_value(const dpd_error_free *s);

#endif
