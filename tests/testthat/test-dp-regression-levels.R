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
  expect_match(limited(2, tau = c(0.25, 0.5)), "about 110 rows")
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

test_that("a factor of so many levels that a usual one cannot be told is warned of, before the debit", {
  warned <- function(...) {
    tryCatch({
      dp_regression(..., rng = "R")
      "none"
    }, dpdepth_warning_accuracy = conditionMessage)
  }
  expect_match(warned(y ~ f, levelled(90, 3), 1, lower = -50, upper = 50), "level that one row in 3 has")
  expect_identical(warned(y ~ f, levelled(180, 3), 1, lower = -50, upper = 50), "none")
  expect_identical(warned(y ~ x, levelled(90, 3), 1, lower = -50, upper = 50), "none")
  expect_match(warned(y ~ f, levelled(400, 12), 1, lower = -50, upper = 50, method = "batches", size = 14),
               "noise")
  ledger <- dp_ledger(epsilon = 1)
  try(withCallingHandlers(
    dp_regression(y ~ f, levelled(90, 3), 1, lower = -50, upper = 50, ledger = ledger, rng = "R"),
    dpdepth_warning_accuracy = function(w) stop("seen")
  ), silent = TRUE)
  expect_identical(nrow(as.data.frame(ledger)), 0L)
})
