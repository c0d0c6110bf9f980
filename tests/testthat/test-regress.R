# Regression depth, deepest regression, Medsweep.

test_that("regression depth is that of the definition, with ties in x, y and in the fit", {
  skip_on_cran()
  set.seed(1)
  for (r in 1:60) {
    n <- sample(9, 1)
    k <- sample(4, 1)
    x <- sample(-k:k, n, TRUE)
    y <- sample(-k:k, n, TRUE)
    fits <- matrix(round(4 * rnorm(20)) / 4, ncol = 2)
    if (length(unique(x)) > 1) fits <- rbind(fits, oracle_lines(x, y))
    depth <- apply(fits, 1, oracle_rdepth, x = x, y = y) / n
    expect_equal(depth_regression(fits, x, y), depth, tolerance = 1e-14)
    for (unit in c(1e-9, 1 / 3, 7)) {
      units <- cbind(5 * unit * fits[, 1], 5 * fits[, 2])
      expect_equal(depth_regression(units, x * unit, 5 * y * unit), depth, tolerance = 1e-14)
    }
  }
})

test_that("several regressors: the identity with halfspace depth, and one more that is nought", {
  set.seed(2)
  for (p in 2:3) {
    n <- 7
    x <- matrix(sample(-2:2, n * p, TRUE), n)
    y <- sample(-3:3, n, TRUE)
    fits <- rbind(matrix(sample(-1:1, 3 * (p + 1), TRUE), 3), 0)
    depth <- apply(fits, 1, function(f) {
      s <- sign(y - f[[1]] - drop(x %*% f[-1]))
      sum(s == 0) + oracle_halfspace_hull(numeric(p + 1), (s * cbind(1, x))[s != 0, , drop = FALSE])
    })
    expect_equal(depth_regression(fits, x, y), depth / n, tolerance = 1e-14)
  }
  x <- rnorm(30)
  y <- rnorm(30)
  fits <- rbind(coef(lm(y ~ x)), c(0, 0))
  expect_equal(depth_regression(cbind(fits, 0), cbind(x, 1), y), depth_regression(fits, x, y))
  expect_gte(depth_regression(c(0, 0, 0, 0, 0), matrix(rnorm(120), 30), y, directions = 50), 0)
})

test_that("as mrfDepth without ties", {
  skip_if_not_installed("mrfDepth")
  set.seed(3)
  x <- rnorm(40)
  y <- x + rnorm(40)
  fits <- cbind(rnorm(10, sd = 0.3), rnorm(10, 1, 0.3))
  # a peer from CRAN that the checks do not ask for
  peer <- getExportedValue("mrfDepth", "rdepth")
  expect_equal(depth_regression(fits, x, y), peer(cbind(x, y), fits)$depthZ)
})

test_that("one replaced row changes regression depth by 1/n at most", {
  skip_on_cran()
  set.seed(4)
  fits <- as.matrix(expand.grid(-2:2, -1:1))
  for (r in 1:30) {
    x <- sample(-2:2, 6, TRUE)
    y <- sample(-2:2, 6, TRUE)
    before <- depth_regression(fits, x, y)
    x[[1]] <- sample(-2:2, 1)
    y[[1]] <- sample(-2:2, 1)
    expect_lte(max(abs(depth_regression(fits, x, y) - before)), 1 / 6 + 1e-12)
  }
})

test_that("the search finds every deepest vertex, once", {
  skip_on_cran()
  set.seed(5)
  for (r in 1:80) {
    n <- sample(2:9, 1)
    k <- sample(4, 1)
    x <- sample(-k:k, n, TRUE)
    y <- sample(-k:k, n, TRUE)
    if (length(unique(x)) < 2) next
    lines <- oracle_lines(x, y)
    depth <- apply(lines, 1, oracle_rdepth, x = x, y = y)
    found <- .Call(ffi_regression_deepest, cbind(x, y) + 0, c(1L, 1L))
    expect_identical(found[[1]], as.integer(max(depth)))
    best <- lines[depth == max(depth), , drop = FALSE]
    got <- line_through(x, y, found[[2]])
    in_order <- function(m) m[order(round(m[, 1], 9), round(m[, 2], 9)), ]
    expect_equal(in_order(got), in_order(best))
    moved <- .Call(ffi_regression_deepest, cbind(0.1 * x + 0.7, 0.3 * y + 0.2 * x + 0.1), c(1L, 1L))
    expect_identical(c(moved[[1]], nrow(moved[[2]])), c(found[[1]], nrow(found[[2]])))
    expect_gte(found[[1]], n / 3)
  }
})

test_that("the fit attains the largest depth, also where the mean of the deepest lines does not", {
  skip_on_cran()
  set.seed(6)
  below <- 0
  for (r in 1:200) {
    n <- sample(4:9, 1)
    data <- data.frame(x = sample(0:5, n, TRUE), y = sample(0:5, n, TRUE))
    if (length(unique(data$x)) < 2) next
    fit <- regress_deepest(y ~ x, data)
    lines <- oracle_lines(data$x, data$y)
    depth <- apply(lines, 1, oracle_rdepth, x = data$x, y = data$y)
    expect_equal(fit$depth * n, max(depth))
    expect_equal(oracle_rdepth(coef(fit), data$x, data$y), max(depth))
    middle <- colMeans(lines[depth == max(depth), , drop = FALSE])
    below <- below + (oracle_rdepth(middle, data$x, data$y) < max(depth))
  }
  expect_gt(below, 0)
})

test_that("the deepest line follows the data, whatever their units", {
  set.seed(7)
  x <- rt(41, 3)
  y <- 1 + 2 * x + rt(41, 2)
  b <- coef(regress_deepest(y ~ x))
  x2 <- 1e-6 * (x - 3)
  y2 <- 1e5 * (y + 4 * x)
  b2 <- coef(regress_deepest(y2 ~ x2))
  expect_equal(b2[["x2"]], 1e5 * (b[["x"]] + 4) / 1e-6, tolerance = 1e-9)
  expect_equal(b2[["(Intercept)"]], 1e5 * (b[["(Intercept)"]] + 3 * (b[["x"]] + 4)), tolerance = 1e-9)
})

test_that("a third of the rows anywhere does not carry the line away", {
  x <- c(1:20, rep(50, 9))
  y <- c(2 * (1:20), rep(-1e6, 9))
  expect_equal(unname(coef(regress_deepest(y ~ x))), c(0, 2), tolerance = 1e-9)
})

test_that("the number of threads does not change a bit of the fit, and no random number is drawn", {
  set.seed(8)
  x <- round(rnorm(100), 1)
  y <- round(x + rnorm(100), 1)
  before <- .Random.seed
  old <- dpdepth_threads(1)
  on.exit(dpdepth_threads(old))
  one <- regress_deepest(y ~ x)
  dpdepth_threads(3)
  expect_identical(regress_deepest(y ~ x), one)
  expect_identical(.Random.seed, before)
})

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

test_that("fits work like those of lm()", {
  fit <- regress_deepest(dist ~ speed, cars)
  expect_s3_class(fit, c("regress_deepest", "dpdepth_fit"), exact = TRUE)
  expect_named(coef(fit), c("(Intercept)", "speed"))
  expect_equal(predict(fit, cars), fitted(fit))
  expect_equal(predict(fit), fitted(fit))
  expect_equal(unname(residuals(fit)), cars$dist - unname(fitted(fit)))
  expect_identical(nobs(fit), 50L)
  expect_equal(formula(fit), dist ~ speed, ignore_attr = TRUE)
  expect_equal(fit$depth, depth_regression(coef(fit), cars$speed, cars$dist))
  d <- transform(mtcars, cyl = factor(cyl))
  expect_warning(sweep <- regress_medsweep(log(mpg) ~ cyl + poly(wt, 2), d), class = "dpdepth_warning_flat")
  expect_equal(predict(sweep, d[3:5, ]), fitted(sweep)[3:5])
  expect_equal(predict(sweep, transform(d[1, ], cyl = "4"))[[1]], fitted(sweep)[[1]] - coef(sweep)[["cyl6"]])
  x <- 1:5
  y <- c(1, 3, 2, 5, 4)
  local({
    z <- x
    expect_equal(unname(coef(regress_deepest(y ~ z))), unname(coef(regress_deepest(y ~ x))))
  })
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

test_that("tidy(), glance() and df.residual(); what predict() cannot do is refused", {
  fit <- regress_deepest(dist ~ speed, cars)
  sweep <- regress_medsweep(mpg ~ wt + hp, mtcars)
  expect_identical(tidy(sweep), data.frame(term = names(coef(sweep)), estimate = unname(coef(sweep))))
  both <- rbind(glance(fit), glance(sweep))
  expect_identical(both$method, c("deepest", "medsweep"))
  expect_identical(both$nobs, c(50L, 32L))
  expect_identical(both$df.residual, c(df.residual(fit), df.residual(sweep)))
  expect_identical(df.residual(sweep), 29L)
  expect_equal(both$sigma[[1]], mad(residuals(fit)))
  expect_identical(both$depth, c(fit$depth, NA))
  expect_identical(both$iterations, c(NA, sweep$iterations))
  expect_true(all(both$converged))
  expect_identical(predict(fit, cars, interval = "none", se.fit = FALSE), predict(fit, cars))
  input <- function(expr, text) expect_error(expr, text, class = "dpdepth_error_input")
  input(predict(fit, cars, interval = "confidence"), "`interval` must be \"none\"")
  input(predict(fit, interval = "prediction"), "no standard errors")
  input(predict(fit, se.fit = TRUE), "`se.fit` must be FALSE")
  input(predict(fit, type = "terms"), "`type`")
})

test_that("prints", {
  fit <- regress_deepest(dist ~ speed, cars)
  expect_snapshot(fit)
  expect_snapshot(summary(fit))
  expect_snapshot(regress_medsweep(stack.loss ~ ., stackloss))
  expect_snapshot(summary(regress_medsweep(stack.loss ~ Air.Flow, stackloss)))
})

test_that("plots draw and return the fit", {
  file <- withr_png()
  on.exit(unlink(file))
  fit <- regress_deepest(dist ~ speed, cars)
  expect_identical(plot(fit, main = "mine"), fit)
  expect_invisible(plot(regress_medsweep(mpg ~ wt + hp, mtcars)))
  grDevices::dev.off()
  expect_gt(file.size(file), 1000)
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
