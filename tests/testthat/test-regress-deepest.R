# The deepest line and the deepest fit: against all lines, units, outliers, quantiles, prints, refusals.

test_that("the deepest fit follows units, origins and linear functions of the regressors", {
  skip_on_cran()
  set.seed(8)
  for (n in c(12, 80)) { # all fits through rows; the search
    x <- matrix(rt(2 * n, 3), n)
    y <- 1 + drop(x %*% c(2, -1)) + rt(n, 2)
    fit <- regress_deepest(y ~ x, directions = 50)
    z <- cbind(1e-6 * (x[, 1] - 3), 100 * x[, 2])
    v <- 1e5 * (y + 4 * x[, 1] - 7)
    moved <- regress_deepest(v ~ z, directions = 50)
    expect_equal(moved$depth, fit$depth)
    slopes <- 1e5 * (coef(fit)[2:3] + c(4, 0)) / c(1e-6, 100)
    if (n == 12) {
      expect_equal(unname(coef(moved)[2:3]), unname(slopes), tolerance = 1e-6)
      # turned upside down, quantiles change places
      upper <- regress_deepest(y ~ x, directions = 50, tau = 0.75)
      minus <- -y
      lower <- regress_deepest(minus ~ x, directions = 50, tau = 0.25)
      expect_equal(lower$depth, upper$depth)
      expect_equal(coef(lower), -coef(upper), tolerance = 1e-6)
    }
  }
})

test_that("a fifth of bad leverage points does not carry the plane away; the noiseless plane is found", {
  skip_on_cran()
  set.seed(9)
  n <- 120
  x <- matrix(rnorm(3 * n), n)
  y <- drop(3 + x %*% c(1, -2, 0.5))
  bad <- 1:24
  x[bad, ] <- x[bad, ] + 10
  y[bad] <- -200
  before <- .Random.seed
  fit <- regress_deepest(y ~ x, directions = 100)
  expect_identical(.Random.seed, before)
  expect_equal(unname(coef(fit)), c(3, 1, -2, 0.5), tolerance = 1e-8)
  expect_gte(fit$depth, 0.4)
  expect_false(fit$exact)
})

test_that("tau = 0.5 is the deepest regression, also from weights that are not 1 and 1", {
  set.seed(10)
  for (r in 1:10) {
    d <- grid_data(12, 1, 5)
    one <- .Call(ffi_regression_deepest, cbind(d$x, d$y) + 0, c(1L, 1L))
    three <- .Call(ffi_regression_deepest, cbind(d$x, d$y) + 0, c(3L, 3L))
    expect_identical(three, list(3L * one[[1]], one[[2]]))
  }
  fit <- regress_deepest(dist ~ speed, cars)
  expect_identical(coef(regress_deepest(dist ~ speed, cars, tau = 0.5)), coef(fit))
  expect_identical(tau_weights(0.5, 100), c(1L, 1L))
  expect_identical(tau_weights(0.975, 100), c(39L, 1L))
  expect_identical(tau_weights(1 / 3, 100), c(1L, 2L))
  expect_identical(tau_weights(0.001, 100), c(1L, 999L))
  expect_lt(max(tau_weights(0.001, 2^29)) * 2^29, 2^30)
})

test_that("one regressor: every deepest quantile line is found, with ties", {
  skip_on_cran()
  set.seed(11)
  for (r in seq_len(audit_size(16, 40))) {
    d <- grid_data(sample(3:9, 1), 1, sample(4, 1))
    if (length(unique(d$x)) < 2) next
    lines <- oracle_lines(d$x, d$y)
    for (weights in list(c(1L, 3L), c(9L, 1L), c(2L, 3L))) {
      depth <- apply(lines, 1, oracle_along, x = d$x, y = d$y, u = matrix(1), weights = weights)
      found <- .Call(ffi_regression_deepest, cbind(d$x, d$y) + 0, weights)
      expect_identical(found[[1]], as.integer(max(depth)))
      got <- line_through(d$x, d$y, found[[2]])
      in_order <- function(m) unname(m[order(round(m[, 1], 9), round(m[, 2], 9)), , drop = FALSE])
      expect_equal(in_order(got), in_order(lines[depth == max(depth), , drop = FALSE]))
    }
  }
})

test_that("many rows: quantile lines by the walk that passes shallow vertices together", {
  set.seed(12)
  x <- round(rnorm(60), 1)
  y <- round(x + rnorm(60) * exp(x / 2), 1)
  lines <- oracle_lines(x, y)
  for (tau in c(0.1, 0.7)) {
    weights <- tau_weights(tau, 60)
    depth <- .Call(ffi_regression_depth, lines, cbind(x, y), weights)
    fit <- regress_deepest(y ~ x, tau = tau)
    expect_equal(fit$depth, max(depth) / max(weights) / 60)
  }
})

test_that("fits of least check loss are deep", {
  skip_on_cran()
  # from the definition: some fit through rows is of least check loss
  set.seed(13)
  n <- 25
  x <- cbind(rnorm(n), rnorm(n))
  y <- drop(x %*% 1:2) + rexp(n)
  fits <- oracle_fits(x, y)
  for (tau in c(0.25, 0.5, 0.8)) {
    r <- y - cbind(1, x) %*% t(fits)
    least <- fits[which.min(colSums(r * (tau - (r < 0)))), ]
    depth <- depth_regression(rbind(least, 0), x, y, "directional", directions = 50, tau = tau)
    top <- regress_deepest(y ~ x, tau = tau, directions = 50)
    expect_gt(depth[[1]], 0.6 * top$depth)
    expect_lt(depth[[2]], 0.6 * top$depth)
    # no fit is deeper than a share tau(1 - tau) and what it meets
    expect_lte(top$depth * max(tau, 1 - tau), tau * (1 - tau) + 3 / n)
  }
})

test_that("prints of several regressors and quantiles", {
  expect_snapshot(regress_deepest(stack.loss ~ Air.Flow + Water.Temp, stackloss, directions = 100))
  expect_snapshot(regress_deepest(dist ~ speed, cars, tau = 0.9))
})

test_that("arguments", {
  input <- function(expr, text) expect_error(expr, text, class = "dpdepth_error_input")
  input(regress_deepest(mpg ~ wt + I(2 * wt), mtcars), "determined by other regressors")
  input(regress_deepest(mpg ~ wt + hp + qsec, mtcars[1:3, ]), "more rows")
  input(regress_deepest(mpg ~ wt, mtcars, tau = 1), "`tau`")
  input(regress_deepest(mpg ~ wt + hp, mtcars, directions = diag(3)), "`directions`")
  input(regress_deepest(mpg ~ wt + hp, mtcars, directions = 0), "`directions`")
  input(depth_regression(c(1, 2, 3), mtcars[2:3], mtcars$mpg, tau = 0), "`tau`")
  input(depth_regression(c(1, 2, 3), mtcars[2:3], mtcars$mpg, "exact", tau = 0.9), "`method`")
  input(depth_regression(1:6, mtcars[2:6], mtcars$mpg, "exact"), "more than 3 regressors")
})

test_that("the search finds every deepest vertex, once", {
  skip_on_cran()
  set.seed(5)
  for (r in seq_len(audit_size(30, 80))) {
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
  for (r in seq_len(audit_size(60, 200))) {
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

test_that("single numbers that have no quotient with the spread of the others are refused", {
  x <- c(2^490, (1:19) * 2^-1074)
  z <- c(1, 3, 2, 5, 4)[1 + 1:20 %% 5]
  error <- expect_error(regress_deepest(z^2 ~ x + z, directions = 5), "`x`", class = "dpdepth_error_input")
  expect_identical(error$arg, "data")
})
