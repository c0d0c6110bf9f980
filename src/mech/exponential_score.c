/* exponential_score.c - the depth count by which the exponential mechanism scores a lattice point.
 *
 * METHOD: exact planar or spatial depth, or the least closed count over the public directions, all
 *   read off the lattice rows: integers, exact. In the plane also a bound of it over a box.
 * COST: exact depth as depth/halfspace says; O(n count d) along directions, in blocks between which
 *   an interrupt is looked for.
 * DEGENERATE: rows that tie with the point count on both sides.
 */
#include <math.h>

#include "depth/halfspace.h"
#include "depth/halfspace_box.h"
#include "mech/exponential_state.h"
#include "num/project_tile.h"

/* Numbers looked at between two looks for an interrupt: about a tenth of a second. */
static const double BLOCK_WORK = 2e8, BLOCK_ENTRIES = 5e7;
enum { PAUSE_ROWS = 100000 }; /* from where one box takes about as long */

int dpd_exponential_witness(const dpd_exponential *m, const double *z, double *normal)
{
  int count = 0;
  if (m->spec.d == 2) {
    const dpd_tally *t = m->spec.tally;
    dpd_plane_rows q = {.x = m->column[0], .y = m->column[1], .px = z[0], .py = z[1]};
    q.n = dpd_tally_size(t, m->spec.n);
    q.count = t != NULL ? t->count : NULL;
    q.rows = m->spec.n;
    (void)dpd_halfspace2_witness(&q, m->depth_work, &count, normal);
  } else {
    const double *const x[3] = {m->column[0], m->column[1], m->column[2]};
    if (m->spec.tally != NULL)
      (void)dpd_halfspace3_witness_of(x, m->spec.tally, z, m->depth_work, &count, normal);
    else
      (void)dpd_halfspace3_witness(x, m->spec.n, z, m->depth_work, &count, normal);
  }
  return count;
}

int dpd_exponential_score_above(const dpd_exponential *m, const double *z, int floor)
{
  double normal[3], work = m->spec.tally != NULL ? BLOCK_ENTRIES : BLOCK_WORK;
  if (m->beyond) return dpd_exponential_witness(m, z, normal);
  int tile = DPD_TILE_DIRECTIONS * m->spec.threads, depth = m->spec.n;
  int block = tile * (1 + (int)(work / ((double)m->spec.n * m->spec.d * tile)));
  for (int u = 0; u < m->projected.count && depth > floor; u += block) {
    int end = block < m->projected.count - u ? u + block : m->projected.count;
    int here = dpd_projected_depth(&m->projected, z, u, end, m->spec.threads);
    if (here < depth) depth = here;
    if (end < m->projected.count) dpd_exponential_pause(m);
  }
  return depth;
}

int dpd_exponential_score(const dpd_exponential *m, const double *z)
{
  return dpd_exponential_score_above(m, z, 0);
}

/* Corners of a parallelogram that holds z for every w of the box; false where rounding does not let
 * it be told. */
static bool find_corners(const dpd_shear *s, const double *lo, const double *hi,
                         double corner[4][2])
{
  double reach = fmax(fabs(lo[0]), fabs(hi[0])), far = fmax(fabs(lo[1]), fabs(hi[1]));
  double off = s->identity ? 0 : s->rounding + 0x1p-50 * (far + fabs(s->coef[2]) * reach);
  for (int k = 0; k < 4; k++) {
    double a = k < 2 ? lo[0] : hi[0], b = k % 2 == 0 ? lo[1] : hi[1];
    if (!s->reduced) {
      corner[k][0] = a;
      corner[k][1] = b + s->coef[2] * a + (k % 2 == 0 ? -off : off);
      continue;
    }
    for (int j = 0; j < 2; j++) {
      double p = s->basis[2 * j] * a, q = s->basis[2 * j + 1] * b;
      if (!(fabs(p) + fabs(q) < 0x1p51)) return false;
      corner[k][j] = s->centre[j] + (p + q); /* integers */
    }
  }
  return true;
}

int dpd_exponential_plane_bound(const dpd_exponential *m, const double *lo, const double *hi)
{
  dpd_plane_box box = {
      .x = m->column[0], .y = m->column[1], .n = m->spec.n, .tally = m->spec.tally};
  if (!find_corners(&m->shear, lo, hi, box.corner)) return m->spec.n;
  if (m->spec.n > PAUSE_ROWS) dpd_exponential_pause(m);
  return dpd_halfspace2_box(&box, m->depth_work);
}
