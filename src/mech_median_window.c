/* mech_median_window.c - which ranks of projections the exponential mechanism keeps.
 *
 * METHOD: a point c has depth h(c); points of depth below h(c) - gap weigh less than
 *   exp(-WINDOW_MARGIN) of it, all together, so that ranks from there up to the largest depth are
 *   kept. The largest depth is not known: ranks are kept to some way above h(c), and a linear
 *   program says whether any point lies between the highest of them and its mirror image in every
 *   direction. If there is one, the search goes on from it with twice as much above.
 *   Nothing of this changes the law of exact draws: outside the window bounds are weaker and scores
 *   are read off the rows, which would take for ever if much of the mass were there.
 * COST: one filling of the window, O(count n d), a repetition of it where the first look was not
 *   deep enough, and a program of 2 count constraints each.
 * DEGENERATE: regions without interior count as not empty; a program lost by rounding ends the
 *   search.
 */
#include <math.h>
#include <string.h>

#include "depth_deep.h"
#include "geom_lp.h"
#include "mech_median_state.h"
#include "num_directions.h"

enum {
  WINDOW_DOUBLES = 48 << 20, /* memory for order statistics: 384 MB */
  RANKS_ABOVE = 16,          /* window ranks above the deep point's depth: so many at the least, */
  SHARE_ABOVE = 50           /* and this part of all */
};

/* What is left outside the window carries less than exp(-WINDOW_MARGIN) of the mass. */
#define WINDOW_MARGIN 40.0

/* Makes z, moved into the prior's support, the deep point if it is deeper than that. */
static void offer_deep(dpd_median_exp *m, int *best)
{
  const dpd_lattice *l = &m->lattice;
  for (int j = 0; j < m->spec.d; j++)
    m->z[j] = fmin(fmax(rint(m->z[j]), l->lo[j]), l->hi[j]);
  int depth = dpd_median_exp_score(m, m->z);
  if (depth <= *best) return;
  memcpy(m->deep, m->z, (size_t)m->spec.d * sizeof *m->z);
  *best = depth;
}

/* The ranks to keep when m->deep has depth `deep`. When memory is short, the lowest ones are not.
 */
static void choose_window(dpd_median_exp *m, int deep, double above)
{
  const dpd_lattice *l = &m->lattice;
  double log_points = 0, log_prior = 0;
  for (int j = 0; j < m->spec.d; j++)
    log_points += log(l->hi[j] - l->lo[j] + 1);
  (void)dpd_lattice_log_prior(l, m->deep, &log_prior);
  double gap = (log_points - log_prior + WINDOW_MARGIN) / ldexp((double)m->spec.eps.num, -41);
  double ranks = fmax(4, floor((double)WINDOW_DOUBLES / (2 * m->projected.room)));
  double high = fmin(m->spec.n, deep + fmin(above, floor(ranks / 2)));
  double low = fmax(1, fmax(floor(deep - gap), high + 1 - ranks));
  m->window.low = (int)fmin(low, high);
  m->window.high = (int)fmax(high, 1);
}

/* Constraints u'z + |u| r <= mirrored rank, -u'z + |u| r <= -rank, about the deep point and in
 * units of the widest gap, which is the value; 0 if all gaps are. */
static double set_constraints(const dpd_median_exp *m, double *a, double *b)
{
  const dpd_projected *p = &m->projected;
  const double *lo = dpd_window_rank(&m->window, m->window.high);
  const double *hi = dpd_window_mirror(&m->window, m->window.high);
  size_t d = (size_t)p->d;
  double widest = 0;
  for (int u = 0; u < p->count; u++, a += 2 * (d + 1)) {
    const double *dir = p->dirs + (size_t)u * d;
    double norm = sqrt(dpd_project(dir, dir, p->d)), at = dpd_project(dir, m->deep, p->d);
    for (size_t j = 0; j < d; j++) {
      a[j] = dir[j] / norm;
      a[d + 1 + j] = -a[j];
    }
    a[d] = a[2 * d + 1] = 1;
    b[2 * u] = (hi[u] - at) / norm;
    b[2 * u + 1] = (at - lo[u]) / norm;
    widest = fmax(widest, fmax(fabs(b[2 * u]), fabs(b[2 * u + 1])));
  }
  for (int k = 0; k < 2 * p->count && widest > 0; k++)
    b[k] /= widest;
  return widest;
}

/* Both sides of the first axis carry the objective, the other axes complete them. */
static bool first_basis(const dpd_projected *p, int *basis)
{
  int found = 0;
  for (int j = 0; j < p->d; j++)
    for (int u = 0; u < p->count && found == j; u++) {
      if (dpd_axis_of(p->dirs + (size_t)u * (size_t)p->d, p->d) != j) continue;
      basis[++found] = 2 * u;
      if (found == 1) basis[0] = 2 * u + 1;
    }
  return found == p->d;
}

/* Whether some point may lie between the window's highest rank and its mirror image in every
 * direction; m->z is then one, about. */
static bool holds_more(dpd_median_exp *m, dpd_alloc alloc)
{
  size_t q = (size_t)m->spec.d + 1, rows = 2 * (size_t)m->projected.count;
  double *a = alloc(rows * (q + 1) + 2 * q, sizeof *a), *b = a + rows * q, *c = b + rows,
         *z = c + q;
  int *basis = alloc(q, sizeof *basis);
  dpd_lp lp = {a, b, c, (int)rows, (int)q, 0x1p-45};
  bool feasible = false;
  memset(c, 0, q * sizeof *c);
  c[q - 1] = 1;
  double unit = set_constraints(m, a, b);
  if (unit == 0 || !first_basis(&m->projected, basis)) return false;
  if (dpd_lp_maximise(&lp, basis, alloc(dpd_lp_work_size((int)q), 1), z, &feasible) != DPD_OK)
    return false;
  for (size_t j = 0; j + 1 < q; j++)
    m->z[j] = m->deep[j] + unit * z[j];
  return feasible && z[q - 1] >= -0x1p-40;
}

void dpd_median_exp_window(dpd_median_exp *m, dpd_alloc alloc)
{
  int n = m->spec.n, best = -1;
  double above = fmax(RANKS_ABOVE, n / SHARE_ABOVE);
  dpd_deep_start(m->projected.rows, n, m->spec.d, m->work, m->z);
  offer_deep(m, &best);
  dpd_deep_find(&m->projected, m->work, m->z);
  offer_deep(m, &best);
  for (;; above *= 2) {
    choose_window(m, best, above);
    m->window.value =
        alloc(dpd_window_size(&m->projected, m->window.low, m->window.high), sizeof(double));
    dpd_window_fill(&m->window, 0, m->spec.threads, m->work);
    if (m->window.high < best + above || !holds_more(m, alloc)) return;
    offer_deep(m, &best);
  }
}
