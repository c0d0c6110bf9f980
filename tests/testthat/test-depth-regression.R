# Regression depth: the definition, by brute force and by peers; along directions and for quantiles.

test_that("regression depth is that of the definition, with ties in x, y and in the fit", {
  skip_on_cran()
  set.seed(1)
  for (r in seq_len(audit_size(25, 60))) {
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
  skip_on_cran()
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

test_that("depth along directions is the least weight over all splits and both sides", {
  skip_on_cran()
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
  skip_on_cran()
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
  skip_on_cran()
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

test_that("quantiles of a location: without slopes the depth is that of the quantile", {
  y <- c(1, 2, 4, 7, 11, 16, 22, 29, 37, 46)
  for (tau in c(0.3, 0.5, 0.9)) {
    fits <- cbind(y, 0)
    weight <- pmin(tau * colSums(outer(y, y, `>=`)), (1 - tau) * colSums(outer(y, y, `<=`)))
    expect_equal(depth_regression(fits, rep(1, 10), y, tau = tau), weight / max(tau, 1 - tau) / 10)
  }
})
