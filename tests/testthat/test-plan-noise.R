# plan_mean() and plan_histogram(): the releases' own standard deviations.

test_that("a planned mean has the noise of the release", {
  for (delta in c(0, 1e-6)) {
    p <- plan_mean(n = 300, epsilon = 1, delta = delta, lower = rep(0, 40), upper = 2)
    r <- dp_mean(matrix(1, 300, 40), 1, delta, lower = 0, upper = 2, rng = "R")
    expect_equal(p$error, unname(r$details$noise_sd))
    expect_identical(p$delta[[1]], r$delta)
  }
  private <- plan_mean(n = 300, epsilon = 1, lower = 0, upper = 2, neighbours = "add_remove")
  expect_equal(private$error, plan_mean(n = 300, epsilon = 1, lower = 0, upper = 2)$error, tolerance = 1e-6)
})

test_that("the sampling error goes by the spread, a tenth of half the width if none is given", {
  expect_equal(plan_mean(n = 100, epsilon = 1, lower = 0, upper = 20)$sampling, 0.1)
  expect_equal(plan_mean(n = 100, epsilon = 1, lower = 0, upper = 20, spread = 5)$sampling, 0.5)
})

test_that("a planned histogram has the noise and the threshold of the release", {
  p <- plan_histogram(n = 272, epsilon = 1, delta = 1e-6)
  r <- dp_histogram(faithful$waiting, 1, 1e-6, width = 30, rng = "R")
  expect_identical(c(p$noise_sd, p$threshold), c(r$details$noise_sd, r$details$threshold))
  expect_identical(p$error, p$noise_sd / 272)
  # so many rows are reported with probability 0.95, and one less are not
  law <- function(k) sum(pmf_laplace_discrete((p$threshold - k):200, 1, 2))
  k <- p$reported * 272
  expect_true(law(k) >= 0.95 && law(k - 1) < 0.95)
  expect_true(is.na(plan_histogram(n = 10, epsilon = 1)$threshold))
})

test_that("a spread that was not given is told", {
  told <- function(...) capture.output(print(plan_mean(100, 1, lower = 0, upper = 10, ...)))
  expect_match(told(), "no `spread` was given", all = FALSE)
  expect_false(any(grepl("was given", told(spread = 1))))
})

# -- depths ----------------------------------------------------------------------------------------

test_that("the noise is that of releases", {
  data <- matrix(seq(-1, 1, length.out = 120), 60)
  for (depth in c("halfspace", "simplicial", "irw", "idd")) for (delta in c(0, 1e-5)) {
    points <- matrix(seq(-0.5, 0.5, length.out = 60), 30)
    release <- dp_depth(points, data, 20, depth = depth, delta = delta, lower = -2, upper = 2, rng = "R")
    plan <- plan_depth(60, 20, points = 30, d = 2, depth = depth, delta = delta)
    expect_equal(plan$error, release$details$noise_sd, tolerance = 1e-6)
    expect_identical(plan$delta, release$delta)
  }
  expect_identical(plan$noise, "Gaussian")
  expect_lt(plan_depth(1000, 1, points = 100, delta = 1e-6)$error, plan_depth(1000, 1, points = 100)$error)
})

test_that("sizes sought give the error, and what cannot be is refused", {
  found <- plan_depth(epsilon = 1, points = 5, error = 0.01)
  expect_lte(found$error, 0.01)
  expect_gt(plan_depth(floor(0.99 * found$n), 1, points = 5)$error, 0.01)
  expect_equal(plan_depth(1000, points = 5, error = 0.01)$epsilon, 0.7071, tolerance = 1e-3)
  refused <- function(code, text) expect_error(code, text, class = "dpdepth_error_input")
  refused(plan_depth(1000, 1, points = 0), "points")
  refused(plan_depth(1000, 1, d = 4, depth = "simplicial"), "`d`")
  refused(plan_depth(1000, 1, depth = "odd"), "depth")
  refused(plan_depth(1000, 1, error = 1), "NULL with `n` and `epsilon`")
  expect_output(print(plan_depth(1000, 1)), "halfspace depth, n = 1,000")
  expect_pictures(plan_depth(1000, 1, points = 3))
})

# -- correlations ----------------------------------------------------------------------------------

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
  skip_on_cran()
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
