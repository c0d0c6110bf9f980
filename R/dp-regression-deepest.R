# The deepest regression by smooth sensitivity: the engine of dp_regression(method = "deepest").

# What is public; refuses before the debit. See dp_regression() for the arguments.
plan_deepest <- function(n, terms, limits, epsilon, delta, tau, ...) {
  check_half(tau, "deepest")
  if (length(terms) > 2) {
    stop_formula(sprintf("it has %d regressors, and the deepest regression takes one numeric regressor",
                         length(terms) - 1L), "Leave `method` out, or take \"medsweep\", which takes more.")
  }
  delta <- check_delta(delta)
  bounds <- coefficient_bounds(limits, terms)
  constants <- smooth_constants(epsilon, delta, 2L)
  lattice <- smooth_lattice(bounds, fine_bits(bounds, constants))
  check_steps(lattice$step, bounds)
  list(
    epsilon = epsilon, delta = delta, guarantee = "approximate", what = "deepest regression",
    mechanism = "Laplace noise scaled to smooth sensitivity", label = "regression (deepest)",
    middle = bounds$lower[[1]] / 2 + bounds$upper[[1]] / 2, bounds = bounds,
    warn = function(said) warn_wide_noise(n / 3, 2, constants),
    details = list(alpha = constants$alpha, beta = constants$beta,
                   step = stats::setNames(lattice$step, terms)),
    constants = constants, lattice = lattice
  )
}

run_deepest <- function(x, y, plan, source) {
  law <- deepest_law(x[, 1], y, plan$lattice, plan$constants, plan$reach)
  index <- law$centre + half_laplace(2L, law$scale, source)
  list(estimate = into_bounds((index + plan$lattice$origin) * plan$lattice$step, plan$bounds), exact = TRUE)
}

# What the release's distribution depends on: the centre (integers, from the lattice's origin) and the scale,
# a multiple of 2^-scale_bits. `reach`: for random DP (R/rival-regression-random.R), how many levels below the
# deepest the bounds are. PRIVATE.
deepest_law <- function(x, y, lattice, constants, reach = NULL) {
  low <- lattice$origin + lattice$lower
  high <- lattice$origin + lattice$upper
  found <- deepest_spreads(x, y, lattice$step)
  level <- found$depth - reach
  if (!is.null(reach) && level > found$unbounded) {
    low <- pmax(low, found$lo[level, 1:2] - 1)
    high <- pmax(low, pmin(high, found$hi[level, 1:2] + 1))
  }
  bound <- deepest_sensitivity(found, length(x), low, high, constants$smoothness)
  list(centre = deepest_centre(found, low, high) - lattice$origin, scale = smooth_scale(bound, constants))
}

deepest_sensitivity <- function(found, n, low, high, beta) {
  max(exp(-beta * 0:n) * deepest_reaches(found, n, low, high))
}

# Upper bounds, in steps, of the l1 distance between the estimates of a data set at distance k and a
# neighbour of it, k = 0, ..., n: the one is in the region of level(k), the other in that of level(k + 1),
# so that the distance is less than the larger region's diameter, deepest_diameters(). The 3 steps are for
# rounding the estimates.
deepest_reaches <- function(found, n, low, high) {
  outer <- deepest_levels(found$depth, n)
  inner <- c(found$depth, utils::head(outer, -1))
  free <- found$unbounded + 1 # levels 0, ..., unbounded
  bounded <- seq_len(found$vertices) > found$unbounded
  lo <- rbind(matrix(-Inf, free, 4), found$lo[bounded, , drop = FALSE])
  hi <- rbind(matrix(Inf, free, 4), found$hi[bounded, , drop = FALSE])
  apart <- function(side, clip = identity) {
    pmax(clip(hi[outer + 1, side]) - clip(lo[inner + 1, side]),
         clip(hi[inner + 1, side]) - clip(lo[outer + 1, side]))
  }
  axis <- function(j) apart(j, function(v) pmin(pmax(v, low[[j]]), high[[j]]))
  across <- pmax(apart(3), apart(4)) + 3
  across[pmax(hi[, 3], hi[, 4], -lo[, 3], -lo[, 4])[outer + 1] >= diagonal_most] <- Inf
  pmin(axis(1) + axis(2), across)
}

# The mean of the deepest vertices, rounded, within the ends of these; the middle of the bounds where the
# deepest fits are unbounded, and the noise is as wide as the bounds.
deepest_centre <- function(found, low, high) {
  m <- found$vertices
  if (m <= found$unbounded) return(round((low + high) / 2))
  centre <- pmin(pmax(round(found$centre), found$lo[m, 1:2]), found$hi[m, 1:2])
  pmin(pmax(centre, low), high)
}
