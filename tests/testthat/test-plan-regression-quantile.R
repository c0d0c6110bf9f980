# Tests of R/plan-regression-quantile.R: planned errors and failures against draws, the door's rules.
# Error rates: ALPHA = 1e-6 an expectation (helper-stat.R).

quantile_plan <- function(...) plan_regression(..., lower = -50, upper = 50)

test_that("errors and failures of quantiles are those of releases", {
  skip_on_cran()
  draws <- function(n, tau, times) {
    out <- replicate(times, {
      x <- stats::rnorm(n)
      frame <- data.frame(y = 1 + 1.5 * x + stats::rnorm(n), x)
      coef(suppressWarnings(dp_regression(y ~ x, frame, 1, lower = -50, upper = 50, tau = tau, rng = "R")))
    })
    out - c(1 + stats::qnorm(tau), 1.5)
  }
  set.seed(1)
  # a plan may be off by 1.25; weighted counts, shifted ones
  for (case in list(c(500, 0.1), c(200, 0.75), c(500, 0.25), c(1500, 0.9))) {
    plan <- quantile_plan(case[[1]], 1, 1, tau = case[[2]])
    expect_identical(plan$shifted, case[[1]] * (1 - abs(2 * case[[2]] - 1)) > 249)
    ratio <- mean(draws(case[[1]], case[[2]], 30)[2, ]^2) / plan$error^2
    expect_gt(ratio, stats::qchisq(ALPHA / 2, 30) / 30 / 1.25^2)
    expect_lt(ratio, stats::qchisq(1 - ALPHA / 2, 30) / 30 * 1.25^2)
  }
  # near the cliff
  failed <- sum(apply(abs(draws(200, 0.1, 60)), 2, max) > 5)
  failure <- quantile_plan(200, 1, 1, tau = 0.1)$failure
  expect_lte(abs(failed - 60 * failure), 60 * 0.15 + 5 * sqrt(60 * failure * (1 - failure)))
  # at the median both scores are one law
  expect_equal(quantile_law(0.5, TRUE, 200, 2, 1, 50, 100L), quantile_law(0.5, FALSE, 200, 2, 1, 50, 100L))
  # the median's plan, found another way
  near <- quantile_law(0.5, FALSE, 500, 3, 1, 50, 100L)
  expect_equal(near[["error"]], exponential_error(500, 3, 1), tolerance = 0.03)
  expect_equal(quantile_law(0.5, FALSE, 60, 1, 1, 50, 1L)[["failure"]], 0.1, tolerance = 0.2)
})

test_that("several quantiles share epsilon, and their score is the release's", {
  skip_on_cran()
  three <- quantile_plan(2000, 1, 1, tau = c(0.1, 0.5, 0.9))
  one <- quantile_plan(2000, 1, 1 / 3, tau = 0.9)
  expect_equal(three$error[[3]], one$error)
  expect_equal(three$epsilon, rep(1, 3))
  expect_equal(three$error[[1]], three$error[[3]])
  expect_equal(quantile_plan(2000, 1, 1, tau = 0.9, noise = 6, spread = 2)$error,
               3 * quantile_plan(2000, 1, 1, tau = 0.9)$error, tolerance = 1e-3)
  for (tau in list(0.9, c(0.25, 0.75), c(0.05, 0.5, 0.7))) for (p in 1:2) for (n in c(400, 1600)) {
    door <- plan_exponential(n, plan_terms(p), list(lower = -50, upper = 50), 1, 0, tau)
    shifted <- quantile_plan(n, p, 1, tau = tau)$shifted
    told <- sub("^regression depth, (exact|.*directions)", "", door$details$depth)
    expect_identical(shifted_text(tau, shifted), told)
    expect_identical(shifted, lengths(door$weights) == 3)
  }
  found <- quantile_plan(p = 2, epsilon = 1, tau = c(0.25, 0.9), error = 0.2)
  expect_lte(max(found$error), 0.2)
  fewer <- quantile_plan(found$n[[1]] - 1, 2, 1, tau = c(0.25, 0.9))
  expect_true(any(fewer$error > 0.2 | fewer$failure > planned_failure))
  expect_lte(max(quantile_plan(1000, 1, tau = 0.9, error = 0.15)$error), 0.15)
})

test_that("quantiles are refused and warned of in the door's words", {
  said <- function(call) tryCatch(call, dpdepth_error_input = conditionMessage)
  frame <- data.frame(y = 1:40 / 7, a = sin(1:40), b = cos(1:40), c = 1, d = 2, e = 3)
  same <- function(formula, ...) {
    p <- length(all.vars(formula)) - 1
    expect_identical(said(plan_regression(40, p, ...)), said(dp_regression(formula, frame, ...)))
  }
  same(y ~ a, epsilon = 1, tau = pi / 4, lower = 0, upper = 1)
  same(y ~ a, epsilon = 1, tau = c(0.5, 0.25), lower = 0, upper = 1)
  same(y ~ a, epsilon = 2e-6, tau = c(0.25, 0.5, 0.75), lower = 0, upper = 1)
  same(y ~ a + b + c + d + e, epsilon = 1, tau = 0.9, lower = 0, upper = 1)
  same(y ~ a + b + c, epsilon = 1, tau = 0.9)
  warned <- tryCatch(dp_regression(y ~ a, frame, 1.5, tau = c(0.1, 0.5), lower = -9, upper = 9),
                     dpdepth_warning_accuracy = conditionMessage)
  shown <- utils::capture.output(print(plan_regression(40, 1, 1.5, tau = c(0.1, 0.5), lower = -9, upper = 9)))
  expect_match(paste(shown, collapse = " "), warned, fixed = TRUE)
  expect_false(any(grepl("noise as wide", utils::capture.output(print(quantile_plan(900, 1, 1, tau = 0.9))))))
  expect_match(paste(utils::capture.output(print(quantile_plan(1000, 3, 1, tau = 0.9))), collapse = " "),
               "draw of 4 coefficients practically does not end")
  curves <- plan_curves(quantile_plan(900, 1, 1, tau = c(0.25, 0.5)))
  expect_setequal(curves$method, c("tau = 0.25", "tau = 0.5"))
})

# -- indicators ------------------------------------------------------------------------------------

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
