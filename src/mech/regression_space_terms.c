/* regression_space_terms.c - which rows are decided over a leaf of planes.
 *
 * METHOD: over the points of a hull r >= 0 is taken to hold where it may hold at some point, and r
 *   <= 0 likewise. Corners in doubles say which rows seem decided; each of these is proved, by the
 *   most that its form may be (geom/lattice_hull.h), and stays undecided where it is not.
 * EXACT: what is proved of a form is a whole number, as a row's ends are. Signs at a point are
 *   those of whole numbers. Over a box a row's ends are moved by more than doubles may be off.
 * COST: O(rows of the set times corners).
 * DEGENERATE: see mech/regression_space.c.
 */
#include <math.h>

#include "mech/regression_order.h"
#include "mech/regression_space_state.h"

/* A leaf's box: its middle and its sides. */
typedef struct {
  double middle[3], side[3][3], room; /* of forms over it: times that of a row */
} leaf_box;

/* Ranges of a block of rows over the box. */
static void set_box_ranges(const leaf_box *b, const dpd_space_set *s, int from, int size,
                           double *min, double *max)
{
  const double *p = s->a[0] + from, *q = s->a[1] + from, *r = s->a[2] + from;
  const double *room = s->room_of + from;
#ifdef _OPENMP
#pragma omp simd
#endif
  for (int i = 0; i < size; i++) {
    double mid = p[i] * b->middle[0] + q[i] * b->middle[1] + r[i] * b->middle[2];
    double far = b->room * room[i];
    for (int j = 0; j < 3; j++)
      far += fabs(p[i] * b->side[j][0] + q[i] * b->side[j][1] + r[i] * b->side[j][2]);
    min[i] = mid - far;
    max[i] = mid + far;
  }
}

/* Numbers of a few rows side by side. */
typedef struct {
  int size, at[DPD_SPACE_BLOCK];
  double a[3][DPD_SPACE_BLOCK], min[DPD_SPACE_BLOCK], max[DPD_SPACE_BLOCK];
} few_rows;

/* Their ranges over the corners. */
static void set_ranges(const dpd_hull *h, few_rows *f)
{
  const int size = f->size;
  double *min = f->min, *max = f->max;
  for (int i = 0; i < size; i++) {
    min[i] = INFINITY;
    max[i] = -INFINITY;
  }
  for (int k = 0; k < h->corners; k++) {
    const double x = h->x[0][k], y = h->x[1][k], z = h->x[2][k];
#ifdef _OPENMP
#pragma omp simd
#endif
    for (int i = 0; i < size; i++) {
      double v = f->a[0][i] * x + f->a[1][i] * y + f->a[2][i] * z;
      min[i] = v < min[i] ? v : min[i];
      max[i] = v > max[i] ? v : max[i];
    }
  }
}

/* Is sign a'z < end at all points of the hull? */
static bool is_below(dpd_hull_proofs *p, const dpd_whole_row *r, int sign, dpd_i128 end)
{
  int64_t a[3];
  dpd_i128 most;
  for (int j = 0; j < 3; j++)
    a[j] = sign * r->a[j];
  return dpd_hull_most(p, a, dpd_hull_highest(p->hull, a), &most) && most < end;
}

/* The term of a row of the set, given what may hold. */
static void set_term(dpd_regression_space *m, const dpd_space_set *s, int at, bool above,
                     bool below, int64_t sum[2])
{
  const int count = s->count[at];
  m->term[at] = dpd_space_term(m, count, above, below);
  m->open[at] = above && below;
  sum[0] += above ? count : 0;
  sum[1] += below ? count : 0;
}

/* Rows that the box did not decide. */
static void set_few(dpd_regression_space *m, const dpd_space_set *s, dpd_hull_proofs *p,
                    few_rows *f, int64_t sum[2])
{
  set_ranges(p->hull, f);
  for (int i = 0; i < f->size; i++) {
    const int at = f->at[i];
    const double room = s->room_of[at], top = s->top[at] - room, bottom = s->bottom[at] + room;
    const dpd_whole_row *r = &m->row[s->row[at]].whole;
    const dpd_i128 low = r->top - r->gap;
    /* where doubles are clear nothing is to be proved */
    bool above = f->min[i] <= top - room, below = f->max[i] >= bottom + room, on = false;
    if (!above) above = !is_below(p, r, -1, -r->top);
    if (!below) below = !is_below(p, r, 1, low);
    if (above && below && f->max[i] <= top + room && f->min[i] >= bottom - room)
      on = is_below(p, r, 1, r->top + 1) && is_below(p, r, -1, 1 - low);
    set_term(m, s, at, above, below, sum);
    m->open[at] = m->open[at] && !on; /* on: both hold at all points */
    if (at < 2 * DPD_SPACE_THIN)
      m->off[at] = fabs(f->min[i] + f->max[i] - top - bottom) / (f->max[i] - f->min[i]);
  }
  f->size = 0;
}

void dpd_space_terms_over(dpd_regression_space *m, const dpd_space_set *s, dpd_hull_proofs *p,
                          const dpd_lattice_frame *f, int64_t sum[2])
{
  double min[DPD_SPACE_BLOCK], max[DPD_SPACE_BLOCK];
  few_rows few = {.size = 0};
  leaf_box box;
  box.room = dpd_lattice_frame_sides(f, box.middle, box.side) / (0x1p-48 * m->reach);
  sum[0] = s->above;
  sum[1] = s->below;
  for (int from = 0; from < s->size; from += DPD_SPACE_BLOCK) {
    const int size = s->size - from < DPD_SPACE_BLOCK ? s->size - from : DPD_SPACE_BLOCK;
    set_box_ranges(&box, s, from, size, min, max);
    for (int i = 0; i < size; i++) {
      const int at = from + i;
      bool above = min[i] <= s->top[at], below = max[i] >= s->bottom[at];
      if (!above || !below) {
        set_term(m, s, at, above, below, sum);
        continue;
      }
      for (int j = 0; j < 3; j++)
        few.a[j][few.size] = s->a[j][at];
      few.at[few.size++] = at;
      if (few.size == DPD_SPACE_BLOCK) set_few(m, s, p, &few, sum);
    }
  }
  set_few(m, s, p, &few, sum);
}

void dpd_space_terms_at(dpd_regression_space *m, const dpd_space_set *s, const double *z,
                        int64_t sum[2])
{
  sum[0] = s->above;
  sum[1] = s->below;
  for (int i = 0; i < s->size; i++) {
    const dpd_whole_sides at = dpd_whole_sides_at(&m->row[s->row[i]].whole, z);
    m->term[i] = dpd_space_term(m, s->count[i], at.above, at.below);
    sum[0] += at.above ? s->count[i] : 0;
    sum[1] += at.below ? s->count[i] : 0;
  }
}

void dpd_space_decide(dpd_regression_space *m, const dpd_space_set *s, int row, dpd_space_sign sign,
                      int64_t sum[2])
{
  const int at = dpd_rows_find(s->row, s->size, row);
  if (at < 0) return;
  const int count = s->count[at], term = m->term[at];
  const bool above = sign != DPD_SPACE_BELOW, below = sign != DPD_SPACE_ABOVE;
  const bool had_above = term != dpd_space_term(m, count, false, true);
  const bool had_below = term != dpd_space_term(m, count, true, false);
  sum[0] += (above - had_above) * count;
  sum[1] += (below - had_below) * count;
  m->term[at] = dpd_space_term(m, count, above, below);
  m->open[at] = false;
}
