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
