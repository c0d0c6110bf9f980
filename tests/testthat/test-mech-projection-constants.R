# Default constants of the private projection median.

constants <- function(...) dpdepth:::projection_constants(...)

test_that("more data and more epsilon help, more directions and variables do not", {
  skip_on_cran()
  rate <- function(n = 20000, d = 3, epsilon = 3, delta = 1e-5, count = 300, ...) {
    constants(n, d, epsilon, delta, count, ...)$rate
  }
  expect_lt(rate(), rate(n = 40000))
  expect_lt(rate(), rate(epsilon = 4))
  expect_gt(rate(), rate(d = 6))
  expect_gt(rate(), rate(count = 3000))
  expect_lt(rate(), rate(delta = 1e-4))
  expect_lt(10 * rate(), rate(location = "trimmed", scale = "trimmed"))
})

test_that("given eta and tau are kept, with half of epsilon for each part", {
  k <- constants(1000, 2, 2, 1e-3, 100, eta = 0.1)
  expect_identical(k$eta, 0.1)
  expect_identical(k$epsilon_test, 1)
  k <- constants(1000, 2, 2, 1e-3, 100, eta = 0.1, tau = 2)
  expect_identical(k$tau, 2)
  k <- constants(30000, 2, 4, 1e-3, 100, tau = 0.5)
  expect_identical(k$tau, 0.5)
})

test_that("too few rows have constants that do not pass, not an error", {
  k <- constants(100, 5, 1, 1e-6, 1000)
  expect_false(k$feasible)
  expect_true(all(is.finite(unlist(k))) && k$eta > 0 && min(k$tau) > 0)
})
