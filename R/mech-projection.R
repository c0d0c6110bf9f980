# The safety margin of the projection median, and what its front door, its planner and its calculator share.

check_pair <- function(location, scale) {
  c(check_choice(location, c("median", "trimmed", "huber", "mom"), "location"),
    check_choice(scale, c("mad", "iqr", "trimmed"), "scale"))
}

# The law's rate is positive only then, half of epsilon being the draw's share at least.
check_draw_epsilon <- function(epsilon, delta) {
  least <- -log1p(-delta)
  if (epsilon / 2 > least) return(invisible(NULL))
  stop_input("epsilon", sprintf("above about %s for this `delta`", format(2.01 * least, digits = 2)),
             format(epsilon))
}

# How many levels matter: a longer margin passes but with probability exp(-14).
ptr_levels <- function(epsilon, delta) {
  as.integer(min(2000, ptr_threshold(epsilon, delta) + ceiling(14 / epsilon) + 1))
}

# The margin for given eta and tau, the largest over several tau (increasing): list(margin, tau, binding,
# center = T_u, spread = S_u, and with `profile`, bounds and value as src/sens_projection.h has them).
# `epsilon` is that of the draw;
# `levels`, the most that is looked for, is public. PRIVATE: all but `levels` depends on the data.
# Requires the axes among the directions.
# Scales below `floor` (public, at least 2^-900) are unsafe.
projection_margin <- function(x, directions, location, scale, eta, tau, epsilon, delta, levels,
                              profile = FALSE, floor = 2^-900) {
  center <- as_center(location, scale, 0.25, NULL, nrow(x))
  room <- tau - gamma_tail(ncol(x), projection_rate(eta, epsilon, delta), delta)
  # no sum overflows then; a map of each row by itself
  x[] <- pmin(pmax(x, -2^900), 2^900)
  out <- .Call(ffi_projection_margin, x, directions, center, c(eta, floor), cbind(tau, room),
               as.integer(levels), profile)
  margin <- min(out$scale_shift, out$central)
  binding <- if (margin == levels) "none" else if (out$scale_shift == margin) "sensitivity" else "centre"
  list(margin = margin, tau = tau[[out$which]], binding = binding, center = out$center, spread = out$spread,
       profile = if (profile) out[c("bounds", "value")])
}

# q of the proof, rounded up: the outlyingness that a draw exceeds with probability delta at most.
gamma_tail <- function(d, rate, delta) stats::qgamma(delta, d, rate, lower.tail = FALSE) * (1 + 1e-9)

# c of the law exp(-c O(x)).
projection_rate <- function(eta, epsilon, delta) (epsilon + log1p(-delta)) / (2 * eta)

# The linear programmes in whole numbers take memory like d^3.
check_projection_variables <- function(d) {
  if (d > 100) stop_input("x", "of at most 100 variables", d)
}
