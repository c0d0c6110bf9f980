/* outlyingness_mcmc.c - Markov chains on exp(-rate O), O the largest of many absolute residuals.
 *
 * METHOD: along a line w + r v the function O is the largest of 2 count lines in r, convex and
 *   piecewise linear. Kept of it is the chord on which the density is above 1e-14 of that at w. The
 *   lines that are largest at the chord's ends meet at some r; what is not above both there is
 *   nowhere, so that few lines are left. From the left end pieces are walked: the next one belongs
 *   to the steeper line that crosses first. A piece is drawn by its mass, and r within it from the
 *   exponential distribution by inversion. The residuals at w are kept up to date.
 *   Langevin: x - (h/2) rate grad O(x) + sqrt(h) normal, as the paper has it, for comparison only.
 * COST: O(count d) per step.
 * DEGENERATE: parallel lines and slopes of zero.
 * REFERENCE: Smith (1984), Efficient Monte Carlo procedures; Lovasz and Vempala (2006), Hit-and-run
 *   from a corner. Ramsay and Spicker (2024), Differentially private projection-depth-based
 *   medians, appendix A.
 */
#include "samp/outlyingness_mcmc.h"

#include <math.h>
#include <string.h>

#include "samp/rng.h"

#define NEGLIGIBLE_LOG 33.0

void dpd_outlyingness_mcmc_open(dpd_outlyingness_mcmc *c, const dpd_outlyingness_law *law,
                                dpd_alloc alloc)
{
  size_t count = (size_t)law->count, d = (size_t)law->d;
  c->law = *law;
  c->at = alloc(2 * count, sizeof *c->at);
  c->slope = c->at + count;
  c->w = alloc(2 * d + 1, sizeof *c->w);
  c->v = c->w + d;
  c->transposed = alloc(count * d, sizeof *c->transposed);
  for (size_t u = 0; u < count; u++)
    for (size_t j = 0; j < d; j++)
      c->transposed[j * count + u] = law->g[u * d + j];
  c->piece = alloc(2 * (count + 2), sizeof *c->piece);
  c->line = c->piece + count + 2;
  c->log_mass = alloc(count + 2, sizeof *c->log_mass);
}

void dpd_outlyingness_mcmc_reset(dpd_outlyingness_mcmc *c)
{
  const dpd_outlyingness_law *law = &c->law;
  for (int u = 0; u < law->count; u++) {
    const double *g = law->g + (size_t)u * (size_t)law->d;
    double sum = -law->b[u];
    for (int j = 0; j < law->d; j++)
      sum += g[j] * c->w[j];
    c->at[u] = sum;
  }
}

static dpd_status draw_direction(dpd_outlyingness_mcmc *c, dpd_rng *rng)
{
  const dpd_outlyingness_law *law = &c->law;
  for (int j = 0; j < law->d; j += 2)
    DPD_TRY(dpd_rng_normals(rng, c->v + j)); /* v has room for one more */
  for (int u = 0; u < law->count; u++)
    c->slope[u] = 0;
  for (int j = 0; j < law->d; j++) {
    const double *g = c->transposed + (size_t)j * (size_t)law->count;
    double v = c->v[j];
#ifdef _OPENMP
#pragma omp simd
#endif
    for (int u = 0; u < law->count; u++)
      c->slope[u] += g[u] * v;
  }
  return DPD_OK;
}

/* The stretch of the line on which O <= top: its ends, and the falling and the rising line there.
 */
static bool find_chord(const dpd_outlyingness_mcmc *c, double top, dpd_line_piece *left,
                       dpd_line_piece *right)
{
  double from = -INFINITY, to = INFINITY;
  int first = -1, last = -1;
  for (int u = 0; u < c->law.count; u++) {
    if (c->slope[u] == 0) continue;
    double by = 1 / fabs(c->slope[u]), value = c->slope[u] < 0 ? -c->at[u] : c->at[u];
    double low = (-top - value) * by, high = (top - value) * by;
    if (low > from) {
      from = low;
      first = u;
    }
    if (high < to) {
      to = high;
      last = u;
    }
  }
  if (first < 0 || !(from < to)) return false;
  double sign = c->slope[first] < 0 ? 1 : -1;
  *left = (dpd_line_piece){from, to, sign * c->at[first], sign * c->slope[first]};
  sign = c->slope[last] < 0 ? -1 : 1;
  *right = (dpd_line_piece){from, to, sign * c->at[last], sign * c->slope[last]};
  return true;
}

/* Keeps the lines that are above those of both ends somewhere, which is where these two meet; the
 * right one is always kept. Returns how many. */
static int keep_lines(dpd_outlyingness_mcmc *c, const dpd_line_piece *left,
                      const dpd_line_piece *right)
{
  double meet = (left->value - right->value) / (right->slope - left->slope);
  double height = left->value + left->slope * meet;
  int kept = 0;
  for (int u = 0; u < c->law.count; u++) {
    double value = c->at[u] + c->slope[u] * meet;
    if (fabs(value) < height) continue;
    c->line[kept++] = value < 0 ? (dpd_line_piece){0, 0, -c->at[u], -c->slope[u]}
                                : (dpd_line_piece){0, 0, c->at[u], c->slope[u]};
  }
  c->line[kept++] = *right;
  return kept;
}

/* Where the piece ends, at the line's end or at the steeper line that crosses first. */
static bool next_piece(const dpd_outlyingness_mcmc *c, int lines, dpd_line_piece *p,
                       dpd_line_piece *next)
{
  double min = p->to;
  int found = -1;
  for (int k = 0; k < lines; k++) {
    const dpd_line_piece *l = c->line + k;
    if (!(l->slope > p->slope)) continue;
    double r = (p->value - l->value) / (l->slope - p->slope);
    if (r > min || (r == min && found >= 0 && l->slope <= c->line[found].slope)) continue;
    min = r;
    found = k;
  }
  if (found < 0) return false;
  *next = c->line[found];
  next->from = fmax(p->from, min);
  next->to = p->to;
  p->to = next->from;
  return true;
}

/* Log of the integral of exp(-rate (value + slope r)) over the piece; -Inf if it is empty. */
static double log_mass(const dpd_line_piece *p, double rate)
{
  double k = rate * p->slope, length = p->to - p->from;
  if (!(length > 0)) return -INFINITY;
  double start = -rate * p->value - k * p->from;
  if (fabs(k * length) < 1e-9) return start + log(length);
  if (k > 0) return start + log(-expm1(-k * length) / k);
  return start - k * length + log(-expm1(k * length) / -k);
}

/* The pieces of the line's distribution and their log masses; returns how many. */
static int find_pieces(dpd_outlyingness_mcmc *c)
{
  double top = 0;
  dpd_line_piece left, right;
  for (int u = 0; u < c->law.count; u++)
    top = fmax(top, fabs(c->at[u]));
  if (!find_chord(c, top + NEGLIGIBLE_LOG / c->law.rate, &left, &right)) return 0;
  int lines = keep_lines(c, &left, &right), count = 0;
  for (bool more = true; more; count++) {
    dpd_line_piece next;
    more = next_piece(c, lines, &left, &next);
    c->piece[count] = left;
    c->log_mass[count] = log_mass(&left, c->law.rate);
    left = next;
  }
  return count;
}

static dpd_status draw_from_piece(const dpd_line_piece *p, double rate, dpd_rng *rng, double *r)
{
  double unit, slope = rate * p->slope, length = p->to - p->from;
  DPD_TRY(dpd_rng_unit(rng, &unit));
  if (fabs(slope * length) < 1e-9)
    *r = p->from + unit * length;
  else if (slope > 0)
    *r = p->from - log1p(unit * expm1(-slope * length)) / slope;
  else
    *r = p->to - log1p(unit * expm1(slope * length)) / slope;
  return DPD_OK;
}

dpd_status dpd_outlyingness_mcmc_step(dpd_outlyingness_mcmc *c, dpd_rng *rng)
{
  double max = -INFINITY, total = 0, at, r;
  DPD_TRY(draw_direction(c, rng));
  int count = find_pieces(c), k = 0;
  for (int i = 0; i < count; i++)
    max = fmax(max, c->log_mass[i]);
  if (!isfinite(max)) return DPD_OK;
  for (int i = 0; i < count; i++)
    total += exp(c->log_mass[i] - max);
  DPD_TRY(dpd_rng_unit(rng, &at));
  at *= total;
  for (; k < count - 1; k++) {
    double mass = exp(c->log_mass[k] - max);
    if (at < mass) break;
    at -= mass;
  }
  DPD_TRY(draw_from_piece(c->piece + k, c->law.rate, rng, &r));
  for (int j = 0; j < c->law.d; j++)
    c->w[j] += r * c->v[j];
  for (int u = 0; u < c->law.count; u++)
    c->at[u] += r * c->slope[u];
  return DPD_OK;
}

dpd_status dpd_outlyingness_langevin(dpd_outlyingness_mcmc *c, dpd_rng *rng, const double *a,
                                     double h)
{
  size_t d = (size_t)c->law.d, worst = 0;
  for (size_t u = 1; u < (size_t)c->law.count; u++)
    if (fabs(c->at[u]) > fabs(c->at[worst])) worst = u;
  double drift = h / 2 * c->law.rate * (c->at[worst] < 0 ? -1 : 1);
  for (size_t j = 0; j < d; j += 2)
    DPD_TRY(dpd_rng_normals(rng, c->v + j));
  for (size_t j = 0; j < d; j++)
    c->v[j] = sqrt(h) * c->v[j] - drift * a[worst * d + j];
  for (size_t j = 0; j < d; j++) {
    const double *axis = a + (size_t)c->law.unit[j] * d;
    for (size_t k = 0; k < d; k++)
      c->w[j] += axis[k] * c->v[k];
  }
  dpd_outlyingness_mcmc_reset(c);
  return DPD_OK;
}
