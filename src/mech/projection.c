/* projection.c - draws around the projection median.
 *
 * METHOD: with a_u = u / S_u the distribution is exp(-rate max |a_u'x - T_u / S_u|). Coordinates w
 *   = A x are taken, A the d vectors a_u of nearly the largest determinant (geom/basis.c): all
 *   vectors then have entries of about one at most, whatever the data's shape and units. The least
 *   outlyingness and its point are a linear program (geom/chebyshev_exact.c); the place is shifted
 *   there, so that no digits are lost. Draws by samp/outlyingness_exact.c or
 *   samp/outlyingness_mcmc.c.
 * ROUNDING: the exact draw is w = step (at + v), v uniform with 54 bits; x = shift + A^-1 w is
 *   summed with about twice the precision of a double and rounded to whole steps, a number of 128
 *   bits. So the released point is the continuous draw's lattice point, up to borders between
 *   lattice points that are off by 2^-52 steps and 2^-100 of the spread. T_u - u'shift, too, is
 *   taken with that precision: how far the data are from zero does not matter.
 * COST: O(count d^2) for the basis and about 3 d exchanges of O(count d) for the place, twice; then
 *   as samp/outlyingness_exact.c or samp/outlyingness_mcmc.c. Memory: O(count d).
 * DEGENERATE: a scale that is not positive, a location that is not finite, or numbers that
 *   overflow: the distribution of T = 0, S = 1, see dpd_projection_open(). Equal directions are
 *   harmless.
 * REFERENCE: Ramsay and Spicker (2024), Differentially private projection-depth-based medians.
 */
#include "mech/projection.h"

#include <math.h>
#include <string.h>

#include "geom/basis.h"
#include "geom/chebyshev_exact.h"
#include "num/error_free.h"
#include "samp/chain_run.h"
#include "samp/outlyingness_exact.h"
#include "samp/outlyingness_mcmc.h"
#include "samp/rng.h"

enum { ROUNDS = 4096, BLOCK_STEPS = 64, DISPERSE_STEPS = 32 };
#define LIMIT 0x1p120 /* of whole numbers of steps */

struct dpd_projection {
  dpd_projection_spec spec;
  dpd_alloc alloc;
  dpd_basis frame;
  dpd_outlyingness_law law;
  double *a, *b;                  /* vectors and right sides, shifted */
  double *shift;                  /* d, in steps */
  double *center;                 /* d: the least outlying point in coordinates w, shifted */
  double *w, *at, *y;             /* d each */
  dpd_outlyingness_exact *shells; /* NULL for chains */
  dpd_outlyingness_mcmc *chain;
  dpd_chain_place place;
  double h;
};

/* Vectors and right sides as they are, or those of T = 0, S = 1. */
static void make_vectors(dpd_projection *p, bool standard)
{
  const dpd_projection_spec *s = &p->spec;
  for (int u = 0; u < s->count; u++) {
    double scale = standard ? 1 : s->spread[u];
    for (int j = 0; j < s->d; j++) {
      size_t k = (size_t)u * (size_t)s->d + (size_t)j;
      p->a[k] = s->dirs[k] / scale;
    }
    p->b[u] = standard ? 0 : s->location[u] / scale;
  }
}

/* The number sum + rest. */
typedef struct {
  double sum, rest;
} twofold;

/* start + sign a'b with about twice the precision of a double. */
static twofold dot_twice(double start, const double *a, const double *b, int d, double sign)
{
  twofold out = {start, 0};
  for (int k = 0; k < d; k++) {
    double error, off, product = dpd_error_free_times(sign * a[k], b[k], &error);
    out.sum = dpd_error_free_minus(out.sum, -product, &off);
    out.rest += off + error;
  }
  return out;
}

/* Moves the place by A^-1 center. T_u - u'shift cancels, so it is taken precisely. */
static void shift_place(dpd_projection *p, bool standard)
{
  const dpd_projection_spec *s = &p->spec;
  int d = s->d;
  for (int j = 0; j < d; j++) {
    for (int k = 0; k < d; k++)
      p->shift[j] += p->frame.inverse[j * d + k] * p->center[k];
  }
  for (int u = 0; u < s->count; u++) {
    double at = standard ? 0 : s->location[u];
    twofold dot = dot_twice(at, s->dirs + (size_t)u * (size_t)d, p->shift, d, -1);
    p->b[u] = (dot.sum + dot.rest) / (standard ? 1 : s->spread[u]);
  }
}

/* The least outlyingness: *least <= it <= *most, `gap` apart at most; numbers are taken times
 * `factor`. Of safe data none is too large for geom/chebyshev_exact.h. */
static bool find_center(dpd_projection *p, const dpd_certified *certified, double factor,
                        double gap, double *min, double *max)
{
  for (int u = 0; u < p->spec.count; u++)
    p->b[u] *= factor;
  if (!dpd_chebyshev_certified(certified, gap * factor, p->center, min, max)) return false;
  for (int u = 0; u < p->spec.count; u++)
    p->b[u] /= factor;
  for (int j = 0; j < p->spec.d; j++)
    p->center[j] /= factor;
  *min /= factor;
  *max /= factor;
  return *max - *min <= gap;
}

static dpd_status prepare(dpd_projection *p, bool standard)
{
  const dpd_projection_spec *s = &p->spec;
  double min, max, factor = ldexp(1, s->rate > 0x1p-30 ? ilogb(s->rate) : -30);
  double gap = 0x1p-4 / factor;
  uint64_t *big = NULL;
  make_vectors(p, standard);
  DPD_TRY(dpd_basis_fit(&p->frame, p->a, s->count, s->d, p->alloc));
  dpd_equations e = {s->count, s->d, p->frame.coef, p->b};
  dpd_certified certified = {.e = &e, .unit = p->frame.row, .big = &big, .alloc = p->alloc};
  certified.scratch = p->alloc(dpd_certified_scratch(s->count, s->d), 1);
  /* where the frame's own residuals vanish: nothing is large from there, wherever the data are */
  memset(p->shift, 0, (size_t)s->d * sizeof *p->shift);
  for (int k = 0; k < s->d; k++)
    p->center[k] = p->b[p->frame.row[k]];
  shift_place(p, standard);
  double rough = fmax(0x1p-20, fmin(0x1p-10, gap));
  if (!find_center(p, &certified, 1, rough, &min, &max)) return DPD_ERR_DOMAIN;
  shift_place(p, standard);
  /* what is left is small; now to a share of the distribution's width */
  if (!find_center(p, &certified, factor, gap, &min, &max)) return DPD_ERR_DOMAIN;
  p->law = (dpd_outlyingness_law){s->count,
                                  s->d,
                                  p->frame.coef,
                                  p->b,
                                  p->frame.row,
                                  s->rate,
                                  fmax(0, min * (1 - 0x1p-50)),
                                  max * (1 + 0x1p-50)};
  return s->chain ? DPD_OK : dpd_outlyingness_exact_open(&p->shells, &p->law, p->alloc);
}

dpd_status dpd_projection_open(dpd_projection **out, const dpd_projection_spec *spec,
                               dpd_alloc alloc)
{
  dpd_projection *p = alloc(1, sizeof *p);
  size_t count = (size_t)spec->count, d = (size_t)spec->d;
  memset(p, 0, sizeof *p);
  *out = p;
  p->spec = *spec;
  p->alloc = alloc;
  p->a = alloc(count * d, sizeof *p->a);
  p->b = alloc(count, sizeof *p->b);
  p->shift = alloc(5 * d, sizeof *p->shift);
  p->center = p->shift + d;
  p->w = p->shift + 2 * d;
  p->at = p->shift + 3 * d;
  p->y = p->shift + 4 * d;
  bool sound = true;
  for (size_t u = 0; u < count; u++)
    sound = sound && spec->spread[u] > 0 && isfinite(spec->spread[u] + spec->location[u]);
  if (sound && prepare(p, false) == DPD_OK) return DPD_OK;
  return prepare(p, true);
}

/* In steps, as a whole number; what is too large for 128 bits, which no safe data make, is cut. */
static dpd_i128 whole_steps(double x, double step, double *rest)
{
  double whole = rint(x / step);
  whole = fmin(fmax(whole, -LIMIT), LIMIT);
  *rest = x / step - whole;
  return (dpd_i128)whole;
}

/* shift + row'(high + low), with about twice the precision of a double, rounded to whole steps. */
static double place(const dpd_projection *p, int j, const double *high, const double *low)
{
  const dpd_projection_spec *s = &p->spec;
  const double *row = p->frame.inverse + j * s->d;
  double off, none;
  twofold dot = dot_twice(p->shift[j], row, high, s->d, 1);
  for (int k = 0; k < s->d; k++)
    dot.rest += row[k] * low[k];
  dpd_i128 whole = whole_steps(dot.sum, s->step, &off);
  whole += whole_steps(off * s->step + dot.rest, s->step, &none);
  return (double)whole * s->step;
}

dpd_status dpd_projection_exact(dpd_projection *p, dpd_rng *rng, double *x)
{
  int d = p->spec.d;
  double step;
  DPD_TRY(dpd_outlyingness_exact_draw(p->shells, rng, ROUNDS, p->at, &step));
  for (int j = 0; j < d; j++) {
    double v;
    DPD_TRY(dpd_rng_unit(rng, &v));
    p->w[j] = p->at[j] * step;
    p->y[j] = (v + 0x1p-54 - 0.5) * step;
  }
  for (int j = 0; j < d; j++)
    x[j] = place(p, j, p->w, p->y);
  return DPD_OK;
}

double dpd_projection_proposals(const dpd_projection *p)
{
  return p->shells == NULL ? 0 : dpd_outlyingness_exact_proposals(p->shells);
}

/* The state's lattice point. */
static void state_value(dpd_projection *p, size_t stride, double *x)
{
  int d = p->spec.d;
  memset(p->y, 0, (size_t)d * sizeof *p->y);
  for (int j = 0; j < d; j++)
    x[(size_t)j * stride] = place(p, j, p->chain->w, p->y);
}

/* A start: the least outlying point, for hit-and-run moved at a quarter of the rate. */
static dpd_status start(dpd_projection *p, dpd_rng *rng, dpd_projection_kind kind)
{
  dpd_outlyingness_mcmc *c = p->chain;
  memcpy(c->w, p->center, (size_t)p->spec.d * sizeof *c->w);
  dpd_outlyingness_mcmc_reset(c);
  if (kind == DPD_LANGEVIN) return DPD_OK;
  c->law.rate = p->law.rate / 4;
  dpd_status status = DPD_OK;
  for (int k = 0; k < DISPERSE_STEPS && status == DPD_OK; k++)
    status = dpd_outlyingness_mcmc_step(c, rng);
  c->law.rate = p->law.rate;
  return status;
}

/* Langevin's step size: steps of a third of the distribution's width in the narrowest direction. */
static double langevin_size(const dpd_projection *p)
{
  double steepest = 0;
  for (int u = 0; u < p->spec.count; u++) {
    double size = 0;
    for (int j = 0; j < p->spec.d; j++) {
      double v = p->a[(size_t)u * (size_t)p->spec.d + (size_t)j];
      size += v * v;
    }
    steepest = fmax(steepest, size);
  }
  return 1 / (9 * p->spec.rate * p->spec.rate * steepest);
}

dpd_status dpd_projection_chain(dpd_projection *p, dpd_rng *rng, const dpd_projection_chains *c,
                                double *x)
{
  const int chains = c->chains, steps = c->steps;
  const dpd_projection_kind kind = c->kind;
  double *trace = c->trace;
  size_t stride = (size_t)chains * (size_t)steps;
  if (p->chain == NULL) {
    p->chain = p->alloc(1, sizeof *p->chain);
    dpd_outlyingness_mcmc_open(p->chain, &p->law, p->alloc);
    p->h = langevin_size(p);
  }
  for (int k = 0; k < BLOCK_STEPS; k++) {
    bool pick, ended;
    if (p->place.step == 0) DPD_TRY(start(p, rng, kind));
    if (kind == DPD_LANGEVIN)
      DPD_TRY(dpd_outlyingness_langevin(p->chain, rng, p->a, p->h));
    else
      DPD_TRY(dpd_outlyingness_mcmc_step(p->chain, rng));
    if (trace != NULL) state_value(p, stride, trace + dpd_chain_run_index(&p->place, steps));
    if (p->place.step % 1024 == 1023 && kind == DPD_HITRUN) dpd_outlyingness_mcmc_reset(p->chain);
    DPD_TRY(dpd_chain_run_next(&p->place, rng, chains, steps, &pick, &ended));
    if (pick) state_value(p, 1, x);
    if (ended) return DPD_OK;
  }
  return DPD_AGAIN;
}
