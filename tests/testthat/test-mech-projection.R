# The law that the projection median draws from: its rate, its tail and the limit of the centre.

test_that("the draw's tail is rounded up: what the loss beyond tau costs is at most delta", {
  cost <- function(t, ratio, d) {
    integrate(function(x) -expm1(-ratio * (x - t)) * dgamma(x, d), t, t + 80, rel.tol = 1e-9)$value
  }
  worst <- 0
  for (d in c(1, 2, 5, 20)) for (ratio in c(1e-4, 0.01, 0.3, 3)) for (delta in c(1e-2, 1e-6, 1e-9)) {
    t <- projection_law(d, d, ratio, 1, Inf, 1, delta)
    at <- cost(t$tail * t$rate, ratio, d) / delta
    expect_lte(at, 1)
    worst <- max(worst, at)
    # never beyond the quantile, and the part that normalizers pay for is small
    expect_lte(t$tail * t$rate, qgamma(delta, d, lower.tail = FALSE) * (1 + 2e-9))
    beyond <- pgamma(t$tail * t$rate, d, lower.tail = FALSE)
    expect_lte(beyond, max(delta, 1e-3) * (1 + 1e-9))
  }
  expect_gt(worst, 0.99)
  expect_gt(cost(0.95 * 9.2004, 0.01, 1), 1e-6) # a tail 5% shorter is not
})

# The logarithm of the integral of exp(-rate max |u'x - e| / s) over the plane, on a grid that holds all but
# exp(-20) of it.
log_normalizer <- function(u, e, s, rate) {
  side <- seq(-24, 24, length.out = 161) / rate * max(s)
  at <- as.matrix(expand.grid(side, side))
  o <- apply(abs(at %*% t(u) - rep(e, each = nrow(at))) / rep(s, each = nrow(at)), 1, max)
  log(sum(exp(-rate * o))) + 2 * log(side[2] - side[1])
}

test_that("normalizers: centred level sets are the largest, and within exp(c omega) of all", {
  set.seed(14)
  for (case in 1:6) {
    u <- directions(2, sample(3:9, 1))
    s <- exp(runif(nrow(u), -0.5, 0.5))
    rate <- exp(runif(1, -1, 1))
    omega <- runif(1, 0.1, 1) / rate
    e <- omega * s * sample(c(-1, 0.5, 1), nrow(u), TRUE)
    wider <- s * (1 + runif(nrow(u), -0.2, 0.2))
    centred <- log_normalizer(u, 0 * e, s, rate)
    off <- log_normalizer(u, e, s, rate)
    expect_lte(off, centred + 1e-3)
    expect_gte(off, centred - rate * omega - 1e-3)
    expect_lte(log_normalizer(u, -e, wider, rate) - off, rate * omega + 2 * log(max(wider / s)) + 1e-3)
  }
})

test_that("level 0 is safe with a limit of the centre, for which c is larger: laws in the plane", {
  set.seed(15)
  delta <- 0.05
  epsilon <- 2
  u <- directions(2, 5)
  checked <- broken <- 0
  for (case in 1:8) {
    n <- sample(c(500, 900), 1)
    x <- matrix(rnorm(2 * n), n)
    if (case %% 3 == 0) x <- round(x, 1)
    if (case %% 4 == 0) x[, 1] <- x[, 1] + x[, 1]^2 / 4
    eta <- runif(1, 0.5, 1.2)
    centre <- runif(1, 0.15, 0.3)
    without <- tau_with_room(centre, 2, 5, eta, epsilon, delta)
    law <- projection_law(2, 5, eta, without$tau, centre, epsilon, delta)
    expect_identical(law$centre, centre)
    expect_gt(law$rate, 1.1 * without$rate)
    here <- projection_margin(x, u, "median", "mad", eta, without$tau, epsilon, delta, 30L, centre = centre)
    expect_equal(here$room, min(without$tau - law$tail, centre))
    side <- seq(-12, 12, length.out = 41)
    points <- as.matrix(expand.grid(side, side))
    if (here$margin >= 1) {
      checked <- checked + 1
      expect_lte(worst_divergence(x, u, here, law$rate, epsilon, 10, points / law$rate), delta)
    }
    # the same test rejects a rate that forgets eta
    broken <- broken + (worst_divergence(x, u, here, 400, epsilon, 5, points / 400) > delta)
  }
  expect_gt(checked, 3)
  expect_gt(broken, 3)
})

test_that("with the axes alone locations have a common centre, and c needs no limit of it", {
  law <- function(count, ...) projection_law(3, count, 0.5, 40, 0.2, 1, 1e-6)
  expect_equal(law(3)$rate, (1 - 3 * log1p(0.5 / 40)) / 0.5)
  expect_identical(law(3)$centre, Inf)
  expect_equal(law(4)$rate, (1 - 3 * log1p(0.5 / 40)) / 0.7)
  expect_identical(law(4)$centre, 0.2)
  # where the limit is wider than eta it is not asked for
  expect_identical(projection_law(3, 9, 0.1, 40, 0.2, 1, 1e-6)$centre, Inf)
})
