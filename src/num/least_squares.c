/* least_squares.c - least squares for a few rows, in one fixed order of operations.
 *
 * METHOD: columns are divided by powers of two about their largest entries, then Householder's
 *   reflections, one column after the other, and back substitution. No library: the result is a
 *   function of the rows alone, to the last bit, wherever they lie in memory.
 * COST: O(rows columns^2).
 *   Where columns depend on one another: a column that those before it determine is
 *   omitted, and with it each coefficient of these that has a part in it.
 * DEGENERATE: fewer independent columns than there are, constant columns of 0, overflow: false.
 * REFERENCE: Golub and Van Loan (2013), Matrix Computations, 5.3.2.
 */
#include "num/least_squares.h"

#include <math.h>

#define RANK_TOLERANCE 0x1p-30
/* Of a column that others determine up to rounding, and of a part in it that is rounding. */
#define DEPENDENT 0x1p-40

size_t dpd_least_squares_scratch(int columns)
{
  return 4 * (size_t)columns * sizeof(double);
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

typedef struct {
  const double *a;
  int rows, rank;
  int *pivot; /* the columns that are kept */
  double *diagonal, *part;
} triangle;

/* Solves for the parts of the kept columns in `right`: part[i] is that of column pivot[i]. */
static void solve_triangle(const triangle *t, const double *right)
{
  for (int i = t->rank - 1; i >= 0; i--) {
    double left = right[i];
    for (int j = i + 1; j < t->rank; j++)
      left -= t->a[(size_t)t->pivot[j] * (size_t)t->rows + (size_t)i] * t->part[j];
    t->part[i] = left / t->diagonal[i];
  }
}

static void leave_out(const triangle *t, int k, bool *known)
{
  solve_triangle(t, t->a + (size_t)k * (size_t)t->rows);
  known[k] = false;
  for (int i = 0; i < t->rank; i++)
    if (!(fabs(t->part[i]) <= DEPENDENT)) known[t->pivot[i]] = false;
}

bool dpd_least_squares_known(dpd_equations e, double *beta, bool *known, double *work)
{
  double *a = e.a, *y = e.y;
  const int rows = e.rows, columns = e.columns;
  double *exponent = work + columns;
  triangle t = {.a = a, .rows = rows, .diagonal = work, .part = work + 2 * columns};
  void *rest_of_work = work + 3 * columns;
  t.pivot = rest_of_work;
  int right = scale_column(y, rows);
  for (int k = 0; k < columns; k++) {
    exponent[k] = right - scale_column(a + (size_t)k * (size_t)rows, rows);
    known[k] = true;
    beta[k] = 0;
  }
  for (int k = 0; k < columns; k++) {
    double *column = a + (size_t)k * (size_t)rows, *v = column + t.rank;
    double size = norm(column, rows), rest = norm(v, rows - t.rank);
    if (rest <= DEPENDENT * size) {
      leave_out(&t, k, known);
      continue;
    }
    if (!(rest > size * RANK_TOLERANCE)) return false; /* neither dependent nor independent */
    double diagonal = v[0] > 0 ? -rest : rest;
    v[0] -= diagonal;
    double half = -diagonal * v[0];
    for (int j = k + 1; j < columns; j++)
      reflect(a + (size_t)j * (size_t)rows + t.rank, v, rows - t.rank, half);
    reflect(y + t.rank, v, rows - t.rank, half);
    t.pivot[t.rank] = k;
    t.diagonal[t.rank++] = diagonal;
  }
  solve_triangle(&t, y);
  for (int i = 0; i < t.rank; i++) {
    int k = t.pivot[i];
    beta[k] = ldexp(t.part[i], (int)exponent[k]);
    if (!isfinite(beta[k])) return false;
  }
  return true;
}
