/* glue_boxes.c - entries of the exponential mechanism over nested boxes. */
#include "mech/boxes.h"
#include "r/convert.h"
#include "r/glue.h"
#include "r/host.h"
#include "samp/bernoulli.h"

static dpd_boxes *open_boxes(SEXP low, SEXP high, SEXP epsilon)
{
  dpd_matrix from = as_matrix(low), to = as_matrix(high);
  if (to.nrow != from.nrow || to.ncol != from.ncol) Rf_error("internal: boxes of two shapes");
  dpd_boxes_spec spec = {.count = from.nrow, .d = from.ncol, .low = from.x, .high = to.x};
  dpd_boxes *mech;
  dpd_raise(dpd_rate_from_double(as_number(epsilon), &spec.eps));
  dpd_raise(dpd_boxes_open(&mech, &spec, host_alloc));
  return mech;
}

static dpd_status draw_boxes(dpd_rng *rng, void *mech, double *x)
{
  return dpd_boxes_draw(mech, rng, x);
}

/* Ends of nested boxes, one a row: a matrix of draws. */
SEXP ffi_draw_boxes(SEXP source, SEXP low, SEXP high, SEXP epsilon, SEXP draws)
{
  dpd_boxes *mech = open_boxes(low, high, epsilon);
  return draw_points(source, as_count(draws), as_matrix(low).ncol, draw_boxes, mech);
}

/* Value: see level_bits(). For tests, never for a release. */
SEXP ffi_boxes_levels(SEXP low, SEXP high, SEXP epsilon)
{
  return level_bits(dpd_boxes_levels(open_boxes(low, high, epsilon)));
}
