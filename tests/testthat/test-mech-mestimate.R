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

# -- psi -------------------------------------------------------------------------------------------

test_that("bounds and derivatives are those of the functions", {
  u <- seq(-12, 12, by = 0.003)
  for (kind in psi_kinds) {
    psi <- psi_make(kind)
    expect_lte(max(abs(psi_value(psi, u))), psi$bound * (1 + 1e-12))
    expect_equal(max(abs(psi_value(psi, u))), psi$bound, tolerance = 1e-4)
    smooth <- abs(abs(u) - psi$tuning) > 0.01
    numeric <- (psi_value(psi, u + 1e-6) - psi_value(psi, u - 1e-6)) / 2e-6
    expect_equal(psi_slope(psi, u)[smooth], numeric[smooth], tolerance = 1e-6)
    expect_equal(psi_value(psi, u), -psi_value(psi, -u))
    far <- c(0, 1e-320, 1e-300, 1e200, 1e308, Inf)
    expect_true(all(is.finite(psi_value(psi, far)) & psi_value(psi, far) <= psi$bound * (1 + 1e-12)))
    expect_equal(psi_weight(psi, 0), 1)
  }
})

test_that("the constants have 95% efficiency, and in d variables as many rows are beyond", {
  for (kind in psi_kinds) {
    psi <- psi_make(kind)
    square <- stats::integrate(function(u) psi_value(psi, u)^2 * stats::dnorm(u), -Inf, Inf)$value
    slope <- stats::integrate(function(u) psi_slope(psi, u) * stats::dnorm(u), -8, 8,
                              subdivisions = 1000L)$value
    expect_equal(slope^2 / square, 0.95, tolerance = 3e-3)
    expect_equal(psi_answer(psi), slope, tolerance = 5e-3)
  }
  expect_equal(stats::pchisq(psi_make("huber", d = 5)$tuning^2, 5), stats::pchisq(1.345^2, 1))
  expect_identical(psi_make("huber", 2, 5)$tuning, 2)
  expect_identical(psi_answer(psi_make("tukey", 0.2)), 0.6)
})

test_that("the answer in several variables is that of a shift", {
  set.seed(1)
  x <- matrix(stats::rnorm(3e4), ncol = 3) # public-rng: simulated data
  for (kind in psi_kinds) {
    psi <- psi_make(kind, d = 3)
    pull <- function(shift) {
      x[, 1] <- x[, 1] + shift
      mean(x[, 1] * psi_weight(psi, sqrt(rowSums(x^2))))
    }
    expect_equal((pull(0.05) - pull(-0.05)) / 0.1, psi_answer(psi, 3), tolerance = 0.03)
  }
})

test_that("other names and constants are refused", {
  for (bad in list(list("cauchy", NULL), list("huber", 0), list("huber", "a"), list(2, NULL))) {
    expect_error(check_psi(bad[[1]], bad[[2]]), class = "dpdepth_error_input")
  }
  expect_identical(check_psi(psi_kinds, NULL)$kind, "huber")
})
