/* glue.h - every entry that R calls, by topic. */
#ifndef R_GLUE_H
#define R_GLUE_H

#define R_NO_REMAP
#include <Rinternals.h>

/* r/host.c */
SEXP ffi_rng_wiped(SEXP source);

/* r/glue_noise.c */
SEXP ffi_draw(SEXP source, SEXP count, SEXP law, SEXP parameters);
SEXP ffi_draw_cube(SEXP source, SEXP size, SEXP parameters);
SEXP ffi_laplace_truncated_bound(SEXP eps, SEXP delta);

/* r/glue_concordance.c */
SEXP ffi_concordance(SEXP data, SEXP bits);

/* r/glue_depth_median.c */
SEXP ffi_depth_median(SEXP source, SEXP data, SEXP prior, SEXP epsilon, SEXP kind, SEXP directions,
                      SEXP smooth, SEXP private_size, SEXP draws);
SEXP ffi_depth_chain(SEXP source, SEXP data, SEXP prior, SEXP epsilon, SEXP kind, SEXP directions,
                     SEXP smooth, SEXP sizes, SEXP keep_trace);
SEXP ffi_depth_median_scores(SEXP data, SEXP prior, SEXP kind, SEXP directions, SEXP smooth,
                             SEXP lower, SEXP upper);
SEXP ffi_depth_values(SEXP data, SEXP prior, SEXP kind, SEXP directions, SEXP smooth,
                      SEXP private_size, SEXP points);

/* r/glue_exponential.c */
SEXP ffi_median_exp(SEXP source, SEXP data, SEXP prior, SEXP epsilon, SEXP exact, SEXP directions,
                    SEXP draws);
SEXP ffi_median_indexes(SEXP prior);
SEXP ffi_median_along(SEXP source, SEXP values, SEXP ends, SEXP prior, SEXP epsilon,
                      SEXP directions, SEXP draws);
SEXP ffi_median_steps(SEXP prior, SEXP exact);
SEXP ffi_median_chain(SEXP source, SEXP data, SEXP prior, SEXP epsilon, SEXP directions,
                      SEXP chains, SEXP steps, SEXP keep_trace);

/* r/glue_axes.c */
SEXP ffi_median_axes(SEXP source, SEXP data, SEXP prior, SEXP epsilon, SEXP ranks, SEXP draws,
                     SEXP scored);
SEXP ffi_axes_steps(SEXP prior);
SEXP ffi_axes_levels(SEXP data, SEXP prior, SEXP epsilon, SEXP ranks);
SEXP ffi_draw_boxes(SEXP source, SEXP low, SEXP high, SEXP epsilon, SEXP draws);
SEXP ffi_boxes_levels(SEXP low, SEXP high, SEXP epsilon);

/* r/glue_interval.c */
SEXP ffi_interval(SEXP source, SEXP data, SEXP prior, SEXP epsilon, SEXP plan, SEXP draws);

/* r/glue_quantiles.c */
SEXP ffi_quantiles(SEXP source, SEXP data, SEXP prior, SEXP rank, SEXP tree, SEXP draws);

/* r/glue_restricted_axes.c */
SEXP ffi_restricted_axes_margin(SEXP sorted, SEXP times, SEXP level, SEXP epsilon, SEXP limits);
SEXP ffi_restricted_axes_bounds(SEXP sorted, SEXP level, SEXP epsilon, SEXP count);

/* r/glue_journal.c */
SEXP ffi_journal_open(SEXP path, SEXP create);
SEXP ffi_journal_read(SEXP pointer);
SEXP ffi_journal_append(SEXP pointer, SEXP bytes);
SEXP ffi_journal_close(SEXP pointer);
SEXP ffi_journal_name(void);

/* r/glue_least_squares.c */
SEXP ffi_batch_fits(SEXP x, SEXP y, SEXP order, SEXP count, SEXP constant, SEXP partly);

/* r/glue_directions.c */
SEXP ffi_directions(SEXP d, SEXP n, SEXP seed, SEXP axes);

/* r/glue_depth.c */
SEXP ffi_halfspace_exact(SEXP points, SEXP data);
SEXP ffi_halfspace_directional(SEXP points, SEXP data, SEXP directions, SEXP by_spread);
SEXP ffi_column_spread(SEXP data);
SEXP ffi_deepest_plane(SEXP data);
SEXP ffi_deepest_directional(SEXP data, SEXP directions, SEXP by_spread, SEXP axes);

/* r/glue_sens.c */
SEXP ffi_sens_median(SEXP ends, SEXP rank, SEXP beta, SEXP min, SEXP count);
SEXP ffi_tukey_reach(SEXP data, SEXP level, SEXP at);
SEXP ffi_tukey_sides(SEXP value, SEXP sides, SEXP level, SEXP at);
SEXP ffi_rank_windows(SEXP value, SEXP ends, SEXP deepest, SEXP min, SEXP count);

/* r/glue_margin.c */
SEXP ffi_projection_margin(SEXP data, SEXP directions, SEXP center, SEXP eta, SEXP limits,
                           SEXP levels, SEXP profile);

/* r/glue_medsweep.c */
SEXP ffi_sens_medsweep(SEXP uv, SEXP slopes, SEXP beta, SEXP min, SEXP count);

/* r/glue_projection.c */
SEXP ffi_outlyingness(SEXP points, SEXP data, SEXP directions, SEXP center, SEXP worst);
SEXP ffi_median_projection(SEXP data, SEXP directions, SEXP center);
SEXP ffi_refine(SEXP points, SEXP data, SEXP start, SEXP center);

/* r/glue_integrated.c */
SEXP ffi_depth_integrated(SEXP points, SEXP data, SEXP directions, SEXP kind);
SEXP ffi_depth_smooth(SEXP points, SEXP data, SEXP directions, SEXP smooth);
SEXP ffi_median_smooth(SEXP data, SEXP directions, SEXP smooth, SEXP starts);
SEXP ffi_median_ranks(SEXP data, SEXP directions, SEXP kind, SEXP start);
/* r/glue_sha256.c */
SEXP ffi_sha256(SEXP bytes);

/* r/glue_simplicial.c */
SEXP ffi_simplicial(SEXP points, SEXP data);
SEXP ffi_simplicial_tuples(SEXP points, SEXP data, SEXP count, SEXP seed);
SEXP ffi_simplicial_load(SEXP n, SEXP size, SEXP count, SEXP seed);

/* r/glue_spatial.c */
SEXP ffi_spatial_norms(SEXP points, SEXP data);
SEXP ffi_spatial_median(SEXP data, SEXP limit);

/* r/glue_regression.c */
SEXP ffi_regression_depth(SEXP fits, SEXP xy, SEXP weights);
SEXP ffi_residual_signs(SEXP fits, SEXP x, SEXP y);
SEXP ffi_regression_deepest(SEXP xy, SEXP weights);
SEXP ffi_regression_splits(SEXP x, SEXP directions);
SEXP ffi_regression_directional(SEXP fits, SEXP x, SEXP y, SEXP splits, SEXP weights, SEXP floor);

/* r/glue_regression_exponential.c */
SEXP ffi_regression_chain(SEXP source, SEXP rows, SEXP prior, SEXP epsilon, SEXP weights, SEXP size,
                          SEXP keep_trace);
SEXP ffi_regression_draw(SEXP source, SEXP rows, SEXP prior, SEXP epsilon, SEXP weights,
                         SEXP draws);
SEXP ffi_regression_scores(SEXP rows, SEXP prior, SEXP weights, SEXP points);
SEXP ffi_regression_steps(SEXP prior);

/* r/glue_slab_scan.c */
SEXP ffi_slab_scan(SEXP rows, SEXP edges, SEXP parts, SEXP min, SEXP ranges);
SEXP ffi_slab_bounds(SEXP rows, SEXP lo, SEXP hi, SEXP reach);

/* r/glue_deepest.c */
SEXP ffi_sens_deepest(SEXP xy);

/* r/glue_region.c */
SEXP ffi_depth_region(SEXP data, SEXP level, SEXP sweep);
SEXP ffi_deepest_space(SEXP data, SEXP lo, SEXP hi);

/* r/glue_projection_median.c */
SEXP ffi_draw_projection(SEXP source, SEXP directions, SEXP spec, SEXP sampler, SEXP size,
                         SEXP keep_trace);

#endif
