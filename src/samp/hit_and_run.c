/* hit_and_run.c - hit-and-run over a directional depth, with exact draws along lines.
 *
 * METHOD: from z pick a random direction v. Along z + s v the depth is a quasi-concave step
 *   function: {h >= l} is the interval I_l where every direction's projection lies between
 *   its ranks l and n + 1 - l. With L the line within the prior's support and P the
 *   prior's mass on it, the line's distribution is the mixture
 *       exp(e0) P(L) on L, and (exp(e l) - exp(e (l - 1))) P(I_l) on I_l for l above,
 *   e = eps / 2: draw the part, then a point of it from the prior.
 *   Parts are summed from the highest level down until the rest cannot matter.
 *   A radial step has a fixed point a for all states: v = a - z, and in polar coordinates about a
 *   the line's distribution has the further factor |s - 1|^(d - 1). It takes far states to the data
 *   in one step. With a normal prior it is drawn as if the prior were flat, and accepted by the
 *   ratio of the prior's densities.
 * COST: O(count (d + levels)) per step; 3 count + 2 d + 3 levels doubles.
 * DEGENERATE: a line that meets the support in no interval of positive, finite length leaves the
 *   state as it is, and so does a radial step from its own fixed point. A projection that the line
 *   does not change has its slope taken as 1e-300: the level's interval is then not cut, or is
 *   empty. Levels whose interval is a point have no mass. Where the weights of all parts
 *   underflow, the point is drawn from the whole support.
 * REFERENCE: Smith (1984); Lovasz and Vempala (2006) for mixing on log-concave targets.
 */
#include "samp/hit_and_run.h"

#include <Rmath.h>
#include <math.h>

#include "samp/rng.h"

#define NEGLIGIBLE 1e-14

typedef struct {
  double from, to;
} interval;

/* The prior along the line: flat, or normal in s with this mean and sd; or |s - 1|^(power - 1). */
typedef struct {
  bool normal;
  double mean, sd;
  int power;    /* 0 but for radial steps */
  double reach; /* the largest |s - 1| on the line, to keep powers in range */
} line_prior;

void dpd_hit_and_run_open(dpd_hit_and_run *h, const dpd_rank_window *window,
                          const dpd_lattice *lattice, const dpd_shear *shear, double half_eps,
                          dpd_alloc alloc)
{
  size_t count = (size_t)window->from->count, d = (size_t)window->from->d;
  size_t levels = (size_t)(window->high + 2 - window->low);
  h->window = window;
  h->lattice = lattice;
  h->shear = shear;
  h->half_eps = half_eps;
  h->proj = alloc(3 * count, sizeof(double));
  h->slope = h->proj + count;
  h->inverse = h->slope + count;
  h->v = alloc(2 * d, sizeof(double));
  h->back = h->v + d;
  h->weight = alloc(levels, sizeof(double));
  h->ends = alloc(2 * levels, sizeof(double));
}

/* v = M (unit * normals): as long as the data is wide in every direction. */
static dpd_status draw_direction(dpd_hit_and_run *h, dpd_rng *rng)
{
  const dpd_shear *s = h->shear;
  for (int j = 0; j < s->d; j += 2) {
    double pair[2];
    DPD_TRY(dpd_rng_normals(rng, pair));
    h->v[j] = pair[0] * s->unit[j];
    if (j + 1 < s->d) h->v[j + 1] = pair[1] * s->unit[j + 1];
  }
  for (int j = s->d - 1; j >= 0; j--) {
    double sum = 0;
    for (int k = 0; k <= j; k++)
      sum += s->inverse[j * s->d + k] * h->v[k];
    h->v[j] = sum;
  }
  return DPD_OK;
}

/* The part of the line inside the prior's support. */
static interval support_interval(const dpd_hit_and_run *h, const double *z)
{
  const dpd_lattice *l = h->lattice;
  interval part = {-INFINITY, INFINITY};
  for (int j = 0; j < l->prior.d; j++) {
    if (h->v[j] == 0) continue;
    double s = (l->lo[j] - z[j]) / h->v[j], t = (l->hi[j] - z[j]) / h->v[j];
    part.from = fmax(part.from, fmin(s, t));
    part.to = fmin(part.to, fmax(s, t));
  }
  return part;
}

/* I_l within the support; empty when from > to. */
static interval level_interval(const dpd_hit_and_run *h, int level, interval part)
{
  const dpd_rank_window *w = h->window;
  const double *lo = dpd_rank_window_at(w, level);
  const double *hi = dpd_rank_window_mirror(w, level);
  double from = part.from, to = part.to;
#ifdef _OPENMP
#pragma omp simd reduction(max : from) reduction(min : to)
#endif
  for (int u = 0; u < w->from->count; u++) {
    double s = (lo[u] - h->proj[u]) * h->inverse[u], t = (hi[u] - h->proj[u]) * h->inverse[u];
    /* by the slope's sign, not by size: above the middle lo > hi, and the interval is empty */
    bool rising = h->inverse[u] > 0;
    double min = rising ? s : t, max = rising ? t : s;
    from = from > min ? from : min;
    to = to < max ? to : max;
  }
  return (interval){from, to};
}

/* Highest level whose interval is not empty; low - 1 if none in the window is. */
static int highest_level(const dpd_hit_and_run *h, interval part)
{
  int low = h->window->low - 1, fail = h->window->high + 1;
  while (fail - low > 1) {
    int mid = low + (fail - low) / 2;
    interval i = level_interval(h, mid, part);
    if (i.from <= i.to)
      low = mid;
    else
      fail = mid;
  }
  return low;
}

static line_prior prior_on_line(const dpd_hit_and_run *h, const double *z)
{
  const dpd_lattice *l = h->lattice;
  line_prior p = {l->prior.normal, 0, 1, 0, 1};
  if (!p.normal) return p;
  double precision = 0, pull = 0;
  for (int j = 0; j < l->prior.d; j++) {
    double a = h->v[j] / l->scale[j], b = (z[j] - l->mean[j]) / l->scale[j];
    precision += a * a;
    pull -= a * b;
  }
  p.mean = pull / precision;
  p.sd = 1 / sqrt(precision);
  return p;
}

/* Standardised ends, mirrored so that the interval does not lie in the upper tail. */
static bool standardise(const line_prior *p, interval i, double *a, double *b)
{
  *a = (i.from - p->mean) / p->sd;
  *b = (i.to - p->mean) / p->sd;
  if (*a + *b <= 0) return false;
  double t = -*a;
  *a = -*b;
  *b = t;
  return true;
}

/* The integral of |s - 1|^(power - 1) from s = 1 to here, up to a factor. */
static double radial(const line_prior *p, double s)
{
  double r = (s - 1) / p->reach;
  return copysign(pow(fabs(r), p->power), r);
}

static double prior_mass(const line_prior *p, interval i)
{
  double a, b;
  if (!(i.to > i.from)) return 0;
  if (p->power > 0) return radial(p, i.to) - radial(p, i.from);
  if (!p->normal) return i.to - i.from;
  (void)standardise(p, i, &a, &b);
  return pnorm(b, 0, 1, 1, 0) - pnorm(a, 0, 1, 1, 0);
}

static dpd_status draw_from_prior(const line_prior *p, interval i, dpd_rng *rng, double *s)
{
  double u, a, b;
  DPD_TRY(dpd_rng_unit(rng, &u));
  *s = i.from + u * (i.to - i.from);
  if (p->power > 0) {
    double at = radial(p, i.from) + u * (radial(p, i.to) - radial(p, i.from));
    double r = copysign(pow(fabs(at), 1.0 / p->power), at);
    *s = fmin(fmax(1 + p->reach * r, i.from), i.to);
    return DPD_OK;
  }
  if (!p->normal) return DPD_OK;
  bool mirrored = standardise(p, i, &a, &b);
  double low = pnorm(a, 0, 1, 1, 0), high = pnorm(b, 0, 1, 1, 0);
  if (!(high > low)) return DPD_OK; /* so narrow that the prior is flat on it */
  double x = qnorm(low + u * (high - low), 0, 1, 1, 0);
  *s = fmin(fmax(p->mean + p->sd * (mirrored ? -x : x), i.from), i.to);
  return DPD_OK;
}

/* Fills weights and ends of the line's parts from the highest level down; returns their
 * number. Weights are relative to exp(half_eps top). */
static int line_parts(dpd_hit_and_run *h, const line_prior *p, interval support, int top,
                      double *total)
{
  int parts = 0, base = h->window->low - 1;
  double gain = -expm1(-h->half_eps), whole = prior_mass(p, support);
  *total = 0;
  for (int l = top; l > base; l--) {
    double scale = exp(-h->half_eps * (top - l));
    if (scale * whole < NEGLIGIBLE * *total) return parts;
    interval i = level_interval(h, l, support);
    h->ends[2 * parts] = i.from;
    h->ends[2 * parts + 1] = i.to;
    h->weight[parts] = scale * gain * prior_mass(p, i);
    *total += h->weight[parts++];
  }
  h->ends[2 * parts] = support.from;
  h->ends[2 * parts + 1] = support.to;
  h->weight[parts] = exp(-h->half_eps * (top - base)) * whole;
  *total += h->weight[parts++];
  return parts;
}

/* A draw from the line z + s v, v = h->v, in place; unchanged if the line has no part. */
static dpd_status draw_on_line(dpd_hit_and_run *h, dpd_rng *rng, int power, double *z)
{
  const dpd_projected *from = h->window->from;
  double total, at, s;
  for (int u = 0; u < from->count; u++) {
    const double *dir = from->dirs + (size_t)u * (size_t)from->d;
    h->proj[u] = dpd_project(dir, z, from->d);
    h->slope[u] = dpd_project(dir, h->v, from->d);
    h->inverse[u] = 1 / (h->slope[u] != 0 ? h->slope[u] : 1e-300);
  }
  interval support = support_interval(h, z);
  if (!(support.to > support.from) || !isfinite(support.to - support.from)) return DPD_OK;
  line_prior p = {false, 0, 1, power, fmax(fabs(support.from - 1), fabs(support.to - 1))};
  if (power == 0) p = prior_on_line(h, z);
  int parts = line_parts(h, &p, support, highest_level(h, support), &total);
  DPD_TRY(dpd_rng_unit(rng, &at));
  at *= total;
  int k = 0;
  while (k < parts - 1 && at >= h->weight[k])
    at -= h->weight[k++];
  DPD_TRY(draw_from_prior(&p, (interval){h->ends[2 * k], h->ends[2 * k + 1]}, rng, &s));
  for (int j = 0; j < from->d; j++)
    z[j] += s * h->v[j];
  return DPD_OK;
}

dpd_status dpd_hit_and_run_step(dpd_hit_and_run *h, dpd_rng *rng, double *z)
{
  DPD_TRY(draw_direction(h, rng));
  return draw_on_line(h, rng, 0, z);
}

dpd_status dpd_hit_and_run_radial(dpd_hit_and_run *h, dpd_rng *rng, const double *center, double *z)
{
  const dpd_lattice *l = h->lattice;
  double longest = 0, before = 0, after = 0, u;
  for (int j = 0; j < l->prior.d; j++) {
    h->v[j] = center[j] - z[j];
    longest = fmax(longest, fabs(h->v[j]));
    if (l->prior.normal) before += pow((z[j] - l->mean[j]) / l->scale[j], 2);
  }
  if (!(longest > 0)) return DPD_OK;
  DPD_TRY(dpd_rng_unit(rng, &u));
  for (int j = 0; j < l->prior.d; j++)
    h->back[j] = z[j];
  DPD_TRY(draw_on_line(h, rng, l->prior.d, z));
  if (!l->prior.normal) return DPD_OK;
  for (int j = 0; j < l->prior.d; j++)
    after += pow((z[j] - l->mean[j]) / l->scale[j], 2);
  if (log(u) < (before - after) / 2) return DPD_OK;
  for (int j = 0; j < l->prior.d; j++)
    z[j] = h->back[j];
  return DPD_OK;
}
