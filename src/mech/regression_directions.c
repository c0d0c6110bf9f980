/* regression_directions.c - along which directions the private regression bounds a box.
 *
 * METHOD: a bound by any directions is valid; few are asked, since a pass along each costs as much
 *   as the rest. Those that decided most over the box that this one was cut from; where a deep fit
 *   is known, those that are likely to decide: over a box whose middle is a step d from that fit,
 *   rows have residuals of the sign of a_i'd, and the best direction splits them by this sign. So
 *   direction u is judged by |d't_u|, t_u = sum of a_i / |a_i|, with the sign of the half of the
 *   rows along u that row i lies in. And some in turn. The deep fit is about that of least absolute
 *   deviations; it tells most where it lies outside the limits. Private: it steers speed only.
 * COST: O(count k) per box beside the passes; t_u of at most TILT_ROWS rows O(count (n + rows k)).
 * DEGENERATE: rows of no size, or of none that is finite, are left out of t_u. Steps that are no
 *   number choose no direction. A column of zeros takes no part in the fit; no deep fit is known
 *   where numbers are not finite. Entries of a tally count as often as rows that are looked at are
 *   of them, added one by one, so that bits are those of rows.
 */
#include <math.h>
#include <string.h>

#include "mech/regression_state.h"
#include "num/least_deviations.h"

enum {
  TILT_ROWS = 4000,
  LIKELY = 2,     /* directions that are likely to decide, where a deep fit is known, */
  TURNS_AIMED = 1 /* and in turn there; else as many as there are coefficients */
};
#define ROW_SCALE (-900) /* what mech/regression_rows.c multiplies rows by, undone */

/* The least weights over a box, and along which directions, the least first. */
typedef struct {
  dpd_rejection_note note;
  int64_t weight[DPD_REJECTION_NOTES];
} min_weights;

/* Asks direction u, once. */
static void ask(const dpd_regression *m, dpd_active_rows *a, int u, const int64_t sum[2],
                min_weights *l)
{
  for (int i = 0; i < DPD_REJECTION_NOTES; i++)
    if (l->note.at[i] == u) return;
  int64_t weight = dpd_regression_weight(m, a, u, sum);
  int at = DPD_REJECTION_NOTES;
  while (at > 0 && weight < l->weight[at - 1])
    at--;
  if (at == DPD_REJECTION_NOTES) return;
  for (int i = DPD_REJECTION_NOTES - 1; i > at; i--) {
    l->note.at[i] = l->note.at[i - 1];
    l->weight[i] = l->weight[i - 1];
  }
  l->note.at[at] = u;
  l->weight[at] = weight;
}

/* The directions that are likely to decide over the box, the likeliest first; -1 for none. */
static void likely_directions(dpd_regression *m, const double *lo, const double *hi,
                              int best[LIKELY])
{
  size_t count = (size_t)m->spec.count;
  double *judged = m->judged, most[LIKELY];
  memset(judged, 0, count * sizeof *judged);
  for (int j = 0; j < m->spec.k; j++) {
    const double *tilt = m->tilt + (size_t)j * count;
    double step = lo[j] / 2 + hi[j] / 2 - m->deep[j];
    for (size_t u = 0; u < count; u++)
      judged[u] += tilt[u] * step;
  }
  for (int i = 0; i < LIKELY; i++) {
    best[i] = -1;
    most[i] = -1;
  }
  for (size_t u = 0; u < count; u++) {
    int at = LIKELY;
    while (at > 0 && fabs(judged[u]) > most[at - 1])
      at--;
    for (int i = LIKELY - 1; i > at; i--) {
      best[i] = best[i - 1];
      most[i] = most[i - 1];
    }
    if (at == LIKELY) continue;
    best[at] = (int)u;
    most[at] = fabs(judged[u]);
  }
}

int64_t dpd_regression_min_weight(dpd_regression *m, dpd_active_rows *a, const double *lo,
                                  const double *hi, const int64_t sum[2])
{
  min_weights l = {{{-1, -1, -1, -1}, -1}, {INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX}};
  int count = m->spec.count, turns = m->spec.k, best[LIKELY];
  if (m->deep != NULL) {
    turns = TURNS_AIMED;
    likely_directions(m, lo, hi, best);
    for (int i = 0; i < LIKELY; i++)
      if (best[i] >= 0) ask(m, a, best[i], sum, &l);
  }
  for (int i = 0; i < DPD_REJECTION_NOTES; i++)
    if (m->note.at[i] >= 0) ask(m, a, m->note.at[i], sum, &l);
  for (int i = 0; i < turns && i < count; i++) {
    ask(m, a, m->next_direction, sum, &l);
    m->next_direction = m->next_direction + 1 < count ? m->next_direction + 1 : 0;
  }
  m->note = l.note;
  return l.weight[0];
}

/* How many of the rows that are looked at are entry i; its form over its size. */
static void set_shares(const dpd_regression *m, int *looks, double *share)
{
  size_t n = dpd_regression_entries(m), k = (size_t)m->spec.k, all = (size_t)m->spec.n;
  memset(looks, 0, n * sizeof *looks);
  for (size_t i = 0; i < all; i += all / TILT_ROWS + 1)
    looks[dpd_tally_entry(m->spec.tally, (int)i)]++;
  for (size_t i = 0; i < n; i++) {
    double size = 0;
    for (size_t j = 0; j < k; j++) {
      share[i * k + j] = ldexp(m->all.forms[i + j * n], ROW_SCALE);
      size += fabs(share[i * k + j]) * m->shear.unit[j];
    }
    if (!(size > 0 && isfinite(size))) looks[i] = 0;
    for (size_t j = 0; j < k; j++)
      share[i * k + j] /= size;
  }
}

/* t_u of direction u; of `total` rows. */
static void set_tilt(const dpd_regression *m, int u, const int *looks, int total,
                     const double *share, double *sum)
{
  size_t n = dpd_regression_entries(m), k = (size_t)m->spec.k;
  const int *order = m->all.order + (size_t)u * n;
  int passed = 0;
  memset(sum, 0, k * sizeof *sum);
  for (size_t s = 0; s < n; s++) {
    size_t i = m->spec.origin ? s : (size_t)(order[s] < 0 ? ~order[s] : order[s]);
    for (int times = 0; times < looks[i]; times++, passed++) {
      int side = m->spec.origin ? order[s] : 2 * passed < total ? -1 : 1;
      for (size_t j = 0; j < k; j++)
        sum[j] += side * share[i * k + j];
    }
  }
}

/* About the fit of least absolute deviations, as a point w; false: none is found. */
static bool find_fit(const dpd_regression *m, double *w)
{
  size_t n = dpd_regression_entries(m), k = (size_t)m->spec.k, all = (size_t)m->spec.n, d = 0;
  size_t by = all / TILT_ROWS + 1, rows = (all + by - 1) / by;
  double *x = m->alloc((rows + 2) * (k + 1), sizeof *x), *size = x + rows * (k + 1);
  double *b = size + k + 1;
  int *column = m->alloc(k + 1, sizeof *column);
  for (size_t j = 0; j <= k; j++) {
    size[j] = 0;
    for (size_t t = 0; t < rows; t++) {
      size_t i = (size_t)dpd_tally_entry(m->spec.tally, (int)(t * by));
      double constant = ldexp(m->all.sizes[i + 2 * n], ROW_SCALE);
      x[t * (k + 1) + j] = j < k ? ldexp(m->all.forms[i + j * n], ROW_SCALE)
                                 : ldexp(m->all.target[i], ROW_SCALE) - constant;
      size[j] += fabs(x[t * (k + 1) + j]) / (double)rows;
    }
    for (size_t t = 0; t < rows && size[j] > 0; t++)
      x[t * (k + 1) + j] /= size[j];
    if (j < k && size[j] > 0) column[++d] = (int)j;
  }
  column[0] = (int)k;
  double mean = dpd_deviations_fit((dpd_deviations_rows){x, rows, k + 1}, column, d, b, m->alloc);
  for (size_t j = 0, at = 0; j < k; j++)
    w[j] = size[j] > 0 ? b[at++] * size[k] / size[j] : 0;
  return isfinite(mean);
}

/* The deep fit w is known from now on. */
static void set_deep(dpd_regression *m, const double *w)
{
  size_t n = dpd_regression_entries(m), k = (size_t)m->spec.k, count = (size_t)m->spec.count;
  double *deep = m->alloc(2 * k + count * (k + 1), sizeof *deep), *sum = deep + k;
  double *share = m->alloc(n * k, sizeof *share);
  int *looks = m->alloc(n, sizeof *looks), total = 0;
  m->tilt = sum + k;
  m->judged = m->tilt + count * k;
  memcpy(deep, w, k * sizeof *w);
  set_shares(m, looks, share);
  for (size_t i = 0; i < n; i++)
    total += looks[i];
  for (int u = 0; u < m->spec.count; u++) {
    set_tilt(m, u, looks, total, share, sum);
    for (size_t j = 0; j < k; j++)
      m->tilt[(size_t)u + j * count] = sum[j];
  }
  m->deep = deep;
}

void dpd_regression_aim(dpd_regression *m)
{
  double *w = m->alloc((size_t)m->spec.k, sizeof *w);
  if (find_fit(m, w)) set_deep(m, w);
}
