# The conversion of zCDP and the budget of composed medians, against brute force over the order.

# delta of rho-zCDP at epsilon, by brute force over the order.
zcdp_delta <- function(rho, epsilon) {
  log_delta <- function(t) {
    a <- 1 + exp(t)
    (a - 1) * (a * rho - epsilon) + a * log1p(-1 / a) - t
  }
  t <- seq(-15, 20, by = 0.01)
  near <- t[[which.min(log_delta(t))]] + c(-0.01, 0.01)
  exp(stats::optimize(log_delta, near, tol = 1e-10)$objective)
}

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
