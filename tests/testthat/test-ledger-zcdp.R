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
