# Tests of R/mech-regression.R: how many rows exact draws take, and where far fits outweigh near ones.

test_that("the chance of noise falls with rows, and rows and shapes are judged by public numbers", {
  # simulated draws of three regressors: 7 of 30, 2 of 30 and 0 of 30 lie far away
  failure <- vapply(c(130, 150, 180), exponential_failure, 0, p = 3, epsilon = 1, half = 50)
  expect_gt(failure[[1]], 0.2)
  expect_gt(failure[[2]], 0.02)
  expect_lt(failure[[3]], 0.005)
  # more directions leave fewer fits far from all of them
  expect_gt(far_log_weight(500, 8, 1, 30), far_log_weight(500, 8, 1, 300))
  expect_false(any(far_fits_prevail(20, 1, c(0.1, 1), 1)))
  # the mean of exp(rate t) over the least of 50 angles between 0 and pi/2, in the plane
  set.seed(1)
  t <- -most_of_rows(-matrix(stats::runif(50 * 20000, 0, pi / 2), ncol = 50))
  expect_equal(far_log_weight(60, 2, 1, 50), log(mean(exp(60 / (2 * pi) * t))), tolerance = 0.05)
  expect_true(exact_regression_serves(2000, 4))
  expect_false(exact_regression_serves(2001, 4) || exact_regression_serves(10, 5))
  # eight regressors: 630 rows serve along 300 directions, 500 along 1200, 440 along none of these numbers
  rows <- c(640, 620, 500, 460, 440)
  found <- vapply(rows, default_fit_directions, 0L, p = 8L, worth = 1)
  expect_identical(found, c(300L, 600L, 1200L, 2400L, 300L))
  expect_identical(default_fit_directions(4L, 50, 1), 100L)
  expect_identical(default_fit_directions(400, 1000, 1), 400)
  # no more than the rows' orders have room for
  expect_identical(default_fit_directions(20L, 2e5, 0.01), 300L)
  expect_identical(quantile_worth(2, c(0.25, 0.5)), c(0.5, 1))
  four <- list(dummies = 3L, products = 0L)
  expect_true(draw_may_not_end(1000, 4, four))
  expect_false(draw_may_not_end(1000, 3, four))
  flag <- list(dummies = 1L, products = 1L)
  expect_identical(vapply(c(299, 300, 301), draw_may_not_end, NA, 4, flag), c(FALSE, FALSE, TRUE))
  expect_false(draw_may_not_end(1000, 3, flag))
  expect_false(is_slow_draw(1000, 4, four, TRUE))
})

test_that("the epsilon that is called quick is the largest that is not warned of, in tenths", {
  for (p in 2:4) for (n in c(50, 400, 999, 3000)) {
    quick <- largest_quick_epsilon(n, p)
    expect_false(is_steep_draw(n, p, quick))
    expect_true(is_steep_draw(n, p, quick + 0.101))
  }
})
