# Rare flags and levels: planned errors and failures against draws, and the law of batches' fits.

flag_errors <- function(times, n, rows, effect = 0, ...) {
  flag <- rep(c(FALSE, TRUE), c(n - rows, rows))
  # not by replicate(), which has another `...`
  vapply(seq_len(times), function(i) {
    data <- data.frame(flag = flag, y = effect * flag + stats::rnorm(n))
    stats::coef(suppressWarnings(dp_regression(y ~ flag, data, 1, ..., rng = "R")))[["flagTRUE"]] - effect
  }, 0)
}

test_that("errors of a flag's coefficient are those of draws, and it fails as planned", {
  skip_on_cran()
  set.seed(11)
  # fails by chance once in 1/ALPHA runs, if plans are within 30%
  for (rows in c(60, 250)) {
    errors <- flag_errors(40, 500, rows, lower = -50, upper = 50)
    ratio <- mean(errors^2) / indicator_error(500, 1, 1, rows / 500, 1 - rows / 500)^2
    expect_gt(ratio, stats::qchisq(ALPHA / 2, 40) / 40 / 1.3^2)
    expect_lt(ratio, stats::qchisq(1 - ALPHA / 2, 40) / 40 * 1.3^2)
  }
  # n is the same, and so is what the plan says of a slope
  failed <- function(...) mean(abs(flag_errors(30, 500, ...)) > 6)
  few <- failed(30, effect = 1000, method = "exponential")
  expect_gt(few, 0.5)
  expect_gt(indicator_failure(500, 1, 1, 30 / 500, dyadic_width), 0.95)
  expect_identical(failed(90, effect = 1000, method = "exponential"), 0)
  expect_lt(indicator_failure(500, 1, 1, 90 / 500, dyadic_width), 1e-3)
  # the rows that are told of
  for (half in list(c(50, min_indicator_rows[["limits"]]), c(dyadic_width, min_indicator_rows[["dyadic"]]))) {
    expect_lt(indicator_failure(1000, 1, 1, half[[2]] / 1000, half[[1]]), most_failure)
    expect_gt(indicator_failure(1000, 1, 1, 0.93 * half[[2]] / 1000, half[[1]]), most_failure)
  }
})

test_that("a flag of half of the rows is planned as a number with its spread", {
  n <- c(200, 500, 5000)
  ratio <- indicator_error(n, 1, 1, 0.5, 0.5) / (2 * exponential_error(n, 1, 1))
  expect_true(all(ratio > 0.9 & ratio < 1.1))
})

# Coefficients of a flag, whose true value is 0, of draws of a quantile: so many from each of some data sets.
flag_draws <- function(sets, each, n, rows, tau, epsilon = 1) {
  x <- cbind(x1 = rep(c(1, 0), c(rows, n - rows)))
  plan <- plan_exponential(n, c("(Intercept)", "x1"), list(lower = -50, upper = 50), epsilon, 0, tau)
  unlist(lapply(seq_len(sets), function(i) {
    fits <- fit_rows(x, stats::rnorm(n), plan)
    .Call(ffi_regression_draw, "R", fits, prior_fields(plan$prior), epsilon, plan$weights[[1]],
          each)$draws[, 2]
  }))
}

test_that("errors of other quantiles are those of draws, weighted and shifted, and so are failures", {
  skip_on_cran()
  set.seed(14)
  # plans are within 1.2 here: bench/rare-levels.md
  for (case in list(c(0.75, 600, 150), c(0.9, 1200, 400), c(0.9, 4000, 800), c(0.95, 4000, 1600))) {
    n <- case[[2]]
    rows <- case[[3]]
    shifted <- shifted_serves(n, plan_terms(1), 1, case[[1]], prior_uniform(c(-50, -50), c(50, 50)), 1L)
    plan <- quantile_indicator(n, 1, 1, case[[1]], shifted, rows / n, 1 - rows / n, 50)
    expect_lt(plan[["failure"]], 0.01)
    errors <- flag_draws(40L, 1L, n, rows, case[[1]])
    ratio <- mean(errors[abs(errors) < 6]^2) / plan[["error"]]^2
    expect_gt(ratio, stats::qchisq(ALPHA / 2, 40) / 40 / 1.3^2)
    expect_lt(ratio, stats::qchisq(1 - ALPHA / 2, 40) / 40 * 1.3^2)
  }
  # a hundred rows of 1000 are told at 0.75; of 0.9 they are noise as often as not
  for (case in list(c(0.75, 1000, 60), c(0.9, 1000, 100))) {
    share <- case[[3]] / case[[2]]
    shifted <- case[[1]] == 0.75
    failure <- quantile_indicator(case[[2]], 1, 1, case[[1]], shifted, share, 1 - share, 50)[["failure"]]
    failed <- sum(abs(flag_draws(60L, 1L, case[[2]], case[[3]], case[[1]])) > 6)
    expect_lte(abs(failed - 60 * failure), 60 * 0.15 + 5 * sqrt(60 * failure * (1 - failure)))
    expect_gt(failure, 0.3)
  }
})

test_that("at the median the laws of levels are those of the formulas, by either score", {
  for (rows in c(60, 300)) for (p in 1:3) {
    one <- quantile_indicator(1000, p, 1, 0.5, FALSE, rows / 1000, 1 - rows / 1000, 50)
    expect_equal(quantile_indicator(1000, p, 1, 0.5, TRUE, rows / 1000, 1 - rows / 1000, 50), one)
    expect_equal(one[["error"]], indicator_error(1000, p, 1, rows / 1000, 1 - rows / 1000), tolerance = 0.05)
    expect_equal(stats::qlogis(one[["failure"]]),
                 stats::qlogis(indicator_failure(1000, p, 1, rows / 1000, 50)),
                 tolerance = 0.08)
  }
  # the rows that are told of are those of failures below one in 1000
  expect_equal(least_level_rows(2), 27.5)
  expect_equal(least_level_rows(0.5, dyadic = TRUE), 170)
  for (tau in c(0.75, 0.99, 0.001)) for (shifted in c(TRUE, FALSE)) for (dyadic in c(TRUE, FALSE)) {
    rows <- least_level_rows(0.3, c(0.5, tau), c(FALSE, shifted), dyadic)
    half <- if (dyadic) dyadic_width else 50
    expect_equal(level_law(tau, shifted, rows, 1, 0.3, half)[["failure"]], most_failure, tolerance = 0.01)
  }
  expect_equal(least_level_rows(1, 0.1, TRUE), least_level_rows(1, 0.9, TRUE), tolerance = 1e-3)
})

test_that("what batches tell is what their rows have", {
  for (size in c(2, 7, 30)) {
    fit <- indicator_fit(size, 2, 0.1, 0.6)
    expect_equal(fit[["known"]], 1 - 0.9^size - 0.4^size + 0.3^size)
  }
  # two rows tell if they differ: a difference of two errors
  expect_equal(indicator_fit(2, 2, 0.5, 0.5)[["density"]], 0.5 * stats::dnorm(0) / sqrt(2))
  expect_equal(indicator_fit(400, 3, 0.1, 0.6), indicator_fit(401, 3, 0.1, 0.6), tolerance = 0.01)
  beyond <- indicator_tail(7, 3, 0.1, 0.6)
  expect_equal(beyond(c(-Inf, 0, Inf)), 0.5 + c(1, 0, -1) * indicator_fit(7, 3, 0.1, 0.6)[["known"]] / 2)
})

test_that("errors of batches are as planned", {
  skip_on_cran()
  set.seed(12)
  plan <- plan_regression(2400, 2, 1, lower = -50, upper = 50, shares = 0.1)
  here <- plan[plan$method == "batches" & !is.na(plan$share), ]
  prior <- prior_for(prior_uniform(rep(-50, 3), rep(50, 3)), 3, NULL)
  errors <- replicate(30, {
    x <- cbind(stats::runif(2400) < 0.1, stats::rnorm(2400))
    fits <- even_fits(x, stats::rnorm(2400), here$batches, 1L)
    draw_axes(fits, prior, 1, "R")[1, 2]
  })
  ratio <- mean(errors^2) / here$error^2
  expect_gt(ratio, stats::qchisq(ALPHA / 2, 30) / 30 / 1.5^2)
  expect_lt(ratio, stats::qchisq(1 - ALPHA / 2, 30) / 30 * 1.5^2)
})
