/* regression_space_hulls.c - polytopes about the lattice points of leaves of planes.
 *
 * METHOD: a leaf's points are those of the support with the signs that its path to the root names:
 *   each names one halfspace of whole numbers, or two. Hulls are kept of the last leaves, and made
 *   again of the next one above where one gave way.
 * COST: O(corners) a step.
 * DEGENERATE: where a hull cannot be cut it stays as it is: all points are in there. No points are
 *   proved as all else is.
 */
#include <math.h>
#include <string.h>

#include "mech/regression_space_state.h"

int dpd_space_halfspaces(const dpd_regression_space *m, const dpd_space_node *step,
                         dpd_halfspace out[2])
{
  if (step->sign == DPD_SPACE_ANY) return 0;
  if (step->row < 0) {
    const bool below = step->sign == DPD_SPACE_BELOW;
    out[0] = (dpd_halfspace){.c = (int64_t)step->cut};
    if (step->row > DPD_SPACE_FORM) {
      out[0].a[DPD_SPACE_AXIS - step->row] = 1;
    } else {
      const dpd_lattice_frame *f = &dpd_space_node_at(m, step->parent)->frame;
      dpd_lattice_frame_form(f, DPD_SPACE_FORM - step->row, out[0].a);
      for (int j = 0; j < 3; j++)
        out[0].c += (dpd_i128)out[0].a[j] * (int64_t)f->o[j];
    }
    if (!below) return 1;
    for (int j = 0; j < 3; j++)
      out[0].a[j] = -out[0].a[j];
    out[0].c = -out[0].c - 1;
    return 1;
  }
  const dpd_whole_row *r = &m->row[step->row].whole;
  const dpd_i128 bottom = r->top - r->gap;
  const dpd_halfspace under = {{r->a[0], r->a[1], r->a[2]}, r->top};
  const dpd_halfspace over = {{-r->a[0], -r->a[1], -r->a[2]}, -bottom};
  out[0] = under;
  out[1] = over;
  if (step->sign == DPD_SPACE_ON) return 2;
  if (step->sign == DPD_SPACE_BELOW) out[0] = over;
  out[0].c = step->sign == DPD_SPACE_BELOW ? -r->top - 1 : bottom - 1;
  return 1;
}

/* Is a'z > c at all points? */
static bool is_beyond(dpd_regression_space *m, const dpd_hull *h, const dpd_halfspace *by)
{
  const int64_t back[3] = {-by->a[0], -by->a[1], -by->a[2]};
  dpd_i128 most;
  dpd_hull_prove(&m->proofs, h);
  return dpd_hull_most(&m->proofs, back, dpd_hull_highest(h, back), &most) && -most > by->c;
}

bool dpd_space_cut_hull(dpd_regression_space *m, const dpd_space_node *step, dpd_hull *h)
{
  dpd_halfspace by[2];
  const int count = dpd_space_halfspaces(m, step, by);
  for (int k = 0; k < count; k++) {
    dpd_hull_change change = dpd_hull_cut(h, by + k, &m->spare);
    if (change == DPD_HULL_CUT) dpd_hull_copy(h, &m->spare);
    if (change == DPD_HULL_EMPTY && is_beyond(m, h, by + k)) return false;
  }
  return true;
}

void dpd_space_keep_hull(dpd_regression_space *m, int node, const dpd_hull *h)
{
  dpd_space_hull *at = m->hull + node % DPD_SPACE_HULLS;
  const int size = (int)dpd_hull_pack_size(h);
  if (at->room < size) {
    at->room = size + size / 4;
    at->kept = m->alloc((size_t)at->room, 1);
  }
  at->owner = node;
  dpd_hull_pack(h, at->kept);
}

static bool is_kept(const dpd_regression_space *m, int node)
{
  const dpd_space_hull *at = m->hull + node % DPD_SPACE_HULLS;
  return at->kept != NULL && at->owner == node;
}

/* Steps are taken from the leaf upward: in any order they leave the same points. */
void dpd_space_hull_of(dpd_regression_space *m, int node, dpd_hull *out)
{
  int from = node;
  while (from > 0 && !is_kept(m, from))
    from = dpd_space_node_at(m, from)->parent;
  if (is_kept(m, from))
    dpd_hull_unpack(m->hull[from % DPD_SPACE_HULLS].kept, out);
  else
    dpd_hull_set_box(out, m->prior.lattice.lo, m->prior.lattice.hi);
  for (int j = node; j != from; j = dpd_space_node_at(m, j)->parent)
    (void)dpd_space_cut_hull(m, dpd_space_node_at(m, j), out);
}

static bool is_below_cut(const dpd_regression_space *m, const dpd_space_node *s, const double *z)
{
  if (s->row > DPD_SPACE_FORM) return z[DPD_SPACE_AXIS - s->row] <= s->cut;
  const dpd_lattice_frame *f = &dpd_space_node_at(m, s->parent)->frame;
  return dpd_lattice_frame_index(f, DPD_SPACE_FORM - s->row, z) <= (int64_t)s->cut;
}

bool dpd_space_holds(const dpd_regression_space *m, int leaf, const double *z)
{
  for (int j = leaf; j > 0; j = dpd_space_node_at(m, j)->parent) {
    const dpd_space_node *s = dpd_space_node_at(m, j);
    if (s->sign == DPD_SPACE_ANY) continue;
    if (s->row >= 0) {
      if (dpd_space_sign_at(m->row + s->row, z) != s->sign) return false;
    } else if (is_below_cut(m, s, z) != (s->sign == DPD_SPACE_ABOVE)) {
      return false;
    }
  }
  return true;
}
