/* regression_plane_polygons.c - the polygon of lattice points of a leaf of lines.
 *
 * METHOD: a leaf's points are those of the support with the signs that its path to the root
 *   names: each names one halfplane of whole numbers, or two. A polygon's corners are the ends
 *   of its strips (plane/lattice_polygon.h), where a bound begins or ends to count: its points
 *   lie in their hull.
 * COST: O(steps of the path), and sorting.
 * DEGENERATE: polygons of one column, or of none.
 */
#include <math.h>
#include <string.h>

#include "mech/regression_plane_state.h"

void dpd_plane_reserve_bounds(dpd_regression_plane *m, int most)
{
  if (most <= m->bounds_room) return;
  const dpd_bounds old = m->bounds;
  m->bounds_room = 2 * most;
  size_t room = (size_t)m->bounds_room;
  m->bounds.above = m->alloc(2 * room, sizeof *m->bounds.above);
  m->bounds.below = m->bounds.above + room;
  if (old.n_above > 0) memcpy(m->bounds.above, old.above, (size_t)old.n_above * sizeof *old.above);
  if (old.n_below > 0) memcpy(m->bounds.below, old.below, (size_t)old.n_below * sizeof *old.below);
  m->work = m->alloc(2 * room, sizeof *m->work);
}

/* The bounds of one step of a node's path. Requires: room for two more of either kind. */
void dpd_plane_bound_step(const dpd_regression_plane *m, const dpd_plane_node *step, dpd_bounds *b)
{
  if (step->sign == DPD_PLANE_ANY) return;
  if (step->row < 0) {
    int64_t x = step->row == -1, y = 1 - x, cut = (int64_t)step->cut;
    if (step->sign == DPD_PLANE_ABOVE)
      dpd_bounds_add(b, x, y, cut);
    else
      dpd_bounds_add(b, -x, -y, -cut - 1);
    return;
  }
  const dpd_plane_row *r = m->row + step->row;
  const dpd_i128 bottom = r->top - r->gap;
  if (step->sign == DPD_PLANE_ABOVE) dpd_bounds_add(b, r->p, r->q, bottom - 1);
  if (step->sign == DPD_PLANE_BELOW) dpd_bounds_add(b, -r->p, -r->q, -r->top - 1);
  if (step->sign != DPD_PLANE_ON) return;
  dpd_bounds_add(b, r->p, r->q, r->top);
  dpd_bounds_add(b, -r->p, -r->q, -bottom);
}

/* The bounds of a node, those of the support first. */
void dpd_plane_bound_node(dpd_regression_plane *m, int node)
{
  dpd_bounds *b = &m->bounds;
  int steps = 0;
  for (int j = node; j > 0; j = m->node[j].parent)
    steps++;
  b->n_above = b->n_below = 0;
  dpd_plane_reserve_bounds(m, 2 * steps + 8);
  b->from = (int64_t)m->prior.lattice.lo[0];
  b->to = (int64_t)m->prior.lattice.hi[0];
  dpd_bounds_add(b, 0, 1, (int64_t)m->prior.lattice.hi[1]);
  dpd_bounds_add(b, 0, -1, -(int64_t)m->prior.lattice.lo[1]);
  for (int j = node; j > 0; j = m->node[j].parent)
    dpd_plane_bound_step(m, m->node + j, b);
}

static double bound_value(const dpd_bound *b, int64_t x)
{
  return (double)(b->c + (dpd_i128)b->dy * x) / (double)b->dx;
}

static void add_corner(dpd_regression_plane *m, int64_t x, double y)
{
  dpd_plane_corners *c = &m->corners;
  if (c->size == c->room) {
    int room = 2 * c->room + 32;
    double *at = m->alloc(6 * (size_t)room, sizeof *at);
    if (c->size > 0) {
      memcpy(at, c->x, (size_t)c->size * sizeof *at);
      memcpy(at + room, c->y, (size_t)c->size * sizeof *at);
    }
    *c = (dpd_plane_corners){c->size,       room,          at,           at + room, at + 2 * room,
                             at + 3 * room, at + 4 * room, at + 5 * room};
  }
  c->x[c->size] = (double)x;
  c->y[c->size++] = y;
}

static bool same_bound(const dpd_bound *a, const dpd_bound *b)
{
  return a->c == b->c && a->dx == b->dx && a->dy == b->dy;
}

/* Where the polygon's strips begin and end, but for ends that lie on one bound. */
void dpd_plane_set_corners(dpd_regression_plane *m, const dpd_lattice_polygon *g)
{
  const dpd_strip *s = g->strip.item;
  const size_t count = g->strip.count;
  m->corners.size = 0;
  for (size_t k = 0; k < count; k++) {
    bool first = k == 0, last = k + 1 == count;
    if (first || !same_bound(&s[k].above, &s[k - 1].above))
      add_corner(m, s[k].from, bound_value(&s[k].above, s[k].from));
    if (last || !same_bound(&s[k].above, &s[k + 1].above))
      add_corner(m, s[k].to, bound_value(&s[k].above, s[k].to));
    if (first || !same_bound(&s[k].below, &s[k - 1].below))
      add_corner(m, s[k].from, -bound_value(&s[k].below, s[k].from));
    if (last || !same_bound(&s[k].below, &s[k + 1].below))
      add_corner(m, s[k].to, -bound_value(&s[k].below, s[k].to));
  }
}

/* The box around the polygon. */
void dpd_plane_set_box(const dpd_lattice_polygon *g, double lo[2], double hi[2])
{
  const dpd_strip *s = g->strip.item;
  const size_t count = g->strip.count;
  lo[0] = (double)s[0].from;
  hi[0] = (double)s[count - 1].to;
  lo[1] = INFINITY;
  hi[1] = -INFINITY;
  for (size_t k = 0; k < count; k++) {
    double y[2];
    dpd_strip_range(s + k, s[k].from, s[k].to, y);
    lo[1] = fmin(lo[1], y[0]);
    hi[1] = fmax(hi[1], y[1]);
  }
}
