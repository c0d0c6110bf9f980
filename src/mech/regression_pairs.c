/* regression_pairs.c - undecided rows of a box that cannot both count, for a tighter bound.
 *
 * METHOD: over a box an undecided row counts on either side of a split, though often one side is
 *   reached in a corner of the box only, and two rows reach theirs in different corners. At the
 *   split that bounds the box, let row i count for residuals of the sign s_i = +-1. As a form of w
 *   it does so only where s_i (t_i - c_i'w) + e_i >= 0, e_i all rounding and the tolerance. With
 *   the box's middle v, half sides b, A_i = sum_j |c_ij| b_j, d_i = s_i (c_i'v - t_i) - e_i and
 *   g_ij = s_i c_ij b_j / A_i this says d_i / A_i <= -sum_j g_ij x_j at w = v + x b, |x_j| <= 1.
 *   So where
 *       d_i / A_i + d_j / A_j > sum_h |g_ih + g_jh|
 *   no point of the box counts both rows, and one of them is taken off the bound. Pairs are
 *   disjoint; rows are taken in the order of d_i / A_i, the least first, each with the first it
 *   conflicts with. Any disjoint pairs are valid.
 * COST: O(undecided rows) and at most O(k MOST^2), a third of it as a rule.
 * ROUNDING: the slack of a row (mech/regression_rows.c) holds 16 (k + 2) u R_i, of which its bounds
 *   take 5 k + 15 u R_i; d_i takes 4 more. Quotients and sums are of numbers of size 1 at most, in
 *   floats: off by less than 8 (k + 4) 2^-24, which is below MARGIN up to 8 axes.
 * DEGENERATE: more than MOST rows: the first MOST along the direction. Sizes that are no numbers or
 *   rows that the box does not move, conflict with none. Through the origin nothing is taken off.
 *   Copies of an entry of a tally are rows.
 */
#include <math.h>
#include <string.h>

#include "mech/regression_state.h"
#include "num/simd.h"

enum {
  MOST = 96,
  AXES = 8,
  LANES = 8 /* rows that are looked at together */
};
#define MARGIN 1e-4F
#define NEVER (-4.0F) /* of rows that are in a pair: less than any other makes up for */

/* Rows that do not count at the middle of the box, in the order of reach = d / A. */
typedef struct {
  int size;
  float g[AXES][MOST + LANES], reach[MOST + LANES];
} wrong_rows;

/* A split: so many active rows before it, and which sign these count for. */
typedef struct {
  int rows;
  bool before_below;
} split_at;

/* The first split along u where the weight is least, one that counts rows before it below if there
 * is: the same in all sets of rows. rows: -1 if there is none. */
static split_at find_split(const dpd_active_rows *a, int u, const int64_t least[2])
{
  const int *order = a->order + (size_t)u * (size_t)a->room;
  const size_t at = (size_t)u * ((size_t)a->room + 1);
  split_at other = {-1, false};
  int64_t sum = 0;
  for (int s = 0; s <= a->size; s++) {
    int64_t top = sum, bottom = sum;
    bool split = true;
    if (a->run != NULL) {
      top += a->run_top[at + (size_t)s];
      bottom += a->run_bottom[at + (size_t)s];
      if (s == 0 && top < 0) top = 0; /* the split before all rows, which is of no run */
      sum += a->run[at + (size_t)s];
    } else {
      split = s == 0 || order[s - 1] >= 0;
    }
    if (split && top == least[0]) return (split_at){s, true};
    if (split && -bottom == least[1] && other.rows < 0) other.rows = s;
    if (s < a->size) sum += a->term[order[s] < 0 ? ~order[s] : order[s]];
  }
  return other;
}

/* Adds row i `times` times, if it does not count at the middle of the box, in its place. */
static void add_row(wrong_rows *x, const float *g, int axes, float reach, int times)
{
  int at = x->size;
  if (times > MOST - x->size) times = MOST - x->size;
  while (at > 0 && x->reach[at - 1] > reach)
    at--;
  for (int to = x->size + times - 1; to >= at + times; to--) {
    x->reach[to] = x->reach[to - times];
    for (int j = 0; j < axes; j++)
      x->g[j][to] = x->g[j][to - times];
  }
  for (int to = at; to < at + times; to++) {
    x->reach[to] = reach;
    for (int j = 0; j < axes; j++)
      x->g[j][to] = g[j];
  }
  x->size += times;
}

/* The box as its middle and half sides. */
typedef struct {
  double mid[AXES], half[AXES], error;
} box_middle;

static box_middle middle_of(const dpd_shear *s, const double *lo, const double *hi)
{
  box_middle b = {{0}, {0}, 0};
  double reach = 0;
  for (int j = 0; j < s->d; j++) {
    b.mid[j] = lo[j] / 2 + hi[j] / 2;
    b.half[j] = hi[j] / 2 - lo[j] / 2;
    reach = fmax(reach, fmax(fabs(lo[j]), fabs(hi[j])));
  }
  b.error = s->identity ? 0 : s->error * (reach + 1);
  return b;
}

/* Row i, if it counts for residuals of one sign (below: of 0 and less). */
static void take_row(const dpd_regression *m, const dpd_active_rows *a, size_t i, bool below,
                     const box_middle *b, wrong_rows *x)
{
  const size_t room = (size_t)a->room;
  const int k = m->spec.k;
  double c[AXES], size = 0, fit = 0;
  float g[AXES];
  for (int j = 0; j < k; j++) {
    double form = a->forms[i + (size_t)j * room];
    fit += form * b->mid[j];
    c[j] = form * b->half[j];
    size += fabs(c[j]);
  }
  double off = fit + a->sizes[i + 2 * room] - a->target[i];
  double far = (below ? -off : off) - (a->sizes[i] + a->sizes[i + room] * b->error) - a->slack[i];
  if (!(far > 0 && size > 0 && far <= 2 * size)) return;
  for (int j = 0; j < k; j++)
    g[j] = (float)((below ? -c[j] : c[j]) / size);
  add_row(x, g, k, (float)(far / size), dpd_rows_of(a, (int)i));
}

/* Disjoint pairs of rows of which one at most counts. */
static DPD_FORCE_INLINE int count_pairs(wrong_rows *x, int axes)
{
  int pairs = 0;
  for (int t = x->size; t < x->size + LANES; t++)
    x->reach[t] = NEVER;
  for (int i = 0; i < x->size; i++) {
    bool found = x->reach[i] == NEVER;
    for (int from = i + 1; from < x->size && !found; from += LANES) {
      float left[LANES];
      const float *reach = x->reach + from;
      for (int t = 0; t < LANES; t++)
        left[t] = x->reach[i] + reach[t] - MARGIN;
      for (int j = 0; j < axes; j++) {
        const float *g = x->g[j] + from, own = x->g[j][i];
        for (int t = 0; t < LANES; t++)
          left[t] -= fabsf(own + g[t]);
      }
      for (int t = 0; t < LANES && !found; t++) {
        if (!(left[t] > 0)) continue;
        found = true;
        x->reach[from + t] = NEVER;
        pairs++;
      }
    }
  }
  return pairs;
}

DPD_WIDE static int count_pairs_wide(wrong_rows *x, int axes)
{
  return count_pairs(x, axes);
}

int64_t dpd_regression_conflicts(const dpd_regression *m, const dpd_active_rows *a,
                                 const double *lo, const double *hi, const int64_t sum[2],
                                 int64_t weight)
{
  const int u = m->note.at[0], *order = a->order + (size_t)u * (size_t)a->room;
  const int64_t least[2] = {sum[0] * m->weights.up + m->weights.base[0] - weight,
                            sum[1] * m->weights.down + m->weights.base[1] - weight};
  wrong_rows x;
  if (m->spec.k > AXES || m->spec.origin || m->shear.reduced) return 0;
  split_at at = find_split(a, u, least);
  if (at.rows < 0) return 0;
  box_middle b = middle_of(&m->shear, lo, hi);
  x.size = 0;
  memset(x.g, 0, sizeof x.g); /* lanes after the last row */
  for (int s = 0; s < a->size && x.size < MOST; s++) {
    int i = order[s] < 0 ? ~order[s] : order[s];
    if (dpd_undecided(m, a, i)) take_row(m, a, (size_t)i, (s < at.rows) == at.before_below, &b, &x);
  }
  int pairs = DPD_HAS_WIDE ? count_pairs_wide(&x, m->spec.k) : count_pairs(&x, m->spec.k);
  return pairs * (int64_t)(m->weights.up < m->weights.down ? m->weights.up : m->weights.down);
}
