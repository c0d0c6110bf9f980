# Pictures of plans: the law of a release over simulated rows, and errors by method.

test_that("the law in the plane has its peak at the centre, and narrows with epsilon", {
  plan <- function(epsilon) plan_median(500, 2, epsilon, lower = -50, upper = 50, spread = c(1, 3))
  law <- plan_density(plan(1))
  expect_equal(nrow(law), law_cells^2)
  expect_equal(max(law$density), 1)
  # seen to fail: rows that are not moved have their median elsewhere
  mode <- law[law$density == 1, ]
  expect_lt(max(abs(mode$x)) / max(law$x), 0.2)
  expect_lt(max(abs(mode$y)) / max(law$y), 0.2)
  # mean squares of the law about its mean, against the planned error
  spread_of <- function(law) {
    weight <- law$density / sum(law$density)
    square <- function(v) sum(weight * (v - sum(weight * v))^2)
    sqrt((square(law$x) + square(law$y)) / 2)
  }
  expect_equal(spread_of(law) / plan(1)$error[[1]], 1, tolerance = 0.5)
  expect_lt(spread_of(plan_density(plan(4))), 0.75 * spread_of(law))
  # beyond the cliff the limits are shown
  far <- suppressWarnings(plan_median(20, 2, 0.1, lower = -50, upper = 50))
  expect_equal(range(plan_density(far)$x), c(-50, 50))
})

test_that("plans are drawn, and nothing is taken from R's stream", {
  skip_on_cran()
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  plans <- list(plan_median(200, 2, 1, lower = 0, upper = 10),
                plan_median(200, 5, 1, 1e-6, lower = 0, upper = 10), plan_median(200, 2, 1),
                plan_median(30, 1, 0.1))
  set.seed(1)
  before <- .Random.seed
  for (p in plans) expect_identical(plot(p), p)
  expect_identical(.Random.seed, before)
  expect_error(plot(plans[[1]], 3), class = "dpdepth_error_input")
  skip_if_not_installed("ggplot2")
  for (p in plans) expect_s3_class(ggplot2::ggplot_build(ggplot2::autoplot(p)), "ggplot_built")
})

test_that("a law is drawn at every size of the limits", {
  for (size in c(1e-290, 1e300)) {
    plan <- plan_median(100, 2, epsilon = 1, delta = 1e-6, lower = -size, upper = size)
    expect_true(all(is.finite(plan$error) & plan$error > 0))
    expect_true(all(is.finite(as.matrix(plan_density(plan)))))
  }
})
