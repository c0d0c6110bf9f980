/* angle.c - directions from a point to the rows of planar data, as sortable keys.
 *
 * METHOD: v = (a, b) is folded to a half turn and gets the key b/a in [-1, 1] where |a| > |b|, and
 *   2 - a/b in [1, 3] elsewhere, plus a constant that turns the circle so that the edges of equal
 *   buckets avoid the directions of regular grids; keys of 4 and more go half a turn back. The
 *   sign says whether v or -v has that key's direction.
 * EXACTNESS: when a and b are exact, b/a is correctly rounded, so it is a weakly monotone function
 *   of the true angle; so are the constant added, the 4 taken off and the number of the bucket,
 *   and hence the bucket. Equal directions get equal keys, and keys never contradict angles.
 * ROUNDING: let e bound the error of both coordinates of v. Then the key is off by at most
 *   2e/max(|a|, |b|) + 2^-48: an interval. Rows with max(|a|, |b|) <= e are at p.
 * COST: O(n), without branches, so that compilers use vector registers; wider ones where the
 *   processor has them, with the same operations and the same bits. One int per row.
 * DEGENERATE: rows at p have no key and go to a bucket of their own, the last. Opposite directions
 *   share a key and differ in sign. An error above 2^-8 counts as 2^-8.
 */
#include "plane/angle.h"

#include <math.h>
#include <string.h>

#include "num/branchless.h"
#include "num/simd.h"

/* Any constant far from multiples of simple fractions. */
#define KEY_START 1.7391304712
/* More than the rounding error of the key itself. */
#define KEY_EPS 0x1p-48
/* A row so near p that its direction is unknown is not let to hide all others. */
#define KEY_MAX_ERROR 0x1p-8
/* What the scale is short by, in buckets, with room. */
#define EDGE_PAD 0x1p-26

double dpd_angle_row_error(const dpd_angle *k, int i)
{
  if (k->q.error != NULL) return k->q.error[i];
  if (!(k->q.pad > 0)) return 0;
  double x = fabs(k->q.x[i]) + fabs(k->q.px), y = fabs(k->q.y[i]) + fabs(k->q.py);
  return k->q.pad + DPD_COORDINATE_EPS * (x + y);
}

double dpd_angle_of(double dx, double dy, int *sign)
{
  bool wide = fabs(dx) > fabs(dy);
  double key = (wide ? dy / dx : 2 - dx / dy) + KEY_START;
  bool past = key >= 4;
  *sign = ((wide ? dx : dy) < 0) ^ past;
  return past ? key - 4 : key;
}

void dpd_angle_direction(double key, double v[2])
{
  double raw = key - KEY_START, sign = 1;
  if (raw < -1) {
    raw += 4;
    sign = -1;
  }
  v[0] = sign * (raw <= 1 ? 1 : 2 - raw);
  v[1] = sign * (raw <= 1 ? raw : 1);
}

double dpd_angle_error(double dx, double dy, double e)
{
  double size = fabs(dx) > fabs(dy) ? fabs(dx) : fabs(dy);
  double error = 2 * e / size + KEY_EPS;
  return error < KEY_MAX_ERROR ? error : KEY_MAX_ERROR;
}

void dpd_angle_reach(const dpd_angle *k, double key, double error, int *first, int *last)
{
  *first = (int)floor((key - error) * k->scale - EDGE_PAD);
  *last = (int)floor((key + error) * k->scale + EDGE_PAD);
}

enum { EXACT, GIVEN, PADDED };

/* dpd_angle_code() for one of the three kinds of errors, known when it is compiled.
 * Adding and subtracting `whole` rounds to a whole number. */
DPD_FORCE_INLINE static bool code_rows(const dpd_angle *k, int *code, int kind)
{
  const double *x = k->q.x, *y = k->q.y, *given = k->q.error;
  const double px = k->q.px, py = k->q.py, size_p = fabs(px) + fabs(py), pad = k->q.pad;
  const double scale = k->scale, double_scale = 2 * k->scale, whole = 0x1.8p52;
  const double slack = 1.5 * KEY_EPS * scale + 1.5 * EDGE_PAD, at_p = k->buckets;
  const int n = k->q.n;
  int64_t astride = 0;
#ifdef _OPENMP
#pragma omp simd reduction(| : astride)
#endif
  for (int i = 0; i < n; i++) {
    double xi = x[i], yi = y[i], dx = xi - px, dy = yi - py, ax = fabs(dx), ay = fabs(dy);
    int64_t wide = -(int64_t)(ax > ay);
    double lead = dpd_mask(wide, dx, dy), size = fabs(lead), e = 0;
    if (kind == GIVEN) e = given[i];
    if (kind == PADDED) e = pad + DPD_COORDINATE_EPS * (fabs(xi) + fabs(yi) + size_p);
    double q = dpd_mask(wide, dy, dx) / lead, key = dpd_mask(wide, q, 2 - q) + KEY_START;
    int64_t away = -(int64_t)(size > e), past = -(int64_t)(key >= 4);
    double at = (key - dpd_mask(past, 4, 0)) * scale;
    if (kind != EXACT) {
      double gap = fabs(at - ((at + whole) - whole)) - slack;
      astride |= away & -(int64_t)(gap * size <= e * double_scale);
    }
    int64_t sign = (past ^ -(int64_t)(lead < 0)) & away;
    code[i] = 2 * (int)dpd_mask(away, at, at_p) + (int)dpd_mask(sign, 1, 0);
  }
  return astride != 0;
}

DPD_FORCE_INLINE static bool code_kind(const dpd_angle *k, int *code)
{
  if (k->q.error != NULL) return code_rows(k, code, GIVEN);
  return k->q.pad > 0 ? code_rows(k, code, PADDED) : code_rows(k, code, EXACT);
}

DPD_WIDE static bool code_wide(const dpd_angle *k, int *code)
{
  return code_kind(k, code);
}

bool dpd_angle_code(const dpd_angle *k, int *code)
{
  return DPD_HAS_WIDE ? code_wide(k, code) : code_kind(k, code);
}
