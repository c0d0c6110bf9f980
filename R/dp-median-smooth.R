# The private median by smooth sensitivity.

#' Private median by smooth sensitivity
#'
#' Releases the median of one variable, or a Tukey median of several, with Laplace noise scaled to the smooth
#' sensitivity of that median: the denser the data around the median, the smaller the noise. The release is
#' (epsilon, delta)-differentially private.
#'
#' @inheritParams dp_median
#' @param delta Between 0 and 1; much less than 1/n is usual.
#' @param lower,upper Public bounds of the median in the units of the data: one number, or one per variable.
#'   The data may lie outside. With several variables the width of the bounds is also the unit of a
#'   variable: noise is spread evenly over the variables in these units.
#' @param region For two variables and more. `"exact"`: a deepest point of halfspace depth itself (two
#'   variables, up to 20,000 rows). `"directional"`: of the depth along some directions. `"marginal"`: the
#'   median of each variable. `"auto"`: exact for two variables and up to 3000 rows, otherwise
#'   directional: a choice by public facts only.
#' @param na `"fail"`: missing and infinite values are refused, which shows that there were some. Or public
#'   values that replace them, or `"middle"`, with limits: see [dp_median()].
#' @param ... Must be empty: a name that is not an argument is refused, see [dpdepth-errors].
#' @details
#' **One variable.** The order statistic of rank `floor((n + 1)/2)`, clipped to the bounds, with its exact
#' smooth sensitivity; see [sens_median()].
#'
#' **Two variables, exact.** The centroid of the deepest region of halfspace depth, clipped to the bounds. One
#' sweep finds all halfplanes through two rows or more. Whole numbers decide whether a region is empty and how
#' far it reaches, so the largest depth is exact and moves by at most one when a row is replaced. The cost is
#' O(n^2 log n).
#'
#' **Directional.** The same for the depth along fixed directions. Two variables have 24 directions (whole
#' components up to 4, in units of the bounds); the result is close to the exact one and costs O(n log n).
#' Three variables and more have the axes and the diagonals x_i + x_j and x_i - x_j, for which emptiness of a
#' region can be decided in whole numbers, too.
#'
#' **Marginal.** The median of each variable. It takes the least noise, a third of the others' or less. It is
#' not a Tukey median: it does not follow rotations, and with three variables or more it may lie outside the
#' convex hull of the data.
#'
#' **Noise.** Rows are rounded to a public lattice; rows more than about 16 widths of the bounds away are
#' moved there. The noise has the distribution P(w) proportional to exp(-|w|/t) over the half-odd multiples of
#' the lattice's step, which is Laplace noise rounded. It is drawn exactly, in whole numbers. Its scale is
#' `1/alpha` times a beta-smooth bound, with the certified constants of [smooth_noise()], and at least 256
#' steps. That is about 2^-16 of the bounds' width for `"exact"` and `"directional"`, and 2^-30 or less for
#' one variable and `"marginal"`, unless epsilon is small. The scale depends on the data. Neither the scale
#' nor anything derived from it is released, and [confint()] is refused. Releases beyond the bounds are moved
#' to them.
#'
#' **Spreads.** `details$resolves` is the least spread of normal rows, by public numbers alone, of which fewer
#' than one release in a hundred is moved by five spreads or more (see [plan_median()]): the noise is never
#' less than about `d exp(-beta k)/alpha` times the width of the bounds, k being the rows that move the median
#' anywhere. It holds for medians at an end of the bounds; in their middle half as much is resolved.
#'
#' The bounds of the sensitivity and the proof are in `vignette("proofs-smooth", "dpdepth")`.
#' @return A [`dp_release`][dp_release] with `guarantee = "approximate"`. The `details` name the public
#'   constants `alpha` and `beta`, the bounds and the lattice's `step`.
#' @section Errors:
#' As for [dp_median()]. Besides, an `epsilon` too small for the lattice (below about `1e-4 d`) is refused.
#' @references
#' Nissim, K., Raskhodnikova, S. and Smith, A. (2007). Smooth sensitivity and sampling in private data
#' analysis. *STOC*. \doi{10.1145/1250790.1250803}
#' @seealso [dp_median_exponential()], which needs no delta; [sens_median()]; `vignette("proofs-smooth",
#' "dpdepth")`.
#' @examples
#' # waiting times between eruptions, in minutes
#' dp_median_smooth(faithful$waiting, epsilon = 1, delta = 1e-6, lower = 0,
#'                  upper = 180)
#'
#' dp_median_smooth(faithful, epsilon = 4, delta = 1e-6, lower = 0,
#'                  upper = c(10, 180))
#' @export
dp_median_smooth <- function(x, epsilon, delta, lower, upper,
                             region = c("auto", "exact", "directional", "marginal"), ...,
                             id = NULL, ledger = NULL, rng = NULL, na = "fail") {
  release_by(smooth_mechanism(), door_call())
}

smooth_mechanism <- function() {
  new_mechanism(plan_smooth, draw_smooth, neighbours = "substitution",
                ready = function(rows, plan) plain_rows(rows))
}

plan_smooth <- function(facts, given) {
  n <- facts$n
  d <- facts$d
  refuse_resolution(given$resolution, "smooth")
  if (!is.null(given$prior)) {
    stop_input("prior", "NULL for smooth sensitivity, which takes bounds", describe(given$prior),
               "Give `lower` and `upper` instead.")
  }
  delta <- check_delta(given$delta)
  bounds <- check_bounds(given$lower, given$upper, d, names = facts$names)
  region <- smooth_method(if (is.null(given$region)) "auto" else given$region, n, d, "region")
  constants <- smooth_constants(given$epsilon, delta, d)
  apart <- d == 1 || region == "marginal"
  lattice <- smooth_lattice(bounds, if (apart) fine_bits(bounds, constants) else lattice_bits)
  check_smooth_lattice(lattice, bounds)
  named <- function(v) stats::setNames(v, facts$variables)
  least <- min_scale / 2^scale_bits * max(lattice$step / (bounds$upper - bounds$lower))
  resolved <- resolved_spread(smooth_failure(n, d, constants, apart, least),
                              prior_uniform(bounds$lower, bounds$upper), lattice$step, facts$variables)
  list(
    label = "median (smooth sensitivity)", what = "median", delta = delta, bounds = bounds, region = region,
    constants = constants, lattice = lattice, mechanism = "Laplace noise scaled to smooth sensitivity",
    details = list(lower = named(bounds$lower), upper = named(bounds$upper), depth = smooth_depth(region, d),
                   alpha = constants$alpha, beta = constants$beta, step = named(lattice$step),
                   resolves = resolved$at),
    warn = function(said) {
      warn_resolved(
        resolved, n, sprintf("n = %d, epsilon = %s and this `delta`", n, format(given$epsilon, digits = 4)),
        mends = paste("More rows, a larger `epsilon`, tighter limits or another method would help; see",
                      "plan_median()")
      )
    }
  )
}

# PRIVATE: rows.
draw_smooth <- function(rows, plan, source) {
  lattice <- plan$lattice
  law <- smooth_law(lattice_rows(rows, lattice), lattice, plan$constants, plan$region)
  index <- law$centre + half_laplace(ncol(rows), law$scale, source)
  list(estimate = pmin(pmax((index + lattice$origin) * lattice$step, plan$bounds$lower), plan$bounds$upper))
}

smooth_depth <- function(method, d) {
  switch(method, exact = "halfspace, exact", marginal = "of each variable",
         directional = if (d == 2) sprintf("halfspace, along %d directions", nrow(plane_sides()))
                       else sprintf("halfspace, along %d axes and diagonals", d^2))
}

# alpha and beta of the proof, and what is left of beta for the bound after the roundings of the
# scale (1/min_scale) and of the bound itself (`rounding`). `bits`: the most that a lattice may have, so
# that scales stay whole numbers below 2^53, and `rounding` below beta/2^10 where one variable may need the
# search beyond 2000 levels (src/sens_median.c).
smooth_constants <- function(epsilon, delta, d) {
  constants <- smooth_noise(epsilon, delta * (1 - 1e-9), d)
  alpha <- constants$alpha
  bits <- max(lattice_bits, min(40, 39 + floor(log2(alpha / d))))
  far <- (bits * log(2) - log(alpha * min_scale / 2^scale_bits)) / constants$beta # no level beyond can win
  search <- d == 1 && far > window_levels - 10
  if (search) bits <- max(lattice_bits, min(bits, 40 + floor(log2(alpha * constants$beta))))
  rounding <- 2^-20 + (if (search) 2^(bits - 51) else 2^-26) / alpha
  smoothness <- constants$beta - 1 / min_scale - rounding
  if (constants$alpha < d * 2^-15 || smoothness < constants$beta / 2) {
    must <- sprintf("larger for smooth sensitivity with %d variable%s", d, plural(d))
    stop_input("epsilon", must, format(epsilon), "Take a larger one, or dp_median_exponential().")
  }
  c(constants, list(smoothness = smoothness, rounding = rounding, bits = bits))
}

# d independent draws of s (G + 1/2), s a fair sign, P(G >= g) = exp(-g 2^bits / scale).
half_laplace <- function(d, scale, rng, bits = scale_bits) {
  sign <- 2 * draw_below(d, 2, rng) - 1
  sign * (draw_geometric_exp(d, 2^bits, scale, rng) + 0.5)
}
