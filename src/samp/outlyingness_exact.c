/* outlyingness_exact.c - exact draws from exp(-rate O), O the largest of many absolute residuals.
 *
 * METHOD: exp(-c O(w)) = integral over t of c exp(-c t) [O(w) <= t]. So (w, t) is drawn with t
 *   above O(w) and t forgotten. Levels t are cut into shells t_i <= t < t_(i+1); box B_i holds the
 *   polytope {O <= t_(i+1)}. A round proposes shell i with weight |B_i| (exp(-c t_i) -
 *   exp(-c t_(i+1))), t in the shell from the exponential distribution, w uniformly in B_i, and
 *   accepts if O(w) <= t. Given acceptance (w, t) has density c exp(-c t) on O(w) <= t, whatever
 *   the boxes. Boxes: an upper bound of coordinate j on {O <= t} is sum_i y_i (+-b_i + t), y >= 0,
 *   for any combination of constraints that equals e_j. Linear programs at some levels yield such
 *   y; each is valid at all levels, and the least of these lines is taken.
 * EXACT: w lies on a lattice of 2^51 steps or more across the largest box; the distribution is that
 *   of the lattice's points, exactly proportional to exp(-c O) as computed, but for factors within
 *   exp(+-2^-44) from weights and t in doubles. A draw is then spread over its lattice cell, in
 *   which O varies by less than d steps. Shells go from a lower bound of min O to where
 *   Gamma(d, c), added to an upper bound of it, has a tail of 2^-160: since O is convex, O - min O
 *   is stochastically smaller, so the tail's claim needs no small gap between the bounds. Boxes
 *   are widened by more than the rounding of their bounds.
 * COST: 14 d linear programs; a proposal costs d uniform numbers and, with the constraints that
 *   refuse most in front, few products. Proposals a draw: the mean volume of boxes to polytopes.
 *   Memory: O((count + shells) d); the shells are eight times a quantile of Gamma(d, 1), some 900
 *   for d = 1.
 * DEGENERATE: repeated constraints are harmless. A programme that fails leaves the coordinate's own
 *   constraint, which is always valid. Bounds of the minimum that are 1 / rate or more apart, rate
 *   O of 2^30 or more, a box that is a point or is not finite: DPD_ERR_DOMAIN.
 * REFERENCE: Devroye (1986), Non-uniform random variate generation, II.3; the formula of the layer
 *   cake: Lieb and Loss (2001), Analysis, 1.13.
 */
#include "samp/outlyingness_exact.h"

#include <Rmath.h>
#include <math.h>
#include <string.h>

#include "geom/linear_program.h"
#include "samp/bernoulli.h"
#include "samp/rng.h"

#define MOST_LOG 0x1p30   /* of rate O at its minimum: beyond, digits are lost */
#define MOST_GAP 1.0      /* rate times what the bounds of the minimum may differ */
#define SHELL_WIDTH 0.125 /* in units of 1 / rate */
#define TAIL_LOG (-160 * 0.69314718055994530942)
#define GRID_BITS 51
enum { LEVELS = 7 };
static const double level_at[LEVELS] = {0.15, 0.4, 0.7, 1, 1.4, 2, 3.5};

/* A bound from + slope t of a coordinate, valid where O <= t. */
typedef struct {
  double from, slope;
} line;

struct dpd_outlyingness_exact {
  dpd_outlyingness_law law;
  int shells;
  double step, width; /* width of a shell */
  line *bound;        /* 2 d x (LEVELS + 1): upper bounds of w_j, and of -w_j */
  double *lo, *hi;    /* shells x d, in steps of the lattice */
  uint64_t *sum;      /* weights summed up */
  double *keep;       /* the true weight as a share of the integer one */
  int *order;         /* count: constraints, those that refuse most in front */
  double *w;
  double proposals;
};

/* The 2 count constraints +-(g'w - b) <= t as rows; b is filled in for each t. */
static void fill_rows(const dpd_outlyingness_law *law, double *a)
{
  size_t size = (size_t)law->count * (size_t)law->d;
  for (size_t k = 0; k < size; k++) {
    a[k] = law->g[k];
    a[size + k] = -law->g[k];
  }
}

/* The line of multipliers y on the rows of the basis. They may miss e_j by rounding: what is
 * missed is paid with `reach`, a bound of |w| where O <= top. */
static line bound_line(const dpd_lp *lp, const int *basis, const double *y, const double *b,
                       double reach, double top)
{
  line l = {0, 0};
  int count = lp->rows / 2;
  double missed = 0, size = 0;
  for (int k = 0; k < lp->cols; k++) {
    double sum = -lp->c[k];
    for (int i = 0; i < lp->cols; i++)
      sum += y[i] * lp->a[(size_t)basis[i] * (size_t)lp->cols + (size_t)k];
    missed += fabs(sum);
  }
  for (int i = 0; i < lp->cols; i++) {
    double value = basis[i] < count ? b[basis[i]] : -b[basis[i] - count];
    l.from += y[i] * value;
    l.slope += y[i];
    size += y[i] * (fabs(value) + top);
  }
  l.from += missed * reach + 0x1p-40 * (size + reach);
  return l;
}

/* The linear programme of all sides, and its memory. */
typedef struct {
  dpd_lp lp;
  double *rhs, *c, *z;
  int *basis;
  void *work;
  double reach, top;
} programme;

/* All lines of coordinate j upwards (sign 1) or downwards. */
static void bound_side(dpd_outlyingness_exact *s, programme *p, int j, int sign)
{
  const double reach = p->reach, top = p->top;
  double *rhs = p->rhs;
  int *basis = p->basis;
  const dpd_outlyingness_law *law = &s->law;
  int d = law->d, count = law->count;
  line *l = s->bound + (2 * j + (sign < 0)) * (LEVELS + 1);
  for (int k = 0; k < d; k++) {
    p->c[k] = k == j ? sign : 0;
    basis[k] = law->unit[k] + (sign < 0 ? count : 0);
  }
  /* the constraint that is the coordinate itself: always valid */
  l[0] = (line){sign * law->b[law->unit[j]] + 0x1p-40 * (reach + top), 1};
  for (int k = 0; k < LEVELS; k++) {
    double t = law->min + level_at[k] * d / law->rate;
    bool feasible;
    for (int i = 0; i < count; i++) {
      rhs[i] = law->b[i] + t;
      rhs[count + i] = -law->b[i] + t;
    }
    l[k + 1] = l[0];
    if (dpd_lp_maximise(&p->lp, basis, p->work, p->z, &feasible) != DPD_OK || !feasible) continue;
    l[k + 1] = bound_line(&p->lp, basis, dpd_lp_multipliers(d, p->work), law->b, reach, top);
  }
}

static void make_bounds(dpd_outlyingness_exact *s, double top, dpd_alloc alloc)
{
  const dpd_outlyingness_law *law = &s->law;
  int d = law->d, count = law->count;
  double *a = alloc(2 * (size_t)count * (size_t)d, sizeof *a);
  double *rhs = alloc(2 * (size_t)count, sizeof *rhs), *c = alloc(2 * (size_t)d, sizeof *c);
  int *basis = alloc((size_t)d, sizeof *basis);
  void *work = alloc(dpd_lp_scratch(d), 1);
  double reach = 0;
  for (int j = 0; j < d; j++)
    reach = fmax(reach, fabs(law->b[law->unit[j]]) + top);
  fill_rows(law, a);
  programme p = {{a, rhs, c, 2 * count, d, 1e-12 * reach}, rhs, c, c + d, basis, work, reach, top};
  s->bound = alloc(2 * (size_t)d * (LEVELS + 1), sizeof *s->bound);
  for (int j = 0; j < d; j++)
    for (int sign = -1; sign <= 1; sign += 2)
      bound_side(s, &p, j, sign);
}

static double bound_at(const dpd_outlyingness_exact *s, int side, double t)
{
  const line *l = s->bound + side * (LEVELS + 1);
  double min = l[0].from + l[0].slope * t;
  for (int k = 1; k <= LEVELS; k++)
    min = fmin(min, l[k].from + l[k].slope * t);
  return min;
}

/* Boxes in steps of the lattice, and log weights into `keep`. Returns the largest of these. */
static double make_boxes(dpd_outlyingness_exact *s)
{
  int d = s->law.d;
  double max = -INFINITY;
  for (int i = 0; i < s->shells; i++) {
    double t = s->law.min + (i + 1) * s->width, log_weight = -s->law.rate * s->width * i;
    for (int j = 0; j < d; j++) {
      double hi = ceil(bound_at(s, 2 * j, t) / s->step);
      double lo = floor(-bound_at(s, 2 * j + 1, t) / s->step);
      s->hi[(size_t)i * (size_t)d + (size_t)j] = fmax(lo, hi);
      s->lo[(size_t)i * (size_t)d + (size_t)j] = fmin(lo, hi);
      log_weight += log(fabs(hi - lo) + 1);
    }
    s->keep[i] = log_weight;
    max = fmax(max, log_weight);
  }
  return max;
}

/* Integer weights in units of 2^-40 of the heaviest shell; one unit at least. */
static void make_weights(dpd_outlyingness_exact *s, double max)
{
  uint64_t sum = 0;
  for (int i = 0; i < s->shells; i++) {
    double w = exp(s->keep[i] - max) * 0x1p40, whole = ceil(w);
    if (!(whole >= 1)) whole = 1;
    s->keep[i] = w / whole;
    sum += (uint64_t)whole;
    s->sum[i] = sum;
  }
}

dpd_status dpd_outlyingness_exact_open(dpd_outlyingness_exact **out,
                                       const dpd_outlyingness_law *law, dpd_alloc alloc)
{
  dpd_outlyingness_exact *s = alloc(1, sizeof *s);
  size_t d = (size_t)law->d;
  *out = s;
  s->law = *law;
  s->proposals = 0;
  s->width = SHELL_WIDTH / law->rate;
  double wide = law->rate * fmax(law->max - law->min, 0);
  if (!(law->rate > 0) || !(wide < MOST_GAP)) return DPD_ERR_DOMAIN;
  s->shells = (int)ceil((qgamma(TAIL_LOG, law->d, 1, 0, 1) + wide) / SHELL_WIDTH);
  double top = law->min + (s->shells + 1) * s->width;
  if (!(law->rate * top < MOST_LOG)) return DPD_ERR_DOMAIN;
  make_bounds(s, top, alloc);
  double half = 0;
  for (int side = 0; side < 2 * law->d; side++)
    half = fmax(half, fabs(bound_at(s, side, top)));
  if (!(half > 0 && isfinite(half))) return DPD_ERR_DOMAIN;
  s->step = ldexp(1, ilogb(half) - GRID_BITS);
  s->lo = alloc((size_t)s->shells * d, sizeof *s->lo);
  s->hi = alloc((size_t)s->shells * d, sizeof *s->hi);
  s->sum = alloc((size_t)s->shells, sizeof *s->sum);
  s->keep = alloc((size_t)s->shells, sizeof *s->keep);
  s->order = alloc((size_t)law->count, sizeof *s->order);
  s->w = alloc(d, sizeof *s->w);
  for (int u = 0; u < law->count; u++)
    s->order[u] = u;
  make_weights(s, make_boxes(s));
  return DPD_OK;
}

static dpd_status draw_shell(const dpd_outlyingness_exact *s, dpd_rng *rng, int *shell)
{
  uint64_t at;
  int lo = 0, hi = s->shells - 1;
  DPD_TRY(dpd_rng_below(rng, s->sum[hi], &at));
  while (lo < hi) {
    int mid = (lo + hi) / 2;
    if (at < s->sum[mid])
      hi = mid;
    else
      lo = mid + 1;
  }
  *shell = lo;
  return DPD_OK;
}

/* Is O(w) <= t? What refuses moves towards the front. */
static bool within(dpd_outlyingness_exact *s, double t)
{
  const dpd_outlyingness_law *law = &s->law;
  for (int k = 0; k < law->count; k++) {
    int u = s->order[k];
    const double *g = law->g + (size_t)u * (size_t)law->d;
    double sum = -law->b[u];
    for (int j = 0; j < law->d; j++)
      sum += g[j] * s->w[j];
    if (fabs(sum) <= t) continue;
    s->order[k] = s->order[k / 2];
    s->order[k / 2] = u;
    return false;
  }
  return true;
}

static dpd_status propose(dpd_outlyingness_exact *s, dpd_rng *rng, double *at, bool *yes)
{
  int shell, d = s->law.d;
  double unit;
  DPD_TRY(draw_shell(s, rng, &shell));
  DPD_TRY(dpd_bernoulli_double(rng, s->keep[shell], yes));
  if (!*yes) return DPD_OK;
  for (int j = 0; j < d; j++) {
    size_t k = (size_t)shell * (size_t)d + (size_t)j;
    uint64_t step;
    DPD_TRY(dpd_rng_below(rng, (uint64_t)(s->hi[k] - s->lo[k]) + 1, &step));
    at[j] = s->lo[k] + (double)step;
    s->w[j] = at[j] * s->step;
  }
  /* the exponential distribution within the shell, by inversion */
  DPD_TRY(dpd_rng_unit(rng, &unit));
  double above = -log1p(unit * expm1(-SHELL_WIDTH)) / s->law.rate;
  *yes = within(s, s->law.min + shell * s->width + above);
  return DPD_OK;
}

dpd_status dpd_outlyingness_exact_draw(dpd_outlyingness_exact *s, dpd_rng *rng, int rounds,
                                       double *at, double *step)
{
  *step = s->step;
  for (int r = 0; r < rounds; r++) {
    bool yes;
    s->proposals++;
    DPD_TRY(propose(s, rng, at, &yes));
    if (yes) return DPD_OK;
  }
  return DPD_AGAIN;
}

double dpd_outlyingness_exact_proposals(const dpd_outlyingness_exact *s)
{
  return s->proposals;
}
