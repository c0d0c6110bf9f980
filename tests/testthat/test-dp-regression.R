# dp_regression(): exact privacy of the deepest regression on small data, releases, predictions, refusals.
# Error rates: ALPHA = 1e-6 an expectation (helper-stat.R).

# -- privacy ---------------------------------------------------------------------------------

top <- 2^24
square <- list(step = c(1, 1), origin = c(0, 0), lower = c(0, 0), upper = c(top, top))

# An upper bound of the exact divergence of the laws of two data sets (columns x, y), the larger of both
# orders.
law_divergence <- function(p, q, epsilon) {
  shift <- sum(abs(p$centre - q$centre)) / min(p$scale, q$scale) * 2^scale_bits
  lambda <- abs(log(p$scale / q$scale))
  up <- if (lambda > 0) stick_up(epsilon, shift, lambda, 2) else 0
  max(up, stick_down(epsilon, shift, lambda, 2))
}
pair_divergence <- function(pair, constants, epsilon, grid = square, ...) {
  laws <- lapply(pair, function(z) deepest_law(z[, 1], z[, 2], grid, constants, ...))
  law_divergence(laws[[1]], laws[[2]], epsilon)
}

# Neighbours that are bad for a line: mixtures of lines, crowds, far rows, rows of equal x, random.
bad_neighbours <- function(count, sizes = c(3:12, 25, 40), top = 2^24) {
  lapply(seq_len(count), function(i) {
    n <- sample(sizes, 1)
    x <- switch(i %% 4 + 1, sample(-3:3, n, TRUE), rnorm(n), seq_len(n) / 4, round(2^sample(-9:9, n, TRUE)))
    line <- function() round(top * runif(1)) + x * round(top * (2 * runif(1) - 1) / 2)
    y <- switch(i %% 3 + 1, line(), ifelse(runif(n) < 0.5, line(), line()),
                line() + round(top / 50 * rnorm(n)))
    z <- cbind(x, y)
    w <- z
    w[sample(n, 1), ] <- switch(i %% 5 + 1, c(0, top), c(sample(x, 1), 0), c(1e9, -1e12),
                                c(rnorm(1), top * runif(1)), c(sample(x, 1), sample(y, 1)))
    list(z, w)
  })
}

test_that("exact laws of neighbours are within (epsilon, delta)", {
  skip_on_cran()
  set.seed(1)
  for (epsilon in c(1, 4, 12)) {
    constants <- smooth_constants(epsilon, 1e-6, 2)
    for (bits in c(24, constants$bits)) {
      grid <- replace(square, "upper", list(rep(2^bits, 2)))
      pairs <- bad_neighbours(audit_size(25, 50), top = 2^bits)
      worst <- vapply(pairs, pair_divergence, 0, constants = constants, epsilon = epsilon, grid = grid)
      expect_lte(max(worst), 1e-6)
    }
  }
})

# n rows on a line but for `off` of them: the fit can be anywhere once half of the others are replaced.
wall <- function(n, off) {
  x <- seq_len(n)
  y <- 5 * x + 1000
  y[seq_len(off)] <- y[seq_len(off)] + 7 * seq_len(off)^2
  cbind(x, y)
}

test_that("broken variants are caught", {
  pair <- list(wall(40, 0), wall(40, 1))
  good <- smooth_constants(1, 1e-6, 2)
  ratio <- function(constants) {
    laws <- lapply(pair, function(z) deepest_law(z[, 1], z[, 2], square, constants))
    log(laws[[2]]$scale / laws[[1]]$scale)
  }
  # these neighbours need all of beta
  expect_equal(ratio(good), good$smoothness, tolerance = 1e-4)
  with_beta <- function(factor) {
    pair_divergence(pair, replace(good, "smoothness", factor * good$smoothness), 1)
  }
  expect_lte(with_beta(1), 1e-6)
  expect_gt(with_beta(2), 1e-6)
  # 10% over what the dilation alone can bear
  most <- dilation_beta(2, 1e-6, 2)
  expect_gt(with_beta(1.1 * most / good$smoothness), 1e-6)
  # a scale that takes the regions for bounded at every level is too small by orders: the line of three rows
  # can be turned to any slope by one more row, while vertices stay near
  z <- cbind(c(0, 0, 1, 1), c(0, top / 64, 0, top / 64))
  o <- oracle_spreads(z[, 1], z[, 2])
  level <- deepest_levels(o$top, 4)
  a <- vapply(level, oracle_diameter, 0, o = o, lower = c(0, 0), upper = c(top, top), unbounded = 0)
  narrow <- max(exp(-good$smoothness * 0:4) * a)
  full <- deepest_law(z[, 1], z[, 2], square, good)
  expect_lt(smooth_scale(narrow, good), full$scale)
})

test_that("the random variant's bounds are the region some levels below, within the public ones", {
  set.seed(2)
  x <- rnorm(60)
  y <- 3 + x + rnorm(60)
  constants <- smooth_constants(4, 1e-6, 2)
  bounds <- list(lower = c(-1e6, -1e6), upper = c(1e6, 1e6))
  grid <- smooth_grid(bounds, fine_bits(bounds, constants))
  expect_lt(max(grid$step), 1e-5)
  narrow <- deepest_law(x, y, grid, constants, reach = 12)
  wide <- deepest_law(x, y, grid, constants)
  expect_identical(narrow$centre, wide$centre)
  expect_lt(narrow$scale, wide$scale)
  expect_identical(deepest_law(x, y, grid, constants, reach = 40), wide) # unbounded there
})

# -- the release -----------------------------------------------------------------------------

test_that("estimates are near the fit, within the bounds and on the grid", {
  set.seed(3)
  x <- rnorm(400)
  d <- data.frame(x = x, y = 2 - 3 * x + rnorm(400) / 4)
  fit <- coef(regress_deepest(y ~ x, d))
  r <- dp_regression(y ~ x, d, 10, 1e-5, lower = -10, upper = c(x = 20, "(Intercept)" = 10),
                     method = "deepest")
  expect_s3_class(r, c("dp_regression", "dp_release"), exact = TRUE)
  expect_named(coef(r), c("(Intercept)", "x"))
  expect_identical(r$guarantee, "approximate")
  expect_identical(unname(r$details$upper), c(10, 20))
  # the noise here has scale 0.03: beyond 2 with probability below exp(-60)
  expect_lt(max(abs(coef(r) - fit)), 2)
  twice <- 2 * coef(r) / r$details$step
  expect_identical(unname(twice), unname(round(twice)))
  few <- t(replicate(20, coef(dp_regression(y ~ x, d[1:4, ], 0.5, 1e-6, lower = 0, upper = c(1, 2),
                                            method = "deepest"))))
  expect_true(all(few >= 0 & few[, 1] <= 1 & few[, 2] <= 2))
})

test_that("the noise of a release follows its law", {
  # three rows: the noise is as wide as the bounds
  constants <- smooth_constants(8, 1e-3, 2)
  bounds <- list(lower = c(0, -1), upper = c(4, 1))
  grid <- smooth_grid(bounds, fine_bits(bounds, constants))
  law <- deepest_law(1:3, c(1, 2, 4), grid, constants)
  expect_equal(law$scale, sum(grid$upper) * 2^scale_bits / constants$alpha, tolerance = 1e-5)
  d <- data.frame(x = 1:3, y = c(1, 2, 4))
  release <- function() {
    dp_regression(y ~ x, d, 8, 1e-3, lower = bounds$lower, upper = bounds$upper, method = "deepest")
  }
  draws <- t(replicate(50, coef(release())))
  scale <- law$scale / 2^scale_bits
  for (j in 1:2) {
    laplace <- function(q) {
      off <- (q - bounds$lower[[j]]) / grid$step[[j]] - law$centre[[j]]
      ifelse(off < 0, 0.5 * exp(-abs(off) / scale), 1 - 0.5 * exp(-abs(off) / scale))
    }
    expect_cdf(draws[, j], function(q) ifelse(q >= bounds$upper[[j]], 1, laplace(q)),
               function(q) ifelse(q <= bounds$lower[[j]], 0, laplace(q)))
  }
})

test_that("rows far off, ties, units", {
  d <- data.frame(x = c(1:30, 1e300), y = c(2 * (1:30), -1e305))
  r <- dp_regression(y ~ x, d, 12, 1e-4, lower = c(-1, 0), upper = c(1, 4), method = "deepest")
  expect_true(all(is.finite(coef(r))))
  tied <- data.frame(x = rep(0:1, each = 50), y = rep(1:10, 10))
  expect_true(all(is.finite(coef(dp_regression(y ~ x, tied, 4, 1e-6, lower = -20, upper = 20,
                                               method = "deepest")))))
  tiny <- dp_regression(y ~ x, d[1:30, ] * 1e-50, 12, 1e-4, lower = c(-1e-50, 0), upper = c(1e-50, 4),
                        method = "deepest")
  expect_true(all(is.finite(coef(tiny))))
})

test_that("factors and transformations: public levels, the same columns in prediction", {
  d <- transform(mtcars, am = factor(am, 0:1, c("auto", "manual")))
  r <- dp_regression(log(mpg) ~ am, d, 12, 1e-3, lower = c(0, -3), upper = c(6, 3), method = "deepest")
  expect_named(coef(r), c("(Intercept)", "ammanual"))
  b <- unname(coef(r))
  expect_equal(unname(predict(r, data.frame(am = c("manual", "auto", NA)))), c(sum(b), b[[1]], NA))
  expect_equal(predict(r, d[2:3, ]), fitted(r, d)$value[2:3])
  expect_equal(unname(residuals(r, d)$value), unname(log(d$mpg) - predict(r, d)))
  expect_s3_class(residuals(r, d), "nonprivate")
  old <- options(contrasts = c("contr.sum", "contr.poly"))
  on.exit(options(old))
  expect_equal(unname(predict(r, data.frame(am = "auto"))), b[[1]])
  expect_error(predict(r, data.frame(am = "tiptronic")), "levels", class = "dpdepth_error_input")
  expect_error(predict(r, data.frame(x = 1)), "`am`", class = "dpdepth_error_input")
  expect_error(predict(r), "newdata", class = "dpdepth_error_input")
  expect_error(residuals(r), "data", class = "dpdepth_error_input")
  expect_error(fitted(r), "data", class = "dpdepth_error_input")
  # the level that does not occur is a column all the same
  absent <- factor(rep("a", 32), c("a", "b"))
  cars <- transform(mtcars, z = absent)
  # a regressor that is constant in these data has a law like any other: no error shows it
  expect_true(dp_regression(mpg ~ z, cars, 1, 1e-6, lower = 0, upper = 50, method = "deepest")$released)
  dots <- dp_regression(mpg ~ ., mtcars[c("mpg", "wt")], 1, 1e-6, lower = -9, upper = 90, method = "deepest")
  expect_equal(formula(dots), mpg ~ wt, ignore_attr = TRUE)
  squares <- dp_regression(mpg ~ I(wt^2), mtcars, 1, 1e-6, lower = -9, upper = 90, method = "deepest")
  expect_equal(predict(squares, data.frame(wt = 3))[[1]], sum(coef(squares) * c(1, 9)))
  logical <- dp_regression(mpg ~ z, transform(mtcars, z = wt > 3), 1, 1e-6, lower = -9, upper = 90,
                           method = "deepest")
  expect_named(coef(logical), c("(Intercept)", "zTRUE"))
  expect_equal(predict(logical, data.frame(z = FALSE))[[1]], coef(logical)[[1]])
})

test_that("Medsweep: several regressors, levels that do not occur, its arguments", {
  skip_on_cran()
  set.seed(6)
  n <- 3000
  d <- data.frame(x = rnorm(n), g = factor(sample(c("a", "b"), n, TRUE), c("a", "b", "c")))
  d$y <- 1 + 2 * d$x + 3 * (d$g == "b") + rnorm(n) / 4
  r <- dp_regression(y ~ x + g, d, 12, 1e-5, method = "medsweep", lower = -20, upper = 20)
  expect_s3_class(r, "dp_regression")
  expect_named(coef(r), c("(Intercept)", "x", "gb", "gc"))
  expect_lte(max(abs(coef(r))), 20)
  b <- coef(r)
  expect_equal(unname(predict(r, data.frame(x = 0.5, g = "c"))), b[[1]] + b[[2]] / 2 + b[[4]])
  expect_length(residuals(r, d)$value, n)
  expect_match(paste(format(r), collapse = " "), "Medsweep")
  ledger <- dp_ledger(1, 0.1)
  refused <- function(...) {
    expect_error(
      dp_regression(y ~ x + g, d, 1, 1e-5,
                    method = "medsweep", lower = -20, upper = 20, ..., ledger = ledger),
      class = "dpdepth_error_input"
    )
    expect_identical(nrow(as.data.frame(ledger)), 0L)
  }
  refused(gamma = 0.1)
  refused(max_iter = 0)
  refused(sweep_bounds = -1)
  refused(weights = d$x)
  twice <- dp_regression(y ~ x, d, 12, 1e-5, method = "medsweep", lower = -20, upper = 20, max_iter = 2L)
  expect_equal(twice$details$releases, 3)
  # the law of one regressor has scales below 0.1 here
  expect_lt(abs(coef(twice)[["x"]] - 2), 2)
})

test_that("methods of releases", {
  r <- dp_regression(dist ~ speed, cars, 2, 1e-6, lower = -50, upper = 50, method = "deepest")
  expect_identical(tidy(r)$term, names(coef(r)))
  expect_identical(glance(r)$n, 50L)
  expect_identical(nrow(as.data.frame(r)), 2L)
  expect_error(confint(r), "private", class = "dpdepth_error_input")
  file <- withr_png()
  on.exit(unlink(file))
  expect_identical(plot(r), r)
  grDevices::dev.off()
})

test_that("prints", {
  set.seed(4)
  r <- dp_regression(dist ~ speed, cars, 2, 1e-6, lower = c(-100, 0), upper = c(100, 10), rng = "R",
                     method = "deepest")
  r$estimate[] <- c(-12, 3)
  r$details[c("alpha", "beta")] <- list(1, 0.1) # the constants have tests of their own
  expect_snapshot(r)
  expect_snapshot(summary(r))
  expect_snapshot(error = TRUE, dp_regression(dist ~ poly(speed, 2), cars, 2, 1e-6, lower = 0, upper = 1,
                                              method = "deepest"))
  expect_snapshot(error = TRUE, dp_regression(dist ~ speed, cars, 2, 1e-6, lower = 0, upper = 1, gamma = 0.1,
                                              method = "deepest"))
})

test_that("random DP: label, default bounds, and the n that would do", {
  set.seed(5)
  least <- random_dp_least_n(2, 0.1, "regression")
  d <- data.frame(x = rnorm(least))
  d$y <- 1 + 2 * d$x + rnorm(least)
  r <- dp_regression(y ~ x, d, 8, 1e-6, gamma = 0.1, method = "deepest")
  expect_identical(r$guarantee, "unproved")
  expect_identical(r$gamma, 0.1)
  expect_match(paste(format(r), collapse = " "), "as published")
  expect_lt(max(abs(coef(r) - c(1, 2))), 1.5)
  expect_error(dp_regression(y ~ x, d[-1, ], 8, 1e-6, gamma = 0.1,
                             method = "deepest"), format(least, big.mark = ","),
               class = "dpdepth_error_input")
})

# -- refusals and leaks ----------------------------------------------------------------------------

test_that("bad arguments spend nothing", {
  ledger <- dp_ledger(1, 0.1)
  d <- data.frame(x = 1:9, y = c(1, 3, 2, 5, 4, 7, 6, 9, 8), one = 1, text = letters[1:9], gap = c(NA, 2:9),
                  f = factor(rep(1:3, 3)), g = factor("a"), inf = c(1:8, Inf))
  d$when <- Sys.Date() + 1:9
  d$pair <- cbind(1:9, 9:1)
  bad <- function(formula, text, data = d, epsilon = 0.5, delta = 1e-6, lower = -9, upper = 9,
                  method = "deepest", ...) {
    expect_error(
      dp_regression(formula, data, epsilon, delta, lower = lower, upper = upper, method = method, ...,
                    ledger = ledger),
      text, class = "dpdepth_error_input"
    )
    expect_identical(nrow(as.data.frame(ledger)), 0L)
  }
  bad(y ~ poly(x, 2), "poly")
  bad(y ~ scale(x), "scale")
  bad(y ~ splines::ns(x), "name alone")
  bad(y ~ (function(v) v)(x), "without a name")
  bad(y ~ cut(x, 3), "cut")
  bad(y ~ I(x - mean(x)), "mean")
  bad(rank(y) ~ x, "rank")
  bad(y ~ offset(one) + x, "offset")
  bad(y ~ x, "weights", weights = 1:9)
  bad(y ~ x + I(x^2), "one numeric regressor")
  bad(y ~ f, "one numeric regressor")
  bad(y ~ text, "text")
  bad(y ~ gap, "missing values")
  bad(gap ~ x, "missing values")
  bad(y ~ g, "two levels")
  bad(y ~ when, "when")
  bad(y ~ pair, "pair")
  bad(y ~ log(f), "given a factor and takes numbers")
  bad(y ~ inf, "infinite values in `inf`")
  bad(y ~ gap, "`na`")
  bad(y ~ gap, "`na` must be", na = "omit")
  bad(y ~ gap, "`na` must be one finite number", na = list(gap = "a"))
  bad(text ~ x, "text")
  bad(f ~ x, "numeric response")
  bad(y ~ x - 1, "intercept")
  bad(y ~ 1, "regressors")
  bad(~x, "response")
  bad("y ~ x", "formula")
  bad(y ~ elsewhere, "`elsewhere`")
  bad(y ~ x, "data frame", data = as.matrix(d[1:2]))
  bad(y ~ x, "2 rows", data = d[1, ])
  bad(y ~ x, "epsilon", epsilon = 0)
  bad(y ~ x, "epsilon", epsilon = 1e-5)
  bad(y ~ x, "delta", delta = 0)
  bad(y ~ x, "gamma", gamma = 1)
  bad(y ~ x, "lower", lower = NULL)
  bad(y ~ x, "upper", upper = c(1, 2, 3))
  bad(y ~ x, "lower", lower = c(0, 9))
  bad(y ~ x, "upper", lower = 1e12, upper = 1e12 + 1)
  bad(y ~ x, "1e-60", lower = 0, upper = 1e-100)
  bad(y ~ x, "method", method = "ols")
  bad(y ~ x, "must be named", upper = c(a = 1, b = 2))
  expect_error(dp_regression(y ~ x, d, 1, method = "deepest"), "`delta`", class = "dpdepth_error_input")
  dp_regression(y ~ x, d, 1, 1e-6, lower = c(Intercept = -9, x = 0), upper = 9, ledger = ledger,
                method = "deepest")
  expect_equal(summary(ledger)$left[[1]], 0)
  expect_error(dp_regression(y ~ x, d, 1, 1e-6, lower = 0, upper = 1, ledger = ledger, method = "deepest"),
               class = "dpdepth_error_budget")
})

test_that("functions of the formula are base R's, whatever is defined where it was written", {
  log <- function(v) stop("not this one")
  r <- dp_regression(log(dist) ~ speed, cars, 1, 1e-6, lower = -9, upper = 9, method = "deepest")
  expect_true(is.finite(predict(r, data.frame(speed = 3))))
})

test_that("nothing of the data is in a release, and its size does not depend on n", {
  skip_on_cran()
  n <- 40
  x <- 1000 + (seq_len(n) * 0.618033988749895) %% 1 * 8999
  y <- rev(x) / 3 + 100
  d <- data.frame(x = x, y = y)
  holder <- local({
    secret <- x
    y ~ x
  })
  f <- structure(y ~ x, hidden = x)
  releases <- list(
    dp_regression(y ~ x, d, 1, 1e-6, lower = -9, upper = 9, method = "deepest"),
    dp_regression(holder, d, 1, 1e-6, lower = -9, upper = 9, method = "deepest"),
    dp_regression(f, d, 1, 1e-6, lower = -9, upper = 9, method = "deepest"),
    do.call(dp_regression, list(holder, d, 1, 1e-6, lower = -9, upper = 9)),
    do.call("dp_regression", list(y ~ x, data = d, epsilon = 1, delta = 1e-6, lower = -9, upper = 9)),
    dp_regression(y ~ x, data.frame(x = x, y = y), 1, 1e-6, lower = -9, upper = 9, method = "deepest")
  )
  for (r in releases) {
    raw <- serialize(r, NULL, xdr = FALSE)
    text <- capture.output(print(r), str(r), dput(r), print(summary(r)), print(formula(r)))
    text <- paste(text, collapse = "\n")
    hex <- paste(as.character(raw), collapse = "")
    for (v in c(x, y)) {
      bytes <- paste(as.character(writeBin(v, raw(), endian = "little")), collapse = "")
      expect_false(grepl(bytes, hex, fixed = TRUE))
      expect_false(grepl(format(v, digits = 15), text, fixed = TRUE))
    }
  }
  expect_error(eval(bquote(dp_regression(y ~ I(x * .(x)), d, 1, 1e-6, lower = -9, upper = 9,
                                         method = "deepest"))),
               "without data written into it", class = "dpdepth_error_input")
  more <- d[rep(1:n, 9), ]
  size <- function(data) {
length(serialize(dp_regression(y ~ x, data, 1, 1e-6, lower = -9, upper = 9,
                                                        method = "deepest"), NULL))
}
  expect_identical(size(more), size(d))
})

test_that("R's stream steers a simulation only", {
  run <- function(rng) {
coef(dp_regression(dist ~ speed, cars, 12, 1e-6, lower = -1e4, upper = 1e4, rng = rng,
                                          method = "deepest"))
}
  set.seed(1)
  one <- run("R")
  two <- run("R")
  set.seed(1)
  expect_identical(cbind(run("R"), run("R")), cbind(one, two, deparse.level = 0))
  set.seed(1)
  expect_false(identical(run("system"), one))
})

test_that("bounds that are no numbers are refused in a class of the package", {
  for (bad in list(new.env(), sum, quote(f(x)), list(a = 1))) {
    expect_error(dp_regression(dist ~ speed, cars, 1, 1e-6, lower = bad, upper = 1,
                               method = "deepest"), "`lower`",
                 class = "dpdepth_error_input")
  }
})
