# The engine of dp_regression(method = "deepest"): exact privacy on small data, noise, the random variant.
# Error rates: ALPHA = 1e-6 an expectation (helper-stat.R).

top <- 2^24
square <- list(step = c(1, 1), origin = c(0, 0), lower = c(0, 0), upper = c(top, top))

# An upper bound of the exact divergence of the laws of two data sets (columns x, y), the larger of both
# orders.
law_divergence <- function(p, q, epsilon) {
  shift <- sum(abs(p$centre - q$centre)) / min(p$scale, q$scale) * 2^scale_bits
  lambda <- abs(log(p$scale / q$scale))
  up <- if (lambda > 0) divergence_up(epsilon, shift, lambda, 2) else 0
  max(up, divergence_down(epsilon, shift, lambda, 2))
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

test_that("the centre is rounded, among the deepest vertices and within the limits", {
  ends <- function(a, b) rbind(c(-99, -99, 0, 0), c(a, b, 0, 0))
  found <- list(vertices = 2L, unbounded = 1L, centre = c(10.4, -3.6), lo = ends(2, -8), hi = ends(20, 5))
  centre <- function(..., from = c(-1000, -1000), to = c(1000, 1000)) {
    found[names(list(...))] <- list(...)
    deepest_centre(found, from, to)
  }
  expect_identical(centre(), c(10, -4))
  expect_identical(centre(lo = ends(11, -8)), c(11, -4))
  expect_identical(centre(hi = ends(20, -5)), c(10, -5))
  expect_identical(centre(from = c(12, -1000)), c(12, -4))
  expect_identical(centre(to = c(9, -999)), c(9, -999))
  expect_identical(centre(unbounded = 2L, to = c(1001, 999)), round(c(0.5, -0.5)))
})

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
  grid <- smooth_lattice(bounds, fine_bits(bounds, constants))
  expect_lt(max(grid$step), 1e-5)
  narrow <- deepest_law(x, y, grid, constants, reach = 12)
  wide <- deepest_law(x, y, grid, constants)
  expect_identical(narrow$centre, wide$centre)
  expect_lt(narrow$scale, wide$scale)
  expect_identical(deepest_law(x, y, grid, constants, reach = 40), wide) # unbounded there
})

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
  grid <- smooth_lattice(bounds, fine_bits(bounds, constants))
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
