# The safety margin of the projection median.

projection_margin <- function(x, directions, location, scale, eta, tau, epsilon, delta,
                              levels = ptr_levels(epsilon, delta), profile = FALSE) {
  rate <- projection_rate(eta, epsilon, delta)
  center <- as_center(location, scale, 0.25, NULL, nrow(x))
  # no sum of projections overflows then; each row by itself
  x[] <- pmin(pmax(x, -2^900), 2^900)
  out <- .Call(ffi_projection_margin, x, directions, center, c(eta, tau, tau - gamma_tail(ncol(x), rate, delta)),
               as.integer(levels), profile)
  margin <- min(out$sway, out$central)
  binding <- if (margin == levels) "none" else if (out$sway == margin) "sensitivity" else "centre"
  list(margin = margin, binding = binding, profile = out$profile, center = out$center, spread = out$spread)
}

# c of the law exp(-c O(x)).
projection_rate <- function(eta, epsilon, delta) (epsilon + log1p(-delta)) / (2 * eta)

# q of the proof, rounded up: the outlyingness that a draw exceeds with probability delta at most.
gamma_tail <- function(d, rate, delta) stats::qgamma(delta, d, rate, lower.tail = FALSE) * (1 + 1e-9)

# How many levels matter: all but exp(-25) of the margins beyond these would pass as well.
ptr_levels <- function(epsilon, delta) {
  as.integer(min(1e5, ptr_threshold(epsilon, delta) + ceiling(25 / epsilon) + 1))
}
