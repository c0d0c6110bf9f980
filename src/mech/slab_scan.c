/* slab_scan.c - where regression depth outside nested slabs first passes thresholds.
 *
 * METHOD: the score U of a cell lo <= s <= hi is the maximum over all t of
 *   min over splits and both signs of the count of rows that may have r >= 0 on one side of the
 *   split and r <= 0 on the other, for some s of the cell: [b_i, a_i] holds y_i - s u_i for all s
 *   of the cell, rounding included, and r_i >= 0 may be where t v_i <= a_i, r_i <= 0 where t v_i >=
 *   b_i. So U is no less than the regression depth of any fit in the cell, and one replaced row
 *   moves it by at most one: for each t, split and sign a row adds what it alone gives. M_j is the
 *   largest U of the parts, 2^parts of each cell, that lie outside K_j. Every cell's range holds
 *   those of its parts, in doubles too (each rounding is monotone), and so does the score: a group
 *   of cells whose score passes no threshold is passed as a whole, and the answer is that for all
 *   parts. The maximum over t lies where a half line of some row ends, all that begin there or
 *   before being counted: rows change one at a time in a tree over the groups of equal x that
 *   holds sums of [r <= 0] - [r >= 0], their least and their largest prefix.
 * COST: O(n log n) a score; some hundred scores where the regressor is near its centre, more as
 *   the square root of the groups that cannot be told apart. Memory O(n).
 * DEGENERATE: equal x are never split. v_i = 0: the row's signs do not depend on t.
 * REFERENCE: Rousseeuw and Hubert (1999), Regression depth; vignettes/proofs-region.Rmd.
 */
#include "mech/slab_scan.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "depth/regression.h"
#include "num/merge_sort.h"

/* Rows looked at between two looks for an interrupt, and the deepest that a search may be. */
enum { BLOCK_ROWS = 1 << 19, STACK_MOST = 256 };

/* Where a row's half line begins or ends. */
typedef struct {
  double at;
  int row;
} event;

/* Sums of above - below over a range of groups, and of its prefixes the least and largest. */
typedef struct {
  int sum, lo, hi;
} node;

/* Cells from..to - 1 of a side; or, of one cell, a part. */
typedef struct {
  double lo, hi;
  int from, to, side, halved;
} task;

struct dpd_slab_scan {
  dpd_slab_rows rows;
  dpd_slab_cells cells;
  double *pad; /* n: what rounding may do to y - s u */
  int *group, leaves;
  event *start, *end, *spare;
  double *lower, *upper; /* n: b_i and a_i */
  node *tree;            /* 2 leaves, the root at 1 */
  int above, below;      /* rows that may have r >= 0, r <= 0 */
  int halt;
  task stack[STACK_MOST];
  int height;
};

static bool later(const dpd_slab_scan *m, const event *a, const event *b)
{
  (void)m;
  return a->at > b->at;
}

DPD_DEFINE_MERGE_SORT(sort_events, dpd_slab_scan, event, later, 8)

/* -- the tree ------------------------------------------------------------------------------- */

static node join(node a, node b)
{
  int lo = a.sum + b.lo, hi = a.sum + b.hi;
  return (node){a.sum + b.sum, lo < a.lo ? lo : a.lo, hi > a.hi ? hi : a.hi};
}

static node leaf(int sum)
{
  return (node){sum, sum < 0 ? sum : 0, sum > 0 ? sum : 0};
}

static void change(dpd_slab_scan *m, int row, int by)
{
  int at = m->leaves + m->group[row];
  m->tree[at] = leaf(m->tree[at].sum + by);
  for (at /= 2; at > 0; at /= 2)
    m->tree[at] = join(m->tree[2 * at], m->tree[2 * at + 1]);
}

static int count_now(const dpd_slab_scan *m)
{
  int up = m->above - m->tree[1].hi, down = m->below + m->tree[1].lo;
  return up < down ? up : down;
}

/* -- the score of a cell -------------------------------------------------------------------- */

static void set_ranges(dpd_slab_scan *m, double lo, double hi)
{
  const dpd_slab_rows *r = &m->rows;
  for (int i = 0; i < r->n; i++) {
    double a = r->y[i] - lo * r->u[i], b = r->y[i] - hi * r->u[i];
    m->lower[i] = (a < b ? a : b) - m->pad[i];
    m->upper[i] = (a < b ? b : a) + m->pad[i];
  }
}

/* a / v, rounded up or down by enough; monotone in a. No coefficient is beyond 2^1000. */
static double quotient(double a, double v, int up)
{
  if (v == 1) return a;
  double q = fmin(fmax(a / v, -0x1p1000), 0x1p1000);
  return q + up * (fabs(q) * (4 * DBL_EPSILON) + DBL_MIN);
}

static double begins(const dpd_slab_scan *m, int i)
{
  double v = m->rows.v[i];
  return v == 0 ? 0 : quotient(v > 0 ? m->lower[i] : m->upper[i], v, -1);
}

static double ends(const dpd_slab_scan *m, int i)
{
  double v = m->rows.v[i];
  return v == 0 ? 0 : quotient(v > 0 ? m->upper[i] : m->lower[i], v, 1);
}

/* The signs that rows may have at t = -Inf. */
static void set_signs(dpd_slab_scan *m)
{
  node *first = m->tree + m->leaves;
  memset(m->tree, 0, 2 * (size_t)m->leaves * sizeof *m->tree);
  m->above = m->below = 0;
  for (int i = 0; i < m->rows.n; i++) {
    double v = m->rows.v[i];
    bool up = v == 0 ? m->upper[i] >= 0 : v > 0, down = v == 0 ? m->lower[i] <= 0 : v < 0;
    m->above += up;
    m->below += down;
    first[m->group[i]].sum += up - down;
  }
  for (int g = 0; g < m->leaves; g++)
    first[g] = leaf(first[g].sum);
  for (int g = m->leaves - 1; g > 0; g--)
    m->tree[g] = join(m->tree[2 * g], m->tree[2 * g + 1]);
}

/* A half line of row i begins, or one ends: the row's [r >= 0] - [r <= 0] falls with t if v > 0. */
static void pass(dpd_slab_scan *m, int i, bool begin)
{
  double v = m->rows.v[i];
  if (v == 0) return;
  if ((v > 0) == begin)
    m->below += begin ? 1 : -1;
  else
    m->above += begin ? 1 : -1;
  change(m, i, v > 0 ? -1 : 1);
}

/* The score, or, once it is known to be at least `enough`, a lower bound that is so. */
static int score(dpd_slab_scan *m, double lo, double hi, int enough)
{
  int n = m->rows.n, most = 0;
  set_ranges(m, lo, hi);
  for (int k = 0; k < n; k++) {
    m->start[k].at = begins(m, m->start[k].row);
    m->end[k].at = ends(m, m->end[k].row);
  }
  sort_events(m, m->start, m->spare, n);
  sort_events(m, m->end, m->spare, n);
  set_signs(m);
  bool risen = true;
  for (int s = 0, e = 0; e < n;) {
    if (s < n && m->start[s].at <= m->end[e].at) {
      pass(m, m->start[s++].row, true);
      risen = true;
      continue;
    }
    if (risen) {
      int now = count_now(m);
      if (now > most) most = now;
      if (most >= enough) return most;
      risen = false;
    }
    pass(m, m->end[e++].row, false);
  }
  return most;
}

int dpd_slab_bound(dpd_slab_scan *m, double lo, double hi)
{
  return score(m, lo, hi, m->rows.n + 1);
}

/* -- the search ----------------------------------------------------------------------------- */

/* The first j from `from` on, before m->halt, that a score of cell `from` halts at. */
static int halts_at(const dpd_slab_scan *m, int from, int score)
{
  int j = from;
  while (j < m->halt && score < m->cells.least[j])
    j++;
  return j;
}

static int least_from(const dpd_slab_scan *m, int from)
{
  int least = m->rows.n + 1;
  for (int j = from; j < m->halt; j++)
    if (m->cells.least[j] < least) least = m->cells.least[j];
  return least;
}

static void push(dpd_slab_scan *m, task t)
{
  m->stack[m->height++] = t;
}

static task cells_of(const dpd_slab_scan *m, int side, int from, int to)
{
  const double *edge = m->cells.edge[side];
  double a = edge[from], b = edge[to];
  return (task){a < b ? a : b, a < b ? b : a, from, to, side, 0};
}

/* The two halves, that on the outside being looked at first. */
static void halve(dpd_slab_scan *m, task t)
{
  if (t.to - t.from > 1) {
    int mid = t.from + (t.to - t.from) / 2;
    push(m, cells_of(m, t.side, mid, t.to));
    push(m, cells_of(m, t.side, t.from, mid));
    return;
  }
  task low = t, high = t;
  low.halved = high.halved = t.halved + 1;
  low.hi = high.lo = t.lo + (t.hi - t.lo) / 2;
  push(m, low);
  push(m, high);
}

/* Is it a part, which is not halved? */
static bool is_part(const dpd_slab_scan *m, const task *t)
{
  double mid = t->lo + (t->hi - t->lo) / 2;
  return t->to - t->from == 1 && (t->halved >= m->cells.parts || !(t->lo < mid && mid < t->hi));
}

static void look_at(dpd_slab_scan *m, task t)
{
  if (t.from >= m->halt || t.lo == t.hi) return;
  int enough = least_from(m, t.from);
  if (is_part(m, &t)) {
    m->halt = halts_at(m, t.from, score(m, t.lo, t.hi, m->cells.least[t.from]));
    return;
  }
  if (score(m, t.lo, t.hi, enough) >= enough) halve(m, t);
}

void dpd_slab_open(dpd_slab_scan **out, const dpd_slab_rows *rows, const dpd_slab_cells *cells,
                   dpd_alloc alloc)
{
  dpd_slab_scan *m = alloc(1, sizeof *m);
  size_t n = (size_t)rows->n;
  double reach = 0;
  memset(m, 0, sizeof *m);
  m->rows = *rows;
  m->cells = *cells;
  m->pad = alloc(3 * n, sizeof *m->pad);
  m->lower = m->pad + n;
  m->upper = m->lower + n;
  m->group = alloc(n, sizeof *m->group);
  m->start = alloc(3 * n, sizeof *m->start);
  m->end = m->start + n;
  m->spare = m->end + n;
  int groups = dpd_rank_groups(rows->x, rows->n, 0, m->group, alloc(2 * n, sizeof(double)));
  for (m->leaves = 1; m->leaves < groups; m->leaves *= 2) {
  }
  m->tree = alloc(2 * (size_t)m->leaves, sizeof *m->tree);
  for (int side = 0; side < 2; side++)
    reach = fmax(reach, fmax(fabs(cells->edge[side][0]), fabs(cells->edge[side][cells->cells])));
  for (int i = 0; i < rows->n; i++) {
    m->pad[i] = 8 * DBL_EPSILON * (fabs(rows->y[i]) + reach * fabs(rows->u[i])) + DBL_MIN;
    m->start[i].row = m->end[i].row = i;
  }
  m->halt = cells->cells;
  for (int side = 0; side < 2 && cells->cells > 0; side++)
    push(m, cells_of(m, side, 0, cells->cells));
  *out = m;
}

dpd_status dpd_slab_advance(dpd_slab_scan *m, int *halt)
{
  for (int rows = 0; m->height > 0; rows += m->rows.n) {
    if (rows > BLOCK_ROWS) return DPD_AGAIN;
    look_at(m, m->stack[--m->height]);
  }
  *halt = m->halt;
  return DPD_OK;
}
