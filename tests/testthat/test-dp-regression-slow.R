# Exact draws of dp_regression() that may not end: told from public facts, refused or warned of beforehand.

# Rows with a factor of so many declared levels beside a number.
levelled <- function(n, levels) {
  codes <- letters[seq_len(levels)]
  data.frame(y = cos(seq_len(n)), x = sin(seq_len(n)), f = factor(codes[seq_len(n) %% levels + 1], codes))
}

method_of <- function(formula, data, ...) {
  frame <- public_frame(formula, data, origin = TRUE)
  arguments <- list(...)
  limits <- arguments[names(arguments) %in% c("lower", "upper", "prior")]
  choose_regression(nrow(data), frame$terms, limits, 1, 0, 0.5, character(), frame$shape)
}

test_that("a formula's shape counts the dummies of each factor and their products with numbers", {
  shape <- function(formula) public_frame(formula, cbind(levelled(8, 4), b = TRUE), origin = TRUE)$shape
  expect_identical(shape(y ~ x), list(dummies = integer(), products = 0L))
  expect_identical(shape(y ~ x + f), list(dummies = 3L, products = 0L))
  expect_identical(shape(y ~ b + f), list(dummies = c(1L, 3L), products = 0L))
  expect_identical(shape(y ~ x * f), list(dummies = 3L, products = 3L))
  expect_identical(shape(y ~ b:f + x)$dummies, 8L)
  expect_identical(shape(y ~ f - 1), plain_shape)
  expect_identical(shape(y ~ I(x * 2) + I(f == "a")), list(dummies = 1L, products = 0L))
})

test_that("\"auto\" takes batches where they serve, and keeps to draws that are known to end", {
  bounded <- function(formula, data) method_of(formula, data, lower = -50, upper = 50)
  expect_identical(bounded(y ~ x + f, levelled(578, 3)), "exponential")
  expect_identical(bounded(y ~ f, levelled(1500, 5)), "exponential")
  expect_identical(bounded(y ~ x + f, levelled(1500, 4)), "batches")
  expect_identical(bounded(y ~ x * f, levelled(1500, 2)), "batches")
  expect_identical(bounded(y ~ x * f, levelled(300, 2)), "exponential")
  expect_identical(method_of(y ~ f, levelled(1000, 3)), "batches")
  # beside a number a flag alone may take long: a draw only where batches do not serve
  expect_identical(method_of(y ~ x + f, levelled(1000, 2)), "batches")
  expect_identical(method_of(y ~ x + f, levelled(400, 2)), "exponential")
  expect_identical(method_of(y ~ x + I(x^2), levelled(1000, 2)), "exponential")
  # a prior that batches do not take
  joint <- prior_normal(rep(0, 5), covariance = diag(5) + 1)
  expect_identical(method_of(y ~ x + f, levelled(1500, 4), prior = joint), "exponential")
})

test_that("else it refuses before the debit, and says what can be done", {
  ledger <- dp_ledger(9)
  refused <- function(pattern, formula, data, ...) {
    e <- expect_error(dp_regression(formula, data, 1, ..., ledger = ledger), pattern,
                      class = "dpdepth_error_input")
    expect_identical(sum(summary(ledger)$spent), 0)
    conditionMessage(e)
  }
  told <- refused("1,368 rows .there are 578., with which batches serve", y ~ x + f, levelled(578, 4),
                  lower = -50, upper = 50)
  expect_match(told, "method = \"exponential\" by name")
  expect_no_match(told, "give `lower`")
  refused("760 rows.*Give `lower` and `upper`", y ~ f, levelled(400, 3))
  # rows do not help where tau or an argument leads to the draw
  told <- refused("merge levels", y ~ x * f, levelled(500, 2), lower = -50, upper = 50, tau = 0.25)
  expect_no_match(told, "batches serve")
  told <- refused("merge levels", y ~ x * f, levelled(2000, 2), lower = -50, upper = 50, directions = 8)
  expect_no_match(told, "batches serve")
  refused("give `lower`", y ~ f, levelled(400, 3), directions = 8)
})

test_that("the draw that is asked for by name warns before the debit", {
  ledger <- dp_ledger(9)
  stopped <- function(...) {
    tryCatch(dp_regression(..., method = "exponential", ledger = ledger),
             dpdepth_warning_time = function(w) conditionMessage(w))
  }
  expect_match(stopped(y ~ x + f, levelled(578, 4), 1, lower = -50, upper = 50), "call has spent it")
  expect_match(stopped(y ~ x + f, levelled(400, 2), 1), "without limits")
  expect_identical(sum(summary(ledger)$spent), 0)
  # a chain ends
  expect_no_warning(
    dp_regression(y ~ x + f, levelled(578, 4), 1, lower = -50, upper = 50, sampler = "mcmc", chains = 1,
                  steps = 1000), class = "dpdepth_warning_time"
  )
})

test_that("plan_regression() has the same rule", {
  chosen <- function(...) {
    plan <- plan_regression(epsilon = 1, ...)
    plan$method[plan$chosen]
  }
  bounded <- function(...) chosen(..., lower = -50, upper = 50)
  expect_identical(bounded(n = 578, p = 4), "exponential")
  expect_identical(bounded(n = 578, p = 4, dummies = 3), character())
  expect_identical(bounded(n = 1500, p = 4, dummies = 3), "batches")
  expect_identical(bounded(n = 1500, p = 4, dummies = c(1, 2)), "exponential")
  expect_identical(bounded(n = 1500, p = 3, dummies = 1, products = 1), "batches")
  expect_identical(chosen(n = 1000, p = 2, dummies = 2), "batches")
  expect_identical(chosen(n = 1000, p = 2, dummies = 1), "batches")
  expect_identical(chosen(n = 400, p = 2, dummies = 1), "exponential")
  found <- plan_regression(p = 4, epsilon = 1, lower = -50, upper = 50, dummies = 3, error = 0.1)
  expect_identical(found$chosen, c(FALSE, TRUE))
  bad <- function(...) expect_error(plan_regression(n = 500, epsilon = 1, ...), class = "dpdepth_error_input")
  bad(p = 2, dummies = 3)
  bad(p = 2, dummies = "f")
  bad(p = 2, dummies = 1, products = 2)
  bad(p = 2, products = -1)
})
