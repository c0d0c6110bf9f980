# Random differential privacy: constants and the smallest n.

test_that("kappa solves the printed inequalities with equality", {
  for (n in c(10, 1000, 1e5)) {
    for (gamma in c(0.5, 0.05, 1e-6)) {
      k <- random_dp_kappa(n, 1, gamma, "median")
      expect_equal(exp(1) * exp(-n * k^2), gamma, tolerance = 1e-9)
      for (d in 2:4) {
        k <- random_dp_kappa(n, d, gamma, "tukey")
        expect_equal(log(8 * ((n^2 - 1)^d + 1)) + 2 * k * (2 + (2 - n) * k), log(gamma / 2), tolerance = 1e-9)
        k <- random_dp_kappa(n, d, gamma, "regression")
        expect_equal(log(64 * ((n^2 - 1)^(d - 1) + 1)^4) + 2 * k * (2 + (2 - n) * k), log(gamma / 2),
                     tolerance = 1e-9)
      }
    }
  }
  # as printed, by hand: n = 1000, d = 2, gamma = 0.05
  expect_equal(random_dp_kappa(1000, 2, 0.05, "tukey"),
               (sqrt(4 - 2 * 998 * log(0.05 / (16 * ((1e6 - 1)^2 + 1)))) + 2) / (2 * 998), tolerance = 1e-12)
})

test_that("the smallest n is the smallest, by search", {
  for (gamma in c(0.5, 0.1, 0.01)) {
    expect_identical(random_dp_min_n(1, gamma, "median") + 0,
                     which(random_dp_enough(1:200, 1, gamma, "median"))[[1]] + 0)
    # the printed lower bound on n
    bound <- 2 * (-log(gamma) + sqrt((log(gamma) - 4) * log(gamma) + 3) + 2)
    expect_equal(random_dp_min_n(1, gamma, "median"), ceiling(bound))
    for (kind in c("tukey", "regression")) {
      for (d in 2:3) {
        enough <- random_dp_enough(1:20000, d, gamma, kind)
        least <- random_dp_min_n(d, gamma, kind)
        expect_equal(least, which(enough)[[1]])
        expect_true(all(enough[seq(least + 4 * (d + 1), 20000)]))
      }
    }
  }
  expect_gt(random_dp_min_n(100, 1e-9, "tukey"), 1e7)
})

test_that("too small an n is refused with the n that would do", {
  least <- random_dp_min_n(2, 0.05, "tukey")
  expect_silent(check_random_dp_n(least, 2, 0.05, "tukey"))
  expect_error(check_random_dp_n(least - 1, 2, 0.05, "tukey"), format(least, big.mark = ","),
               class = "dpdepth_error_input")
  expect_error(check_random_dp_n(100, 2, 0.05, "regression"), "coefficients", class = "dpdepth_error_input")
})

test_that("the deepest regression: label, default bounds, and the n that would do", {
  set.seed(5)
  least <- random_dp_min_n(2, 0.1, "regression")
  d <- data.frame(x = rnorm(least))
  d$y <- 1 + 2 * d$x + rnorm(least)
  r <- rival_regression(y ~ x, d, 8, 1e-6, "random_dp", gamma = 0.1)
  expect_identical(r$guarantee, "unproved")
  expect_identical(r$gamma, 0.1)
  expect_match(paste(format(summary(r)), collapse = " "), "as published")
  expect_lt(max(abs(coef(r) - c(1, 2))), 1.5)
  expect_error(rival_regression(y ~ x, d[-1, ], 8, 1e-6, "random_dp", gamma = 0.1),
               format(least, big.mark = ","),
               class = "dpdepth_error_input")
})
