/* glue_depth_median.c - entries of private medians over depths, and of private depths of points. */
#include <R_ext/Utils.h>

#include "mech/depth_chain.h"
#include "mech/depth_median.h"
#include "r/convert.h"
#include "r/glue.h"
#include "r/host.h"
#include "r/prior.h"
#include "samp/bernoulli.h"

/* The order of R/dp-median-depths.R, and those of R/dp-depth.R. */
static const dpd_score_kind kinds[] = {DPD_SCORE_SIMPLICIAL,
                                       DPD_SCORE_SPATIAL,
                                       DPD_SCORE_SPATIAL_MODIFIED,
                                       DPD_SCORE_IRW,
                                       DPD_SCORE_IDD,
                                       DPD_SCORE_IDD_SMOOTH,
                                       DPD_SCORE_HALFSPACE,
                                       DPD_SCORE_HALFSPACE_EXACT};

/* kind: its number; directions: in units of the prior's scale; none for depths without. */
static dpd_depth_median_spec as_spec(SEXP data, SEXP prior, SEXP kind, SEXP directions, SEXP smooth)
{
  dpd_counted_rows x = as_counted(data);
  dpd_matrix u = as_matrix(directions);
  dpd_depth_median_spec spec = {.kind = kinds[as_count(kind) - 1],
                                .n = x.n,
                                .tally = x.tally,
                                .d = x.ncol,
                                .data = x.x,
                                .prior = as_prior(prior),
                                .eps = {(uint64_t)1 << DPD_RATE_BITS},
                                .count = u.nrow,
                                .dirs = u.x,
                                .smooth = as_number(smooth),
                                .pause = R_CheckUserInterrupt};
  bool counts = spec.kind == DPD_SCORE_IRW || spec.kind == DPD_SCORE_IDD ||
                spec.kind == DPD_SCORE_HALFSPACE || spec.kind == DPD_SCORE_HALFSPACE_EXACT;
  if (spec.tally != NULL && !counts) dpd_raise(DPD_ERR_DOMAIN);
  return spec;
}

static dpd_status draw_one(dpd_rng *rng, void *mech, double *x)
{
  return dpd_depth_median_draw(mech, rng, x);
}

/* Value: list(draws, counts); counts is not for release. */
SEXP ffi_depth_median(SEXP source, SEXP data, SEXP prior, SEXP epsilon, SEXP kind, SEXP directions,
                      SEXP smooth, SEXP private_size, SEXP draws)
{
  dpd_depth_median_spec spec = as_spec(data, prior, kind, directions, smooth);
  spec.private_size = as_flag(private_size);
  dpd_raise(dpd_rate_from_double(as_number(epsilon), &spec.eps));
  dpd_depth_median *mech;
  dpd_raise(dpd_depth_median_open(&mech, &spec, host_alloc));
  SEXP points = PROTECT(draw_points(source, as_count(draws), spec.d, draw_one, mech));
  double counts[3];
  dpd_depth_median_counts(mech, counts);
  SEXP out = draws_with_counts(points, counts);
  UNPROTECT(1);
  return out;
}

typedef struct {
  dpd_depth_chain *chain;
  dpd_depth_run run;
} chain_task;

static dpd_status draw_chain(dpd_rng *rng, void *data, double *x)
{
  const chain_task *t = data;
  return dpd_depth_chain_draw(t->chain, rng, &t->run, x);
}

/* sizes: the numbers of chains and of steps, and 1 for steps without adjustment; keep_trace: keep
 * the states? Value: list(draws, trace); trace (steps x chains x d, or NULL) is not for release. */
SEXP ffi_depth_chain(SEXP source, SEXP data, SEXP prior, SEXP epsilon, SEXP kind, SEXP directions,
                     SEXP smooth, SEXP sizes, SEXP keep_trace)
{
  dpd_depth_median_spec spec = as_spec(data, prior, kind, directions, smooth);
  const int *size = INTEGER(sizes);
  chain_task task = {NULL, {size[0], size[1], size[2] == 1, NULL}};
  if (spec.tally != NULL) dpd_raise(DPD_ERR_DOMAIN);
  dpd_raise(dpd_rate_from_double(as_number(epsilon), &spec.eps));
  dpd_raise(dpd_depth_chain_open(&task.chain, &spec, host_alloc));
  const char *names[] = {"draws", "trace", ""};
  SEXP out = PROTECT(Rf_mkNamed(VECSXP, names));
  task.run.trace = chain_trace(keep_trace, out, 1, (const int[]){size[1], size[0], spec.d});
  SET_VECTOR_ELT(out, 0, draw_points(source, 1, spec.d, draw_chain, &task));
  UNPROTECT(1);
  return out;
}

/* The scores of lattice points (rows of indexes), or bounds over boxes of them, in parts of the
 * sensitivity; the attribute "parts" says how many a unit has. Not for release. */
SEXP ffi_depth_median_scores(SEXP data, SEXP prior, SEXP kind, SEXP directions, SEXP smooth,
                             SEXP lower, SEXP upper)
{
  dpd_depth_median_spec spec = as_spec(data, prior, kind, directions, smooth);
  dpd_matrix lo = as_matrix(lower), hi = as_matrix(upper);
  dpd_depth_median *mech;
  int parts = 0;
  dpd_raise(dpd_depth_median_open(&mech, &spec, host_alloc));
  SEXP out = PROTECT(Rf_allocVector(REALSXP, lo.nrow));
  double *a = host_alloc((size_t)lo.ncol, sizeof *a), *b = host_alloc((size_t)lo.ncol, sizeof *b);
  for (int i = 0; i < lo.nrow; i++) {
    bool point = true;
    for (int j = 0; j < lo.ncol; j++) {
      a[j] = lo.x[(size_t)i + (size_t)j * (size_t)lo.nrow];
      b[j] = hi.x[(size_t)i + (size_t)j * (size_t)lo.nrow];
      point = point && a[j] == b[j];
    }
    REAL(out)
    [i] = point ? dpd_depth_median_score(mech, a, &parts) : dpd_depth_median_bound(mech, a, b);
  }
  double none[64] = {0};
  (void)dpd_depth_median_score(mech, none, &parts);
  Rf_setAttrib(out, Rf_install("parts"), PROTECT(Rf_ScalarInteger(parts)));
  UNPROTECT(2);
  return out;
}

/* The scores of points (rows), as those of lattice points above. PRIVATE: without noise. */
SEXP ffi_depth_values(SEXP data, SEXP prior, SEXP kind, SEXP directions, SEXP smooth,
                      SEXP private_size, SEXP points)
{
  dpd_depth_median_spec spec = as_spec(data, prior, kind, directions, smooth);
  spec.private_size = as_flag(private_size);
  spec.eps.num = 0;
  dpd_matrix p = as_matrix(points);
  dpd_depth_median *mech;
  int parts = 0;
  dpd_raise(dpd_depth_median_open(&mech, &spec, host_alloc));
  SEXP out = PROTECT(Rf_allocVector(REALSXP, p.nrow));
  double *x = host_alloc(2 * (size_t)p.ncol, sizeof *x), *z = x + p.ncol;
  for (int i = 0; i < p.nrow; i++) {
    for (int j = 0; j < p.ncol; j++)
      x[j] = p.x[(size_t)i + (size_t)j * (size_t)p.nrow];
    dpd_depth_median_index(mech, x, z);
    REAL(out)[i] = dpd_depth_median_score(mech, z, &parts);
    R_CheckUserInterrupt();
  }
  Rf_setAttrib(out, Rf_install("parts"), PROTECT(Rf_ScalarInteger(parts)));
  UNPROTECT(2);
  return out;
}
