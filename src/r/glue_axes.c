/* glue_axes.c - entries of the exponential mechanism over nested boxes. */
#include <R_ext/Utils.h>

#include "mech/axes.h"
#include "r/convert.h"
#include "r/glue.h"
#include "r/host.h"
#include "r/prior.h"
#include "samp/bernoulli.h"

/* See steps_or_reason(). */
SEXP ffi_axes_steps(SEXP prior)
{
  dpd_prior p = as_prior(prior);
  SEXP step = PROTECT(Rf_allocVector(REALSXP, p.d));
  dpd_status status = dpd_axes_steps(p, REAL(step), host_alloc);
  UNPROTECT(1);
  return steps_or_reason(status, step);
}

typedef struct {
  dpd_axes_spec spec;
  dpd_boxes *boxes;
} ranks_task;

static dpd_boxes *prepare(dpd_boxes *boxes)
{
  dpd_status status;
  while ((status = dpd_boxes_prepare(boxes)) == DPD_AGAIN)
    R_CheckUserInterrupt();
  dpd_raise(status);
  return boxes;
}

/* ranks: NULL for depth; of a quantile integers: the least numbers of rows at or below and at or
 * above, and whether rows beyond the support count at its ends. */
static ranks_task open_ranks(SEXP data, SEXP prior, SEXP epsilon, SEXP ranks)
{
  dpd_counted_rows x = as_counted(data);
  ranks_task t = {.spec = {.n = x.n, .d = x.ncol, .data = x.x, .tally = x.tally}};
  t.spec.prior = as_prior(prior);
  if (ranks != R_NilValue) {
    if (TYPEOF(ranks) != INTSXP || XLENGTH(ranks) != 3) Rf_error("internal: expected ranks");
    t.spec.below = INTEGER(ranks)[0];
    t.spec.above = INTEGER(ranks)[1];
    t.spec.to_ends = INTEGER(ranks)[2] != 0;
    t.spec.cut = true;
  }
  dpd_raise(dpd_rate_from_double(as_number(epsilon), &t.spec.eps));
  dpd_raise(dpd_axes_open(&t.boxes, &t.spec, host_alloc));
  prepare(t.boxes);
  return t;
}

static dpd_status draw_boxes(dpd_rng *rng, void *boxes, double *x)
{
  return dpd_boxes_draw(boxes, rng, x);
}

static dpd_status draw_scored(dpd_rng *rng, void *task, double *x)
{
  const ranks_task *t = task;
  dpd_status status = dpd_boxes_draw(t->boxes, rng, x);
  if (status == DPD_OK) x[t->spec.d] = dpd_axes_score(&t->spec, dpd_boxes_level(t->boxes));
  return status;
}

/* Value: a matrix of draws; scored: in a last column that is not for release, the score that all
 * points of a draw's box have at least. */
SEXP ffi_median_axes(SEXP source, SEXP data, SEXP prior, SEXP epsilon, SEXP ranks, SEXP draws,
                     SEXP scored)
{
  ranks_task t = open_ranks(data, prior, epsilon, ranks);
  if (as_flag(scored)) return draw_points(source, as_count(draws), t.spec.d + 1, draw_scored, &t);
  return draw_points(source, as_count(draws), t.spec.d, draw_boxes, t.boxes);
}

/* Value: see level_bits(). For tests, never for a release. */
SEXP ffi_axes_levels(SEXP data, SEXP prior, SEXP epsilon, SEXP ranks)
{
  return level_bits(dpd_boxes_levels(open_ranks(data, prior, epsilon, ranks).boxes));
}

static dpd_boxes *open_ends(SEXP low, SEXP high, SEXP epsilon)
{
  dpd_matrix from = as_matrix(low), to = as_matrix(high);
  if (to.nrow != from.nrow || to.ncol != from.ncol) Rf_error("internal: boxes of two shapes");
  dpd_box_ends ends = {.count = from.nrow, .d = from.ncol, .low = from.x, .high = to.x};
  dpd_boxes *boxes;
  dpd_raise(dpd_rate_from_double(as_number(epsilon), &ends.eps));
  dpd_raise(dpd_boxes_open_ends(&boxes, &ends, host_alloc));
  return prepare(boxes);
}

/* Ends of nested boxes, one per row: a matrix of draws. */
SEXP ffi_draw_boxes(SEXP source, SEXP low, SEXP high, SEXP epsilon, SEXP draws)
{
  dpd_boxes *boxes = open_ends(low, high, epsilon);
  return draw_points(source, as_count(draws), as_matrix(low).ncol, draw_boxes, boxes);
}

/* Value: see level_bits(). For tests, never for a release. */
SEXP ffi_boxes_levels(SEXP low, SEXP high, SEXP epsilon)
{
  return level_bits(dpd_boxes_levels(open_ends(low, high, epsilon)));
}
