/* big_integer.c - whole numbers of a fixed number of 64-bit limbs, in two's complement.
 *
 * METHOD: schoolbook products. Exact division: with y = 2^z odd, x / y is x / 2^z times the inverse
 *   of the odd part modulo 2^(64 n), by Newton's iteration; signs need no care in two's complement.
 * COST: O(n^2) per product or quotient.
 * DEGENERATE: all is modulo 2^(64 n), so callers choose n by the size of their results;
 *   divisors are above 0 and divide.
 * REFERENCE: Jebelean (1993), An algorithm for exact division.
 */
#include "num/big_integer.h"

#include <math.h>
#include <string.h>

void dpd_big_set(uint64_t *x, int n, dpd_i128 v)
{
  dpd_u128 u = (dpd_u128)v;
  for (int i = 0; i < n; i++)
    x[i] = i == 0 ? (uint64_t)u : i == 1 ? (uint64_t)(u >> 64) : v < 0 ? UINT64_MAX : 0;
}

int dpd_big_sign(const uint64_t *x, int n)
{
  if (x[n - 1] >> 63) return -1;
  for (int i = 0; i < n; i++)
    if (x[i] != 0) return 1;
  return 0;
}

void dpd_big_negate(uint64_t *x, int n)
{
  uint64_t carry = 1;
  for (int i = 0; i < n; i++) {
    x[i] = ~x[i] + carry;
    carry = carry && x[i] == 0;
  }
}

void dpd_big_subtract(uint64_t *x, const uint64_t *y, int n)
{
  dpd_u128 carry = 1;
  for (int i = 0; i < n; i++) {
    carry += (dpd_u128)x[i] + ~y[i];
    x[i] = (uint64_t)carry;
    carry >>= 64;
  }
}

/* x += m y, or x -= m y. */
static void add_limb(uint64_t *x, const uint64_t *y, uint64_t m, bool minus, int n)
{
  dpd_u128 product = 0, carry = minus;
  for (int i = 0; i < n; i++) {
    product += (dpd_u128)y[i] * m;
    uint64_t low = (uint64_t)product;
    product >>= 64;
    carry += (dpd_u128)x[i] + (minus ? ~low : low);
    x[i] = (uint64_t)carry;
    carry >>= 64;
  }
}

void dpd_big_add_times(uint64_t *x, const uint64_t *y, dpd_i128 m, int n)
{
  dpd_u128 size = m < 0 ? -(dpd_u128)m : (dpd_u128)m;
  uint64_t low = (uint64_t)size, high = (uint64_t)(size >> 64);
  if (low != 0) add_limb(x, y, low, m < 0, n);
  if (high != 0) add_limb(x + 1, y, high, m < 0, n - 1);
}

/* out = x y modulo 2^(64 n). */
static void times_low(uint64_t *out, const uint64_t *x, const uint64_t *y, int n)
{
  memset(out, 0, (size_t)n * sizeof *out);
  for (int i = 0; i < n; i++)
    if (x[i] != 0) add_limb(out + i, y, x[i], false, n - i);
}

void dpd_big_times(uint64_t *out, const uint64_t *x, const uint64_t *y, int n)
{
  memset(out, 0, 2 * (size_t)n * sizeof *out);
  for (int i = 0; i < n; i++) {
    dpd_u128 carry = 0;
    for (int j = 0; j < n; j++) {
      carry += (dpd_u128)x[i] * y[j] + out[i + j];
      out[i + j] = (uint64_t)carry;
      carry >>= 64;
    }
    out[i + n] = (uint64_t)carry;
  }
  /* limbs as they are stand for x + 2^(64 n) if x is negative */
  if (x[n - 1] >> 63) dpd_big_subtract(out + n, y, n);
  if (y[n - 1] >> 63) dpd_big_subtract(out + n, x, n);
}

/* x becomes x 2^-by, rounded down. */
static void shift_right(uint64_t *x, int n, int by)
{
  int limbs = by / 64, bits = by % 64;
  uint64_t fill = x[n - 1] >> 63 ? UINT64_MAX : 0;
  for (int i = 0; i < n; i++) {
    uint64_t low = i + limbs < n ? x[i + limbs] : fill;
    uint64_t high = i + limbs + 1 < n ? x[i + limbs + 1] : fill;
    x[i] = bits == 0 ? low : (low >> bits) | (high << (64 - bits));
  }
}

int dpd_big_divisor(uint64_t *inverse, const uint64_t *y, int n, uint64_t *work)
{
  int zeros = 0;
  uint64_t *odd = work, *product = work + n;
  while (!(y[zeros / 64] >> (zeros % 64) & 1))
    zeros++;
  memcpy(odd, y, (size_t)n * sizeof *odd);
  shift_right(odd, n, zeros);
  dpd_big_set(inverse, n, (dpd_i128)odd[0]); /* right modulo 8 */
  for (int bits = 3; bits < 64 * n; bits *= 2) {
    /* inverse (2 - odd inverse) */
    times_low(product, odd, inverse, n);
    dpd_big_negate(product, n);
    uint64_t carry = 2;
    for (int i = 0; i < n && carry != 0; i++) {
      product[i] += carry;
      carry = product[i] < carry;
    }
    uint64_t *next = odd + 2 * n;
    times_low(next, product, inverse, n);
    memcpy(inverse, next, (size_t)n * sizeof *inverse);
  }
  return zeros;
}

void dpd_big_divide(uint64_t *x, uint64_t *wide, const uint64_t *inverse, int zeros, int n)
{
  shift_right(wide, 2 * n, zeros);
  times_low(x, wide, inverse, n);
}

double dpd_big_value(const uint64_t *x, int n, int *power)
{
  bool minus = x[n - 1] >> 63;
  /* ~x is -x - 1: limbs of the size, except for one unit */
  int top = n - 1;
  while (top > 0 && (minus ? ~x[top] : x[top]) == 0)
    top--;
  double value = 0;
  for (int i = top; i >= 0 && i > top - 3; i--)
    value += ldexp((double)(minus ? ~x[i] : x[i]), 64 * (i - top));
  if (minus && top < 2) value += ldexp(1, -64 * top);
  value = frexp(value, power);
  *power += 64 * top;
  return minus ? -value : value;
}
