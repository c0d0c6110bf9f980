/* chebyshev_exact.c - the least largest residual, with a proof or by exact arithmetic.
 *
 * METHOD: geom/chebyshev.c works in doubles, and its exchanges may stall or go astray. Its result
 *   is taken if it proves itself: any weights y >= 0 of sum one, and signs, give for all w
 *   max |a'w - b| >= sum y s (a'w - b) >= -sum y s b - sum_j |r_j| |w_j|, r = sum y s a, and some
 *   minimiser has |w_j| <= |b_unit(j)| + upper. If the gap to the largest residual at the point
 *   found is too wide, a and b are rounded to multiples of 2^-64 and the linear program
 *   min t, s (a'w - b) <= t, is solved by the dual simplex method in whole numbers: N = D B^-1, B
 *   the d + 1 constraints of the basis, D = |det B|. Row c for row r: with h = c N, D' = |h_r|,
 *   column j of N becomes (h_r N_j - h_j N_r)/D (Edmonds), which is a whole number. The most
 *   violated constraint comes in for a while, then the first (Bland), so that it ends.
 * COST: as geom/chebyshev.c; the exact way O(d^2 L^2 + count d L) an exchange, L = 1.4 d + 4 limbs.
 * DEGENERATE: any equations, dependent, equal or nearly so.
 * REFERENCE: Bland (1977), New finite pivoting rules for the simplex method; Edmonds (1967),
 *   Systems of distinct representatives and linear algebra; Neumaier and Shcherbina (2004), Safe
 *   bounds in linear and mixed-integer linear programming.
 */
#include "geom/chebyshev_exact.h"

#include <math.h>
#include <string.h>

#include "num/big_integer.h"
#include "num/scratch.h"

enum { SCALE = 64, STEEPEST_STEPS = 30 };

typedef struct {
  const dpd_equations *e;
  int size, limbs;                      /* size = d + 1 */
  uint64_t *n;                          /* size x size numbers, row-major: D times the inverse */
  uint64_t *det, *point, *side;         /* D > 0; D (w, t); one number for sums */
  uint64_t *eta;                        /* size numbers: the entering constraint times n */
  uint64_t *inverse, *work, *one, *two; /* one; three; two each twice as long */
  int *row, *sign;                      /* the basis; row -1 - j: artificial, w_j, or t last */
} basis;

static int limbs_of(int d)
{
  int bits = 1;
  while (1 << bits < d + 2)
    bits++;
  /* minors of d rows by Hadamard, times one more entry and a sum */
  return ((d + 1) * (SCALE + 21 + (bits + 1) / 2 + 1) + SCALE + 32 + 2 * bits + 8) / 64 + 1;
}

/* The workspace: what dpd_chebyshev() needs, and d doubles each. */
typedef struct {
  void *chebyshev;
  double *reach, *spare;
} layout;

static size_t lay_out(layout *k, int count, int d, dpd_scratch a)
{
  k->chebyshev = dpd_scratch_take(&a, dpd_chebyshev_scratch(count, d), 1);
  k->reach = dpd_scratch_take(&a, (size_t)d, sizeof *k->reach);
  k->spare = dpd_scratch_take(&a, (size_t)d, sizeof *k->spare);
  return a.used;
}

size_t dpd_certified_scratch(int count, int d)
{
  layout k;
  return lay_out(&k, count, d, (dpd_scratch){NULL, 0});
}

static layout layout_of(const dpd_certified *s)
{
  layout k;
  lay_out(&k, s->e->count, s->e->d, (dpd_scratch){s->scratch, 0});
  return k;
}

static double largest_side(const dpd_equations *e)
{
  double most = 0;
  for (int u = 0; u < e->count; u++) {
    if (isnan(e->b[u])) return INFINITY;
    most = fmax(most, fabs(e->b[u]));
  }
  return most;
}

static bool fits(const dpd_equations *e)
{
  for (size_t k = 0; k < (size_t)e->count * (size_t)e->d; k++)
    if (!(fabs(e->a[k]) <= DPD_CERTIFIED_COEF)) return false;
  return largest_side(e) <= DPD_CERTIFIED_SIDE;
}

/* What rounding may do to a'w - b where |w| <= reach. */
static double slack_of(const dpd_equations *e, int u, const double *reach)
{
  double sum = fabs(e->b[u]);
  for (int j = 0; j < e->d; j++)
    sum += fabs(e->a[(size_t)u * (size_t)e->d + (size_t)j]) * reach[j];
  return (e->d + 8) * 0x1p-51 * sum;
}

/* The largest residual at w, as a bound that holds. */
static double upper_at(const dpd_equations *e, const double *w, double *reach)
{
  double most = 0;
  for (int j = 0; j < e->d; j++)
    reach[j] = fabs(w[j]);
  for (int u = 0; u < e->count; u++) {
    double r = -e->b[u];
    for (int j = 0; j < e->d; j++)
      r += e->a[(size_t)u * (size_t)e->d + (size_t)j] * w[j];
    r = fabs(r) + slack_of(e, u, reach);
    if (isnan(r)) return INFINITY;
    most = fmax(most, r);
  }
  return most;
}

/* Bounds of |w_j| at the minimisers, whose value is at most `upper`. */
static void set_reach(const dpd_certified *s, double upper, double *reach)
{
  for (int j = 0; j < s->e->d; j++)
    reach[j] = 1.01 * (fabs(s->e->b[s->unit[j]]) + upper);
}

/* The bound that the weights and signs of the reference prove. */
static double lower_of(const dpd_certified *s, const dpd_reference *ref, const double *reach,
                       double *missed)
{
  const dpd_equations *e = s->e;
  double total = 0, value = 0, slack = 0;
  memset(missed, 0, (size_t)e->d * sizeof *missed);
  for (int i = 0; i < ref->size; i++)
    total += ref->weight[i] > 0 ? ref->weight[i] : 0;
  if (!(total > 0)) return 0;
  for (int i = 0; i < ref->size; i++) {
    if (!(ref->weight[i] > 0)) continue;
    double y = ref->sign[i] * (ref->weight[i] / total);
    for (int j = 0; j < e->d; j++)
      missed[j] += y * e->a[(size_t)ref->row[i] * (size_t)e->d + (size_t)j];
    value -= y * e->b[ref->row[i]];
    slack += fabs(y) * slack_of(e, ref->row[i], reach);
  }
  for (int j = 0; j < e->d; j++)
    value -= fabs(missed[j]) * reach[j];
  value -= (1 + 2 * (double)ref->size / (e->d + 8)) * slack;
  return value > 0 ? value : 0; /* also for NaN */
}

static uint64_t *entry(const basis *b, int i, int j)
{
  return b->n + ((size_t)i * (size_t)b->size + (size_t)j) * (size_t)b->limbs;
}

static uint64_t *item(const basis *b, uint64_t *of, int j)
{
  return of + (size_t)j * (size_t)b->limbs;
}

static basis lay_basis(const dpd_certified *s)
{
  basis b = {.e = s->e, .size = s->e->d + 1, .limbs = limbs_of(s->e->d)};
  size_t size = (size_t)b.size, limbs = (size_t)b.limbs;
  if (*s->big == NULL)
    *s->big = s->alloc((size * size + 2 * size + 10) * limbs + 2 * size, sizeof **s->big);
  b.n = *s->big;
  b.point = b.n + size * size * limbs;
  b.eta = b.point + size * limbs;
  b.det = b.eta + size * limbs;
  b.side = b.det + limbs;
  b.inverse = b.side + limbs;
  b.work = b.inverse + limbs;
  b.one = b.work + 3 * limbs;
  b.two = b.one + 2 * limbs;
  b.row = (int *)(b.two + 2 * limbs);
  b.sign = b.row + size;
  return b;
}

/* Rounded to a multiple of 2^-64, as a whole number. */
static dpd_i128 whole(double v)
{
  return (dpd_i128)rint(ldexp(v, SCALE));
}

static dpd_i128 coefficient(const dpd_equations *e, int u, int j)
{
  return whole(e->a[(size_t)u * (size_t)e->d + (size_t)j]);
}

/* The artificial basis w_j <= 0, -t <= 0. */
static void clear(basis *b)
{
  memset(b->n, 0, (size_t)b->size * (size_t)b->size * (size_t)b->limbs * sizeof *b->n);
  for (int j = 0; j < b->size; j++) {
    dpd_big_set(entry(b, j, j), b->limbs, j < b->size - 1 ? 1 : -1);
    b->row[j] = -1 - j;
    b->sign[j] = 1;
  }
  dpd_big_set(b->det, b->limbs, 1);
}

/* eta = (s a, -1) N. */
static void expand(basis *b, int u, int sign)
{
  int last = b->size - 1;
  for (int j = 0; j < b->size; j++) {
    uint64_t *sum = item(b, b->eta, j);
    memcpy(sum, entry(b, last, j), (size_t)b->limbs * sizeof *sum);
    dpd_big_negate(sum, b->limbs);
  }
  for (int i = 0; i < last; i++) {
    dpd_i128 m = sign * coefficient(b->e, u, i);
    if (m == 0) continue;
    for (int j = 0; j < b->size; j++)
      dpd_big_add_times(item(b, b->eta, j), entry(b, i, j), m, b->limbs);
  }
}

/* The constraint of eta takes the place of row r. Requires: eta_r != 0. */
static void pivot(basis *b, int r, int u, int sign)
{
  int limbs = b->limbs;
  uint64_t *h = item(b, b->eta, r);
  int zeros = dpd_big_divisor(b->inverse, b->det, limbs, b->work);
  for (int i = 0; i < b->size; i++) {
    for (int j = 0; j < b->size; j++) {
      if (j == r) continue;
      dpd_big_times(b->one, h, entry(b, i, j), limbs);
      dpd_big_times(b->two, item(b, b->eta, j), entry(b, i, r), limbs);
      dpd_big_subtract(b->one, b->two, 2 * limbs);
      dpd_big_divide(entry(b, i, j), b->one, b->inverse, zeros, limbs);
    }
  }
  memcpy(b->det, h, (size_t)limbs * sizeof *h);
  b->row[r] = u;
  b->sign[r] = sign;
  if (dpd_big_sign(b->det, limbs) > 0) return;
  dpd_big_negate(b->det, limbs);
  for (int i = 0; i < b->size * b->size; i++)
    dpd_big_negate(b->n + (size_t)i * (size_t)limbs, limbs);
}

/* Replaces an artificial constraint by this one; false if it depends on the basis. */
static bool install(basis *b, int u, int sign)
{
  expand(b, u, sign);
  for (int r = 0; r < b->size; r++) {
    if (b->row[r] >= 0 || dpd_big_sign(item(b, b->eta, r), b->limbs) == 0) continue;
    pivot(b, r, u, sign);
    return true;
  }
  return false;
}

/* The unit equations, and the first with the other sign: their weights are 1/2, 1/2 and zeros. */
static void start_fresh(basis *b, const int *unit)
{
  clear(b);
  for (int j = 0; j < b->size - 1; j++)
    install(b, unit[j], 1);
  install(b, unit[0], -1);
}

/* Where the doubles ended, if that is a basis with weights that are not negative. */
static bool start_at(basis *b, const dpd_reference *ref)
{
  clear(b);
  if (ref->size != b->size) return false;
  for (int i = 0; i < b->size; i++)
    if (!install(b, ref->row[i], ref->sign[i])) return false;
  for (int j = 0; j < b->size; j++)
    if (dpd_big_sign(entry(b, b->size - 1, j), b->limbs) > 0) return false;
  return true;
}

/* point = N times the right sides. */
static void find_point(basis *b)
{
  memset(b->point, 0, (size_t)b->size * (size_t)b->limbs * sizeof *b->point);
  for (int j = 0; j < b->size; j++) {
    dpd_i128 side = b->sign[j] * whole(b->e->b[b->row[j]]);
    for (int i = 0; i < b->size; i++)
      dpd_big_add_times(item(b, b->point, i), entry(b, i, j), side, b->limbs);
  }
}

/* A violated constraint: the most violated, or the first. */
static bool find_violated(basis *b, bool first, int *u, int *sign)
{
  int d = b->size - 1, limbs = b->limbs;
  bool found = false;
  memcpy(b->two, item(b, b->point, d), (size_t)limbs * sizeof *b->two); /* what is allowed */
  for (int i = 0; i < b->e->count; i++) {
    memset(b->side, 0, (size_t)limbs * sizeof *b->side);
    for (int j = 0; j < d; j++)
      dpd_big_add_times(b->side, item(b, b->point, j), coefficient(b->e, i, j), limbs);
    dpd_big_add_times(b->side, b->det, -whole(b->e->b[i]), limbs);
    int side = dpd_big_sign(b->side, limbs);
    if (side < 0) dpd_big_negate(b->side, limbs);
    memcpy(b->one, b->side, (size_t)limbs * sizeof *b->one);
    dpd_big_subtract(b->one, b->two, limbs);
    if (dpd_big_sign(b->one, limbs) <= 0) continue;
    found = true;
    *u = i;
    *sign = side;
    if (first) return true;
    memcpy(b->two, b->side, (size_t)limbs * sizeof *b->two);
  }
  return found;
}

/* The constraint that leaves: of the least ratio of weight to eta, the first of such. */
static int find_leaving(basis *b)
{
  int best = -1, last = b->size - 1, limbs = b->limbs;
  for (int j = 0; j < b->size; j++) {
    if (dpd_big_sign(item(b, b->eta, j), limbs) <= 0) continue;
    if (best < 0) {
      best = j;
      continue;
    }
    /* weights are -n / D: is that of j by eta_j below that of best by eta_best? */
    dpd_big_times(b->one, entry(b, last, best), item(b, b->eta, j), limbs);
    dpd_big_times(b->two, entry(b, last, j), item(b, b->eta, best), limbs);
    dpd_big_subtract(b->one, b->two, 2 * limbs);
    int compared = dpd_big_sign(b->one, 2 * limbs), order = b->row[j] - b->row[best];
    if (order == 0) order = b->sign[best] - b->sign[j];
    if (compared < 0 || (compared == 0 && order < 0)) best = j;
  }
  return best;
}

static double ratio_of(const basis *b, const uint64_t *x)
{
  int power, below;
  double value = dpd_big_value(x, b->limbs, &power), det = dpd_big_value(b->det, b->limbs, &below);
  return ldexp(value / det, power - below);
}

void dpd_chebyshev_exact(const dpd_certified *s, bool fresh, double *w, double *lower,
                         double *upper)
{
  int d = s->e->d, u = 0, sign = 1;
  layout own = layout_of(s);
  dpd_reference ref = dpd_chebyshev_reference(s->e->count, d, own.chebyshev);
  basis b = lay_basis(s);
  if (fresh || !start_at(&b, &ref)) start_fresh(&b, s->unit);
  for (int step = 0;; step = step < STEEPEST_STEPS * b.size ? step + 1 : step) {
    find_point(&b);
    if (!find_violated(&b, step >= STEEPEST_STEPS * b.size, &u, &sign)) break;
    expand(&b, u, sign);
    pivot(&b, find_leaving(&b), u, sign);
  }
  for (int j = 0; j < d; j++)
    w[j] = ratio_of(&b, item(&b, b.point, j));
  /* t is in steps of 2^-64; what rounding a and b to these may change */
  double t = ldexp(ratio_of(&b, item(&b, b.point, d)), -SCALE), slack = 1 + t * 0x1p14;
  set_reach(s, largest_side(s->e) + 1, own.reach);
  for (int j = 0; j < d; j++)
    slack += own.reach[j];
  *upper = t + slack * 0x1p-64;
  *lower = fmax(0, t - slack * 0x1p-64);
}

bool dpd_chebyshev_certified(const dpd_certified *s, double gap, double *w, double *lower,
                             double *upper)
{
  const dpd_equations *e = s->e;
  if (!fits(e)) return false;
  layout own = layout_of(s);
  dpd_chebyshev(e, w, lower, upper, own.chebyshev);
  dpd_reference ref = dpd_chebyshev_reference(e->count, e->d, own.chebyshev);
  *upper = upper_at(e, w, own.reach);
  double most = fmin(*upper, largest_side(e) * (1 + 0x1p-40)); /* w = 0 has that; also for NaN */
  set_reach(s, most, own.reach);
  *lower = lower_of(s, &ref, own.reach, own.spare);
  if (*upper - *lower <= gap) return true;
  dpd_chebyshev_exact(s, false, w, lower, upper);
  return true;
}
