/* exponential_polytope.c - linear programs over the points of a given depth.
 *
 * METHOD: points of depth t or more lie between the order statistics of ranks t and n + 1 - t in
 *   every direction, and candidates within the prior's support: a polytope of 2 count + 2 d
 *   constraints about the deep point. The largest radius of a ball in it says whether it is empty;
 *   the largest value of a form over it bounds the form at every point of that depth.
 * EXACT: the programs are solved in doubles, but what is read off them is a bound whatever the
 *   solution is: multipliers y >= 0 give c'x = sum y_i a_i'x + r'x <= sum y_i b_i + |r|'reach, with
 *   r = c - sum y_i a_i computed, and (q + 4) 2^-52 of all terms' sizes added for what rounds. No
 *   index is further than 2^36 steps from the deep point. Multipliers of one depth serve any other.
 * COST: O(count d) per step of the simplex method, a few steps where the last program was alike.
 * DEGENERATE: constraints that all pass through the deep point are taken in a unit of one step.
 * REFERENCE: Neumaier and Shcherbina (2004), Safe bounds in linear and mixed-integer programming.
 */
#include <math.h>
#include <string.h>

#include "geom/linear_program.h"
#include "mech/exponential_state.h"
#include "num/rank_window.h"

#define REACH 0x1p36
#define TOLERANCE 0x1p-45

static int support_row(const dpd_exponential *m, int axis, bool above)
{
  return 2 * m->projected.count + 2 * axis + above;
}

void dpd_exponential_polytope_open(dpd_exponential *m)
{
  dpd_exponential_polytope *p = &m->polytope;
  size_t q = (size_t)m->spec.d + 1, rows = 2 * ((size_t)m->projected.room + (size_t)m->spec.d) + 1;
  p->a = m->alloc(rows * (q + 1) + 3 * q, sizeof *p->a);
  p->b = p->a + rows * q;
  p->c = p->b + rows;
  p->z = p->c + q;
  p->y = p->z + q;
  p->basis = m->alloc(q, sizeof *p->basis);
  p->work = m->alloc(dpd_lp_scratch((int)q), 1);
}

/* The normals, of length one; the last column is that of the radius. */
void dpd_exponential_polytope_start(dpd_exponential *m)
{
  const dpd_projected *from = &m->projected;
  dpd_exponential_polytope *p = &m->polytope;
  size_t d = (size_t)from->d, q = d + 1;
  p->rows = 2 * (from->count + from->d) + 1;
  memset(p->a, 0, (size_t)p->rows * q * sizeof *p->a);
  for (int u = 0; u < from->count; u++) {
    const double *dir = from->dirs + (size_t)u * d;
    double norm = sqrt(dpd_project(dir, dir, from->d)), *a = p->a + 2 * (size_t)u * q;
    for (size_t j = 0; j < d; j++) {
      a[j] = dir[j] / norm;
      a[q + j] = -a[j];
    }
  }
  for (int j = 0; j < from->d; j++) {
    p->a[(size_t)support_row(m, j, true) * q + (size_t)j] = 1;
    p->a[(size_t)support_row(m, j, false) * q + (size_t)j] = -1;
  }
  p->a[(size_t)(p->rows - 1) * q + d] = 1; /* makes bases of forms square; never binds */
}

/* The right sides for depth t, a kept rank, in units of the widest of them. */
static void set_depth(dpd_exponential *m, int t)
{
  const dpd_projected *from = &m->projected;
  dpd_exponential_polytope *p = &m->polytope;
  const double *lo = dpd_rank_window_at(&m->window, t);
  const double *hi = dpd_rank_window_mirror(&m->window, t);
  size_t d = (size_t)from->d;
  p->unit = 0;
  for (int u = 0; u < from->count; u++) {
    const double *dir = from->dirs + (size_t)u * d;
    double norm = sqrt(dpd_project(dir, dir, from->d)),
           at = dpd_project(dir, m->deep.start, from->d);
    p->b[2 * u] = (hi[u] - at) / norm;
    p->b[2 * u + 1] = (at - lo[u]) / norm;
    p->unit = fmax(p->unit, fmax(fabs(p->b[2 * u]), fabs(p->b[2 * u + 1])));
  }
  if (!(p->unit > 0)) p->unit = 1;
  for (int j = 0; j < from->d; j++) {
    p->b[support_row(m, j, true)] = m->lattice.hi[j] - m->deep.start[j];
    p->b[support_row(m, j, false)] = m->deep.start[j] - m->lattice.lo[j];
  }
  p->b[p->rows - 1] = p->unit;
  for (int k = 0; k < p->rows; k++)
    p->b[k] /= p->unit;
}

static void set_radius_column(dpd_exponential_polytope *p, size_t q, double value)
{
  for (int k = 0; k + 1 < p->rows; k++)
    p->a[(size_t)k * q + q - 1] = value;
}

/* An upper bound of c'x over the constraints, the radius being 0, by the multipliers y of the
 * basis, in units. */
static double dual_bound(const dpd_exponential_polytope *p, int q, const double *y)
{
  const double fine = (q + 4) * 0x1p-52;
  double sum = 0, size = 0, reach = REACH / p->unit + 1;
  for (int i = 0; i < q; i++) {
    double part = y[i] * p->b[p->basis[i]];
    sum += part;
    size += fabs(part);
  }
  sum += fine * size;
  for (int j = 0; j + 1 < q; j++) {
    double rest = p->c[j], all = fabs(rest);
    for (int i = 0; i < q; i++) {
      double part = y[i] * p->a[(size_t)p->basis[i] * (size_t)q + (size_t)j];
      rest -= part;
      all += fabs(part);
    }
    sum += (fabs(rest) + fine * all) * reach;
  }
  return sum + fine * fabs(sum);
}

bool dpd_exponential_polytope_holds(dpd_exponential *m, int t, bool *empty)
{
  dpd_exponential_polytope *p = &m->polytope;
  int q = m->spec.d + 1;
  dpd_lp lp = {p->a, p->b, p->c, p->rows - 1, q, TOLERANCE};
  bool feasible = false;
  set_depth(m, t);
  set_radius_column(p, (size_t)q, 1);
  memset(p->c, 0, (size_t)q * sizeof *p->c);
  p->c[q - 1] = 1;
  p->basis[0] = support_row(m, 0, true);
  for (int j = 0; j < q - 1; j++)
    p->basis[j + 1] = support_row(m, j, false);
  dpd_status status = dpd_lp_maximise(&lp, p->basis, p->work, p->z, &feasible);
  *empty = status == DPD_OK && feasible && p->z[q - 1] < 0 &&
           dual_bound(p, q, dpd_lp_multipliers(q, p->work)) < 0;
  if (status != DPD_OK || !feasible) return false;
  for (int j = 0; j + 1 < q; j++)
    m->z[j] = m->deep.start[j] + p->unit * p->z[j];
  return p->z[q - 1] >= -0x1p-40;
}

/* The basis of the prior's support, which any form may start from. */
static void start_basis(const dpd_exponential *m, const double *c, int *basis)
{
  for (int j = 0; j < m->spec.d; j++)
    basis[j] = support_row(m, j, c[j] >= 0);
  basis[m->spec.d] = m->polytope.rows - 1;
}

double dpd_exponential_polytope_most(dpd_exponential *m, const double *form, dpd_simplex_start *at)
{
  dpd_exponential_polytope *p = &m->polytope;
  int d = m->spec.d, q = d + 1;
  dpd_lp lp = {p->a, p->b, p->c, p->rows, q, TOLERANCE};
  double top = 0;
  bool feasible = false;
  for (int j = 0; j < d; j++)
    top = fmax(top, fabs(form[j]));
  for (int j = 0; j < d; j++)
    p->c[j] = form[j] / top;
  p->c[d] = 0;
  if (!at->set) start_basis(m, p->c, at->basis);
  memcpy(p->basis, at->basis, (size_t)q * sizeof *p->basis);
  dpd_status status = dpd_lp_maximise(&lp, p->basis, p->work, p->z, &feasible);
  if (status == DPD_OK && feasible) {
    memcpy(p->y, dpd_lp_multipliers(q, p->work), (size_t)q * sizeof *p->y);
    memcpy(at->basis, p->basis, (size_t)q * sizeof *p->basis);
    memcpy(at->y, p->y, (size_t)q * sizeof *p->y);
    at->set = true;
  } else if (at->set) { /* of the last depth: valid, if not the best */
    memcpy(p->basis, at->basis, (size_t)q * sizeof *p->basis);
    memcpy(p->y, at->y, (size_t)q * sizeof *p->y);
  } else {
    return INFINITY;
  }
  double bound = dual_bound(p, q, p->y);
  return isfinite(bound) ? top * p->unit * (bound + fabs(bound) * 0x1p-50) : INFINITY;
}

void dpd_exponential_polytope_depth(dpd_exponential *m, int t)
{
  set_depth(m, t);
  set_radius_column(&m->polytope, (size_t)m->spec.d + 1, 0);
}
