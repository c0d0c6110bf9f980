# plan_region(): areas against simulations, parts against known laws, sizes sought, refusals, print, pictures.

test_that("the plan is near what was simulated (region-bagplot.csv)", {
  area <- function(n, directions = NULL) {
    plan_region(n, epsilon = 1, lower = -50, upper = 50, spread = 1, directions = directions)$area
  }
  expect_equal(c(area(1000), area(5000), area(5000, 4)), c(0.138, 0.054, 0.0556), tolerance = 0.1)
  plan <- plan_region(1000, epsilon = 1, lower = -50, upper = 50, spread = 1)
  expect_equal(plan$sampling, 0.0697, tolerance = 0.05)
  expect_equal(plan$centre, 0.0843 / sqrt(2), tolerance = 0.1)
  expect_true(plan_region(300, epsilon = 1, lower = -50, upper = 50, spread = 1, directions = 16)$beyond)
})

test_that("without noise polygons are the population's, and covariances those of the normal law", {
  expect_equal(both_past(1, c(0, pi / 2, pi)), c(pnorm(-1), pnorm(-1)^2, 0), tolerance = 1e-6)
  set.seed(1)
  z <- matrix(rnorm(4e4), ncol = 2)
  turned <- z %*% c(cos(0.7), sin(0.7))
  expect_equal(both_past(0.5, 0.7), mean(z[, 1] > 0.5 & turned > 0.5), tolerance = 0.05)
  far <- region_errors(1e12, 0.12, 32L, NULL, 0.12, "depth", -qnorm(0.12))
  expect_lt(far$area, 0.002)
  expect_equal(centre_variance(64L), 1.27, tolerance = 0.02)
  square <- polygon_radii(matrix(1, 1, 4), pi * 0:3 / 2)
  expect_equal(range(square), c(1, sqrt(2)), tolerance = 1e-3)
  expect_equal(gauge_of(matrix(1, 1, 180), 0.5), sqrt(2 * log(2)), tolerance = 1e-5)
})

test_that("sizes sought are the least", {
  skip_on_cran()
  found <- plan_region(epsilon = 1, lower = -50, upper = 50, spread = 1, measure = "depth", level = 0.2,
                       error = 0.2)
  expect_lte(found$area, 0.2)
  less <- plan_region(floor(0.97 * found$n), epsilon = 1, lower = -50, upper = 50, spread = 1,
                      measure = "depth", level = 0.2)
  expect_gt(less$area, 0.195)
  refused <- function(about, ...) {
    expect_error(plan_region(..., lower = -50, upper = 50), about, class = "dpdepth_error_input")
  }
  refused("`n` and `epsilon` give", n = 100)
  refused("`error` must be reachable", n = 200, error = 0.01)
  refused("`level`", n = 100, epsilon = 1, level = 0.7, measure = "depth")
  refused("`spread`", n = 100, epsilon = 1, spread = -1)
})

test_that("regions are of two variables", {
  plan <- function(...) plan_region(2000, epsilon = 1, lower = 0, upper = 9, ...)
  expect_identical(tidy(plan(d = 2)), tidy(plan()))
  expect_error(plan(d = 3), "two variables", class = "dpdepth_error_input")
})

test_that("a plan prints, and is drawn", {
  skip_on_cran()
  plan <- plan_region(2000, epsilon = 1, lower = c(0, 0), upper = c(100, 10), spread = c(10, 1))
  expect_output(print(plan), "differs from the population's by 0.0", fixed = TRUE)
  expect_identical(class(tidy(plan)), "data.frame")
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_identical(plot(plan), plan)
  skip_if_not_installed("ggplot2")
  expect_s3_class(ggplot2::autoplot(plan), "ggplot")
})
