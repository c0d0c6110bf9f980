# The conversion of zCDP, against brute force over the order.

test_that("rho is the largest that the tight conversion allows, rounded down", {
  for (epsilon in c(0.01, 0.1, 1, 4, 20)) {
    for (delta in c(1e-12, 1e-6, 1e-3, 0.2)) {
      rho <- zcdp_rho(epsilon, delta)
      expect_lte(zcdp_delta(rho, epsilon), delta)
      expect_gt(zcdp_delta(rho * (1 + 1e-4), epsilon), delta)
      # it buys more than the conversion of Bun and Steinke
      log_share <- log(1 / delta)
      expect_gt(rho, (sqrt(log_share + epsilon) - sqrt(log_share))^2)
    }
  }
  expect_equal(zcdp_rho(1, 1e-6), 0.02435597, tolerance = 1e-6) # as computed once on a fine grid of orders
})

test_that("epsilon is the least that the conversion allows, rounded up", {
  for (rho in c(1e-4, 0.02, 1, 30)) {
    for (delta in c(1e-12, 1e-6, 1e-3)) {
      # over all orders 1 + exp(t)
      epsilon_at <- function(t) {
        a <- 1 + exp(t)
        a * rho + (-log(delta) - a * log1p(1 / exp(t)) - t) / exp(t)
      }
      t <- seq(-10, 20, by = 0.01)
      at <- t[[which.min(epsilon_at(t))]]
      least <- stats::optimize(epsilon_at, at + c(-0.02, 0.02), tol = 1e-10)$objective
      expect_gte(zcdp_epsilon(rho, delta), least * (1 + 1e-14))
      expect_lte(zcdp_epsilon(rho, delta), least * (1 + 1e-9))
    }
  }
})
