# plan_correlation(): the releases' own noise, and widths as they come out.

test_that("a planned correlation has the noise of the release", {
  for (case in list(list(300, 2, 0), list(300, 12, 0), list(300, 40, 1e-6))) {
    p <- plan_correlation(n = case[[1]], d = case[[2]], epsilon = 1, delta = case[[3]])
    r <- suppressWarnings(dp_correlation(matrix(1, case[[1]], case[[2]]), 1, case[[3]], rng = "R"))
    expect_identical(p$error, r$details$noise_sd)
    expect_identical(p$delta, r$delta)
    expect_match(r$mechanism, p$noise)
  }
  r <- dp_correlation(faithful, 2, interval = 0.9)
  expect_identical(plan_correlation(n = 272, epsilon = 2, interval = 0.9)$error, r$details$noise_sd)
})

test_that("planned widths are those of independent variables", {
  set.seed(10)
  width <- function(n) {
    ends <- replicate(60, diff(drop(dp_correlation(matrix(stats::rnorm(2 * n), n), 1, interval = 0.95,
                                                   rng = "R")$interval))) # public-rng: simulated data
    stats::median(ends)
  }
  few <- plan_correlation(n = 150, epsilon = 1, interval = 0.95)
  many <- plan_correlation(n = 600, epsilon = 1, interval = 0.95)
  expect_identical(c(few$limits, many$limits), c("finite samples", "asymptotic"))
  expect_equal(width(150), few$width, tolerance = 0.05)
  expect_equal(width(600), many$width, tolerance = 0.1)
  expect_equal(plan_correlation(n = 2000, epsilon = 1, interval = 0.95)$width, 0.0702, tolerance = 1e-2)
})

test_that("the n and the epsilon that are found give the error that is wanted", {
  n <- plan_correlation(d = 5, epsilon = 1, error = 0.02)$n
  expect_lte(plan_correlation(n = n, d = 5, epsilon = 1)$error, 0.02)
  expect_gt(plan_correlation(n = n - 2, d = 5, epsilon = 1)$error, 0.02)
  epsilon <- plan_correlation(n = 500, error = 0.01)$epsilon
  expect_equal(plan_correlation(n = 500, epsilon = epsilon)$error, 0.01, tolerance = 1e-3)
  expect_match(capture.output(print(plan_correlation(n = 500, epsilon = 1))), "Kendall's tau", all = FALSE)
  expect_pictures(plan_correlation(n = 500, epsilon = 1))
  raises(plan_correlation(n = 500), "epsilon")
  raises(plan_correlation(n = 1, epsilon = 1), "n")
  raises(plan_correlation(n = 9, d = 1, epsilon = 1), "d")
  raises(plan_correlation(n = 9, d = 101, epsilon = 1), "d")
  raises(plan_correlation(n = 500, epsilon = 1, interval = 2), "interval")
})
