/* least_deviations.c - the fit of least absolute deviations of one column by others.
 *
 * METHOD: reweighted least squares, from equal weights. A best fit passes through d independent
 *   rows, so the fit through the nearest rows, by elimination, is taken where its
 *   deviations are hardly larger: then other rows have no influence on it.
 * COST: O(rows d^2) per round, 30 rounds.
 * DEGENERATE: no columns (d = 0): nothing is fitted. Columns that give each other, or numbers that
 *   are not finite: the last fit that was found, at first b = 0.
 */
#include "num/least_deviations.h"

#include <math.h>
#include <string.h>

#include "num/inverse.h"

enum { ROUNDS = 30 };
#define NEAR_SHARE 1e-3 /* of the mean deviation: weights grow no more below it */
#define RIDGE 1e-12     /* in parts of a column's square */
#define DEPENDENT 1e-6  /* what earlier rows leave of one that they give, in parts of it */
#define AS_GOOD 1.05    /* times the deviations found */

typedef struct {
  dpd_deviations_rows s;
  const int *column;
  size_t d;
  double *gram, *inverse, *right, *vertex; /* d x d, d x d, d, d */
  double *basis, *row;                     /* d x (d + 1); d + 1 */
  int *pivot;                              /* d */
} problem;

static double entry(const problem *p, size_t i, size_t l)
{
  return p->s.x[i * p->s.k + (size_t)p->column[l]];
}

static double deviation(const problem *p, size_t i, const double *b)
{
  double r = entry(p, i, 0);
  for (size_t l = 0; l < p->d; l++)
    r -= b[l] * entry(p, i, l + 1);
  return r;
}

static double mean_deviation(const problem *p, const double *b)
{
  double sum = 0;
  for (size_t i = 0; i < p->s.rows; i++)
    sum += fabs(deviation(p, i, b));
  return p->s.rows > 0 ? sum / (double)p->s.rows : 0;
}

/* A step of reweighted least squares from b, into `vertex`; mean: 0 for equal weights. */
static bool reweigh(problem *p, const double *b, double mean)
{
  size_t d = p->d;
  memset(p->gram, 0, d * d * sizeof *p->gram);
  memset(p->inverse, 0, d * d * sizeof *p->inverse);
  memset(p->right, 0, d * sizeof *p->right);
  for (size_t i = 0; i < p->s.rows; i++) {
    double r = deviation(p, i, b), w = mean > 0 ? 1 / (fabs(r) + NEAR_SHARE * mean) : 1;
    for (size_t l = 0; l < d; l++) {
      p->right[l] += w * r * entry(p, i, l + 1);
      for (size_t h = 0; h < d; h++)
        p->gram[l * d + h] += w * entry(p, i, l + 1) * entry(p, i, h + 1);
    }
  }
  for (size_t l = 0; l < d; l++) {
    p->gram[l * d + l] *= 1 + RIDGE;
    p->inverse[l * d + l] = 1;
  }
  if (!dpd_invert(p->gram, p->inverse, (int)d, 1e-300)) return false;
  for (size_t l = 0; l < d; l++) {
    p->vertex[l] = b[l];
    for (size_t h = 0; h < d; h++)
      p->vertex[l] += p->inverse[l * d + h] * p->right[h];
  }
  return true;
}

/* Row i less what the `found` rows of the basis give; its pivot, or -1 if nothing is left. */
static int reduce_row(problem *p, size_t i, size_t found)
{
  double whole = 0, left = 0, *a = p->row;
  int at = -1;
  for (size_t l = 0; l < p->d; l++) {
    a[l] = entry(p, i, l + 1);
    whole = fmax(whole, fabs(a[l]));
  }
  a[p->d] = entry(p, i, 0);
  for (size_t h = 0; h < found; h++) {
    const double *before = p->basis + h * (p->d + 1);
    double times = a[p->pivot[h]];
    for (size_t l = 0; l <= p->d; l++)
      a[l] -= times * before[l];
    a[p->pivot[h]] = 0;
  }
  for (size_t l = 0; l < p->d; l++)
    if (fabs(a[l]) > left) {
      left = fabs(a[l]);
      at = (int)l;
    }
  return left > DEPENDENT * whole ? at : -1;
}

/* The fit through d independent rows, each the nearest to the fit b that is left, into `vertex`. */
static bool pass_through_rows(problem *p, const double *b)
{
  size_t d = p->d;
  for (size_t found = 0; found < d; found++) {
    double nearest = INFINITY, *to = p->basis + found * (d + 1);
    for (size_t i = 0; i < p->s.rows; i++) {
      double away = fabs(deviation(p, i, b));
      int at = away < nearest ? reduce_row(p, i, found) : -1;
      if (at < 0) continue;
      nearest = away;
      p->pivot[found] = at;
      for (size_t l = 0; l <= d; l++)
        to[l] = p->row[l] / p->row[at];
    }
    if (nearest == INFINITY) return false;
  }
  memset(p->vertex, 0, d * sizeof *p->vertex);
  for (size_t h = d; h-- > 0;) {
    const double *row = p->basis + h * (d + 1);
    double v = row[d];
    for (size_t l = 0; l < d; l++)
      v -= row[l] * p->vertex[l];
    p->vertex[p->pivot[h]] = v;
  }
  return true;
}

double dpd_deviations_fit(dpd_deviations_rows s, const int *column, size_t d, double *b,
                          dpd_alloc alloc)
{
  problem p = {.s = s, .column = column, .d = d};
  p.gram = alloc(3 * d * d + 4 * d + 1, sizeof *p.gram);
  p.inverse = p.gram + d * d;
  p.right = p.inverse + d * d;
  p.vertex = p.right + d;
  p.row = p.vertex + d;
  p.basis = p.row + d + 1;
  p.pivot = alloc(d + 1, sizeof *p.pivot);
  memset(b, 0, d * sizeof *b);
  double mean = mean_deviation(&p, b), weight = 0;
  for (int round = 0; d > 0 && mean > 0 && round < ROUNDS; round++) {
    if (!reweigh(&p, b, weight)) break;
    double next = mean_deviation(&p, p.vertex);
    if (!isfinite(next)) break;
    memcpy(b, p.vertex, d * sizeof *b);
    mean = weight = next;
  }
  if (d == 0 || !(mean > 0) || !pass_through_rows(&p, b)) return mean;
  double through = mean_deviation(&p, p.vertex);
  if (!(through <= AS_GOOD * mean)) return mean;
  memcpy(b, p.vertex, d * sizeof *b);
  return through;
}
