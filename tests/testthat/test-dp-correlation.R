# dp_correlation(): what is released, named, drawn and refused; ties, infinite values, tallies; coverage.

test_that("two variables: tau with its noise, and what the release says", {
  set.seed(4)
  exact <- stats::cor(faithful, method = "kendall")[1, 2] # tau-b: with ties a little larger
  own <- concordances(as.matrix(faithful), 0) / count_pairs(272)
  expect_lt(abs(own - exact), 0.03)
  ledger <- dp_ledger(3)
  r <- dp_correlation(faithful, 2, ledger = ledger)
  expect_s3_class(r, c("dp_correlation", "dp_release"), exact = TRUE)
  expect_identical(r$guarantee, "pure")
  expect_named(r$estimate, "eruptions:waiting")
  expect_lt(abs(r$estimate - own), 40 * r$details$noise_sd)
  expect_equal(r$details$noise_sd, sqrt(2) * 2 / 2 / 136, tolerance = 1e-2)
  expect_identical(dimnames(coef(r)), list(names(faithful), names(faithful)))
  expect_identical(coef(r)[1, 2], r$estimate[[1]])
  expect_identical(tidy(r)[1:2], data.frame(var1 = "eruptions", var2 = "waiting"))
  expect_identical(as.data.frame(ledger)$epsilon, 2)
  expect_identical(glance(r)$d, 2L)
  expect_error(confint(r), class = "dpdepth_error_input")
  exact_draw <- function(...) dp_correlation(faithful, 1e6, ..., rng = "R")$estimate[[1]]
  expect_equal(exact_draw(), own, tolerance = 1e-6)
  expect_equal(exact_draw(method = "sine"), sin(pi * own / 2), tolerance = 1e-6)
  expect_equal(dp_correlation(cbind(exp(faithful[[1]]), -faithful[[2]]), 1e6, rng = "R")$estimate[[1]], -own,
               tolerance = 1e-6)
})

test_that("many variables: all pairs, a matrix, and the sine's is positive definite", {
  skip_if_not_installed("Matrix")
  set.seed(5)
  x <- iris[1:4]
  r <- dp_correlation(x, 1e6, 1e-6, rng = "R")
  pairs <- utils::combn(4, 2)
  own <- apply(pairs, 2, function(p) concordances(as.matrix(x[p]), 0)) / count_pairs(150)
  expect_equal(unname(r$estimate), own, tolerance = 1e-5)
  expect_identical(names(r$estimate), paste(names(x)[pairs[1, ]], names(x)[pairs[2, ]], sep = ":"))
  expect_identical(coef(r)["Petal.Width", "Sepal.Width"], r$estimate[["Sepal.Width:Petal.Width"]])
  noisy <- suppressWarnings(dp_correlation(x[1:20, ], 0.5, method = "sine", rng = "R"))
  expect_gt(min(eigen(coef(noisy))$values), 0)
  prior <- prior_normal(0, covariance = coef(noisy))
  expect_s3_class(prior, "dp_prior_normal")
  many <- matrix(stats::rnorm(3000), 100) # public-rng: simulated data
  wide <- suppressWarnings(dp_correlation(many, 1, 1e-6, rng = "R"))
  expect_identical(wide$guarantee, "approximate")
  expect_identical(wide$delta, 1e-6)
  expect_true(all(abs(wide$estimate) <= 1))
  ledger <- dp_ledger(2, 1e-5)
  suppressWarnings(dp_correlation(matrix(0, 100, 30), 1, 1e-6, ledger = ledger))
  expect_equal(as.data.frame(ledger)$rho, wide$details$rho)
  # noise of few steps pays for them
  expect_lt(wide$details$rho, normal_rho(1, 1e-6))
  expect_gt(wide$details$rho, 0.99 * normal_rho(1, 1e-6))
})

test_that("ties count nothing, infinite values are in order, constants give 0", {
  of <- function(a, b) dp_correlation(cbind(a, b), 1e6, rng = "R")$estimate[[1]]
  expect_equal(of(c(-Inf, 0, 1e-300, 1e300, Inf), 1:5), 1, tolerance = 1e-4)
  expect_equal(of(c(TRUE, TRUE, FALSE, FALSE), c(1, 1, 2, 2)), -4 / 6, tolerance = 1e-4)
  expect_equal(of(rep(1, 9), 1:9), 0, tolerance = 1e-4)
  expect_equal(dp_correlation(cbind(c(1, NA, 3), 1:3), 1e6, na = 9, rng = "R")$estimate[[1]], 1 / 3,
               tolerance = 1e-4)
})

test_that("a tally has the release of its rows", {
  set.seed(6)
  x <- data.frame(a = sample(0:4, 200, TRUE), b = sample(0:2, 200, TRUE), c = sample(0:9, 200, TRUE))
  t <- dp_tally(x, c("a", "b", "c"), lower = 0, upper = 9, resolution = 1)
  of <- function(x, ...) {
    set.seed(7)
    dp_correlation(x, 1, ..., rng = "R")
  }
  expect_identical(of(t)$estimate, of(x)$estimate)
  expect_identical(of(t[c("a", "b")], interval = 0.9)$interval, of(x[1:2], interval = 0.9)$interval)
})

test_that("intervals: what they hold, which kind they are, and that they cover", {
  skip_on_cran()
  set.seed(8)
  r <- dp_correlation(faithful, 2, interval = 0.9, rng = "R")
  expect_identical(r$details$limits, "asymptotic, by a private variance")
  expect_equal(sum(r$details$shares), 1, tolerance = 1e-10)
  expect_match(toString(format(r)), "nearly normal")
  few <- dp_correlation(faithful[1:150, ], 2, interval = 0.9, rng = "R")
  expect_identical(few$details$limits, "of finite samples")
  many <- dp_correlation(iris[1:4], 2, interval = 0.9, rng = "R")
  expect_identical(dim(confint(many)), c(6L, 2L))
  expect_match(toString(format(many)), "each interval by itself")
  frame <- tidy(many, conf.int = TRUE)
  expect_named(frame, c("var1", "var2", "estimate", "conf.low", "conf.high"))
  sine <- dp_correlation(faithful, 2, method = "sine", interval = 0.9, rng = "R")
  expect_true(sine$interval[[1]] < sine$estimate && sine$estimate < sine$interval[[2]])
  # at 90%: fails with a chance of ALPHA at most if each covers with probability .9
  covers <- function(n, tau, epsilon, draw, runs = audit_size(80, 400)) {
    hits <- replicate(runs, {
      ends <- dp_correlation(draw(n), epsilon, interval = 0.9, rng = "R")$interval
      ends[[1]] <= tau && tau <= ends[[2]]
    })
    sum(hits) >= stats::qbinom(ALPHA, runs, 0.9)
  }
  normal <- function(n) { # public-rng: simulated data
    a <- stats::rnorm(n)
    cbind(a, 0.6 * a + 0.8 * stats::rnorm(n))
  }
  expect_true(covers(60, 2 / pi * asin(0.6), 2, normal))
  expect_true(covers(400, 2 / pi * asin(0.6), 1, normal))
  expect_true(covers(400, 1, 1, function(n) cbind(1:n, (1:n)^3)))
})

test_that("what cannot be is refused by public numbers, and nothing is spent", {
  ledger <- dp_ledger(1)
  refused <- function(..., arg) {
    raises(dp_correlation(..., ledger = ledger), arg)
    expect_identical(nrow(as.data.frame(ledger)), 0L)
  }
  refused(1:9, 1, arg = "x")
  refused(faithful[1, ], 1, arg = "x")
  refused(matrix(0, 5, 101), 1, arg = "x")
  refused(data.frame(a = c(1, NA), b = 1:2), 1, arg = "x")
  refused(data.frame(a = c("u", "v"), b = 1:2), 1, arg = "x")
  refused(faithful, 0, arg = "epsilon")
  refused(faithful, 1, delta = 1, arg = "delta")
  refused(faithful, 1, method = "pearson", arg = "method")
  refused(faithful, 1, interval = 2, arg = "interval")
  refused(faithful, 1, neighbours = "add_remove", arg = "neighbours")
  refused(faithful, 1, na = "omit", arg = "na")
  refused(faithful, 1, na = "middle", arg = "na")
  refused(faithful, 1, lower = 0, arg = "lower")
  gaps <- dp_tally(data.frame(a = 1:3, b = 1:3), c("a", "b"), lower = 0, upper = 4, resolution = 1,
                   margins = TRUE)
  refused(gaps, 1, arg = "x")
  expect_warning(dp_correlation(faithful[1:9, ], 0.5), class = "dpdepth_warning_accuracy")
  kept <- dp_correlation(cbind(faithful, person = rep(1:136, 2)), 2, id = ~person)
  expect_identical(nobs(kept), 136L)
})

test_that("the matrix is printed in few lines, and drawn by both renderers", {
  set.seed(9)
  many <- as.data.frame(matrix(stats::rnorm(900), 90)) # public-rng: simulated data
  r <- suppressWarnings(dp_correlation(many, 9, rng = "R"))
  lines <- format(r)
  expect_lte(sum(nzchar(lines)), 14)
  expect_match(lines, "6 of 10 variables", all = FALSE)
  between <- suppressWarnings(dp_correlation(iris[1:4], 9, interval = 0.5, rng = "R"))
  expect_lte(sum(nzchar(format(between)[3:9])), 7)
  expect_pictures(r)
  expect_pictures(between)
  shown <- picture(r)$layers
  drawn <- function(type) do.call(rbind, lapply(Filter(\(l) l$type == type, shown), `[[`, "data"))
  expect_identical(nrow(drawn("bars")), 100L)
  text <- drawn("text")
  expect_identical(text$label[text$x == 3 & text$y == 10], sprintf("%.2f", coef(r)[1, 3]))
})

test_that("a release says what stands for missing values, and keeps infinite ones in order", {
  r <- suppressWarnings(dp_correlation(cbind(c(1, NA, 3), c(Inf, 2, 3)), 1e6, na = 9, rng = "R"))
  expect_identical(r$details$na, "9 stands for missing values")
  expect_equal(r$estimate[[1]], -1, tolerance = 1e-4)
})
