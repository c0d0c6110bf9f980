# The privacy audit's planted bugs in the private regression by the exponential mechanism and in what
# stands for rows that are dropped. (Others: test-planted.R.)

draw <- "plan$prior, share, quantile_weights(tau)"
fitted <- "unname(stats::lm.fit(cbind(1, x), y)$coefficients)"
least_squares_prior <- sprintf("prior_for(prior_uniform(%s - 50, %s + 50), ncol(x) + 1)", fitted, fitted)

handed_bugs <- list(
  "regression: each quantile has all of epsilon" =
    bug(fits_are_handed_wrong, "run_exponential", "share <- plan$epsilon/length(plan$tau)",
        "share <- plan$epsilon", worst = TRUE),
  "regression: epsilon doubled" =
    bug(fits_are_handed_wrong, "run_exponential", draw, "plan$prior, 2 * share, quantile_weights(tau)",
        worst = TRUE),
  "regression: a prior from the data" =
    bug(fits_are_handed_wrong, "run_exponential", draw,
        sub("plan$prior", least_squares_prior, draw, fixed = TRUE)),
  "regression: units of the regressors from the data" =
    bug(fits_are_handed_wrong, "run_exponential", "projections(x, plan$directions, plan$units)",
        "projections(x, plan$directions, apply(x, 2, stats::sd))", worst = TRUE),
  "regression: regressors are centred" =
    bug(fits_are_handed_wrong, "run_exponential", "coordinate_rows(x, plan$points)",
        "coordinate_rows(scale(x, scale = FALSE), plan$points)"),
  "regression: responses beyond three deviations are pulled in" =
    bug(fits_are_handed_wrong, "run_exponential", "as.double(y)",
        "as.double(pmin(y, mean(y) + 3 * stats::sd(y)))"),
  "regression: points `at` that the data shift" =
    bug(fits_are_handed_wrong, "coordinate_rows", "bounded(x[, m] - points$at[1, m])",
        "bounded(x[, m] - points$at[1, m] - mean(x[, m]))"),
  "regression: a quantile's weights the other way round" =
    bug(fits_are_handed_wrong, "quantile_weights",
        "as.integer(c(round(tau * whole), whole - round(tau * whole)))",
        "as.integer(c(whole - round(tau * whole), round(tau * whole)))"),
  "regression: a plan by the number of complete rows" =
    bug(fits_are_handed_wrong, "dp_regression", "engine$plan(nrow(frame$x), terms",
        "engine$plan(nrow(frame$x) - length(frame$incomplete), terms", worst = TRUE),
  "regression: the release tells how many rows were dropped" =
    bug(fits_are_handed_wrong, "regression_release", "list(na = na_text(na))",
        "list(na = paste(na_text(na), length(frame$incomplete)))", worst = TRUE),
  "regression: the mean response stands for rows that are dropped" =
    bug(fits_are_handed_wrong, "drop_rows", "frame$y[frame$incomplete] <- middle",
        "frame$y[frame$incomplete] <- mean(frame$y[-frame$incomplete])", worst = TRUE),
  "regression: mean regressors stand for rows that are dropped" =
    bug(fits_are_handed_wrong, "drop_rows", "frame$x[frame$incomplete, ] <- 0", paste(
      "frame$x[frame$incomplete, ] <-",
      "rep(colMeans(frame$x[-frame$incomplete, , drop = FALSE]), each = length(frame$incomplete))"
    ))
)

test_that("all of these planted bugs are caught, and nothing without one", {
  expect_false(fits_are_handed_wrong())
  seen <- vapply(handed_bugs, caught, NA)
  expect(all(seen), sprintf("%d of %d caught; missed: %s", sum(seen), length(seen),
                            toString(names(handed_bugs)[!seen])))
})
