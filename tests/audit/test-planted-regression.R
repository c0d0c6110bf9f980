# The privacy audit's planted bugs in the private regressions. (Others: test-planted.R.)

# -- smooth sensitivity ------------------------------------------------------------------------------

deepest <- by_laws(check_deepest, 4)
steep <- by_laws(check_deepest, 4, lower = c(-1, 0), upper = c(1, 20))
sweep <- by_laws(check_medsweep, 1, 4)
sweep_two <- by_laws(check_medsweep, 2, 8)

regression_bugs <- list(
  "levels off by one" = bug(deepest, "deepest_levels", "k <- 1:(n + 1)", "k <- 0:n", worst = TRUE,
                            seed = 13),
  "m - K for m - 2K" = bug(deepest, "deepest_levels", "depth - 2L * k", "depth - k"),
  "c0 for c0 - K" = bug(deepest, "deepest_levels", "ceiling(n/3) - k", "ceiling(n/3)"),
  "unbounded levels taken as bounded" =
    bug(deepest, "deepest_reaches", "free <- found$unbounded + 1", "free <- 1",
        "deepest_reaches", "> found$unbounded", "> 0",
        "deepest_spreads", "max(found$depth, found$unbounded)", "found$depth", worst = TRUE),
  "the larger move of intercept and slope" =
    bug(deepest, "deepest_reaches", "axis(1) + axis(2)", "pmax(axis(1), axis(2))", seed = 6),
  "constants for one coefficient" =
    bug(deepest, "plan_deepest", "smooth_constants(epsilon, delta, 2L)",
        "smooth_constants(epsilon, delta, 1L)", worst = TRUE),
  "the slope's noise in the smaller of two steps" =
    bug(steep, "run_deepest", "(index + plan$lattice$origin) * plan$lattice$step",
        paste("(law$centre + plan$lattice$origin) * plan$lattice$step",
              "+ (index - law$centre) * min(plan$lattice$step)"),
        worst = TRUE),
  "the regression's bounds times 0.6" =
    bug(deepest, "smooth_scale", "bound * exp", "0.6 * bound * exp", seed = 6),
  "the regression's levels not discounted from 0" =
    bug(deepest, "deepest_sensitivity", "exp(-beta * 0:n)", "exp(-beta * (0:n + 4))", seed = 6),
  "the budget's share forgotten" = bug(sweep, "medsweep_plan", "smooth_constants(epsilon/steps",
                                       "smooth_constants(epsilon", worst = TRUE),
  "Medsweep's share of delta forgotten" =
    bug(sweep, "medsweep_plan", "delta/steps", "delta", worst = TRUE),
  "the response is swept by the slope without noise" =
    bug(sweep_two, "release_response", "y <- sweep_out(y, z[k], slope)", paste(
      "{\nlattice <- smooth_lattice(room, fine_bits(room, plan$constants))",
      "law <- slope_law(y, z[[k]], lattice, plan$constants)",
      "y <- sweep_out(y, z[k], (law$centre + lattice$origin) * lattice$step)\n}", sep = "\n"
    ), worst = TRUE),
  "a slope's noise in half of the step" =
    bug(sweep, "release_on_lattice", "(index + lattice$origin) * lattice$step",
        "(law$centre + lattice$origin + (index - law$centre)/2) * lattice$step"),
  "Medsweep's bounds times 0.6" = bug(sweep, "smooth_scale", "bound * exp", "0.6 * bound * exp"),
  "the intercept's share forgotten" =
    bug(sweep_two, "medsweep_plan", "p * max_iter + 1)", "p * max_iter)"),
  "the slope's sensitivity a quarter" = bug(sweep, "slope_law", "smooth_scale(found$value,",
                                            "smooth_scale(found$value/4,")
)

# -- the exponential mechanism, and what stands for rows that are incomplete ------------------------------

draw <- "plan$prior, share, weights"
fitted <- "unname(stats::lm.fit(cbind(1, x), y)$coefficients)"
least_squares_prior <- sprintf("prior_for(prior_uniform(%s - 50, %s + 50), ncol(x) + 1)", fitted, fitted)

handed_bugs <- list(
  "auto, warnings and reasons by the number of complete rows" =
    bug(door_counts_wrong, "facts_of_frame", "else nrow(frame$x)",
        "else nrow(frame$x) - length(frame$incomplete)", worst = TRUE),
  "regression: delta is not debited" =
    bug(door_counts_wrong, "debit", "0 else delta", "0 else 0", worst = TRUE),
  "regression: each quantile has all of epsilon" =
    bug(fits_are_handed_wrong, "drawn_fits", "share <- quantile_share(plan$epsilon, plan$tau)",
        "share <- plan$epsilon", worst = TRUE),
  "regression: epsilon doubled" =
    bug(fits_are_handed_wrong, "run_exponential", draw, "plan$prior, 2 * share, weights",
        worst = TRUE),
  "regression: a prior from the data" =
    bug(fits_are_handed_wrong, "run_exponential", draw,
        sub("plan$prior", least_squares_prior, draw, fixed = TRUE)),
  "regression: steps of the lattice from the data" =
    bug(fits_are_handed_wrong, "run_exponential", "plan$resolution",
        "rep(2^round(log2(stats::sd(y))), ncol(x) + 1)", worst = TRUE),
  "regression: units of the regressors from the data" =
    bug(fits_are_handed_wrong, "fit_rows", "projections(x, plan$directions, plan$units)",
        "projections(x, plan$directions, apply(x, 2, stats::sd))", worst = TRUE),
  "regression: regressors are centred" =
    bug(fits_are_handed_wrong, "fit_rows", "with_ones(x)",
        "with_ones(scale(x, scale = FALSE))"),
  "regression: regressors are centred, through the origin" =
    bug(fits_are_handed_wrong, "fit_rows", "unname(x)", "unname(scale(x, scale = FALSE)[, ])"),
  "regression: responses beyond three deviations are pulled in" =
    bug(fits_are_handed_wrong, "fit_rows", "as.double(y)",
        "as.double(pmin(y, mean(y) + 3 * stats::sd(y)))"),
  "regression: points `at` that the data shift" =
    bug(fits_are_handed_wrong, "coordinate_rows", "bounded(x[, m] - points$at[1, m])",
        "bounded(x[, m] - points$at[1, m] - mean(x[, m]))"),
  "regression: a quantile's weights the other way round" =
    bug(fits_are_handed_wrong, "quantile_weights",
        "as.integer(c(round(tau * whole), whole - round(tau * whole)))",
        "as.integer(c(whole - round(tau * whole), round(tau * whole)))"),
  "regression: a plan by the number of complete rows" =
    bug(fits_are_handed_wrong, "facts_of_frame", "else nrow(frame$x)",
        "else nrow(frame$x) - length(frame$incomplete)", worst = TRUE),
  "regression: the release tells how many rows were incomplete" =
    bug(fits_are_handed_wrong, "draw_regression", "c(drawn$details, rare",
        "c(drawn$details, list(left = length(frame$incomplete)), rare", worst = TRUE),
  "regression: the mean response stands for rows that are incomplete" =
    bug(fits_are_handed_wrong, "middle_in_rows", "frame$y[frame$incomplete] <- middle",
        "frame$y[frame$incomplete] <- mean(frame$y[-frame$incomplete])", worst = TRUE),
  "regression: mean regressors stand for rows that are incomplete" =
    bug(fits_are_handed_wrong, "middle_in_rows", "frame$x[frame$incomplete, ] <- 0", paste(
      "frame$x[frame$incomplete, ] <-",
      "rep(colMeans(frame$x[-frame$incomplete, , drop = FALSE]), each = length(frame$incomplete))"
    ))
)

private_cautions_wrong <- function() cautions_of_time_wrong(private = TRUE)
late <- "plan$late <- function() check_draw_ends(asked, plan, n, terms)"
says_late <- list("draw_regression", "drawn <- plan$run(",
                  "if (!is.null(plan$late)) plan$late()\n    drawn <- plan$run(")

caution_bugs <- list(
  "four coefficients are drawn without a caution" =
    bug(cautions_of_time_wrong, "draw_is_uncautioned", "<= most_uncautioned_coefficients", "<= 4L"),
  "so where n is private" =
    bug(private_cautions_wrong, "plan_private_fit", "check_draw_ends(asked, plan, facts$n, terms)", "NULL"),
  "three coefficients are cautioned" =
    bug(cautions_of_time_wrong, "draw_is_uncautioned", "<= most_uncautioned_coefficients", "<= 2L"),
  "the caution about time comes after the debit" =
    do.call(bug, c(cautions_of_time_wrong, "plan_public_fit",
                   "check_draw_ends(asked, plan, n, terms, own$batches)", late, says_late)),
  "so where n is private, after the debit" =
    do.call(bug, c(private_cautions_wrong, "plan_private_fit", "check_draw_ends(asked, plan, facts$n, terms)",
                   sub(" n,", " facts$n,", late, fixed = TRUE), says_late))
)

test_that("all of these planted bugs are caught, and nothing without one", {
  expect_false(fits_are_handed_wrong())
  expect_false(cautions_of_time_wrong() || private_cautions_wrong())
  expect_caught(c(regression_bugs, handed_bugs, caution_bugs))
})
