/* exponential_frame.c - the coordinates that the boxes of the private median's tree live in.
 *
 * METHOD: the axes, or a shear fitted to the rows, whichever has the lighter boxes around the depth
 *   regions (mech/exponential_levels.c). After many refusals, one fitted to the target itself: to
 *   states of a chain from the deep point, whose own directions are fitted by the round before.
 *   In the plane rows at few points have most of the mass on the line between two of them, which no
 *   boxes of the axes cover: where a twentieth of the rows agree in a coordinate, coordinates along
 *   the line through the two heaviest points are offered. (Two fifths of 100,000 rows at either
 *   point and the others anywhere: 0.3 s, and 0.8 s without.) Not where the deep point alone is a
 *   good part of what the boxes weigh.
 *   PRIVATE: any of these are read off the data, and steer speed only. The tree's distribution is
 *   the target on the lattice for any one-to-one map of it.
 * COST: a fit, and for each frame that is offered the boxes of all levels.
 * DEGENERATE: of projections alone there is no sample of rows, and the axes stay.
 * REFERENCE: as mech/exponential.c.
 */
#include <math.h>
#include <string.h>

#include "mech/exponential_state.h"
#include "num/sort.h"
#include "samp/rng.h"

/* Log of so few proposals that no other frame is looked for. */
#define LIGHT 4.0

enum {
  ATOM_ROWS = 4000, /* rows looked at for atoms */
  PAIR_ROWS = 300,  /* rows among which the two heaviest points are sought */
  FRAME_ROUNDS = 3, /* rounds of a chain that the frame is fitted to, */
  FRAME_STEPS = 60  /* so many steps a dimension each */
};

/* A source of numbers that only look random: what they steer affects speed alone. */
static dpd_status scatter_fill(void *state, unsigned char *out, size_t len)
{
  uint64_t *s = state;
  for (size_t i = 0; i < len; i++) {
    *s = *s * 6364136223846793005u + 1442695040888963407u;
    out[i] = (unsigned char)(*s >> 56);
  }
  return DPD_OK;
}

/* The same of projections that are known. */
static bool known_atoms(const dpd_exponential *m)
{
  for (int j = 0; j < m->spec.d; j++)
    for (int i = 0, before = 0; i < m->spec.along[j].size; before = m->spec.along[j].end[i++])
      if (m->spec.along[j].end[i] - before >= m->spec.n / 20 + 3) return true;
  return false;
}

/* Whether a twentieth of the rows, looked at as far as ATOM_ROWS, agree in a coordinate. */
static bool has_atoms(const dpd_exponential *m, dpd_alloc alloc)
{
  size_t n = (size_t)m->spec.n, d = (size_t)m->spec.d, by = n / ATOM_ROWS + 1;
  if (m->spec.along != NULL) return known_atoms(m);
  double *y = alloc(n / by + 1, sizeof *y);
  for (size_t j = 0; j < d; j++) {
    size_t size = 0, run = 1;
    for (size_t i = 0; i < n; i += by)
      y[size++] = m->projected.rows[(size_t)dpd_tally_entry(m->spec.tally, (int)i) * d + j];
    dpd_sort_inplace(y, size);
    for (size_t i = 1; i < size; i++) {
      run = y[i] == y[i - 1] ? run + 1 : 1;
      if (20 * run >= size && run > 2) return true;
    }
  }
  return false;
}

/* Everything that follows from the shear but the tree; the log of what the boxes weigh. */
static double set_frame(dpd_exponential *m)
{
  size_t d = (size_t)m->spec.d;
  if (m->beyond && !m->spec.chain) dpd_shear_reduce(&m->shear, m->deep.start);
  for (size_t j = 0; j < d; j++) {
    double size[3];
    for (size_t k = 0; k < d; k++)
      m->z[k] = k == j;
    dpd_shear_form(&m->shear, m->z, m->bound.form, size);
    for (size_t k = 0; k < d; k++)
      m->bound.extent[j + k * d] = m->bound.form[k];
    m->bound.extent[d * d + j] = size[0];
    m->bound.extent[d * d + d + j] = size[1];
    m->bound.extent[d * d + 2 * d + j] = size[2];
  }
  if (m->beyond) dpd_exponential_frame(m);
  for (int u = 0; u < m->projected.count; u++)
    dpd_exponential_form(m, u);
  return m->spec.chain ? 0 : dpd_exponential_levels_set(m);
}

/* Takes the other shear if its boxes weigh less than *weight, those of the present one. */
static void offer_shear(dpd_exponential *m, const dpd_shear *other, double *weight)
{
  dpd_shear own = m->shear;
  m->shear = *other;
  double offered = set_frame(m);
  if (offered < *weight) {
    *weight = offered;
    return;
  }
  m->shear = own;
  (void)set_frame(m);
}

static dpd_shear_sample sample_rows(const dpd_exponential *m, const double *rows, int n)
{
  double thin = ldexp((double)m->spec.eps.num, -DPD_RATE_BITS - 1) * m->spec.n;
  const dpd_tally *t = rows == m->projected.rows ? m->spec.tally : NULL;
  return (dpd_shear_sample){rows, n, m->spec.d, m->lattice.scale, thin, t};
}

/* Row i of `count` from all over the rows, whatever their order: a row's number. */
static int scattered_row(const dpd_exponential *m, int i, int count)
{
  int n = m->spec.n;
  if (count >= n) return i;
  /* multiples of the golden section modulo 2^32: no period of the rows is met */
  uint64_t at = (uint64_t)i * 2654435769u & 0xffffffffu;
  return (int)(at * (uint64_t)n >> 32);
}

/* Entries at the two points that most of some rows share; false where fewer than two are shared. */
static bool find_pair(const dpd_exponential *m, int pair[2])
{
  const double *x = m->exact.column[0], *y = m->exact.column[1];
  int rows = m->spec.n < PAIR_ROWS ? m->spec.n : PAIR_ROWS, entry[PAIR_ROWS], times[2] = {1, 1};
  for (int i = 0; i < rows; i++)
    entry[i] = dpd_tally_entry(m->spec.tally, scattered_row(m, i, rows));
  for (int i = 0; i < rows; i++) {
    int found = 0, a = entry[i], first = pair[0];
    if (times[0] > 1 && x[a] == x[first] && y[a] == y[first]) continue;
    for (int k = i; k < rows; k++)
      found += x[entry[k]] == x[a] && y[entry[k]] == y[a];
    if (found <= times[1]) continue;
    bool most = found > times[0];
    if (most) {
      times[1] = times[0];
      pair[1] = first;
    }
    times[!most] = found;
    pair[!most] = a;
  }
  return times[1] > 1;
}

static int64_t common_divisor(int64_t a, int64_t b)
{
  while (b != 0) {
    int64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a < 0 ? -a : a;
}

/* In the plane: coordinates along the line through the two heaviest points. All of its lattice
 * points between them are as deep, and what lies beside is not: as many boxes of other coordinates
 * as there are such points hold one of them. */
static void offer_line(dpd_exponential *m, double *weight)
{
  int pair[2] = {0, 0};
  int64_t step[2];
  double at[2];
  dpd_shear along;
  if (!find_pair(m, pair)) return;
  for (int j = 0; j < 2; j++) {
    at[j] = m->exact.column[j][pair[0]];
    step[j] = (int64_t)m->exact.column[j][pair[1]] - (int64_t)at[j];
  }
  int64_t by = common_divisor(step[0], step[1]);
  for (int j = 0; j < 2; j++)
    step[j] /= by;
  dpd_shear_sample none = sample_rows(m, NULL, 0);
  dpd_shear_none(&along, &none, m->alloc);
  if (dpd_shear_along(&along, step, at)) offer_shear(m, &along, weight);
}

/* Do boxes of this weight take few proposals per draw, for the deep point alone? */
static bool is_light(const dpd_exponential *m, double weight)
{
  const dpd_exponential_levels *l = &m->levels;
  double half_eps = ldexp((double)m->spec.eps.num, -DPD_RATE_BITS - 1);
  return l->count > 0 && weight <= LIGHT + half_eps * (m->deep.depth - l->t[l->count - 1]);
}

void dpd_exponential_frame_fit(dpd_exponential *m)
{
  int n = m->spec.along != NULL ? 0 : m->spec.n;
  dpd_shear_sample from = sample_rows(m, m->projected.rows, n);
  dpd_shear axes;
  dpd_shear_fit(&m->shear, &from, m->alloc);
  double weight = set_frame(m);
  if (m->spec.chain) return;
  if (!m->shear.identity) {
    dpd_shear_none(&axes, &from, m->alloc);
    if (!m->shear.reduced) memcpy(axes.unit, m->shear.unit, (size_t)m->spec.d * sizeof *axes.unit);
    offer_shear(m, &axes, &weight);
  }
  m->effort.atoms = has_atoms(m, m->alloc);
  if (m->effort.atoms && m->beyond && m->spec.d == 2 && !is_light(m, weight))
    offer_line(m, &weight);
}

dpd_status dpd_exponential_frame_refit(dpd_exponential *m)
{
  size_t d = (size_t)m->spec.d;
  int steps = FRAME_STEPS * m->spec.d;
  double *state = m->alloc((size_t)steps * d, sizeof *state), *z = m->w;
  uint64_t seed = 1;
  dpd_rng rng;
  dpd_rng_open(&rng, scatter_fill, &seed, DPD_RNG_BUFFER);
  dpd_shear own = m->shear, fitted;
  dpd_shear_sample from = sample_rows(m, state, steps), none = sample_rows(m, state, 0);
  double weight = dpd_exponential_levels_set(m);
  dpd_shear_fit(&m->shear, &none, m->alloc);
  dpd_hit_and_run_open(&m->chain.line, &m->window, &m->lattice, &m->shear,
                       ldexp((double)m->spec.eps.num, -DPD_RATE_BITS - 1), m->alloc);
  memcpy(z, m->deep.start, d * sizeof *z);
  for (int round = 0; round < FRAME_ROUNDS; round++) {
    for (int k = 0; k < steps; k++) {
      DPD_TRY(dpd_hit_and_run_step(&m->chain.line, &rng, z));
      memcpy(state + (size_t)k * d, z, d * sizeof *z);
      if (k % 64 == 0) dpd_exponential_pause(m);
    }
    dpd_shear_fit(&m->shear, &from, m->alloc);
  }
  fitted = m->shear;
  m->shear = own;
  offer_shear(m, &fitted, &weight);
  return DPD_OK;
}
