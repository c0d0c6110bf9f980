# Private regression by noisy sums: exact sums, sensitivities by brute force, the budget of all queries,
# failure as an output, planted bugs. Error rates: ALPHA = 1e-6 an expectation (helper-stat.R).

noisy <- function(data, epsilon = 1, ...) {
  rival_regression(y ~ x1, data, epsilon, 0, "noisystats", 0, 1, 0, 1, ...)
}

test_that("sums of products are exact, where n times the sums are not", {
  skip_on_cran()
  set.seed(1)
  for (i in 1:60) {
    n <- pick(c(2:9, 50, 1000))
    m <- pick(c(2, 2^6, 2^20))
    x <- pick(list(sample(0:1, n, TRUE) * m, floor(stats::runif(n, 0, m + 1)), rep(m, n)))
    y <- pick(list(x, rev(x), floor(stats::rbeta(n, 0.2, 0.2) * m)))
    got <- cross_product(x, y)
    direct <- n * sum(x * y) - sum(x) * sum(y)
    if (n * sum(x * y) < 2^52) expect_identical(got, ceiling(direct / n))
    expect_lt(abs(got - sum((x - mean(x)) * (y - mean(y)))), 1 + 1e-12 * n * m^2)
    # the remainders of n times it and of the true number: it is larger by less than n
    p <- 1009
    true <- n * (sum(x * y) %% p) - (sum(x) %% p) * (sum(y) %% p)
    expect_lt((n * (got %% p) - true) %% p, n)
  }
})

# Relative to what the code claims.
worst_cross <- function(count = 60) {
  set.seed(2)
  worst <- 0
  for (i in seq_len(count)) {
    n <- pick(2:12)
    steps <- pick(c(1, 5, 2^10))
    rows <- matrix(pick(list(sample(0:1, 2 * n, TRUE), stats::rbeta(2 * n, 0.2, 0.3), rep(0:1, each = n))), n)
    rows <- round(rows * steps)
    for (new in list(c(0, 0), c(0, steps), c(steps, 0), c(steps, steps), c(steps %/% 2, 0))) {
      other <- rows
      other[1, ] <- new
      moved <- c(cross_product(rows[, 1], rows[, 2]) - cross_product(other[, 1], other[, 2]),
                 cross_product(rows[, 1], rows[, 1]) - cross_product(other[, 1], other[, 1]))
      worst <- max(worst, abs(moved) / cross_sensitivity(n, steps))
    }
  }
  worst
}

test_that("a row moves sums of products by the claimed sensitivity, and not more", {
  skip_on_cran()
  worst <- worst_cross()
  expect_lte(worst, 1)
  expect_gt(worst, 0.99)
})

# In the coarser units of the noise: does a row move a sum by more than is claimed? It moves this one from a
# fraction of a unit to just below none, as far as it can.
units_are_wrong <- function() {
  asked <- NULL
  keep <- function(values, sensitivity, ...) {
    asked <<- cbind(asked, c(values, sensitivity))
    0
  }
  s <- 2^25
  with_bindings(list(add_laplace = keep), for (new in c(0, s)) {
    noisy_cross_product(c(new, s - 2, s), c(new, s, s - 2), s, 1, "R")
  })
  asked[2, 1] != asked[2, 2] || abs(diff(asked[1, ])) > asked[2, 1]
}

# Are products taken whose sums doubles do not hold?
sums_are_inexact <- function() {
  exact <- NULL
  keep <- function(x, y) {
    exact <<- c(exact, length(x) * max(x, y)^2 <= 2^52)
    0
  }
  with_bindings(list(cross_product = keep), for (n in c(2, 3, 7, 1000)) {
    noisystats_line(rep_len(1, n), rep_len(1, n), 1, "R")
  })
  !all(exact)
}

test_that("sums are exact, and claims are rounded up to the noise's units", {
  expect_false(units_are_wrong())
  expect_false(sums_are_inexact())
  expect_true(caught(bug(units_are_wrong, "noisy_cross_product", "ceiling(cross_sens", "floor(cross_sens")))
  expect_true(caught(bug(sums_are_inexact, "noisystats_line", "floor((52", "ceiling((52")))
})

# All queries of runs on neighbours with the same outputs, relative to epsilon.
budget_is_passed <- function(epsilon = 1.5, count = 60) {
  set.seed(3)
  run <- function(d) coef(noisy(d, epsilon))
  limit <- c(epsilon, 0)
  any(worst_cost(run, count, limit = limit) > limit)
}

test_that("the queries of neighbours cost at most epsilon", {
  skip_on_cran()
  expect_false(budget_is_passed())
  set.seed(3)
  expect_gt(worst_cost(function(d) coef(noisy(d, 3)), 100)[["epsilon"]], 1.5)
})

test_that("planted bugs are seen", {
  skip_on_cran()
  planted <- function(...) caught(bug(budget_is_passed, ...))
  expect_true(planted("noisystats_line", "epsilon/3", "epsilon")) # the budget not split
  expect_true(planted("unit_values", "pmin(pmax((v - bounds$lower)/(bounds$upper - bounds$lower), 0), 1)",
                      "pmin(pmax(v, -8), 8)")) # clipping left out
  expect_true(planted("laplace_rate", "epsilon/sensitivity", "2.5 * epsilon/sensitivity")) # too little noise
  expect_true(planted("noisy_intercept", "add_laplace(total, steps, epsilon, source)",
                      "add_laplace(total, steps/4, epsilon, source)"))
  expect_true(planted("noisy_intercept", "lattice_place(v - slope * u, low, high, steps)",
                      "((v - slope * u - low)/(high - low) * steps)")) # rows not on the lattice
  # another way for some data
  expect_true(planted("noisystats_line", "square <= 0", "sum(x) > 0.7 * n * steps"))
})

test_that("a failure is an output: its chance is that of the noisy sum of squares", {
  skip_on_cran()
  d <- data.frame(x1 = c(0.4, 0.5, 0.6, 0.5), y = 1:4 / 5)
  ledger <- dp_ledger(1e4)
  failed <- suppressWarnings(vapply(1:300, function(i) !noisy(d, 3, ledger = ledger)$released, NA))
  # 0.02 plus Laplace noise of scale 3/4
  expect_prob(sum(failed), 300, 0.5 * exp(-0.02 / 0.75))
  expect_equal(summary(ledger)["epsilon", "spent"], 900)
  r <- with_bindings(list(noisy_cross_product = function(...) -1), noisy(d, 1))
  expect_false(r$released)
  expect_true(all(is.na(coef(r))))
  expect_match(format(r)[[1]], "NOT RELEASED")
  expect_true(is.na(predict(r, data.frame(x1 = 0.5))))
})

test_that("what is released and said; extremes have the same shape", {
  skip_on_cran()
  d <- data.frame(x1 = (0:999) / 999)
  d$y <- 0.2 + 0.5 * d$x1
  r <- noisy(d, 20)
  expect_s3_class(r, c("dp_regression", "dp_release"), exact = TRUE)
  expect_identical(r$guarantee, "pure")
  expect_equal(unname(coef(r)), c(0.2, 0.5), tolerance = 0.05)
  wide <- data.frame(x1 = 100 * d$x1 - 50, y = 10 * d$y)
  r <- rival_regression(y ~ x1, wide, 20, 0, "noisystats", -50, 50, 0, 10)
  expect_equal(unname(coef(r)), c(4.5, 0.05), tolerance = 0.05)
  set.seed(4)
  for (i in 1:40) {
    expect_silent(r <- noisy(skewed_rows(pick(2:9)), pick(c(1e-6, 0.1, 15))))
    expect_identical(all(is.finite(coef(r))), r$released)
  }
})

test_that("bad arguments are refused and spend nothing", {
  d <- data.frame(x1 = 1:9, y = 1:9, z = 1:9)
  ledger <- dp_ledger(1)
  bad <- function(formula = y ~ x1, epsilon = 1, x = c(0, 9), y = c(0, 9), ..., delta = 0, data = d) {
    expect_error(rival_regression(formula, data, epsilon, delta, "noisystats", x[[1]], x[[2]], y[[1]], y[[2]],
                                  ..., ledger = ledger), class = "dpdepth_error_input")
  }
  bad(y ~ x1 + z)
  bad(epsilon = -1)
  bad(x = c(1, 1))
  bad(data = d[1, ])
  bad(delta = 0.1)
  expect_error(noisy(d, 1, ledger = dp_ledger(0.5)), class = "dpdepth_error_budget")
  expect_identical(nrow(as.data.frame(ledger)), 0L)
})
