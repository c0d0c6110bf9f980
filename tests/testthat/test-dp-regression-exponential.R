# dp_regression(method = "exponential"): scores against brute force, sensitivity of all small neighbours,
# exact
# laws on small lattices, releases and refusals. Error rates: ALPHA = 1e-6 an expectation (helper-stat.R).

test_that("scores are regression depth by its definition, ties and rows on the fit included", {
  skip_on_cran()
  set.seed(1)
  for (case in 1:20) {
    n <- sample(1:12, 1)
    p <- sample(1:2, 1)
    u <- if (p == 1) matrix(1) else rbind(diag(2), c(0.6, 0.8), c(0.8, -0.6))
    x <- matrix(sample(c(-2:2, 0.5), n * p, TRUE), n)
    rows <- kernel_rows(x, sample(-6:6, n, TRUE), u)
    fits <- lattice_fits(p + 1, -2, 2)
    for (weights in list(c(1L, 1L), c(9L, 1L), c(1L, 3L))) {
      expect_identical(fit_scores(rows, -2, 2, weights), as.integer(slow_fit_scores(rows, fits, weights)))
    }
  }
  # regression depth itself, on a lattice so fine that only rows on the fit are near it
  d <- data.frame(x = c(1, 2, 2, 5, 7), y = c(1, 4, 2, 3, 9))
  fits <- lattice_fits(2, -2, 2)
  fine <- list(FALSE, c(-2, -2), c(2, 2), rep(2^-10, 2))
  got <- .Call(ffi_regression_scores, kernel_rows(d$x, d$y), fine, c(1L, 1L), fits * 2^10)
  expect_equal(got, 5 * depth_regression(fits, d$x, d$y), tolerance = 1e-12)
})

test_that("a replaced row moves the score of no fit by more than the heavier weight: all data of n <= 4", {
  skip_on_cran()
  row <- expand.grid(x = 0:2, y = 0:2)
  fits <- lattice_fits(2, -2, 3)
  worst <- function(n, weights, score) {
    sets <- unname(as.matrix(expand.grid(rep(list(seq_len(nrow(row))), n))))
    sets <- sets[apply(sets, 1, function(s) !is.unsorted(s)), , drop = FALSE]
    score_of <- apply(sets, 1, function(s) score(kernel_rows(row$x[s], row$y[s]), weights))
    # neighbours share the n - 1 rows that are left when one is taken out
    rest <- do.call(rbind, lapply(seq_len(n), function(i) cbind(seq_len(nrow(sets)), i)))
    key <- apply(rest, 1, function(v) paste(sets[v[[1]], -v[[2]]], collapse = " "))
    groups <- split(rest[, 1], key)
    max(vapply(groups, function(g) {
      max(apply(score_of[, g, drop = FALSE], 1, function(v) diff(range(v))))
    }, 0))
  }
  kernel <- function(rows, weights) fit_scores(rows, -2, 3, weights)
  for (n in 2:4) expect_identical(worst(n, c(1L, 1L), kernel), 1)
  expect_identical(worst(3, c(3L, 1L), kernel), 3)
  expect_identical(worst(3, c(2L, 3L), kernel), 3)
})

test_that("draws follow the law, and broken laws are rejected", {
  set.seed(2)
  x2 <- matrix(sample(0:2, 24, TRUE), 12)
  cases <- list(
    list(rows = kernel_rows(c(0, 1, 1, 2, 3, 3, 3), c(1, 0, 2, 2, 4, 3, 2)), low = -2, high = 3),
    list(rows = kernel_rows(1:6, 2 - 1 * (1:6)), low = -3, high = 3), # a fit through all rows
    list(rows = kernel_rows(rep(2, 5), c(0, 1, 4, 2, 2)), low = -2, high = 3), # one value of x
    list(rows = kernel_rows(x2, x2 %*% c(1, -1) + sample(-1:1, 12, TRUE), rbind(diag(2), c(0.6, 0.8))),
         low = -1, high = 2)
  )
  for (case in cases) for (weights in list(c(1L, 1L), c(3L, 1L))) {
    fits <- lattice_fits(ncol(case$rows[[1]]), case$low, case$high)
    h <- fit_scores(case$rows, case$low, case$high, weights)
    law <- function(rate, h) prop.table(exp(rate * (h - max(h)) / 2 / max(weights)))
    counts <- fit_draw_counts(case$rows, case$low, case$high, 1.5, weights, 20000L)
    expect_law(counts, law(1.5, h))
    expect_not_law(counts, law(3, h), "the rate twice")
  }
  once <- slow_fit_scores(cases[[2]]$rows, lattice_fits(2, -3, 3), once = TRUE)
  counts <- fit_draw_counts(cases[[2]]$rows, -3, 3, 1.5, c(1L, 1L), 20000L)
  expect_not_law(counts, prop.table(exp(0.75 * once)), "rows on the fit counted once")
})

test_that("boxes that are given up for cuts by the rows leave the law as it is", {
  skip_on_cran()
  set.seed(3)
  x <- matrix(sample(0:2, 24, TRUE), 12)
  rows <- kernel_rows(x, x %*% c(1, -1) + sample(-1:1, 12, TRUE), rbind(diag(2), c(0.6, 0.8)))
  h <- fit_scores(rows, -1, 2, c(1L, 1L))
  law <- function(rate) prop.table(exp(rate * (h - max(h)) / 2))
  by_rows <- fit_draw_counts(rows, -1, 2, 1.5, c(1L, 1L), c(20000L, 0L))
  expect_law(by_rows, law(1.5))
  expect_not_law(by_rows, law(3), "the rate twice")
  for (boxes in c(1L, 10L)) { # each draw begins anew
    anew <- replicate(1500, fit_draw_counts(rows, -1, 2, 1.5, c(1L, 1L), c(1L, boxes)))
    expect_law(rowSums(anew), law(1.5))
    expect_not_law(rowSums(anew), law(4.5), "the rate three times")
  }
})

# Draws of a plan with whole coordinates against the law summed over lattice_fits(k, low, high): scores by
# their definition; `mass`: of the prior.
plan_follows <- function(x, y, low, high, ..., limits = list(lower = low, upper = high), mass = 1,
                         tau = 0.5) {
  p <- ncol(x)
  plan <- plan_exponential(length(y), c("(Intercept)", colnames(x)), limits, 1.5, 0, tau,
                           resolution = 1, directions = rbind(diag(p), 1 / sqrt(p)), ..., shift = FALSE)
  rows <- fit_rows(x, y, plan)
  weights <- plan$weights[[1]]
  fits <- lattice_fits(p + 1, low, high)
  h <- slow_fit_scores(rows, fits, weights)
  law <- function(rate, mass) prop.table(mass * exp(rate * (h - max(h)) / 2 / max(weights)))
  got <- .Call(ffi_regression_draw, "R", rows, prior_fields(plan$prior, plan$resolution), 1.5, weights,
               5000L)$draws
  counts <- tabulate(1 + drop((got - low) %*% (high - low + 1)^(0:p)), nrow(fits))
  expect_identical(sum(counts), 5000L)
  expect_law(counts, law(1.5, mass))
  if (length(mass) == 1) expect_not_law(counts, law(3, mass), "the rate twice")
  else expect_not_law(counts, law(1.5, 1), "a flat prior")
}

test_that("two and three regressors: draws of quantiles, points and a normal prior follow the law", {
  skip_on_cran()
  set.seed(7)
  for (p in 2:3) {
    x <- matrix(sample(0:2, 14 * p, TRUE), 14, dimnames = list(NULL, letters[seq_len(p)]))
    y <- as.double(x %*% rep_len(c(1, -1), p) + sample(-1:1, 14, TRUE))
    plan_follows(x, y, -1, 1)
    plan_follows(x, y, -1, 1, tau = 0.75)
    plan_follows(x, y, -1, 1, at = rbind(0, diag(p)), tau = 0.25)
    # as its density at the lattice's points
    plan_follows(x, y, -1, 1, limits = list(prior = prior_normal(0, 0.3)),
                 mass = apply(stats::dnorm(lattice_fits(p + 1, -1, 1), 0, 0.3), 1, prod))
  }
})

test_that("a normal prior, and a prior of predictions, are what they say", {
  set.seed(3)
  d <- data.frame(x = c(0, 1), y = c(0, 1))
  rows <- kernel_rows(d$x, d$y)
  prior <- prior_fields(prior_normal(c(1, -2), c(2, 0.5)))
  got <- .Call(ffi_regression_draw, "R", rows, prior, 1e-6, c(1L, 1L), 2000L)$draws
  expect_cdf(got[, 1], function(q) pnorm(q, 1, 2))
  expect_cdf(got[, 2], function(q) pnorm(q, -2, 0.5))
  points <- check_at(data.frame(b = c(1, 4, 2), a = c(10, 10, 14)), c("(Intercept)", "a", "b"))
  prior <- prior_fields(prior_uniform(c(0, -1, 5), c(2, 1, 6)))
  x <- cbind(a = c(10, 12, 17), b = c(1, 2, 9))
  rows <- list(coordinate_rows(x, points), c(1, 2, 3), projections(x, diag(2), c(1, 1)))
  got <- .Call(ffi_regression_draw, "R", rows, prior, 1e-6, c(1L, 1L), 2000L)$draws
  fits <- apply(got, 1, coefficients_of, points)
  at <- cbind(1, points$at) %*% fits
  expect_equal(at, t(got), tolerance = 1e-12)
  expect_equal(rows[[1]] %*% t(got), cbind(1, x) %*% fits, tolerance = 1e-12)
  for (j in 1:3) expect_cdf(at[j, ], function(q) punif(q, c(0, -1, 5)[[j]], c(2, 1, 6)[[j]]))
})

test_that("draws end, whatever the data: far, tiny, tied and perfect", {
  set.seed(4)
  n <- 40
  x <- rnorm(n)
  y <- rnorm(n)
  f <- sample(0:1, n, TRUE)
  hard <- list(
    list(x * 1e300, y), list(x * 1e-300, y * 1e-300), list(x, y * 1e300), list(x * 1e12, y),
    list(f, round(y)),
    list(x, 2 + 3 * x), list(c(x[-1], 1e308), c(y[-1], -1e308)), list(rep(0, n), rep(0, n)),
    list(c(1, 2), c(0, 5))
  )
  ends <- function(z, bound) {
    d <- data.frame(y = z[[2]], z[[1]])
    r <- suppressWarnings(dp_regression(y ~ ., d, 20, lower = -bound, upper = bound, rng = "R"))
    expect_true(all(abs(coef(r)) <= bound))
  }
  for (z in hard) for (bound in c(50, 1e15, 1e300)) ends(z, bound)
  ends(list(rep(3, n), y), 50)
  ends(list(sample(0:9, n, TRUE), sample(0:9, n, TRUE)), 50)
  ends(list(cbind(x, x), y), 50)
  perfect <- dp_regression(y ~ x, data.frame(x = 1:90, y = 2 + 3 * (1:90)), 10, lower = -50, upper = 50)
  # rows within half a step of the lattice, 2^-33 for each coefficient, count as on the fit; any fit on which
  # fewer than 70 rows lie has probability below exp(-50)
  expect_equal(unname(coef(perfect)), c(2, 3), tolerance = 1e-6)
})

test_that("regressors that depend on each other, tie or are far off the lattice need few proposals", {
  skip_on_cran()
  set.seed(6)
  n <- 40L
  f <- rep(0:1, 20)
  x <- rnorm(n)
  y <- rnorm(n)
  whole <- sample(0:9, n, TRUE)
  hard <- list( # regressors, response, bound
    list(cbind(f, 1 - f), whole, 50), list(cbind(f, 1 - f), y, 50), list(f, whole, 1e6),
    list(cbind(1e300, x), y, 50), list(rep(3, n), y, 1e15), list(rep(0.7, n), rep(1.1, n), 50),
    list(cbind(x, x), y, 1e15), list(cbind(whole, 5 - whole), f, 1e15),
    list(sample(0:9, n, TRUE), whole, 1e15), list(cbind(x, f), rep(7.7, n), 50)
  )
  proposals <- vapply(hard, function(z) {
    v <- as.matrix(z[[1]])
    u <- if (ncol(v) == 1) matrix(1) else regression_directions(20, 2)
    prior <- prior_fields(prior_uniform(rep(-z[[3]], ncol(v) + 1), rep(z[[3]], ncol(v) + 1)))
    .Call(ffi_regression_draw, "R", kernel_rows(v, z[[2]], u), prior, 20, c(1L, 1L), 1L)$counts[[1]]
  }, 0)
  expect_lt(max(proposals), 1e5)
})

test_that("three regressors: a box is bounded along the directions that told where it was cut from", {
  skip_on_cran()
  prior <- prior_fields(prior_uniform(rep(-50, 4), rep(50, 4)))
  u <- regression_directions(NULL, 3)
  proposals <- vapply(1:3, function(seed) {
    set.seed(seed)
    x <- matrix(rnorm(900), 300)
    .Call(ffi_regression_draw, "R", kernel_rows(x, rnorm(300), u), prior, 3, c(1L, 1L), 1L)$counts[[1]]
  }, 0)
  # 72,000; along the directions that told last, wherever that was, 109,000
  expect_lt(sum(proposals), 9e4)
})

test_that("releases: the default, its parts, quantiles in order", {
  set.seed(5)
  n <- 400
  d <- data.frame(x = rnorm(n), g = factor(sample(c("a", "b"), n, TRUE), c("a", "b", "c")))
  d$y <- 1 + 2 * d$x + (d$g == "b") + rnorm(n) / 4
  one <- dp_regression(y ~ x, d, 4, 1e-6, lower = -20, upper = c(x = 30, "(Intercept)" = 20))
  expect_identical(one[c("guarantee", "delta", "exact")], list(guarantee = "pure", delta = 0, exact = TRUE))
  expect_match(one$details$why, "delta is not needed")
  # the mass further off is below exp(-4 * 400 / 8)
  expect_lt(max(abs(coef(one) - c(1.25, 2))), 1)
  several <- dp_regression_exponential(y ~ x + g, d, 8, lower = -20, upper = 20, directions = 20)
  expect_named(coef(several), c("(Intercept)", "x", "gb", "gc"))
  expect_lt(abs(coef(several)[["x"]] - 2), 1)
  at <- dp_regression(y ~ x, d, 4, at = c(-1, 1), lower = -10, upper = 10, prior = NULL)
  expect_lt(max(abs(predict(at, data.frame(x = c(-1, 1))))), 10)
  expect_lt(max(abs(coef(at) - c(1.25, 2))), 1)
  expect_null(at$details$prior)
  taus <- dp_regression(y ~ x, d, 2, prior = prior_normal(0, 10), tau = c(0.25, 0.5, 0.75))
  expect_identical(dim(coef(taus)), c(2L, 3L))
  expect_identical(rownames(coef(taus)), c("(Intercept)", "x"))
  fit <- predict(taus, data.frame(x = c(-9, 0, NA, 9)))
  expect_true(all(diff(t(fit[-3, ])) >= 0))
  expect_true(all(is.na(fit[3, ])))
  expect_identical(tidy(taus)$term[[4]], "x")
  expect_identical(dim(residuals(taus, d)$value), c(400L, 3L))
  tilted <- dp_regression(y ~ x, d, 4, lower = -20, upper = 20, tau = 0.9)
  expect_lt(mean(d$y > predict(tilted, d)), 0.3)
  gaps <- dp_regression(y ~ x, transform(d, x = replace(x, 3, NA)), 4, at = c(0, 1), lower = 0, upper = 4,
                        na = "middle")
  expect_true(gaps$released)
})

test_that("bad arguments spend nothing", {
  ledger <- dp_ledger(1)
  d <- data.frame(x = 1:60, z = 60:1, y = rep(1:6, 10))
  bad <- function(arg, ..., formula = y ~ x, lower = -9, upper = 9, fun = dp_regression_exponential) {
    e <- expect_error(fun(formula, d, 0.5, lower = lower, upper = upper, ..., ledger = ledger),
                      class = "dpdepth_error_input")
    expect_identical(e$arg, arg)
  }
  for (tau in list(0, 1, c(0.5, 0.5), c(0.7, 0.2), NA, "a", pi / 4, numeric(), NULL)) bad("tau", tau = tau)
  bad("lower", lower = NULL)
  bad("upper", upper = NULL)
  bad("prior", prior = prior_uniform(0, 1))
  bad("prior", prior = 3, lower = NULL, upper = NULL)
  bad("prior", prior = prior_normal(0, covariance = diag(3)), lower = NULL, upper = NULL)
  # too many regressors for boxes of shells
  bad("prior", formula = y ~ x + z + I(x^2), lower = NULL, upper = NULL)
  bad("at", at = 1:3)
  bad("at", at = c(2, 2))
  bad("at", at = c(1, NA))
  bad("at", at = "a")
  bad("at", at = rbind(c(1, 1), c(2, 2), c(3, 3)), formula = y ~ x + z)
  bad("directions", directions = 10)
  bad("directions", directions = matrix(1, 2, 3), formula = y ~ x + z)
  bad("units", units = -1)
  bad("units", units = 1:2)
  bad("formula", formula = y ~ x + z + I(x^2) + I(z^2) + I(x^3))
  bad("max_iter", max_iter = 2)
  bad("delta", fun = dp_regression_deepest)
  bad("at", fun = dp_regression, method = "deepest", delta = 1e-6, at = 1:2)
  bad("tau", fun = dp_regression, method = "medsweep", tau = 0.2, delta = 1e-6)
  expect_identical(nrow(as.data.frame(ledger)), 0L)
  expect_error(check_exact_regression(1e5, 3), "20,000", class = "dpdepth_error_input")
  expect_warning(dp_regression(y ~ x, d, 0.5, lower = -9, upper = 9, ledger = ledger),
                 "a larger epsilon or fewer regressors would help", class = "dpdepth_warning_accuracy")
  expect_identical(summary(ledger)["epsilon", "spent"], 0.5)
})

test_that("a prior with a covariance: fits are the same, the prior is what it says, and so are far draws", {
  skip_on_cran()
  set.seed(8)
  covariance <- matrix(c(4, -1.8, 0.3, -1.8, 1, 0, 0.3, 0, 9), 3)
  prior <- prior_normal(c(1, -2, 5), covariance = covariance)
  whitening <- prior_whitening(prior)
  x <- matrix(rnorm(10), 5)
  rows <- whiten_fits(with_ones(x), as.double(1:5), whitening)
  z <- matrix(rnorm(6), 2)
  theta <- color_points(z, whitening)
  expect_equal(rows[[2]] - rows[[1]] %*% t(z), 1:5 - cbind(1, x) %*% t(theta), tolerance = 1e-12)
  # a row by itself
  alone <- whiten_fits(with_ones(x[2, , drop = FALSE]), 2, whitening)
  expect_identical(alone, list(rows[[1]][2, , drop = FALSE], rows[[2]][[2]]))
  expect_true(all(is.finite(unlist(whiten_fits(cbind(1, c(1e308, -1e308)), c(1e308, 1), whitening)))))
  # rows that say nothing: the prior itself
  d <- data.frame(y = c(1, 0), x = 1:2)
  joint <- prior_normal(c(x = -2, "(Intercept)" = 1), covariance = matrix(c(1, -1.8, -1.8, 4), 2, dimnames =
                          rep(list(c("x", "(Intercept)")), 2)))
  got <- suppressWarnings(replicate(300, coef(dp_regression(y ~ x, d, 1e-5, prior = joint, rng = "R"))))
  expect_cdf(got[1, ], function(q) pnorm(q, 1, 2))
  expect_cdf(got[2, ], function(q) pnorm(q, -2, 1))
  expect_cdf(got[1, ] + 1.8 * got[2, ], function(q) pnorm(q, 1 - 3.6, sqrt(4 - 1.8^2)))
  n <- 300
  d <- data.frame(x = rnorm(n, 3))
  d$y <- 2 - d$x + rnorm(n)
  fit <- dp_regression(y ~ x, d, 2, prior = joint, at = NULL)
  expect_lt(max(abs(predict(fit, data.frame(x = 3)) + 1)), 0.8)
  expect_match(fit$details$units, "Cholesky")
})

test_that("more than four regressors are refused, with what takes them", {
  d <- as.data.frame(matrix(cos(1:54), 9))
  expect_error(dp_regression(V6 ~ ., d, 1, lower = -5, upper = 5), "4.*batches\", which takes [0-9,]+",
               class = "dpdepth_error_input")
})

test_that("without limits: far fits are found, by coefficients or predictions, and few rows are warned of", {
  set.seed(7)
  d <- data.frame(x = rnorm(300, 2000, 10))
  d$y <- 5e4 + 30 * d$x + rnorm(300, sd = 5)
  # the line at the centre of x is off by more than 5 with a probability below exp(-300 / 8)
  near <- function(fit) expect_lt(abs(predict(fit, data.frame(x = 2000)) - 11e4), 5)
  free <- dp_regression(y ~ x, d, 1)
  near(free)
  expect_s3_class(free$details$prior, "dp_prior_dyadic")
  near(dp_regression(y ~ x, d, 1, prior = prior_dyadic(c(1, 2^-10), c(1e5, 0)), tau = 0.4))
  near(dp_regression(y ~ x, d, 1, at = c(1990, 2010)))
  expect_warning(dp_regression(y ~ x, d[1:90, ], 1, method = "exponential"), "noise of any size",
                 class = "dpdepth_warning_accuracy")
  expect_warning(dp_regression(y ~ x, d, 1, tau = 0.9), "noise of any size")
  expect_identical(prior_middle(prior_dyadic(c(1, 2), c(3, 4))), c(3, 4))
  terms <- c("(Intercept)", "a", "b")
  expect_equal(check_units(NULL, terms, prior_dyadic(c(1, 0.5, 2)), NULL), c(4, 1))
  points <- check_at(data.frame(a = c(0, 8, 0), b = c(1, 1, 5)), terms)
  expect_identical(unname(check_units(NULL, terms, NULL, points)), c(8, 4))
  expect_identical(projections(cbind(6, 1e300), rbind(c(1, 0), c(0, 1)), c(2, 1e-100))[[1]], 3)
  expect_true(is.finite(projections(cbind(6, 1e300), rbind(c(1, 0), c(0, 1)), c(2, 1e-100))[[2]]))
  expect_identical(nrow(regression_directions(matrix(c(0.6, 0.8), 1), 2)), 3L)
})

test_that("prints", {
  d <- data.frame(x = 1:100, y = 1:100)
  r <- dp_regression(y ~ x, d, 1, lower = -9, upper = 9, rng = "R")
  r$estimate[] <- c(-1, 2)
  expect_snapshot(r)
})

test_that("`resolution` declares steps of coefficients or predictions, all or some by name", {
  skip_on_cran()
  set.seed(6)
  d <- data.frame(x = stats::runif(300, 0, 4), y = stats::rpois(300, 2))
  fit <- function(...) dp_regression(y ~ x, d, 1, lower = -50, upper = 50, ...)
  # counts whose median is 2 for each x: hit, where draws without it are near
  hits <- replicate(20, identical(unname(coef(fit(resolution = 0.25))), c(2, 0)))
  expect_gt(sum(hits), stats::qbinom(ALPHA, 20, 0.95))
  expect_false(identical(unname(coef(fit())), c(2, 0)))
  some <- fit(resolution = c(x = 0.5), tau = c(0.25, 0.75))
  expect_true(all(coef(some)[2, ] %% 0.5 == 0))
  expect_identical(some$details$step, c("(Intercept)" = fit()$details$step[[1]], x = 0.5))
  expect_identical(fit(resolution = c(intercept = 1))$details$step[[1]], 1)
  whole <- fit(at = c(0, 4), resolution = 1)
  expect_true(all(predict(whole, data.frame(x = c(0, 4))) %% 1 == 0))
  refused <- function(pattern, ...) {
    ledger <- dp_ledger(9, 1e-3)
    expect_error(fit(..., ledger = ledger), pattern, class = "dpdepth_error_input")
    expect_identical(sum(summary(ledger)$spent), 0)
  }
  refused("powers of two.*round what", resolution = 0.1)
  refused("above 0", resolution = -1)
  refused("named by some of", resolution = c(z = 1))
  refused("steps that these limits have", resolution = 2^-60)
  expect_error(dp_regression(y ~ x, d, 1, lower = 0.25, upper = 0.75, resolution = 1), "multiple inside",
               class = "dpdepth_error_input")
})
