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
  # "auto" does not start what may not end
  expect_false(any(quantile_plan(1000, 4, 1, tau = 0.9, indicators = 3)$chosen))
  curves <- plan_curves(quantile_plan(900, 1, 1, tau = c(0.25, 0.5)))
  expect_setequal(curves$method, c("tau = 0.25", "tau = 0.5"))
})
