/* least_squares.c - least squares for a few rows, in one fixed order of operations.
 *
 * METHOD: columns are divided by powers of two about their largest entries, then Householder's
 *   reflections, one column after the other, and back substitution. No library: the result is a
 *   function of the rows alone, to the last bit, wherever they lie in memory.
 * COST: O(rows columns^2).
 * DEGENERATE: fewer independent columns than there are, constant columns of 0, overflow: false.
 * REFERENCE: Golub and Van Loan (2013), Matrix Computations, 5.3.2.
 */
#include "num/least_squares.h"

#include <math.h>

#define RANK_TOLERANCE 0x1p-30

size_t dpd_least_squares_scratch(int columns)
{
  return 2 * (size_t)columns * sizeof(double);
}

/* Divides a column by a power of two about its largest entry: returns the exponent. */
static int scale_column(double *x, int rows)
{
  double most = 0;
  int exponent;
  for (int i = 0; i < rows; i++)
    most = fmax(most, fabs(x[i]));
  frexp(most, &exponent);
  for (int i = 0; i < rows; i++)
    x[i] = ldexp(x[i], -exponent);
  return exponent;
}

static double norm(const double *x, int rows)
{
  double sum = 0;
  for (int i = 0; i < rows; i++)
    sum += x[i] * x[i];
  return sqrt(sum);
}

/* x - 2 v v'x / v'v, where half = v'v / 2. */
static void reflect(double *x, const double *v, int rows, double half)
{
  double product = 0;
  for (int i = 0; i < rows; i++)
    product += v[i] * x[i];
  for (int i = 0; i < rows; i++)
    x[i] -= product / half * v[i];
}

bool dpd_least_squares(double *a, double *y, int rows, int columns, double *beta, double *work)
{
  double *diagonal = work, *exponent = work + columns;
  int right = scale_column(y, rows);
  for (int k = 0; k < columns; k++)
    exponent[k] = right - scale_column(a + (size_t)k * (size_t)rows, rows);
  for (int k = 0; k < columns; k++) {
    double *column = a + (size_t)k * (size_t)rows, *v = column + k;
    double size = norm(column, rows), rest = norm(v, rows - k);
    if (!(rest > RANK_TOLERANCE * size)) return false;
    diagonal[k] = v[0] > 0 ? -rest : rest;
    v[0] -= diagonal[k];
    double half = -diagonal[k] * v[0];
    for (int j = k + 1; j < columns; j++)
      reflect(a + (size_t)j * (size_t)rows + k, v, rows - k, half);
    reflect(y + k, v, rows - k, half);
  }
  for (int k = columns - 1; k >= 0; k--) {
    double left = y[k];
    for (int j = k + 1; j < columns; j++)
      left -= a[(size_t)j * (size_t)rows + (size_t)k] * beta[j];
    beta[k] = left / diagonal[k];
  }
  for (int k = 0; k < columns; k++) {
    beta[k] = ldexp(beta[k], (int)exponent[k]);
    if (!isfinite(beta[k])) return false;
  }
  return true;
}
