# Tests of R/plan-regression-interval.R: widths against simulated ones, sizes that are sought, refusals.

asked <- function(..., lower = -50) plan_regression(..., lower = lower, upper = 50, interval = 0.95)

test_that("widths of other quantiles and of pairs are those of simulations", {
  # vignettes/tau-coverage.csv, of slopes: plans are somewhat wide
  for (seen in list(list(1000, 0.75, 0.6441, 2.211), list(3000, 0.9, 0.5014, 2.423))) {
    plan <- asked(n = seen[[1]], p = 1, epsilon = 1, tau = seen[[2]])
    expect_true(plan$width[[2]] > seen[[3]] && plan$width[[2]] < 1.1 * seen[[3]])
    expect_lt(abs(log(plan$sampling[[2]] / (seen[[3]] / seen[[4]]))), 0.2)
    expect_identical(plan$method, rep("slabs", 2))
  }
  # vignettes/pairs-coverage.csv
  plan <- asked(n = 2000, p = 2, epsilon = 1, pairs = TRUE)
  expect_lt(abs(log(plan$width[[2]] / 0.475)), 0.1)
  expect_lt(abs(log(plan$width[[1]] / 0.3142)), 0.1)
  expect_lt(asked(n = 2000, p = 2, epsilon = 1)$width[[2]], plan$width[[2]])
})

test_that("the median by shifted counts would have the same widths", {
  r <- c(0.01, 0.1, 0.5, 2, 10)
  # counts less n / 2, and twice as much
  expect_equal(-2 * quantile_away(r, 0.5), 2 * slope_depth(r) - 1, tolerance = 0.01)
  far <- line_depths(0.75)
  expect_equal(far$intercept(c(0, 50)), c(0, -1))
  expect_equal(far$intercept(0.2), -4 * (pnorm(qnorm(0.75) + 0.2) - 0.75))
  expect_equal(far$slope(r), line_depths(0.25)$slope(r), tolerance = 1e-3)
})

test_that("several quantiles share epsilon, and the widest slope is judged", {
  plan <- asked(n = 2000, p = 1, epsilon = 4, tau = c(0.5, 0.75))
  expect_identical(plan$what, c("intercept, tau 0.5", "slope, tau 0.5", "intercept, tau 0.75",
                                "slope, tau 0.75"))
  expect_equal(plan$width[3:4], asked(n = 2000, p = 1, epsilon = 2, tau = 0.75)$width)
  expect_equal(plan$width[1:2], asked(n = 2000, p = 1, epsilon = 2)$width)
  judged <- function(plan, reached, ...) reached(2000, 4)
  seen <- with_bindings(list(search_interval = judged), asked(p = 1, tau = c(0.5, 0.75), width = 1))
  expect_identical(seen, plan$width[[4]])
})

test_that("what has no interval is refused by name", {
  refused <- function(call, what) expect_error(call, what, class = "dpdepth_error_input")
  refused(asked(n = 2000, p = 2, epsilon = 1, tau = 0.75), "`tau` must be 0.5 for intervals with several")
  refused(asked(n = 2000, p = 1, epsilon = 1, tau = 0.75, pairs = TRUE), "`tau` must be 0.5 .*`pairs`")
  refused(asked(n = 2000, p = 1, epsilon = 1, pairs = NA), "`pairs`")
  refused(asked(n = 2000, p = 1, epsilon = 1, tau = c(0.5, 0.5)), "`tau`")
  refused(asked(n = 500, p = 1, epsilon = 1, tau = 0.9), "for `tau` = 0.9")
  refused(plan_regression(500, 1, 1, interval = 0.9, pairs = TRUE), "uniform or normal prior")
  refused(plan_regression(500, 1, 1, pairs = TRUE), "`pairs` must be left out without `interval`")
})

test_that("of a flag the plan tells the slope's width, and the chance that it has none", {
  flag <- function(n, share, ...) {
    plan_regression(n, 1, 1, lower = -100, upper = 100, interval = 0.95, shares = share, ...)
  }
  plan <- flag(1000, 0.15)
  expect_lt(plan$far[[2]], 0.01)
  expect_true(is.na(plan$far[[1]]))
  expect_gt(flag(1000, 0.1)$far[[2]], 0.5)
  expect_gt(flag(300, 0.3)$far[[2]], 0.2)
  # vignettes/flag-intervals.csv: medians of 1.8 and 1.2
  expect_true(flag(2000, 0.15)$width[[2]] < 2 && flag(1000, 0.3)$width[[2]] < 1.7)
  expect_output(print(plan), "that 15% of the rows have")
  # a share and its rest are one
  expect_equal(flag(1000, 0.85)$width[[2]], plan$width[[2]], tolerance = 0.1)
  refused <- function(code, text) expect_error(code, text, class = "dpdepth_error_input")
  refused(flag(1000, 0.2, tau = 0.25), "shares")
  refused(plan_regression(4000, 2, 1, lower = -9, upper = 9, interval = 0.95, shares = 0.2), "batches")
})
