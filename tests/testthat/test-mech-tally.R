# Tests of tallies: R/mech-tally.R.

steps_of <- function(d) rep(0.25, d)

test_that("a tally holds each point once, sorted, with the number of its rows", {
  points <- cbind(a = c(1, 0, 1, -0, 2), b = c(0.5, 1, 0.5, 1, 0))
  t <- new_tally(points, c(2, 3, 4, 5, 0), c(-4, -4), c(4, 4), steps_of(2))
  expect_identical(t$points, cbind(a = c(0, 1), b = c(1, 0.5)))
  expect_identical(t$count, c(8, 6))
  expect_identical(t$n, 14)
  expect_identical(t$lower, c(a = -4, b = -4))
  expect_identical(1 / t$points[1, "a"], c(a = Inf))
  expect_true(is_tally(t))
  expect_false(is_tally(points))
  none <- new_tally(points[0, , drop = FALSE], numeric(), c(-4, -4), c(4, 4), steps_of(2))
  expect_identical(c(none$n, dim(none$points)), c(0, 0, 2))
})

test_that("rows come back from a tally, in lexicographic order", {
  set.seed(1)
  rows <- cbind(u = sample(0:3, 60, TRUE), v = sample(0:3, 60, TRUE)^2) / 4
  t <- new_tally(rows, rep(1, 60), c(0, 0), c(4, 4), steps_of(2))
  expect_identical(expand_tally(t), rows[order(rows[, 1], rows[, 2]), ])
  expect_identical(sum(t$count), 60)
})

test_that("tallies that are too large are refused by their public size", {
  many <- function(n) new_tally(cbind(a = 0:1), n, 0, 1, 1)
  expect_identical(dim(many(c(2^31 - 4, 1))), c(.Machine$integer.max - 2L, 1L))
  expect_error(many(c(2^31 - 3, 1)), class = "dpdepth_error_input")
  expect_error(expand_tally(many(c(1e7, 1e7 + 1))), "20,000,001", class = "dpdepth_error_input")
  expect_error(expand_tally(many(c(2e9, 1)), "data"), "`data`")
})

# -- doors -----------------------------------------------------------------------------------------

# Whole numbers, skewed and tied, and their tally within 0..50.
tallied <- function(n, d) {
  rows <- matrix(pmin(round(3 * rexp(n * d)^2), 50), n, d, dimnames = list(NULL, letters[seq_len(d)]))
  new_tally(rows, rep(1, n), rep(0, d), rep(50, d), rep(1, d))
}

# Does `door` make the same release of a tally as of its rows, from the same numbers?
same_release <- function(t, door) {
  made <- lapply(list(t, expand_tally(t)), function(x) {
    set.seed(7)
    release <- suppressWarnings(door(x, unname(t$lower), unname(t$upper)), classes = "dpdepth_warning")
    expect_false(any(grepl("dp_tally", unlist(lapply(unclass(release), class)))))
    release$call <- NULL
    release
  })
  expect_identical(made[[1]], made[[2]])
}

test_that("releases of a tally are those of its rows", {
  set.seed(11)
  for (d in 1:3) {
    t <- tallied(120, d)
    same_release(t, function(x, lower, upper) dp_median(x, 1, lower = lower, upper = upper, rng = "R"))
    same_release(t, function(x, lower, upper) {
      dp_median(x, 1, lower = lower, upper = upper, resolution = 1, directions = "axes", rng = "R")
    })
    same_release(t, function(x, ...) dp_median(x, 1, prior = prior_dyadic(), rng = "R"))
    same_release(t, function(x, lower, upper) {
      dp_median(x, 1, 1e-6, lower, upper, method = "marginal", rng = "R")
    })
    same_release(t, function(x, lower, upper) dp_median(x, 2, 0, lower, upper, interval = 0.9, rng = "R"))
    same_release(t, function(x, lower, upper) {
      dp_median(x, 1, 0, lower, upper, neighbours = "add_remove", rng = "R")
    })
    same_release(t, function(x, lower, upper) {
      dp_depth(matrix(1, 2, d), x, 1, lower = lower, upper = upper, rng = "R")
    })
  }
  t <- tallied(150, 2)
  square <- matrix(c(90, 40, 40, 70), 2, dimnames = rep(list(c("a", "b")), 2))
  covariance <- prior_normal(c(a = 5, b = 5), covariance = square)
  same_release(t, function(x, ...) dp_median(x, 1, prior = covariance, rng = "R"))
  same_release(t, function(x, lower, upper) {
    dp_median_exponential(x, 1, depth = "irw", directions = 4L, lower = lower, upper = upper, rng = "R")
  })
  # methods that count rows get them
  same_release(t, function(x, lower, upper) dp_median(x, 1, 1e-6, lower, upper, method = "smooth", rng = "R"))
  same_release(t, function(x, lower, upper) dp_mean(x, 1, lower = lower, upper = upper, rng = "R"))
  t <- tallied(300, 1)
  same_release(t, function(x, lower, upper) dp_quantile(x, 0.3, 1, 0, lower, upper, rng = "R"))
  same_release(t, function(x, lower, upper) {
    dp_quantile(x, c(0.3, 0.6), 1, 0, lower, upper, resolution = 1, rng = "R")
  })
  same_release(t, function(x, lower, upper) {
    dp_quantile(x, 0.3, 1, 0, lower, upper, interval = 0.9, rng = "R")
  })
  same_release(t, function(x, lower, upper) dp_ecdf(x, 1, lower, upper, band = 0.9, rng = "R"))
  same_release(t, function(x, lower, upper) dp_ecdf(x, 1, lower, upper, resolution = 1, rng = "R"))
})

test_that("a regression takes a tally of response and regressors, terms of them included", {
  set.seed(12)
  t <- tallied(150, 3)
  fit <- function(x, formula, ...) {
    set.seed(3)
    data <- if (is_tally(x)) x else as.data.frame(x)
    suppressWarnings(dp_regression(formula, data, 1, lower = -20, upper = 20, rng = "R", ...))$estimate
  }
  rows <- expand_tally(t)
  expect_identical(fit(t, a ~ b), fit(rows, a ~ b))
  expect_identical(fit(t, log1p(a) ~ I(b > 3), tau = 0.25), fit(rows, log1p(a) ~ I(b > 3), tau = 0.25))
  expect_identical(fit(t, a ~ b - 1), fit(rows, a ~ b - 1))
  expect_identical(fit(t, a ~ b + c), fit(rows, a ~ b + c))
  expect_identical(fit(t, a ~ b, method = "batches"), fit(rows, a ~ b, method = "batches"))
  expect_error(fit(t, a ~ z), "no column", class = "dpdepth_error_input")
})

test_that("limits that a call leaves out are the tally's, and others may be given", {
  set.seed(13)
  t <- tallied(200, 2)
  limits <- dp_median(t, 1, rng = "R")$details$prior
  expect_identical(limits$lower, t$lower)
  expect_identical(limits$upper, t$upper)
  expect_identical(dp_median(t, 1, upper = 90, rng = "R")$details$prior$upper, c(a = 90, b = 90))
  one <- t[, "b"]
  expect_identical(dim(one), c(200L, 1L))
  expect_identical(one$step, c(b = 1))
  expect_identical(unname(dp_quantile(one, 0.5, 1, rng = "R")$details$prior$upper), 50)
  expect_error(t[1, ], class = "dpdepth_error_input")
  expect_error(dp_median(t, 1, id = "a"), "dp_tally", class = "dpdepth_error_input")
})

test_that("what takes rows only is refused by public sizes before anything is spent", {
  ledger <- dp_ledger(10)
  many <- new_tally(cbind(a = 0:3, b = 3:0), c(4e8, 3, 3, 3), c(0, 0), c(50, 50), c(1, 1))
  expect_error(dp_median(many, 1, 1e-6, method = "smooth", ledger = ledger), "20,000,000")
  expect_error(dp_histogram(many[, "a"], 1, breaks = 0:4, ledger = ledger), "20,000,000")
  # before any vector of that length
  expect_error(dp_regression(a ~ b, many, 1, 1e-6, method = "batches", ledger = ledger), "20,000,000")
  one <- many[, "a"]
  expect_error(dp_quantile(one, c(0.2, 0.4), 1, ledger = ledger), "100,000,000")
  expect_identical(nrow(as.data.frame(ledger)), 0L)
  release <- dp_median(many, 1, directions = "axes", resolution = 1, ledger = ledger)
  expect_identical(unname(release$estimate), c(0, 3))
  expect_identical(unname(dp_quantile(one, 0.5, 1, resolution = 1)$estimate), 0)
  expect_lt(length(serialize(release, NULL)), 20000)
})

test_that("where n is private no refusal tells it, and no number of rows is too many to count", {
  many <- new_tally(cbind(a = 0:3, b = 3:0), c(4e8, 3, 3, 3), c(0, 0), c(50, 50), c(1, 1))
  one <- many[, "a"]
  refused <- function(...) {
    said <- tryCatch(..., dpdepth_error_input = conditionMessage)
    expect_match(said, "not a larger one|not of more")
    expect_false(grepl("400,?000,?0|800,?000,?0", said))
  }
  refused(dp_quantile(one, c(0.2, 0.4), 1, neighbours = "add_remove"))
  leaks <- function() {
    said <- tryCatch(dp_quantile(one, c(0.2, 0.4), 1, neighbours = "add_remove"),
                     dpdepth_error_input = conditionMessage)
    grepl("400,000,01", said)
  }
  expect_false(leaks())
  expect_true(caught(bug(leaks, "tally_size_text", "isTRUE(t$private)", "FALSE")))
  expect_true(caught(bug(leaks, "tally_with_row", "with_private_size(t)", "t")))
  refused(dp_histogram(one, 1, breaks = 0:4, neighbours = "add_remove"))
  refused(dp_median(many, 1, directions = "frames", neighbours = "add_remove"))
  ledger <- dp_ledger(10)
  refused(dp_regression(a ~ b, many, 1, lower = -9, upper = 9, tau = 0.1, neighbours = "add_remove",
                        ledger = ledger))
  expect_identical(nrow(as.data.frame(ledger)), 0L)
  expect_equal(unname(dp_mean(many, 1, lower = 0, upper = 50, neighbours = "add_remove")$estimate), c(0, 3),
               tolerance = 1e-5)
  expect_equal(unname(dp_mean(one, 1, lower = 0, upper = 50)$estimate), 18 / 400000009, tolerance = 1e-6)
})

test_that("a tally without rows is refused before anything is spent, but where n is private", {
  none <- new_tally(cbind(a = 1, b = 1), 0, c(0, 0), c(9, 9), c(1, 1))
  one <- none[, "a"]
  ledger <- dp_ledger(20)
  refused <- function(...) expect_error(..., "at least [12] row", class = "dpdepth_error_input")
  refused(dp_median(none, 1, ledger = ledger))
  refused(dp_mean(one, 1, lower = 0, upper = 9, ledger = ledger))
  refused(dp_quantile(one, 0.5, 1, ledger = ledger))
  refused(dp_ecdf(one, 1, ledger = ledger))
  refused(dp_depth(3, one, 1, ledger = ledger))
  refused(dp_regression(a ~ b, none, 1, ledger = ledger))
  expect_identical(nrow(as.data.frame(ledger)), 0L)
  expect_true(is.finite(coef(dp_median(one, 1, neighbours = "add_remove"))))
  expect_true(is.finite(coef(dp_mean(one, 1, lower = 0, upper = 9, neighbours = "add_remove"))))
  private <- dp_regression(a ~ b, none, 1, lower = 0, upper = 9, neighbours = "add_remove")
  expect_true(all(is.finite(coef(private))))
})

test_that("a tally that was changed is refused before anything is spent", {
  t <- new_tally(cbind(a = c(1, 2, 3), b = c(1, 1, 2)), c(2, 3, 1), c(0, 0), c(5, 5), c(1, 1))
  ledger <- dp_ledger(100)
  doors <- list(
    function(x) dp_median(x, 1, lower = 0, upper = 5, ledger = ledger),
    function(x) dp_median(x, 1, lower = 0, upper = 5, neighbours = "add_remove", ledger = ledger),
    function(x) dp_mean(x, 1, lower = 0, upper = 5, ledger = ledger),
    function(x) dp_mean_coinpress(x, 1, 1e-6, center = 0, radius = 9, ledger = ledger),
    function(x) dp_depth(c(1, 1), x, 1, lower = 0, upper = 5, ledger = ledger),
    function(x) dp_regression(a ~ b, x, 1, lower = -5, upper = 5, ledger = ledger),
    function(x) dp_regression(a ~ b, x, 1, lower = -5, upper = 5, neighbours = "add_remove", ledger = ledger),
    function(x) c(t, x)
  )
  changed <- list(list("count", c(-2, 3, 1)), list("count", c(0.5, 3, 1)), list("count", c(NA, 3, 1)),
                  list("count", c(2^31, 3, 1)), list("count", c(2, 3)), list("n", 2), list("n", NA_real_),
                  list("points", t$points[1:2, ]), list("points", "a"), list("points", t$points * NaN),
                  list("lower", NULL))
  for (change in changed) {
    bad <- t
    bad[change[[1]]] <- change[2]
    for (door in doors) expect_error(door(bad), "as dp_tally", class = "dpdepth_error_input")
  }
  none <- structure(list(), class = "dp_tally")
  expect_error(dp_quantile(none, 0.5, 1, lower = 0, upper = 1), "as dp_tally")
  expect_identical(nrow(as.data.frame(ledger)), 0L)
})
