# plan_ecdf(): heights against draws, sizes sought, refusals, print and pictures.

test_that("heights are those of draws, half widths those that are released", {
  set.seed(1)
  seen <- replicate(15, {
    r <- dp_ecdf(stats::rnorm(2000), 1, lower = -5, upper = 5, band = 0.9, rng = "R")
    step <- diff(c(0, stats::pnorm(r$details$at), 1))
    c(sum(step * (c(r$interval[, 2], 1) - c(0, r$interval[, 1]))), r$details$half_width, length(r$estimate))
  })
  plan <- plan_ecdf(2000, 1, band = 0.9, lower = -5, upper = 5)
  expect_equal(plan$height, mean(seen[1, ]), tolerance = 0.04)
  expect_identical(plan$half_width, seen[2, 1])
  expect_equal(plan$points, max(seen[3, ]), tolerance = 0.1)
  expect_equal(plan_ecdf(1000, 1)$sampling, 2 * sqrt(log(40) / 2000))
  expect_identical(plan_ecdf(3, 0.01)$height, 1)
})

test_that("sizes sought give the height", {
  skip_on_cran()
  found <- plan_ecdf(epsilon = 1, height = 0.2)
  expect_lte(found$height, 0.2)
  expect_gt(plan_ecdf(floor(0.99 * found$n), 1)$height, 0.199)
  epsilon <- plan_ecdf(1000, height = 0.2)$epsilon
  expect_equal(plan_ecdf(1000, epsilon)$height, 0.2, tolerance = 0.01)
  refused <- function(code, text) expect_error(code, text, class = "dpdepth_error_input")
  refused(plan_ecdf(1000, height = 0.01), "`height` must be reachable")
  refused(plan_ecdf(1000), "or `height` in its place")
  refused(plan_ecdf(1000, 1, height = 0.1), "NULL with `n` and `epsilon`")
  refused(plan_ecdf(1000, 1, band = 95), "band")
  refused(plan_ecdf(1000, 1e-5), "1e-4")
  refused(plan_ecdf(1000, 1, level = 0.9), "level")
  refused(plan_ecdf(1000, 1, spread = 1), "without limits")
  refused(plan_ecdf(1000, 1, lower = 0), "upper")
})

test_that("limits count: a centre where they are wide, none where rows are too few for one", {
  wide <- function(n, half, ...) plan_ecdf(n, 1, lower = -half, upper = half, ...)
  for (half in c(20, 1e5, 1e7)) expect_lt(wide(1000, half)$height, 0.18)
  expect_equal(wide(1000, 20, spread = 1)[1:7], plan_ecdf(1000, 1)[1:7], tolerance = 0.02)
  expect_identical(wide(200, 1e7, spread = 1)$height, 1)
  expect_output(print(wide(200, 1e7, spread = 1)), "says nothing")
  expect_output(print(wide(1000, 1e7, spread = 1)), "15% of epsilon finds the centre")
  n <- plan_ecdf(epsilon = 1, height = 0.4, lower = -1e7, upper = 1e7, spread = 1)$n
  expect_gt(n, 250)
  expect_lt(wide(n, 1e7, spread = 1)$height, 0.4)
})

test_that("a plan and its release say the same of the spreads that are resolved", {
  for (half in c(20, 1e7)) for (spread in list(NULL, 1)) {
    plan <- plan_ecdf(500, 1, lower = -half, upper = half, spread = spread)
    r <- dp_ecdf(seq(-2, 2, length.out = 500), 1, lower = -half, upper = half, spread = spread, rng = "R")
    expect_identical(plan$resolves, unname(r$details$resolves))
    expect_output(print(plan), "resolves spreads of [0-9.e-]+ or more")
  }
  expect_identical(plan_ecdf(500, 1)$resolves, NA_real_)
  expect_identical(plan_ecdf(500, 1, prior = prior_dyadic())$resolves, NA_real_)
})

test_that("few rows between limits that are wide, and not wide enough for a centre", {
  skip_on_cran()
  set.seed(1)
  seen <- replicate(60, {
    r <- dp_ecdf(stats::rnorm(200), 1, lower = -400, upper = 400, band = 0.95, spread = 1, rng = "R")
    sum(diff(c(0, stats::pnorm(r$details$at), 1)) * (c(r$interval[, 2], 1) - c(0, r$interval[, 1])))
  })
  # 0.40 was planned; one height has a standard deviation below 0.13: an error of 0.017, rate 1e-6
  planned <- plan_ecdf(200, 1, lower = -400, upper = 400, spread = 1)$height
  expect_lt(abs(mean(seen) - planned), 0.09)
})

test_that("a plan prints and is drawn", {
  plan <- plan_ecdf(1000, 1)
  expect_output(expect_identical(print(plan), plan), "95% band.*18 points are released")
  expect_output(print(plan_ecdf(n = 50, epsilon = 0.1)), "; 1\\s+point is released")
  expect_identical(class(tidy(plan)), "data.frame")
  expect_pictures(plan)
  expect_error(ggplot2::autoplot(plan, type = "box"), class = "dpdepth_error_input")
})
