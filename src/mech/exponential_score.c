/* exponential_score.c - the depth count by which the exponential mechanism scores a lattice point.
 *
 * METHOD: exact planar or spatial depth, or the least closed count over the public directions, all
 *   read off the lattice rows: integers, exact.
 * COST: exact depth as depth/halfspace says; O(n count d) along directions, in blocks between which
 *   an interrupt is looked for.
 * DEGENERATE: rows that tie with the point count on both sides.
 */
#include "depth/halfspace.h"
#include "mech/exponential_state.h"

/* Numbers looked at between two looks for an interrupt: about a tenth of a second. */
static const double BLOCK_WORK = 5e7;

int dpd_exponential_witness(const dpd_exponential *m, const double *z, double *normal)
{
  int count = 0;
  if (m->spec.d == 2) {
    dpd_plane_rows q = {m->column[0], m->column[1], m->spec.n, z[0], z[1], 0, NULL};
    (void)dpd_halfspace2_witness(&q, m->depth_work, &count, normal);
  } else {
    const double *const x[3] = {m->column[0], m->column[1], m->column[2]};
    (void)dpd_halfspace3_witness(x, m->spec.n, z, m->depth_work, &count, normal);
  }
  return count;
}

int dpd_exponential_score(const dpd_exponential *m, const double *z)
{
  double normal[3];
  if (m->beyond) return dpd_exponential_witness(m, z, normal);
  int depth = m->spec.n, block = 1 + (int)(BLOCK_WORK / ((double)m->spec.n * m->spec.d));
  for (int u = 0; u < m->projected.count && depth > 0; u += block) {
    int end = block < m->projected.count - u ? u + block : m->projected.count;
    int here = dpd_projected_depth(&m->projected, z, u, end, m->spec.threads);
    if (here < depth) depth = here;
    if (end < m->projected.count) dpd_exponential_pause(m);
  }
  return depth;
}
