/* slab_bound.c - bounds of regression depth over boxes of fits.
 *
 * METHOD: the score U of a box lo_k <= s_k <= hi_k is the maximum over all t of
 *   min over directions, splits and both signs of the count of rows that may have r >= 0 on one
 *   side of the split and r <= 0 on the other, for some s of the box: [b_i, a_i] holds
 *   y_i - sum s_k u_ik for all s of the box, rounding included, and r_i >= 0 may be where
 *   t v_i <= a_i, r_i <= 0 where t v_i >= b_i. So U is no less than the depth of any fit in the
 *   box, and one replaced row moves it by at most one: for each t, split and sign a row adds what
 *   it alone gives. The maximum over t lies where a half line of some row ends, all that begin
 *   there or before being counted: rows change one at a time in trees, one per direction, over the
 *   groups of equal values that hold sums of [r <= 0] - [r >= 0], their least and their largest
 *   prefix.
 *   For another quantile, tau = above / (above + below), a side's rows count less what is expected
 *   of them, in parts of each = above + below: each [r >= 0] - below on one side and
 *   each [r <= 0] - above on the other; a replaced row moves such a U by 2 max(above, below).
 *   U separates boxes by s_k u_ik: where all u_ik are far from 0, only narrow ones. The bound
 *   within a larger box turns t into t + sum c_k s_k and u_ik into u_ik - c_k v_i, about 0, c_k the
 *   weighted median of u_ik / v_i: the same fits, so the same depths. Room is made for half the
 *   sides of the boxes within, fine_k |u_ik| / 2, and for rounding of numbers of the box's size.
 * COST: O(n log n) per direction. Memory O(n) per direction.
 * DEGENERATE: equal values are never split. v_i = 0: the row's signs do not depend on t.
 * REFERENCE: Rousseeuw and Hubert (1999), Regression depth; vignettes/proofs-region.Rmd.
 */
#include "mech/slab_bound.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "depth/regression.h"
#include "num/merge_sort.h"

/* c_k: the weighted median of u_k / v, and those of the ratios below it and above it. */
enum { CENTRES = 3 };

/* Where a row's half line begins or ends. */
typedef struct {
  double at;
  int row;
} event;

/* Sums of above - below over a range of groups, and of its prefixes the least and largest. */
typedef struct {
  int sum, lo, hi;
} node;

struct dpd_slab_bound {
  dpd_slab_rows rows;
  double *pad;     /* n: what rounding may do to y - sum s u */
  double *centred; /* n x slopes, for each centre: u - c v, rounded */
  double pull[DPD_SLAB_SLOPES], centre[CENTRES][DPD_SLAB_SLOPES];
  double *lower, *upper; /* n: b_i and a_i */
  event *start, *end, *spare;
  int *group, *leaves; /* n x directions, directions */
  node **tree;         /* directions: 2 leaves each, the root at 1 */
  int above, below;    /* what all rows add with r >= 0, with r <= 0 */
  int each, tilt;      /* a row's part of the counts, and what it always adds to the trees */
};

static bool later(const dpd_slab_bound *m, const event *a, const event *b)
{
  (void)m;
  return a->at > b->at;
}

DPD_DEFINE_MERGE_SORT(sort_events, dpd_slab_bound, event, later, 8)

/* -- the trees ------------------------------------------------------------------------------ */

static node join(node a, node b)
{
  int lo = a.sum + b.lo, hi = a.sum + b.hi;
  return (node){a.sum + b.sum, lo < a.lo ? lo : a.lo, hi > a.hi ? hi : a.hi};
}

static node leaf(int sum)
{
  return (node){sum, sum < 0 ? sum : 0, sum > 0 ? sum : 0};
}

static void change(dpd_slab_bound *m, int row, int by)
{
  for (int d = 0; d < m->rows.directions; d++) {
    node *tree = m->tree[d];
    int at = m->leaves[d] + m->group[(size_t)d * (size_t)m->rows.n + (size_t)row];
    tree[at] = leaf(tree[at].sum + by);
    for (at /= 2; at > 0; at /= 2)
      tree[at] = join(tree[2 * at], tree[2 * at + 1]);
  }
}

static int count_now(const dpd_slab_bound *m)
{
  int min = INT_MAX;
  for (int d = 0; d < m->rows.directions; d++) {
    int up = m->above - m->tree[d][1].hi, down = m->below + m->tree[d][1].lo;
    int now = up < down ? up : down;
    if (now < min) min = now;
  }
  return min;
}

/* -- the score of a box --------------------------------------------------------------------- */

/* [b_i, a_i] for `u` and the pads in `upper`. */
static void set_ranges(dpd_slab_bound *m, const dpd_slab_box *box, const double *u)
{
  const dpd_slab_rows *r = &m->rows;
  for (int i = 0; i < r->n; i++) {
    double pad = m->upper[i], low = r->y[i], high = r->y[i];
    for (int k = 0; k < r->slopes; k++) {
      double x = u[(size_t)k * (size_t)r->n + (size_t)i], a = box->lo[k] * x, b = box->hi[k] * x;
      low -= a < b ? b : a;
      high -= a < b ? a : b;
    }
    m->lower[i] = low - pad;
    m->upper[i] = high + pad;
  }
}

/* a / v, rounded up or down by enough; monotone in a. No coefficient is beyond 2^1000. Bounds hold
 * without: sweeps need the order only, up to ties, and shift_range() has room of its own. */
static double quotient(double a, double v, int up)
{
  if (v == 1) return a;
  double q = fmin(fmax(a / v, -0x1p1000), 0x1p1000);
  return q + up * (fabs(q) * (4 * DBL_EPSILON) + DBL_MIN);
}

static double begins(const dpd_slab_bound *m, int i)
{
  double v = m->rows.v[i];
  return v == 0 ? 0 : quotient(v > 0 ? m->lower[i] : m->upper[i], v, -1);
}

static double ends(const dpd_slab_bound *m, int i)
{
  double v = m->rows.v[i];
  return v == 0 ? 0 : quotient(v > 0 ? m->upper[i] : m->lower[i], v, 1);
}

/* The signs that rows may have at t = -Inf. */
static void set_signs(dpd_slab_bound *m)
{
  int n = m->rows.n;
  m->above = -n * m->rows.below;
  m->below = -n * m->rows.above;
  for (int d = 0; d < m->rows.directions; d++)
    memset(m->tree[d], 0, 2 * (size_t)m->leaves[d] * sizeof **m->tree);
  for (int i = 0; i < n; i++) {
    double v = m->rows.v[i];
    bool up = v == 0 ? m->upper[i] >= 0 : v > 0, down = v == 0 ? m->lower[i] <= 0 : v < 0;
    m->above += up * m->each;
    m->below += down * m->each;
    for (int d = 0; d < m->rows.directions; d++)
      m->tree[d][m->leaves[d] + m->group[(size_t)d * (size_t)n + (size_t)i]].sum +=
          (up - down) * m->each + m->tilt;
  }
  for (int d = 0; d < m->rows.directions; d++) {
    node *tree = m->tree[d];
    for (int g = m->leaves[d]; g < 2 * m->leaves[d]; g++)
      tree[g] = leaf(tree[g].sum);
    for (int g = m->leaves[d] - 1; g > 0; g--)
      tree[g] = join(tree[2 * g], tree[2 * g + 1]);
  }
}

/* A half line of row i begins, or one ends: the row's [r >= 0] - [r <= 0] falls with t if v > 0. */
static void pass(dpd_slab_bound *m, int i, bool begin)
{
  double v = m->rows.v[i];
  if (v == 0) return;
  if ((v > 0) == begin)
    m->below += begin ? m->each : -m->each;
  else
    m->above += begin ? m->each : -m->each;
  change(m, i, v > 0 ? -m->each : m->each);
}

static void open_sweep(dpd_slab_bound *m)
{
  int n = m->rows.n;
  for (int k = 0; k < n; k++) {
    m->start[k].at = begins(m, m->start[k].row);
    m->end[k].at = ends(m, m->end[k].row);
  }
  sort_events(m, m->start, m->spare, n);
  sort_events(m, m->end, m->spare, n);
  set_signs(m);
}

static int sweep(dpd_slab_bound *m, int enough)
{
  int n = m->rows.n, max = INT_MIN;
  open_sweep(m);
  bool risen = true;
  for (int s = 0, e = 0; e < n;) {
    if (s < n && m->start[s].at <= m->end[e].at) {
      pass(m, m->start[s++].row, true);
      risen = true;
      continue;
    }
    if (risen) {
      int now = count_now(m);
      if (now > max) max = now;
      if (max >= enough) return max;
      risen = false;
    }
    pass(m, m->end[e++].row, false);
  }
  return max;
}

/* Narrows `range` to the t within it with counts of `enough` or more; false: there are none. */
static bool narrow(dpd_slab_bound *m, int enough, double *range)
{
  const int n = m->rows.n;
  double first = INFINITY, last = -INFINITY, since = -INFINITY;
  open_sweep(m);
  for (int s = 0, e = 0; e <= n;) {
    bool begin = s < n && m->start[s].at <= m->end[e].at;
    double at = begin ? m->start[s].at : e < n ? m->end[e].at : INFINITY;
    if (at >= range[0] && since <= range[1] && count_now(m) >= enough) {
      first = fmin(first, since);
      last = at;
    }
    since = at;
    if (begin)
      pass(m, m->start[s++].row, true);
    else if (e++ < n)
      pass(m, m->end[e - 1].row, false);
  }
  range[0] = fmax(range[0], first);
  range[1] = fmin(range[1], last);
  return first <= last;
}

int dpd_slab_bound_of(dpd_slab_bound *m, const dpd_slab_box *box, int enough)
{
  memcpy(m->upper, m->pad, (size_t)m->rows.n * sizeof *m->upper);
  set_ranges(m, box, m->rows.u);
  return sweep(m, enough);
}

/* Room for what a part's own score has, and for rounding of numbers as large as this box's. */
static void set_wide_ranges(dpd_slab_bound *m, const dpd_slab_box *box, const double *fine,
                            int centre)
{
  const dpd_slab_rows *r = &m->rows;
  size_t n = (size_t)r->n;
  const double *centred = m->centred + (size_t)centre * (size_t)r->slopes * n;
  for (size_t i = 0; i < n; i++) {
    double part = m->pad[i], size = fabs(r->y[i]), v = fabs(r->v[i]);
    for (int k = 0; k < r->slopes; k++) {
      double u = fabs(r->u[(size_t)k * n + i]), shifted = fabs(centred[(size_t)k * n + i]);
      part += fine[k] / 2 * u;
      size += fmax(fabs(box->lo[k]), fabs(box->hi[k])) * (u + shifted + 0x1p-900);
    }
    /* quotients by 1 are not rounded */
    double unit = r->v[i] == 1 ? (2 * r->slopes + 3) * (DBL_EPSILON / 2) : 0x1p-47;
    m->upper[i] = part * (1 + 0x1p-40) + unit * size + 4 * DBL_MIN * (1 + v);
  }
  set_ranges(m, box, centred);
}

int dpd_slab_bound_within(dpd_slab_bound *m, const dpd_slab_box *box, const double *fine,
                          int enough)
{
  set_wide_ranges(m, box, fine, 0);
  return sweep(m, enough);
}

/* From t + sum c_k s_k of one centre to the next one's, over the box; all t if large. */
static void shift_range(const dpd_slab_bound *m, const dpd_slab_box *box, int from, double *range)
{
  for (int k = 0; k < m->rows.slopes; k++) {
    double by = m->centre[from + 1][k] - m->centre[from][k];
    double a = by * box->lo[k], b = by * box->hi[k], room = 0x1p-48 * (fabs(a) + fabs(b)) + DBL_MIN;
    range[0] += fmin(a, b) - room - 0x1p-48 * fabs(range[0]);
    range[1] += fmax(a, b) + room + 0x1p-48 * fabs(range[1]);
  }
  if (!(range[0] > -0x1p900)) range[0] = -INFINITY;
  if (!(range[1] < 0x1p900)) range[1] = INFINITY;
}

bool dpd_slab_bound_may_reach(dpd_slab_bound *m, const dpd_slab_box *box, const double *fine,
                              int enough)
{
  double range[2] = {-INFINITY, INFINITY};
  for (int centre = 0; centre < CENTRES; centre++) {
    set_wide_ranges(m, box, fine, centre);
    if (!narrow(m, enough, range)) return false;
    if (centre + 1 < CENTRES) shift_range(m, box, centre, range);
  }
  return true;
}

double dpd_slab_bound_pull(const dpd_slab_bound *m, int k)
{
  return m->pull[k];
}

/* -- what is made of the rows once ---------------------------------------------------------- */

/* The weighted median of u / v between two numbers, weights |v|: of all, the least sum of
 * |u - c v|. 0 if products with it are large. */
static double centre_of(dpd_slab_bound *m, const double *u, double above, double below)
{
  const dpd_slab_rows *r = &m->rows;
  double total = 0, sum = 0, largest = 0, c = 0;
  int n = 0;
  for (int i = 0; i < r->n; i++) {
    double ratio = r->v[i] != 0 ? u[i] / r->v[i] : NAN;
    if (fabs(r->v[i]) > largest) largest = fabs(r->v[i]);
    if (!(ratio > above && ratio < below)) continue;
    total += fabs(r->v[i]);
    m->start[n++] = (event){ratio, i};
  }
  sort_events(m, m->start, m->spare, n);
  for (int k = 0; k < n && sum < total / 2; k++) {
    sum += fabs(r->v[m->start[k].row]);
    c = m->start[k].at;
  }
  return fabs(c) * largest <= 0x1p510 ? c : 0;
}

/* The middling size of a column. */
static double middle_of(dpd_slab_bound *m, const double *u)
{
  int n = m->rows.n;
  for (int i = 0; i < n; i++)
    m->start[i] = (event){fabs(u[i]), i};
  sort_events(m, m->start, m->spare, n);
  double middle = m->start[n / 2].at;
  return middle > 0 ? middle : m->start[n - 1].at / n;
}

static void centre_column(dpd_slab_bound *m, int k, int centre, double c)
{
  const dpd_slab_rows *r = &m->rows;
  size_t n = (size_t)r->n;
  const double *u = r->u + (size_t)k * n;
  double *centred = m->centred + ((size_t)centre * (size_t)r->slopes + (size_t)k) * n;
  m->centre[centre][k] = c;
  for (size_t i = 0; i < n; i++)
    centred[i] = u[i] - c * r->v[i];
}

static void centre_rows(dpd_slab_bound *m, const double *reach)
{
  const dpd_slab_rows *r = &m->rows;
  size_t n = (size_t)r->n;
  for (size_t i = 0; i < n; i++)
    m->pad[i] = fabs(r->y[i]);
  for (int k = 0; k < r->slopes; k++) {
    const double *u = r->u + (size_t)k * n;
    double c = centre_of(m, u, -INFINITY, INFINITY);
    for (size_t i = 0; i < n; i++)
      m->pad[i] += reach[k] * fabs(u[i]);
    centre_column(m, k, 0, c);
    centre_column(m, k, 1, centre_of(m, u, -INFINITY, c));
    centre_column(m, k, 2, centre_of(m, u, c, INFINITY));
    m->pull[k] = middle_of(m, m->centred + (size_t)k * n);
  }
  for (size_t i = 0; i < n; i++)
    m->pad[i] = 8 * DBL_EPSILON * m->pad[i] + DBL_MIN + (r->room ? r->room[i] : 0);
}

void dpd_slab_bound_open(dpd_slab_bound **out, const dpd_slab_rows *rows, const double *reach,
                         dpd_alloc alloc)
{
  dpd_slab_bound *m = alloc(1, sizeof *m);
  size_t n = (size_t)rows->n, directions = (size_t)rows->directions;
  memset(m, 0, sizeof *m);
  m->rows = *rows;
  m->each = rows->above == 0 ? 1 : rows->above + rows->below;
  m->tilt = rows->above - rows->below;
  m->pad = alloc(n * (3 + CENTRES * (size_t)rows->slopes), sizeof *m->pad);
  m->lower = m->pad + n;
  m->upper = m->lower + n;
  m->centred = m->upper + n;
  m->start = alloc(3 * n, sizeof *m->start);
  m->end = m->start + n;
  m->spare = m->end + n;
  m->group = alloc(n * directions, sizeof *m->group);
  m->leaves = alloc(directions, sizeof *m->leaves);
  m->tree = alloc(directions, sizeof *m->tree);
  double *work = alloc(2 * n, sizeof *work);
  for (size_t d = 0; d < directions; d++) {
    int groups = dpd_rank_groups(rows->along + d * n, rows->n, 0, m->group + d * n, work);
    for (m->leaves[d] = 1; m->leaves[d] < groups; m->leaves[d] *= 2) {
    }
    m->tree[d] = alloc(2 * (size_t)m->leaves[d], sizeof **m->tree);
  }
  centre_rows(m, reach);
  for (int i = 0; i < rows->n; i++)
    m->start[i].row = m->end[i].row = i;
  *out = m;
}
