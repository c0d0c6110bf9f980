# Public rules by which a private regression chooses.

test_that("far fits count among what makes a release fail, and chains have a row when asked", {
  failure <- function(n, p, ...) {
    plan <- plan_regression(n, p, 1, lower = -50, upper = 50, ...)
    plan$failure[plan$method == "exponential"]
  }
  # simulated draws: 7 of 30, 2 of 30 and 0 of 30 lie far away
  expect_gt(failure(130, 3), 0.2)
  expect_gt(failure(150, 3), 0.02)
  expect_lt(failure(180, 3), 0.005)
  expect_equal(failure(75, 1), stats::plogis(exponential_log_odds(75, 1, 1, 50)))
  chain <- plan_regression(3000, 6, 1, lower = -50, upper = 50, sampler = "mcmc")
  expect_identical(chain$guarantee[[1]], "stationary")
  expect_false(chain$chosen[[1]])
  expect_identical(chain[-1, ], plan_regression(3000, 6, 1, lower = -50, upper = 50), ignore_attr = TRUE)
  expect_false("stationary" %in% plan_regression(3000, 6, 1, sampler = "mcmc")$guarantee)
})
