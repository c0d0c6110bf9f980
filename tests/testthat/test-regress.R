# Medsweep, and what it shares with the deepest regression: warnings, refusals.

test_that("Medsweep with one regressor is the median of the slopes through the medians, swept again", {
  x <- c(1, 2, 3, 4, 100)
  y <- c(1, 4, 5, 8, 9)
  expect_identical(median_slope(y, x), 1) # of 2, 1, 0/0 = 0, 3, 4/97
})

test_that("Medsweep finds what no noise hides, in any order and units of the regressors", {
  set.seed(9)
  x <- matrix(rnorm(300), ncol = 3) %*% matrix(c(1, 0.5, 0.2, 0, 1, 0.3, 0, 0, 1), 3)
  y <- drop(3 + x %*% c(1, -2, 0.5))
  y[1:20] <- 1e6 # outliers
  fit <- regress_medsweep(y ~ x)
  expect_true(fit$converged)
  expect_equal(unname(coef(fit)), c(3, 1, -2, 0.5), tolerance = 1e-6)
  swapped <- regress_medsweep(y ~ x[, 3] + x[, 1] + x[, 2])
  expect_equal(unname(coef(swapped)), c(3, 0.5, 1, -2), tolerance = 1e-6)
})

test_that("back substitution gives the swept fit", {
  set.seed(10)
  x <- matrix(rnorm(200), ncol = 4)
  swept <- sweep_regressors(x)
  slopes <- rnorm(4)
  expect_equal(drop(x %*% back_substitute(slopes, swept$theta)), drop(swept$z %*% slopes))
  expect_equal(swept$z %*% (diag(4) + swept$theta), x)
})

test_that("binary and tied regressors", {
  g <- rep(0:1, c(7, 4))
  y <- c(1:7, 11:14)
  expect_warning(fit <- regress_medsweep(y ~ g), "`g` is constant on more than half",
                 class = "dpdepth_warning_flat")
  expect_true(all(is.finite(coef(fit))))
  expect_identical(median_slope(c(0, 0, 1), c(0, 0, 0)), 0)
  expect_identical(median_slope(c(-1, 1, 5, 6, 7), c(0, 0, 0, 0, 2)), 0) # of -Inf, -Inf, 0/0 = 0, Inf, 1
  for (n in 2:7) expect_true(is.finite(median_slope(seq_len(n), rep(0:1, c(n - 1, 1)))))
})

test_that("a regressor that is constant on more than half of the rows is named in a warning", {
  set.seed(11)
  d <- data.frame(few = rep(0:1, c(70, 30)), x = rnorm(100))
  d$y <- 5 * d$few + 2 * d$x + rnorm(100)
  expect_warning(fit <- regress_medsweep(y ~ x + few, d), "`few` is constant", class = "dpdepth_warning_flat")
  # the reason for the warning: nothing of the 5 is seen, by the definition of the slope
  expect_identical(coef(fit)[["few"]], 0)
  expect_equal(coef(fit)[["x"]], 2, tolerance = 0.3)
  expect_gt(coef(regress_deepest(y ~ few, d))[["few"]], 3)
  d$other <- rep(c(1, 0, 1), c(10, 80, 10))
  expect_warning(regress_medsweep(y ~ few + other, d), "`few`, `other` are constant",
                 class = "dpdepth_warning")
  # half of the rows is not more than half
  expect_no_warning(regress_medsweep(y ~ few, d[c(41:70, 71:100), ]))
})

test_that("arguments", {
  input <- function(expr, text) expect_error(expr, text, class = "dpdepth_error_input")
  input(regress_deepest(mpg ~ 1, mtcars), "at least one regressor")
  input(regress_deepest(data = mtcars), "`formula` must be given")
  input(regress_deepest(mpg ~ wt - 1, mtcars), "intercept")
  input(regress_deepest(~wt, mtcars), "response")
  input(regress_deepest(mpg ~ one, transform(mtcars, one = 1)), "constant `one`")
  input(regress_deepest(factor(mpg) ~ wt, mtcars), "numeric response")
  input(regress_deepest(Ozone ~ Wind, airquality), "missing values")
  input(regress_deepest(mpg ~ log(vs), mtcars), "infinite")
  input(regress_deepest(mpg ~ wt, mtcars[1, ]), "2 rows")
  input(regress_deepest(mpg ~ wt + offset(hp), mtcars), "offset")
  input(regress_medsweep(mpg ~ 1, mtcars), "at least one regressor")
  input(regress_medsweep(mpg ~ wt + I(2 * wt), mtcars), "determine")
  input(regress_medsweep(mpg ~ wt, mtcars, tol = -1), "tol")
  input(depth_regression(c(1, 2, 3), 1:3, 1:3), "2 columns")
  input(depth_regression(c(1, 2), 1:3, 1:4), "length 3")
  input(depth_regression(c(1, NA), 1:3, 1:3), "missing")
})

test_that("formulas that R cannot evaluate are refused in a class of the package, without R's warnings", {
  d <- data.frame(x = c(-1, 2, 3, 5), y = 1:4, t = c("0.7313731", "b", "c", "b"), one = "0.7313731")
  d$list <- list(1, 2, 3, 4)
  input <- function(formula, data = d) {
    e <- expect_no_warning(tryCatch(regress_medsweep(formula, data), error = identity))
    expect_s3_class(e, "dpdepth_error_input")
    expect_no_match(conditionMessage(e), "0.73")
  }
  for (formula in list(y ~ nope, y ~ list, y ~ "x", y ~ log(x), y ~ y, y ~ poly(x, 9), "", 3,
                       y ~ one)) input(formula)
  for (data in list(1, matrix(1, 4, 2), list(1), sum)) input(y ~ nope, data)
  # names of columns that a text makes are data: the term is named
  input(y ~ t:one)
})

test_that("numbers whose quotients are no numbers are refused, not met by an error of R's", {
  x <- c(1, -2, 3, -4, 7, 5)
  y <- c(0.3, 0.1, -2, 2, 5, 1)
  frames <- list(data.frame(x = 1e308 * sign(x), y), data.frame(x = 1e-320 * x, y), data.frame(x,
                                                                                               y = y * 1e300),
                 data.frame(x, y)[0, ], data.frame(x, y)[1, ])
  for (d in frames) {
    expect_error(regress_deepest(y ~ x, d), "`data`", class = "dpdepth_error_input")
    expect_error(regress_medsweep(y ~ x, d), "`data`", class = "dpdepth_error_input")
  }
  expect_error(regress_deepest(y ~ offset(x), data.frame(x = "a", y)), "`formula`",
               class = "dpdepth_error_input")
  for (size in c(1e308, 1e-320)) {
    m <- matrix(size * sign(x), 6, 3)
    m[1:2, 2] <- 0
    expect_error(median_tukey(m), "`data`", class = "dpdepth_error_input")
    expect_error(median_tukey(m[, 1:2], "directional"), "`data`", class = "dpdepth_error_input")
  }
})

test_that("a sweep that leaves no numbers ends in a classed error", {
  expect_error(median_slope(c(NaN, 1), c(1, 2)), class = "dpdepth_error_limit")
})
