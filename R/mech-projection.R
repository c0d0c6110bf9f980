# The safety margin and the draw of the projection median, which its front door, plan and calculators share.

check_pair <- function(location, scale) {
  c(check_choice(location, c("median", "trimmed", "huber", "mom"), "location"),
    check_choice(scale, c("mad", "iqr", "trimmed"), "scale"))
}

# Within these limits quotients of two are numbers.
check_projection_constant <- function(x, arg) {
  if (!is.null(x)) check_number(x, arg, 1e-100, 1e100, closed = c(TRUE, TRUE))
}

# The distribution's rate is positive only then, half of epsilon being the draw's share at least.
check_draw_epsilon <- function(epsilon, delta) {
  if (draw_has_rate(epsilon, delta)) return(invisible(NULL))
  minimum <- -log1p(-delta)
  stop_input("epsilon", sprintf("above about %s for this `delta`", format(2.01 * minimum, digits = 2)),
             format(epsilon))
}

# How many levels matter: a longer margin passes but with probability exp(-14).
ptr_levels <- function(epsilon, delta) {
  as.integer(min(2000, ptr_threshold(epsilon, delta) + ceiling(14 / epsilon) + 1))
}

draw_has_rate <- function(epsilon, delta) epsilon / 2 > -log1p(-delta)

# The margin for given eta and tau, the largest over several tau (increasing): list(margin, tau, binding,
# center = T_u, spread = S_u, and with `profile`, bounds and value as src/margin/projection.h has them).
# `epsilon` is that of the draw; `centre`: see projection_law();
# `levels`, the most that is looked for, is public. PRIVATE: all but `levels` depends on the data.
# Requires the axes among the directions.
# Scales below `floor` (public, at least 2^-900) are unsafe.
projection_margin <- function(x, directions, location, scale, eta, tau, epsilon, delta, levels,
                              profile = FALSE, floor = 2^-900, centre = Inf) {
  center <- as_center(location, scale, 0.25, NULL, nrow(x))
  law <- projection_law(ncol(x), nrow(directions), eta, tau[[1]], centre, epsilon, delta)
  room <- pmin(tau - law$tail, law$centre)
  # no sum overflows then; a map of each row by itself
  x[] <- pmin(pmax(x, -2^900), 2^900)
  out <- .Call(ffi_projection_margin, x, directions, center, c(eta, floor), cbind(tau, room),
               as.integer(levels), profile)
  margin <- min(out$sensitivity, out$central)
  binding <- if (margin == levels) "none" else if (out$sensitivity == margin) "sensitivity" else "centre"
  list(margin = margin, tau = tau[[out$which]], room = room[[out$which]], binding = binding,
       center = out$center, spread = out$spread, profile = if (profile) out[c("bounds", "value")])
}

# The distribution exp(-rate O(x)) that Theorem 2 allows for `eta` and the smallest tau, with epsilon and
# delta of the draw: list(rate = c, tail = q, centre), the second condition being a left side of at most
# min(tau - tail, centre). `centre`, omega in the proof, is a public limit that may make c larger; where it
# does not, it is not asked for and comes back as Inf. With the axes alone the locations have a common
# centre, and none is needed. `first`: see draw_tail().
projection_law <- function(d, count, eta, tau, centre, epsilon, delta, first = gamma_tail(d, log(delta))) {
  ratio <- eta / tau # the scales' largest relative change
  tail <- draw_tail(d, ratio, epsilon, delta, first)
  beyond <- stats::pgamma(tail, d, lower.tail = FALSE)
  # normalizers compared by the densities, or by the volumes of centred level sets
  rate <- (epsilon + log1p(-beyond)) / (2 * eta)
  by_volume <- (epsilon - d * log1p(ratio)) / (eta + if (count == d) 0 else centre)
  volume <- by_volume > rate
  if (volume) rate <- by_volume
  list(rate = rate, tail = tail / rate, centre = if (volume && count > d) centre else Inf)
}

# c q of the proof, rounded up: t with P(G > t) ratio/(ratio + h) <= delta, G of the gamma distribution of
# shape d and h = 1 - (d - 1)/t, a lower bound of its hazard beyond t. P(G > t) is a thousandth of epsilon at
# most, for the normalizers, or delta. `first`, where the search for t begins, takes a fifth of the time, and
# many ratios share it.
draw_tail <- function(d, ratio, epsilon, delta, first = gamma_tail(d, log(delta))) {
  log_most <- log(max(delta, min(0.25, epsilon / 1000)))
  t <- first
  # the factor falls with t: steps end below and above the solution in turn, the last one above
  for (step in 1:4) {
    hazard <- max(0, 1 - (d - 1) / t)
    t <- gamma_tail(d, min(log(delta) - log(ratio) + log(ratio + hazard), log_most))
  }
  t * (1 + 1e-9)
}

gamma_tail <- function(d, log_p) stats::qgamma(log_p, d, lower.tail = FALSE, log.p = TRUE)

# The linear programmes in whole numbers take memory like d^3.
max_projection_variables <- 100L

check_projection_variables <- function(d) {
  if (d > max_projection_variables) stop_input("x", "of at most 100 variables", d)
}

# Draws from the distribution exp(-rate * max_u |u'x - center_u| / spread_u), rounded to multiples of `step`,
# a power of two. `trace`: the chains' states too (steps x chains x d), which are not for release.
draw_projections <- function(draws, directions, center, spread, rate, sampler = "exact", source = "R",
                             step = 2^-20, size = NULL, trace = FALSE) {
  if (is.null(size)) size <- list(chains = 1L, steps = 1L) # of no use to exact draws
  .Call(ffi_draw_projection, source, t(directions), list(center, spread, rate, step), sampler,
        c(as.integer(draws), size$chains, size$steps), trace)
}
