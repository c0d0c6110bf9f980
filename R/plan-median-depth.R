# The planned error of a median over a depth other than halfspace depth: public numbers only.
#
# METHOD: about the centre of normal rows depth falls by alpha(t) at distance t, which discrepancy() has as an
#   integral. The distribution of a release is about that of the density exp(-epsilon alpha(|x|)/(2 GS)) in
#   the ball with the volume of the limits' box, whose mean square is a quotient of two sums over log t.
#   Rank-weighted depth has a kink along each direction u, at the sample's median there, and these medians do
#   not meet in a point: they scatter about m_u = u'c, c the best point, with variance (1 - k) pi/(2 n), k =
#   (2 d/pi) E X asin(X), X a coordinate of a uniform direction, being the share that moves with c.

# alpha at standard normal rows, on a grid of log t; beyond 40 standard deviations depth falls no more.
depth_profile <- function(depth, d, slope) {
  key <- sprintf("%s %d %a", depth, as.integer(d), slope)
  if (is.null(profiles_found[[key]])) assign(key, new_profile(depth, d, slope), profiles_found)
  profiles_found[[key]]
}

# Profiles by what they are of, for searches and refusals.
profiles_found <- new.env(parent = emptyenv())

new_profile <- function(depth, d, slope) {
  at <- exp(seq(log(1e-6), log(40), length.out = 200))
  kind <- switch(depth, idd_smooth = "idd", spatial_modified = "spatial modified", depth)
  # directions: of simplicial depth in space
  task <- list(distribution = "gaussian", scale = 1, smooth = slope, directions = 2000L)
  list(depth = depth, log_t = log(at), kink = if (depth == "irw" && d > 1) kink_profile(d),
       alpha = vapply(at, function(t) discrepancy_at(task, kind, d, t, search = FALSE)[[1]], 0))
}

# alpha over GS, that is in units of what one replaced row may move.
profile_loss <- function(profile, t, n, d) {
  alpha <- stats::approx(profile$log_t, profile$alpha, log(t), rule = 2)$y
  if (!is.null(profile$kink)) alpha <- alpha - kink_rounding(profile$kink, t, n)
  alpha / depth_sensitivity(n, d, profile$depth)
}

# What the scatter of the medians takes off the fall of rank-weighted depth: 2 f E(|m| - (|a - m| - |a|)), a
# the distance along a direction, f the density at the median. Tabled by t/s, s sqrt(n) the scatter.
kink_profile <- function(d) {
  angle <- (seq_len(400) - 0.5) * pi / 800
  weight <- cos(angle)^(d - 2) / sum(cos(angle)^(d - 2))
  shared <- 2 * d / pi * sum(weight * sin(angle) * angle)
  log_r <- seq(log(1e-3), log(1e3), length.out = 300)
  a <- outer(exp(log_r), sin(angle))
  # E|a - m| - |a| for a standard normal m
  over <- 2 * drop((stats::dnorm(a) - a * stats::pnorm(-a)) %*% weight)
  list(log_r = log_r, slope = 2 * stats::dnorm(0) - over, scatter = sqrt((1 - shared) * pi / 2))
}

kink_rounding <- function(kink, t, n) {
  s <- kink$scatter / sqrt(n)
  2 * stats::dnorm(0) * s * stats::approx(kink$log_r, kink$slope, log(t / s), rule = 2)$y
}

# The root mean squared error per variable, in standard deviations, of draws in a ball of that radius that do
# not fail, and the chance that one does.
profile_error <- function(profile, n, d, epsilon, radius) {
  law <- profile_law(profile, n, d, epsilon, radius)
  near <- law$t < far_spreads
  sqrt(sum((law$t^2 * law$weight)[near]) / sum(law$weight[near]) / d)
}

profile_failure <- function(profile, n, d, epsilon, radius) {
  law <- profile_law(profile, n, d, epsilon, radius)
  sum(law$weight[law$t >= far_spreads]) / sum(law$weight)
}

profile_law <- function(profile, n, d, epsilon, radius) {
  log_t <- seq(log(radius) - 30, log(radius), length.out = 1500)
  weight <- d * log_t - epsilon / 2 * profile_loss(profile, exp(log_t), n, d)
  list(t = exp(log_t), weight = exp(weight - max(weight)))
}

# NULL for halfspace depth, whose errors have formulas of their own. `size`: the variables' spreads.
check_plan_depth <- function(depth, smooth, d, unlimited, size) {
  depth <- check_choice(depth, c("halfspace", names(median_depths)), "depth")
  smooth <- check_smooth_steps(smooth, depth)
  if (depth == "halfspace") return(NULL)
  if (unlimited) {
    stop_input("depth", "\"halfspace\" without limits", sprintf("\"%s\"", depth),
               "Give limits, prior_uniform() or prior_normal() for other depths.")
  }
  if (d > most_depth_variables(depth)) {
    stop_input("d", sprintf("at most %d for depth = \"%s\"", most_depth_variables(depth), depth),
               sprintf("%d", d), "Take depth = \"halfspace\".")
  }
  depth_profile(depth, d, if (depth == "idd_smooth") smooth * exp(mean(log(size))) else Inf)
}
