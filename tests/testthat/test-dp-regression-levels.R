# What releases say of rare flags and levels: from declared levels, n and epsilon alone.

levelled <- function(n, levels, values = seq_len(n) %% levels + 1) {
  data.frame(y = as.double(seq_len(n) %% 7), f = factor(values, levels = seq_len(levels)), x = seq_len(n) / n)
}

test_that("a release with flags or factors says how many rows of one it takes", {
  said <- function(...) dp_regression(..., rng = "R")$details$rare
  limited <- function(epsilon, ...) said(y ~ f, levelled(600, 2), epsilon, lower = -50, upper = 50, ...)
  expect_match(limited(1), "fewer than about 55 rows have, 9.2%,")
  expect_match(limited(2), "about 28 rows")
  expect_match(said(y ~ f, levelled(600, 2), 1), "about 85 rows have, 14%")
  # counts less their expectation take more rows of a level than weighted ones
  expect_match(limited(2, tau = c(0.25, 0.5)), "about 160 rows")
  expect_match(said(y ~ f, levelled(300, 2), 1, lower = -50, upper = 50, tau = 0.25), "about 100 rows")
  expect_match(said(y ~ f + x, levelled(2400, 3), 1, lower = -50, upper = 50, method = "batches"),
               "fewer than about [0-9]+ rows have")
  expect_null(said(y ~ x, levelled(600, 2), 1, lower = -50, upper = 50))
  expect_output(print(dp_regression(y ~ f, levelled(600, 2), 1, rng = "R")), "85 rows have, 14%, may")
  # of a flag that is a number nothing is known, and so it is said of all regressors
  expect_match(dp_regression(y ~ x, levelled(600, 2), 1, rng = "R")$details$why, "0 in all but some 85 rows")
  # the data do not matter
  rare <- levelled(600, 2, c(2, rep(1, 599)))
  expect_identical(said(y ~ f, rare, 1), said(y ~ f, levelled(600, 2), 1))
})

test_that("releases with intervals, of private sizes and deepest lines say it, too", {
  skip_on_cran()
  said <- function(...) suppressWarnings(dp_regression(..., rng = "R"))$details$rare
  both <- function(n, ..., levels = 2, formula = y ~ f) {
    text <- said(formula, levelled(n, levels), ...)
    # the data do not matter
    expect_identical(said(formula, levelled(n, levels, c(2, rep(1, n - 1))), ...), text)
    text
  }
  # of a flag, a draw has 0.43 of epsilon, and limits need as many rows again
  expect_match(both(600, 1, lower = -50, upper = 50, interval = 0.9),
               "rows have, [23][0-9]%, may be noise or have infinite limits")
  batches <- both(2400, 1, lower = -50, upper = 50, interval = 0.9, levels = 3, formula = y ~ f + x)
  expect_match(batches, "about 200 rows have, 8.3%, may have limits as wide as the public ones")
  # exponents are twice as large; of n nothing is told
  private <- both(600, 1, lower = -50, upper = 50, neighbours = "add_remove")
  expect_identical(private, "flags and levels that fewer than about 28 rows have may be noise")
  expect_identical(both(90, 1, lower = -50, upper = 50, neighbours = "add_remove"), private)
  # of lines through two values the plan alone, as draws take long
  told <- function(method, n, epsilon, limits, ...) {
    plan <- regression_engine(method)$plan(n, c("(Intercept)", "f2"), limits, epsilon, 1e-6, 0.5, NULL, ...)
    with_levels(plan, method, n, c("(Intercept)", "f2"), list(indicators = 1L))$details$rare
  }
  limits <- list(lower = -50, upper = 50)
  expect_match(told("deepest", 1500, 4, limits), "about 130 rows have, 8.3%, .* the noise is wide")
  expect_match(told("medsweep", 1500, 4, limits), "first in the formula")
  expect_match(both(90, 4, 1e-6, lower = -50, upper = 50, method = "deepest"), "more rows than there are")
  expect_match(both(90, 4, 1e-6, lower = -50, upper = 50, method = "medsweep"), "first in the formula")
  # public directions go by units, which limits that are alike do not tell
  terms <- c("(Intercept)", "f2", "x")
  sized <- function(...) {
    plan <- plan_exponential(600, terms, limits, 1, 0, 0.5, ...)
    with_levels(plan, "exponential", 600, terms, list(indicators = 1L))$details$rare
  }
  expect_match(sized(), "may be noise; more, where regressors differ in size and `units` do not say so")
  expect_match(sized(units = c(0.5, 0.3)), "may be noise$")
  expect_match(sized(at = data.frame(f2 = c(0, 1, 0), x = c(0, 0, 1))), "may be noise$")
})

test_that("a factor of so many levels that a usual one cannot be told is warned of, before the debit", {
  skip_on_cran()
  warned <- function(..., fun = dp_regression) {
    tryCatch({
      fun(..., rng = "R")
      "none"
    }, dpdepth_warning_accuracy = conditionMessage)
  }
  expect_match(warned(y ~ f, levelled(90, 3), 1, lower = -50, upper = 50), "level that one row in 3 has")
  expect_identical(warned(y ~ f, levelled(180, 3), 1, lower = -50, upper = 50), "none")
  expect_identical(warned(y ~ x, levelled(90, 3), 1, lower = -50, upper = 50), "none")
  expect_match(warned(y ~ f, levelled(400, 12), 1, lower = -50, upper = 50, size = 14,
                      fun = dp_regression_batches), "noise")
  limits <- list(lower = -50, upper = 50)
  private <- function(epsilon) {
    do.call(warned, c(list(y ~ f, levelled(300, 4), epsilon, neighbours = "add_remove"), limits))
  }
  expect_identical(private(1), "none")
  expect_match(private(0.01), "n = 10,000 (assumed", fixed = TRUE)
  # sizes of batches go by levels; here by two of a factor that has thirty
  plan <- plan_batches(2400, c("(Intercept)", "f2", "x"), limits, 1, 0, 0.5, interval = 0.9,
                       shape = list(indicators = 1L))
  expect_warning(warn_levels("batches", plan, 2400, 2, 29L), "one row in 30 has.*limits as wide",
                 class = "dpdepth_warning_accuracy")
  expect_silent(warn_levels("batches", plan, 2400, 2, 1L))
  expect_match(do.call(warned, c(list(y ~ f, levelled(400, 2), 1, 1e-6, method = "deepest"), limits)),
               "noise")
  # limits of a flag's slope: one in five is infinite with 300 rows, one in 100 with 400; none of a number's
  flagged <- function(n, epsilon, ...) {
    rows <- data.frame(x = seq_len(n) <= 0.3 * n, y = seq_len(n) / n)
    warned(y ~ x, rows, epsilon, lower = -100, upper = 100, ...)
  }
  expect_match(flagged(300, 1, interval = 0.95), "flag that three rows in ten have .* or no `interval`")
  expect_identical(flagged(400, 1, interval = 0.95), "none")
  expect_identical(flagged(300, 2, interval = 0.95), "none")
  expect_identical(flagged(300, 1), "none")
  expect_identical(warned(y ~ x, data.frame(x = rep_len(0:1, 300), y = 1:300), 1, lower = -100, upper = 100,
                          interval = 0.95), "none")
  ledger <- dp_ledger(epsilon = 1)
  try(withCallingHandlers(
    dp_regression(y ~ f, levelled(90, 3), 1, lower = -50, upper = 50, ledger = ledger, rng = "R"),
    dpdepth_warning_accuracy = function(w) stop("seen")
  ), silent = TRUE)
  expect_identical(nrow(as.data.frame(ledger)), 0L)
})

test_that("a flag's slope is told beside an interval, and its limits are finite", {
  skip_on_cran()
  set.seed(11)
  said <- NULL
  seen <- replicate(12, {
    x <- stats::runif(1000) < 0.15
    r <- dp_regression(y ~ x, data.frame(x, y = 1 + x + stats::rnorm(1000)), 1, lower = -100, upper = 100,
                       interval = 0.95, rng = "R")
    said <<- r$details$rare
    c(r$estimate[[2]] - 1, r$interval[2, ])
  })
  expect_match(said, "fewer than about 160 rows have, 16%, may be noise or have infinite limits")
  # at most one of 100 has infinite limits, and one of 50 is noise or has: more than four of twelve never
  lost <- abs(seen[1, ]) > 1 | !is.finite(seen[2, ]) | !is.finite(seen[3, ])
  expect_lte(sum(lost), stats::qbinom(ALPHA, 12, 0.02, lower.tail = FALSE))
  expect_lt(stats::median(abs(seen[1, ])), 0.25)
  expect_gte(sum(seen[2, ] <= 1 & 1 <= seen[3, ]), stats::qbinom(ALPHA, 12, 0.95))
})
