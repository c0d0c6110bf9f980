/* regression_refine.c - where the private regression's boxes are cut before the first proposal.
 *
 * METHOD: least absolute deviations by reweighted least squares give a fit near the deepest;
 *   steps along the axes, halved when none is deeper, a deeper one. A cluster of outliers may
 *   keep both far from the deepest fits: so fits to the half of the rows that is the most
 *   central by its regressors, and to the half nearest to such a fit, are tried, and where one
 *   is deeper the steps go on from there. Where the relation is curved the score has ridges that
 *   lie along no axis, so steps in random directions follow, from a public stream of numbers.
 *   How far from it the score falls by 2 k / eps, along each axis, shows about what mass exp(eps
 *   h / 2) times the prior has there. All boxes whose bounding weight is above a small part of
 *   it would be proposed, refused and cut before a draw is accepted. They are cut at once, in
 *   depth, so that the rows that are undecided in a box are found among those of the boxes that
 *   hold it (mech/regression_active.c). Where many rows are the same (mech/regression_atoms.c),
 *   a fit through them is taken, and the slab of such fits is cut out first. Steers speed only:
 *   whatever is found here, draws have the same distribution.
 * COST: O(rows k^2) and some hundred scores.
 * DEGENERATE: columns that do not determine a fit, numbers that are not finite, or a fit outside
 *   the limits: nothing is cut ahead. A column of zeros, of a level that no row has, takes no
 *   part: any coefficient fits as well as another, so its axis counts with all of its length.
 *   Residuals of 0 get a finite weight.
 */
#include <math.h>
#include <string.h>

#include "mech/regression_state.h"
#include "num/inverse.h"
#include "num/sort.h"
#include "num/splitmix.h"

enum {
  LAD_ROWS = 4000,
  LAD_ROUNDS = 30,
  HALVINGS = 40,
  CONCENTRATIONS = 3, /* fits to the nearer half of the rows, one after the other */
  TRIES = 400,
  WANDERINGS = 400, /* in random directions */
  CARVE_RATIO = 8,  /* of the distances of cuts from fits through rows that many are equal to */
  CUTS = 300, /* times 3^k: cuts; of five coordinates, where more have been of use, so many: */
  WIDE = 5,
  CUTS_WIDE = 900000
};
#define ROW_SCALE (-900) /* what mech/regression_rows.c multiplies rows by, undone */
#define CARVE_FIRST 0x1p36
#define SHORTER 0.1 /* wanderings: powers of two */
#define SHORTEST -10.0
#define LOG_PASS 20.0      /* from one weight that boxes are cut down to, to the next */
#define LOG_ABOVE 1.5      /* k times that: boxes less heavier than that mass are left; */
#define LOG_ABOVE_WIDE 2.0 /* where bounds are as far above scores as there */

/* The columns of the rows' forms, of size about 1; x: rows x (k + 1), row-major, responses last. */
typedef struct {
  int rows, k;
  double *x, *size, *b, *gram, *inverse, *right;
  bool *left_out;         /* rows that the fit is not to */
  double *central, *work; /* rows: how far from the middle the regressors are; free */
} lad_problem;

/* How far rows are from the medians of their regressors, in medians of that, summed. */
static void take_distances(const dpd_regression *m, const size_t *entry, lad_problem *p)
{
  size_t rows = (size_t)p->rows, n = dpd_regression_entries(m);
  double *away = p->work, *sorted = p->work + rows;
  memset(p->central, 0, rows * sizeof *p->central);
  for (size_t j = 0; j < (size_t)p->k; j++) {
    for (int pass = 0; pass < 2; pass++) {
      if (pass == 0)
        for (size_t i = 0; i < rows; i++)
          away[i] = m->spec.fit[entry[i] + j * n];
      memcpy(sorted, away, rows * sizeof *away);
      dpd_sort_inplace(sorted, rows);
      double middle = sorted[rows / 2];
      if (pass == 1 && !(middle > 0)) break;
      for (size_t i = 0; i < rows; i++)
        away[i] = pass == 0 ? fabs(away[i] - middle) : away[i] / middle;
      for (size_t i = 0; pass == 1 && i < rows; i++)
        p->central[i] += away[i];
    }
  }
}

static void take_rows(const dpd_regression *m, lad_problem *p)
{
  size_t all = (size_t)m->spec.n, k = (size_t)m->spec.k, by = all / LAD_ROWS + 1;
  size_t n = dpd_regression_entries(m);
  dpd_alloc alloc = m->alloc;
  p->k = (int)k;
  p->rows = (int)((all + by - 1) / by);
  size_t *entry = alloc((size_t)p->rows, sizeof *entry);
  for (size_t i = 0; i < (size_t)p->rows; i++)
    entry[i] = (size_t)dpd_tally_entry(m->spec.tally, (int)(i * by));
  p->x = alloc((size_t)p->rows * (k + 1), sizeof *p->x);
  p->size = alloc(3 * k + 2 * k * k, sizeof *p->size);
  p->b = p->size + k;
  p->right = p->b + k;
  p->gram = p->right + k;
  p->inverse = p->gram + k * k;
  p->left_out = alloc((size_t)p->rows, sizeof *p->left_out);
  memset(p->left_out, 0, (size_t)p->rows * sizeof *p->left_out);
  p->central = alloc(3 * (size_t)p->rows, sizeof *p->central);
  p->work = p->central + p->rows;
  take_distances(m, entry, p);
  for (size_t j = 0; j < k; j++) {
    double sum = 0;
    for (size_t i = 0; i < (size_t)p->rows; i++)
      sum += fabs(ldexp(m->all.forms[entry[i] + j * n], ROW_SCALE));
    p->size[j] = sum == 0 ? 0 : isfinite(sum) ? sum / p->rows : 1;
    p->b[j] = 0;
  }
  for (size_t at = 0; at < (size_t)p->rows; at++) {
    size_t i = entry[at];
    for (size_t j = 0; j < k; j++)
      p->x[at * (k + 1) + j] =
          p->size[j] > 0 ? ldexp(m->all.forms[i + j * n], ROW_SCALE) / p->size[j] : 0;
    p->x[at * (k + 1) + k] =
        ldexp(m->all.target[i], ROW_SCALE) - ldexp(m->all.sizes[i + 2 * n], ROW_SCALE);
  }
}

static double residual(const lad_problem *p, const double *x)
{
  double r = x[p->k];
  for (int j = 0; j < p->k; j++)
    r -= x[j] * p->b[j];
  return r;
}

/* One round of reweighted least squares; false where the columns do not determine a fit. */
static bool reweigh(lad_problem *p, double min)
{
  int k = p->k;
  memset(p->gram, 0, (size_t)(k * k) * sizeof *p->gram);
  memset(p->inverse, 0, (size_t)(k * k) * sizeof *p->inverse);
  memset(p->right, 0, (size_t)k * sizeof *p->right);
  for (int i = 0; i < p->rows; i++) {
    if (p->left_out[i]) continue;
    const double *x = p->x + (size_t)i * (size_t)(k + 1);
    double r = residual(p, x), w = 1 / (fabs(r) + min);
    for (int j = 0; j < k; j++) {
      p->right[j] += w * x[j] * r;
      for (int l = 0; l < k; l++)
        p->gram[j * k + l] += w * x[j] * x[l];
    }
  }
  for (int j = 0; j < k; j++) {
    p->gram[j * k + j] *= 1 + 1e-9;
    if (p->size[j] == 0) p->gram[j * k + j] = 1;
    p->inverse[j * k + j] = 1;
  }
  if (!dpd_invert(p->gram, p->inverse, k, 1e-300)) return false;
  for (int j = 0; j < k; j++)
    for (int l = 0; l < k; l++)
      p->b[j] += p->inverse[j * k + l] * p->right[l];
  return true;
}

/* About the fit of least absolute deviations to the rows that are not left out; their mean absolute
 * residual, or -1. */
static double fit_deviations(lad_problem *p)
{
  double mean = INFINITY;
  int rows = 0;
  for (int i = 0; i < p->rows; i++)
    rows += !p->left_out[i];
  for (int round = 0; round < LAD_ROUNDS; round++) {
    double sum = 0;
    /* the first round has equal weights */
    if (!reweigh(p, round == 0 ? 1e300 : 1e-3 * mean + 1e-300)) return -1;
    for (int i = 0; i < p->rows; i++)
      sum += p->left_out[i] ? 0 : fabs(residual(p, p->x + (size_t)i * (size_t)(p->k + 1)));
    if (!isfinite(sum)) return -1;
    mean = sum / rows;
  }
  return mean;
}

typedef int score_at(dpd_regression *m, const double *z);

/* The score at w, -1 outside the prior's support. */
static int depth_at(dpd_regression *m, score_at *score, const double *w)
{
  double log_prior;
  dpd_regression_point(m, w, m->z);
  if (!dpd_regression_prior_at(m, m->z, &log_prior)) return -1;
  return score(m, m->z);
}

/* Climbs along the axes; step: k. */
static int climb(dpd_regression *m, score_at *score, double *w, double *step)
{
  int best = depth_at(m, score, w), tries = TRIES, k = m->spec.k;
  for (int half = 0; half < HALVINGS && tries > 0; half++) {
    bool better = true, moving = false;
    while (better && tries > 0) {
      better = false;
      for (int j = 0; j < k; j++)
        for (int side = -1; side <= 1; side += 2) {
          double at = w[j];
          w[j] = at + side * rint(step[j]);
          int depth = step[j] >= 0.5 ? depth_at(m, score, w) : -1;
          tries--;
          if (depth > best) {
            best = depth;
            better = true;
          } else {
            w[j] = at;
          }
        }
    }
    for (int j = 0; j < k; j++) {
      step[j] /= 2;
      moving |= step[j] >= 0.5;
    }
    if (!moving) break;
  }
  return best;
}

/* Steps from w in random directions, of at most about `wide` along the axes: longer ones after one
 * to a deeper fit, shorter ones after others. Most fits prove not to be deeper along a few
 * directions, so that a try costs little beside a score. Returns the score at w. */
static int wander(dpd_regression *m, score_at *score, double *w, const double *wide, int best)
{
  int k = m->spec.k;
  double log_prior, size = 0, *to = m->alloc((size_t)k, sizeof *to);
  uint64_t state = 1;
  for (int i = 0; i < WANDERINGS; i++) {
    for (int j = 0; j < k; j++) {
      double sum = -2; /* of four uniform numbers: about normal */
      for (int l = 0; l < 4; l++)
        sum += (double)(dpd_splitmix_next(&state) >> 11) * 0x1p-53;
      to[j] = w[j] + rint(sum * wide[j] * exp2(size));
    }
    dpd_regression_point(m, to, m->z);
    bool deeper = dpd_regression_prior_at(m, m->z, &log_prior) &&
                  dpd_regression_at_least(m, &m->all, m->z, best + 1);
    if (deeper) {
      memcpy(w, to, (size_t)k * sizeof *w);
      best = score(m, m->z);
    }
    size += deeper ? 1 : -SHORTER;
    if (size > 0 || size < SHORTEST) size = 0;
  }
  return best;
}

/* How far from w along axis j the score falls below `depth`, to both sides together. */
static double width_of(dpd_regression *m, score_at *score, double *w, int j, int depth, double wide)
{
  double at = w[j], sum = 1;
  for (int side = -1; side <= 1; side += 2) {
    double in = 0, out = fmax(1, rint(wide));
    for (int i = 0; i < 12 && out >= in + 1; i++) {
      double mid = i == 0 ? out : floor(sqrt(fmax(in, out / 64) * out));
      if (mid <= in) break;
      w[j] = at + side * mid;
      if (depth_at(m, score, w) >= depth)
        in = mid;
      else
        out = mid;
    }
    sum += in;
  }
  w[j] = at;
  return sum;
}

/* The fit through the rows that many are equal to, one after the other, from the one at w. */
static void pass_through_heavy(const dpd_regression *m, const double *lo, const double *hi,
                               double *w)
{
  size_t n = dpd_regression_entries(m), k = (size_t)m->spec.k;
  for (size_t l = 0; l < (size_t)m->heavy_count; l++) {
    size_t i = (size_t)m->heavy[l], at = k - 1 - l;
    double r = m->all.target[i] - m->all.sizes[i + 2 * n], slope = m->all.forms[i + at * n];
    for (size_t j = 0; j < k; j++)
      r -= m->all.forms[i + j * n] * w[j];
    double step = rint(r / slope);
    if (isfinite(step)) w[at] = fmin(fmax(w[at] + step, lo[at]), hi[at]);
  }
}

/* Cuts about the fits through heavy rows, nearer and nearer: lo, hi the box of all w, changed. */
static void carve_about_heavy(dpd_regression *m, double *lo, double *hi, const double *w)
{
  for (int l = 0; l < m->heavy_count; l++) {
    int j = m->spec.k - 1 - l;
    for (double far = CARVE_FIRST; far >= 1; far /= CARVE_RATIO) {
      lo[j] = fmax(lo[j], w[j] - far - 1);
      hi[j] = fmin(hi[j], w[j] + far + 1);
      if (!dpd_rejection_carve(m->tree, lo, hi)) return;
    }
  }
}

/* Leaves out the rows that lie beyond the half of them. */
static void keep_nearer_half(lad_problem *p, const double *away)
{
  double *sorted = p->work + p->rows;
  memcpy(sorted, away, (size_t)p->rows * sizeof *away);
  dpd_sort_inplace(sorted, (size_t)p->rows);
  for (int i = 0; i < p->rows; i++)
    p->left_out[i] = away[i] > sorted[p->rows / 2];
}

/* The fit as a point w, and steps to climb by. */
static void take_fit(const lad_problem *p, double mean, const double *lo, const double *hi,
                     double *w, double *step)
{
  for (int j = 0; j < p->k; j++) {
    bool idle = p->size[j] == 0;
    w[j] = fmin(fmax(idle ? 0 : rint(p->b[j] / p->size[j]), lo[j]), hi[j]);
    step[j] = idle ? 0 : fmin(mean / p->size[j] / 4, hi[j] - lo[j]);
  }
}

/* Where a deep fit is sought: the box, its scores, and the rows of the problem. */
typedef struct {
  dpd_regression *m;
  score_at *score;
  lad_problem *p;
  const double *lo, *hi;
} deep_search;

/* Climbs from fits to halves of the rows that are deeper than w, whose depth is `best`. The first
 * of them is to the most central rows, the next to those that are nearest to the one before. */
static int climb_from_halves(const deep_search *s, double *w, int best)
{
  dpd_regression *m = s->m;
  lad_problem *p = s->p;
  const double *lo = s->lo, *hi = s->hi;
  size_t k = (size_t)p->k;
  double *start = m->alloc(2 * k, sizeof *start), *step = start + k;
  for (int c = 0; c <= CONCENTRATIONS; c++) {
    for (int i = 0; c > 0 && i < p->rows; i++)
      p->work[i] = fabs(residual(p, p->x + (size_t)i * (k + 1)));
    keep_nearer_half(p, c > 0 ? p->work : p->central);
    double mean = fit_deviations(p);
    if (mean < 0) break;
    take_fit(p, mean, lo, hi, start, step);
    pass_through_heavy(m, lo, hi, start);
    if (depth_at(m, s->score, start) <= best) continue;
    best = climb(m, s->score, start, step);
    memcpy(w, start, k * sizeof *w);
  }
  return best;
}

bool dpd_regression_aim(dpd_regression *m, score_at *score)
{
  int k = m->spec.k, best;
  size_t d = (size_t)k;
  lad_problem p;
  double log_prior, *w = m->alloc(5 * d, sizeof *w), *step = w + d, *lo = step + d, *hi = lo + d;
  double *wide = hi + d;
  double half_eps = ldexp((double)m->tree->eps.num, -DPD_RATE_BITS - 1);
  dpd_regression_cover(m, lo, hi);
  take_rows(m, &p);
  double mean = fit_deviations(&p);
  if (mean < 0) return false;
  take_fit(&p, mean, lo, hi, w, step);
  memcpy(wide, step, d * sizeof *step);
  pass_through_heavy(m, lo, hi, w);
  best = climb(m, score, w, step);
  best = climb_from_halves(&(deep_search){m, score, &p, lo, hi}, w, best);
  if (best < 0) { /* the prior has no mass there, but it says which directions decide most */
    for (int j = 0; j < k; j++)
      w[j] = p.size[j] > 0 ? p.b[j] / p.size[j] : 0;
    dpd_regression_set_deep(m, w);
    return false;
  }
  best = wander(m, score, w, wide, best);
  dpd_regression_point(m, w, m->z);
  if (!dpd_regression_prior_at(m, m->z, &log_prior)) return false;
  dpd_rejection_goal goal = {.score = best,
                             .most = CUTS,
                             .log_mass = log_prior + (k < WIDE ? LOG_ABOVE : LOG_ABOVE_WIDE) * k,
                             .step = k < WIDE ? 0 : LOG_PASS};
  for (int j = 0; j < k; j++) {
    double far = p.size[j] > 0 ? fmin(4 * mean / p.size[j] + 1, hi[j] - lo[j]) : hi[j] - lo[j];
    goal.log_mass += log(width_of(m, score, w, j, best - (int)fmin(best, k / half_eps), far) / k);
    goal.most = k < WIDE ? 3 * goal.most : CUTS_WIDE;
  }
  dpd_regression_set_deep(m, w);
  carve_about_heavy(m, lo, hi, w);
  dpd_rejection_aim(m->tree, &goal);
  return true;
}
