/* depth_drift.c - states of chains over depths, and Langevin steps for sums over directions.
 *
 * METHOD: the log weight of a lattice point z is its log prior + half_rate h(z), h the score in
 *   parts. For a score that is a sum over directions u of functions of t = u'z, the gradient is
 *   about the sum of u times the slope of u's function, a quotient of differences over `wide`,
 *   scaled. wide is how far from its peak a function falls by d / 2N, N directions, that is by what
 *   it typically loses if the distribution is about normal, but by more than a row or two, and not
 *   more than half its height. Chords of that width give the curvature L L' of the log weight,
 *   prior included. They are functions of the data alone, not of the state.
 *   A step in coordinates y = L'w goes to y + h/2 a(w) + sqrt(h) normals, a the gradient there, and
 *   is accepted with the ratio of weights times proposal densities, so that it leaves the
 *   distribution of z invariant whatever a is (Roberts and Tweedie, 1996). The published step has
 *   no such test, nor L: w + h/2 S^2 gradient + sqrt(h) S normals, S the prior's scales.
 * COST: O(count (d + search) + d^2) per step, of the smoothed depth O(count d): n does not come in.
 * DEGENERATE: a function that does not fall by so much within FARTHEST has that width; pivots of
 *   the matrix of curvatures are floored; a state outside the prior's support has no weight.
 * REFERENCE: Roberts and Tweedie (1996); Ramsay, Jagannath and Chenouri (2022), section 2.2.
 */
#include "mech/depth_drift.h"

#include <math.h>
#include <string.h>

#include "num/project_block.h"
#include "samp/rng.h"

enum { BISECTIONS = 30, FEW_ROWS = 4 };
#define FARTHEST 0x1p52
#define ACCEPTED 0.574  /* the share of accepted steps at which Langevin chains mix best */
#define PLAIN_SIZE 0.1  /* of the published steps' variance against the distribution's */
#define MIN_PIVOT 1e-12 /* of a matrix's diagonal */

/* -- states ----------------------------------------------------------------------------------- */

void dpd_depth_state_open(dpd_depth_state *s, const dpd_depth_median *m, dpd_alloc alloc)
{
  size_t d = (size_t)m->spec.d, count = dpd_padded((size_t)m->spec.count);
  memset(s, 0, sizeof *s);
  s->w = alloc(3 * d + count, sizeof *s->w);
  s->z = s->w + d;
  s->pull = s->z + d;
  s->t = s->pull + d;
}

bool dpd_depth_state_set(const dpd_depth_drift *k, dpd_depth_state *s)
{
  dpd_depth_median *m = k->m;
  dpd_u128 score;
  s->pulled = false;
  for (int j = 0; j < m->spec.d; j++)
    s->z[j] = rint(s->w[j]);
  if (!dpd_lattice_log_prior(&m->lattice, s->z, &s->log_weight)) return false;
  if (m->score.along.at != NULL) {
    dpd_project_block(k->forward, (size_t)m->spec.count, m->spec.d, s->z, 1, s->t);
    score = m->score.along.at(m->score.ctx, s->t);
  } else {
    score = m->score.at(m->score.ctx, s->z);
  }
  s->log_weight += k->half_rate * dpd_depth_median_parts(m, score);
  return true;
}

/* -- what does not depend on the state -------------------------------------------------------- */

/* How much less than at its peak u's function is at a distance of b, on the mean of both sides. */
static double loss_at(const dpd_depth_median *m, int u, double peak, double b)
{
  const dpd_score_along *f = &m->score.along;
  void *ctx = m->score.ctx;
  return f->summand(ctx, u, peak) -
         (f->summand(ctx, u, peak - b) + f->summand(ctx, u, peak + b)) / 2;
}

/* How far from its peak u's function falls by `loss`, but not less than half a lattice step. */
static double width_of(const dpd_depth_median *m, int u, double peak, double loss)
{
  const double *a = m->projected.dirs + (size_t)u * (size_t)m->spec.d;
  double squares = 0;
  for (int j = 0; j < m->spec.d; j++)
    squares += a[j] * a[j];
  double min = sqrt(squares) / 2, max = 2 * min;
  while (max < FARTHEST && loss_at(m, u, peak, max) < loss)
    max *= 2;
  for (int i = 0; i < BISECTIONS; i++) {
    double mid = min + (max - min) / 2;
    if (loss_at(m, u, peak, mid) < loss)
      min = mid;
    else
      max = mid;
  }
  return max;
}

/* The widths, and the matrix of curvatures. */
static void set_widths(dpd_depth_drift *k, double *matrix)
{
  const dpd_depth_median *m = k->m;
  const dpd_score_along *f = &m->score.along;
  int d = m->spec.d, count = m->spec.count;
  for (int u = 0; u < count; u++) {
    double peak = f->peak(m->score.ctx, u), height = f->summand(m->score.ctx, u, peak);
    double loss = fmax(0.5 * d / (count * k->gain), height * FEW_ROWS / m->spec.n);
    loss = fmin(loss, height / 2);
    k->wide[u] = width_of(m, u, peak, loss);
    double bend = 2 * k->gain * loss / k->wide[u] / k->wide[u];
    const double *a = m->projected.dirs + (size_t)u * (size_t)d;
    for (int i = 0; i < d; i++)
      for (int j = 0; j <= i; j++)
        matrix[i * d + j] += bend * a[i] * a[j];
  }
}

/* A lower triangle's Cholesky factor, in place. */
static void factorise(double *a, int d)
{
  for (int i = 0; i < d; i++) {
    double floor_ = MIN_PIVOT * a[i * d + i];
    for (int j = 0; j <= i; j++) {
      double sum = a[i * d + j];
      for (int l = 0; l < j; l++)
        sum -= a[i * d + l] * a[j * d + l];
      a[i * d + j] = j < i ? sum / a[j * d + j] : sqrt(fmax(sum, floor_));
    }
  }
}

/* The directions with their coordinates as rows, and as columns, in blocks. */
static void pack_directions(dpd_depth_drift *k, dpd_alloc alloc)
{
  const dpd_projected *p = &k->m->projected;
  size_t d = (size_t)p->d, count = (size_t)p->count;
  k->forward = alloc((dpd_padded(count) * d + dpd_padded(d) * count), sizeof *k->forward);
  k->back = k->forward + dpd_padded(count) * d;
  double *column = alloc(count * d, sizeof *column);
  for (size_t u = 0; u < count; u++)
    for (size_t j = 0; j < d; j++)
      column[u + j * count] = p->dirs[u * d + j];
  dpd_pack_rows(column, count, p->d, NULL, k->forward);
  dpd_pack_rows(p->dirs, d, p->count, NULL, k->back);
}

void dpd_depth_drift_open(dpd_depth_drift *k, dpd_depth_median *m, dpd_alloc alloc)
{
  size_t d = (size_t)m->spec.d, count = (size_t)m->spec.count;
  const dpd_lattice *l = &m->lattice;
  double trace = 0;
  memset(k, 0, sizeof *k);
  k->m = m;
  k->half_rate = ldexp((double)(m->spec.eps.num >> m->parts), -DPD_RATE_BITS - 1);
  k->gain = ldexp(k->half_rate, m->parts) / (double)m->score.sensitivity;
  k->scale = l->scale;
  if (m->score.along.at == NULL) return;
  pack_directions(k, alloc);
  k->wide = alloc(2 * count, sizeof *k->wide);
  k->slope = k->wide + count;
  k->factor = alloc(d * d, sizeof *k->factor);
  k->noise = alloc(d + 1 + dpd_padded(d), sizeof *k->noise);
  k->side = k->noise + d + 1;
  memset(k->factor, 0, d * d * sizeof *k->factor);
  for (size_t j = 0; j < d; j++)
    k->factor[j * d + j] = (l->prior.normal ? 1 : 12) / (l->scale[j] * l->scale[j]);
  set_widths(k, k->factor);
  for (size_t j = 0; j < d; j++)
    trace += k->factor[j * d + j] * l->scale[j] * l->scale[j];
  k->plain_size = PLAIN_SIZE * (double)d / trace;
  factorise(k->factor, m->spec.d);
  dpd_depth_drift_restart(k);
}

/* -- steps ------------------------------------------------------------------------------------ */

/* side: the gradient at s, about. */
static void set_gradient(const dpd_depth_drift *k, const dpd_depth_state *s)
{
  const dpd_depth_median *m = k->m;
  const dpd_score_along *f = &m->score.along;
  int d = m->spec.d;
  for (int u = 0; u < m->spec.count; u++) {
    double b = k->wide[u] / 2;
    k->slope[u] =
        k->gain *
        (f->summand(m->score.ctx, u, s->t[u] + b) - f->summand(m->score.ctx, u, s->t[u] - b)) /
        (2 * b);
  }
  dpd_project_block(k->back, (size_t)d, m->spec.count, k->slope, 1, k->side);
  for (int j = 0; j < d && m->lattice.prior.normal; j++)
    k->side[j] -= (s->w[j] - m->lattice.mean[j]) / (k->scale[j] * k->scale[j]);
}

/* The solution of L pull = gradient. */
static void set_pull(dpd_depth_drift *k, dpd_depth_state *s)
{
  int d = k->m->spec.d;
  if (s->pulled) return;
  set_gradient(k, s);
  for (int i = 0; i < d; i++) {
    double sum = k->side[i];
    for (int j = 0; j < i; j++)
      sum -= k->factor[i * d + j] * s->pull[j];
    s->pull[i] = sum / k->factor[i * d + i];
  }
  s->pulled = true;
}

/* The solution of L'x = side, in place. */
static void solve_back(dpd_depth_drift *k)
{
  int d = k->m->spec.d;
  for (int i = d - 1; i >= 0; i--) {
    const double *row = k->factor + (size_t)i * (size_t)d;
    double x = k->side[i] /= row[i];
    for (int j = 0; j < i; j++)
      k->side[j] -= row[j] * x;
  }
}

static dpd_status draw_noise(dpd_depth_drift *k, dpd_rng *rng)
{
  for (int j = 0; j < k->m->spec.d; j += 2)
    DPD_TRY(dpd_rng_normals(rng, k->noise + j)); /* it has room for one more */
  return DPD_OK;
}

void dpd_depth_drift_restart(dpd_depth_drift *k)
{
  k->log_size = -log((double)k->m->spec.d) / 3;
  k->made = 0;
}

/* After Robbins and Monro: toward steps of which the best share is accepted. */
static void adapt_size(dpd_depth_drift *k, double chance)
{
  k->made++;
  k->log_size += 2 * (chance - ACCEPTED) / pow(k->made, 0.6);
}

dpd_status dpd_depth_drift_step(dpd_depth_drift *k, dpd_rng *rng, dpd_depth_state *here,
                                dpd_depth_state *there, bool adapt)
{
  int d = k->m->spec.d;
  double h = exp(k->log_size), root = sqrt(h), log_ratio = -INFINITY, u;
  set_pull(k, here);
  DPD_TRY(draw_noise(k, rng));
  for (int j = 0; j < d; j++)
    k->side[j] = h / 2 * here->pull[j] + root * k->noise[j];
  solve_back(k);
  for (int j = 0; j < d; j++)
    there->w[j] = here->w[j] + k->side[j];
  DPD_TRY(dpd_rng_unit(rng, &u));
  if (dpd_depth_state_set(k, there)) {
    set_pull(k, there);
    log_ratio = there->log_weight - here->log_weight;
    for (int j = 0; j < d; j++) {
      double back = k->noise[j] + root / 2 * (here->pull[j] + there->pull[j]);
      log_ratio += (k->noise[j] * k->noise[j] - back * back) / 2;
    }
  }
  if (adapt) adapt_size(k, fmin(1, exp(log_ratio)));
  if (log(u) < log_ratio) {
    dpd_depth_state old = *here;
    *here = *there;
    *there = old;
  }
  return DPD_OK;
}

dpd_status dpd_depth_drift_plain(dpd_depth_drift *k, dpd_rng *rng, dpd_depth_state *here)
{
  const dpd_lattice *l = &k->m->lattice;
  double h = k->plain_size;
  set_gradient(k, here);
  DPD_TRY(draw_noise(k, rng));
  for (int j = 0; j < k->m->spec.d; j++) {
    double s = k->scale[j];
    double w = here->w[j] + h / 2 * s * s * k->side[j] + sqrt(h) * s * k->noise[j];
    here->w[j] = fmin(fmax(w, l->lo[j]), l->hi[j]);
  }
  (void)dpd_depth_state_set(k, here);
  return DPD_OK;
}
