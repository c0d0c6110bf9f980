/* error_free.c - sums of products of doubles without any rounding.
 *
 * METHOD: the error of a rounded sum is a double, found by six additions, and that of a product by
 *   fma(). A number is kept as doubles that do not overlap, ascending; adding a double passes it
 *   through all of them. The last one, the largest, has the sign of the sum.
 * COST: O(parts) for an addition.
 * DEGENERATE: zero has no parts; zero errors are dropped.
 * REFERENCE: Shewchuk (1997), Adaptive precision floating-point arithmetic and fast robust
 *   geometric predicates, Theorems 7 and 10.
 */
#include "num/error_free.h"

#include <math.h>

double dpd_error_free_minus(double a, double b, double *rest)
{
  double sum = a - b, of_b = a - sum, of_a = sum + of_b;
  *rest = (a - of_a) + (of_b - b);
  return sum;
}

double dpd_error_free_times(double a, double b, double *rest)
{
  volatile double product = a * b; /* rounded, not fused with what it is added to */
  *rest = fma(a, b, -product);
  return product;
}

void dpd_error_free_add(dpd_error_free *s, double v)
{
  int kept = 0;
  double carry = v;
  for (int k = 0; k < s->size; k++) {
    double rest;
    carry = dpd_error_free_minus(carry, -s->part[k], &rest);
    if (rest != 0) s->part[kept++] = rest;
  }
  if (carry != 0) s->part[kept++] = carry;
  s->size = kept;
}

void dpd_error_free_add_product(dpd_error_free *s, double a, double b)
{
  double rest, product = dpd_error_free_times(a, b, &rest);
  dpd_error_free_add(s, rest);
  dpd_error_free_add(s, product);
}

int dpd_error_free_sign(const dpd_error_free *s)
{
  if (s->size == 0) return 0;
  return s->part[s->size - 1] > 0 ? 1 : -1;
}

double dpd_error_free_value(const dpd_error_free *s)
{
  double sum = 0;
  for (int k = 0; k < s->size; k++)
    sum += s->part[k];
  return sum;
}
