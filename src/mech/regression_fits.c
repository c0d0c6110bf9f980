/* regression_fits.c - private fits by the exponential mechanism over regression depth: which
 * sampler draws.
 *
 * METHOD: lines are drawn by row cuts (mech/regression_plane.c), all other fits by boxes
 *   (mech/regression.c). Boxes cannot follow thin oblique cells: where there are three coefficients
 *   and dpd_regression_most_boxes() gave no draw, row cuts (mech/regression_space.c) begin at their
 *   root, and all later draws are theirs. Both samplers have the same target: scores by the same
 *   whole numbers (mech/regression_whole.c), prior and rate. So each proposal of either, given all
 *   before it, is accepted with the target's distribution. It is between two proposals that boxes
 *   end, by their number alone: a point that was refused is no more, and nothing that was drawn is
 *   used again. So the draw has the target's distribution.
 * COST: dpd_regression_most_boxes() besides that of the row cuts.
 * DEGENERATE: boxes of a lattice of few points are fewer, and end.
 */
#include "mech/regression_fits.h"

#include <string.h>

#include "mech/regression_plane.h"
#include "mech/regression_space.h"

struct dpd_regression_fits {
  dpd_regression_spec spec;
  dpd_alloc alloc;
  double most_boxes, boxes_before; /* those when a draw was made last */
  dpd_regression *boxes;
  dpd_regression_plane *plane; /* or this, */
  dpd_regression_space *space; /* or this, from when boxes ended */
};

enum {
  LEAST_BOXES = 20000,
  BOXES_PER_ROW = 5,
  ROWS_CUT = 3, /* coefficients of which rows cut when boxes end */
  ROUNDS = 256  /* proposals in a block, at most */
};

static bool is_line(const dpd_regression_spec *spec)
{
  return spec->k == 2 && spec->count == 1 && !spec->origin;
}

double dpd_regression_most_boxes(int n)
{
  const double most = (double)BOXES_PER_ROW * n;
  return most > LEAST_BOXES ? most : LEAST_BOXES;
}

dpd_status dpd_regression_fits_open(dpd_regression_fits **out, const dpd_regression_spec *spec,
                                    double most_boxes, dpd_alloc alloc)
{
  dpd_regression_fits *f = alloc(1, sizeof *f);
  *out = f;
  memset(f, 0, sizeof *f);
  f->spec = *spec;
  f->alloc = alloc;
  f->most_boxes = most_boxes;
  if (is_line(spec)) return dpd_regression_plane_open(&f->plane, spec, alloc);
  return dpd_regression_open(&f->boxes, spec, alloc);
}

void dpd_regression_fits_close(dpd_regression_fits *f)
{
  if (f != NULL) dpd_regression_plane_close(f->plane);
}

static dpd_status draw_by_boxes(dpd_regression_fits *f, dpd_rng *rng, double *theta)
{
  const double left = f->boxes_before + f->most_boxes - dpd_regression_nodes(f->boxes);
  if (f->spec.k != ROWS_CUT) return dpd_regression_draw(f->boxes, rng, theta);
  if (left <= 0) {
    DPD_TRY(dpd_regression_space_open(&f->space, &f->spec, f->alloc));
    return DPD_AGAIN;
  }
  /* a proposal that is refused makes two boxes */
  const int rounds = left < 2 * ROUNDS ? 1 + (int)left / 2 : ROUNDS;
  DPD_TRY(dpd_regression_try(f->boxes, rng, rounds, theta));
  f->boxes_before = dpd_regression_nodes(f->boxes);
  return DPD_OK;
}

dpd_status dpd_regression_fits_draw(dpd_regression_fits *f, dpd_rng *rng, double *theta)
{
  if (f->plane != NULL) return dpd_regression_plane_draw(f->plane, rng, theta);
  if (f->space != NULL) return dpd_regression_space_draw(f->space, rng, theta);
  return draw_by_boxes(f, rng, theta);
}

int dpd_regression_fits_score(dpd_regression_fits *f, const double *z)
{
  return f->plane != NULL ? dpd_regression_plane_score(f->plane, z)
                          : dpd_regression_score(f->boxes, z);
}

bool dpd_regression_fits_by_rows(const dpd_regression_fits *f)
{
  return f->space != NULL;
}

void dpd_regression_fits_counts(const dpd_regression_fits *f, double out[3])
{
  if (f->plane != NULL)
    dpd_regression_plane_counts(f->plane, out);
  else if (f->space != NULL)
    dpd_regression_space_counts(f->space, out);
  else
    dpd_regression_counts(f->boxes, out);
}
