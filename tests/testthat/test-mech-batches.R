# Tests of R/mech-batches.R: what batches determine, and how large they are.
# Error rates: ALPHA = 1e-6 an expectation (helper-stat.R).

test_that("coefficients that a batch does not determine lie on both sides, the others are least squares", {
  skip_on_cran()
  set.seed(4)
  x <- matrix(rnorm(1200), 600)
  plan <- list(batches = 200L, seed = 1L)
  fits <- sided_fits(cbind(x, x[, 1] + x[, 2], 3), rnorm(600), plan, "system")
  expect_true(all(abs(fits) == 2^1023))
  expect_gt(stats::binom.test(sum(fits[, 1] > 0), 200)$p.value, ALPHA)
  # factors, flags and products: a coefficient is had if no combination of columns that vanishes has it
  set.seed(3)
  for (i in 1:40) {
    f <- factor(sample(c("u", "v", "w"), 9, TRUE), levels = c("u", "v", "w", "z"))
    v <- rnorm(9)
    g <- rbinom(9, 1, 0.2)
    design <- stats::model.matrix(~ f + v + g + I(g * v))
    y <- rnorm(9)
    fit <- batch_fits(design[, -1], y, 1L, 1L, rep(NA_real_, ncol(design)), partly = TRUE)[1, ]
    parts <- svd(design, nv = ncol(design))
    null <- parts$v[, seq_along(fit) > sum(parts$d > 1e-9), drop = FALSE]
    expect_identical(is.na(fit), rowSums(abs(null)) > 1e-9)
    kept <- which(!is.na(stats::lm.fit(design, y)$coefficients))
    known <- which(!is.na(fit))
    expect_equal(fit[known], unname(stats::lm.fit(design, y)$coefficients[known]), tolerance = 1e-8)
    expect_true(all(known %in% kept))
  }
})

test_that("of batches that do not determine a coefficient one half counts to each side, and the rest tell", {
  set.seed(9)
  flag <- as.double(stats::runif(2400) < 0.05)
  y <- 1 + 3 * flag + stats::rnorm(2400)
  fits <- even_fits(cbind(0, flag), y, 121L, 1L)
  expect_identical(fits[, 2], rep_len(c(-1, 1) * 2^1023, 121))
  own <- batch_fits(cbind(0, flag), y, 121L, 1L, c(NA, NA, NA), partly = TRUE)
  known <- !is.na(own[, 3])
  expect_identical(fits[known, 3], own[known, 3])
  expect_identical(fits[!known, 3], rep_len(c(-1, 1) * 2^1023, sum(!known)))
  expect_true(all(abs(fits[, 1]) < 9))
  # the depth of a flag's coefficient is that of the batches that have the flag, more half of the others
  none <- even_fits(matrix(0, 30, 1), rep(c(1e300, -1e300), 15), 3L, 1L)
  expect_identical(none[, 2], c(-1, 1, -1) * 2^1023)
  for (share in c(0.05, 0.1)) {
    error <- vapply(1:6, function(i) {
      x <- data.frame(a = stats::rnorm(2400), flag = as.double(stats::runif(2400) < share))
      x$y <- 1 + 2 * x$a + 3 * x$flag + stats::rnorm(2400)
      fit <- dp_regression(y ~ ., x, 1, lower = -50, upper = 50, method = "batches", rng = "R")
      max(abs(stats::coef(fit) - c(1, 2, 3)) / c(1, 1, 4))
    }, 0)
    expect_lt(stats::median(error), 0.2)
  }
})

test_that("the size of a batch is the best by public numbers, and widths are as planned", {
  skip_on_cran()
  plan <- plan_regression(2000, 3, 2, lower = -50, upper = 50, spread = 2, interval = 0.95)
  expect_identical(plan$method, c("batches", "batches"))
  expect_equal(plan$width[[1]], 2 * plan$width[[2]])
  expect_equal(plan$sampling[[2]], 0.5 * 2 * 1.96 / sqrt(2000), tolerance = 0.01)
  set.seed(6)
  width <- function(size) {
    public <- plan_batches(2000, letters[1:4], list(lower = -50, upper = 50), 2, 0, 0.5, size = size,
                           interval = 0.95)
    mean(replicate(25, {
      x <- matrix(stats::rnorm(6000), 2000)
      limits <- run_batches(x, rowSums(x) + stats::rnorm(2000), public, "R")$interval
      mean(limits[-1, 2] - limits[-1, 1])
    }))
  }
  own <- width(NULL)
  expect_equal(own, 2 * plan$width[[2]], tolerance = 0.15)
  expect_lt(own, width(4) / 1.2)
  expect_lt(own, width(16) / 1.1)
  found <- plan_regression(p = 3, epsilon = 1, lower = -50, upper = 50, interval = 0.95, width = 0.3)
  expect_lte(found$width[[2]], 0.3)
  expect_error(plan_regression(500, 3, 1, lower = -50, upper = 50, interval = 0.95), "1,188 rows",
               class = "dpdepth_error_input")
  expect_error(plan_regression(500, 3, 1, interval = 0.95), "`lower` and `upper`",
               class = "dpdepth_error_input")
})

test_that("for intervals batches have as many rows as levels of factors take", {
  size <- function(n, epsilon, terms, indicators) {
    plan <- plan_batches(n, terms, list(lower = -50, upper = 50), epsilon, 0, 0.5, interval = 0.95,
                         shape = list(indicators = indicators))
    as.integer(n %/% plan$batches)
  }
  # of three levels limits are several times as wide with three rows as with five, of two by half with four
  expect_identical(size(506, 2, letters[1:3], integer()), 3L)
  expect_identical(size(506, 2, letters[1:3], 2L), 5L)
  expect_identical(size(506, 2, letters[1:3], 1L), 4L)
  set.seed(7)
  data <- data.frame(f = factor(seq_len(506) %% 3), y = stats::rnorm(506))
  fit <- dp_regression(y ~ f, data, 2, lower = -50, upper = 50, interval = 0.95,
                       rng = "R", method = "batches")
  expect_identical(fit$details$batches, 101L)
  even <- plan_regression(506, 2, 2, lower = -50, upper = 50, interval = 0.95, indicators = 2)
  expect_gt(even$width[[2]], plan_regression(506, 2, 2, lower = -50, upper = 50, interval = 0.95)$width[[2]])
})

# Where intervals are refused, the rows that are named do not serve, or more than that.
named_rows_fail <- function() {
  share <- 1 / 3
  named <- function(indicators) {
    said <- tryCatch(check_interval_size(NULL, 200, 3L, share, 0.95, indicators = indicators),
                     error = conditionMessage)
    as.numeric(gsub(",", "", sub(".*, so ([0-9,]+) rows.*", "\\1", said)))
  }
  plain <- named(integer())
  batches <- plain / 3
  lost <- interval_failure(interval_plan(batches, 0.5, 0.95, share, batches_reach))(line_of(1 / 50))
  # a batch of six rows lacks a level of a quarter in 18 of 100 cases, one of five rows in 24
  batches < 121 || batches > 300 || lost > 0.01 || named(2L) != 6 * batches
}

test_that("a refusal of intervals names rows with which they serve", {
  expect_false(named_rows_fail())
  expect_true(caught(bug(named_rows_fail, "check_interval_size", "serving_batches(minimum, share, each)",
                         "minimum")))
  expect_true(caught(bug(named_rows_fail, "level_rows", "0.75", "1.5")))
})
