# plan_interior_point(): the bound is below what is simulated, and rows sought suffice.

test_that("the bound is below the simulated chance, and both grow", {
  set.seed(9)
  sizes <- c(200, 400, 1500)
  p <- do.call(rbind, lapply(sizes, plan_interior_point, epsilon = 1, delta = 1e-6, simulate = 40))
  expect_true(all(diff(p$simulated) >= 0) && all(diff(p$bound) >= 0))
  expect_true(all(p$bound <= p$simulated + 1e-9))
  expect_equal(p$simulated[[3]], 1)
  expect_identical(p$n_bound, rep(p$n_bound[[1]], 3))
  expect_gte(interior_bound(p$n_bound[[1]], interior_plan(1, 1e-6), 0.087, 3), 0.95)
})

test_that("rows are sought, also for a slice", {
  set.seed(9)
  p <- plan_interior_point(epsilon = 2, delta = 1e-6, success = 0.9, simulate = 20)
  expect_true(p$n > 100 && p$n < 300)
  slice <- plan_interior_point(n = 1200, epsilon = 1, delta = 1e-6, alpha = 0.25, simulate = 20)
  expect_equal(slice$rows, slice_size(1200, 0.25))
  refused <- function(...) expect_error(plan_interior_point(100, 1, 1e-6, ...), class = "dpdepth_error_input")
  refused(law = 3)
  refused(law = function(n) rep(Inf, n))
  refused(alpha = 0.7)
})
