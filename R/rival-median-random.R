# The median without bounds, by random differential privacy as published, whose proof fails: the engine of
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
