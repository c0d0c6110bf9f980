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
