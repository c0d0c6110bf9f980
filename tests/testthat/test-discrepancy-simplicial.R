# Discrepancies of simplicial and spatial depth: formulas against large samples and integrals.

alpha_value <- function(...) discrepancy(...)$alpha

# A large normal sample, the same in every run.
normal_sample <- function(n, d) {
  u <- directions(2 * d, n, type = "uniform")
  angle <- function(k) atan2(u[, k[[1]]], u[, k[[2]]])
  apply(matrix(seq_len(2 * d), 2), 2, function(k) stats::qnorm(angle(k) / (2 * pi) + 0.5))
}

test_that("simplicial depth of a normal population is that of a large sample", {
  for (d in 2:4) {
    x <- normal_sample(16000, d)
    for (t in c(0.4, 1.2)) {
      found <- discrepancy("simplicial", "gaussian", t, d)
      share <- depth_simplicial(c(t, numeric(d - 1)), x, tuples = floor(16000 / (d + 1)))
      se <- sqrt(share * (1 - share) * (d + 1) / 16000 + found$se^2)
      expect_lt(abs(2^-d - share - found$alpha), stats::qnorm(1 - ALPHA / 2) * se)
    }
  }
  # the Monte Carlo mean in three coordinates of the line, against the integral in the plane
  line <- abs(directions(3, 40000, type = "uniform"))
  for (r in c(0, 0.3, 1, 3)) {
    values <- simplicial_density(line, r) / 4
    expect_lte(abs(0.25 - mean(values) - simplicial_discrepancy_plane(r)),
               stats::qnorm(1 - ALPHA / 2) * stats::sd(values) / sqrt(40000) + 1e-12)
  }
  # a density: its mean over all lines is one
  values <- simplicial_density(directions(5, 20000, type = "uniform"), 1.3)
  expect_lt(abs(mean(values) - 1), stats::qnorm(1 - ALPHA / 2) * stats::sd(values) / sqrt(20000))
})

test_that("simplicial depth is affine invariant and falls to nothing", {
  skip_on_cran()
  expect_equal(alpha_value("simplicial", "gaussian", 3, 3, scale = c(1, 2, 0.5)),
               alpha_value("simplicial", "gaussian", 1.5, 3))
  for (d in c(2, 3, 6)) {
    t <- c(0.1, 0.5, 1, 2, 4, 100)
    for (distribution in c("gaussian", "cauchy")) {
      alpha <- alpha_value("simplicial", distribution, t, d, directions = 2000)
      expect_false(is.unsorted(alpha + seq_along(t) * if (distribution == "cauchy") 0.02 else 0))
      expect_true(all(alpha >= 0 & alpha <= 2^-d + 1e-12))
    }
    expect_equal(alpha_value("simplicial", "gaussian", 1000, d), 2^-d)
  }
  expect_identical(discrepancy("simplicial", "gaussian", alpha = 0.1, d = 4)$t, Inf)
  t <- discrepancy("simplicial", "gaussian", alpha = 0.02, d = 4)$t
  expect_equal(alpha_value("simplicial", "gaussian", t, 4), 0.02, tolerance = 1e-6)
  expect_error(discrepancy("simplicial", "cauchy", 1, 11), "`d` must be at most 10",
               class = "dpdepth_error_input")
})

test_that("simplicial depth of a Cauchy population, in the plane by integration over angles", {
  skip_on_cran()
  # 1 - D = 3 E G^2: G from halfplanes, which are Cauchy too, the angle's density by integration
  # (midpoints: along the axes it has logarithmic poles)
  phi <- (seq_len(1440) - 0.5) * 2 * pi / 1440
  alpha_at <- function(x) {
    density <- vapply(phi, function(a) {
      along <- function(r) r * stats::dcauchy(x[[1]] + r * cos(a)) * stats::dcauchy(x[[2]] + r * sin(a))
      stats::integrate(along, 0, Inf, rel.tol = 1e-6)$value
    }, 0)
    expect_equal(sum(density) * 2 * pi / 1440, 1, tolerance = 5e-3)
    ahead <- stats::pcauchy((x[[1]] * sin(phi) - x[[2]] * cos(phi)) / (abs(sin(phi)) + abs(cos(phi))))
    0.25 - (1 - 3 * sum(density * ahead^2) / sum(density))
  }
  # the worst point is on an axis
  alpha <- alpha_at(c(1.5, 0))
  expect_gt(alpha_at(c(1, 1) * 1.5 / sqrt(2)), alpha + 0.01)
  found <- discrepancy("simplicial", "cauchy", 1.5, 2, directions = 40000)
  expect_lt(abs(found$alpha - alpha), stats::qnorm(1 - ALPHA / 2) * found$se)
})

test_that("the mean of unit vectors is that of a large sample, whatever the scales", {
  x <- c(1, 0.5, -0.2)
  scale <- c(1, 2, 1)
  u <- directions(2, 60000, type = "uniform")
  samples <- list(gaussian = normal_sample(20000, 3), cauchy = matrix(u[, 1] / u[, 2], ncol = 3))
  for (distribution in names(samples)) {
    away <- rep(x, each = 20000) - samples[[distribution]] * rep(scale, each = 20000)
    unit <- away / sqrt(rowSums(away^2))
    se <- apply(unit, 2, stats::sd) / sqrt(20000)
    mean <- spatial_mean(x, scale, distribution)
    expect_true(all(abs(mean - colMeans(unit)) < stats::qnorm(1 - ALPHA / 6) * se))
    expect_false(all(abs(spatial_mean(x, rev(scale) / 2, distribution) - colMeans(unit)) < 6 * se))
    expect_equal(spatial_mean(1e9 * x, 1e9 * scale, distribution), mean)
    expect_equal(spatial_mean(x[c(2, 1, 3)], scale[c(2, 1, 3)], distribution), mean[c(2, 1, 3)])
    expect_equal(sqrt(sum(spatial_mean(c(1e6, 1), c(1, 2), distribution)^2)), 1, tolerance = 1e-5)
  }
  turned <- spatial_mean(rep(1.3 / sqrt(5), 5), rep(1, 5), "gaussian")
  expect_equal(alpha_value("spatial", "gaussian", 1.3, 5), sqrt(sum(turned^2)))
  expect_equal(alpha_value("spatial modified", "cauchy", 2, 3), alpha_value("spatial", "cauchy", 2, 3)^2)
})

test_that("the complex error function against its integral", {
  for (x in c(0, 0.5, 3, 40)) {
    for (y in c(1e-2, 1, 20)) {
      part <- function(v) exp(-v^2) * stats::dcauchy(v, x, y)
      voigt <- stats::integrate(part, -Inf, Inf, rel.tol = 1e-11)$value
      expect_equal(Re(faddeeva(complex(real = x, imaginary = y))), voigt, tolerance = 1e-9)
    }
  }
})

test_that("spatial depth: the least over points further out, and the inverse inverts it", {
  skip_on_cran()
  scale <- c(1, 4)
  angle <- seq(0, 2 * pi, length.out = 73)
  for (distribution in c("gaussian", "cauchy")) {
    norm <- function(x) sqrt(sum(spatial_mean(x, scale, distribution)^2))
    at <- function(r) min(apply(r * rbind(cos(angle), sin(angle)), 2, norm))
    brute <- min(at(1.5), at(2), at(3))
    found <- alpha_value("spatial", distribution, 1.5, 2, scale = scale)
    expect_lte(found, brute * (1 + 1e-3))
    expect_gte(found, brute * (1 - 2e-2))
    t <- discrepancy("spatial", distribution, alpha = 0.3, d = 3)$t
    expect_equal(alpha_value("spatial", distribution, t, 3), 0.3, tolerance = 1e-3)
  }
})

test_that("one variable: by the distribution function", {
  t <- c(0.1, 1, 3)
  expect_equal(alpha_value("simplicial", "cauchy", t, 1, scale = 2),
               0.5 - 2 * pcauchy(t / 2) * pcauchy(-t / 2))
  expect_equal(alpha_value("spatial", "gaussian", t, 1), 2 * pnorm(t) - 1)
  expect_equal(alpha_value("spatial modified", "cauchy", t, 1), (2 * pcauchy(t) - 1)^2)
})

# -- the search for the worst point of a given length --------------------------------------------------

test_that("candidates are unit vectors: mixtures of the widest axes, the axes, the scales", {
  for (scale in list(3, c(1, 4), c(2, 1, 5), exp(sin(1:20)))) {
    d <- length(scale)
    found <- unname(worst_candidates(scale))
    expect_identical(nrow(found), d)
    expect_equal(colSums(found^2), rep(1, ncol(found)))
    # the widest axis is there, and the direction of the scales
    holds <- function(v) any(colSums(abs(found - v)) < 1e-12)
    expect_true(holds(as.double(seq_len(d) == which.max(scale))))
    expect_true(holds(scale / sqrt(sum(scale^2))))
    expect_true(holds(rep(1 / sqrt(d), d)))
    expect_identical(sum(colSums(found != 0) == 1) >= min(d, 8), TRUE)
  }
  expect_lte(ncol(worst_candidates(rep(1, 1000))), 8 + 11 + 2)
})

test_that("descent stays on the sphere, never goes up, and leaves a minimum alone", {
  to <- c(3, -2, 6) / 7
  f <- function(x) -sum(to * x)
  start <- c(-1, 0, 0)
  values <- vapply(1:6, function(passes) {
    x <- descend_sphere(start, f, passes)
    expect_equal(sum(x^2), 1)
    f(x)
  }, 0)
  expect_lt(values[[1]], f(start))
  expect_false(is.unsorted(-values))
  expect_identical(descend_sphere(to, f), to)
  near <- (to + c(0.05, 0.02, -0.03)) / sqrt(sum((to + c(0.05, 0.02, -0.03))^2))
  expect_lt(f(descend_sphere(near, f, 4)), f(near))
  # nothing to choose
  expect_identical(descend_sphere(start, function(x) 0), start)
})
