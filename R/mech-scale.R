# Scales of one variable: the median absolute deviation and the distance of the quartiles, by exact draws.
#
# METHOD: the median m is drawn first and released to what follows; then the median of |x - m|, which is a
#   function of each row and of m. Both are draws of one quantile on a public lattice.
#   Limits: R/mech-scale-interval.R.
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
