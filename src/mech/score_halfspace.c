/* score_halfspace.c - exact halfspace depth as an integer score, in the plane and in space.
 *
 * METHOD: the score is the least number of rows in a closed halfspace that holds the point, found
 *   on integers, exactly. For every halfspace that number moves by at most one with one replaced
 *   row, and so does the least. Bound over a box: that along the directions, which is no smaller.
 * COST: O(n) per score in the plane, O(n^2) in space; a bound as score_integrated.c, whose count n
 *   doubles it keeps, besides n d for the rows and O(n) of work.
 * DEGENERATE: rows at the point lie in every closed halfspace; rows on a line or in a plane through
 *   it: see depth/halfspace_2d.c and depth/halfspace_3d.c. All is exact.
 * REFERENCE: Tukey (1975); Rousseeuw and Ruts (1996).
 */
#include <string.h>

#include "depth/halfspace.h"
#include "mech/depth_score.h"

typedef struct {
  const dpd_projected *from;
  dpd_depth_score along; /* directions */
  double *column[3];     /* n each: the rows by column */
  void *work;
} halfspace;

static dpd_u128 score_at(void *ctx, const double *z)
{
  const halfspace *s = ctx;
  int n = s->from->n, count = 0;
  if (s->from->d == 2) {
    const dpd_tally *t = s->from->tally;
    dpd_plane_rows q = {.x = s->column[0], .y = s->column[1], .px = z[0], .py = z[1]};
    q.n = dpd_tally_size(t, n);
    q.count = t != NULL ? t->count : NULL;
    q.rows = n;
    (void)dpd_halfspace2_count(&q, s->work, &count);
  } else {
    const double *const x[3] = {s->column[0], s->column[1], s->column[2]};
    double normal[3];
    if (s->from->tally != NULL)
      (void)dpd_halfspace3_witness_of(x, s->from->tally, z, s->work, &count, normal);
    else
      (void)dpd_halfspace3_count(x, n, z, (const double[]){0, 0, 0}, s->work, &count);
  }
  return (dpd_u128)count;
}

static dpd_u128 score_bound(void *ctx, const dpd_score_box *box)
{
  const halfspace *s = ctx;
  return s->along.bound(s->along.ctx, box);
}

void dpd_score_halfspace_open(dpd_depth_score *out, const dpd_score_spec *spec, dpd_alloc alloc)
{
  halfspace *s = alloc(1, sizeof *s);
  int rows = spec->from->n, size = dpd_tally_size(spec->from->tally, rows);
  size_t n = (size_t)size, d = (size_t)spec->from->d;
  memset(s, 0, sizeof *s);
  s->from = spec->from;
  dpd_score_spec along = *spec;
  along.kind = DPD_SCORE_HALFSPACE;
  dpd_score_integrated_open(&s->along, &along, alloc);
  for (size_t j = 0; j < d; j++) {
    s->column[j] = alloc(n, sizeof *s->column[j]);
    for (size_t i = 0; i < n; i++)
      s->column[j][i] = spec->from->rows[i * d + j];
  }
  s->work = alloc(
      d == 2 ? dpd_halfspace2_scratch_of(size, rows) : dpd_halfspace3_scratch_of(size, rows), 1);
  *out = (dpd_depth_score){.most = (dpd_u128)rows, .sensitivity = 1, .ctx = s};
  out->at = score_at;
  out->bound = score_bound;
}
