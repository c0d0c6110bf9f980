# dp_regression(method = "batches"): fits, what a row touches, sizes, errors reached, the door.
# Error rates: ALPHA = 1e-6 an expectation (helper-stat.R).

sample_frame <- function(n, p, b = c(7, seq(-20, 20, length.out = p))) {
  x <- as.data.frame(matrix(stats::rnorm(n * p), n))
  x$y <- b[[1]] + drop(as.matrix(x) %*% b[-1]) + stats::rnorm(n)
  x
}

test_that("fits are least squares of each batch, whatever the columns' units", {
  set.seed(1)
  x <- cbind(stats::rnorm(60), 1e150 * stats::runif(60), 1e-200 * stats::rnorm(60),
             5 + 1e-3 * stats::rnorm(60))
  y <- stats::rnorm(60)
  fits <- batch_fits(x, y, 7L, 1L, rep(0, 5))
  order <- deal_rows(60L, 1L)
  expect_identical(sort(order), 1:60)
  expect_false(identical(order, deal_rows(60L, 2L)))
  for (b in 1:7) {
    rows <- order[seq(b, 60, 7)]
    scaled <- sweep(x[rows, ], 2, c(1, 1e150, 1e-200, 1), "/")
    expect_equal(fits[b, ], unname(stats::coef(stats::lm(y[rows] ~ scaled))) / c(1, 1, 1e150, 1e-200, 1),
                 tolerance = 1e-8)
  }
  expect_equal(batch_fits(matrix(0, 9, 0), 1:9, 3L, 1L, 0),
               matrix(vapply(1:3, function(b) mean(deal_rows(9L, 1L)[seq(b, 9, 3)]), 0)))
})

test_that("batches without a fit of their own are the public constant", {
  constant <- c(11, 12, 13)
  same <- batch_fits(cbind(rep(3, 40), seq_len(40)), seq_len(40), 8L, 1L, constant)
  expect_identical(same, matrix(constant, 8, 3, byrow = TRUE))
  double <- batch_fits(cbind(seq_len(40), 2 * seq_len(40)), seq_len(40), 8L, 1L, constant)
  expect_identical(double, matrix(constant, 8, 3, byrow = TRUE))
  few <- batch_fits(cbind(sin(1:8), cos(1:8)), 1:8, 4L, 1L, constant)
  expect_identical(few, matrix(constant, 4, 3, byrow = TRUE))
  huge <- batch_fits(cbind(sin(1:40) * 1e-300, cos(1:40)), rep(c(1e300, -1e300), 20), 4L, 1L, constant)
  expect_true(all(is.finite(huge)))
})

test_that("a row touches one fit, to the last bit, and what is spent is what was said", {
  skip_on_cran()
  expect_false(batches_are_wrong())
  expect_false(restricted_axes_spends_wrong())
  expect_false(batches_fill_wrong())
  # (planted bugs: tests/audit/test-planted.R)
  set.seed(5)
  x <- matrix(stats::rnorm(300), 100)
  y <- stats::rnorm(100)
  fits <- batch_fits(x, y, 12L, 3L, rep(0, 4))
  for (i in c(1, 50, 100)) for (value in c(0, 1e308, 1e-308)) {
    other <- x
    other[i, ] <- value
    expect_lte(sum(rowSums(batch_fits(other, -y * 0 + y, 12L, 3L, rep(0, 4)) != fits) > 0), 1)
  }
})

test_that("the seed deals the rows, and a test that fails releases nothing", {
  frame <- data.frame(a = sin(1:60), b = cos(1:60), y = sqrt(1:60))
  fits <- function(...) batches_handed(frame, lower = -9, upper = 9, ...)[[1]]$fits
  expect_identical(fits(), fits(seed = 1))
  expect_false(identical(fits(seed = 2), fits(seed = 1)))
  failed <- batches_handed(frame, delta = 1e-3, size = 4, released = FALSE)[[2]]
  expect_false(failed$release$released)
  expect_true(all(is.na(coef(failed$release))))
  expect_identical(failed$debit, data.frame(epsilon = 1, delta = 1e-3))
  told <- failed$release$details
  expect_equal(told$epsilon_test + told$epsilon_draw, 1)
  pure <- batches_handed(frame, lower = -9, upper = 8, seed = 2)[[2]]$release$details
  expect_identical(pure$seed, 2L)
  expect_identical(pure$prior, prior_uniform(rep(-9, 3), rep(8, 3)))
})

test_that("sizes and laws are chosen by public numbers", {
  skip_on_cran()
  none <- prior_for(prior_dyadic(), 4)
  choice <- choose_batches(2400, 4, 1, 1e-6, none)
  expect_true(choice$serves)
  expect_identical(choice$law, "exponential")
  expect_gte(choice$batches, 240)
  # many coefficients: the restricted mechanism needs fewer batches
  many <- prior_for(prior_dyadic(), 25)
  expect_identical(choose_batches(23000, 25, 1, 0, many)[c("serves", "law")],
                   list(serves = FALSE, law = "exponential"))
  tested <- choose_batches(23000, 25, 1, 1e-6, many)
  expect_identical(tested$law, "restricted")
  # the draw has what the test leaves
  expect_equal(tested$error, batches_error(tested$batches, 23000 %/% tested$batches, 25, 1 - tested$share),
               tolerance = 0.01)
  expect_identical(choose_batches(23000, 25, 1, 1e-300, many),
                   choose_batches(23000, 25, 1, min_restricted_delta, many))
  # the least epsilon is below what the restricted law takes
  expect_identical(choose_batches(100, 3, 1e-6, 1e-6, none)$law, "exponential")
  # bounds need fewer
  bounds <- prior_uniform(rep(-50, 4), rep(50, 4))
  expect_true(choose_batches(1200, 4, 1, 0, bounds)$serves)
  expect_false(choose_batches(1000, 4, 1, 0, none)$serves)
  expect_false(choose_batches(300, 4, 1, 0, bounds)$serves)
  # planned errors are those of releases
  set.seed(6)
  planned <- choose_batches(2400, 4, 1, 0, none)$error
  error <- vapply(seq_len(60), function(i) {
    frame <- sample_frame(2400, 3)
    sqrt(mean((coef(dp_regression(y ~ ., frame, 1, method = "batches", rng = "R")) - c(7, -20, 0, 20))^2))
  }, 0)
  expect_equal(sqrt(mean(error^2)), planned, tolerance = 0.2)
  expect_lt(planned, 0.052)
  expect_lt(choose_batches(6000, 9, 1, 0, prior_for(prior_dyadic(), 9))$error, 0.059)
})

test_that("the door: releases with bounds, priors, none, and delta; warnings and refusals spend nothing", {
  skip_on_cran()
  set.seed(7)
  frame <- sample_frame(2400, 3)
  ledger <- dp_ledger(10, 1e-3)
  r <- expect_no_warning(dp_regression(y ~ ., frame, 1, method = "batches", ledger = ledger))
  expect_identical(r$guarantee, "pure")
  expect_true(r$exact)
  expect_lt(max(abs(coef(r) - c(7, -20, 0, 20))), 0.3)
  expect_identical(as.data.frame(ledger)$epsilon, 1)
  expect_length(predict(r, frame[1:5, ]), 5)
  bounded <- dp_regression(y ~ ., frame, 1, lower = -50, upper = 50, method = "batches")
  expect_true(all(abs(coef(bounded) - c(7, -20, 0, 20)) < 0.3))
  normal <- dp_regression(y ~ ., frame, 1, prior = prior_normal(0, 30), method = "batches")
  expect_true(all(abs(coef(normal) - c(7, -20, 0, 20)) < 0.3))
  fine <- dp_regression(y ~ ., frame, 1, prior = prior_dyadic(0.25), method = "batches")
  expect_identical(unname(coef(fine)), round(4 * unname(coef(fine))) / 4)
  many <- sample_frame(3000, 12)
  tested <- expect_no_warning(dp_regression_batches(y ~ ., many, 4, 1e-6, size = 15))
  expect_true(tested$released)
  few <- frame[1:200, ]
  expect_warning(dp_regression(y ~ ., few, 1, 1e-6, method = "batches"), class = "dpdepth_warning_accuracy")
  expect_warning(dp_regression(y ~ ., few, 1, method = "batches"), class = "dpdepth_warning_accuracy")
  spent <- nrow(as.data.frame(ledger))
  bad <- function(data = frame, ...) {
    expect_error(dp_regression_batches(y ~ ., data, 1, ..., ledger = ledger), class = "dpdepth_error_input")
    expect_identical(nrow(as.data.frame(ledger)), spent)
  }
  bad(frame[1:15, ])
  bad(tau = 0.3)
  expect_error(dp_regression(y ~ ., frame, 1, method = "batches", tau = 0.3, ledger = ledger), "`tau`",
               class = "dpdepth_error_input")
  bad(size = 3)
  bad(size = 601)
  bad(seed = -1)
  bad(lower = 0, upper = 1, resolution = 1)
  bad(lower = 0)
  bad(prior = prior_uniform(0, 1), lower = 0, upper = 1)
  bad(prior = c(0, 1))
  bad(prior = "normal")
  # steps are named as they were given
  for (steps in list(1e-300, c(1, 2), c(z = 1), "1")) {
    found <- expect_error(dp_regression_batches(y ~ ., frame, 1, resolution = steps),
                          class = "dpdepth_error_input")
    expect_identical(found$arg, "resolution")
  }
})

test_that("what is drawn in steps of the grid is released in the coefficients' units", {
  frame <- data.frame(a = sin(1:60), b = cos(1:60), y = sqrt(1:60))
  drawn <- function(...) list(released = TRUE, point = c(4, -8, 16))
  out <- with_bindings(list(draw_restricted_axes = drawn), suppressWarnings(
    dp_regression_batches(y ~ a + b, frame, 1, 1e-3, size = 4, resolution = c(0.25, 0.5, 1))
  ))
  expect_identical(unname(coef(out)), c(1, -4, 16))
})

test_that("steps are matched by name, whatever the law", {
  frame <- data.frame(a = sin(1:1200), y = sqrt(1:1200))
  steps <- function(resolution, n, delta) {
    fit <- suppressWarnings(dp_regression_batches(y ~ a, frame[1:n, ], 4, delta, resolution = resolution))
    fit$details$step
  }
  for (case in list(list(1200, 0), list(60, 1e-4))) {
    expect_identical(steps(c(a = 2, "(Intercept)" = 1), case[[1]], case[[2]]), c("(Intercept)" = 1, a = 2))
    expect_identical(steps(c(a = 2), case[[1]], case[[2]]), c("(Intercept)" = 2^-20, a = 2))
  }
  # the restricted law has the unit of a prior that is given
  few <- suppressWarnings(dp_regression_batches(y ~ a, frame[1:60, ], 4, 1e-4, prior = prior_dyadic(0.5)))
  expect_identical(few$details$step, c("(Intercept)" = 0.5, a = 0.5))
})
