# M-estimates of location without privacy: the estimating equation, slopes, gross-error sensitivities.

test_that("the estimate solves its equation", {
  set.seed(1)
  x <- cbind(stats::rnorm(300, 3), stats::rcauchy(300)) # public-rng: simulated data
  bounds <- list(lower = c(-20, -20), upper = c(20, 20), scale = c(1, 1), distance = 20 * sqrt(2))
  for (kind in psi_kinds) {
    psi <- psi_make(kind, d = 2)
    fit <- mestimate_fit(x, bounds, psi)
    u <- sweep(x, 2, fit$estimate)
    expect_lt(max(abs(colMeans(u * psi_weight(psi, sqrt(rowSums(u^2)))))), 1e-9)
    # the mean derivative, by differences
    moved <- function(shift) {
      u <- sweep(x, 2, fit$estimate + shift)
      colMeans(u * psi_weight(psi, sqrt(rowSums(u^2))))
    }
    slopes <- cbind(moved(c(-1e-6, 0)) - moved(c(1e-6, 0)), moved(c(0, -1e-6)) - moved(c(0, 1e-6))) / 2e-6
    expect_equal(fit$slope, slopes, tolerance = 1e-4)
    expect_equal(fit$gross_error, psi$bound / min(eigen(slopes)$values), tolerance = 1e-4)
  }
})

test_that("Huber's estimate is that of another program, and the limits hold", {
  x <- c(1.2, 1.9, 2.2, 2.4, 3.1, 9)
  # the root of sum pmin(pmax(x - t, -1.345), 1.345)
  root <- stats::uniroot(function(t) sum(pmin(pmax(x - t, -1.345), 1.345)), c(0, 9), tol = 1e-12)$root
  box <- function(lower, upper) list(lower = lower, upper = upper, scale = 1, distance = (upper - lower) / 2)
  expect_equal(mestimate_fit(matrix(x), box(-50, 60), psi_make("huber"))$estimate, root, tolerance = 1e-9)
  expect_identical(mestimate_fit(matrix(x), box(5, 6), psi_make("huber"))$estimate, 5)
  # half of the rows in the middle answer: B over their share
  expect_equal(mestimate_fit(matrix(c(-9, -0.1, 0.1, 9)), box(-9, 9), psi_make("huber"))$gross_error, 2.69)
})
