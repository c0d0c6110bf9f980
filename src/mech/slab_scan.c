/* slab_scan.c - where regression depth outside nested slabs first passes thresholds.
 *
 * METHOD: M_j is the largest score U (slab_bound.h) of the parts that lie outside K_j: of each cell
 *   outside, and each other range, halved `parts` times. That they are small costs nothing: a
 *   group of them is passed as a whole if a bound of its scores passes no threshold, and else
 *   halved across the side that moves residuals most. Before that one part in its middle is tried:
 *   if its own score halts the scan, the rest need not be looked at. A narrow one is held against
 *   its own score, too: where rows lie on one fit the bound alone would not separate any parts. The
 *   answer is that for all parts, whatever the bounds are.
 * COST: some hundred scores for one slope, wherever the regressor lies; thousands with another.
 *   More where most rows lie on one fit: bounds and scores of parts differ by the rounding of
 *   products, and parts between are looked at one by one.
 * DEGENERATE: sides of 2^-46 of the largest number, or for s_0 2^-32 of the largest in the cell,
 *   are not halved: rounding is not far below, and bounds would not separate smaller parts where
 *   all rows lie on one fit.
 * REFERENCE: vignettes/proofs-region.Rmd.
 */
#include "mech/slab_scan.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* Rows looked at between two looks for an interrupt, and the deepest that a search may be. */
enum { BLOCK_ROWS = 1 << 19, STACK_MOST = 512 };
/* Halvings from which on a box is held against its own score as well. */
enum { NARROW = 8 };

/* Cells from..to - 1 of a side; or, of one cell, what halvings left of it, and of other ranges. */
typedef struct {
  dpd_slab_box box;
  int from, to, side, halved[DPD_SLAB_SLOPES];
} task;

struct dpd_slab_scan {
  dpd_slab_bound *score;
  dpd_slab_cells cells;
  double min_side[DPD_SLAB_SLOPES]; /* what is no longer is not halved, wherever it lies */
  int slopes, n, halt, height;
  int64_t scores;
  task stack[STACK_MOST];
};

/* The first j from `from` on, before m->halt, that a score of cell `from` halts at. */
static int halts_at(const dpd_slab_scan *m, int from, int score)
{
  int j = from;
  while (j < m->halt && score < m->cells.min[j])
    j++;
  return j;
}

static int min_from(const dpd_slab_scan *m, int from)
{
  int min = INT_MAX;
  for (int j = from; j < m->halt; j++)
    if (m->cells.min[j] < min) min = m->cells.min[j];
  return min;
}

/* -- tasks ---------------------------------------------------------------------------------- */

static void set_cells(const dpd_slab_scan *m, task *t, int from, int to)
{
  const double *edge = m->cells.edge[t->side];
  double a = edge[from], b = edge[to];
  t->box.lo[0] = a < b ? a : b;
  t->box.hi[0] = a < b ? b : a;
  t->from = from;
  t->to = to;
}

static double middle(const task *t, int k)
{
  return t->box.lo[k] + (t->box.hi[k] - t->box.lo[k]) / 2;
}

static double largest(double a, double b)
{
  return fmax(fabs(a), fabs(b));
}

/* What is no longer is not halved: of the cells of a task, or of another range. */
static double min_side(const dpd_slab_scan *m, const task *t, int k)
{
  const double *edge = m->cells.edge[t->side];
  double local = k == 0 ? 0x1p-32 * largest(edge[t->from], edge[t->to]) : 0;
  return fmax(m->min_side[k], local);
}

static bool can_halve(const dpd_slab_scan *m, const task *t, int k)
{
  if (k == 0 && t->to - t->from > 1) return true;
  return t->halved[k] < m->cells.parts && t->box.hi[k] - t->box.lo[k] > min_side(m, t, k);
}

/* The side to halve: what moves residuals most; -1: it is a part. */
static int widest(const dpd_slab_scan *m, const task *t)
{
  int best = -1;
  double max = -1;
  for (int k = 0; k < m->slopes; k++) {
    double change = (t->box.hi[k] - t->box.lo[k]) * dpd_slab_bound_pull(m->score, k);
    if (change > max && can_halve(m, t, k)) {
      best = k;
      max = change;
    }
  }
  return best;
}

/* The half with the larger or the smaller numbers. */
static task half(task t, int k, bool high)
{
  double mid = middle(&t, k);
  t.halved[k]++;
  if (high)
    t.box.lo[k] = mid;
  else
    t.box.hi[k] = mid;
  return t;
}

/* The two halves, of cells that on the outside being looked at first. */
static void halve(dpd_slab_scan *m, task t, int k)
{
  if (k > 0 || t.to - t.from == 1) {
    m->stack[m->height++] = half(t, k, false);
    m->stack[m->height++] = half(t, k, true);
    return;
  }
  int mid = t.from + (t.to - t.from) / 2;
  task inner = t;
  set_cells(m, &inner, mid, t.to);
  set_cells(m, &t, t.from, mid);
  m->stack[m->height++] = inner;
  m->stack[m->height++] = t;
}

/* -- the search ----------------------------------------------------------------------------- */

static void try_part(dpd_slab_scan *m, const task *t)
{
  m->scores++;
  m->halt = halts_at(m, t->from, dpd_slab_bound_of(m->score, &t->box, m->cells.min[t->from]));
}

/* The part in the middle of one cell. */
static task part_in(const dpd_slab_scan *m, task t)
{
  for (int k = 0; k < m->slopes; k++)
    for (bool high = true; can_halve(m, &t, k); high = false)
      t = half(t, k, high);
  return t;
}

/* What no side of a part within exceeds. Halvings round by a part in 2^51 of the numbers. */
static double part_side(const dpd_slab_scan *m, const task *t, int k)
{
  double side = t->box.hi[k] - t->box.lo[k], min = min_side(m, t, k);
  double room = 0x1p-51 * largest(t->box.lo[k], t->box.hi[k]);
  if (k == 0 && t->to - t->from > 1)
    return 1.0625 * fmax(min, ldexp(side, t->halved[k] - m->cells.parts));
  for (int j = t->halved[k]; j < m->cells.parts && side > min + room; j++)
    side /= 2;
  return side + room;
}

/* Is the score of a narrow box itself too low? It is no less than those of its parts, and has their
 * room for rounding, where the bound has twice that. */
static bool is_hopeless(dpd_slab_scan *m, const task *t)
{
  int halvings = 0, enough = min_from(m, t->from);
  for (int k = 0; k < m->slopes; k++)
    halvings += t->halved[k];
  if (halvings < NARROW) return false;
  m->scores++;
  return dpd_slab_bound_of(m->score, &t->box, enough) < enough;
}

static void look_at(dpd_slab_scan *m, task t)
{
  double fine[DPD_SLAB_SLOPES];
  if (t.from >= m->halt || t.box.lo[0] == t.box.hi[0]) return;
  int k = widest(m, &t), enough = min_from(m, t.from);
  if (k < 0) {
    try_part(m, &t);
    return;
  }
  for (int j = 0; j < m->slopes; j++)
    fine[j] = part_side(m, &t, j);
  m->scores++;
  if (dpd_slab_bound_within(m->score, &t.box, fine, enough) < enough) return;
  if (t.to - t.from == 1) {
    task part = part_in(m, t);
    try_part(m, &part);
  }
  if (t.from >= m->halt) return;
  m->scores += 3;
  if (!dpd_slab_bound_may_reach(m->score, &t.box, fine, min_from(m, t.from))) return;
  if (t.from < m->halt && !is_hopeless(m, &t)) halve(m, t, k);
}

void dpd_slab_open(dpd_slab_scan **out, const dpd_slab_rows *rows, const dpd_slab_cells *cells,
                   dpd_alloc alloc)
{
  dpd_slab_scan *m = alloc(1, sizeof *m);
  double reach[DPD_SLAB_SLOPES] = {0};
  memset(m, 0, sizeof *m);
  m->cells = *cells;
  m->slopes = rows->slopes;
  m->n = rows->n;
  for (int side = 0; side < 2; side++)
    reach[0] =
        fmax(reach[0], fmax(fabs(cells->edge[side][0]), fabs(cells->edge[side][cells->cells])));
  for (int k = 1; k < rows->slopes; k++)
    reach[k] = fmax(fabs(cells->low[k - 1]), fabs(cells->high[k - 1]));
  for (int k = 0; k < rows->slopes; k++)
    m->min_side[k] = ldexp(reach[k], -46);
  dpd_slab_bound_open(&m->score, rows, reach, alloc);
  m->halt = cells->cells;
  for (int side = 0; side < 2 && cells->cells > 0; side++) {
    task *t = m->stack + m->height++;
    t->side = side;
    set_cells(m, t, 0, cells->cells);
    for (int k = 1; k < rows->slopes; k++) {
      t->box.lo[k] = cells->low[k - 1];
      t->box.hi[k] = cells->high[k - 1];
    }
  }
  *out = m;
}

dpd_status dpd_slab_advance(dpd_slab_scan *m, int *halt)
{
  for (int rows = 0; m->height > 0; rows += m->n) {
    if (rows > BLOCK_ROWS) return DPD_AGAIN;
    look_at(m, m->stack[--m->height]);
  }
  *halt = m->halt;
  return DPD_OK;
}

int64_t dpd_slab_bounds(const dpd_slab_scan *m)
{
  return m->scores;
}
