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

test_that("the better of basic and concentrated composition is spent, and never more", {
  skip_on_cran()
  for (d in c(1, 2, 10, 30, 100, 1000)) {
    for (epsilon in c(0.1, 1, 10)) {
      pure <- marginal_budget(epsilon, 0, d)
      expect_identical(pure$delta, 0)
      expect_lte(sum(rep(pure$each, d)), epsilon)
      expect_gt(d * pure$each, epsilon * (1 - 1e-9))
      for (delta in c(1e-9, 1e-6, 0.01)) {
        b <- marginal_budget(epsilon, delta, d)
        expect_gte(b$each, pure$each)
        if (b$delta == 0) {
          expect_identical(b$each, pure$each)
        } else {
          expect_identical(b$delta, delta)
          expect_lte(zcdp_delta(sum(rep(b$each^2 / 8, d)), epsilon), delta)
        }
      }
    }
  }
  expect_identical(marginal_budget(1, 1e-6, 10)$delta, 0 + 1e-6)
  expect_identical(marginal_budget(1, 1e-6, 2)$delta, 0)
})
