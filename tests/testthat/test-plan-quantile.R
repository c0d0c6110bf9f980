# plan_quantile(): errors in ranks against simulated draws, sizes sought, prints.

test_that("errors in ranks are those of draws: one, several at once, and in a tree", {
  skip_on_cran()
  n <- 20000
  x <- matrix(((1:n) - 0.5) / n)
  for (case in list(list(p = 0.5, draws = 400L), list(p = 1:9 / 10, draws = 60L),
                    list(p = 1:29 / 30, draws = 20L))) {
    plan <- plan_quantile(n, case$p, 1, lower = 0, upper = 1)
    levels <- quantile_levels(length(case$p))
    each <- quantile_budget(1, 0, levels$share)$each
    set.seed(4)
    z <- draw_quantiles(x, case$p, prior_uniform(0, 1), each, levels, "R", case$draws)
    seen <- sqrt(mean((z - rep(case$p, each = case$draws))^2)) * n
    expect_lt(abs(log(seen / sqrt(mean(plan$rank^2)))), log(1.3))
  }
})

test_that("errors in units, and the sizes that are sought", {
  plan <- plan_quantile(1000, c(0.5, 0.1), 2, lower = -100, upper = 100, spread = 3)
  expect_s3_class(plan, c("quantile_plan", "dp_plan", "data.frame"), exact = TRUE)
  expect_identical(plan$prob, c(0.1, 0.5))
  expect_equal(plan$error, sqrt(plan$rank^2 + gap_variance(2)) * 3 /
                 (1000 * stats::dnorm(stats::qnorm(plan$prob))))
  expect_equal(plan$sampling[[2]], 3 * sqrt(pi / 2000))
  expect_equal(plan_quantile(1000, 0.5, 2, lower = 0, upper = 1)$rank, sqrt(2), tolerance = 1e-6)
  n <- plan_quantile(probs = 1:9 / 10, epsilon = 1, lower = 0, upper = 1, error = 0.01)$n[[1]]
  expect_true(n > 500 && n < 2000)
  expect_equal(max(plan_quantile(n, 1:9 / 10, 1, lower = 0, upper = 1)$rank) / n, 0.01, tolerance = 0.01)
  epsilon <- plan_quantile(1e4, 1:9 / 10, lower = 0, upper = 1, error = 0.01)$epsilon[[1]]
  expect_true(epsilon > 0.05 && epsilon < 0.15)
  expect_true(plan_quantile(20, 1:9 / 10, 0.1, lower = 0, upper = 1e6)$beyond[[1]])
  expect_identical(class(tidy(plan)), "data.frame")
})

test_that("what is drawn later inherits of both ends; what is beyond is judged at each end by its rows", {
  levels <- list(split = c(1L, 1L), share = c(0.5, 0.5))
  once <- 16 * bridge_covariance(1)[[1]]
  expect_equal(diag(rank_covariance(3, c(1, 1), levels, 1:3 / 4)), once * c(1.25, 1, 1.25))
  flat <- function(m) list(split = m, share = 1)
  beyond <- function(n, probs) quantile_fails(n, probs, 1, flat(length(probs)), prior_uniform(0, 100))
  n <- plan_quantile(probs = 0.5, epsilon = 1, lower = 0, upper = 100, error = 0.3)$n
  expect_false(beyond(n, 0.5))
  expect_true(beyond(25, 0.5))
  expect_false(beyond(200, c(0.5, 0.6)))
  expect_true(beyond(200, c(0.5, 0.99)))
  expect_true(beyond(200, c(0.01, 0.5)))
})

test_that("a warning and its plan go together, and bad arguments are refused", {
  expect_false(plan_quantile(800, 1:9 / 10, 1, prior = prior_dyadic())$beyond[[1]])
  expect_true(plan_quantile(10, 1:9 / 10, 1, prior = prior_dyadic())$beyond[[1]])
  for (bad in list(list(n = 10), list(n = 10, epsilon = 1, probs = 2), list(n = 10, epsilon = 1, spread = -1),
                   list(epsilon = 1, error = 0), list(n = 1.5, epsilon = 1))) {
    expect_error(do.call(plan_quantile, c(bad, lower = 0, upper = 1)), class = "dpdepth_error_input")
  }
  expect_error(plan_quantile(100, 0.5, 1), "prior_dyadic", class = "dpdepth_error_input")
})

test_that("print and picture", {
  plan <- plan_quantile(1000, 1:3 / 4, 1, lower = 0, upper = 100)
  expect_snapshot(print(plan))
  expect_output(print(plan_quantile(60, 1:29 / 30, 1, lower = 0, upper = 100)), "noise as wide.*and 9 more")
  expect_pictures(plan)
})
