# The plan of the restricted median, its bounds and margins.

test_that("bounds are the formula's, for ties, columns of one value and several variables", {
  skip_on_cran()
  set.seed(2)
  for (i in 1:40) {
    n <- sample(4:30, 1)
    d <- sample(1:3, 1)
    x <- matrix(round(stats::rt(n * d, 2) * sample(c(1, 50), 1)), n)
    if (i %% 5 == 0) x[, 1] <- 3
    t <- 1 + sample.int((n + 1) %/% 2 - 1, 1)
    e <- sample(c(0.2, 1, 4), 1)
    slow <- vapply(0:(t - 2), function(k) slow_axes_bound(x, t, k, e), 0)
    expect_equal(code_axes_bound(x, t, e), slow, tolerance = 1e-9)
  }
  # few levels of many: a valid bound from above, hardly larger
  x <- matrix(round(1000 * stats::qnorm(seq(0.001, 0.999, length.out = 3001))))
  for (e in c(0.01, 1)) {
    fast <- .Call(ffi_restricted_axes_bounds, x, 700L, e, 30L)[c(1, 30)]
    slow <- log(c(slow_axes_bound(x, 700, 0, e), slow_axes_bound(x, 700, 29, e)))
    if (all(is.finite(slow))) {
      expect_true(all(fast >= slow - 1e-9))
      expect_true(all(fast <= slow + 0.1))
    }
  }
})

test_that("margins are counts of safe levels, and move by at most one from neighbour to neighbour", {
  set.seed(3)
  for (i in 1:12) {
    n <- sample(60:120, 1)
    d <- sample(1:3, 1)
    x <- matrix(round(100 * stats::rnorm(n * d)), n)
    t <- round(n * 0.3)
    log_delta <- log(c(1e-2, 1e-6)[[1 + i %% 2]])
    margin <- function(x) restricted_axes_margin(sort_columns(x), t, 2, exp(log_delta), 100)
    bounds <- .Call(ffi_restricted_axes_bounds, sort_columns(x), as.integer(t), 2, as.integer(t - 1))
    slack <- restricted_axes_slack(n, d, 2)
    expect_identical(margin(x), as.integer(sum(cumprod(bounds <= log_delta - slack * seq_along(bounds)))))
    before <- margin(x)
    for (step in 1:15) {
      rows <- list(rep(1e15, d), -rep(2^50, d), round(100 * stats::rnorm(d)), x[1, ])
      x[sample(n, 1), ] <- sample(rows, 1)[[1]]
      after <- margin(x)
      expect_lte(abs(after - before), 1)
      before <- after
    }
  }
})

test_that("it serves the sizes and reaches the errors that the plan promises", {
  skip_on_cran()
  # measured over 100 samples: bench/unlimited.md
  for (case in list(c(253, 1), c(282, 2), c(359, 5), c(446, 10), c(618, 20), c(1060, 50))) {
    expect_true(restricted_axes_passes(case[[1]], case[[2]], 1, 1e-6))
    expect_false(restricted_axes_passes(0.9 * case[[1]], case[[2]], 1, 1e-6))
  }
  expect_true(restricted_axes_passes(554, 2, 1, 1e-6, outliers = 0.2))
  expect_true(restricted_axes_passes(1159, 20, 1, 1e-6, outliers = 0.2))
  set.seed(5)
  x <- matrix(stats::rnorm(10000), 1000) + 1e6
  r <- dp_median_restricted(x, 1, 1e-6)
  expect_true(r$released)
  expect_lt(sqrt(mean((coef(r) - 1e6)^2)), 0.12)
  expect_identical(r$guarantee, "approximate")
  expect_match(r$details$depth, "axes")
  bad <- rbind(x[1:480, 1:2], matrix(1e9, 120, 2))
  r <- dp_median_restricted(bad, 1, 1e-6, outliers = 0.2)
  expect_true(r$released && all(abs(coef(r) - 1e6) < 1))
  # columns of one value, and rows on the edge of the grid
  expect_true(all(coef(dp_median_restricted(matrix(3, 400, 6), 1, 1e-6)) == 3))
  far <- dp_median_restricted(matrix(1e300, 400, 2), 1, 1e-6)
  expect_identical(unname(coef(far)), rep(2^34, 2))
})

slack_is_wrong <- function() {
  asked <- NULL
  own <- restricted_axes_slack
  keep <- function(n, d, epsilon) {
    asked <<- c(n, d, epsilon)
    own(n, d, epsilon)
  }
  x <- cbind(1:9, 9:1) + 0
  with_bindings(list(restricted_axes_slack = keep), restricted_axes_margin(x, 2, 1.5, 0.1, 9))
  !identical(asked, c(9, 2, 1.5)) || own(9, 2, 1) < 2^-16 || own(1e8, 2, 256) < 2^-48 * 2.56e10 ||
    own(9, 1e5, 1) < 2^-45 * 1e10
}

test_that("a bound pays for the rounding of all rows and columns", {
  expect_false(slack_is_wrong())
  planted <- function(...) caught(bug(slack_is_wrong, ...))
  expect_true(planted("restricted_axes_slack", "max(2^-16, ", "max(0, "))
  expect_true(planted("restricted_axes_slack", "(epsilon * n + 256)", "256"))
  expect_true(planted("restricted_axes_margin", "slack(nrow(sorted), ncol(sorted) * times,", "slack(1, 1,"))
})
