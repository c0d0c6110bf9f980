# The method of dp_regression(method = "auto"): by public numbers, as plan_regression() says.

line_data <- function(n, p = 1) {
  x <- matrix(sin(seq_len(n * p)), n, dimnames = list(NULL, paste0("x", seq_len(p))))
  data.frame(y = rowSums(x) + cos(seq_len(n)), x)
}

# what a reason knows of a plan
pure <- list(guarantee = "pure")

taken <- function(...) suppressWarnings(dp_regression(...))$mechanism

test_that("limits: exact draws up to their sizes, batches beyond, and plans say so", {
  expect_match(taken(y ~ ., line_data(300), 1, lower = -50, upper = 50), "over regression depth")
  expect_match(taken(y ~ ., line_data(6000, 8), 1, lower = -50, upper = 50), "batches")
  plan <- plan_regression(n = 6000, p = 8, epsilon = 1, lower = -50, upper = 50)
  expect_identical(plan$method[plan$chosen], "batches")
  raises <- function(code, text) expect_error(code, text, class = "dpdepth_error_input", fixed = TRUE)
  raises(dp_regression(y ~ ., line_data(300, 8), 1, lower = -50, upper = 50), "at most 4")
  raises(dp_regression(y ~ ., line_data(2001, 4), 0.01, lower = -50, upper = 50), "at most 2,000 rows")
})

test_that("no limits: an exact draw, batches, or what would do", {
  ledger <- dp_ledger(9, 1e-5)
  for (delta in c(0, 1e-6)) {
    free <- dp_regression(y ~ ., line_data(400), 1, delta, ledger = ledger)
    expect_match(free$mechanism, "^exponential mechanism over regression depth")
    expect_match(free$details$why, "no public limits")
    expect_identical(free[c("guarantee", "delta", "exact")],
                     list(guarantee = "pure", delta = 0, exact = TRUE))
    expect_identical(unname(free$details$prior$unit), c(1, 1) * prior_dyadic()$unit)
    plan <- plan_regression(n = 400, p = 1, epsilon = 1, delta = delta)
    expect_identical(plan$method[plan$chosen], "exponential")
  }
  many <- dp_regression(y ~ ., line_data(3000, 3), 1, ledger = ledger)
  expect_match(many$mechanism, "batches")
  expect_match(many$details$why, "no public limits")
  expect_match(regression_reason("auto", "exponential", 0, list(prior = prior_normal(0, 1)), pure),
               "^a public prior is given")
  expect_error(dp_regression(y ~ ., line_data(60), 1, ledger = ledger), "data with 160 rows",
               class = "dpdepth_error_input")
  expect_identical(summary(ledger)$spent[[1]], 3)
})

test_that("arguments of draws by depth choose these", {
  expect_match(taken(y ~ ., line_data(900), 1, at = c(-1, 1), lower = -5, upper = 5), "over regression depth")
  expect_match(taken(y ~ ., line_data(900), 1, tau = 0.25, lower = -5, upper = 5), "over regression depth")
  expect_match(taken(y ~ ., line_data(900), 1, prior = prior_dyadic(0.01)), "over regression depth")
  ledger <- dp_ledger(9, 1e-5)
  refused <- function(text, formula = y ~ x1, ..., tau = 0.9) {
    expect_error(dp_regression(formula, line_data(900, 2), 1, 1e-6, tau = tau, ..., ledger = ledger), text,
                 class = "dpdepth_error_input", fixed = TRUE)
  }
  refused("Leave `method` out", method = "batches")
  refused("`interval` must be NULL", y ~ ., interval = 0.9)
  # batches would serve; steps are of draws by depth
  refused("NULL with prior_dyadic(), whose unit is the step", resolution = 0.5)
  refused("`resolution` must be NULL", tau = 0.5, method = "batches", resolution = 0.5)
  refused("`size` is an argument of `dp_regression_batches()`, not of `dp_regression()`.", size = 5)
  refused("`directions` is an argument of `dp_regression_exponential()`", directions = 9)
  expect_identical(summary(ledger)$spent[[1]], 0)
})

test_that("too many regressors: what would do is said, and nothing that would not", {
  ledger <- dp_ledger(9)
  refused <- function(n, p, ...) {
    tryCatch(dp_regression(y ~ ., line_data(n, p), 1, ..., ledger = ledger),
             dpdepth_error_input = conditionMessage)
  }
  few <- refused(500, 6, lower = -50, upper = 50)
  rows <- as.numeric(gsub(",", "", sub(".*which takes ([0-9,]+) rows [(]there are 500[)].*", "\\1", few)))
  plan <- function(n) plan_regression(n = n, p = 6, epsilon = 1, lower = -50, upper = 50)
  expect_true(plan(rows)$chosen)
  expect_false(plan(rows - 1)$chosen)
  expect_match(refused(5000, 6, lower = -50, upper = 50, method = "exponential"), "which serves here")
  # their fits are of medians, without covariances, and have intercepts
  quantile <- refused(5000, 6, lower = -50, upper = 50, tau = 0.9)
  expect_match(quantile, "(batches have medians only) take at most 4. Leave some out; or leave `tau`",
               fixed = TRUE)
  joint <- prior_normal(numeric(7), covariance = diag(7) + 0.1)
  expect_no_match(refused(5000, 6, prior = joint), "batches")
  expect_no_match(refused(20001, 3, lower = -50, upper = 50, tau = 0.9), "batches")
  expect_no_match(refused(500, 3, tau = 0.9), "batches")
  expect_identical(summary(ledger)$spent[[1]], 0)
})

test_that("the reason does not speak of rows that do not suffice", {
  why <- function(...) suppressWarnings(dp_regression(y ~ ., ...))$details$why
  arguments <- "arguments of method = \"exponential\" are given"
  expect_identical(why(line_data(60), 1, at = c(-1, 1)), arguments)
  expect_match(why(line_data(60), 1, lower = -5, upper = 5, at = c(-1, 1)), "so a pure guarantee")
})

test_that("the choice does not look at values", {
  one <- line_data(500)
  for (change in list(c(1e300, 0), c(0, -1e300), c(1e-300, 1e300))) {
    other <- one
    other[7, ] <- change
    for (more in list(list(), list(lower = -5, upper = 5), list(delta = 1e-6))) {
      with <- function(data) do.call(taken, c(list(y ~ ., data, 1), more))
      expect_identical(with(one), with(other))
    }
  }
})

test_that("points too near each other and shares too small are refused before the debit", {
  ledger <- dp_ledger(9)
  refused <- function(...) {
    expect_error(dp_regression(y ~ x1, line_data(300), ..., lower = -5, upper = 5, ledger = ledger),
                 class = "dpdepth_error_input")
  }
  for (at in list(c(0, 1e-70), c(0, 5e-324), c(1, 1 + 2^-52), c(1e-300, 2e-300))) refused(1, at = at)
  refused(1e-6, tau = (1:99) / 1000)
  expect_identical(summary(ledger)$spent[[1]], 0)
  odd <- line_data(300)
  names(odd)[[2]] <- "a b"
  at <- stats::setNames(data.frame(c(0, 1)), "a b")
  expect_identical(nobs(dp_regression(y ~ `a b`, odd, 1, at = at, lower = -5, upper = 5)), 300L)
})

test_that("the door counts all rows, with gaps or without, and debits what the plan spends", {
  expect_false(door_counts_wrong())
})

test_that("what counts as limits, and what is said of the choice", {
  expect_false(has_limits(list(prior = prior_dyadic())))
  expect_true(has_limits(list(prior = prior_normal(0, 1))))
  # batches compare fits coefficient by coefficient
  terms <- c("(Intercept)", letters[1:8])
  expect_true(batches_serve(6000, terms, list(prior = prior_normal(0, 9)), 1, 0))
  expect_false(batches_serve(6000, terms, list(prior = prior_normal(0, covariance = diag(9) + 0.1)), 1, 0))
  limits <- list(lower = -1, upper = 1)
  expect_match(regression_reason("auto", "exponential", 1e-6, limits, pure), "delta is not needed")
  expect_no_match(regression_reason("auto", "batches", 1e-6, limits, pure), "delta")
})
