# plan_regression() with the shares of flags and levels.

test_that("each method has a row for each share", {
  plan <- plan_regression(506, 2, 1, shares = 0.07)
  expect_identical(plan$method, rep(c("exponential", "batches"), each = 2))
  expect_identical(plan$share, c(NA, 0.07, NA, 0.07))
  # 35 rows: noise without limits, and with them in 8% of draws
  expect_identical(plan$beyond[1:2], c(FALSE, TRUE))
  expect_gt(plan$failure[[2]], 0.9)
  limited <- plan_regression(506, 2, 1, shares = 0.07, lower = -50, upper = 50)
  expect_identical(limited$beyond[1:2], c(FALSE, TRUE))
  expect_identical(limited$error[[2]], limited$error[[3]])
  expect_gt(limited$failure[[2]], 0.05)
  rows <- plan_regression(1500, 2, 1, shares = 0.07, lower = -50, upper = 50)
  expect_false(rows$beyond[[2]])
  expect_gt(rows$error[[2]], 4 * rows$error[[1]])
  expect_snapshot(print(limited))
  # in the unit of the response
  scaled <- plan_regression(506, 2, 1, shares = 0.07, lower = -150, upper = 150, noise = 3, spread = 5)
  expect_equal(scaled$error[[2]], 3 * limited$error[[2]])
  expect_equal(scaled$error[[1]], 0.6 * limited$error[[1]])
  # a rare first level is as bad
  expect_equal(plan_regression(506, 2, 1, shares = 0.93)$beyond, plan$beyond)
})

test_that("levels are equally frequent where nothing else is said", {
  even <- plan_regression(2400, 3, 1, indicators = c(2, 1))
  expect_identical(even$share, c(NA, 1 / 3, 1 / 2))
  given <- plan_regression(2400, 3, 1, indicators = c(2, 1), shares = c(1 / 3, 1 / 3, 1 / 2))
  expect_equal(given$error, even$error)
  rare <- plan_regression(2400, 3, 1, indicators = c(2, 1), shares = c(1 / 3, 0.05, 1 / 2))
  expect_gt(rare$error[[3]], 2 * rare$error[[2]])
  expect_false("share" %in% names(plan_regression(2400, 3, 1)))
})

test_that("the n that is found serves the rarest", {
  skip_on_cran()
  found <- plan_regression(p = 2, epsilon = 1, lower = -50, upper = 50, shares = c(0.3, 0.07), error = 0.3)
  taken <- found[found$chosen, ]
  expect_true(all(taken$error <= 0.3 & taken$failure <= planned_failure))
  fewer <- plan_regression(found$n[[1]] - 1, 2, 1, lower = -50, upper = 50, shares = c(0.3, 0.07))
  expect_false(all(fewer$error[fewer$chosen] <= 0.3 & fewer$failure[fewer$chosen] <= planned_failure))
  expect_identical(unique(plan_curves(found)$method)[1:3],
                   c("exponential", "exponential, share 30%", "exponential, share 7%"))
})

test_that("shares are checked", {
  bad <- function(...) {
    expect_error(plan_regression(500, 2, 1, lower = -9, upper = 9, ...), class = "dpdepth_error_input")
  }
  bad(shares = 0)
  bad(shares = 1)
  bad(shares = "a")
  bad(shares = c(0.1, 0.2, 0.3))
  bad(indicators = 2, shares = c(0.5, 0.5))
  bad(indicators = 2, shares = c(0.1, 0.1, 0.1))
})

test_that("other quantiles have a row for each share, with their part of epsilon", {
  skip_on_cran()
  plan <- plan_regression(12000, 2, 1, lower = -50, upper = 50, tau = c(0.5, 0.9), shares = c(0.3, 0.1))
  expect_identical(plan$tau, rep(c(0.5, 0.9), each = 3))
  expect_identical(plan$share, rep(c(NA, 0.3, 0.1), 2))
  expect_equal(plan$error[2:3], plan_regression(12000, 2, 0.5, lower = -50, upper = 50,
                                                shares = c(0.3, 0.1))$error[2:3], tolerance = 0.02)
  planned <- quantile_indicator(12000, 2, 0.5, 0.9, plan$shifted[[6]], 0.1, 0.9, 50)
  expect_equal(plan$error[6], planned[["error"]])
  # in the unit of the response
  scaled <- plan_regression(12000, 2, 1, lower = -150, upper = 150, tau = c(0.5, 0.9), shares = c(0.3, 0.1),
                            noise = 3)
  expect_equal(scaled$error[c(2, 6)], 3 * plan$error[c(2, 6)])
  expect_setequal(plan_curves(plan)$method[1:6], plan_series(plan))
  expect_match(plan_series(plan)[[6]], "tau = 0.9, share 10%", fixed = TRUE)
  shown <- utils::capture.output(print(plan))
  expect_match(shown[[5]], "tau method +guarantee delta share error")
  expect_match(paste(shown, collapse = " "), "share: of the rows")
  # 200 rows of a level are few for 0.9, where 4000 rows are many
  rare <- plan_regression(4000, 1, 1, lower = -50, upper = 50, tau = 0.9, shares = 0.05)
  expect_true(rare$shifted[[1]] && rare$failure[[1]] < 1e-6 && rare$failure[[2]] > 0.4)
  found <- plan_regression(p = 1, epsilon = 1, lower = -50, upper = 50, tau = 0.75, shares = 0.1, error = 0.2)
  expect_true(all(found$error <= 0.2 & found$failure <= planned_failure))
})
