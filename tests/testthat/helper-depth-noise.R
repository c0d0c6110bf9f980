# Private depths: releases with known noise, what neighbours lose, and whether the depths are the depths.

all_depths <- c("halfspace", names(median_depths))

# A release whose noise is `noise` at each point.
with_noise <- function(noise, ...) {
  seen <- new.env()
  laplace <- function(n, num, den, rng) {
    seen$rate <- num / den
    rep(noise, n)
  }
  gaussian <- function(n, num, den, rng) {
    seen$variance <- num / den
    rep(noise, n)
  }
  noise_laws <- list(draw_laplace_discrete = laplace, draw_gaussian_discrete = gaussian)
  # few rows: the noise is as large as the depths
  release <- suppressWarnings(with_bindings(noise_laws, dp_depth(..., rng = "R")),
                              classes = "dpdepth_warning")
  list(estimate = unname(coef(release)), rate = seen$rate, variance = seen$variance,
       noise_sd = release$details$noise_sd)
}

# The largest loss over random neighbours, as a share of the budget: of the code's own noise, in its own
# steps.
depth_losses <- function(depth, d, m, pairs, delta = 0) {
  epsilon <- 0.8
  points <- matrix(sample(-3:3, m * d, TRUE) + 0, m)
  of <- function(x, noise = 0) {
    with_noise(noise, points, x, epsilon, depth, delta = delta, resolution = 1, directions = if (d > 1 &&
      takes_directions(depth)) "axes", prior = prior_uniform(rep(-8, d), rep(8, d)))
  }
  max(replicate(pairs, {
    n <- sample(c(d + 1, 5), 1)
    x <- matrix(sample(-3:3, n * d, TRUE) + 0, n)
    y <- x
    y[sample(n, 1), ] <- sample(c(-4, -2:2, 4), d, TRUE)
    a <- of(x)
    step <- of(x, 1)$estimate - a$estimate
    moves <- abs(a$estimate - of(y)$estimate) / step
    # off the noise's own lattice one release is possible and the other not
    if (any(abs(moves - round(moves)) > 1e-6)) return(Inf)
    if (delta > 0) sum(moves^2) / (2 * a$variance) / zcdp_rho(epsilon, delta)
    else sum(moves) * a$rate / epsilon
  }))
}

# How far releases without noise are from the public depths, in units of what rounding may do: below 1.
depths_off <- function() {
  set.seed(2)
  x <- matrix(sample(-8:8, 60, TRUE) + 0, 30, 2)
  z <- matrix(sample(-8:8, 20, TRUE) + 0, 10, 2)
  plane <- prior_uniform(rep(-8, 2), rep(8, 2))
  axes <- diag(2)
  off <- function(depth, expected, directions = NULL, smooth = NULL, tolerance = 1e-3) {
    got <- with_noise(0, z, x, 1, depth, directions = directions, smooth = smooth, prior = plane,
                      resolution = 1)
    max(abs(got$estimate / expected - 1)[expected > 0.02]) / tolerance
  }
  mid <- rowMeans(sapply(1:2, function(j) {
    f <- sapply(z[, j], function(t) (mean(x[, j] < t) + mean(x[, j] <= t)) / 2)
    f * (1 - f)
  }))
  max(off("halfspace", depth_halfspace(z, x), tolerance = 1e-9),
      off("halfspace", depth_halfspace(z, x, "directional", axes), axes, tolerance = 1e-9),
      off("simplicial", depth_simplicial(z, x)), off("spatial", depth_spatial(z, x), tolerance = 5e-3),
      off("spatial_modified", depth_spatial(z, x, modified = TRUE)), off("irw", depth_irw(z, x, axes), axes),
      off("idd", mid, axes), off("idd_smooth", depth_idd(z, x, 0.5, axes), axes, 0.5, tolerance = 0.02))
}
