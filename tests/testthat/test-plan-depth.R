# plan_depth(): the noise that is released, sizes sought, refusals.

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
