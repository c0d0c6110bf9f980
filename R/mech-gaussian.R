# Exact sums and integer noise: rows on a public lattice, so that sums are whole numbers without rounding and
# their sensitivity is exact.

# Places 0, ..., steps on the lattice between the bounds, each of its own value only. Infinite values are
# clipped; NaN is `other`, one number for each value.
lattice_place <- function(v, lower, upper, steps, other = rep_len(0, length(v))) {
  place <- pmin(pmax(round((v - lower) / (upper - lower) * steps), 0), steps)
  ifelse(is.nan(place), other, place)
}

# The largest power of two M for which sums of n values of size M are exact, and Gaussian noise for an l2
# sensitivity of `factor` M under rho-zCDP has a variance below 2^51. Public numbers only.
gaussian_steps <- function(n, rho, factor, most = 25) {
  bits <- floor(min(most, 51 - log2(n), (51 + log2(2 * rho)) / 2 - log2(factor)))
  if (bits < 4) {
    stop_input("epsilon", "so large that a lattice of doubles holds the noise", NULL,
               "Take a larger `epsilon` or `delta`.")
  }
  2^bits
}

# -- how much noise (epsilon, delta) takes ---------------------------------------------------------------
#
# METHOD: noise of variance square_i / (2 rho share_i) for the queries i, of `entries` whole numbers each,
#   costs rho, the sum of the shares being one. Rounded normal noise of that variance is a function of the
#   Gaussian mechanism with mu = sqrt(2 rho), whose delta is known, and the discrete noise of all queries is
#   within rounded_distance() of it in total variation.
# REFERENCE: Balle and Wang (2018), Theorem 8; vignettes/proofs-rivals.Rmd, section 1.

# Rounded up: `error` exceeds the relative errors of the normal distribution at rounded arguments.
normal_delta <- function(epsilon, rho) {
  mu <- sqrt(2 * rho)
  at <- mu / 2 - epsilon / mu
  error <- 1e-12 * (1 + at^2 + epsilon)
  gone <- exp(epsilon + stats::pnorm(at - mu, log.p = TRUE))
  min(1, max(0, stats::pnorm(at) * (1 + error) - gone * (1 - error)))
}

# At least the total variation between independent discrete Gaussian draws and rounded normal ones.
rounded_distance <- function(entries, variance) {
  if (any(variance < 1)) 1 else min(1, 0.046 * sqrt(sum(entries / variance^2)))
}

# The delta, rounded up, of queries with discrete Gaussian noise of these variances that cost `rho` together.
gaussian_delta <- function(epsilon, rho, entries, variance) {
  min(1, normal_delta(epsilon, rho) + (1 + exp(epsilon)) * rounded_distance(entries, variance) * (1 + 1e-12))
}

# The largest rho, rounded down, whose noise is (epsilon, delta)-private: no less than zcdp_rho(), which
# suffices for noise of few steps, too. Without queries: that of noise with steps of no size.
gaussian_rho <- function(epsilon, delta, entries = 0, square = Inf, share = 1) {
  low <- zcdp_rho(epsilon, delta)
  fits <- function(rho) gaussian_delta(epsilon, rho, entries, square / (2 * rho * share)) <= delta
  high <- 2 * low
  if (!is.finite(high) || low <= 0) return(low)
  while (fits(high)) high <- 2 * high
  while (high - low > 1e-12 * high) {
    middle <- (low + high) / 2
    if (fits(middle)) low <- middle else high <- middle
  }
  low
}

# A variance c(num, den) of at least square / (2 rho), `square` a bound of the squared l2 sensitivity.
gaussian_variance <- function(square, rho) {
  variance <- square / (2 * rho) * (1 + 2^-40)
  den <- if (variance < 2^30) 2^20 else 1
  c(max(1, ceiling(variance * den)), den)
}

# `values` are whole numbers with an l2 sensitivity of sqrt(square): rho-zCDP.
add_gaussian <- function(values, square, rho, source) {
  variance <- gaussian_variance(square, rho)
  values + draw_gaussian_discrete(length(values), variance[[1]], variance[[2]], source)
}

# Whole numbers of l2 sensitivity `size` in units in which the noise's variance is below 2^51; rounding down
# adds one unit to each of `entries` numbers' moves.
coarse_query <- function(size, entries, rho) {
  unit <- 2^max(0, ceiling(log2(size) - (50 + log2(2 * rho)) / 2))
  sensitivity <- (size * (1 + 2^-40) / unit + if (unit > 1) sqrt(entries) else 0) * (1 + 2^-40)
  if (size / unit < 16) {
    stop_input("epsilon", "so large that a lattice of doubles holds the noise", NULL,
               "Take a larger `epsilon` or `delta`.")
  }
  list(unit = unit, square = sensitivity^2)
}
