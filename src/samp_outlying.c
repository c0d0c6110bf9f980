/* samp_outlying.c - Markov chains on exp(-rate O), O the largest of many absolute residuals.
 *
 * METHOD: along a line w + r v the function O is the largest of 2 count lines in r, convex and
 *   piecewise linear. From r = 0 its pieces are walked to both sides: the next piece belongs to the
 *   line of larger slope that crosses first. Walking ends where the density is below 1e-14 of its
 *   largest value and falls. A piece is drawn by its mass, and r within it from the exponential law
 *   by inversion. The residuals at w are kept up to date, and computed afresh now and then.
 *   Langevin: x - (h/2) rate grad O(x) + sqrt(h) normal, as the paper has it, for comparison only.
 * COST: O(count d) a step, and O(count) a piece of the line, about ten.
 * DEGENERATE: parallel lines and slopes of zero; a piece is never longer than the line's next end.
 * REFERENCE: Smith (1984), Efficient Monte Carlo procedures; Lovasz and Vempala (2006), Hit-and-run
 *   from a corner. Ramsay and others (2024), Differentially private projection-depth-based
 *   medians, appendix A.
 */
#include "samp_outlying.h"

#include <math.h>
#include <string.h>

#include "samp_rng.h"

#define NEGLIGIBLE_LOG 33.0
enum { ROOM = 400 };

void dpd_outlying_chain_open(dpd_outlying_chain *c, const dpd_outlying_law *law, dpd_alloc alloc)
{
  size_t count = (size_t)law->count, d = (size_t)law->d;
  c->law = *law;
  c->at = alloc(2 * count, sizeof *c->at);
  c->slope = c->at + count;
  c->w = alloc(2 * d + 1, sizeof *c->w);
  c->v = c->w + d;
  c->piece = alloc(ROOM, sizeof *c->piece);
  c->log_mass = alloc(ROOM, sizeof *c->log_mass);
}

void dpd_outlying_chain_reset(dpd_outlying_chain *c)
{
  const dpd_outlying_law *law = &c->law;
  for (int u = 0; u < law->count; u++) {
    const double *g = law->g + (size_t)u * (size_t)law->d;
    double sum = -law->b[u];
    for (int j = 0; j < law->d; j++)
      sum += g[j] * c->w[j];
    c->at[u] = sum;
  }
}

static dpd_status draw_direction(dpd_outlying_chain *c, dpd_rng *rng)
{
  const dpd_outlying_law *law = &c->law;
  for (int j = 0; j < law->d; j += 2)
    DPD_TRY(dpd_rng_normals(rng, c->v + j)); /* v has room for one more */
  for (int u = 0; u < law->count; u++) {
    const double *g = law->g + (size_t)u * (size_t)law->d;
    double sum = 0;
    for (int j = 0; j < law->d; j++)
      sum += g[j] * c->v[j];
    c->slope[u] = sum;
  }
  return DPD_OK;
}

/* The line that is largest at r = 0, of those the one that is steepest to the right. */
static dpd_line_piece first_piece(const dpd_outlying_chain *c, double sign)
{
  dpd_line_piece p = {0, INFINITY, -1, 0};
  for (int u = 0; u < c->law.count; u++) {
    double value = fabs(c->at[u]);
    double slope = sign * (c->at[u] < 0 ? -c->slope[u] : c->slope[u]);
    if (value > p.value || (value == p.value && slope > p.slope)) {
      p.value = value;
      p.slope = slope;
    }
  }
  return p;
}

/* Where the piece ends, and the next one. In coordinates r = sign times the line's. */
static dpd_line_piece next_piece(const dpd_outlying_chain *c, double sign, dpd_line_piece *p)
{
  double least = INFINITY;
  dpd_line_piece next = {0, INFINITY, 0, 0};
  for (int u = 0; u < c->law.count; u++) {
    double value = c->at[u], slope = sign * c->slope[u];
    if (slope <
        0) { /* only the rising one of the two can be steeper, unless p falls more steeply */
      value = -value;
      slope = -slope;
    }
    for (int twice = 0; twice < 2; twice++) {
      if (slope > p->slope) {
        double r = (p->value - value) / (slope - p->slope);
        if (r < least || (r == least && slope > next.slope)) {
          least = r;
          next.value = value;
          next.slope = slope;
        }
      }
      if (p->slope >= 0) break;
      value = -value;
      slope = -slope;
    }
  }
  p->to = least > p->from ? least : p->from;
  next.from = p->to;
  return next;
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

/* The pieces to one side, from `count` on; returns how many there are then. */
static int walk(dpd_outlying_chain *c, double sign, int count, double *top)
{
  dpd_line_piece *all = c->piece;
  dpd_line_piece p = first_piece(c, sign);
  while (count < ROOM / 2 * (sign > 0 ? 1 : 2)) {
    dpd_line_piece next = next_piece(c, sign, &p);
    double height = -c->law.rate * (p.value + p.slope * p.from);
    if (height > *top) *top = height;
    bool last = p.slope > 0 && height < *top - NEGLIGIBLE_LOG;
    c->log_mass[count] = log_mass(&p, c->law.rate);
    all[count] = p;
    all[count].slope *= sign; /* the side is told by the order of from and to */
    if (sign < 0) {
      all[count].from = -p.to;
      all[count].to = -p.from;
    }
    count++;
    if (last || !(p.to < INFINITY)) break;
    p = next;
  }
  return count;
}

dpd_status dpd_outlying_chain_step(dpd_outlying_chain *c, dpd_rng *rng)
{
  double top = -INFINITY, most = -INFINITY, total = 0, unit;
  DPD_TRY(draw_direction(c, rng));
  int count = walk(c, 1, 0, &top);
  count = walk(c, -1, count, &top);
  for (int k = 0; k < count; k++)
    most = fmax(most, c->log_mass[k]);
  if (!isfinite(most)) return DPD_OK;
  for (int k = 0; k < count; k++)
    total += exp(c->log_mass[k] - most);
  DPD_TRY(dpd_rng_unit(rng, &unit));
  double at = unit * total;
  int k = 0;
  for (; k < count - 1; k++) {
    double mass = exp(c->log_mass[k] - most);
    if (at < mass) break;
    at -= mass;
  }
  DPD_TRY(dpd_rng_unit(rng, &unit));
  const dpd_line_piece *p = c->piece + k;
  double slope = c->law.rate * p->slope, length = p->to - p->from, r;
  if (fabs(slope * length) < 1e-9)
    r = p->from + unit * length;
  else if (slope > 0)
    r = p->from - log1p(unit * expm1(-slope * length)) / slope;
  else
    r = p->to - log1p(unit * expm1(slope * length)) / slope;
  if (!isfinite(r)) return DPD_OK;
  for (int j = 0; j < c->law.d; j++)
    c->w[j] += r * c->v[j];
  for (int u = 0; u < c->law.count; u++)
    c->at[u] += r * c->slope[u];
  return DPD_OK;
}

dpd_status dpd_outlying_langevin(dpd_outlying_chain *c, dpd_rng *rng, const double *a, double h)
{
  int d = c->law.d, worst = 0;
  double most = -1, sign = 0;
  for (int u = 0; u < c->law.count; u++) {
    double sum = -c->law.b[u];
    for (int j = 0; j < d; j++)
      sum += a[(size_t)u * (size_t)d + (size_t)j] * c->w[j];
    if (fabs(sum) <= most) continue;
    most = fabs(sum);
    worst = u;
    sign = sum < 0 ? -1 : 1;
  }
  for (int j = 0; j < d; j += 2)
    DPD_TRY(dpd_rng_normals(rng, c->v + j));
  for (int j = 0; j < d; j++)
    c->w[j] +=
        sqrt(h) * c->v[j] - h / 2 * c->law.rate * sign * a[(size_t)worst * (size_t)d + (size_t)j];
  return DPD_OK;
}
