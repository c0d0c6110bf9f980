# dp_median(method = "interior"): an interior point of the middle slice.

test_that("it lies between the stated ranks", {
  set.seed(2)
  x <- stats::rcauchy(3000) * 1e-9 # public-rng: simulated data
  m <- dp_interior_point(x, 2, 1e-6, alpha = 0.2)
  expect_true(m$released)
  ranks <- m$details$ranks
  expect_equal(ranks, c(stats::qbinom(0.975, 3000, 0.3) + 1, 3000 - stats::qbinom(0.975, 3000, 0.3)))
  expect_true(sum(x < coef(m)) >= ranks[[1]] && sum(x < coef(m)) < ranks[[2]])
  asked <- dp_median(x, 2, 1e-6, method = "interior")
  expect_identical(asked$details$why, "the method asked for")
  expect_identical(asked$details$alpha, 0.25)
})

test_that("what cannot be is refused", {
  refused <- function(...) expect_error(dp_median(..., method = "interior"), class = "dpdepth_error_input")
  refused(1:100, 1, 1e-6) # the slice has too few rows
  refused(1:500, 1)
  refused(1:5000, 1, 1e-6, alpha = 0)
  refused(1:5000, 1, 1e-6, alpha = 0.001)
  refused(1:5000, 1, 1e-6, lower = 0, upper = 1)
  refused(cbind(1:5000, 1), 1, 1e-6)
  refused(1:5000, 1, 1e-6, neighbours = "add_remove")
  refused(1:5000, 1, 1e-6, interval = 0.9)
})
