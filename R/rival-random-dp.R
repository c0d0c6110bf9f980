# Random differential privacy: how far from the deepest a bound taken from the data must reach.
#
# METHOD: with probability 1 - gamma the empirical depths of two samples of one distribution differ by at most
#   2 kappa at every point, so that a deepest point of either has at least the other's depth less 2 n kappa.
#   The constants are those printed: an n-sample bound of Devroye (1982) with the shatter coefficients of n^2
#   points; for one variable the two-sample inequality of Wei and Dudley (2012).
# DEGENERATE: n <= 2 has no kappa (Inf) for several variables.
# REFERENCE: Differentially private estimation via statistical depth (2022), Theorems 3 to 5.

# kind "median": d = 1. "tukey": the halfspace depth in d variables. "regression": the regression depth of d
# coefficients, the intercept included (two for y ~ x).
random_dp_kappa <- function(n, d, gamma, kind = c("median", "tukey", "regression")) {
  kind <- match.arg(kind)
  if (kind == "median") return(sqrt((1 - log(gamma)) / n))
  # log of ((n^2 - 1)^power + 1)
  log_cells <- function(power) power * log(pmax(n^2 - 1, 1)) + log1p(pmax(n^2 - 1, 1)^-power)
  log_share <- log(gamma) - switch(kind, tukey = log(16) + log_cells(d), log(128) + 4 * log_cells(d - 1))
  more <- pmax(n - 2, 0)
  (sqrt(4 - 2 * more * log_share) + 2) / (2 * more)
}

# By how many levels the region that stands in for the bounds is below the deepest, rounded outward.
random_dp_reach <- function(n, d, gamma, kind) ceiling(2 * n * random_dp_kappa(n, d, gamma, kind))

# Whether the printed condition on n holds: that region is then bounded, whatever the data. Vectorised
# over n.
random_dp_enough <- function(n, d, gamma, kind) {
  kappa <- random_dp_kappa(n, d, gamma, kind)
  if (kind == "median") return(n / 2 - n * kappa >= 1)
  ceiling(2 * n * kappa) < ceiling(n / (d + 1))
}

# The smallest n that will do. For several variables the condition implies gap(n) > 0 and follows from
# gap(n) >= 1: gap has one change of sign, and a short search from there finds the smallest.
random_dp_min_n <- function(d, gamma, kind) {
  if (kind == "median") {
    minimum <- ceiling(2 * (2 - log(gamma) + sqrt((log(gamma) - 4) * log(gamma) + 3)))
    near <- minimum + -1:1 # a tie lost in rounding
    return(near[random_dp_enough(near, 1, gamma, kind)][[1]])
  }
  gap <- function(n) n / (d + 1) - 2 * n * random_dp_kappa(n, d, gamma, kind)
  lo <- 2
  hi <- 4
  while (gap(hi) <= 0) hi <- 2 * hi
  while (hi - lo > 1) {
    middle <- floor((lo + hi) / 2)
    if (gap(middle) > 0) hi <- middle else lo <- middle
  }
  repeat {
    found <- which(random_dp_enough(hi + 0:999, d, gamma, kind))
    if (length(found) > 0) return(hi + found[[1]] - 1)
    hi <- hi + 1000
  }
}

# Refuses an n that is too small, with the n that would do.
check_random_dp_n <- function(n, d, gamma, kind, arg = "x") {
  if (random_dp_enough(n, d, gamma, kind)) return(invisible(n))
  minimum <- grouped(random_dp_min_n(d, gamma, kind))
  stop_input(arg, sprintf("data with at least %s rows for gamma = %s and %d %s%s", minimum, format(gamma), d,
                          if (kind == "regression") "coefficient" else "variable", plural(d)),
             sprintf("data with %d", n), "Public bounds in the place of `gamma` take fewer rows.")
}

# The engine of rival_regression(method = "random_dp"): the deepest regression within a region of deep fits of
# the data. The published proof fails: vignettes/proofs-regression.Rmd.
plan_random_fit <- function(n, terms, limits, epsilon, delta, gamma = NULL) {
  gamma <- check_delta(gamma, "gamma")
  check_random_dp_n(n, 2L, gamma, "regression", arg = "data")
  if (is.null(limits$lower)) limits$lower <- -1e6
  if (is.null(limits$upper)) limits$upper <- 1e6
  plan <- plan_deepest(n, terms, limits, epsilon, delta, 0.5)
  plan$reach <- random_dp_reach(n, 2L, gamma, "regression")
  plan$gamma <- gamma
  plan$details <- c(lapply(plan$bounds, stats::setNames, terms), plan$details,
                    list(kappa = random_dp_kappa(n, 2L, gamma, "regression"),
                         variant = "(eps, delta, gamma)-RDP, as published"))
  plan
}

# -- medians ---------------------------------------------------------------------------------------

# rival_median(method = "random_dp"). See vignettes/proofs-smooth.Rmd, section 9.

# The scale of the noise is a multiple of 2^-random_bits steps, and at least one step.
random_bits <- 14L

plan_median_random <- function(n, columns, limits, epsilon, delta, gamma = NULL,
                               region = c("auto", "exact", "directional"), range = 2^20) {
  d <- ncol(columns)
  gamma <- check_number(gamma, "gamma", 0, 1)
  region <- check_choice(region, c("auto", "exact", "directional"), "region")
  region <- smooth_method(region, n, d, "region")
  range <- check_number(range, "range", 0)
  kind <- if (d == 1) "median" else "tukey"
  check_random_dp_n(n, d, gamma, kind)
  constants <- random_constants(epsilon, delta, d)
  step <- random_step(range)
  list(
    gamma = gamma, constants = constants, region = region, range = range, step = step,
    mechanism = "Laplace noise scaled to smooth sensitivity, bounds from the data, as published",
    details = list(depth = smooth_depth(region, d), kappa = random_dp_kappa(n, d, gamma, kind),
                   alpha = constants$alpha, beta = constants$beta, range = range, step = step)
  )
}

run_median_random <- function(x, plan, source) {
  law <- random_law(random_rows(x, plan$step), plan$gamma, plan$constants, plan$region)
  index <- law$centre + half_laplace(ncol(x), law$scale, source, random_bits)
  list(estimate = pmin(pmax(index * plan$step, -plan$range), plan$range))
}

random_step <- function(range) {
  step <- 2^(floor(log2(range)) - 29)
  smaller <- "Take smaller units of the data."
  if (step == 0) stop_input("range", "large enough for a lattice of doubles", format(range), smaller)
  step
}

random_rows <- function(x, step) pmin(pmax(round(x / step), -2^29), 2^29)

# As smooth_constants(): the scale is rounded up to a multiple of 2^-14 and is at least one.
random_constants <- function(epsilon, delta, d) {
  constants <- smooth_noise(epsilon, delta * (1 - 1e-9), d)
  rounding <- 2^-20
  smoothness <- constants$beta - 2^-random_bits - rounding
  if (constants$alpha < d * 2^-8 || smoothness < constants$beta / 2) {
    must <- sprintf("larger for random differential privacy with %d variable%s", d, plural(d))
    stop_input("epsilon", must, format(epsilon))
  }
  c(constants, list(smoothness = smoothness, rounding = rounding))
}

# The centre and the scale of the noise, a multiple of 2^-random_bits. PRIVATE.
random_law <- function(z, gamma, constants, method) {
  n <- nrow(z)
  d <- ncol(z)
  minimum <- constants$alpha # of a scale of one step
  beta <- constants$smoothness
  reach <- random_dp_reach(n, d, gamma, if (d == 1) "median" else "tukey")
  open <- list(lower = rep(-Inf, d), upper = rep(Inf, d))
  found <- if (d == 1) random_line_law(z, gamma, beta, minimum)
           else if (d == 2) plane_law(z, open, beta, minimum, method, reach)
           else directional_law(z, open, beta, minimum, reach)
  scale <- ceiling(found$bound * exp(constants$rounding / 2) * 2^random_bits / constants$alpha)
  list(centre = as.vector(round(found$point)), scale = max(2^random_bits, scale))
}

random_line_law <- function(z, gamma, beta, minimum) {
  n <- nrow(z)
  far <- n * random_dp_kappa(n, 1, gamma, "median")
  y <- sort(z[, 1])
  lower <- y[[floor(n / 2 - far)]] - 1
  upper <- y[[min(n, ceiling(n / 2 + far))]] + 1
  k <- 0:n
  a <- median_windows(y, lower, upper, n + 1)
  list(point = median_columns(z), bound = max(minimum, exp(-beta * k) * a))
}
