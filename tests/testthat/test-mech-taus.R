# Quantiles that a regression is asked for: weights, shares.

test_that("weights of quantiles are the least whole numbers", {
  expect_identical(quantile_weights(0.5), c(1L, 1L))
  expect_identical(quantile_weights(0.9), c(9L, 1L))
  expect_identical(quantile_weights(1 / 3), c(1L, 2L))
  expect_identical(quantile_weights(0.025), c(1L, 39L))
  expect_null(quantile_weights(pi / 4))
})

test_that("no weight is 0: a tau next to 0 or 1 is refused", {
  for (tau in c(1e-300, 1e-10, 4e-10, 1 - 1e-10)) {
    expect_error(check_taus(tau, 100), "denominators of at most 1000", class = "dpdepth_error_input")
  }
})

test_that("shares of quantiles do not pass the whole by rounding, and scores do not overflow", {
  frame <- data.frame(a = sin(1:60), b = cos(1:60), y = sqrt(1:60))
  passes <- function() {
    any(vapply(c(3, 7, 49), function(m) {
      told <- fits_handed(frame, 1, tau = seq_len(m) / (m + 1), lower = -9, upper = 9, formula = y ~ a)
      told$draws[[m]]$epsilon >= (1 - 2^-41) / m
    }, NA))
  }
  expect_false(passes())
  expect_true(caught(bug(passes, "quantile_share", "1 - 2^-40", "1")))
  expect_error(check_taus(0.999, 2^20), "smaller denominators", class = "dpdepth_error_input")
})
