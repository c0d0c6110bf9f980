/* directions.c - unit vectors from a public seed, the same on every platform.
 *
 * METHOD: a uniform point of the sphere in R^(2m) is m points of the circle times the square
 *   roots of m weights, and the weights are the spacings of m - 1 uniform numbers on an interval
 *   (the squared lengths of pairs of normals are exponential, and exponentials over their sum are
 *   such spacings). A point of the circle is a point of the disc, by rejection, over its length.
 *   Odd d: the last coordinate of a point in R^(d+1) is dropped and the rest made unit again.
 *   Random numbers and all sums are integers; what remains are single divisions, products and
 *   square roots, which IEEE 754 fixes to the last bit; there is no a * b + c that a compiler could
 *   fuse. No log(), no cos(): their last bits differ between maths libraries. The components are
 *   rounded to multiples of 2^-40; on processors with excess precision (x87, FLT_EVAL_METHOD 2) one
 *   component in 50,000 is then off by 2^-40, measured, instead of every third by a last bit.
 * COST: O(d log d) per vector.
 * DEGENERATE: d = 1 has one direction up to sign, 1. A vector of length zero is drawn again.
 * REFERENCE: the generator is splitmix64 (Steele, Lea and Flood, 2014, section 4).
 */
#include "num/directions.h"

#include <math.h>
#include <stdlib.h>

#include "num/splitmix.h"

/* A uniform point of the disc of radius 2^26 with odd coordinates, so never the centre.
 * Returns the squared length, exact below 2^53. */
static double next_disc(uint64_t *state, double *x, double *y)
{
  const int64_t side = INT64_C(1) << 26;
  for (;;) {
    uint64_t word = dpd_splitmix_next(state);
    int64_t a = 2 * (int64_t)(word >> 38) + 1 - side;
    int64_t b = 2 * (int64_t)((word >> 12) & (uint64_t)(side - 1)) + 1 - side;
    int64_t square = a * a + b * b;
    if (square > side * side) continue;
    *x = (double)a;
    *y = (double)b;
    return (double)square;
  }
}

static int compare_doubles(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* m whole numbers that sum to 2^52: the spacings of m - 1 uniform whole numbers. */
static void next_spacings(uint64_t *state, int m, double *out)
{
  for (int i = 0; i < m - 1; i++)
    out[i] = (double)(dpd_splitmix_next(state) >> 12);
  out[m - 1] = 0x1p52;
  qsort(out, (size_t)m, sizeof *out, compare_doubles);
  for (int i = m - 1; i > 0; i--)
    out[i] -= out[i - 1];
}

static double round_component(double x)
{
  return nearbyint(x * 0x1p40) * 0x1p-40;
}

/* One uniform unit vector into row[0], row[stride], ...; false if it had length zero. */
static bool next_vector(uint64_t *state, int d, double *row, size_t stride, double *weight)
{
  int m = d / 2 + d % 2;
  double total = 0x1p52;
  next_spacings(state, m, weight);
  /* from the last pair on, since for odd d it fixes the length of all */
  for (int i = m - 1; i >= 0; i--) {
    double x, y, square = next_disc(state, &x, &y);
    double radius = sqrt(square);
    bool last_odd = 2 * i + 1 == d;
    if (last_odd) total -= weight[i] * (y * y) / square;
    if (!(total > 0)) return false;
    double length = sqrt(weight[i] / total);
    row[(size_t)(2 * i) * stride] = round_component(length * (x / radius));
    if (!last_odd) row[(size_t)(2 * i + 1) * stride] = round_component(length * (y / radius));
  }
  return true;
}

size_t dpd_directions_scratch(int d)
{
  return (size_t)(d / 2 + d % 2) * sizeof(double);
}

void dpd_directions(uint64_t seed, bool axes, size_t n, int d, double *out, double *work)
{
  uint64_t state = seed;
  for (size_t i = 0; i < n; i++) {
    if (d == 1) {
      out[i] = 1;
    } else if (axes && i < (size_t)d) {
      for (int j = 0; j < d; j++)
        out[i + (size_t)j * n] = (size_t)j == i ? 1 : 0;
    } else {
      while (!next_vector(&state, d, out + i, n, work)) {
      }
    }
  }
}

double dpd_direction_round(double *a, int d)
{
  double top = 0;
  for (int j = 0; j < d; j++)
    top += a[j] * a[j];
  top = sqrt(top);
  for (int j = 0; j < d; j++)
    a[j] = d == 1 ? 1 : rint(ldexp(a[j] / top, DPD_DIRECTION_BITS));
  return top;
}

int dpd_direction_index_bits(int d)
{
  return 51 - DPD_DIRECTION_BITS - (int)ceil(0.5 * log2((double)d));
}

int dpd_axis_of(const double *u, int d)
{
  int axis = -1, parts = 0;
  for (int j = 0; j < d; j++) {
    if (u[j] == 0) continue;
    axis = j;
    parts++;
  }
  return parts == 1 ? axis : -1;
}
