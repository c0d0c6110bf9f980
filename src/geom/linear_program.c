/* linear_program.c - linear programs with few variables and many constraints.
 *
 * METHOD: dual simplex. A basis is a set of `cols` constraints whose edges meet in one point z and
 *   of whose normals c is a nonnegative combination y: z is then optimal for these alone. The most
 *   violated constraint enters; the one that leaves keeps y nonnegative (least ratio, among ties
 *   the largest pivot). If none can leave, c'z is unbounded below on constraints that
 *   all must hold: infeasible. The inverse of the basis is updated, and recomputed at times
 *   and before the end. After a run of steps without progress both choices take the smallest index
 *   (Bland), which cannot cycle.
 * COST: O(rows cols) per step for finding the constraint, O(cols^2) for the rest; some tens of
 *   steps.
 * DEGENERATE: repeated and parallel constraints; optimal sets that are faces; no interior.
 * REFERENCE: Lemke (1954), The dual method of solving the linear programming problem; Bland (1977),
 *   New finite pivoting rules for the simplex method.
 */
#include "geom/linear_program.h"

#include <math.h>

#include "num/inverse.h"

enum { REFRESH = 25, PATIENCE = 40, MAX_STEPS = 20000 };

typedef struct {
  const dpd_lp *lp;
  int q, *basis;
  double *inverse; /* q x q, row-major: the inverse of the basis rows */
  double *square;  /* for computing it */
  double *y, *w, *z;
  int stalled;
} simplex;

size_t dpd_lp_scratch(int cols)
{
  size_t q = (size_t)cols;
  return (2 * q * q + 2 * q) * sizeof(double);
}

const double *dpd_lp_multipliers(int cols, const void *work)
{
  return (const double *)work + 2 * (size_t)cols * (size_t)cols;
}

/* The inverse of the basis rows. */
static bool invert(simplex *s)
{
  int q = s->q;
  for (int i = 0; i < q; i++)
    for (int k = 0; k < q; k++) {
      s->square[i * q + k] = s->lp->a[(size_t)s->basis[i] * (size_t)q + (size_t)k];
      s->inverse[i * q + k] = i == k;
    }
  return dpd_invert(s->square, s->inverse, q, 1e-14);
}

/* The point where the basis constraints meet, and c as a combination of their normals. */
static void solve(simplex *s)
{
  int q = s->q;
  for (int k = 0; k < q; k++) {
    double z = 0, y = 0;
    for (int i = 0; i < q; i++) {
      z += s->inverse[k * q + i] * s->lp->b[s->basis[i]];
      y += s->inverse[i * q + k] * s->lp->c[i];
    }
    s->z[k] = z;
    s->y[k] = y > 0 ? y : 0;
  }
}

/* The violated constraint to enter, or -1. */
static int find_entering(const simplex *s)
{
  const dpd_lp *lp = s->lp;
  double worst = lp->tol;
  int entering = -1;
  for (int i = 0; i < lp->rows; i++) {
    const double *row = lp->a + (size_t)i * (size_t)s->q;
    double excess = -lp->b[i];
    for (int k = 0; k < s->q; k++)
      excess += row[k] * s->z[k];
    if (excess <= worst) continue;
    entering = i;
    if (s->stalled > PATIENCE) break;
    worst = excess;
  }
  return entering;
}

/* The place in the basis that leaves, or -1; w becomes the entering normal's combination. */
static int find_leaving(simplex *s, int entering)
{
  const double *row = s->lp->a + (size_t)entering * (size_t)s->q;
  int q = s->q, leaving = -1;
  double min = INFINITY;
  for (int i = 0; i < q; i++) {
    double w = 0;
    for (int k = 0; k < q; k++)
      w += row[k] * s->inverse[k * q + i];
    s->w[i] = w;
    if (!(w > 1e-11)) continue;
    double ratio = s->y[i] / w;
    bool tie = leaving >= 0 && fabs(ratio - min) <= 1e-13;
    bool better =
        tie ? (s->stalled > PATIENCE ? s->basis[i] < s->basis[leaving] : w > s->w[leaving])
            : ratio < min;
    if (!better) continue;
    leaving = i;
    if (ratio < min) min = ratio;
  }
  return leaving;
}

static void exchange(simplex *s, int leaving, int entering)
{
  int q = s->q;
  double step = s->y[leaving] / s->w[leaving];
  for (int k = 0; k < q; k++) {
    double f = s->inverse[k * q + leaving] / s->w[leaving];
    for (int i = 0; i < q; i++)
      s->inverse[k * q + i] -= f * s->w[i];
    s->inverse[k * q + leaving] = f;
  }
  s->basis[leaving] = entering;
  s->stalled = step > 1e-13 ? 0 : s->stalled + 1;
}

dpd_status dpd_lp_maximise(const dpd_lp *lp, int *basis, void *work, double *z, bool *feasible)
{
  int q = lp->cols, age = 0;
  double *at = work;
  simplex s = {lp, q, basis, at, at + q * q, at + 2 * q * q, at + 2 * q * q + q, z, 0};
  *feasible = true;
  if (!invert(&s)) return DPD_ERR_DOMAIN;
  for (int step = 0; step < MAX_STEPS; step++) {
    solve(&s);
    int entering = find_entering(&s);
    if ((entering < 0 && age > 0) || age == REFRESH) {
      if (!invert(&s)) return DPD_ERR_LIMIT;
      age = 0;
      continue;
    }
    if (entering < 0) return DPD_OK;
    int leaving = find_leaving(&s, entering);
    if (leaving < 0) {
      *feasible = false;
      return DPD_OK;
    }
    exchange(&s, leaving, entering);
    age++;
  }
  return DPD_ERR_LIMIT;
}
