# The search for the deepest fit with several regressors, against all fits through rows.

test_that("few rows: the fit has the largest depth of all fits through rows", {
  skip_on_cran()
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
