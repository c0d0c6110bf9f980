/* score_spatial.c - spatial depth and its modified form as integer scores.
 *
 * METHOD: V(z) is the sum over the rows of s(z - x_i), s(v) = v / norm(v), s(0) = 0, in public
 *   units of the coordinates; each unit vector is rounded to integers of 2^-UNIT_BITS, so that the
 *   sum is exact and its order does not matter. The scores are the floors of n R - norm(V) and
 *   (n R)^2 - norm(V)^2, R = 2^UNIT_BITS + ROUNDED. A rounded vector is no longer than R: the
 *   computed one is longer than 1 by less than 2^-50, and rounding adds at most sqrt(d) / 2 <
 *   ROUNDED - 1 for d < 256. So one replaced row moves norm(V) by at most 2 R, and its square,
 *   with W the sum of the other rows, norm(W) <= (n - 1) R, and v, v' the two vectors, by
 *   2 W'(v - v') + v^2 - v'^2 <= 4 (n - 1) R^2 for n >= 2, R^2 for n = 1: it rises in norm(v),
 *   and in norm(v') as long as that is at most (n - 1) R. A row more, v, moves n R - norm(V) by
 *   0..2 R, and the modified score's n-th part by R^2 - v^2 + n / (n + 1) (V / n - v)^2, 0..4 R^2.
 *   Bound: if z is within rho of the box's centre c, a row at distance r > rho from c is seen from
 *   z at an angle of at most asin(rho / r) to where it is seen from c, so its unit vector differs
 *   by at most 2 sin(asin(rho / r) / 2); else by at most 2. (1 - norm(V) / n is not concave.)
 * COST: O(n d) per score or bound, with two square roots per row.
 * DEGENERATE: rows at the point add nothing, so an atom is a peak.
 * REFERENCE: Serfling (2002), A depth function and a scale curve based on spatial quantiles.
 */
#include <math.h>
#include <string.h>

#include "mech/depth_score.h"

enum { UNIT_BITS = 40, ROUNDED = 16, MAX_D = 256 };

/* Multiplying by it is exact, as ldexp() is, and takes no call. */
#define UNITS ((double)((int64_t)1 << UNIT_BITS))
#define ROW_LENGTH (((dpd_u128)1 << UNIT_BITS) + ROUNDED)

typedef struct {
  dpd_score_spec spec;
  int64_t *sum;         /* d: V */
  double *at, *v, *mid; /* d each */
} spatial;

/* The largest integer whose square is at most x. */
static dpd_u128 root_down(dpd_u128 x)
{
  dpd_u128 root = 0;
  for (int bit = 63; bit >= 0; bit--) {
    dpd_u128 more = root | (dpd_u128)1 << bit;
    if (more * more <= x) root = more;
  }
  return root;
}

/* The vector from row i to `at`, in units; its length. */
static double vector_from(const spatial *s, int i, const double *at)
{
  const dpd_projected *p = s->spec.from;
  const double *x = p->rows + (size_t)i * (size_t)p->d;
  double squares = 0;
  for (int j = 0; j < p->d; j++) {
    s->v[j] = (at[j] - x[j]) / s->spec.scale[j];
    squares += s->v[j] * s->v[j];
  }
  return sqrt(squares);
}

static dpd_u128 squared_sum(const spatial *s)
{
  dpd_u128 squares = 0;
  for (int j = 0; j < s->spec.from->d; j++) {
    dpd_u128 size = (dpd_u128)(s->sum[j] < 0 ? -s->sum[j] : s->sum[j]);
    squares += size * size;
  }
  return squares;
}

static dpd_u128 score_at(void *ctx, const double *z)
{
  spatial *s = ctx;
  const dpd_projected *p = s->spec.from;
  memset(s->sum, 0, (size_t)p->d * sizeof *s->sum);
  for (int i = 0; i < p->n; i++) {
    double length = vector_from(s, i, z);
    if (length == 0) continue;
    for (int j = 0; j < p->d; j++)
      s->sum[j] += (int64_t)rint(s->v[j] / length * UNITS);
  }
  dpd_u128 most = (dpd_u128)p->n * ROW_LENGTH, squares = squared_sum(s);
  if (s->spec.kind == DPD_SCORE_SPATIAL_MODIFIED) return most * most - squares;
  dpd_u128 root = root_down(squares);
  return most - root - (root * root < squares); /* the floor of most - sqrt(squares) */
}

/* How far unit vectors may turn: 2 sin(asin(q) / 2), q < 1, and a little more. */
static double chord(double q)
{
  return q * sqrt(2 / (1 + sqrt((1 - q) * (1 + q)))) * (1 + 0x1p-40);
}

/* A lower bound of norm(V) over the box, in rows. */
static double norm_bound(const spatial *s, const dpd_score_box *box)
{
  const dpd_projected *p = s->spec.from;
  double rho = 0, chords = 0, squares = 0;
  for (int j = 0; j < p->d; j++) {
    double half = (box->hi[j] - box->lo[j]) / 2, side = half / s->spec.scale[j];
    s->mid[j] = box->lo[j] + half;
    rho += side * side;
    s->at[j] = 0;
  }
  rho = sqrt(rho) * (1 + 0x1p-40);
  for (int i = 0; i < p->n; i++) {
    double length = vector_from(s, i, s->mid);
    chords += length > rho ? chord(rho / length) : 2;
    if (length == 0) continue;
    for (int j = 0; j < p->d; j++)
      s->at[j] += s->v[j] / length;
  }
  for (int j = 0; j < p->d; j++)
    squares += s->at[j] * s->at[j];
  /* sums of n terms of at most 2; rounded unit vectors */
  double error = (double)p->n * (0x1p-45 * p->n + 0x1p-34);
  return fmax(0, sqrt(squares) - chords - error);
}

static dpd_u128 score_bound(void *ctx, const dpd_score_box *box)
{
  spatial *s = ctx;
  dpd_u128 most = (dpd_u128)s->spec.from->n * ROW_LENGTH;
  dpd_u128 norm = (dpd_u128)ldexp(norm_bound(s, box), UNIT_BITS);
  if (norm > most) norm = most;
  return s->spec.kind == DPD_SCORE_SPATIAL_MODIFIED ? most * most - norm * norm : most - norm;
}

void dpd_score_spatial_open(dpd_depth_score *out, const dpd_score_spec *spec, dpd_alloc alloc)
{
  spatial *s = alloc(1, sizeof *s);
  size_t d = (size_t)spec->from->d;
  memset(s, 0, sizeof *s);
  s->spec = *spec;
  s->sum = alloc(d, sizeof *s->sum);
  s->at = alloc(3 * d, sizeof *s->at);
  s->v = s->at + d;
  s->mid = s->v + d;
  dpd_u128 n = (dpd_u128)spec->from->n, r = ROW_LENGTH;
  *out = (dpd_depth_score){.at = score_at, .bound = score_bound, .ctx = s};
  out->most = spec->kind == DPD_SCORE_SPATIAL_MODIFIED ? n * r * n * r : n * r;
  out->times = 1;
  out->sensitivity = 2 * r;
  out->added = 2 * r;
  if (spec->kind == DPD_SCORE_SPATIAL_MODIFIED) {
    out->sensitivity = n > 1 ? 4 * (n - 1) * r * r : r * r;
    out->added = 4 * n * r * r;
  }
}
