# Private sizes: laws of data with a row more or less, what may depend on n, refusals.

# The law of a median of one variable on the grid, by its definition: a public row at `middle` counts along.
median_law <- function(x, grid, epsilon, middle) {
  x <- c(x, middle)
  h <- vapply(grid, function(z) min(sum(x <= z), sum(x >= z)), 0)
  exp(epsilon * h) / sum(exp(epsilon * h))
}

test_that("a row more or less moves the law by epsilon at most, and nearly that much", {
  grid <- 0:6
  worst <- 0
  for (n in 0:4) {
    sets <- as.matrix(expand.grid(rep(list(grid), n)))
    if (n == 0) sets <- matrix(0, 1, 0)
    sets <- sets[apply(sets, 1, function(v) !is.unsorted(v)), , drop = FALSE]
    for (i in seq_len(nrow(sets))) {
      for (new in grid) {
        p <- median_law(sets[i, ], grid, 1, 3)
        q <- median_law(c(sets[i, ], new), grid, 1, 3)
        worst <- max(worst, abs(log(p / q)))
      }
    }
  }
  expect_lte(worst, 1 + 1e-12)
  expect_gt(worst, 0.8)
})

test_that("draws follow that law, also without any row", {
  set.seed(41)
  prior <- prior_uniform(0, 6)
  for (x in list(numeric(0), 5, c(0, 1, 1, 4, 6))) {
    rows <- rows_between("add_remove", x, "fail", limits_middle(prior))
    rate <- monotone_epsilon(0.8, "add_remove")
    draws <- .Call(ffi_median_exp, "R", rows, prior_fields(prior, 1), rate, TRUE, bounding_directions(1),
                   3000L)$draws[, 1]
    p <- stats::chisq.test(tabulate(draws + 1, 7), p = median_law(x, 0:6, 0.8, 3))$p.value
    expect_gt(p, ALPHA)
  }
})

test_that("the rank score of one quantile moves by one at most when a row comes or goes", {
  score <- function(x, z, p) {
    n <- length(x)
    min(sum(x <= z) - ceiling(n * p), sum(x >= z) - ceiling(n * (1 - p)))
  }
  for (p in c(0.1, 0.3, 0.5, 0.75, 0.99)) {
    for (n in 1:6) {
      x <- sort(c(0, 0, 1, 3, 3, 4)[seq_len(n)])
      moved <- vapply(0:4, function(new) {
        max(abs(vapply(0:4, function(z) score(c(x, new), z, p) - score(x, z, p), 0)))
      }, 0)
      expect_lte(max(moved), 1)
    }
  }
})

test_that("nothing but the draw depends on n", {
  of <- function(x, ...) {
    r <- dp_median(x, 1, lower = 0, upper = 10, ..., neighbours = "add_remove", rng = "R")
    r$estimate[] <- 0
    r$call <- NULL
    r
  }
  told <- function(expr) {
    seen <- character()
    withCallingHandlers(expr, warning = function(w) {
      seen <<- c(seen, conditionMessage(w))
      invokeRestart("muffleWarning")
    })
    seen
  }
  expect_identical(of(numeric(0)), of(rep(3, 1000)))
  expect_identical(of(1:9), of(1:10))
  expect_identical(told(of(numeric(0))), told(of(1:1000)))
  expect_true(is.na(nobs(of(1:9))))
  expect_false(any(grepl("\\bn = ", format(of(1:9)))))
  expect_match(format(of(1:9)), "adding or removing any one row", all = FALSE)
  two <- matrix(0, 0, 2)
  expect_identical(of(two), of(cbind(1:9, 1:9)))
  many <- matrix(0, 0, 7)
  expect_identical(of(many), of(matrix(3, 50, 7)))
  q <- function(x) {
    r <- dp_quantile(x, 0.9, 1, lower = 0, upper = 9, neighbours = "add_remove", rng = "R")
    r$estimate[] <- 0
    r$call <- NULL
    r
  }
  expect_identical(q(numeric(0)), q(rnorm(1e4)))
})

test_that("the draw's epsilon leaves twice the room for errors", {
  for (epsilon in c(1e-6, 0.1, 1, 30, 4e5)) {
    k <- monotone_epsilon(epsilon, "add_remove")
    # under substitution a draw at k has errors of 2^-34 + k 2^-40 in all: half of the rate, and these
    expect_lte(k / 2 + 2^-34 + k * 2^-40, epsilon)
    expect_gt(k, 2 * epsilon * (1 - 1e-3))
    expect_identical(monotone_epsilon(epsilon, "substitution"), epsilon)
  }
})

test_that("methods for data of one size are refused, with nothing spent", {
  ledger <- dp_ledger(1, 1e-5)
  refused <- function(expr) {
    expect_error(expr, "`neighbours` must be", class = "dpdepth_error_input")
    expect_identical(nrow(as.data.frame(ledger)), 0L)
  }
  refused(dp_median(1:9, 1, lower = 0, upper = 9, interval = 0.9, neighbours = "add_remove", ledger = ledger))
  refused(dp_median(1:9, 1, 1e-6, method = "restricted", neighbours = "add_remove", ledger = ledger))
  refused(dp_median_exponential(1:9, 1, depth = "idd", lower = 0, upper = 9, neighbours = "add_remove",
                                ledger = ledger))
  refused(dp_median(cbind(1:9, 1:9), 1, lower = 0, upper = 9, sampler = "mcmc", neighbours = "add_remove",
                    ledger = ledger))
  refused(dp_quantile(1:9, 1:3 / 4, 1, lower = 0, upper = 9, neighbours = "add_remove", ledger = ledger))
  refused(dp_quantile(1:9, 0.5, 1, lower = 0, upper = 9, interval = 0.9, neighbours = "add_remove",
                      ledger = ledger))
  refused(dp_median(1:9, 1, lower = 0, upper = 9, neighbours = "remove", ledger = ledger))
})
