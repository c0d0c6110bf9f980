# plan_regression(): errors against simulations, sizes and budgets sought, what fails, prints.

slope <- function(plan, method) plan$error[plan$method == method]

test_that("errors of the exponential mechanism are those of simulations", {
  # a prototype's figures: standard normal data, bounds +-50, 300 directions
  plan <- function(n, p) plan_regression(n = n, p = p, epsilon = 1, lower = -50, upper = 50)
  expect_equal(slope(plan(500, 3), "exponential"), 0.067, tolerance = 0.1)
  expect_equal(exponential_error(500, 8, 1), 0.086, tolerance = 0.1)
  expect_equal(slope(plan(100, 1), "exponential"), 0.16, tolerance = 0.15)
  expect_equal(slope(plan(200, 1), "exponential"), 0.10, tolerance = 0.15)
  expect_equal(slope(plan(500, 1), "exponential"), 0.07, tolerance = 0.15)
  # units
  wide <- plan_regression(n = 500, p = 3, epsilon = 1, lower = -50, upper = 50, noise = 6, spread = 2)
  expect_equal(slope(wide, "exponential"), 3 * slope(plan(500, 3), "exponential"))
})

test_that("what is chosen, and with how much delta", {
  skip_on_cran()
  few <- plan_regression(n = 500, p = 3, epsilon = 1, lower = -50, upper = 50)
  expect_identical(few$method, c("exponential", "batches"))
  expect_identical(few$chosen, c(TRUE, FALSE))
  # what dp_regression() refuses is not planned: more than two regressors without limits, more than four
  free <- plan_regression(n = 500, p = 2, epsilon = 1)
  expect_identical(free$method, c("exponential", "batches"))
  expect_identical(free$chosen, c(TRUE, FALSE))
  expect_identical(plan_regression(n = 2000, p = 3, epsilon = 1)$method, "batches")
  expect_true(plan_regression(n = 2000, p = 3, epsilon = 1)$chosen)
  many <- plan_regression(n = 6000, p = 8, epsilon = 1, delta = 1e-6)
  expect_identical(many$method, "batches")
  expect_true(many$chosen)
  expect_identical(many$delta, 0)
  expect_lt(many$error, 0.059)
  tested <- plan_regression(n = 23000, p = 24, epsilon = 1, delta = 1e-6)
  expect_identical(tested$guarantee, "approximate")
  expect_identical(tested$delta, 1e-6)
  none <- plan_regression(n = 500, p = 8, epsilon = 1)
  expect_false(any(none$chosen))
  # as dp_regression() has it
  expect_identical(many$batches, choose_batches(6000, 9, 1, 1e-6, prior_for(prior_dyadic(1), 9))$batches)
})

test_that("the least n and epsilon give the error asked for", {
  skip_on_cran()
  found <- plan_regression(p = 1, epsilon = 0.5, lower = -50, upper = 50, error = 0.1)
  expect_lte(found$error[found$chosen], 0.1)
  fewer <- plan_regression(n = round(0.98 * found$n[[1]]), p = 1, epsilon = 0.5, lower = -50, upper = 50)
  expect_gt(fewer$error[fewer$chosen], 0.1)
  budget <- plan_regression(n = 5000, p = 6, lower = -50, upper = 50, error = 0.08)
  expect_lte(budget$error[budget$chosen], 0.08)
  expect_error(plan_regression(n = 20, p = 1, lower = 0, upper = 1, error = 1e-9), "reachable",
               class = "dpdepth_error_input")
})

test_that("below n epsilon of 50 it says that everything fails", {
  few <- plan_regression(n = 40, p = 1, epsilon = 1, lower = -50, upper = 50)
  expect_true(all(few$beyond))
  expect_equal(few$error, rep(50 / sqrt(3), 2))
  expect_output(print(few), "below about 50 every private regression fails")
  expect_true(all(plan_regression(n = 400, p = 1, epsilon = 0.1)$error == Inf))
  expect_identical(nrow(plan_regression(n = 10, p = 3, epsilon = 1)), 1L)
  expect_snapshot(print(plan_regression(n = 500, p = 8, epsilon = 1, lower = -50, upper = 50)))
  expect_s3_class(tidy(few), "data.frame", exact = TRUE)
  expect_output(print(subset(few, beyond)), "deviation 1 [(]`noise`[)]")
  expect_s3_class(few[c("method", "error")], "data.frame", exact = TRUE)
  bad <- function(...) expect_error(plan_regression(...), class = "dpdepth_error_input")
  bad(n = 10, p = -1, epsilon = 1)
  bad(n = 10, p = 1, epsilon = 1, error = 1)
  bad(n = 10, p = 1)
  bad(n = 100, p = 1, epsilon = 1, lower = 0)
  bad(n = 100, p = 1, epsilon = 1, noise = 0)
  bad(n = 100, p = 1, epsilon = 1, prior = prior_dyadic(1), lower = 0, upper = 1)
})

test_that("medians without limits are planned, too", {
  skip_on_cran()
  plan <- plan_median(n = 1000, d = 3, epsilon = 1, delta = 1e-6)
  expect_identical(plan$method, c("axes", "restricted"))
  expect_identical(plan$chosen, c(TRUE, FALSE))
  expect_identical(plan_median(n = 700, d = 20, epsilon = 1, delta = 1e-6)$chosen, c(FALSE, TRUE))
  expect_true(plan_median(n = 30, d = 2, epsilon = 1)$beyond)
  shown <- expect_silent(utils::capture.output(print(plan_median(n = 30, d = 2, epsilon = 1))))
  expect_match(paste(shown, collapse = " "), "deviation 1 \\(`spread` says another\\).*noise of any size")
  found <- plan_median(d = 5, epsilon = 1, error = 0.05)
  expect_true(dyadic_serves(found$n, 5, 1))
  expect_lte(found$error, 0.05)
  set.seed(3)
  z <- draw_axes(matrix(rnorm(6000), 2000) + 100, prior_for(prior_dyadic(2^-20), 3), 1, "R", 300L)
  expect_equal(sqrt(mean(apply(z, 2, stats::var))), plan_median(n = 2000, d = 3, epsilon = 1)$error,
               tolerance = 0.2)
})

test_that("the n that is found is the least that serves", {
  skip_on_cran()
  for (limits in list(list(lower = -50, upper = 50), list())) {
    plan <- function(...) do.call(plan_regression, c(list(p = 1, epsilon = 1, ...), limits))
    found <- plan(error = 0.08)
    fewer <- plan(n = found$n[[1]] - 1L)
    expect_lte(found$error[found$chosen], 0.08)
    expect_true(!any(fewer$chosen & fewer$error <= 0.08))
  }
  # a wide error is reached where draws do not fail any more
  found <- plan_regression(p = 1, epsilon = 1, lower = -50, upper = 50, error = 0.5)
  expect_lte(found$failure[[1]], planned_failure)
  fewer <- plan_regression(n = found$n[[1]] - 1, p = 1, epsilon = 1, lower = -50, upper = 50)
  expect_gt(fewer$failure[[1]], planned_failure)
  # what dp_regression() says would do
  text <- tryCatch(dp_regression(dist ~ speed, cars, 1), error = conditionMessage)
  rows <- as.numeric(sub(".*data with ([0-9]+) rows for a.*", "\\1", text))
  expect_identical(rows, 160)
  expect_true(dyadic_regression_serves(rows, 1, 1))
  expect_false(dyadic_regression_serves(rows - 1, 1, 1))
  expect_identical(vapply(c(3, 7, 100), function(k) search_count(function(v) v >= k, 3, 50), 0), c(3, 7, NA))
})

test_that("errors and failures are those of releases", {
  skip_on_cran()
  # Each expectation fails by chance once in 1/ALPHA runs, if plans are within 25%.
  draws <- function(n, p, epsilon) {
    x <- matrix(stats::rnorm(n * p), n)
    y <- as.vector(1 + x %*% rep(1.5, p)) + stats::rnorm(n)
    frame <- data.frame(y, x)
    coef(dp_regression(y ~ ., frame, epsilon, lower = -50, upper = 50, rng = "R"))[-1] - 1.5
  }
  set.seed(8)
  for (case in list(c(200, 1, 1), c(60, 1, 4), c(60, 2, 4))) {
    plan <- plan_regression(n = case[[1]], p = case[[2]], epsilon = case[[3]], lower = -50, upper = 50)
    errors <- replicate(30, draws(case[[1]], case[[2]], case[[3]]))
    ratio <- mean(errors^2) / plan$error[[1]]^2
    expect_gt(ratio, stats::qchisq(ALPHA / 2, 30) / 30 / 1.25^2)
    expect_lt(ratio, stats::qchisq(1 - ALPHA / 2, 30) / 30 * 1.25^2)
  }
  # near the cliff, where a release is one or the other: the chance to within a factor of 2
  failed <- sum(replicate(100, abs(suppressWarnings(draws(60, 1, 1))) > 5))
  failure <- plan_regression(n = 60, p = 1, epsilon = 1, lower = -50, upper = 50)$failure[[1]]
  expect_lte(failed, stats::qbinom(1 - ALPHA / 2, 100, 2 * failure))
  expect_gte(failed, stats::qbinom(ALPHA / 2, 100, failure / 2))
})

test_that("what a plan lacks is named, with what would do", {
  refused <- function(arg, told, ...) {
    e <- expect_error(plan_regression(...), told, class = "dpdepth_error_input")
    expect_identical(e$arg, arg)
  }
  refused("epsilon", "`epsilon` must be given, or `error` in its place", n = 500, p = 3)
  refused("n", "`n` must be given, or `error` in its place", p = 3, epsilon = 1)
  refused("epsilon", "`epsilon` must be given", p = 3)
  refused("epsilon", "`epsilon` must be given with `error`", p = 3, error = 0.1)
  refused("error", "`error` must be NULL with `n` and `epsilon`", n = 500, p = 3, epsilon = 1, error = 0.1)
  # the width is that of a number's slope, whatever the shares: it would be taken for a rare flag's
  refused("shares", "NULL with `interval`", n = 20000, p = 2, epsilon = 1, lower = -9, upper = 9,
          interval = 0.95, shares = 0.03)
  # the width is that of a number's slope, whatever the shares: it would be taken for a rare flag's
  refused("shares", "NULL with `interval`", n = 20000, p = 2, epsilon = 1, lower = -9, upper = 9,
          interval = 0.95, shares = 0.03)
  refused("p", "1 or more", n = 500, p = 0, epsilon = 1)
})

test_that("the print says how long an exact draw takes, where that is long, and where some do not end", {
  said <- function(...) paste(format(plan_regression(..., epsilon = 1)), collapse = " ")
  expect_match(said(7e4, 2, lower = -9, upper = 9), "takes about 7 seconds")
  expect_match(said(1e5, 2, lower = -9, upper = 9), "takes about 50 seconds")
  expect_no_match(said(900, 3, lower = -9, upper = 9), "takes about")
  expect_match(said(900, 3, lower = -9, upper = 9), "draw of 4 coefficients practically does not end")
  expect_no_match(said(1e5, 1), "takes about")
  expect_match(said(1200, 4, lower = -9, upper = 9), "about 6 seconds")
  # batches draw these
  expect_no_match(said(10000, 3, lower = -9, upper = 9), "takes about|not end")
  expect_no_match(said(20000, 4, lower = -9, upper = 9), "takes about|not end")
  expect_no_match(said(1000, 2, lower = -9, upper = 9), "not end")
})

# -- pictures --------------------------------------------------------------------------------------

test_that("a plan is drawn in facets, and the error of a slope read off", {
  skip_on_cran()
  plan <- plan_regression(n = 400, p = 1, epsilon = 1, lower = -50, upper = 50)
  curves <- plan_curves(plan)
  expect_identical(levels(curves$facet), c("n, with epsilon = 1", "epsilon, with n = 400"))
  mid <- curves[curves$method == "exponential" & curves$at == 400, ]
  expect_identical(mid$error, plan$error[[1]])
  expect_true(all(is.na(curves$error[curves$facet == "n, with epsilon = 1" & curves$at < 50])))
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  before <- graphics::par("mfrow")
  expect_identical(plot(plan), plan)
  expect_identical(graphics::par("mfrow"), before)
  expect_error(plot(plan, col = 2), "col", class = "dpdepth_error_input")
  skip_if_not_installed("ggplot2")
  expect_silent(ggplot2::ggplotGrob(ggplot2::autoplot(plan)))
  expect_silent(ggplot2::ggplotGrob(ggplot2::autoplot(plan_regression(n = 9, p = 1, epsilon = 1))))
})
