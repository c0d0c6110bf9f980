/* init.c - registers the entries with R, each under its own name with its arity. */
#include <R_ext/Rdynload.h>
#include <R_ext/Visibility.h>

#include "r/glue.h"

#define ENTRY(name, arity)                                                                         \
  {                                                                                                \
#name, (DL_FUNC)&name, arity                                                                   \
  }

static const R_CallMethodDef entries[] = {
    ENTRY(ffi_median_exp, 7),
    ENTRY(ffi_depth_median, 9),
    ENTRY(ffi_depth_chain, 9),
    ENTRY(ffi_depth_median_scores, 7),
    ENTRY(ffi_depth_values, 7),
    ENTRY(ffi_median_chain, 8),
    ENTRY(ffi_median_steps, 2),
    ENTRY(ffi_median_indexes, 1),
    ENTRY(ffi_median_along, 7),
    ENTRY(ffi_median_axes, 7),
    ENTRY(ffi_axes_steps, 1),
    ENTRY(ffi_axes_levels, 4),
    ENTRY(ffi_rng_wiped, 1),
    ENTRY(ffi_interval, 6),
    ENTRY(ffi_quantiles, 6),
    ENTRY(ffi_draw_boxes, 5),
    ENTRY(ffi_boxes_levels, 3),
    ENTRY(ffi_restricted_axes_margin, 5),
    ENTRY(ffi_restricted_axes_bounds, 4),
    ENTRY(ffi_batch_fits, 6),
    ENTRY(ffi_directions, 4),
    ENTRY(ffi_draw, 4),
    ENTRY(ffi_draw_cube, 3),
    ENTRY(ffi_concordance, 2),
    ENTRY(ffi_laplace_truncated_bound, 2),
    ENTRY(ffi_halfspace_exact, 2),
    ENTRY(ffi_outlyingness, 5),
    ENTRY(ffi_median_projection, 3),
    ENTRY(ffi_projection_margin, 7),
    ENTRY(ffi_refine, 4),
    ENTRY(ffi_depth_integrated, 4),
    ENTRY(ffi_depth_smooth, 4),
    ENTRY(ffi_median_smooth, 4),
    ENTRY(ffi_median_ranks, 4),
    ENTRY(ffi_sha256, 1),
    ENTRY(ffi_journal_open, 2),
    ENTRY(ffi_journal_read, 1),
    ENTRY(ffi_journal_append, 2),
    ENTRY(ffi_journal_close, 1),
    ENTRY(ffi_journal_name, 0),
    ENTRY(ffi_simplicial, 2),
    ENTRY(ffi_simplicial_tuples, 4),
    ENTRY(ffi_simplicial_load, 4),
    ENTRY(ffi_spatial_norms, 2),
    ENTRY(ffi_spatial_median, 2),
    ENTRY(ffi_regression_depth, 3),
    ENTRY(ffi_residual_signs, 3),
    ENTRY(ffi_regression_chain, 7),
    ENTRY(ffi_regression_draw, 6),
    ENTRY(ffi_regression_scores, 4),
    ENTRY(ffi_regression_steps, 1),
    ENTRY(ffi_slab_scan, 5),
    ENTRY(ffi_slab_bounds, 4),
    ENTRY(ffi_regression_deepest, 2),
    ENTRY(ffi_regression_splits, 2),
    ENTRY(ffi_regression_directional, 6),
    ENTRY(ffi_halfspace_directional, 4),
    ENTRY(ffi_column_spread, 1),
    ENTRY(ffi_deepest_plane, 1),
    ENTRY(ffi_deepest_directional, 4),
    ENTRY(ffi_sens_median, 5),
    ENTRY(ffi_sens_deepest, 1),
    ENTRY(ffi_tukey_reach, 3),
    ENTRY(ffi_tukey_sides, 4),
    ENTRY(ffi_rank_windows, 5),
    ENTRY(ffi_sens_medsweep, 5),
    ENTRY(ffi_depth_region, 3),
    ENTRY(ffi_deepest_space, 3),
    ENTRY(ffi_draw_projection, 6),
    {NULL, NULL, 0},
};

void attribute_visible R_init_dpdepth(DllInfo *dll)
{
  R_registerRoutines(dll, NULL, entries, NULL, NULL);
  R_useDynamicSymbols(dll, FALSE);
  R_forceSymbols(dll, TRUE);
}
