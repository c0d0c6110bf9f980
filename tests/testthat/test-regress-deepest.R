# Weighted regression depth along directions, the deepest fit with several regressors, regression quantiles.

# Data on a grid, so that x, u'x and residuals tie.
grid_data <- function(n, p, k) {
  list(x = matrix(sample(-k:k, n * p, TRUE), n), y = as.double(sample(-k:k, n, TRUE)))
}

test_that("depth along directions is the least weight over all splits and both sides", {
  set.seed(1)
  for (r in 1:25) {
    p <- sample(2:3, 1)
    d <- grid_data(sample(3:10, 1), p, sample(1:3, 1))
    fits <- rbind(matrix(sample(-1:1, 3 * (p + 1), TRUE), 3), oracle_fits(d$x, d$y))
    fits <- fits[seq_len(min(12, nrow(fits))), , drop = FALSE]
    u <- directions(p, 7, seed = r)
    for (tau in c(0.5, 0.25, 0.9)) {
      heavy <- max(tau, 1 - tau)
      brute <- apply(fits, 1, oracle_along, x = d$x, y = d$y, u = u, weights = c(tau, 1 - tau) / heavy)
      depth <- depth_regression(fits, d$x, d$y, "directional", directions = u, tau = tau)
      expect_equal(depth, brute / length(d$y), tolerance = 1e-12)
    }
  }
})

test_that("it bounds the exact depth from above, and the pairs' directions attain it with two regressors", {
  set.seed(2)
  for (r in 1:15) {
    d <- grid_data(7, 2, 3)
    fits <- oracle_fits(d$x, d$y)
    if (is.null(fits)) next
    exact <- depth_regression(fits, d$x, d$y, "exact")
    expect_true(all(exact <= depth_regression(fits, d$x, d$y, "directional", directions = 20) + 1e-12))
    # across each pair of rows, and a little to both sides of it
    pairs <- utils::combn(7, 2)
    off <- d$x[pairs[1, ], ] - d$x[pairs[2, ], ]
    turn <- atan2(off[, 1], -off[, 2])
    turn <- c(turn, turn + 1e-4, turn - 1e-4)
    u <- cbind(cos(turn), sin(turn))
    expect_equal(depth_regression(fits, d$x, d$y, directions = u), exact, tolerance = 1e-12)
  }
})

test_that("one regressor: directional is exact, and weights are those of the definition", {
  set.seed(3)
  for (r in 1:20) {
    d <- grid_data(sample(2:9, 1), 1, sample(4, 1))
    fits <- rbind(oracle_fits(d$x, d$y), c(0, 1))
    for (tau in c(0.5, 0.2, 0.75)) {
      heavy <- max(tau, 1 - tau)
      weights <- c(tau, 1 - tau) / heavy
      brute <- apply(fits, 1, oracle_along, x = d$x, y = d$y, u = matrix(1), weights = weights)
      expect_equal(depth_regression(fits, d$x, d$y, tau = tau), brute / length(d$y), tolerance = 1e-12)
    }
    expect_identical(depth_regression(fits, d$x, d$y, "directional"), depth_regression(fits, d$x, d$y))
    # the kernel along directions with a single regressor is the same again
    splits <- .Call(ffi_regression_splits, d$x + 0, matrix(1))
    along <- .Call(ffi_regression_directional, fits, d$x + 0, d$y, splits, c(1L, 1L), 0L)
    expect_equal(along / length(d$y), depth_regression(fits, d$x, d$y))
  }
})

test_that("one replaced row changes the depth along directions by 1/n at most, whatever tau", {
  set.seed(4)
  fits <- as.matrix(expand.grid(-1:1, -1:1, -1:1))
  for (r in 1:30) {
    d <- grid_data(5, 2, 2)
    tau <- sample(c(0.5, 0.1, 0.75), 1)
    before <- depth_regression(fits, d$x, d$y, "directional", directions = 10, tau = tau)
    d$x[1, ] <- sample(-2:2, 2, TRUE)
    d$y[[1]] <- sample(-2:2, 1)
    after <- depth_regression(fits, d$x, d$y, "directional", directions = directions(2, 10), tau = tau)
    before_too <- depth_regression(fits, d$x, d$y, "directional", directions = directions(2, 10), tau = tau)
    expect_identical(after, before_too)
    expect_lte(max(abs(after - before)), 1 / 5 + 1e-12)
  }
})

test_that("fits below the floor are told apart, by the same numbers for any number of threads", {
  set.seed(5)
  x <- matrix(rnorm(400), 100)
  y <- drop(x %*% 1:4) + rnorm(100)
  fits <- cbind(0, matrix(rep(1:4, each = 60) + rnorm(240, sd = 0.3), 60))
  splits <- .Call(ffi_regression_splits, x, directions(4, 200))
  along <- function(floor) .Call(ffi_regression_directional, fits, x, y, splits, c(2L, 3L), floor)
  all <- along(0L)
  floor <- as.integer(stats::median(all))
  expect_identical(along(floor), ifelse(all >= floor, all, -1L))
  old <- dpdepth_threads(1)
  on.exit(dpdepth_threads(old))
  expect_identical(along(floor), ifelse(all >= floor, all, -1L))
  expect_identical(.Call(ffi_regression_splits, x, directions(4, 200)), splits)
})

test_that("few rows: the fit has the largest depth of all fits through rows", {
  set.seed(6)
  for (r in 1:4) {
    p <- sample(2:3, 1)
    d <- grid_data(9, p, 3)
    u <- directions(p, 10, seed = r)
    if (qr(cbind(1, d$x))$rank <= p) next
    for (tau in c(0.5, 0.8)) {
      heavy <- max(tau, 1 - tau)
      along <- function(fit) oracle_along(fit, d$x, d$y, u, c(tau, 1 - tau) / heavy)
      fit <- regress_deepest(y ~ x, d, directions = u, tau = tau)
      expect_equal(fit$depth * 9, max(apply(oracle_fits(d$x, d$y), 1, along)), tolerance = 1e-9)
      expect_equal(fit$depth * 9, along(coef(fit)), tolerance = 1e-9)
    }
  }
})

test_that("many rows: the search comes within a row of the largest depth, and mostly attains it", {
  skip_on_cran()
  set.seed(7)
  short <- vapply(1:8, function(r) {
    n <- 30
    x <- matrix(rnorm(2 * n), n)
    y <- drop(x %*% c(1, -1)) + rt(n, 2)
    if (r > 4) y[1:6] <- 50 + 5 * x[1:6, 1] # a fifth of the rows elsewhere
    design <- cbind(1, x)
    splits <- .Call(ffi_regression_splits, x, directions(2, 100))
    weights <- if (r %% 2 == 0) c(1L, 1L) else c(3L, 1L)
    depths <- function(fits, floor = 0L) {
      .Call(ffi_regression_directional, fits, x, y, splits, weights, as.integer(floor))
    }
    found <- climb(design, y, depths, weights)
    expect_identical(depths(rbind(found$fit)), found$depth)
    (all_elemental(design, y, depths)$depth - found$depth) / max(weights)
  }, 0)
  expect_lte(max(short), 1)
  expect_lte(mean(short > 0), 1 / 4)
})

test_that("the deepest fit follows units, origins and linear functions of the regressors", {
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
  set.seed(11)
  for (r in 1:40) {
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

test_that("quantiles of a location: without slopes the depth is that of the quantile", {
  y <- c(1, 2, 4, 7, 11, 16, 22, 29, 37, 46)
  for (tau in c(0.3, 0.5, 0.9)) {
    fits <- cbind(y, 0)
    weight <- pmin(tau * colSums(outer(y, y, `>=`)), (1 - tau) * colSums(outer(y, y, `<=`)))
    expect_equal(depth_regression(fits, rep(1, 10), y, tau = tau), weight / max(tau, 1 - tau) / 10)
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
