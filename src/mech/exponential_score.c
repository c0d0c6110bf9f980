/* exponential_score.c - the depth count by which the exponential mechanism scores a lattice point.
 *
 * METHOD: exact planar or spatial depth, or the least closed count over the public directions, all
 *   read off the lattice rows: integers, exact.
 * COST: exact depth as depth/halfspace says; O(n count d) along directions, in blocks between which
 *   an interrupt is looked for.
 * DEGENERATE: rows that tie with the point count on both sides.
 */
#include <math.h>

#include "depth/halfspace.h"
#include "mech/exponential_state.h"
#include "num/project_tile.h"

/* Numbers looked at between two looks for an interrupt: about a tenth of a second. */
static const double BLOCK_WORK = 2e8, BLOCK_ENTRIES = 5e7;

void dpd_exponential_exact_open(dpd_exponential *m)
{
  int n = m->spec.n, size = dpd_tally_size(m->spec.tally, n);
  size_t d = (size_t)m->spec.d;
  for (size_t j = 0; j < d; j++) {
    m->exact.column[j] = m->alloc((size_t)size, sizeof(double));
    for (size_t i = 0; i < (size_t)size; i++)
      m->exact.column[j][i] = m->projected.rows[i * d + j];
  }
  size_t bytes = d == 2 ? dpd_halfspace2_scratch_of(size, n) : dpd_halfspace3_scratch_of(size, n);
  m->exact.work = m->alloc(bytes, 1);
}

int dpd_exponential_witness(const dpd_exponential *m, const double *z, double *normal)
{
  int count = 0;
  if (m->spec.d == 2) {
    const dpd_tally *t = m->spec.tally;
    dpd_plane_rows q = {.x = m->exact.column[0], .y = m->exact.column[1], .px = z[0], .py = z[1]};
    q.n = dpd_tally_size(t, m->spec.n);
    q.count = t != NULL ? t->count : NULL;
    q.rows = m->spec.n;
    (void)dpd_halfspace2_witness(&q, m->exact.work, &count, normal);
  } else {
    const double *const x[3] = {m->exact.column[0], m->exact.column[1], m->exact.column[2]};
    if (m->spec.tally != NULL)
      (void)dpd_halfspace3_witness_of(x, m->spec.tally, z, m->exact.work, &count, normal);
    else
      (void)dpd_halfspace3_witness(x, m->spec.n, z, m->exact.work, &count, normal);
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
