# Scales of one variable: the median absolute deviation and the distance of the quartiles, by exact draws.
#
# METHOD: the median m is drawn first and released to what follows; then the median of |x - m|, which is a
#   function of each row and of m. Both are draws of one quantile on a public lattice.
#   Limits: intervals of the median, and of the median of |x - c| about a point c, each at half of the risk.
#   If the first holds, the distribution's median lies within h of c, at least as many rows lie within MAD + h
#   of c as within MAD of that median, and at most as many within MAD - h: the second's limits, h wider,
#   cover.
# REFERENCE: vignettes/proofs-ranks.Rmd; Hampel (1974), The influence curve and its role in robust estimation.

mad_shares <- c(median = 0.4, deviations = 0.6)

# Public numbers only. `limits`: of quantile_prior(), by lower and upper.
mad_plan <- function(limits, epsilon) {
  share <- epsilon * mad_shares * (1 - 2^-40)
  list(median = quantile_plan(0.5, share[["median"]], 0, limits),
       deviations = quantile_plan(0.5, share[["deviations"]], 0, deviation_limits(limits)))
}

deviation_limits <- function(limits) {
  prior <- prior_uniform(0, unname(limits$prior$upper - limits$prior$lower))
  list(prior = prior, resolution = limits$resolution,
       step = list(step = axes_steps(prior, "x", limits$resolution)))
}

# Rows' distances from a number that is no secret any more. PRIVATE: x.
deviations_from <- function(x, m) {
  each_value(x, function(values) pmin(abs(values - m), .Machine$double.xmax))
}

# PRIVATE: x.
draw_mad <- function(x, plans, source, private) {
  one <- function(x, plan) {
    draw_quantiles(x, 0.5, plan$prior, plan$budget$each, plan$levels, source, 1L, plan$resolution,
                   private)[[1]]
  }
  m <- one(x, plans$median)
  one(deviations_from(x, m), plans$deviations)
}

# Of two independent intervals, each with half of the risk and of epsilon.
mad_interval_plan <- function(n, epsilon, level, limits) {
  check_interval_budget(n, epsilon, 2)
  parts <- list(limits, deviation_limits(limits))
  plans <- lapply(parts, function(part) {
    interval_plans(n, 0.5, 1 - (1 - level) / 2, epsilon / 2 * (1 - 2^-40),
                   interval_reach(part$prior, part$resolution))
  })
  list(parts = parts, plans = plans)
}

# PRIVATE: x.
draw_mad_interval <- function(x, plan, source) {
  part <- function(x, i) {
    limits <- plan$parts[[i]]
    draw_intervals(x, plan$plans[[i]], limits$prior, source, limits$resolution)
  }
  center <- part(x, 1L)
  c <- middle_point(center$interval, center$estimate, plan$parts[[1]]$resolution)
  off <- max(center$interval[[2]] - c, c - center$interval[[1]])
  found <- part(deviations_from(x, c), 2L)
  ends <- c(max(0, found$interval[[1]] - off), found$interval[[2]] + off)
  list(estimate = min(max(found$estimate, ends[[1]]), ends[[2]]), interval = ends)
}

# The middle of limits, on the lattice of `resolution`; where one is infinite, the point that is given.
middle_point <- function(limits, point, resolution) {
  middle <- limits[[1]] / 2 + limits[[2]] / 2
  if (!is.finite(middle)) return(point)
  if (is.null(resolution)) middle else round(middle / resolution) * resolution
}
