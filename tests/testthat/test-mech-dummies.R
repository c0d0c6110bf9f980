# Rare flags and levels: planned errors and failures against draws, and the law of batches' fits.

flag_errors <- function(times, n, rows, effect = 0, ...) {
  flag <- rep(c(FALSE, TRUE), c(n - rows, rows))
  replicate(times, {
    data <- data.frame(flag = flag, y = effect * flag + stats::rnorm(n))
    stats::coef(suppressWarnings(dp_regression(y ~ flag, data, 1, ..., rng = "R")))[["flagTRUE"]] - effect
  })
}

test_that("errors of a flag's coefficient are those of draws, and it fails as planned", {
  skip_on_cran()
  set.seed(11)
  # fails by chance once in 1/ALPHA runs, if plans are within 30%
  for (rows in c(60, 250)) {
    errors <- flag_errors(40, 500, rows, lower = -50, upper = 50)
    ratio <- mean(errors^2) / dummy_error(500, 1, 1, rows / 500, 1 - rows / 500)^2
    expect_gt(ratio, stats::qchisq(ALPHA / 2, 40) / 40 / 1.3^2)
    expect_lt(ratio, stats::qchisq(1 - ALPHA / 2, 40) / 40 * 1.3^2)
  }
  # n is the same, and so is what the plan says of a slope
  failed <- function(...) mean(abs(flag_errors(30, 500, ...)) > 6)
  few <- failed(30, effect = 1000, method = "exponential")
  expect_gt(few, 0.5)
  expect_gt(dummy_failure(500, 1, 1, 30 / 500, dyadic_width), 0.95)
  expect_identical(failed(90, effect = 1000, method = "exponential"), 0)
  expect_lt(dummy_failure(500, 1, 1, 90 / 500, dyadic_width), 1e-3)
  # the rows that are told of
  for (half in list(c(50, min_dummy_rows[["limits"]]), c(dyadic_width, min_dummy_rows[["dyadic"]]))) {
    expect_lt(dummy_failure(1000, 1, 1, half[[2]] / 1000, half[[1]]), min_failure)
    expect_gt(dummy_failure(1000, 1, 1, 0.93 * half[[2]] / 1000, half[[1]]), min_failure)
  }
})

test_that("a flag of half of the rows is planned as a number with its spread", {
  ratio <- dummy_error(c(200, 500, 5000), 1, 1, 0.5, 0.5) / (2 * exponential_error(c(200, 500, 5000), 1, 1))
  expect_true(all(ratio > 0.9 & ratio < 1.1))
})

test_that("what batches tell is what their rows have", {
  for (size in c(2, 7, 30)) {
    fit <- dummy_fit(size, 2, 0.1, 0.6)
    expect_equal(fit[["told"]], 1 - 0.9^size - 0.4^size + 0.3^size)
  }
  # two rows tell if they differ: a difference of two errors
  expect_equal(dummy_fit(2, 2, 0.5, 0.5)[["density"]], 0.5 * stats::dnorm(0) / sqrt(2))
  expect_equal(dummy_fit(400, 3, 0.1, 0.6), dummy_fit(401, 3, 0.1, 0.6), tolerance = 0.01)
  beyond <- beyond_dummy(7, 3, 0.1, 0.6)
  expect_equal(beyond(c(-Inf, 0, Inf)), 0.5 + c(1, 0, -1) * dummy_fit(7, 3, 0.1, 0.6)[["told"]] / 2)
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
