# Tests of R/mech-regression.R: how many rows exact draws take, and where far fits outweigh near ones.

test_that("the chance of noise falls with rows, and rows and shapes are judged by public numbers", {
  # simulated draws of three regressors: 7 of 30, 2 of 30 and 0 of 30 lie far away
  failure <- vapply(c(130, 150, 180), exponential_failure, 0, p = 3, epsilon = 1, half = 50)
  expect_gt(failure[[1]], 0.2)
  expect_gt(failure[[2]], 0.02)
  expect_lt(failure[[3]], 0.005)
  # more directions leave fewer fits far from all of them
  expect_gt(far_log_weight(500, 8, 1, 30), far_log_weight(500, 8, 1, 300))
  expect_false(any(far_fits_prevail(20, 1, c(0.1, 1), 1)))
  # the mean of exp(rate t) over the least of 50 angles between 0 and pi/2, in the plane
  set.seed(1)
  t <- -most_of_rows(-matrix(stats::runif(50 * 20000, 0, pi / 2), ncol = 50))
  expect_equal(far_log_weight(60, 2, 1, 50), log(mean(exp(60 / (2 * pi) * t))), tolerance = 0.05)
  expect_true(exact_regression_serves(2000, 4))
  expect_false(exact_regression_serves(2001, 4) || exact_regression_serves(10, 5))
  # eight regressors: 630 rows serve along 300 directions, 500 along 1200, 440 along none of these numbers
  rows <- c(640, 620, 500, 460, 440)
  found <- vapply(rows, default_fit_directions, 0L, p = 8L, worth = 1)
  expect_identical(found, c(300L, 600L, 1200L, 2400L, 300L))
  expect_identical(default_fit_directions(4L, 50, 1), 100L)
  expect_identical(default_fit_directions(400, 1000, 1), 400)
  # no more than the rows' orders have room for
  expect_identical(default_fit_directions(20L, 2e5, 0.01), 300L)
  expect_identical(quantile_worth(2, c(0.25, 0.5)), c(0.5, 1))
  expect_identical(vapply(3:4, function(k) draw_is_uncautioned(letters[seq_len(k)]), NA), c(TRUE, FALSE))
})

test_that("the epsilon that is called quick is the largest that is not warned of, in tenths", {
  for (p in 2:4) for (n in c(50, 400, 999, 3000)) {
    quick <- largest_quick_epsilon(n, p)
    expect_false(is_steep_draw(n, p, quick))
    expect_true(is_steep_draw(n, p, quick + 0.101))
  }
})

# -- fits through the origin -------------------------------------------------------------------------

# Whole numbers low..high on each axis, and rows without an intercept.
origin_prior <- function(p, low, high) list(FALSE, rep(low, p), rep(high, p), rep(1, p))
origin_fits <- function(p, low, high) unname(as.matrix(expand.grid(rep(list(low:high), p))))
origin_rows <- function(x, y, u = diag(ncol(as.matrix(x)))) {
  x <- as.matrix(x) + 0
  list(unname(x), as.double(y), projections(x, u, rep(1, ncol(x))), TRUE)
}
origin_scores <- function(rows, low, high, weights = c(1L, 1L), p = ncol(rows[[1]])) {
  fits <- origin_fits(p, low, high)
  .Call(ffi_regression_scores, rows, origin_prior(p, low, high), weights, fits - round(low / 2 + high / 2))
}

# The definition: rows split at u'x = 0, both signs; rows there weigh the larger of the two.
oracle_origin <- function(rows, fits, weights) {
  tie <- rowSums(abs(rows[[1]])) / 2
  # a column each fit
  r <- rows[[2]] - rows[[1]] %*% t(fits)
  above <- weights[[1]] * (r >= -tie)
  below <- weights[[2]] * (r <= tie)
  least <- Inf
  for (j in seq_len(ncol(rows[[3]]))) {
    u <- rows[[3]][, j]
    none <- (u == 0) %*% pmax(above, below)
    least <- pmin(least, drop(none + (u > 0) %*% above + (u < 0) %*% below),
                  drop(none + (u < 0) %*% above + (u > 0) %*% below))
  }
  least
}

test_that("scores through the origin are their definition, ties and regressors of 0 included", {
  skip_on_cran()
  set.seed(1)
  for (case in 1:25) {
    n <- sample(1:12, 1)
    p <- sample(1:2, 1)
    u <- if (p == 1) matrix(1) else rbind(diag(2), c(0.6, 0.8), c(1, -1))
    rows <- origin_rows(matrix(sample(c(-2:2, 0.5), n * p, TRUE), n), sample(-6:6, n, TRUE), u)
    for (weights in list(c(1L, 1L), c(9L, 1L), c(1L, 3L))) {
      expected <- as.integer(oracle_origin(rows, origin_fits(p, -2, 2), weights))
      expect_identical(origin_scores(rows, -2, 2, weights), expected)
    }
  }
  # one regressor: how many ratios y/x lie on each side
  x <- c(2, -1, 4, 1, -2)
  y <- c(3, 1, -4, 2, -5)
  counts <- vapply(-3:3, function(b) min(sum(y / x >= b - 0.5), sum(y / x <= b + 0.5)), 0L)
  expect_identical(origin_scores(origin_rows(x, y), -3, 3), counts)
})

test_that("a replaced row moves no score through the origin by more than the heavier weight", {
  skip_on_cran()
  row <- expand.grid(x = c(-2, -1, 0, 1), y = -1:2)
  row <- as.matrix(row)
  worst <- function(n, weights) {
    sets <- as.matrix(expand.grid(rep(list(seq_len(nrow(row))), n)))
    sets <- sets[apply(sets, 1, function(s) !is.unsorted(s)), , drop = FALSE]
    of <- apply(sets, 1, function(s) origin_scores(origin_rows(row[s, 1], row[s, 2]), -2, 2, weights))
    rest <- do.call(rbind, lapply(seq_len(n), function(i) cbind(seq_len(nrow(sets)), i)))
    key <- apply(rest, 1, function(v) paste(sets[v[[1]], -v[[2]]], collapse = " "))
    spread <- function(g) max(apply(of[, g, drop = FALSE], 1, function(v) diff(range(v))))
    max(vapply(split(rest[, 1], key), spread, 0L))
  }
  expect_identical(worst(2, c(1L, 1L)), 1L)
  expect_identical(worst(3, c(1L, 1L)), 1L)
  expect_identical(worst(2, c(3L, 1L)), 3L)
  # skewed rows, far ones among the neighbours
  set.seed(2)
  u <- rbind(diag(2), c(0.6, 0.8), c(1, -1))
  moved <- replicate(60, {
    x <- matrix(round(rexp(16) * 3) - 1, 8)
    y <- round(rexp(8) * 4) - 2
    weights <- list(c(1L, 1L), c(2L, 3L), c(9L, 1L))[[sample(3, 1)]]
    before <- origin_scores(origin_rows(x, y, u), -3, 3, weights)
    x[1, ] <- sample(c(-1e9, -1, 0, 1, 1e9), 2)
    y[[1]] <- sample(c(-1e9, 0, 1e9), 1)
    max(abs(origin_scores(origin_rows(x, y, u), -3, 3, weights) - before)) / max(weights)
  })
  expect_lte(max(moved), 1)
})

test_that("draws through the origin follow the law, and broken laws are rejected", {
  set.seed(3)
  x2 <- matrix(sample(-2:2, 24, TRUE), 12)
  cases <- list(
    list(rows = origin_rows(c(-3, -1, 0, 1, 2, 2, 5, 0), c(-4, 1, 2, 0, 3, 2, 6, -9)), low = -4, high = 4),
    list(rows = origin_rows(x2, x2 %*% c(1, -1) + sample(-1:1, 12, TRUE), rbind(diag(2), c(0.6, 0.8))),
         low = -2, high = 2)
  )
  for (case in cases) for (weights in list(c(1L, 1L), c(3L, 1L))) {
    p <- ncol(case$rows[[1]])
    side <- case$high - case$low + 1
    got <- .Call(ffi_regression_draw, "R", case$rows, origin_prior(p, case$low, case$high), 1.5, weights,
                 10000L)$draws
    counts <- tabulate(1 + drop((got - case$low) %*% side^(seq_len(p) - 1)), side^p)
    h <- oracle_origin(case$rows, origin_fits(p, case$low, case$high), weights)
    law <- function(rate) prop.table(exp(rate * (h - max(h)) / 2 / max(weights)))
    expect_law(counts, law(1.5))
    expect_not_law(counts, law(3), "the rate twice")
  }
})

test_that("fits through the origin are near the truth, named, predicted and printed as such", {
  set.seed(4)
  d <- data.frame(x = rnorm(400, 1), f = factor(rep(c("a", "b"), 200), c("a", "b")))
  d$y <- c(3, -3)[d$f] + 2 * d$x + rnorm(400) / 10
  line <- dp_regression(I(y - c) ~ x - 1, cbind(d, c = c(3, -3)[d$f]), 4, lower = -50, upper = 50, rng = "R")
  expect_equal(coef(line), c(x = 2), tolerance = 0.05)
  expect_equal(unname(predict(line, data.frame(x = c(-1, 3)))), coef(line)[[1]] * c(-1, 3))
  expect_identical(line$d, 1L)
  expect_identical(line$details$depth, "regression depth through the origin, exact")
  groups <- dp_regression_exponential(y ~ 0 + f + x, d, 8, lower = -50, upper = 50, directions = 30,
                                      rng = "R")
  expect_equal(coef(groups), c(fa = 3, fb = -3, x = 2), tolerance = 0.2)
  expect_equal(unname(predict(groups, d[1:2, ])), unname(drop(model.matrix(y ~ 0 + f + x, d)[1:2, ] %*%
                                                                coef(groups))))
  free <- dp_regression(y ~ x - 1, d, 4, rng = "R", tau = c(0.25, 0.75))
  expect_identical(dim(coef(free)), c(1L, 2L))
  expect_match(dp_regression(y ~ x - 1, replace(d, cbind(9, 3), NA), 1, lower = -5, upper = 5, rng = "R",
                             na = "middle")$details$na, "^0 for the regressors, and the middle of the limits")
})

test_that("columns without an intercept are those of model.matrix()", {
  d <- data.frame(y = c(1, 2, 3), x = c(4, 5, 7), l = c(TRUE, FALSE, TRUE), f = factor(c("a", "b", "c")),
                  g = factor(c("u", "v", "v")))
  for (f in list(y ~ x - 1, y ~ 0 + f, y ~ x + f + g - 1, y ~ x:f - 1, y ~ 0 + x * f, y ~ 0 + l + f)) {
    frame <- public_frame(f, d, origin = TRUE)
    lm_way <- model.matrix(f, d)
    expect_identical(frame$terms, colnames(lm_way))
    expect_equal(frame$x, unname(lm_way), ignore_attr = TRUE)
  }
})

test_that("what has no fit through the origin is refused in words, before anything is spent", {
  d <- data.frame(x = sin(1:50), y = cos(1:50), z = 1:50)
  ledger <- dp_ledger(1)
  refused <- function(pattern, ...) {
    expect_error(dp_regression(..., data = d, epsilon = 1, ledger = ledger), pattern,
                 class = "dpdepth_error_input")
  }
  refused("no intercept, and method = \"batches\" fits one", y ~ x - 1, method = "batches")
  refused("no intercept, and method = \"medsweep\" fits one", y ~ x - 1, method = "medsweep")
  refused("`at` must be NULL", y ~ x - 1, at = 2, lower = 0, upper = 1)
  refused("with 80 rows", y ~ x - 1)
  refused("4 regressors", y ~ x + z + I(x^2) + I(z^2) - 1)
  expect_error(rival_regression(y ~ x - 1, d, 1, 1e-6, "adassp"), class = "dpdepth_error_input")
  expect_identical(summary(ledger)$spent, c(0, 0))
})

# -- limits of coefficients ------------------------------------------------------------------------

test_that("bounds that are no numbers are refused in a class of the package", {
  for (bad in list(new.env(), sum, quote(f(x)), list(a = 1))) {
    expect_error(dp_regression(dist ~ speed, cars, 1, 1e-6, lower = bad, upper = 1,
                               method = "deepest"), "`lower`",
                 class = "dpdepth_error_input")
  }
})

test_that("named bounds are for the coefficients named, all of them, or nothing is spent", {
  ledger <- dp_ledger(10, 0.1)
  d <- data.frame(y = 1:9, lstat = 9:1)
  d[["a b"]] <- d[["Intercept"]] <- 1:9
  refused <- function(lower, upper, formula = y ~ lstat) {
    e <- expect_error(dp_regression(formula, d, 1, 1e-6, lower, upper, method = "medsweep", ledger = ledger),
                      class = "dpdepth_error_input")
    expect_true(e$arg %in% c("lower", "upper"))
  }
  refused(c(lstat = -5), 9)
  refused(c(foo = -5), 9)
  refused(-9, c("(Intercept)" = 9))
  refused(c(lstat = -5, foo = -5), 9)
  refused(c(lstat = -5, "(Intercept)" = -9), c(9, 50))
  refused(c("(Intercept)" = -9, lstat = -5), c(9, 50))
  refused(c(-9, -5), c(lstat = 5, "(Intercept)" = 50))
  refused(c(lstat = -5, "(Intercept)" = -9), c(lstat = 5, foo = 50))
  refused(c(lstat = -5, -9), 9)
  refused(c(lstat = -5, lstat = -9), 9)
  refused(structure(c(-5, -9), names = c("lstat", NA)), 9)
  refused(c(intercept = -5, "(Intercept)" = -9), 9)
  refused(c(Intercept = -5, lstat = 1), 9, y ~ lstat + Intercept)
  expect_identical(nrow(as.data.frame(ledger)), 0L)
  bounds <- function(formula, lower, upper) {
    dp_regression(formula, d, 1, 1e-6, lower, upper, method = "medsweep")$details[c("lower", "upper")]
  }
  expect_identical(bounds(y ~ lstat, c(lstat = 3, "(Intercept)" = 1), c(Intercept = 2, lstat = 4)),
                   list(lower = c("(Intercept)" = 1, lstat = 3), upper = c("(Intercept)" = 2, lstat = 4)))
  expect_identical(bounds(y ~ `a b`, c("a b" = 3, intercept = 1), 9)$lower, c("(Intercept)" = 1, "`a b`" = 3))
  expect_identical(bounds(y ~ Intercept, c(Intercept = 3, "(Intercept)" = 1), 9)$lower,
                   c("(Intercept)" = 1, Intercept = 3))
})

test_that("the middle, and coefficients of predictions, are what they say", {
  expect_identical(prior_middle(prior_normal(c(3, -2), 1)), c(3, -2))
  expect_identical(prior_middle(prior_uniform(c(1, 2), c(5, 10))), c(3, 6))
  expect_identical(middle_response(prior_normal(c(3, -2), 1), NULL), 3)
  points <- check_at(c(2, 4), c("(Intercept)", "x"))
  # 10 at 2 and 16 at 4: 4 + 3 x
  expect_equal(coefficients_of(c(10, 16), points), c(4, 3))
  expect_equal(middle_response(prior_normal(c(10, 16), 1), points), 4)
  named <- coordinate_prior(list(lower = 0, upper = c(x = 2, intercept = 1)), c("(Intercept)", "x"), NULL)
  expect_identical(named$upper, c("(Intercept)" = 1, x = 2))
  expect_identical(prior_middle(prior_dyadic(c(1, 2), origin = c(5, 7))), c(5, 7))
})

test_that("points may be given by the formula's variables, like new data", {
  set.seed(3)
  people <- data.frame(age = 20:79, sex = factor(rep(c("f", "m"), 30), levels = c("f", "m")),
                       flag = 1:60 > 30)
  people$y <- people$age / 10 + rnorm(60) # public-rng: simulated data
  regressors <- function(formula, at, ...) {
    r <- suppressWarnings(dp_regression(formula, people, 9, lower = -50, upper = 50, at = at, rng = "R", ...))
    unname(r$details$at)
  }
  expect_identical(regressors(y ~ I(age - 40), data.frame(age = c(40, 60))), cbind(c(0, 20)))
  expect_identical(regressors(y ~ I(age - 40), c(0, 20)), cbind(c(0, 20)))
  # those that are not in the formula are not looked at, and the order of columns does not matter
  at <- data.frame(sex = c("f", "m", "m"), other = letters[1:3], age = c(30, 30, 60))
  expect_identical(regressors(y ~ log2(age / 30) + sex, at), cbind(c(0, 0, 1), c(0, 1, 1)))
  expect_identical(regressors(y ~ flag, data.frame(flag = c(FALSE, TRUE))), cbind(c(0, 1)))
  expect_identical(regressors(y ~ age + I(age^2), data.frame(age = c(0, 1, 3))),
                   cbind(c(0, 1, 3), c(0, 1, 9)))
  expect_identical(regressors(y ~ age + I(age^2), stats::setNames(data.frame(c(9, 1, 0), c(3, 1, 0)),
                                                                  c("I(age^2)", "age"))),
                   cbind(c(3, 1, 0), c(9, 1, 0)))
  expect_identical(regressors(y ~ I(age - 40), data.frame(age = c(40, 60)), neighbours = "add_remove"),
                   cbind(c(0, 20)))
  expect_identical(regressors(y ~ I(age - 40), data.frame(age = c(40, 60)), interval = 0.5), cbind(c(0, 20)))
  ledger <- dp_ledger(1)
  refused <- function(at, told) {
    expect_error(dp_regression(y ~ I(age - 40) + sex, people, 1, lower = 0, upper = 1, at = at,
                               ledger = ledger), told, class = "dpdepth_error_input")
  }
  refused(data.frame(age = c(1, 2, 3), sex = c("f", "m", "x")), "with others in `sex`")
  refused(data.frame(age = c(1, 2, NA), sex = c("f", "m", "m")), "`at` must be finite numbers")
  refused(data.frame(age = c(1, 2, 3)), "a data frame of the formula's variables")
  refused(data.frame(age = 1:2, sex = c("f", "m")), "3 points")
  # what is no value is not evaluated, where the rows could be read
  refused(quote(frame$x[1:3, ]), "not a language")
  expect_error(dp_regression(y ~ age, people, 1, lower = 0, upper = 1, at = quote(frame$x[1:2]),
                             neighbours = "add_remove", ledger = ledger), class = "dpdepth_error_input")
  expect_identical(nrow(as.data.frame(ledger)), 0L)
})
